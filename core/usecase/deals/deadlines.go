package deals

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// PendingDeadlines is GET /transactions/deadlines.
type PendingDeadlines struct {
	From     opt.Field[string] `query:"from" format:"date" required:"true" doc:"included"`
	To       opt.Field[string] `query:"to" format:"date" required:"true" doc:"included; at most 366 days after from"`
	AgencyID opt.Field[int64]  `query:"agency_id" doc:"one of the token's agencies"`
	Kind     opt.Field[string] `query:"kind" enum:"RETRACTATION,CONDITION,RESTITUTION_ACOMPTE,ACTE,TERME,CONGE,OFFRE"`
}

// offerDue is when an offer expires, which is no legal period.
const offerDue = "OFFRE"

// pendingKinds are the kinds of what can be pending.
var pendingKinds = []string{
	string(calendar.Withdrawal), agreement.ConditionDue, string(calendar.DepositReturn), agreement.DeedDue,
	string(calendar.Term), string(calendar.LatestNotice), offerDue,
}

// Pending is something that has to happen by a day in an offer, an agreement or a
// lease.
type Pending struct {
	Date        string `json:"date" format:"date"`
	Kind        string `json:"kind" enum:"RETRACTATION,CONDITION,RESTITUTION_ACOMPTE,ACTE,TERME,CONGE,OFFRE"`
	Resource    string `json:"resource" enum:"OFFER,AGREEMENT,LEASE"`
	ResourceID  int64  `json:"resource_id"`
	ProductID   *int64 `json:"product_id" ref:"product"`
	AgencyID    int64  `json:"agency_id"`
	UserID      *int64 `json:"user_id"`
	ConditionID *int64 `json:"condition_id"`
	CustomerID  *int64 `json:"customer_id" ref:"customer"`
}

// AllPending is what is pending, by date.
type AllPending struct {
	Data      []Pending `json:"data"`
	Truncated bool      `json:"truncated" doc:"there are more than the thousand that are shown"`
}

const (
	maxPending     = 1000
	maxPendingDays = 366
	// pendingPage is how many records are read at a time.
	pendingPage = 500
)

// pendingQuery is what is wanted of what is pending.
type pendingQuery struct {
	from, to calendar.Day
	kind     string
	filter   deal.Filter
}

func (u Unit) listPending(in PendingDeadlines) (AllPending, error) {
	answer := AllPending{Data: []Pending{}}
	q, err := u.readPending(in)
	if err != nil {
		return answer, err
	}
	for _, add := range []func(Unit, pendingQuery, *[]Pending) error{Unit.pendingOffers, Unit.pendingAgreements, Unit.pendingLeases} {
		if err := add(u, q, &answer.Data); err != nil {
			return answer, err
		}
	}
	slices.SortStableFunc(answer.Data, func(a, b Pending) int {
		return cmp.Or(strings.Compare(a.Date, b.Date), strings.Compare(a.Resource, b.Resource), cmp.Compare(a.ResourceID, b.ResourceID))
	})
	if len(answer.Data) > maxPending {
		answer.Data, answer.Truncated = answer.Data[:maxPending], true
	}
	return answer, nil
}

func (u Unit) readPending(in PendingDeadlines) (q pendingQuery, err error) {
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	q.filter.Now = u.Now
	f.Required("from", !in.From.Given())
	f.Required("to", !in.To.Given())
	f.CalendarDay("from", &q.from, in.From)
	f.CalendarDay("to", &q.to, in.To)
	if q.from != 0 && q.to != 0 && (q.to < q.from || q.to-q.from > maxPendingDays) {
		f.Wrong("to", fault.CodeOutOfRange, q.to.String(), "to is from the first day to %d days later", maxPendingDays)
	}
	f.Code("kind", &q.kind, in.Kind, pendingKinds)
	var outside error
	q.filter.Agencies, outside = u.ListedAgencies(in.AgencyID, &problems)
	return q, kernel.FirstError(outside, problems.Err())
}

// add adds what is wanted of what is pending in a record.
func (q pendingQuery) add(all *[]Pending, day calendar.Day, p Pending) {
	if day >= q.from && day <= q.to && (q.kind == "" || q.kind == p.Kind) {
		p.Date = day.String()
		*all = append(*all, p)
	}
}

// each goes through the records of some statuses.
func each[ID ~int64, T any](u Unit, in port.Deals[ID, T], f deal.Filter, statuses []string, id func(T) int64, do func(T)) error {
	f.Statuses = statuses
	for after := int64(0); ; {
		found, err := in.Find(port.DealQuery{Site: u.Site.ID, Filter: f, After: after, Limit: pendingPage})
		for _, v := range found {
			do(v)
			after = id(v)
		}
		if err != nil || len(found) < pendingPage {
			return err
		}
	}
}

func (u Unit) pendingOffers(q pendingQuery, all *[]Pending) error {
	return each(u, u.Offers(), q.filter, []string{string(offer.Open), string(offer.Countered)}, offerID, func(o offer.Offer) {
		if !o.Expires.IsZero() {
			q.add(all, calendar.On(o.Expires, u.Site.ZoneOf(o.Agency)), Pending{
				Kind: offerDue, Resource: "OFFER", ResourceID: int64(o.ID), ProductID: kernel.Nullable(int64(o.Product)), AgencyID: int64(o.Agency),
				UserID: kernel.Nullable(int64(o.User)),
			})
		}
	})
}

func (u Unit) pendingAgreements(q pendingQuery, all *[]Pending) error {
	statuses := []string{
		string(agreement.Signed), string(agreement.Withdrawal), string(agreement.Waiting), string(agreement.Cleared), string(agreement.Withdrawn),
	}
	return each(u, u.Agreements(), q.filter, statuses, agreementID, func(a agreement.Agreement) {
		for _, p := range a.At(u.Now, u.Site.ZoneOf(a.Agency)).Deadlines() {
			q.add(all, p.Date, Pending{
				Kind: p.Kind, Resource: "AGREEMENT", ResourceID: int64(a.ID), ProductID: kernel.Nullable(int64(a.Product)), AgencyID: int64(a.Agency),
				UserID: kernel.Nullable(int64(a.User)), ConditionID: kernel.Nullable(int64(p.Condition)), CustomerID: kernel.Nullable(int64(p.Customer)),
			})
		}
	})
}

func (u Unit) pendingLeases(q pendingQuery, all *[]Pending) error {
	return each(u, u.Lettings(), q.filter, []string{string(letting.Running), string(letting.Noticed)}, leaseID, func(l letting.Lease) {
		l = l.At(u.Now, u.Site.ZoneOf(l.Agency))
		p := Pending{
			Resource: "LEASE", ResourceID: int64(l.ID), ProductID: kernel.Nullable(int64(l.Product)), AgencyID: int64(l.Agency),
			UserID: kernel.Nullable(int64(l.User)),
		}
		for _, d := range l.Deadlines(u.today(l.Agency)) {
			p.Kind = string(d.Kind)
			q.add(all, d.Day, p)
		}
	})
}

// ComputeDeadlines is POST /transactions/deadlines.
type ComputeDeadlines struct {
	Items opt.Field[[]DeadlineInput] `json:"items" max:"deals.MaxItems" required:"true" doc:"1 to 100"`
}

// DeadlineInput asks when a legal period ends.
type DeadlineInput struct {
	Kind   opt.Field[string] `json:"kind" required:"true" enum:"RETRACTATION,RESTITUTION_ACOMPTE,CONDITION_PRET,REFLEXION_PRET,PREEMPTION,PREAVIS,CONGE,TERME,REVISION,RESTITUTION_DEPOT"`
	From   opt.Field[string] `json:"from" required:"true" format:"date"`
	Region opt.Field[string] `json:"region" enum:"FR,FR-AM,FR-971,FR-972,FR-973,FR-974,FR-975,FR-976,FR-977,FR-978,FR-986,FR-987,FR-988" doc:"default FR"`
	Months opt.Field[int]    `json:"months" doc:"required for PREAVIS and CONGE (1 to 12), TERME (1 to 1200) and RESTITUTION_DEPOT (1 or 2), and for no other"`
}

// Deadline is when a legal period ends.
type Deadline struct {
	Kind     string `json:"kind"`
	From     string `json:"from" format:"date"`
	Region   string `json:"region"`
	Months   *int   `json:"months"`
	Nominal  string `json:"nominal" format:"date" doc:"the end by the length of the period alone"`
	LastDay  string `json:"last_day" format:"date"`
	Extended bool   `json:"extended" doc:"the end was moved to a working day"`
	// EndsAt is in the zone of the site.
	EndsAt string `json:"ends_at" format:"date-time" doc:"the end of the last day, in the zone of the site"`
}

// Deadlines are the ends of legal periods, in the order in which they were asked
// for.
type Deadlines struct {
	Data []Deadline `json:"data"`
}

// MaxItems is how many items a calculator takes.
const MaxItems = 100

// checkItems reports a number of items that no calculator takes.
func checkItems(f form.Form, n int) bool {
	if n == 0 {
		f.Wrong("items", fault.CodeRequired, nil, "items has 1 to %d", MaxItems)
	}
	return n > 0 && f.Few("items", n, MaxItems)
}

func (u Unit) computeDeadlines(in ComputeDeadlines) (Deadlines, error) {
	var problems fault.Problems
	all := form.Form{Problems: &problems}
	answer := Deadlines{Data: []Deadline{}}
	if !checkItems(all, len(in.Items.Value)) {
		return answer, problems.Err()
	}
	for n, item := range in.Items.Value {
		answer.Data = append(answer.Data, u.deadline(all.In("items[%d]", n), item))
	}
	return answer, problems.Err()
}

func (u Unit) deadline(f form.Form, in DeadlineInput) Deadline {
	var problems fault.Problems
	own := form.Form{Problems: &problems, At: f.At}
	var kind calendar.DeadlineKind
	form.OneOf(own, "kind", &kind, in.Kind, calendar.DeadlineKinds())
	own.Required("kind", in.Kind.Or("") == "")
	var from calendar.Day
	own.CalendarDay("from", &from, in.From)
	own.Required("from", in.From.Or("") == "")
	region, months := readRegion(own, in.Region), in.Months.Or(0)
	if most := kind.MaxMonths(); kind != "" {
		switch {
		case most > 0 && !in.Months.Given():
			own.Wrong("months", fault.CodeRequired, nil, "months is required for this kind")
		case most > 0 && (months < 1 || months > most):
			own.Wrong("months", fault.CodeOutOfRange, months, "months is 1 to %d for this kind", most)
		case most == 0 && in.Months.Given():
			own.Wrong("months", fault.CodeOutOfRange, months, "the law says how long this period is")
		}
	}
	if err := problems.Err(); err != nil {
		f.Problems.Append(fault.From(err).Details...)
		return Deadline{}
	}
	end := kind.From(from, region, months)
	return Deadline{
		Kind: string(kind), From: from.String(), Region: string(region), Months: kernel.Nullable(months), Nominal: end.Nominal.String(),
		LastDay: end.LastDay.String(), Extended: end.Extended(), EndsAt: end.LastDay.End(u.Site.Zone).Format(time.RFC3339),
	}
}

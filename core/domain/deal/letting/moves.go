package letting

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/deal/money"
	"github.com/vitrine-crm/vitrine/core/domain/energy"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func sameRoom(a, b string) bool { return criteria.Fold(a) == criteria.Fold(b) }

// Moment is when something is done, and where.
type Moment struct {
	Now  time.Time
	Zone *time.Location
}

// Today returns the day of the moment.
func (m Moment) Today() calendar.Day { return calendar.On(m.Now, m.Zone) }

// check brings a lease to the moment, and is a Conflict where its status does not
// admit what is to be done.
func (l Lease) check(by string, m Moment) (Lease, error) {
	l = l.At(m.Now, m.Zone)
	return l, Transitions().Check(l.Status, by)
}

func notAfterToday(field string, day calendar.Day, m Moment, problems *fault.Problems) {
	if day > m.Today() {
		problems.Wrong(field, fault.CodeOutOfRange, day.String(), "%s is in the future", field)
	}
}

func conflict(code fault.Code, field string, value any, format string, args ...any) error {
	return fault.New(fault.Conflict, code, format, args...).At(field, value)
}

// Sign returns the lease after both sides signed it on a day. Whether the product is
// let already is for others to say.
func (l Lease) Sign(date calendar.Day, m Moment) (Lease, error) {
	l, err := l.check(Sign, m)
	if err != nil {
		return l, err
	}
	var problems fault.Problems
	notAfterToday("date_signature", date, m, &problems)
	l.Date, l.Status = date, Signed
	return l.At(m.Now, m.Zone), problems.Err()
}

// GiveNotice returns the lease after one side ended it. A landlord of a dwelling says
// why, and is too late after the last day on which the notice can be received.
func (l Lease) GiveNotice(n Notice, m Moment) (Lease, error) {
	l, err := l.check(GiveNotice, m)
	if err != nil {
		return l, err
	}
	k := l.Type.kind()
	if n.Months = k.tenant; n.By == Landlord {
		n.Months = k.landlord
	}
	if n.Months == 0 {
		return l, conflict(fault.CodeNoticeNotAllowed, "by", nil, "the law knows no such notice for this type of lease")
	}
	var problems fault.Problems
	notAfterToday("received_on", n.Received, m, &problems)
	if n.Received < l.Start {
		problems.Wrong("received_on", fault.CodeOutOfRange, n.Received.String(), "received_on is before the lease began")
	}
	if l.checkReason(&n, &problems); !problems.Empty() {
		return l, problems.Err()
	}
	switch byTerm := n.By == Landlord && k.end == renews; {
	case l.Type == Commercial:
		n.Ends = l.threeYears(n)
	case byTerm:
		n.Ends = l.Term(n.Received)
		if latest := calendar.LatestNotice.From(n.Ends, calendar.France, n.Months).LastDay; n.Received > latest {
			return l, conflict(fault.CodeNoticeTooLate, "received_on", latest.String(), "the last day for the present term was %s", latest)
		}
	default:
		n.Ends = calendar.Notice.From(n.Received, calendar.France, n.Months).LastDay
		if term := l.Term(n.Received); k.end == ends && term != 0 {
			// A notice makes no lease last longer than its term.
			n.Ends = min(n.Ends, term)
		}
	}
	l.Notice, l.Status = n, Noticed
	return l.At(m.Now, m.Zone), nil
}

// checkReason reports a reason that is missing or unknown, and shortens the notice
// of tenants who have one.
func (l Lease) checkReason(n *Notice, problems *fault.Problems) {
	accepted := OneMonthReasons()
	if n.By == Landlord {
		accepted = LandlordReasons()
	}
	switch dwelling := l.Type == Unfurnished || l.Type == Furnished; {
	case n.Reason == "" && n.By == Landlord && dwelling:
		problems.Append(fault.Detail{Field: "reason", Code: fault.CodeRequired, Accepted: accepted, Message: fault.Textf("a landlord says why: reason is required")})
	case n.Reason == "":
	case !slices.Contains(accepted, n.Reason):
		problems.Append(fault.Detail{
			Field: "reason", Code: fault.CodeCriteriaValueUnknown, Value: n.Reason, Accepted: accepted, Message: fault.Textf("reason is not one of the accepted codes"),
		})
	case n.By == Tenant && l.Type == Unfurnished:
		n.Months = 1
	}
}

// threeYears returns the end of the first period of three years that a notice is not
// too late for (Code de commerce L145-4).
func (l Lease) threeYears(n Notice) calendar.Day {
	for months := 36; ; months += 36 {
		last := calendar.Term.From(l.Start, calendar.France, months).LastDay
		if n.Received <= calendar.LatestNotice.From(last, calendar.France, n.Months).LastDay {
			return last
		}
	}
}

// CancelNotice returns the lease after both sides gave the notice up.
func (l Lease) CancelNotice(m Moment) (Lease, error) {
	l, err := l.check(CancelNotice, m)
	if err != nil {
		return l, err
	}
	l.Notice, l.Status = Notice{}, Running
	return l.At(m.Now, m.Zone), nil
}

// End returns the lease after the keys were returned on a day. What is found then
// decides how long the landlord may keep the deposit.
func (l Lease) End(day calendar.Day, asItWas bool, m Moment) (Lease, error) {
	l, err := l.check(End, m)
	if err != nil {
		return l, err
	}
	var problems fault.Problems
	notAfterToday("date", day, m, &problems)
	if day < l.Start {
		problems.Wrong("date", fault.CodeOutOfRange, day.String(), "date is before the lease began")
	}
	if err := problems.Err(); err != nil {
		return l, err
	}
	l.Status, l.EndedOn = Ended, day
	if l.Deposit != nil && *l.Deposit > 0 {
		months := 2
		if asItWas {
			months = 1
		}
		l.DepositReturnDue = calendar.SecurityReturn.From(day, calendar.France, months).LastDay
	}
	return l, nil
}

// Cancel returns the lease that both sides gave up before it began.
func (l Lease) Cancel(reason string, m Moment) (Lease, error) {
	l, err := l.check(Cancel, m)
	if err != nil {
		return l, err
	}
	l.Status, l.CancellationReason = Cancelled, reason
	return l, nil
}

// Revised is what a revision needs to know besides the lease.
type Revised struct {
	Asked calendar.Day
	// Quarter is the one whose value holds now; none is the usual one.
	Quarter Quarter
	// EnergyLetter is that of the dwelling, such as G, and Territory where it is.
	EnergyLetter string
	Territory    Territory
	// Value is the value of an index in a quarter.
	Value func(Index, Quarter) (float64, bool)
}

// Revise returns the lease with the rent that its index says, from the day on which
// somebody asks. What was not asked for within its year is lost (loi 89-462 art.
// 17-1).
func (l Lease) Revise(r Revised, m Moment) (Lease, error) {
	var problems fault.Problems
	if notAfterToday("asked_on", r.Asked, m, &problems); !problems.Empty() {
		return l, problems.Err()
	}
	l, err := l.check(Revise, m)
	if err != nil {
		return l, err
	}
	due := l.anniversary(r.Asked)
	switch {
	case l.Indexation.Index == "":
		return l, conflict(fault.CodeNoIndexation, "indexation", nil, "the lease has no index")
	case l.frozen(r):
		return l, conflict(fault.CodeRevisionFrozen, "rent", nil, "the rent of a dwelling with the letter %s does not rise", r.EnergyLetter)
	case due == 0:
		return l, conflict(fault.CodeRevisionTooEarly, "asked_on", nil, "the lease has not run for a year")
	case l.revisedBy(due):
		return l, conflict(fault.CodeAlreadyRevised, "asked_on", nil, "the rent of this year is revised already")
	}
	reference := l.Indexation.Quarter
	if r.Quarter == 0 {
		r.Quarter = reference.AddYears(due - l.lastRevised())
	}
	if r.Quarter <= reference {
		problems.Wrong("quarter", fault.CodeOutOfRange, r.Quarter.String(), "quarter is not later than the reference %s", reference)
		return l, problems.Err()
	}
	value, known := r.Value(l.Indexation.Index, r.Quarter)
	before, had := r.Value(l.Indexation.Index, reference)
	if !known || !had || before <= 0 {
		problems.Wrong("quarter", fault.CodeUnknownIndexValue, r.Quarter.String(), "the index %s has no value for this quarter", l.Indexation.Index)
		return l, problems.Err()
	}
	l = l.Clone()
	made := Revision{ID: RevisionID(len(l.Revisions) + 1), Asked: r.Asked, Quarter: r.Quarter, From: l.Rent, Rent: money.Revised(l.Rent, value, before)}
	l.Revisions = append(l.Revisions, made)
	l.Rent, l.Indexation.Quarter = made.Rent, r.Quarter
	return l, nil
}

// frozen reports a dwelling that wastes too much energy for its rent to rise, if the
// lease was concluded or renewed since the law says so (loi 89-462 art. 17-1 III; loi
// 2021-1104 art. 159).
func (l Lease) frozen(r Revised) bool {
	since := calendar.Of(2022, time.August, 24)
	if r.Territory == Overseas {
		since = calendar.Of(2024, time.July, 1)
	}
	dwelling := l.Type == Unfurnished || l.Type == Furnished || l.Type == Student
	return dwelling && (r.EnergyLetter == "F" || r.EnergyLetter == "G") && l.concluded(r.Asked) >= since
}

// concluded returns the day on which what holds on a day was concluded: that of the
// signature, or of the last renewal.
func (l Lease) concluded(day calendar.Day) calendar.Day {
	concluded := cmp.Or(l.Date, l.Start)
	if k := l.Type.kind(); !k.hasDuration() || k.end != renews {
		return concluded
	}
	months := l.Months
	for begun := l.Start; ; months = l.renewal() {
		if begun = calendar.Term.From(begun, calendar.France, months).LastDay + 1; begun > day {
			return concluded
		}
		concluded = begun
	}
}

// anniversary counts the anniversaries of the beginning up to a day.
func (l Lease) anniversary(day calendar.Day) int {
	n := 0
	for l.Start.AddMonths(12*(n+1)) <= day {
		n++
	}
	return n
}

// lastRevised returns the anniversary that the last revision was for; 0 is none.
func (l Lease) lastRevised() int {
	last := 0
	for _, r := range l.Revisions {
		last = max(last, l.anniversary(r.Asked))
	}
	return last
}

func (l Lease) revisedBy(anniversary int) bool { return l.lastRevised() >= anniversary }

// Property is what of the product warnings depend on.
type Property struct {
	// Dwelling says that people live there, Mainland that it stands in mainland
	// France. Letter is that of its energy label.
	Dwelling, Mainland bool
	Letter             string
	// Diagnosed is the day of its diagnosis, YYYY-MM-DD, where it is in France.
	Diagnosed string
}

// indecent says from when on a dwelling with a letter cannot be let (loi
// 2021-1104 art. 160).
var indecent = []struct {
	from   calendar.Day
	letter string
}{
	{calendar.Of(2025, 1, 1), "G"},
	{calendar.Of(2028, 1, 1), "F"},
	{calendar.Of(2034, 1, 1), "E"},
}

// Warnings lists what should be mended. It prevents nothing.
func (l Lease) Warnings(p Property, today calendar.Day) []string {
	var all []string
	for _, rule := range indecent {
		if p.Dwelling && p.Mainland && p.Letter == rule.letter && l.Start >= rule.from {
			all = append(all, "energy_not_decent")
		}
	}
	if p.Dwelling && p.Letter == "" {
		all = append(all, "dpe_missing")
	}
	if p.Dwelling && p.Letter != "" && energy.Void(p.Diagnosed, cmp.Or(l.Date, today).String()) {
		all = append(all, "dpe_void")
	}
	if l.Status == Running && l.EntryInventory == 0 {
		all = append(all, "inventory_missing")
	}
	return all
}

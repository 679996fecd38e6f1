package porttest

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/transition"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// made puts some records that are alike into a new store, and returns them by site and id.
func made[T any](r *rapid.T, mend func(*T)) (port.Store, []T) {
	kinds := recordKinds()
	k := kinds[slices.IndexFunc(kinds, func(k recordKind) bool { return k.kind == port.KindFor[T]() })]
	s := memstore.New()
	var all []T
	for of := site.ID(1); of <= 2; of++ {
		for id := range rapid.Int64Range(0, 5).Draw(r, "records") {
			record := k.alike(r, of, id+1).(*T)
			mend(record)
			all = append(all, *record)
		}
	}
	err := s.Update(r.Context(), func(tx port.Tx) error {
		return each(func(v T) error { return tx.Records().Put(k.kind, &v) }, all...)
	})
	if err != nil {
		r.Fatal(err)
	}
	return s, all
}

// finds demands that a read answers with the records that are wanted, in some order.
func finds[T any](r *rapid.T, s port.Store, what string, all []T, wanted func(T) bool, order func(a, b T) int, skip, limit int, read func(port.Tx) ([]T, error)) {
	want := slices.DeleteFunc(slices.Clone(all), func(v T) bool { return !wanted(v) })
	if order != nil {
		slices.SortStableFunc(want, order)
	}
	want = want[min(len(want), skip):]
	want = want[:min(len(want), limit)]
	err := s.View(r.Context(), func(tx port.Tx) error {
		got, err := read(tx)
		if d := difference(want, got); d != "" {
			r.Errorf("%s (-want +got):\n%s", what, d)
		}
		return err
	})
	if err != nil {
		r.Error(err)
	}
}

func few[ID ~int64](r *rapid.T, what string) []ID {
	return idsAs[ID](rapid.SliceOfN(rapid.Int64Range(0, 3), 0, 3).Draw(r, what))
}

func some[ID ~int64](r *rapid.T, what string) ID { return ID(rapid.Int64Range(0, 3).Draw(r, what)) }

func texts(r *rapid.T, what string) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "A", "%"}), 0, 2).Draw(r, what)
}

func at(r *rapid.T, what string) time.Time { return instant(rapid.IntRange(-1, 5).Draw(r, what)) }

func window(r *rapid.T) calendar.Interval {
	from := rapid.IntRange(-1, 4).Draw(r, "from")
	return calendar.Interval{Start: instant(from), End: instant(from + rapid.IntRange(0, 3).Draw(r, "length"))}
}

const every = 1000

func TestDealsAreFoundAsTheirFilterSays(t *testing.T) {
	dealsAreFound(t, port.Tx.Offers, deal.OfOffer, func(o offer.Offer) site.ID { return o.Site })
	dealsAreFound(t, port.Tx.Agreements, deal.OfAgreement, func(a agreement.Agreement) site.ID { return a.Site })
	dealsAreFound(t, port.Tx.Lettings, deal.OfLease, func(l letting.Lease) site.ID { return l.Site })
}

func dealsAreFound[ID ~int64, T any](t *testing.T, in func(port.Tx) port.Deals[ID, T], facts func(T) deal.Facts, of func(T) site.ID) {
	t.Helper()
	rapid.Check(t, func(r *rapid.T) {
		// What is ahead has its moments, one after the other.
		s, all := made(r, func(v *T) {
			ahead := reflect.ValueOf(v).Elem().FieldByName("Ahead")
			phases := ahead.Interface().([]transition.Phase)
			for i := range phases {
				phases[i].From = instant(2*i + rapid.IntRange(0, 1).Draw(r, "ahead"))
			}
		})
		q := port.DealQuery{
			Site: 1, Limit: rapid.IntRange(0, 6).Draw(r, "limit"), Skip: rapid.IntRange(0, 2).Draw(r, "skip"), After: rapid.Int64Range(0, 3).Draw(r, "after"),
			Order: deal.Order{Key: deal.Key(rapid.IntRange(0, 3).Draw(r, "key")), Desc: rapid.Bool().Draw(r, "desc")},
			Filter: deal.Filter{
				Agencies: few[site.AgencyID](r, "agencies"), Product: some[product.ID](r, "product"), Customer: some[customer.ID](r, "customer"),
				User: some[site.UserID](r, "user"), Offer: some[offer.ID](r, "offer"), Statuses: texts(r, "statuses"), Now: at(r, "now"),
				Types: texts(r, "types"), From: calendar.Day(rapid.IntRange(0, 3).Draw(r, "first day")), To: calendar.Day(rapid.IntRange(0, 3).Draw(r, "last day")), ModifiedSince: at(r, "since"),
			},
		}
		for _, open := range []func(){ // most of it must not be wanted for anything to be found
			func() { q.Filter.Product, q.Filter.User = 0, 0 }, func() { q.Filter.Customer, q.Filter.Offer = 0, 0 },
			func() { q.Filter.Statuses = nil }, func() { q.Filter.Types = nil }, func() { q.Filter.From, q.Filter.To = 0, 0 },
			func() { q.Filter.ModifiedSince = time.Time{} },
		} {
			if rapid.IntRange(0, 3).Draw(r, "open") > 0 {
				open()
			}
		}
		here := func(v T) bool { return of(v) == 1 }
		finds(r, s, "found", all, func(v T) bool { return here(v) && facts(v).ID > q.After && q.Filter.Matches(facts(v)) },
			func(a, b T) int { return q.Order.Compare(facts(a), facts(b)) }, q.Skip, q.Limit, func(tx port.Tx) ([]T, error) { return in(tx).Find(q) })
		products, party, due := few[product.ID](r, "products"), some[customer.ID](r, "party"), at(r, "due")
		finds(r, s, "about", all, func(v T) bool { return here(v) && slices.Contains(products, facts(v).Product) }, nil, 0, every,
			func(tx port.Tx) ([]T, error) { return in(tx).About(1, products) })
		finds(r, s, "with", all, func(v T) bool { return here(v) && slices.Contains(facts(v).Parties, party) }, nil, 0, every,
			func(tx port.Tx) ([]T, error) { return in(tx).With(1, party) })
		finds(r, s, "due", all, func(v T) bool { return !facts(v).Due().IsZero() && !facts(v).Due().After(due) },
			func(a, b T) int { return facts(a).Due().Compare(facts(b).Due()) }, 0, 2, func(tx port.Tx) ([]T, error) { return in(tx).Due(due, 2) })
	})
}

func TestADealWithMoreAheadThanItIsFoundByIsRefused(t *testing.T) {
	o := offer.Offer{Site: 1, ID: 1, Ahead: make([]transition.Phase, 3)}
	if err := memstore.New().Update(t.Context(), func(tx port.Tx) error { return tx.Offers().Put(o) }); err == nil {
		t.Error("it is stored")
	}
}

func TestAppointmentsAreFoundAsTheirFilterSays(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s, all := made(r, func(*planning.Appointment) {})
		q := port.AppointmentQuery{
			Site: 1, ByStart: rapid.Bool().Draw(r, "by start"), Limit: rapid.IntRange(0, 3).Draw(r, "limit"),
			Filter: planning.Filter{
				Agencies: few[site.AgencyID](r, "agencies"), Users: few[site.UserID](r, "users"), Customer: some[customer.ID](r, "customer"),
				Product: some[product.ID](r, "product"), Types: texts(r, "types"), ExternalID: rapid.SampledFrom([]string{"", "a"}).Draw(r, "external"),
				ModifiedSince: at(r, "since"), Window: window(r), Recurring: planning.Recurring(rapid.IntRange(0, 2).Draw(r, "recurring")),
			},
		}
		for _, status := range texts(r, "statuses") {
			q.Filter.Statuses = append(q.Filter.Statuses, planning.Status(status))
		}
		for _, open := range []func(){
			func() { q.Filter.Users = nil }, func() { q.Filter.Customer = 0 }, func() { q.Filter.Product = 0 }, func() { q.Filter.Types = nil },
			func() { q.Filter.Statuses = nil }, func() { q.Filter.ExternalID = "" }, func() { q.Filter.ModifiedSince = time.Time{} },
			func() { q.Filter.Window = calendar.Interval{} },
		} {
			if rapid.IntRange(0, 3).Draw(r, "open") > 0 {
				open()
			}
		}
		if rapid.Bool().Draw(r, "after") {
			q.After.ID = some[planning.ID](r, "last")
			if q.ByStart {
				q.After.Start = at(r, "last start")
			}
		}
		place := func(a planning.Appointment) planning.Place {
			if q.ByStart {
				return planning.Place{Start: a.Start, ID: a.ID}
			}
			return planning.Place{ID: a.ID}
		}
		limit := q.Limit
		if limit == 0 {
			limit = every
		}
		here := func(a planning.Appointment) bool { return a.Site == 1 }
		finds(r, s, "found", all, func(a planning.Appointment) bool {
			return here(a) && q.Filter.Matches(planning.Of(a)) && (q.After == planning.Place{} || place(a).Compare(q.After) > 0)
		}, func(a, b planning.Appointment) int { return place(a).Compare(place(b)) }, 0, limit,
			func(tx port.Tx) ([]planning.Appointment, error) { return tx.Appointments().Find(q) })
		users, products, w, with, due := few[site.UserID](r, "attend"), few[product.ID](r, "products"), window(r), some[customer.ID](r, "with"), at(r, "due")
		finds(r, s, "attended", all, func(a planning.Appointment) bool {
			return here(a) && planning.Of(a).Reaches(w) && slices.ContainsFunc(users, func(u site.UserID) bool { return slices.Contains(planning.Of(a).Users, u) })
		}, nil, 0, every, func(tx port.Tx) ([]planning.Appointment, error) { return tx.Appointments().AttendedBy(1, users, w) })
		finds(r, s, "about", all, func(a planning.Appointment) bool {
			return here(a) && planning.Of(a).Reaches(w) && slices.ContainsFunc(products, func(p product.ID) bool { return slices.Contains(planning.Of(a).Products, p) })
		}, nil, 0, every, func(tx port.Tx) ([]planning.Appointment, error) { return tx.Appointments().About(1, products, w) })
		finds(r, s, "with", all, func(a planning.Appointment) bool { return here(a) && slices.Contains(planning.Of(a).Customers, with) }, nil, 0, every,
			func(tx port.Tx) ([]planning.Appointment, error) { return tx.Appointments().With(1, with) })
		finds(r, s, "due", all, func(a planning.Appointment) bool { return !a.Due.IsZero() && !a.Due.After(due) },
			func(a, b planning.Appointment) int { return a.Due.Compare(b.Due) }, 0, 2,
			func(tx port.Tx) ([]planning.Appointment, error) { return tx.Appointments().Due(due, 2) })
	})
}

func TestDutiesAndHoldsAreFoundByUserAndTime(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s, duties := made(r, func(*planning.Duty) {})
		q := port.DutyQuery{Site: 1, Window: window(r), Agencies: few[site.AgencyID](r, "agencies"), Users: few[site.UserID](r, "users")}
		for _, kind := range texts(r, "kinds") {
			q.Kinds = append(q.Kinds, planning.DutyKind(kind))
		}
		finds(r, s, "within", duties, func(p planning.Duty) bool {
			return p.Site == 1 && (planning.Facts{From: p.From, Until: p.Until}).Reaches(q.Window) && (len(q.Agencies) == 0 || slices.Contains(q.Agencies, p.Agency)) &&
				(len(q.Users) == 0 || slices.Contains(q.Users, p.User)) && (len(q.Kinds) == 0 || slices.Contains(q.Kinds, p.Kind))
		}, nil, 0, every, func(tx port.Tx) ([]planning.Duty, error) { return tx.Duties().Within(q) })

		s, holds := made(r, func(h *planning.Hold) {
			if h.Expires.IsZero() {
				h.Expires = instant(3)
			}
		})
		users, now := few[site.UserID](r, "users"), at(r, "now")
		finds(r, s, "of", holds, func(h planning.Hold) bool { return h.Site == 1 && h.Live(now) && slices.Contains(users, h.User) }, nil, 0, every,
			func(tx port.Tx) ([]planning.Hold, error) { return tx.Holds().Of(1, users, now) })
		p, client, left := some[product.ID](r, "product"), access.CredentialID(rapid.SampledFrom([]string{"a", "A"}).Draw(r, "client")), 0
		var counted, purged int
		err := s.Update(r.Context(), func(tx port.Tx) (err error) {
			if counted, err = tx.Holds().Count(1, p, client, now); err == nil {
				purged, err = tx.Holds().Purge(now, 2)
			}
			return err
		})
		expired := 0
		for _, h := range holds {
			if h.Site == 1 && h.Live(now) && h.Product == p && h.Credential == client {
				left++
			}
			if h.Expires.Before(now) {
				expired++
			}
		}
		if err != nil || counted != left || purged != min(expired, 2) {
			r.Errorf("%d are counted, want %d; %d are purged of %d, %v", counted, left, purged, expired, err)
		}
	})
}

func TestLeadsAreListedLatestFirst(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s, all := made(r, func(*demand.Lead) {})
		q := port.LeadQuery{
			Site: 1, Agencies: few[site.AgencyID](r, "agencies"), Before: some[demand.LeadID](r, "before"), Limit: rapid.IntRange(0, 3).Draw(r, "limit"),
			Kind: demand.LeadKind(rapid.SampledFrom([]string{"", "", "a"}).Draw(r, "kind")), Status: rapid.SampledFrom([]string{"", "", "a"}).Draw(r, "status"),
			Customer: some[customer.ID](r, "customer") % 2,
		}
		finds(r, s, "listed", all, func(l demand.Lead) bool {
			return l.Site == 1 && slices.Contains(q.Agencies, l.Agency) && (q.Before == 0 || l.ID < q.Before) && (q.Kind == "" || l.Kind == q.Kind) &&
				(q.Status == "" || l.Status == q.Status) && (q.Customer == 0 || l.Customer == q.Customer)
		}, func(a, b demand.Lead) int { return int(b.ID - a.ID) }, 0, q.Limit, func(tx port.Tx) ([]demand.Lead, error) { return tx.Leads().List(q) })
		owner, after := some[customer.ID](r, "owner"), some[demand.LeadID](r, "after")
		finds(r, s, "of a customer", all, func(l demand.Lead) bool { return l.Site == 1 && l.Customer == owner }, nil, 0, every,
			func(tx port.Tx) ([]demand.Lead, error) { return tx.Leads().Of(1, owner) })
		finds(r, s, "scanned", all, func(l demand.Lead) bool { return l.Site == 1 && l.Customer == owner && l.ID > after }, nil, 0, 2,
			func(tx port.Tx) ([]demand.Lead, error) { return tx.Leads().ScanOf(1, owner, after, 2) })
	})
}

func TestAFeedIsFoundByItsToken(t *testing.T) {
	s := memstore.New()
	err := s.Update(t.Context(), func(tx port.Tx) error {
		return each(tx.Feeds().Put, planning.Feed{Site: 2, User: 1, Token: "b"}, planning.Feed{Site: 1, User: 2, Token: "a"})
	})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Store: s}
	w.notFound(t, "a token of nobody", func(tx port.Tx) error { _, err := tx.Feeds().ByToken("c"); return err })
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Feeds().ByToken("b")
		same(t, "feed", planning.Feed{Site: 2, User: 1, Token: "b"}, found)
		return err
	})
}

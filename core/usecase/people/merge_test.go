package people_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/letting"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// The one who stays, the one who goes, and two others.
const (
	stays customer.ID = 2001 + iota
	goes
	notary
	someone
)

func (w *world) merge(id, goes int64, preview bool) (people.MergedCustomers, error) {
	return w.People.MergeCustomers(w.T.Context(), w.As("full", 1), people.MergeCustomers{ID: id, Goes: opt.Of(goes), Preview: opt.Of(preview)})
}

// kept is everything about people that a store has of site 1, by kind and id.
type kept map[string]map[int64]any

func scan[ID ~int64, T any](k kept, role string, from func(int64) ([]T, error), id func(T) ID) error {
	k[role] = map[int64]any{}
	found, err := from(1000)
	for _, v := range found {
		k[role][int64(id(v))] = v
	}
	return err
}

func (w *world) kept() (all kept) {
	w.View(func(tx port.Tx) error {
		all = kept{}
		var ids []product.ID
		for n := range 100 {
			ids = append(ids, product.ID(n))
		}
		return errors.Join(
			scan(all, "Customers", func(int64) ([]customer.Customer, error) {
				return tx.Customers().Many(1, []customer.ID{stays, goes, notary, someone})
			}, func(c customer.Customer) customer.ID { return c.ID }),
			scan(all, "SearchRequests", func(n int64) ([]demand.SearchRequest, error) { return tx.SearchRequests().Scan(1, 0, int(n)) },
				func(r demand.SearchRequest) demand.SearchID { return r.ID }),
			scan(all, "FollowUps", func(n int64) ([]demand.FollowUp, error) { return tx.FollowUps().Scan(1, 0, int(n)) },
				func(f demand.FollowUp) demand.FollowUpID { return f.ID }),
			scan(all, "Leads", func(n int64) ([]demand.Lead, error) { return tx.Leads().Scan(1, 0, int(n)) },
				func(l demand.Lead) demand.LeadID { return l.ID }),
			scan(all, "Products", func(int64) ([]product.Product, error) { return tx.Products().Many(1, ids) },
				func(p product.Product) product.ID { return p.ID }),
			scan(all, "Offers", func(n int64) ([]offer.Offer, error) { return tx.Offers().Scan(1, 0, int(n)) },
				func(o offer.Offer) offer.ID { return o.ID }),
			scan(all, "Agreements", func(n int64) ([]agreement.Agreement, error) { return tx.Agreements().Scan(1, 0, int(n)) },
				func(a agreement.Agreement) agreement.ID { return a.ID }),
			scan(all, "Lettings", func(n int64) ([]letting.Lease, error) { return tx.Lettings().Scan(1, 0, int(n)) },
				func(l letting.Lease) letting.ID { return l.ID }),
			scan(all, "Appointments", func(n int64) ([]planning.Appointment, error) { return tx.Appointments().Scan(1, 0, int(n)) },
				func(a planning.Appointment) planning.ID { return a.ID }),
			scan(all, "Bookings", func(n int64) ([]planning.Booking, error) { return tx.Bookings().Scan(1, 0, int(n)) },
				func(b planning.Booking) planning.BookingID { return b.ID }),
			scan(all, "Actions", func(n int64) (found []customer.Action, err error) {
				for _, c := range []customer.ID{stays, goes, someone} {
					theirs, failed := tx.Actions().Page(port.ActionQuery{Site: 1, Subject: aboutCustomer(c), Limit: int(n)})
					found, err = append(found, theirs...), errors.Join(err, failed)
				}
				return found, err
			}, func(a customer.Action) customer.ActionID { return a.ID }),
		)
	})
	return all
}

func aboutCustomer(c customer.ID) customer.ActionSubject {
	return customer.ActionSubject{Kind: customer.AimedAtCustomer, ID: int64(c)}
}

// names are the customers whom a record names, in its order, each once.
func names(record any) (ids []customer.ID) {
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		switch {
		case !customer.CanName(v.Type()):
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				look(v.Index(i))
			}
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				look(v.Field(i))
			}
		case v.Int() != 0 && !slices.Contains(ids, customer.ID(v.Int())):
			ids = append(ids, customer.ID(v.Int()))
		}
	}
	look(reflect.ValueOf(record))
	if a, is := record.(customer.Action); is && a.Subject.Kind == customer.AimedAtCustomer {
		ids = append(ids, customer.ID(a.Subject.ID))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func now(ids []customer.ID) []customer.ID {
	ids = slices.Clone(ids)
	for i, id := range ids {
		if id == goes {
			ids[i] = stays
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// drawer makes up records that name the four.
type drawer struct{ *rapid.T }

func (d drawer) n(what string, most int) int { return rapid.IntRange(0, most).Draw(d.T, what) }

func (d drawer) who() customer.ID {
	return rapid.SampledFrom([]customer.ID{stays, goes, someone}).Draw(d.T, "who")
}

func (d drawer) consent() (c customer.Consent) {
	yes, no := true, false
	said := func() *bool { return rapid.SampledFrom([]*bool{nil, &yes, &no}).Draw(d.T, "said") }
	return customer.Consent{Email: said(), SMS: said(), Phone: said(), Partners: said()}
}

func (d drawer) customer(id customer.ID) customer.Customer {
	c := customer.Customer{ID: id, Site: 1, Agency: 11, Type: "VENDEUR", Lastname: fmt.Sprint("Nom ", id), Added: time.Unix(1, 0).UTC(), Modified: time.Unix(1, 0).UTC()}
	c.Firstname, c.Comment = rapid.SampledFrom([]string{"", "Ada"}).Draw(d.T, "firstname"), rapid.SampledFrom([]string{"", "a", "b"}).Draw(d.T, "comment")
	c.Consent = d.consent()
	for n, address := range rapid.SliceOfN(rapid.SampledFrom([]string{"A@x.fr", "a@x.fr", "b@x.fr", "c@x.fr"}), 0, 3).Draw(d.T, "emails") {
		c.Emails = append(c.Emails, customer.Email{ID: int64(n + 1), Address: address, Primary: n == 0})
	}
	for n, number := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"0612", "0613"}), 0, 2, rapid.ID[string]).Draw(d.T, "phones") {
		c.Phones = append(c.Phones, customer.PhoneNumber{ID: int64(n + 1), Number: number, Primary: n == 0, SMSAllowed: rapid.Bool().Draw(d.T, "sms")})
	}
	if rapid.Bool().Draw(d.T, "has notary") {
		c.Notary = customer.Notary{Customer: rapid.SampledFrom([]customer.ID{stays, goes, notary}).Draw(d.T, "notary"), Name: "Maître"}
	}
	for range d.n("related", 2) {
		c.Related = append(c.Related, customer.RelatedContact{Customer: d.who(), Relation: "CONJOINT"})
	}
	return c
}

// sides are two lists of parties between which the two who are joined are not divided.
func (d drawer) sides() (one, other []customer.ID) {
	one = rapid.SliceOfNDistinct(rapid.SampledFrom([]customer.ID{stays, goes}), 0, 2, rapid.ID[customer.ID]).Draw(d.T, "side")
	if rapid.Bool().Draw(d.T, "swap") {
		return []customer.ID{someone}, one
	}
	return one, []customer.ID{someone}
}

func (d drawer) fill(tx port.Tx) error {
	var errs []error
	put := func(err error) { errs = append(errs, err) }
	for _, id := range []customer.ID{stays, goes, notary, someone} {
		put(tx.Customers().Put(d.customer(id)))
	}
	at, day := time.Unix(1_700_000_000, 0).UTC(), calendar.Of(2026, 3, 1)
	searches := map[customer.ID]demand.SearchID{}
	for n := range d.n("searches", 3) {
		r := demand.SearchRequest{ID: demand.SearchID(n + 1), Site: 1, Customer: d.who(), Agency: 11, Status: demand.StatusActive, Active: true, TransactionType: "Vente"}
		searches[r.Customer] = r.ID
		put(tx.SearchRequests().Put(r))
	}
	attached := map[string]bool{}
	for n := range d.n("follow-ups", 5) {
		f := demand.FollowUp{
			ID: demand.FollowUpID(n + 1), Site: 1, Customer: d.who(), Product: product.ID(d.n("of", 2) + 1), Status: "PROPOSE", Comment: fmt.Sprint("mot ", n),
			History: []demand.Step{{Status: "PROPOSE", At: at.Add(time.Duration(n) * time.Hour)}},
		}
		if rapid.Bool().Draw(d.T, "for a search") {
			f.Search = searches[f.Customer]
		}
		if key := fmt.Sprint(f.Customer, f.Product, f.Search); !attached[key] {
			attached[key] = true
			put(tx.FollowUps().Put(f))
		}
		put(tx.Leads().Put(demand.Lead{ID: demand.LeadID(n + 1), Site: 1, Agency: 12, Kind: demand.BuyerLead, Status: demand.LeadNew, Customer: f.Customer, FollowUp: f.ID, Search: f.Search}))
		put(tx.Bookings().Put(planning.Booking{ID: planning.BookingID(n + 1), Site: 1, Agency: 11, Customer: f.Customer}))
		put(tx.Products().Add(product.Product{ID: product.ID(n + 1), Site: 1, Agency: 11, Customer: d.who(), Reference: fmt.Sprint("R", n)}))
		one, other := d.sides()
		put(tx.Offers().Put(offer.Offer{ID: offer.ID(n + 1), Site: 1, Agency: 11, Status: offer.Open, Buyers: one, Sellers: other}))
		a := agreement.Agreement{ID: agreement.ID(n + 1), Site: 1, Agency: 11, Status: agreement.Signed, Buyers: one, Sellers: other, SellerNotary: d.who(), BuyerNotary: d.who()}
		for i, id := range one {
			a.Notifications = append(a.Notifications, agreement.Notification{Customer: id, Date: day, Method: "LRE", LastDay: day + calendar.Day(10+i)})
		}
		put(tx.Agreements().Put(a))
		put(tx.Lettings().Put(letting.Lease{ID: letting.ID(n + 1), Site: 1, Agency: 11, Status: letting.Draft, Landlords: one, Tenants: other, Guarantors: other}))
		v := planning.Appointment{ID: planning.ID(n + 1), Site: 1, Agency: 11, Type: "VISITE", Status: planning.Planned, Zone: "Europe/Paris", Start: at, End: at.Add(time.Hour)}
		for i, id := range append(slices.Clone(one), other...) {
			v.Attendees = append(v.Attendees, planning.Attendee{ID: int64(i + 1), Kind: planning.Customer, Customer: id})
		}
		v.Reports = []planning.Report{{ID: 1, Customer: d.who(), Product: 1, Outcome: planning.NoInterest}}
		put(tx.Appointments().Put(v))
	}
	for n := range d.n("actions", 12) {
		a := customer.Action{ID: customer.ActionID(n + 1), Site: 1, Subject: aboutCustomer(d.who()), Type: 9, Result: fmt.Sprint(d.n("result", 2)), Performed: at, Added: at.Add(time.Duration(n))}
		if rapid.Bool().Draw(d.T, "about a product") {
			a.Subject, a.Customer = customer.ActionSubject{Kind: customer.AimedAtProduct, ID: 1}, d.who()
		}
		put(tx.Actions().Append(a))
	}
	return errors.Join(errs...)
}

// expected is what a merge makes of what there is: what moves and what is doubled, by
// role, and which ids go.
func expected(before kept) (moved, doubles map[string]int, gone map[string][]int64) {
	moved, doubles, gone = map[string]int{}, map[string]int{}, map[string][]int64{"Customers": {int64(goes)}}
	for role, records := range before {
		for id, v := range records {
			if role == "Customers" && (id == int64(stays) || id == int64(goes)) || !slices.Contains(names(v), goes) {
				continue
			}
			double := false
			for other, u := range records {
				switch mine := v.(type) {
				case demand.FollowUp:
					double = double || other != id && u.(demand.FollowUp).Customer == stays && customer.Renamed(mine, goes, stays).Attaches(u.(demand.FollowUp))
				case customer.Action:
					mine = customer.Renamed(mine, goes, stays)
					if mine.Subject == aboutCustomer(goes) {
						mine.Subject = aboutCustomer(stays)
					}
					double = double || other != id && mine.Doubles(u.(customer.Action))
				}
			}
			if double {
				doubles[role]++
				gone[role] = append(gone[role], id)
			} else {
				moved[role]++
			}
		}
	}
	return moved, doubles, gone
}

// roles are those that kinds are kept by.
var roles = map[string]string{
	"searches": "SearchRequests", "follow_ups": "FollowUps", "leads": "Leads", "products": "Products", "sale_offers": "Offers", "sale_agreements": "Agreements",
	"leases": "Lettings", "appointments": "Appointments", "bookings": "Bookings", "actions": "Actions", "mentions": "Customers",
}

func TestAMergeLosesAndDoublesNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := newWorld(t)
		w.Update(drawer{r}.fill)
		before, seq := w.kept(), w.Seq(1)
		seen, err := w.merge(int64(stays), int64(goes), true)
		if err != nil {
			r.Fatal(err)
		}
		if diff := gocmp.Diff(before, w.kept(), exported); diff != "" || w.Seq(1) != seq {
			r.Fatalf("a preview changed something: %s", diff)
		}
		done, err := w.merge(int64(stays), int64(goes), false)
		if err != nil {
			r.Fatal(err)
		}
		done.Preview = true
		if a, b := said(seen), said(done); a != b {
			r.Errorf("the preview said\n%s\nand the merge\n%s", a, b)
		}
		after := w.kept()
		moved, doubles, gone := expected(before)
		for _, kind := range done.Moved {
			if role := roles[kind.Kind]; kind.Moved != moved[role] || kind.Doubles != doubles[role] {
				r.Errorf("%+v, want %d moved and %d doubles", kind, moved[role], doubles[role])
			}
		}
		for role, records := range before {
			for id, v := range records {
				now, want := after[role][id], now(names(v))
				switch {
				case slices.Contains(gone[role], id):
					if now != nil {
						r.Errorf("%s %d is still there", role, id)
					}
				case now == nil:
					r.Errorf("%s %d is lost", role, id)
				case role == "Customers" && id == int64(stays):
				case !slices.Equal(names(now), want):
					r.Errorf("%s %d names %v, want %v", role, id, names(now), want)
				case slices.Equal(names(v), want) && role != "FollowUps" && !reflect.DeepEqual(v, now):
					r.Errorf("%s %d was changed:\n%s", role, id, gocmp.Diff(v, now, exported))
				}
			}
		}
		checkParties(r, before, after)
		checkPerson(r, before["Customers"][int64(stays)].(customer.Customer), before["Customers"][int64(goes)].(customer.Customer), after["Customers"][int64(stays)].(customer.Customer))
		events := w.Events(1, seq)
		if n := len(events); !slices.Equal(events[n-2:], []string{"CUSTOMER_DELETE", "CUSTOMER_UPDATE"}) {
			r.Errorf("the last events are %v", events[n-2:])
		}
		told := map[string]int{}
		for _, e := range events {
			told[e]++
		}
		for e, n := range map[string]int{
			"SEARCH_UPDATE": moved["SearchRequests"], "LEAD_UPDATE": moved["Leads"], "PRODUCT_UPDATE": moved["Products"], "OFFER_UPDATE": moved["Offers"],
			"AGREEMENT_UPDATE": moved["Agreements"], "LEASE_UPDATE": moved["Lettings"], "APPOINTMENT_UPDATE": moved["Appointments"],
			"FOLLOWUP_UPDATE": moved["FollowUps"] + doubles["FollowUps"], "FOLLOWUP_DELETE": doubles["FollowUps"], "CUSTOMER_UPDATE": moved["Customers"] + 1,
		} {
			if told[e] != n {
				r.Errorf("%d %s, want %d", told[e], e, n)
			}
		}
	})
}

var exported = gocmp.Exporter(func(reflect.Type) bool { return true })

// said is an answer without when it was given.
func said(m people.MergedCustomers) string {
	m.Customer.Version = 0
	text, err := json.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// checkParties makes sure that nobody is a party or attends twice, and that leads name
// the follow-up that stayed.
func checkParties(r *rapid.T, before, all kept) {
	for _, v := range all["Appointments"] {
		if ids := v.(planning.Appointment).Customers(); len(now(ids)) != len(ids) {
			r.Errorf("%v attend", ids)
		}
	}
	for _, v := range all["Agreements"] {
		a := v.(agreement.Agreement)
		latest := calendar.Day(0)
		for _, n := range a.Notifications {
			latest = max(latest, n.LastDay)
		}
		if len(now(a.Buyers)) != len(a.Buyers) || len(a.Notifications) > len(a.Buyers)+len(a.Sellers) || !slices.IsSortedFunc(a.Notifications, func(n, o agreement.Notification) int { return cmp.Compare(n.Customer, o.Customer) }) {
			r.Errorf("the buyers are %v, notified are %v", a.Buyers, a.Notifications)
		}
	}
	if a, b := steps(before), steps(all); a != b {
		r.Errorf("follow-ups say %q, and said %q", b, a)
	}
	for _, v := range all["Leads"] {
		id := v.(demand.Lead).FollowUp
		if _, there := before["FollowUps"][int64(id)]; there && all["FollowUps"][int64(id)] == nil {
			r.Errorf("a lead names follow-up %d, which is gone", id)
		}
	}
}

// steps are what follow-ups say, and when.
func steps(all kept) string {
	var said []string
	for _, v := range all["FollowUps"] {
		f := v.(demand.FollowUp)
		for _, step := range f.History {
			said = append(said, step.At.String())
		}
		said = append(said, strings.Split(f.Comment, "\n")...)
	}
	slices.Sort(said)
	return fmt.Sprint(said)
}

// checkPerson holds what was made of two records against the rules.
func checkPerson(r *rapid.T, a, b, got customer.Customer) {
	strict := func(what string, a, b, got *bool) {
		var want *bool
		for _, said := range []*bool{a, b} {
			if said != nil && (want == nil || !*said) {
				want = said
			}
		}
		if (want == nil) != (got == nil) || want != nil && *want != *got {
			r.Errorf("consent to %s is %v", what, got)
		}
	}
	strict("email", a.Consent.Email, b.Consent.Email, got.Consent.Email)
	strict("sms", a.Consent.SMS, b.Consent.SMS, got.Consent.SMS)
	strict("phone", a.Consent.Phone, b.Consent.Phone, got.Consent.Phone)
	strict("partners", a.Consent.Partners, b.Consent.Partners, got.Consent.Partners)
	want := map[string]bool{}
	for _, e := range slices.Concat(a.Emails, b.Emails) {
		want[customer.EmailKey(e.Address)] = true
	}
	ids, primary := map[int64]bool{}, 0
	for _, e := range got.Emails {
		if ids[e.ID] {
			r.Errorf("two entries have one id: %v", got.Emails)
		}
		ids[e.ID] = true
		delete(want, customer.EmailKey(e.Address))
		if e.Primary {
			primary++
		}
	}
	if len(want) > 0 || len(got.Emails) > 0 && primary != 1 || a.Email() != "" && a.Email() != got.Email() {
		r.Errorf("%v and %v are %v", a.Emails, b.Emails, got.Emails)
	}
	for _, p := range got.Phones {
		for _, q := range slices.Concat(a.Phones, b.Phones) {
			if p.Key() == q.Key() && p.SMSAllowed && !q.SMSAllowed {
				r.Errorf("%s may get messages", p.Number)
			}
		}
	}
	if got.Lastname != a.Lastname || got.Firstname != cmp.Or(a.Firstname, b.Firstname) || got.Comment != customer.BothSaid(a.Comment, b.Comment) {
		r.Errorf("%q %q %q", got.Lastname, got.Firstname, got.Comment)
	}
	if got.Mentions(stays) || got.Mentions(goes) {
		r.Errorf("they name themselves: %+v, %+v", got.Notary, got.Related)
	}
}

// A kind of record that names customers moves when two of them are joined, or it is said
// here why it does not.
func TestEveryKindThatNamesCustomersMoves(t *testing.T) {
	known := []string{
		"Receipts", // they are forgotten, as when a customer is deleted
		"Merged",   // it is what is left
	}
	w := newWorld(t)
	w.Update(func(tx port.Tx) error {
		return errors.Join(tx.Customers().Put(customer.Customer{ID: stays, Site: 1, Agency: 11}), tx.Customers().Put(customer.Customer{ID: goes, Site: 1, Agency: 11}))
	})
	done, err := w.merge(int64(stays), int64(goes), false)
	if err != nil || len(done.Moved) != len(roles) {
		t.Fatalf("%v move, %v", done.Moved, err)
	}
	for _, kind := range done.Moved {
		known = append(known, roles[kind.Kind])
	}
	var found int
	check := func(name string) {
		if found++; !slices.Contains(known, name) {
			t.Errorf("%s name customers, and do not move", name)
		}
	}
	tx := reflect.TypeFor[port.Tx]()
	for n := range tx.NumMethod() {
		m := tx.Method(n)
		if m.Type.NumOut() != 1 || m.Name == "Records" {
			continue
		}
		for _, name := range []string{"Put", "Append", "Add", "Replace"} {
			if write, is := m.Type.Out(0).MethodByName(name); is && takesCustomers(write.Type) {
				check(m.Name)
			}
		}
	}
	if found < len(known) {
		t.Errorf("only %d kinds name customers", found)
	}
}

// takesCustomers reports whether a parameter of a function can name customers.
func takesCustomers(f reflect.Type) bool {
	for i := range f.NumIn() {
		if f.In(i).Kind() == reflect.Struct && f.In(i).PkgPath() == reflect.TypeFor[port.Roles]().PkgPath() && f.In(i).Name() != "Receipt" {
			continue // a role itself
		}
		if customer.CanName(f.In(i)) {
			return true
		}
	}
	return false
}

package porttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// appointmentKind is the appointments, which are found in more ways than other
// records.
type appointmentKind struct {
	inTable[planning.ID, planning.Appointment]
}

func appointments() appointmentKind {
	return appointmentKind{inTable[planning.ID, planning.Appointment]{
		name:   "Appointments",
		table:  func(tx port.Tx) port.Table[planning.ID, planning.Appointment] { return tx.Appointments() },
		sample: sampleAppointment,
		key: func(a *planning.Appointment) (*site.ID, *planning.ID, *int64) {
			return &a.Site, &a.ID, &a.Version
		},
	}}
}

func (k appointmentKind) examples() []example {
	return append(k.inTable.examples(),
		example{"AnOccurrenceWithoutProductsStaysOne", k.productless},
		example{"AppointmentsAreFoundByWhatIsKnownOfThem", k.searched},
		example{"AppointmentsAreFoundByTheirBounds", k.bounded},
		example{"AppointmentsAreSortedAndPaged", k.sorted},
		example{"AppointmentsAreFoundByTheUsersWhoAttend", k.attended},
		example{"AppointmentsAreFoundByProduct", k.about},
		example{"AppointmentsAreFoundByTheCustomersWhoAttend", k.with},
		example{"AppointmentsAreDueInTheirOrder", k.due},
		example{"FoundAppointmentsAreCopies", k.foundCopies})
}

// of makes an appointment with some facts. All products but the first are those of
// occurrences.
func (k appointmentKind) of(s site.ID, f planning.Facts) planning.Appointment {
	a := k.bare(s, f.ID)
	a.Agency, a.Type, a.Status, a.ExternalID = f.Agency, f.Type, f.Status, f.ExternalID
	a.Start, a.From, a.Until, a.Due, a.Modified = f.Start, f.From, f.Until, f.Due, f.Modified
	if f.Recurs {
		a.Rule = "FREQ=DAILY"
	}
	for n, u := range f.Users {
		a.Attendees = append(a.Attendees, planning.Attendee{ID: int64(n + 1), Kind: planning.User, User: u})
	}
	for n, c := range f.Customers {
		a.Attendees = append(a.Attendees, planning.Attendee{ID: int64(n + 50), Kind: planning.Customer, Customer: c})
	}
	for n, p := range f.Products {
		if n == 0 {
			a.Products = []product.ID{p}
		} else {
			a.Changed = append(a.Changed, planning.Changed{Original: instant(n), Products: &[]product.ID{p}})
		}
	}
	return a
}

// stored puts appointments with some facts into a new site.
func (k appointmentKind) stored(t *testing.T, w *world, facts ...planning.Facts) site.ID {
	t.Helper()
	id := w.site(t)
	for _, f := range facts {
		k.puts(t, w, k.of(id, f))
	}
	return id
}

// finds holds the ids that a read answers against what they must be.
func (k appointmentKind) finds(t *testing.T, w *world, what string, read func(port.Appointments) ([]planning.Appointment, error), want ...int64) {
	t.Helper()
	k.inTable.finds(t, w, what, func(tx port.Tx) ([]planning.Appointment, error) { return read(tx.Appointments()) }, want...)
}

// productless: no products is not the same as no word about products, and a list
// that is nil would be that as soon as an archive writes it down.
func (k appointmentKind) productless(t *testing.T, w *world) {
	id := w.site(t)
	made := k.bare(id, 1)
	made.Changed = []planning.Changed{{Original: instant(1), Products: &[]product.ID{}}, {Original: instant(2)}}
	for range 2 {
		k.puts(t, w, made)
		w.view(t, func(tx port.Tx) (err error) {
			made, err = tx.Appointments().Get(id, 1)
			return err
		})
		if none, unsaid := made.Changed[0].Products, made.Changed[1].Products; none == nil || *none == nil || len(*none) > 0 || unsaid != nil {
			t.Errorf("the products are %v and %v", none, unsaid)
		}
	}
}

func (k appointmentKind) searched(t *testing.T, w *world) {
	facts := []planning.Facts{
		{
			ID: 1, Agency: 1, Users: []site.UserID{1, 2}, Customers: []customer.ID{1}, Products: []product.ID{1, 2}, Type: "VISITE",
			Status: planning.Planned, ExternalID: "x", Start: instant(1), From: instant(1), Until: instant(2), Modified: instant(1),
		},
		{
			ID: 2, Agency: 1, Users: []site.UserID{2, 2}, Customers: []customer.ID{2, 1}, Products: []product.ID{3}, Type: "visite",
			Status: planning.Cancelled, ExternalID: "X", Start: instant(1), From: instant(1), Until: instant(3), Modified: instant(2),
		},
		{
			ID: 3, Agency: 2, Users: []site.UserID{1}, Customers: []customer.ID{3}, Products: []product.ID{4, 3, 1}, Type: awkward, Recurs: true,
			Status: planning.Planned, ExternalID: awkward, Start: instant(2), From: instant(2), Modified: instant(3),
		},
		{
			ID: 4, Agency: 2, Users: []site.UserID{3}, Type: "VISITE", Recurs: true, Status: planning.Done,
			Start: instant(2), From: instant(1), Until: instant(9), Modified: instant(2).Add(-time.Microsecond),
		},
		{ID: 5, Agency: 1},
	}
	id := k.stored(t, w, facts...)
	k.stored(t, w, facts...)
	all := []site.AgencyID{1, 2, 3}
	for what, f := range map[string]planning.Filter{
		"everything":             {Agencies: all},
		"no agency":              {},
		"one agency":             {Agencies: []site.AgencyID{2}},
		"another agency":         {Agencies: []site.AgencyID{3}},
		"a user":                 {Agencies: all, Users: []site.UserID{1}},
		"some users":             {Agencies: all, Users: []site.UserID{3, 2, 9, 3}},
		"a user elsewhere":       {Agencies: []site.AgencyID{1}, Users: []site.UserID{3}},
		"an unknown user":        {Agencies: all, Users: []site.UserID{9}},
		"a customer":             {Agencies: all, Customer: 1},
		"another customer":       {Agencies: all, Customer: 3},
		"nobody":                 {Agencies: all, Customer: 9},
		"a product":              {Agencies: all, Product: 1},
		"one of an occurrence":   {Agencies: all, Product: 2},
		"another product":        {Agencies: all, Product: 3},
		"an unknown product":     {Agencies: all, Product: 9},
		"a type":                 {Agencies: all, Types: []string{"VISITE"}},
		"some types":             {Agencies: all, Types: []string{"visite", awkward, ""}},
		"a status":               {Agencies: all, Statuses: []planning.Status{planning.Planned}},
		"some statuses":          {Agencies: all, Statuses: []planning.Status{planning.Cancelled, ""}},
		"a status and no series": {Agencies: all, Statuses: []planning.Status{planning.Done}, Recurring: planning.Single},
		"a status of series":     {Agencies: all, Statuses: []planning.Status{planning.Missed}, Recurring: planning.Series},
		"an external id":         {Agencies: all, ExternalID: "x"},
		"an awkward external id": {Agencies: all, ExternalID: awkward},
		"modified since":         {Agencies: all, ModifiedSince: instant(2)},
		"what is single":         {Agencies: all, Recurring: planning.Single},
		"series":                 {Agencies: all, Recurring: planning.Series},
		"a window":               {Agencies: all, Window: span(2, 4)},
		"a window and series":    {Agencies: all, Window: span(0, 2), Recurring: planning.Series},
		"several things":         {Agencies: all, Users: []site.UserID{1}, Customer: 1, Product: 2, Types: []string{"VISITE"}, Window: span(1, 2)},
		"several, one of them":   {Agencies: all, Users: []site.UserID{2}, Customer: 1, Product: 3, Types: []string{"VISITE"}},
	} {
		var want []int64
		for _, stored := range facts {
			if f.Matches(planning.Of(k.of(id, stored))) {
				want = append(want, int64(stored.ID))
			}
		}
		k.finds(t, w, what, func(r port.Appointments) ([]planning.Appointment, error) {
			return r.Find(port.AppointmentQuery{Site: id, Filter: f})
		}, want...)
	}
	// The whole record comes back.
	full := k.sample(id, 9)
	k.puts(t, w, full)
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Appointments().Find(port.AppointmentQuery{Site: id, Filter: planning.Filter{Agencies: all, ExternalID: awkward, Product: 7}})
		same(t, "the record", []planning.Appointment{full}, found)
		return err
	})
}

// bounds are the times that five records are within, by id from 1 on. The third
// has no end.
func bounds() []calendar.Interval {
	return []calendar.Interval{span(10, 20), span(20, 30), {Start: instant(15)}, span(5, 6), span(8, 25)}
}

// windows are some times, and the ids of the bounds that they have time in common
// with.
func windows() []window {
	const moment = time.Microsecond
	return []window{
		{"before all", span(0, 5), nil},
		{"the first moment", span(0, 5).Widen(0, moment), []int64{4}},
		{"between two", span(6, 8), nil},
		{"the last moment", span(6, 8).Widen(moment, 0), []int64{4}},
		{"until one begins", span(9, 10), []int64{5}},
		{"until one has begun", span(9, 10).Widen(0, moment), []int64{1, 5}},
		{"within some", span(12, 13), []int64{1, 5}},
		{"since one ended", span(20, 21), []int64{2, 3, 5}},
		{"since one was about to end", span(20, 21).Widen(moment, 0), []int64{1, 2, 3, 5}},
		{"at the end", span(25, 30), []int64{2, 3}},
		{"after all that ends", span(30, 40), []int64{3}},
		{"long after", span(100_000, 100_001), []int64{3}},
		{"everything", span(0, 100), []int64{1, 2, 3, 4, 5}},
	}
}

type window struct {
	what string
	calendar.Interval
	want []int64
}

// timeless are windows in which there is no time.
func timeless() []window {
	return []window{{"a moment", span(12, 12), nil}, {"the wrong way round", span(22, 12), nil}, {"no window", calendar.Interval{}, nil}}
}

func (k appointmentKind) bounded(t *testing.T, w *world) {
	var facts []planning.Facts
	for n, b := range bounds() {
		facts = append(facts, planning.Facts{
			ID: planning.ID(n + 1), Agency: 1, Users: []site.UserID{1}, Products: []product.ID{1}, Recurs: n > 1, Start: instant(50), From: b.Start, Until: b.End,
		})
	}
	id := k.stored(t, w, facts...)
	found := func(of window, want ...int64) {
		t.Helper()
		for _, byStart := range []bool{false, true} {
			q := port.AppointmentQuery{Site: id, Filter: planning.Filter{Agencies: []site.AgencyID{1}, Window: of.Interval}, ByStart: byStart}
			k.finds(t, w, of.what, func(r port.Appointments) ([]planning.Appointment, error) { return r.Find(q) }, want...)
		}
	}
	linked := func(of window) {
		t.Helper()
		k.finds(t, w, "attended, "+of.what, func(r port.Appointments) ([]planning.Appointment, error) {
			return r.AttendedBy(id, []site.UserID{1}, of.Interval)
		}, of.want...)
		k.finds(t, w, "about a product, "+of.what, func(r port.Appointments) ([]planning.Appointment, error) {
			return r.About(id, []product.ID{1}, of.Interval)
		}, of.want...)
	}
	for _, of := range windows() {
		found(of, of.want...)
		linked(of)
	}
	for _, of := range timeless() {
		found(of, 1, 2, 3, 4, 5)
		linked(of)
	}
	// Bounds are those of the last state.
	facts[1].From, facts[1].Until, facts[2].Until = instant(0), instant(4), instant(16)
	k.puts(t, w, k.of(id, facts[1]), k.of(id, facts[2]))
	for _, of := range []window{{"after a change", span(20, 40), []int64{5}}, {"where it went", span(1, 2), []int64{2}}} {
		found(of, of.want...)
		linked(of)
	}
}

func (k appointmentKind) sorted(t *testing.T, w *world) {
	id := k.stored(t, w,
		planning.Facts{ID: 1, Agency: 1, Start: instant(3), From: instant(1)},
		planning.Facts{ID: 2, Agency: 1, Start: instant(2), From: instant(2)},
		planning.Facts{ID: 12, Agency: 1, Start: instant(2), From: instant(9)},
		planning.Facts{ID: 13, Agency: 1, Start: instant(1), From: instant(3)},
		planning.Facts{ID: 14, Agency: 2, Start: instant(2)},
		planning.Facts{ID: 15, Agency: 1})
	place := func(start, id int) planning.Place {
		return planning.Place{Start: instant(start), ID: planning.ID(id)}
	}
	query := func(byStart bool, after planning.Place, limit int) port.AppointmentQuery {
		return port.AppointmentQuery{Site: id, Filter: planning.Filter{Agencies: []site.AgencyID{1}}, ByStart: byStart, After: after, Limit: limit}
	}
	for _, c := range []struct {
		byStart bool
		after   planning.Place
		limit   int
		want    []int64
	}{
		{false, planning.Place{}, 0, []int64{1, 2, 12, 13, 15}},
		{false, planning.Place{}, 9, []int64{1, 2, 12, 13, 15}},
		{false, planning.Place{}, 2, []int64{1, 2}},
		{false, planning.Place{ID: 2}, 2, []int64{12, 13}},
		{false, planning.Place{ID: 3}, 1, []int64{12}},
		{false, planning.Place{ID: 13}, 0, []int64{15}},
		{false, planning.Place{ID: 15}, 0, nil},
		{true, planning.Place{}, 0, []int64{15, 13, 2, 12, 1}},
		{true, planning.Place{}, 3, []int64{15, 13, 2}},
		{true, planning.Place{ID: 15}, 2, []int64{13, 2}},
		{true, place(1, 13), 1, []int64{2}},
		{true, place(2, 2), 0, []int64{12, 1}},
		{true, place(2, 5), 0, []int64{12, 1}},
		{true, place(2, 12), 9, []int64{1}},
		{true, place(2, 13), 9, []int64{1}},
		{true, place(2, 0), 2, []int64{2, 12}},
		{true, place(3, 1), 0, nil},
		{true, place(9, 0), 0, nil},
	} {
		k.finds(t, w, fmt.Sprintf("%+v", c), func(r port.Appointments) ([]planning.Appointment, error) {
			return r.Find(query(c.byStart, c.after, c.limit))
		}, c.want...)
	}
	// Page by page it is all of them.
	for _, byStart := range []bool{false, true} {
		w.view(t, func(tx port.Tx) error {
			whole, err := tx.Appointments().Find(query(byStart, planning.Place{}, 0))
			var paged []planning.Appointment
			var last planning.Place
			for len(paged) <= len(whole) {
				page, err2 := tx.Appointments().Find(query(byStart, last, 2))
				if err = errors.Join(err, err2); err != nil || len(page) == 0 {
					break
				}
				paged = append(paged, page...)
				if last.ID = page[len(page)-1].ID; byStart {
					last.Start = page[len(page)-1].Start
				}
			}
			same(t, fmt.Sprintf("page by page, by start %t", byStart), k.ids(whole), k.ids(paged))
			return err
		})
	}
}

func (k appointmentKind) attended(t *testing.T, w *world) {
	facts := []planning.Facts{
		{ID: 12, Users: []site.UserID{1, 2}, From: instant(1), Until: instant(2)},
		{ID: 3, Users: []site.UserID{2, 3, 2}, From: instant(1)},
		{ID: 5, Customers: []customer.ID{1, 2, 3}, From: instant(1)},
		{ID: 7, From: instant(1)},
	}
	id := k.stored(t, w, facts...)
	other := k.stored(t, w, facts...)
	is := func(of site.ID, users []site.UserID, want ...int64) {
		t.Helper()
		k.finds(t, w, fmt.Sprintf("attended by %d at %d", users, of), func(r port.Appointments) ([]planning.Appointment, error) {
			return r.AttendedBy(of, users, span(0, 9))
		}, want...)
		if len(users) > 0 {
			k.finds(t, w, fmt.Sprintf("found with %d at %d", users, of), func(r port.Appointments) ([]planning.Appointment, error) {
				return r.Find(port.AppointmentQuery{Site: of, Filter: planning.Filter{Agencies: []site.AgencyID{0}, Users: users}})
			}, want...)
		}
	}
	is(id, []site.UserID{1}, 12)
	is(id, []site.UserID{2}, 3, 12)
	is(id, []site.UserID{3, 1, 9, 3}, 3, 12)
	is(id, []site.UserID{4})
	is(id, nil)
	// Who refused attends as well, and a guest or a customer is no user.
	refused, guest := k.bare(id, 20), k.bare(id, 21)
	refused.From, guest.From = instant(1), instant(1)
	refused.Attendees = []planning.Attendee{{Kind: planning.User, User: 6, Answer: planning.Refused}}
	guest.Attendees = []planning.Attendee{{Kind: planning.Guest, User: 6}, {Kind: planning.Customer, User: 6}}
	k.puts(t, w, refused, guest)
	is(id, []site.UserID{6}, 20)
	k.puts(t, w, k.of(id, planning.Facts{ID: 12, Users: []site.UserID{3, 4}, From: instant(1)}))
	w.update(t, func(tx port.Tx) error { return tx.Appointments().Delete(id, 3) })
	is(id, []site.UserID{1, 2})
	is(id, []site.UserID{3}, 12)
	is(id, []site.UserID{4}, 12)
	is(other, []site.UserID{2}, 3, 12)
	// Who attended an appointment that is gone does not attend its successor.
	k.puts(t, w, k.of(id, planning.Facts{ID: 3, From: instant(1)}))
	is(id, []site.UserID{1, 2})
	// All users in a full record attend.
	full := k.sample(id, 9)
	k.puts(t, w, full)
	for _, u := range full.Users() {
		w.view(t, func(tx port.Tx) error {
			found, err := tx.Appointments().AttendedBy(id, []site.UserID{u}, calendar.Interval{Start: full.From, End: full.Until})
			if !slices.Contains(k.ids(found), 9) {
				t.Errorf("the record is not found with user %d", u)
			}
			return err
		})
	}
}

func (k appointmentKind) about(t *testing.T, w *world) {
	facts := []planning.Facts{
		{ID: 12, Products: []product.ID{1}, From: instant(1)}, {ID: 3, Products: []product.ID{2, 4, 2}, From: instant(1)},
		{ID: 5, Products: []product.ID{9, 1}, From: instant(1), Until: instant(2)}, {ID: 7, From: instant(1)},
	}
	id := k.stored(t, w, facts...)
	other := k.stored(t, w, facts...)
	is := func(of site.ID, products []product.ID, want ...int64) {
		t.Helper()
		k.finds(t, w, fmt.Sprintf("about %d at %d", products, of), func(r port.Appointments) ([]planning.Appointment, error) {
			return r.About(of, products, span(0, 9))
		}, want...)
		if len(products) == 1 {
			k.finds(t, w, fmt.Sprintf("found about %d at %d", products, of), func(r port.Appointments) ([]planning.Appointment, error) {
				return r.Find(port.AppointmentQuery{Site: of, Filter: planning.Filter{Agencies: []site.AgencyID{0}, Product: products[0]}})
			}, want...)
		}
	}
	is(id, []product.ID{1}, 5, 12)
	is(id, []product.ID{4}, 3)
	is(id, []product.ID{2, 1, 8, 2}, 3, 5, 12)
	is(id, []product.ID{8})
	is(id, nil)
	k.puts(t, w, k.of(id, planning.Facts{ID: 12, Products: []product.ID{2}, From: instant(1)}))
	k.puts(t, w, k.of(id, planning.Facts{ID: 3, Products: []product.ID{6}, From: instant(1)}))
	w.update(t, func(tx port.Tx) error { return tx.Appointments().Delete(id, 5) })
	is(id, []product.ID{1})
	is(id, []product.ID{2}, 12)
	is(id, []product.ID{4})
	is(id, []product.ID{9, 6}, 3)
	is(other, []product.ID{1}, 5, 12)
	// What an appointment that is gone was about its successor is not.
	k.puts(t, w, k.of(id, planning.Facts{ID: 5, From: instant(1)}))
	is(id, []product.ID{1, 9})
}

func (k appointmentKind) with(t *testing.T, w *world) {
	facts := []planning.Facts{
		{ID: 12, Customers: []customer.ID{1, 2}}, {ID: 3, Customers: []customer.ID{2, 3, 2}, Users: []site.UserID{4}}, {ID: 5, Users: []site.UserID{1, 2, 3}},
	}
	id := k.stored(t, w, facts...)
	other := k.stored(t, w, facts...)
	is := func(of site.ID, c customer.ID, want ...int64) {
		t.Helper()
		k.finds(t, w, fmt.Sprintf("with %d at %d", c, of), func(r port.Appointments) ([]planning.Appointment, error) { return r.With(of, c) }, want...)
		k.finds(t, w, fmt.Sprintf("found with %d at %d", c, of), func(r port.Appointments) ([]planning.Appointment, error) {
			return r.Find(port.AppointmentQuery{Site: of, Filter: planning.Filter{Agencies: []site.AgencyID{0}, Customer: c}})
		}, want...)
	}
	is(id, 1, 12)
	is(id, 2, 3, 12)
	is(id, 3, 3)
	is(id, 4)
	other9 := k.bare(id, 9) // a user or a guest is no customer
	other9.Attendees = []planning.Attendee{{Kind: planning.User, Customer: 4}, {Kind: planning.Guest, Customer: 4}}
	k.puts(t, w, other9, k.of(id, planning.Facts{ID: 12, Customers: []customer.ID{3, 5}}))
	w.update(t, func(tx port.Tx) error { return tx.Appointments().Delete(id, 3) })
	is(id, 1)
	is(id, 2)
	is(id, 3, 12)
	is(id, 4)
	is(id, 5, 12)
	is(other, 2, 3, 12)
	// Who attended an appointment that is gone does not attend its successor.
	k.puts(t, w, k.of(id, planning.Facts{ID: 3}))
	is(id, 2)
}

// due looks at a time of its own: what is due is so at any site.
func (k appointmentKind) due(t *testing.T, w *world) {
	at := func(n int) time.Time { return time.Date(1970, 1, 2, 0, 0, n, 1000, time.UTC) }
	id := k.stored(t, w,
		planning.Facts{ID: 7, Due: at(3)}, planning.Facts{ID: 8, Due: at(1)}, planning.Facts{ID: 9}, planning.Facts{ID: 10, Due: at(9)},
		planning.Facts{ID: 11, Due: at(3)})
	other := k.stored(t, w, planning.Facts{ID: 2, Due: at(3)}, planning.Facts{ID: 3, Due: at(2)})
	is := func(what string, now time.Time, n int, want ...int64) {
		t.Helper()
		k.finds(t, w, what, func(r port.Appointments) ([]planning.Appointment, error) { return r.Due(now, n) }, want...)
	}
	is("all, by moment, site and id", at(5), 9, 8, 3, 7, 11, 2)
	is("the first", at(5), 2, 8, 3)
	is("at the moment", at(3), 9, 8, 3, 7, 11, 2)
	is("just before", at(3).Add(-time.Microsecond), 9, 8, 3)
	is("before all", at(0), 9)
	is("none of them", at(5), 0)
	is("less than none", at(5), -1)
	// What was told of is stored, and the next reminder is ahead.
	k.puts(t, w, k.of(id, planning.Facts{ID: 8, Due: at(4)}), k.of(other, planning.Facts{ID: 3}))
	is("after what was told", at(5), 9, 7, 11, 2, 8)
	w.update(t, func(tx port.Tx) error {
		r := tx.Appointments()
		return errors.Join(r.Delete(id, 7), r.Delete(id, 8), r.Delete(id, 10), r.Delete(id, 11), r.Delete(other, 2))
	})
	is("after all was told", at(5), 9)
}

// foundCopies changes what was found, which changes nothing that is found later.
func (k appointmentKind) foundCopies(t *testing.T, w *world) {
	id := w.site(t)
	sample := k.sample(id, 1)
	k.puts(t, w, sample)
	window := calendar.Interval{Start: sample.From, End: sample.Until}
	read := func(tx port.Tx) error {
		r := tx.Appointments()
		for what, find := range map[string]func() ([]planning.Appointment, error){
			"found": func() ([]planning.Appointment, error) {
				return r.Find(port.AppointmentQuery{Site: id, Filter: planning.Filter{Agencies: []site.AgencyID{1}}})
			},
			"attended": func() ([]planning.Appointment, error) { return r.AttendedBy(id, []site.UserID{2}, window) },
			"about":    func() ([]planning.Appointment, error) { return r.About(id, []product.ID{3}, window) },
			"with":     func() ([]planning.Appointment, error) { return r.With(id, 3) },
		} {
			found, err := find()
			same(t, what, []planning.Appointment{k.sample(id, 1)}, found)
			spoil(&found)
			if err != nil {
				return err
			}
		}
		return nil
	}
	for range 2 {
		w.update(t, read)
		w.view(t, read)
	}
}

func (k appointmentKind) picture(tx port.Tx, s site.ID) (any, error) {
	table, err := k.inTable.picture(tx, s)
	sample, r := k.sample(s, 1), tx.Appointments()
	window := calendar.Interval{Start: sample.From, End: sample.Until}
	found, err2 := r.Find(port.AppointmentQuery{Site: s, Filter: planning.Filter{Agencies: []site.AgencyID{sample.Agency}}, ByStart: true})
	attended, err3 := r.AttendedBy(s, sample.Users(), window)
	about, err4 := r.About(s, sample.Products, window)
	with, err5 := r.With(s, sample.Customers()[0])
	return []any{table, found, attended, about, with}, errors.Join(err, err2, err3, err4, err5)
}

// lastAttendees lets workers change who attends one appointment, and what it is
// about, at once.
func lastAttendees(t *testing.T, w *world) {
	k := appointments()
	id := k.stored(t, w, planning.Facts{ID: 1})
	together(t, workers, func(ctx context.Context, i int) error {
		for round := range rounds {
			mine, shared := i+1, round%2+50
			v := k.of(id, planning.Facts{
				ID: 1, From: instant(1), Users: []site.UserID{site.UserID(mine), site.UserID(shared)},
				Customers: []customer.ID{customer.ID(mine), customer.ID(shared)}, Products: []product.ID{product.ID(mine), product.ID(shared)},
			})
			if err := w.Update(ctx, func(tx port.Tx) error { return tx.Appointments().Put(v) }); err != nil {
				return err
			}
		}
		return nil
	})
	w.view(t, func(tx port.Tx) error {
		r := tx.Appointments()
		last, err := r.Get(id, 1)
		for n := range int64(60) {
			attended, err2 := r.AttendedBy(id, []site.UserID{site.UserID(n)}, span(0, 9))
			about, err3 := r.About(id, []product.ID{product.ID(n)}, span(0, 9))
			with, err4 := r.With(id, customer.ID(n))
			err = errors.Join(err, err2, err3, err4)
			if in := last.Attends(customer.ID(n)); (len(attended) == 1) != in || (len(about) == 1) != in || (len(with) == 1) != in {
				t.Errorf("with %d there are %d, %d and %d, and those of the last state are %v", n, len(attended), len(about), len(with), last.Customers())
			}
		}
		return err
	})
}

// appointmentCommand makes up a command that finds appointments, or stores some to
// be found.
func (p program) appointmentCommand() command {
	k, f := appointments(), p.appointmentFacts()
	switch draw(p, "way", "put", "put", "find", "find", "attended", "about", "with", "due") {
	case "put":
		v := k.of(p.site, f)
		return command{fmt.Sprintf("put appointment %+v", f), func(tx port.Tx) (any, error) { return nil, tx.Appointments().Put(v) }}
	case "find":
		q := p.appointmentQuery()
		return command{fmt.Sprintf("find appointments %+v", q), func(tx port.Tx) (any, error) { return tx.Appointments().Find(q) }}
	case "attended":
		window := p.window()
		return command{fmt.Sprintf("appointments attended by %d in %v", f.Users, window), func(tx port.Tx) (any, error) {
			return tx.Appointments().AttendedBy(p.site, f.Users, window)
		}}
	case "about":
		window := p.window()
		return command{fmt.Sprintf("appointments about %d in %v", f.Products, window), func(tx port.Tx) (any, error) {
			return tx.Appointments().About(p.site, f.Products, window)
		}}
	case "with":
		c := customer.ID(p.number("customer", 3))
		return command{fmt.Sprintf("appointments with %d", c), func(tx port.Tx) (any, error) { return tx.Appointments().With(p.site, c) }}
	}
	// Those of other programs are due as well.
	at := instant(int(p.number("at", 5)) - 1)
	return command{fmt.Sprintf("appointments due at %v", at), func(tx port.Tx) (any, error) {
		found, err := tx.Appointments().Due(at, 1<<20)
		return slices.DeleteFunc(found, func(a planning.Appointment) bool { return a.Site != p.site }), err
	}}
}

// window is some time, or none.
func (p program) window() calendar.Interval {
	return draw(p, "window", calendar.Interval{}, span(1, 2), span(0, 9), span(2, 3), span(2, 2), span(3, 4), span(1, 3))
}

func (p program) appointmentFacts() planning.Facts {
	f := planning.Facts{
		ID: planning.ID(p.number("id", 4)), Agency: site.AgencyID(p.number("agency", 2)),
		Type: draw(p, "type", "", "T", "t"), Status: draw(p, "status", planning.Planned, planning.Cancelled),
		ExternalID: draw(p, "external id", "", "x", "X", awkward), Recurs: draw(p, "recurs", false, true), Start: p.moment("start"),
		Due: p.moment("due"), Modified: p.moment("modified"),
	}
	from := int(p.number("from", 4)) - 1
	f.From, f.Until = instant(from), instant(from+int(p.number("length", 3)))
	if draw(p, "endless", false, false, true) {
		f.Until = time.Time{}
	}
	for _, n := range p.numbers("users", 3) {
		f.Users = append(f.Users, site.UserID(n))
	}
	for _, n := range p.numbers("customers", 3) {
		f.Customers = append(f.Customers, customer.ID(n))
	}
	for _, n := range p.numbers("products", 3) {
		f.Products = append(f.Products, product.ID(n))
	}
	return f
}

func (p program) appointmentQuery() port.AppointmentQuery {
	f := p.appointmentFacts()
	q := port.AppointmentQuery{
		Site: p.site, ByStart: draw(p, "by start", false, true), Limit: rapid.IntRange(0, 4).Draw(p.rapid, "limit"),
		Filter: planning.Filter{
			Agencies:  draw(p, "agencies", nil, []site.AgencyID{1}, []site.AgencyID{2, 1}, []site.AgencyID{1, 2}),
			Recurring: draw(p, "recurring", planning.Any, planning.Any, planning.Single, planning.Series),
		},
	}
	maybe := func(what string, narrow func()) {
		if draw(p, what, false, false, true) {
			narrow()
		}
	}
	maybe("users", func() { q.Filter.Users = f.Users })
	maybe("customer", func() { q.Filter.Customer = customer.ID(p.number("customer", 3)) })
	maybe("product", func() { q.Filter.Product = product.ID(p.number("product", 3)) })
	maybe("types", func() { q.Filter.Types = draw(p, "types", []string{"T"}, []string{"", "t"}) })
	maybe("statuses", func() {
		q.Filter.Statuses = draw(p, "statuses", []planning.Status{planning.Planned}, []planning.Status{planning.Cancelled, planning.Done})
	})
	maybe("external id", func() { q.Filter.ExternalID = f.ExternalID })
	maybe("since", func() { q.Filter.ModifiedSince = f.Modified })
	maybe("window", func() { q.Filter.Window = p.window() })
	maybe("after", func() {
		if q.After.ID = f.ID; q.ByStart {
			q.After.Start = f.Start
		}
	})
	return q
}

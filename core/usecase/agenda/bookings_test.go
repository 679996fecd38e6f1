package agenda_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Starts that can be booked: in two days, in Paris.
const (
	nine, halfPastNine, ten = "2026-09-18T09:00:00", "2026-09-18T09:30:00", "2026-09-18T10:00:00"
)

// opened is a world in which visits of a product can be booked with 104 and 105,
// from nine to five.
func opened(t *testing.T) (*world, int64) {
	t.Helper()
	w := newWorld(t)
	w.works(104, 105)
	w.opens(nil)
	return w, w.product("Adresse", "1 rue Neuve", "CodePostal", "69001")
}

// visitor is who books, by a number.
func visitor(n int) agenda.ContactInput {
	return agenda.ContactInput{Firstname: opt.Of("Ana"), Lastname: opt.Of("Diaz"), Email: opt.Of(fmt.Sprintf("ana%d@example.org", n))}
}

func request(product int64, start string, n int) agenda.CreateBooking {
	return agenda.CreateBooking{ID: product, StartAt: opt.Of(start), Contact: opt.Of(visitor(n))}
}

func (w *world) book(c kernel.Caller, in agenda.CreateBooking) (agenda.CreatedBooking, error) {
	return w.use.CreateBooking(w.T.Context(), w.Again(c), in)
}

func (w *world) booked(in agenda.CreateBooking) agenda.CreatedBooking {
	w.T.Helper()
	made, err := w.book(w.website, in)
	w.must(err)
	return made
}

func (w *world) booking(c kernel.Caller, id int64, token string) (agenda.Booking, error) {
	return w.use.GetBooking(w.T.Context(), w.Again(c), agenda.BookingPath{ID: id, Token: token})
}

// eventOf is the event of a booking.
func (w *world) eventOf(id int64) int64 {
	w.T.Helper()
	got, err := w.booking(w.full, id, "")
	w.must(err)
	return *got.EventID
}

func TestABookingMakesALeadAndAnEvent(t *testing.T) {
	w, p := opened(t)
	in := request(p, nine, 1)
	in.Message = opt.Of("Je voudrais visiter")
	var made agenda.CreatedBooking
	w.told(func() error { made = w.booked(in); return nil }, "CUSTOMER_CREATE", "SEARCH_CREATE", "FOLLOWUP_CREATE", "LEAD_CREATE", "APPOINTMENT_CREATE")
	if made.Status != "CONFIRME" || len(made.Token) < 43 || !strings.HasSuffix(made.Location, fmt.Sprintf("/bookings/%d", made.ID)) || made.StartAt.Format(time.RFC3339) != "2026-09-18T07:00:00Z" || made.EndAt.Sub(made.StartAt.Time) != 30*time.Minute {
		t.Errorf("what was booked is %+v", made)
	}
	got, err := w.booking(w.full, made.ID, "")
	w.must(err)
	if *got.ProductID != p || got.Status != "CONFIRME" || got.User.ID != 104 || got.CancelUntil.Format(time.RFC3339) != "2026-09-18T05:00:00Z" {
		t.Errorf("the booking is %+v", got)
	}
	e := w.get(*got.EventID)
	if reference := w.ReadProduct(w.full, p, "").Model; *e.Title != "Visite "+reference || *e.Location != "1 rue Neuve, 69001 Lyon" || e.Type != "VISITE" || e.BufferBefore != 0 || !e.IsBusy ||
		!slices.Equal(e.UserIDs, []int64{104}) || e.Attendees[0].Role != "ORGANISATEUR" || !slices.Equal(e.CustomerIDs, []int64{*got.CustomerID}) || !slices.Equal(e.ProductIDs, []int64{p}) || *e.BookingID != made.ID {
		t.Errorf("the event is %+v", e)
	}
	l, err := w.People.GetLead(t.Context(), w.Again(w.full), people.LeadPath{ID: *got.LeadID})
	if err != nil || *l.Message != "Je voudrais visiter" || l.VisitWish == nil || *l.CustomerID != *got.CustomerID || l.Kind != "buyer" {
		t.Errorf("the lead is %+v, %v", l, err)
	}
	if f := w.followUps(*got.CustomerID); len(f) != 1 || !slices.Equal(history(f[0]), []string{"PROPOSE", "VISITE_PREVUE"}) {
		t.Errorf("the follow-ups are %+v", f)
	}
}

func TestAHiddenAddressIsNoLocation(t *testing.T) {
	w, _ := opened(t)
	p := w.product("Adresse", "1 rue Neuve", "CodePostal", "69001", "AdresseMasquee", true)
	w.opens(func(in *agenda.OnlineBookingInput) { in.Confirmation = opt.Of("MANUELLE"); in.BufferAfter = opt.Of(20) })
	made := w.booked(request(p, nine, 1))
	if e := w.get(w.eventOf(made.ID)); *e.Location != "Lyon" || e.Status != "PREVU" || e.BufferAfter != 20 || made.Status != "PREVU" {
		t.Errorf("the event is %+v", e)
	}
}

func TestWhatVisitorsSeeOfABooking(t *testing.T) {
	w, p := opened(t)
	made := w.booked(request(p, nine, 1))
	other := w.booked(request(p, nine, 2)) // with 105, who is not shown on websites
	got, err := w.booking(w.website, made.ID, made.Token)
	if err != nil || got.EventID != nil || got.CustomerID != nil || got.LeadID != nil || got.User == nil || got.User.Firstname != "Emma" {
		t.Errorf("a website sees %+v, %v", got, err)
	}
	if got, err := w.booking(w.website, other.ID, other.Token); err != nil || got.User != nil {
		t.Errorf("a website sees %+v, %v", got, err)
	}
	for name, token := range map[string]string{"none": "", "another": other.Token, "a wrong one": made.Token + "x"} {
		before := w.contents()
		for what, err := range map[string]error{
			"read":       outcome(w.booking(w.website, made.ID, token)),
			"cancel":     outcome(w.use.CancelBooking(t.Context(), w.website, agenda.CancelBooking{ID: made.ID, Token: token})),
			"reschedule": outcome(w.use.RescheduleBooking(t.Context(), w.website, agenda.RescheduleBooking{ID: made.ID, Token: token, StartAt: opt.Of("x")})),
		} {
			if !errors.Is(err, fault.NotFound) {
				t.Errorf("%s with the token %s: %v", what, name, err)
			}
		}
		if before != w.contents() {
			t.Errorf("with the token %s something changed", name)
		}
	}
	if _, err := w.booking(w.As("rival", 2), made.ID, made.Token); !errors.Is(err, fault.NotFound) {
		t.Errorf("at another site: %v", err)
	}
}

func TestABookingSaysWhatIsWrongWithIt(t *testing.T) {
	w, p := opened(t)
	for name, c := range map[string]struct {
		edit  func(*agenda.CreateBooking)
		code  fault.Code
		field string
	}{
		"no start":           {func(in *agenda.CreateBooking) { in.StartAt = opt.Null[string]() }, fault.CodeRequired, "start_at"},
		"no contact":         {func(in *agenda.CreateBooking) { in.Contact = opt.Null[agenda.ContactInput]() }, fault.CodeRequired, "contact"},
		"no way to reach":    {func(in *agenda.CreateBooking) { in.Contact = opt.Of(agenda.ContactInput{Lastname: opt.Of("Diaz")}) }, fault.CodeRequired, "contact.email"},
		"an email of nobody": {func(in *agenda.CreateBooking) { in.Contact.Value.Email = opt.Of("x") }, fault.CodeInvalidFormat, "contact.email"},
		"a hold, no token":   {func(in *agenda.CreateBooking) { in.HoldID = opt.Of(int64(1)) }, fault.CodeRequired, "hold_token"},
		"a token, no hold":   {func(in *agenda.CreateBooking) { in.HoldToken = opt.Of("x") }, fault.CodeRequired, "hold_id"},
		"a novel":            {func(in *agenda.CreateBooking) { in.Message = opt.Of(strings.Repeat("x", 10_001)) }, fault.CodeOutOfRange, "message"},
	} {
		in := request(p, nine, 1)
		c.edit(&in)
		t.Log(name)
		w.invalid(c.code, c.field, func() error { _, err := w.book(w.website, in); return err })
	}
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error { _, err := w.book(w.website, request(77_777, nine, 1)); return err })
}

// open reports whether the slots of a product have a start.
func (w *world) open(p int64, start string) bool {
	w.T.Helper()
	list, err := w.use.ListBookingSlots(w.T.Context(), w.Again(w.website), agenda.ListBookingSlots{ID: p})
	w.must(err)
	zone, err := time.LoadLocation("Europe/Paris")
	w.must(err)
	return slices.ContainsFunc(list.Data, func(s agendarecords.Slot) bool { return s.StartAt.In(zone).Format("2006-01-02T15:04:05") == start })
}

func TestAProductThatIsNotOpenIsNotBooked(t *testing.T) {
	for name, shut := range map[string]func(*world, int64){
		"not enabled": func(w *world, _ int64) { w.opens(func(in *agenda.OnlineBookingInput) { in.Enabled = opt.Of(false) }) },
		"sold":        func(w *world, p int64) { w.SetCriteria(p, "Statut", "Vendu") },
		"not on the web": func(w *world, p int64) {
			w.must(w.UpdateProduct(p, func(in *listing.UpdateProduct) { in.WebStatus = opt.Of(false) }))
		},
		"nobody to be asked": func(w *world, _ int64) {
			w.opens(func(in *agenda.OnlineBookingInput) { in.UserIDs = opt.Of([]int64{105}) })
			w.retire(105)
		},
	} {
		w, p := opened(t)
		made := w.booked(request(p, nine, 1))
		if block := *w.ReadProduct(w.full, p, "online_booking").OnlineBooking; !block.Enabled || *block.URL != fmt.Sprintf("https://example.org/visite/%d", p) {
			t.Errorf("before it is %s the block is %+v", name, block)
		}
		shut(w, p)
		if w.open(p, ten) {
			t.Errorf("%s: there are slots", name)
		}
		if block := *w.ReadProduct(w.full, p, "online_booking").OnlineBooking; block.Enabled || block.URL != nil || block.NextSlots == nil || len(block.NextSlots) > 0 {
			t.Errorf("%s: the block is %+v", name, block)
		}
		w.unchanged(fault.Conflict, fault.CodeBookingClosed, func() error { _, err := w.book(w.website, request(p, ten, 2)); return err })
		w.unchanged(fault.Conflict, fault.CodeBookingClosed, func() error { _, err := w.hold(p, ten); return err })
		w.unchanged(fault.Conflict, fault.CodeBookingClosed, func() error { return w.reschedule(made, ten) })
		w.must(w.cancel(made))
	}
}

func (w *world) hold(p int64, start string) (agenda.CreatedHold, error) {
	return w.use.CreateBookingHold(w.T.Context(), w.Again(w.website), agenda.CreateHold{ID: p, StartAt: opt.Of(start)})
}

func (w *world) cancel(b agenda.CreatedBooking) error {
	_, err := w.use.CancelBooking(w.T.Context(), w.Again(w.website), agenda.CancelBooking{ID: b.ID, Token: b.Token, Reason: opt.Of("Empêché")})
	return err
}

func (w *world) reschedule(b agenda.CreatedBooking, start string) error {
	_, err := w.use.RescheduleBooking(w.T.Context(), w.Again(w.website), agenda.RescheduleBooking{ID: b.ID, Token: b.Token, StartAt: opt.Of(start)})
	return err
}

// retire makes users inactive.
func (w *world) retire(ids ...int64) {
	w.T.Helper()
	no, n := false, network()
	for i := range n.Sites[0].Users {
		if slices.Contains(ids, n.Sites[0].Users[i].ID) {
			n.Sites[0].Users[i].IsActive = &no
		}
	}
	w.Provision(transfer.Setup{Sites: n.Sites[:1]})
}

func TestWhoCanBeBooked(t *testing.T) {
	w, p := opened(t)
	w.works(101, 107)
	users := func(p int64) []int64 {
		list, err := w.use.ListBookingSlots(t.Context(), w.Again(w.full), agenda.ListBookingSlots{ID: p, From: opt.Of(nine), To: opt.Of(halfPastNine)})
		w.must(err)
		if len(list.Data) != 1 {
			t.Fatalf("the slots are %+v", list.Data)
		}
		return list.Data[0].UserIDs
	}
	if got := users(p); !slices.Equal(got, []int64{101, 104, 105}) {
		t.Errorf("of the agency are %v", got)
	}
	w.opens(func(in *agenda.OnlineBookingInput) { in.UserIDs = opt.Of([]int64{105, 104}) })
	if got := users(p); !slices.Equal(got, []int64{104, 105}) {
		t.Errorf("of the settings are %v", got)
	}
	w.must(w.UpdateProduct(p, func(in *listing.UpdateProduct) { in.UserID = opt.Of(int64(107)) }))
	if got := users(p); !slices.Equal(got, []int64{107}) {
		t.Errorf("of the product is %v", got)
	}
	w.retire(107, 104)
	if got := users(p); !slices.Equal(got, []int64{105}) {
		t.Errorf("when those are gone there are %v", got)
	}
	list, err := w.use.ListBookingSlots(t.Context(), w.Again(w.website), agenda.ListBookingSlots{ID: p})
	if err != nil || len(list.Data) == 0 || list.Data[0].UserIDs == nil || len(list.Data[0].UserIDs) > 0 {
		t.Errorf("a website sees %+v, %v", list.Data[:1], err)
	}
}

// Of those who are free it is the one with the fewest busy events that begin on the
// day, then the one with the lowest id.
func TestTheLeastBusyUserIsBooked(t *testing.T) {
	w, p := opened(t)
	user := func(b agenda.CreatedBooking) int64 {
		got, err := w.booking(w.full, b.ID, "")
		w.must(err)
		return got.User.ID
	}
	for n, want := range []int64{104, 105, 104, 105} {
		if got := user(w.booked(request(p, []string{nine, halfPastNine, ten, ten}[n], n))); got != want {
			t.Errorf("the visit %d is with %d, want %d", n, got, want)
		}
	}
	idle := planning.Change{Type: opt.Of("TACHE"), Title: opt.Of("x"), StartAt: opt.Of("2026-09-19T08:00:00"), EndAt: opt.Of("2026-09-19T09:00:00"), UserIDs: opt.Of([]int64{104})}
	w.create(idle)
	if got := user(w.booked(request(p, "2026-09-19T10:00:00", 9))); got != 104 {
		t.Errorf("a task takes no time, and the visit is with %d", got)
	}
}

func TestOnlySlotsCanBeBooked(t *testing.T) {
	w, p := opened(t)
	for name, start := range map[string]string{
		"off the grid": "2026-09-18T09:10:00", "before work": "2026-09-18T08:30:00", "over the end of work": "2026-09-18T16:45:00", "too soon": "2026-09-16T14:00:00",
		"in the past": "2026-09-15T09:00:00", "beyond the horizon": "2026-10-17T09:00:00",
	} {
		t.Log(name)
		w.unchanged(fault.Conflict, fault.CodeSlotTaken, func() error { _, err := w.book(w.website, request(p, start, 1)); return err })
		w.unchanged(fault.Conflict, fault.CodeSlotTaken, func() error { _, err := w.hold(p, start); return err })
	}
	w.booked(request(p, "2026-10-16T16:30:00", 1)) // the last there is
	w.booked(request(p, nine, 2))
	w.booked(request(p, nine, 3))
	w.unchanged(fault.Conflict, fault.CodeSlotTaken, func() error { _, err := w.book(w.website, request(p, nine, 4)); return err })
	if w.open(p, nine) || !w.open(p, halfPastNine) {
		t.Error("the slots do not tell what is taken")
	}
}

func TestSlotsAreListedInAWindow(t *testing.T) {
	w, p := opened(t)
	list := func(from, to string) (agenda.BookingSlots, error) {
		in := agenda.ListBookingSlots{ID: p}
		if from != "" {
			in.From = opt.Of(from)
		}
		if to != "" {
			in.To = opt.Of(to)
		}
		return w.use.ListBookingSlots(t.Context(), w.Again(w.website), in)
	}
	count := func(from, to string) int {
		got, err := list(from, to)
		w.must(err)
		return len(got.Data)
	}
	if n := count("2026-09-18", "2026-09-19"); n != 16 {
		t.Errorf("a day has %d slots", n)
	}
	if n := count("2026-12-01", ""); n != 0 {
		t.Errorf("beyond what can be booked are %d slots", n)
	}
	w.invalid(fault.CodeOutOfRange, "to", func() error { _, err := list("2026-09-18", "2026-09-17"); return err })
	w.invalid(fault.CodeOutOfRange, "to", func() error { _, err := list("2026-09-18", "2026-11-20"); return err })
	w.invalid(fault.CodeInvalidFormat, "from", func() error { _, err := list("x", ""); return err })
	w.opens(func(in *agenda.OnlineBookingInput) { in.HorizonDays = opt.Of(180) })
	if n := count("2026-09-18", ""); n != 16*60 { // All Saints and Armistice Day are holidays
		t.Errorf("from a day on there are %d slots", n)
	}
}

func TestAHoldKeepsATime(t *testing.T) {
	w, p := opened(t)
	w.opens(func(in *agenda.OnlineBookingInput) { in.UserIDs = opt.Of([]int64{105}) })
	var h agenda.CreatedHold
	w.told(func() (err error) { h, err = w.hold(p, nine); return err })
	if h.Token == "" || h.ExpiresAt.Sub(w.Clock.Now()) != 10*time.Minute || h.EndAt.Sub(h.StartAt.Time) != 30*time.Minute {
		t.Errorf("the hold is %+v", h)
	}
	w.unchanged(fault.Conflict, fault.CodeSlotTaken, func() error { _, err := w.hold(p, nine); return err })
	w.unchanged(fault.Conflict, fault.CodeSlotTaken, func() error { _, err := w.book(w.website, request(p, nine, 1)); return err })
	with := func(start, token string) agenda.CreateBooking {
		in := request(p, start, 1)
		in.HoldID, in.HoldToken = opt.Of(h.ID), opt.Of(token)
		return in
	}
	w.unchanged(fault.Conflict, fault.CodeHoldExpired, func() error { _, err := w.book(w.website, with(nine, "x")); return err })
	w.invalid(fault.CodeOutOfRange, "start_at", func() error { _, err := w.book(w.website, with(ten, h.Token)); return err })
	made := w.booked(with(nine, h.Token))
	if e := w.get(w.eventOf(made.ID)); !slices.Equal(e.UserIDs, []int64{105}) || !e.StartAt.Equal(h.StartAt.Time) || !e.EndAt.Equal(h.EndAt.Time) {
		t.Errorf("the event is %+v", e)
	}
	w.unchanged(fault.Conflict, fault.CodeHoldExpired, func() error { _, err := w.book(w.website, with(nine, h.Token)); return err })
}

func TestAHoldEnds(t *testing.T) {
	w, p := opened(t)
	w.opens(func(in *agenda.OnlineBookingInput) { in.UserIDs = opt.Of([]int64{105}) })
	h, err := w.hold(p, nine)
	w.must(err)
	end := func(token string) error {
		_, err := w.use.DeleteBookingHold(t.Context(), w.Again(w.website), agenda.DeleteHold{ID: h.ID, Token: token})
		return err
	}
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error { return end("x") })
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error { return end("") })
	w.told(func() error { return end(h.Token) })
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error { return end(h.Token) })
	h, err = w.hold(p, nine) // the time is free again
	w.must(err)
	w.Clock.Advance(10*time.Minute - time.Second)
	w.unchanged(fault.Conflict, fault.CodeSlotTaken, func() error { _, err := w.hold(p, nine); return err })
	w.Clock.Advance(time.Second)
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error { return end(h.Token) })
	in := request(p, nine, 1)
	in.HoldID, in.HoldToken = opt.Of(h.ID), opt.Of(h.Token)
	w.unchanged(fault.Conflict, fault.CodeHoldExpired, func() error { _, err := w.book(w.website, in); return err })
	w.booked(request(p, nine, 1))
}

func TestAClientHoldsTwentyTimesOfAProduct(t *testing.T) {
	w, p := opened(t)
	start := time.Date(2026, 9, 18, 7, 0, 0, 0, time.UTC)
	for n := range 20 {
		_, err := w.hold(p, start.Add(time.Duration(n/2)*30*time.Minute).Format(time.RFC3339))
		w.must(err)
	}
	w.unchanged(fault.Conflict, fault.CodeConflict, func() error { _, err := w.hold(p, "2026-09-18T15:00:00"); return err })
	if _, err := w.use.CreateBookingHold(t.Context(), w.Again(w.full), agenda.CreateHold{ID: p, StartAt: opt.Of("2026-09-18T15:00:00")}); err != nil {
		t.Errorf("another client: %v", err)
	}
	w.Clock.Advance(10 * time.Minute)
	if _, err := w.hold(p, "2026-09-18T15:00:00"); err != nil {
		t.Errorf("when they have expired: %v", err)
	}
}

func TestNobodyBooksAProductTwice(t *testing.T) {
	w, p := opened(t)
	made := w.booked(request(p, nine, 1))
	w.unchanged(fault.Conflict, fault.CodeAlreadyBooked, func() error { _, err := w.book(w.website, request(p, ten, 1)); return err })
	w.unchanged(fault.Conflict, fault.CodeSlotTaken, func() error { _, err := w.book(w.website, request(p, "2026-09-18T09:10:00", 1)); return err })
	w.booked(request(w.product(), ten, 1)) // another product
	w.must(w.cancel(made))
	// Within a day it is the same lead, and the follow-up is planned already.
	var again agenda.CreatedBooking
	w.told(func() error { again = w.booked(request(p, nine, 1)); return nil }, "APPOINTMENT_CREATE")
	first, err := w.booking(w.full, made.ID, "")
	w.must(err)
	second, err := w.booking(w.full, again.ID, "")
	if err != nil || *first.LeadID != *second.LeadID || *first.CustomerID != *second.CustomerID || *first.EventID == *second.EventID || again.ID == made.ID {
		t.Errorf("the bookings are %+v and %+v, %v", first, second, err)
	}
	w.Clock.Advance(4 * 24 * time.Hour)
	w.booked(request(p, "2026-09-25T09:00:00", 1)) // the other is over
}

func TestABookingIsCancelled(t *testing.T) {
	w, p := opened(t)
	w.opens(func(in *agenda.OnlineBookingInput) { in.UserIDs = opt.Of([]int64{105}) })
	made := w.booked(request(p, nine, 1))
	event := w.eventOf(made.ID)
	w.told(func() error { return w.cancel(made) }, "APPOINTMENT_UPDATE")
	got, err := w.booking(w.website, made.ID, made.Token)
	if err != nil || got.Status != "ANNULE" || w.get(event).Status != "ANNULE" {
		t.Errorf("the booking is %+v, %v", got, err)
	}
	whole, err := w.booking(w.full, made.ID, "")
	if f := w.followUps(*whole.CustomerID); err != nil || f[0].Status != "VISITE_PREVUE" {
		t.Errorf("the follow-up is %+v, %v", f, err)
	}
	w.unchanged(fault.Conflict, fault.CodeInvalidTransition, func() error { return w.cancel(made) })
	w.unchanged(fault.Conflict, fault.CodeInvalidTransition, func() error { return w.reschedule(made, ten) })
	made = w.booked(request(p, nine, 2)) // the time was given back
	w.Clock.Advance(made.StartAt.Sub(w.Clock.Now()) - 2*time.Hour)
	late := w.booked(request(p, "2026-09-20T09:00:00", 3))
	w.must(w.cancel(made)) // just in time
	w.Clock.Advance(late.StartAt.Sub(w.Clock.Now()) - 2*time.Hour + time.Microsecond)
	w.unchanged(fault.Conflict, fault.CodeBookingClosed, func() error { return w.cancel(late) })
	w.unchanged(fault.Conflict, fault.CodeBookingClosed, func() error { return w.reschedule(late, "2026-09-22T09:00:00") })
	w.opens(func(in *agenda.OnlineBookingInput) { in.CancelNoticeMinutes = opt.Of(60) })
	if got, err := w.booking(w.website, late.ID, late.Token); err != nil || late.StartAt.Sub(got.CancelUntil.Time) != time.Hour {
		t.Errorf("it may be cancelled until %v, %v", got.CancelUntil, err)
	}
	w.Clock.Advance(119 * time.Minute)
	agency := func() error {
		_, err := w.use.CancelBooking(t.Context(), w.Again(w.full), agenda.CancelBooking{ID: late.ID})
		return err
	}
	w.invalid(fault.CodeOutOfRange, "reason", func() error {
		_, err := w.use.CancelBooking(t.Context(), w.Again(w.full), agenda.CancelBooking{ID: late.ID, Reason: opt.Of(strings.Repeat("x", 10_001))})
		return err
	})
	w.Clock.Advance(time.Minute)
	w.unchanged(fault.Conflict, fault.CodeBookingClosed, agency) // it has begun
}

func TestABookingIsMoved(t *testing.T) {
	w, p := opened(t)
	w.opens(func(in *agenda.OnlineBookingInput) { in.BufferBefore = opt.Of(30) })
	made := w.booked(request(p, nine, 1))
	event := w.eventOf(made.ID)
	// Half an hour later meets its own time, which does not matter.
	w.told(func() error { return w.reschedule(made, halfPastNine) }, "APPOINTMENT_UPDATE")
	got, err := w.booking(w.website, made.ID, made.Token)
	if e := w.get(event); err != nil || !got.StartAt.Equal(made.StartAt.Add(30*time.Minute)) || !e.StartAt.Equal(got.StartAt.Time) || !slices.Equal(e.UserIDs, []int64{104}) || w.eventOf(made.ID) != event {
		t.Errorf("it was moved to %+v, %+v, %v", got, e, err)
	}
	w.told(func() error { return w.reschedule(made, halfPastNine) })
	w.create(planning.Change{Type: opt.Of("RDV"), Title: opt.Of("x"), StartAt: opt.Of("2026-09-18T12:00:00"), EndAt: opt.Of("2026-09-18T13:00:00"), UserIDs: opt.Of([]int64{104})})
	w.must(w.update(event, planning.Change{UserIDs: opt.Of([]int64{104, 105})}))
	w.must(w.reschedule(made, "2026-09-18T12:00:00"))
	if e := w.get(event); !slices.Equal(e.UserIDs, []int64{105}) || e.Attendees[1].ID != 1 || e.Attendees[1].Role != "ORGANISATEUR" {
		t.Errorf("who is free takes over: %+v", e.Attendees)
	}
	w.unchanged(fault.Conflict, fault.CodeSlotTaken, func() error { return w.reschedule(made, "2026-09-18T08:00:00") })
	w.invalid(fault.CodeRequired, "start_at", func() error { return w.reschedule(made, "") })
}

// Of any number at once as many succeed as there are users who are free, and
// nothing remains of the others.
func TestOfManyAtOnceAsManySucceedAsAreFree(t *testing.T) {
	w, p := opened(t)
	const many = 12
	results := make([]error, many)
	var all sync.WaitGroup
	website := w.Again(w.website)
	for n := range many {
		all.Go(func() {
			switch n % 2 {
			case 0:
				_, results[n] = w.use.CreateBooking(t.Context(), website, request(p, nine, n))
			default:
				_, results[n] = w.use.CreateBookingHold(t.Context(), website, agenda.CreateHold{ID: p, StartAt: opt.Of(nine)})
			}
		})
	}
	all.Wait()
	won, booked := 0, 0
	for n, err := range results {
		var known *fault.Error
		switch {
		case err == nil:
			won++
			booked += 1 - n%2
		case !errors.As(err, &known) || known.Code != fault.CodeSlotTaken:
			t.Errorf("%d: %v", n, err)
		}
	}
	if won != 2 {
		t.Errorf("%d of %d succeeded, and two users are free", won, many)
	}
	w.View(func(tx port.Tx) error {
		leads, err := tx.Leads().List(port.LeadQuery{Site: 1, Agencies: []site.AgencyID{11}, Limit: 100})
		events, err2 := tx.Appointments().Scan(1, 0, 100)
		if len(events) != booked || len(leads) != booked {
			t.Errorf("of %d bookings there are %d leads, %d events", booked, len(leads), len(events))
		}
		return kernel.FirstError(err, err2)
	})
}

// A request that is repeated under its key gets the first answer, token included.
func TestABookingIsRepeatedUnderItsKey(t *testing.T) {
	w, p := opened(t)
	key := kernel.IdempotencyKey{Operation: "booking.create", Key: "k", Fingerprint: "f", Encode: func(answer any) (string, error) {
		text, err := json.Marshal(answer)
		return string(text), err
	}}
	once, err := w.Once(t.Context(), w.Again(w.website), key)
	w.must(err)
	made, err := w.use.CreateBooking(t.Context(), once, request(p, nine, 1))
	w.must(err)
	var before *kernel.Answered
	if _, err := w.Once(t.Context(), w.Again(w.website), key); !errors.As(err, &before) || !strings.Contains(before.Answer, made.Token) {
		t.Errorf("again: %v", err)
	}
	if once, err = w.Once(t.Context(), w.Again(w.website), kernel.IdempotencyKey{Operation: "booking.create", Key: "k2", Fingerprint: "f", Encode: key.Encode}); err != nil {
		t.Fatal(err)
	}
	w.unchanged(fault.Conflict, fault.CodeAlreadyBooked, func() error { _, err := w.use.CreateBooking(t.Context(), once, request(p, ten, 1)); return err })
}

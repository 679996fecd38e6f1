package agenda_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda/agendarecords"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestEachWriteOfAnEventIsToldOnce(t *testing.T) {
	w := newWorld(t)
	var id int64
	w.told(func() error { id = w.create(w.event(time.Hour, 101)); return nil }, "APPOINTMENT_CREATE")
	change := planning.Change{Title: opt.Of("Autre")}
	w.told(func() error { return w.update(id, change) }, "APPOINTMENT_UPDATE")
	w.told(func() error { return w.update(id, change) })
	answer := agenda.AnswerEvent{ID: id, AttendeeID: opt.Of(int64(1)), Answer: opt.Of("ACCEPTE")}
	w.told(func() error { _, err := w.use.AnswerCalendarEvent(t.Context(), w.full, answer); return err }, "APPOINTMENT_UPDATE")
	w.told(func() error { _, err := w.use.AnswerCalendarEvent(t.Context(), w.full, answer); return err })
	w.told(func() error {
		_, err := w.use.DeleteCalendarEvent(t.Context(), w.full, agenda.DeleteEvent{ID: id})
		return err
	}, "APPOINTMENT_DELETE")
	_, err := w.use.GetCalendarEvent(t.Context(), w.full, agenda.EventPath{ID: id})
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error { return err })
}

func TestAnEventIsReadAsItWasWritten(t *testing.T) {
	w := newWorld(t)
	p := w.product()
	c := w.event(time.Hour, 101, 104)
	c.CustomerIDs, c.ProductIDs, c.Reminders, c.ExternalID = opt.Of([]int64{1004}), opt.Of([]int64{p}), opt.Of([]int{30}), opt.Of("x-1")
	got := w.get(w.create(c))
	if *got.Title != "Visite" || got.Status != "PREVU" || got.Timezone != "Europe/Paris" || got.AgencyID != 11 || !got.IsBusy || got.Visibility != "PUBLIC" || *got.CreatedBy != "full" ||
		!slices.Equal(got.UserIDs, []int64{101, 104}) || !slices.Equal(got.CustomerIDs, []int64{1004}) || !slices.Equal(got.ProductIDs, []int64{p}) || len(got.Attendees) != 3 ||
		got.DateAdded == nil || got.LastModified == nil || *got.ExternalID != "x-1" || got.RRule != nil || got.StartDate != nil || got.BookingID != nil || got.Reports == nil {
		t.Errorf("the event is %+v", got)
	}
	if a := got.Attendees[0]; a.ID != 1 || a.Kind != "USER" || a.Role != "REQUIS" || a.Answer != "EN_ATTENTE" {
		t.Errorf("the first attendee is %+v", a)
	}
	days := planning.Change{Type: opt.Of("CONGE"), Title: opt.Of("Congé"), AllDay: opt.Of(true), StartDate: opt.Of("2026-10-24"), EndDate: opt.Of("2026-10-25"), UserIDs: opt.Of([]int64{101})}
	got = w.get(w.create(days))
	if *got.StartDate != "2026-10-24" || *got.EndDate != "2026-10-25" || got.StartAt.Format(time.RFC3339) != "2026-10-23T22:00:00Z" || got.EndAt.Format(time.RFC3339) != "2026-10-25T23:00:00Z" {
		t.Errorf("the days off are %+v", got)
	}
}

func TestWhatAnEventNamesHasToExist(t *testing.T) {
	w := newWorld(t)
	p := w.product()
	id := w.create(w.event(time.Hour, 101))
	attendees := func(in ...planning.AttendeeInput) opt.Field[[]planning.AttendeeInput] {
		return opt.Of(append([]planning.AttendeeInput{{Kind: opt.Of("USER"), UserID: opt.Of(int64(101))}}, in...))
	}
	for name, c := range map[string]struct {
		edit  func(*planning.Change)
		code  fault.Code
		field string
	}{
		"a user who is not active":     {func(c *planning.Change) { c.UserIDs = opt.Of([]int64{101, 106}) }, fault.CodeUnknownUser, "user_ids"},
		"a user outside the scope":     {func(c *planning.Change) { c.UserIDs = opt.Of([]int64{101, 103}) }, fault.CodeUnknownUser, "user_ids"},
		"a user of another site":       {func(c *planning.Change) { c.UserIDs = opt.Of([]int64{101, 201}) }, fault.CodeUnknownUser, "user_ids"},
		"a customer outside the scope": {func(c *planning.Change) { c.CustomerIDs = opt.Of([]int64{1003}) }, fault.CodeUnknownCustomer, "customer_ids"},
		"an attendee who is unknown": {func(c *planning.Change) {
			c.UserIDs = opt.Field[[]int64]{}
			c.Attendees = attendees(planning.AttendeeInput{Kind: opt.Of("CUSTOMER"), CustomerID: opt.Of(int64(5))})
		}, fault.CodeUnknownCustomer, "attendees[1].customer_id"},
		"a product of another site": {func(c *planning.Change) { c.ProductIDs = opt.Of([]int64{p, 77_777}) }, fault.CodeUnknownProduct, "product_ids[1]"},
		"a search of nobody here":   {func(c *planning.Change) { c.SearchID = opt.Of(int64(3)) }, fault.CodeUnknownSearch, "search_id"},
		"another choice":            {func(*planning.Change) {}, fault.CodeCriteriaValueUnknown, "on_conflict"},
	} {
		in := w.event(time.Hour, 101)
		c.edit(&in)
		choice := agenda.ConflictChoice{}
		if c.field == "on_conflict" {
			choice.OnConflict = opt.Of("MAYBE")
		}
		t.Log(name)
		w.invalid(c.code, c.field, func() error {
			_, err := w.use.CreateCalendarEvent(t.Context(), w.full, agenda.CreateEvent{ConflictChoice: choice, Change: in})
			return err
		})
		w.invalid(c.code, c.field, func() error {
			_, err := w.use.UpdateCalendarEvent(t.Context(), w.full, agenda.UpdateEvent{ID: id, IfMatch: stale(), ConflictChoice: choice, Change: in})
			return err
		})
	}
	in := w.event(time.Hour, 101)
	in.AgencyID = opt.Of(int64(13))
	w.unchanged(fault.Forbidden, fault.CodeAgencyOutOfScope, func() error {
		_, err := w.use.CreateCalendarEvent(t.Context(), w.full, agenda.CreateEvent{Change: in})
		return err
	})
	// Both what is wrong in itself and what does not exist is named at once.
	err := w.update(id, planning.Change{Title: opt.Of(""), UserIDs: opt.Of([]int64{106})})
	if found := fault.From(err); len(found.Details) != 2 {
		t.Errorf("the problems are %+v", found.Details)
	}
}

func TestPathsNameEventsInScope(t *testing.T) {
	w := newWorld(t)
	outside := w.ofAgency13()
	requests := func(id int64) map[string]func() error {
		return map[string]func() error{
			"get": func() error {
				_, err := w.use.GetCalendarEvent(t.Context(), w.full, agenda.EventPath{ID: id})
				return err
			},
			"occurrences": func() error {
				_, err := w.use.ListOccurrences(t.Context(), w.full, agenda.ListOccurrences{ID: id})
				return err
			},
			"update": func() error { return w.update(id, planning.Change{Title: opt.Of("")}) },
			"delete": func() error {
				_, err := w.use.DeleteCalendarEvent(t.Context(), w.full, agenda.DeleteEvent{ID: id})
				return err
			},
			"occurrence": func() error {
				_, err := w.use.UpdateOccurrence(t.Context(), w.full, agenda.UpdateOccurrence{ID: id, Start: "20261025T080000Z"})
				return err
			},
			"one less": func() error {
				_, err := w.use.DeleteOccurrence(t.Context(), w.full, agenda.DeleteOccurrence{ID: id, Start: "20261025T080000Z"})
				return err
			},
			"answer": func() error {
				_, err := w.use.AnswerCalendarEvent(t.Context(), w.full, agenda.AnswerEvent{ID: id})
				return err
			},
			"report": func() error { _, err := w.use.ReportVisit(t.Context(), w.full, agenda.ReportVisit{ID: id}); return err },
		}
	}
	for _, request := range requests(outside) {
		w.unchanged(fault.Forbidden, fault.CodeResourceOutOfScope, request)
	}
	for _, request := range requests(77_777) {
		w.unchanged(fault.NotFound, fault.CodeNotFound, request)
	}
	id := w.create(w.event(time.Hour, 101))
	rival := w.As("rival", 2)
	_, err := w.use.GetCalendarEvent(t.Context(), rival, agenda.EventPath{ID: id})
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error { return err })
}

// What is wrong with a request comes before what is wrong with the state, and that
// before the condition.
func TestTheConditionIsCheckedLast(t *testing.T) {
	w := newWorld(t)
	w.create(w.event(time.Hour, 101))
	id := w.create(w.event(9*time.Hour, 101))
	request := func(c planning.Change) func() error {
		return func() error {
			_, err := w.use.UpdateCalendarEvent(t.Context(), w.full, agenda.UpdateEvent{ID: id, IfMatch: stale(), ConflictChoice: agenda.ConflictChoice{OnConflict: opt.Of("REFUSE")}, Change: c})
			return err
		}
	}
	moved := planning.Change{StartAt: opt.Of(w.at(time.Hour)), EndAt: opt.Of(w.at(2 * time.Hour))}
	wrong := moved
	wrong.Title = opt.Of("")
	w.invalid(fault.CodeRequired, "title", request(wrong))
	w.unchanged(fault.Conflict, fault.CodeSlotTaken, request(moved))
	w.unchanged(fault.Stale, fault.CodePreconditionFailed, request(planning.Change{Title: opt.Of("Autre")}))
	w.must(w.update(id, planning.Change{Status: opt.Of("ANNULE")}))
	w.unchanged(fault.Conflict, fault.CodeInvalidTransition, request(planning.Change{Status: opt.Of("PREVU")}))
	w.unchanged(fault.Stale, fault.CodePreconditionFailed, func() error {
		_, err := w.use.DeleteCalendarEvent(t.Context(), w.full, agenda.DeleteEvent{ID: id, IfMatch: stale()})
		return err
	})
	w.invalid(fault.CodeUnknownAttendee, "attendee_id", func() error {
		_, err := w.use.AnswerCalendarEvent(t.Context(), w.full, agenda.AnswerEvent{ID: id, IfMatch: stale(), AttendeeID: opt.Of(int64(9)), Answer: opt.Of("REFUSE")})
		return err
	})
	w.unchanged(fault.Stale, fault.CodePreconditionFailed, func() error {
		_, err := w.use.AnswerCalendarEvent(t.Context(), w.full, agenda.AnswerEvent{ID: id, IfMatch: stale(), AttendeeID: opt.Of(int64(1)), Answer: opt.Of("REFUSE")})
		return err
	})
}

func (w *world) conflicts(choice string, c planning.Change) (string, error) {
	made, err := w.use.CreateCalendarEvent(w.T.Context(), w.Again(w.full), agenda.CreateEvent{ConflictChoice: agenda.ConflictChoice{OnConflict: opt.Of(choice)}, Change: c})
	return made.Conflicts, err
}

func TestOverlapsAreNamedOrRefused(t *testing.T) {
	w := newWorld(t)
	taken := w.event(10*time.Hour, 101)
	taken.BufferAfter = opt.Of(30)
	first := fmt.Sprint(w.create(taken))
	for name, c := range map[string]struct {
		edit    func(*planning.Change)
		overlap bool
	}{
		"the same time":        {func(*planning.Change) {}, true},
		"another user":         {func(c *planning.Change) { c.UserIDs = opt.Of([]int64{104}) }, false},
		"another user as well": {func(c *planning.Change) { c.UserIDs = opt.Of([]int64{104, 101}) }, true},
		"not busy":             {func(c *planning.Change) { c.IsBusy = opt.Of(false) }, false},
		"cancelled":            {func(c *planning.Change) { c.Status = opt.Of("ANNULE") }, false},
		"who did not come":     {func(c *planning.Change) { c.Status = opt.Of("ABSENT") }, false},
		"before it": {func(c *planning.Change) {
			c.StartAt, c.EndAt = opt.Of(w.at(9*time.Hour)), opt.Of(w.at(10*time.Hour))
		}, false},
		"its own buffer before it": {func(c *planning.Change) {
			c.StartAt, c.EndAt, c.BufferAfter = opt.Of(w.at(9*time.Hour)), opt.Of(w.at(10*time.Hour)), opt.Of(1)
		}, true},
		"in the buffer": {func(c *planning.Change) {
			c.StartAt, c.EndAt = opt.Of(w.at(11*time.Hour+29*time.Minute)), opt.Of(w.at(12*time.Hour))
		}, true},
		"after the buffer": {func(c *planning.Change) {
			c.StartAt, c.EndAt = opt.Of(w.at(11*time.Hour+30*time.Minute)), opt.Of(w.at(12*time.Hour))
		}, false},
		"a series that meets it": {func(c *planning.Change) {
			c.StartAt, c.EndAt, c.RRule = opt.Of(w.at(-14*time.Hour)), opt.Of(w.at(-13*time.Hour)), opt.Of("FREQ=DAILY;COUNT=2")
		}, true},
		"who refused": {func(c *planning.Change) {
			c.UserIDs = opt.Field[[]int64]{}
			c.Attendees = opt.Of([]planning.AttendeeInput{{Kind: opt.Of("USER"), UserID: opt.Of(int64(101)), Answer: opt.Of("REFUSE")}})
		}, false},
	} {
		in := w.event(10*time.Hour, 101)
		c.edit(&in)
		if c.overlap {
			t.Log(name)
			w.unchanged(fault.Conflict, fault.CodeSlotTaken, func() error { _, err := w.conflicts("REFUSE", in); return err })
		}
		made, err := w.use.CreateCalendarEvent(t.Context(), w.full, agenda.CreateEvent{Change: in})
		if want := map[bool]string{true: first, false: ""}[c.overlap]; err != nil || made.Conflicts != want {
			t.Errorf("%s: overlaps %q, %v, want %q", name, made.Conflicts, err, want)
		}
		_, err = w.use.DeleteCalendarEvent(t.Context(), w.full, agenda.DeleteEvent{ID: made.ID})
		w.must(err)
	}
}

func TestHoldsAndOtherCalendarsAreBusyTime(t *testing.T) {
	w := newWorld(t)
	_, err := w.use.PutExternalBusy(t.Context(), w.full, agenda.PutImported{ID: 101, Source: "outlook", Busy: opt.Of([]agenda.BusyInput{{StartAt: opt.Of(w.at(time.Hour)), EndAt: opt.Of(w.at(2 * time.Hour))}})})
	w.must(err)
	w.unchanged(fault.Conflict, fault.CodeSlotTaken, func() error { _, err := w.conflicts("REFUSE", w.event(90*time.Minute, 101)); return err })
	if got, err := w.conflicts("ALLOW", w.event(90*time.Minute, 101)); got != "" || err != nil {
		t.Errorf("no event overlaps: %q, %v", got, err)
	}
}

func TestAtMostTwentyOverlapsAreNamed(t *testing.T) {
	w := newWorld(t)
	for range 22 {
		w.create(w.event(time.Hour, 101))
	}
	got, err := w.conflicts("ALLOW", w.event(time.Hour, 101))
	if err != nil || len(strings.Split(got, ",")) != 20 {
		t.Errorf("named are %s, %v", got, err)
	}
}

func TestAChangeOfTimeNamesWhatItOverlaps(t *testing.T) {
	w := newWorld(t)
	first, second := w.create(w.event(time.Hour, 101)), w.create(w.event(3*time.Hour, 101))
	changed, err := w.use.UpdateCalendarEvent(t.Context(), w.full, agenda.UpdateEvent{ID: second, Change: planning.Change{StartAt: opt.Of(w.at(90 * time.Minute))}})
	if err != nil || changed.Conflicts != fmt.Sprint(first) {
		t.Errorf("it overlaps %q, %v", changed.Conflicts, err)
	}
	// Who refuses has the time again, and so has who attends what is cancelled.
	_, err = w.use.AnswerCalendarEvent(t.Context(), w.full, agenda.AnswerEvent{ID: first, AttendeeID: opt.Of(int64(1)), Answer: opt.Of("REFUSE")})
	w.must(err)
	w.must(w.update(second, planning.Change{Status: opt.Of("ANNULE")}))
	if _, err := w.conflicts("REFUSE", w.event(time.Hour, 101)); err != nil {
		t.Errorf("the time is not free: %v", err)
	}
}

func TestOthersSeeOfAPrivateEventItsTime(t *testing.T) {
	w := newWorld(t)
	p := w.product()
	c := w.event(-2*time.Hour, 101)
	c.Visibility, c.CustomerIDs, c.ProductIDs, c.ExternalID, c.RRule = opt.Of("PRIVE"), opt.Of([]int64{1004}), opt.Of([]int64{p}), opt.Of("x"), opt.Of("FREQ=DAILY;COUNT=3")
	c.Description, c.Location, c.Reminders, c.Latitude, c.Longitude = opt.Of("d"), opt.Of("l"), opt.Of([]int{5}), opt.Of(45.0), opt.Of(4.0)
	id := w.createAs(w.colleague, c)
	got := w.get(id)
	want := agendarecords.CalendarEvent{
		ID: id, Type: "VISITE", Status: "PREVU", StartAt: got.StartAt, EndAt: got.EndAt, Timezone: "Europe/Paris", AgencyID: 11, UserIDs: []int64{101}, CustomerIDs: []int64{},
		ProductIDs: []int64{}, IsBusy: true, Visibility: "PRIVE", Exdates: nil, Version: got.Version,
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("others see %+v, want %+v", got, want)
	}
	if own, err := w.use.GetCalendarEvent(t.Context(), w.Again(w.colleague), agenda.EventPath{ID: id}); err != nil || own.Title == nil || len(own.CustomerIDs) != 1 || own.RRule == nil {
		t.Errorf("who made it sees %+v, %v", own, err)
	}
	name := w.Clock.Now().Add(-2 * time.Hour).Format("20060102T150405Z")
	for what, request := range map[string]func() error{
		"update": func() error { return w.update(id, planning.Change{Title: opt.Of("")}) },
		"delete": func() error {
			_, err := w.use.DeleteCalendarEvent(t.Context(), w.full, agenda.DeleteEvent{ID: id})
			return err
		},
		"answer": func() error {
			_, err := w.use.AnswerCalendarEvent(t.Context(), w.full, agenda.AnswerEvent{ID: id})
			return err
		},
		"report": func() error { _, err := w.use.ReportVisit(t.Context(), w.full, agenda.ReportVisit{ID: id}); return err },
		"occurrence": func() error {
			_, err := w.use.UpdateOccurrence(t.Context(), w.full, agenda.UpdateOccurrence{ID: id, Start: name})
			return err
		},
		"one less": func() error {
			_, err := w.use.DeleteOccurrence(t.Context(), w.full, agenda.DeleteOccurrence{ID: id, Start: name})
			return err
		},
	} {
		t.Log(what)
		w.unchanged(fault.Forbidden, fault.CodeForbidden, request)
	}
	list, err := w.use.ListOccurrences(t.Context(), w.Again(w.full), agenda.ListOccurrences{ID: id, From: opt.Of(w.at(-24 * time.Hour)), To: opt.Of(w.at(200 * time.Hour))})
	if err != nil || len(list.Data) != 3 {
		t.Errorf("when it takes place is %+v, %v", list, err)
	}
	for filter, in := range map[string]agenda.SearchEvents{
		"customer": {CustomerID: opt.Of(int64(1004))}, "product": {ProductID: opt.Of(p)}, "external id": {ExternalID: opt.Of("x")}, "": {UserIDs: opt.Of([]int64{101})},
	} {
		if got := len(w.search(in)); (got > 0) != (filter == "") {
			t.Errorf("filtered by %s %d are found", filter, got)
		}
	}
}

func TestEventsOutliveProductsAndUsers(t *testing.T) {
	w := newWorld(t)
	p := w.product()
	c := w.event(time.Hour, 104)
	c.ProductIDs = opt.Of([]int64{p})
	id := w.create(c)
	no, n := false, network()
	n.Sites = n.Sites[:1]
	for i := range n.Sites[0].Users {
		if n.Sites[0].Users[i].ID == 104 {
			n.Sites[0].Users[i].IsActive = &no
		}
	}
	w.Provision(transfer.Setup{Sites: n.Sites})
	_, err := w.Listing.DeleteProduct(t.Context(), w.Again(w.full), listing.DeleteProduct{ID: p})
	w.must(err)
	got := w.get(id)
	if !slices.Equal(got.UserIDs, []int64{104}) || len(got.ProductIDs) > 0 { // no answer names what is gone
		t.Errorf("the event is %+v", got)
	}
	w.must(w.update(id, planning.Change{Title: opt.Of("Autre"), UserIDs: opt.Of([]int64{104, 101}), ProductIDs: opt.Of([]int64{p})}))
	_, err = w.use.CreateCalendarEvent(t.Context(), w.Again(w.full), agenda.CreateEvent{Change: c})
	if found := fault.From(err); len(found.Details) != 2 {
		t.Errorf("a new event of both: %v %+v", err, found.Details)
	}
}

// A search request is one of those who attend, also after they changed.
func TestTheSearchIsThatOfACustomerWhoAttends(t *testing.T) {
	w := newWorld(t)
	search, err := w.People.CreateSearchRequest(t.Context(), w.full, people.CreateSearchRequest{CustomerID: 1004, Change: demand.Change{TransactionType: opt.Of("Vente")}})
	w.must(err)
	c := w.event(time.Hour, 101)
	c.CustomerIDs, c.SearchID = opt.Of([]int64{1004}), opt.Of(search.ID)
	id := w.create(c)
	w.invalid(fault.CodeUnknownSearch, "search_id", func() error { return w.update(id, planning.Change{CustomerIDs: opt.Of([]int64{1001})}) })
	w.must(w.update(id, planning.Change{CustomerIDs: opt.Of([]int64{1001}), SearchID: opt.Null[int64]()}))
}

func TestTypesAreListedByPosition(t *testing.T) {
	w := newWorld(t)
	list, err := w.use.ListEventTypes(t.Context(), w.full, struct{}{})
	w.must(err)
	var got []string
	for _, k := range list.Data {
		got = append(got, fmt.Sprintf("%s %d %d %d %t %t", k.Model, k.DurationMinutes, k.BufferBefore, k.BufferAfter, k.IsBusy, k.IsLeave))
	}
	want := []string{
		"VISITE 45 15 15 true false", "ESTIMATION 60 15 15 true false", "RDV 60 0 0 true false", "SIGNATURE 90 0 0 true false", "ETAT_DES_LIEUX 60 15 15 true false",
		"APPEL 15 0 0 true false", "TACHE 30 0 0 false false", "CONGE 1440 0 0 true true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the types are %v", got)
	}
}

package agenda_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

// overDST is a visit every Tuesday at nine in Paris, across the end of summer time.
func overDST(w *world) int64 {
	return w.create(planning.Change{
		Type: opt.Of("VISITE"), Title: opt.Of("Visite"), StartAt: opt.Of("2026-10-20T09:00:00"), EndAt: opt.Of("2026-10-20T10:00:00"),
		RRule: opt.Of("FREQ=WEEKLY;COUNT=4"), UserIDs: opt.Of([]int64{101}),
	})
}

// starts are those of all occurrences of an event, and their original ones.
func (w *world) starts(id int64) (starts, originals []string) {
	w.T.Helper()
	list, err := w.use.ListOccurrences(w.T.Context(), w.Again(w.full), agenda.ListOccurrences{ID: id, From: opt.Of("2026-01-01"), To: opt.Of("2036-01-01")})
	w.must(err)
	for _, o := range list.Data {
		starts = append(starts, o.StartAt.Format("20060102T150405Z"))
		if o.Occurrence != nil {
			originals = append(originals, o.Occurrence.Format("20060102T150405Z"))
		}
	}
	return starts, originals
}

func (w *world) updateOccurrence(id int64, start string, c planning.OccurrenceChange) error {
	_, err := w.use.UpdateOccurrence(w.T.Context(), w.Again(w.full), agenda.UpdateOccurrence{ID: id, Start: start, OccurrenceChange: c})
	return err
}

func (w *world) deleteOccurrence(id int64, start string) error {
	_, err := w.use.DeleteOccurrence(w.T.Context(), w.Again(w.full), agenda.DeleteOccurrence{ID: id, Start: start})
	return err
}

func TestOccurrencesKeepTheirTimeByTheClock(t *testing.T) {
	w := newWorld(t)
	starts, _ := w.starts(overDST(w))
	if want := []string{"20261020T070000Z", "20261027T080000Z", "20261103T080000Z", "20261110T080000Z"}; !slices.Equal(starts, want) {
		t.Errorf("it starts at %v, want %v", starts, want)
	}
	whole := w.create(planning.Change{
		Type: opt.Of("CONGE"), Title: opt.Of("Congé"), AllDay: opt.Of(true), StartDate: opt.Of("2026-10-24"), EndDate: opt.Of("2026-10-24"), RRule: opt.Of("FREQ=DAILY;UNTIL=20261026"), UserIDs: opt.Of([]int64{101}),
	})
	starts, _ = w.starts(whole)
	if want := []string{"20261023T220000Z", "20261024T220000Z", "20261025T230000Z"}; !slices.Equal(starts, want) {
		t.Errorf("the days begin at %v, want %v", starts, want)
	}
	w.must(w.deleteOccurrence(whole, "20261025"))
	if starts, _ = w.starts(whole); len(starts) != 2 {
		t.Errorf("the days begin at %v", starts)
	}
}

func TestOneOccurrenceChangesAndStaysInItsSeries(t *testing.T) {
	w := newWorld(t)
	id := overDST(w)
	w.told(func() error {
		return w.updateOccurrence(id, "20261027T080000Z", planning.OccurrenceChange{StartAt: opt.Of("2026-10-28T15:00:00"), EndAt: opt.Of("2026-10-28T16:00:00"), Title: opt.Of("Autre"), Status: opt.Of("CONFIRME")})
	}, "APPOINTMENT_UPDATE")
	starts, originals := w.starts(id)
	if want := []string{"20261020T070000Z", "20261028T140000Z", "20261103T080000Z", "20261110T080000Z"}; !slices.Equal(starts, want) {
		t.Errorf("it starts at %v, want %v", starts, want)
	}
	if originals[1] != "20261027T080000Z" {
		t.Errorf("the original starts are %v", originals)
	}
	var shown []string
	for _, f := range w.search(agenda.SearchEvents{}) {
		shown = append(shown, *f.Title+" "+f.Status)
	}
	if want := []string{"Visite PREVU", "Autre CONFIRME", "Visite PREVU", "Visite PREVU"}; !slices.Equal(shown, want) {
		t.Errorf("a search shows %v", shown)
	}
	w.told(func() error { return w.update(id, planning.Change{Title: opt.Of("Neuf")}) }, "APPOINTMENT_UPDATE")
	if got := w.search(agenda.SearchEvents{}); *got[1].Title != "Autre" || *got[2].Title != "Neuf" {
		t.Errorf("after a change of the series they are %s and %s", *got[1].Title, *got[2].Title)
	}
	w.told(func() error { return w.deleteOccurrence(id, "20261027T080000Z") }, "APPOINTMENT_UPDATE")
	if starts, _ := w.starts(id); len(starts) != 3 || len(w.get(id).Exdates) != 1 {
		t.Errorf("it starts at %v", starts)
	}
	gone := func() error { return w.deleteOccurrence(id, "20261027T080000Z") }
	w.unchanged(fault.NotFound, fault.CodeNotFound, gone)
	for _, name := range []string{"20261028T140000Z", "20261027", "x", "20261103T080001Z", "2026-11-03T08:00:00Z"} {
		w.unchanged(fault.NotFound, fault.CodeNotFound, func() error { return w.updateOccurrence(id, name, planning.OccurrenceChange{Title: opt.Of("")}) })
	}
	single := w.create(w.event(time.Hour, 101))
	w.unchanged(fault.NotFound, fault.CodeNotFound, func() error {
		return w.deleteOccurrence(single, w.Clock.Now().Add(time.Hour).Format("20060102T150405Z"))
	})
}

func TestWhatIsWrongWithOneOccurrenceIsSaid(t *testing.T) {
	w := newWorld(t)
	id := overDST(w)
	for field, c := range map[string]struct {
		change planning.OccurrenceChange
		code   fault.Code
	}{
		"title":          {planning.OccurrenceChange{Title: opt.Null[string]()}, fault.CodeRequired},
		"end_at":         {planning.OccurrenceChange{StartAt: opt.Of("2026-10-30T09:00:00")}, fault.CodeOutOfRange},
		"start_at":       {planning.OccurrenceChange{StartAt: opt.Null[string]()}, fault.CodeRequired},
		"status":         {planning.OccurrenceChange{Status: opt.Of("X")}, fault.CodeCriteriaValueUnknown},
		"meeting_url":    {planning.OccurrenceChange{MeetingURL: opt.Of("x")}, fault.CodeInvalidFormat},
		"product_ids[0]": {planning.OccurrenceChange{ProductIDs: opt.Of([]int64{77_777})}, fault.CodeUnknownProduct},
	} {
		w.invalid(c.code, field, func() error {
			_, err := w.use.UpdateOccurrence(t.Context(), w.full, agenda.UpdateOccurrence{ID: id, Start: "20261027T080000Z", IfMatch: stale(), OccurrenceChange: c.change})
			return err
		})
	}
	w.must(w.updateOccurrence(id, "20261027T080000Z", planning.OccurrenceChange{Status: opt.Of("ANNULE")}))
	w.unchanged(fault.Conflict, fault.CodeInvalidTransition, func() error {
		_, err := w.use.UpdateOccurrence(t.Context(), w.full, agenda.UpdateOccurrence{ID: id, Start: "20261027T080000Z", IfMatch: stale(), OccurrenceChange: planning.OccurrenceChange{Status: opt.Of("PREVU")}})
		return err
	})
	w.unchanged(fault.Stale, fault.CodePreconditionFailed, func() error {
		_, err := w.use.DeleteOccurrence(t.Context(), w.full, agenda.DeleteOccurrence{ID: id, Start: "20261027T080000Z", IfMatch: stale()})
		return err
	})
}

// A series has at most 500 exceptions, however they came about.
func TestASeriesHasAtMostFiveHundredExceptions(t *testing.T) {
	w := newWorld(t)
	c := w.event(time.Hour, 101)
	c.RRule = opt.Of("FREQ=DAILY")
	id := w.create(c)
	var except []string
	for n := range 500 {
		except = append(except, w.Clock.Now().Add(time.Hour).AddDate(0, 0, n+1000).Format(time.RFC3339))
	}
	w.must(w.update(id, planning.Change{Exdates: opt.Of(except)}))
	name := w.Clock.Now().Add(time.Hour).AddDate(0, 0, 1).Format("20060102T150405Z")
	w.invalid(fault.CodeOutOfRange, "exdates", func() error { return w.deleteOccurrence(id, name) })
}

func TestOccurrencesAreListedInAWindow(t *testing.T) {
	w := newWorld(t)
	id := overDST(w)
	list := func(from, to string, count opt.Field[int]) (agenda.Occurrences, error) {
		return w.use.ListOccurrences(t.Context(), w.Again(w.full), agenda.ListOccurrences{ID: id, From: opt.Of(from), To: opt.Of(to), Count: count})
	}
	got, err := list("2026-10-27T08:00:00Z", "2026-11-10T08:00:00Z", opt.Of(1))
	if err != nil || len(got.Data) != 1 || !got.HasMore || got.Data[0].Status != "PREVU" {
		t.Errorf("the first of two is %+v, %v", got, err)
	}
	if got, err = list("2026-10-27T08:00:00Z", "2026-11-10T08:00:00Z", opt.Of(2)); err != nil || len(got.Data) != 2 || got.HasMore {
		t.Errorf("both are %+v, %v", got, err)
	}
	w.invalid(fault.CodeOutOfRange, "to", func() error { _, err := list("2026-10-27", "2046-12-27", opt.Field[int]{}); return err })
	w.invalid(fault.CodeOutOfRange, "count", func() error { _, err := list("2026-10-27", "2027-12-27", opt.Of(1001)); return err })
	single := w.create(w.event(time.Hour, 101))
	if starts, originals := w.starts(single); len(starts) != 1 || originals != nil {
		t.Errorf("a single event starts at %v", starts)
	}
}

func TestAnAnswerMayBeForOneOccurrence(t *testing.T) {
	w := newWorld(t)
	id := overDST(w)
	answer := func(occurrence string) error {
		_, err := w.use.AnswerCalendarEvent(t.Context(), w.Again(w.full), agenda.AnswerEvent{ID: id, AttendeeID: opt.Of(int64(1)), Answer: opt.Of("REFUSE"), Occurrence: opt.Of(occurrence)})
		return err
	}
	w.told(func() error { return answer("2026-10-27T08:00:00Z") }, "APPOINTMENT_UPDATE")
	w.told(func() error { return answer("20261103T080000Z") }, "APPOINTMENT_UPDATE")
	w.told(func() error { return answer("20261103T080000Z") })
	w.invalid(fault.CodeOutOfRange, "occurrence", func() error { return answer("2026-10-28T08:00:00Z") })
	var answers []string
	for _, f := range w.search(agenda.SearchEvents{}) {
		answers = append(answers, f.Attendees[0].Answer)
	}
	if want := []string{"EN_ATTENTE", "REFUSE", "REFUSE", "EN_ATTENTE"}; !slices.Equal(answers, want) {
		t.Errorf("the answers are %v", answers)
	}
	busy, err := w.use.ListFreeBusy(t.Context(), w.Again(w.full), agenda.ListFreeBusy{UserIDs: opt.Of("101"), From: opt.Of("2026-10-15"), To: opt.Of("2026-12-01")})
	if err != nil || len(busy.Data[0].Busy) != 2 {
		t.Errorf("busy is %+v, %v", busy, err)
	}
}

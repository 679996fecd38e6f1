package agenda_test

import (
	"context"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/usecase/agenda"
)

// watched is a store that notes for which users a unit of work that writes reads what
// takes their time, and which of them it had not taken hold of before.
type watched struct {
	port.Store
	read, loose []site.UserID
}

// Update implements port.Store.
func (w *watched) Update(ctx context.Context, fn func(port.Tx) error) error {
	return w.Store.Update(ctx, func(tx port.Tx) error { return fn(port.Tx{Roles: &watchedTx{Roles: tx.Roles, watched: w}}) })
}

type watchedTx struct {
	port.Roles
	watched *watched
	held    []site.UserID
}

func (t *watchedTx) Calendars() port.Calendars { return watchedCalendars{t.Roles.Calendars(), t} }

func (t *watchedTx) Records() port.Records { return watchedRecords{t.Roles.Records(), t} }

type watchedCalendars struct {
	port.Calendars
	unit *watchedTx
}

func (c watchedCalendars) Hold(of site.ID, users []site.UserID) error {
	c.unit.held = append(c.unit.held, users...)
	return c.Calendars.Hold(of, users)
}

type watchedRecords struct {
	port.Records
	unit *watchedTx
}

func (r watchedRecords) Find(k port.Kind, q port.Query) ([]any, error) {
	for _, c := range q.Where {
		if c.Link != "user" || len(q.Where) > 1 { // which Appointments.AttendedBy alone asks for
			continue
		}
		for _, user := range c.IDs {
			r.unit.watched.read = append(r.unit.watched.read, site.UserID(user))
			if !slices.Contains(r.unit.held, site.UserID(user)) {
				r.unit.watched.loose = append(r.unit.watched.loose, site.UserID(user))
			}
		}
	}
	return r.Records.Find(k, q)
}

// TestWhoGivesTimeAwayHoldsTheCalendarsFirst: otherwise two units could both find the same
// time free. In memory units take turns, so no race would show it.
func TestWhoGivesTimeAwayHoldsTheCalendarsFirst(t *testing.T) {
	store := &watched{Store: memstore.New()}
	w := over(t, store)
	w.works(104, 105)
	w.opens(nil)
	p := w.product()
	gives := func(what string, request func() error) {
		t.Helper()
		store.read, store.loose = nil, nil
		w.must(request())
		if len(store.read) == 0 || len(store.loose) > 0 {
			t.Errorf("%s reads what takes the time of %v, and has not held the calendars of %v", what, store.read, store.loose)
		}
	}
	var made agenda.CreatedBooking
	gives("a booking", func() error { made = w.booked(request(p, nine, 1)); return nil })
	gives("a hold", func() error {
		_, err := w.use.CreateBookingHold(t.Context(), w.Again(w.website), agenda.CreateHold{ID: p, StartAt: opt.Of(nine)})
		return err
	})
	gives("a booking that moves", func() error {
		_, err := w.use.RescheduleBooking(t.Context(), w.Again(w.website), agenda.RescheduleBooking{ID: made.ID, Token: made.Token, StartAt: opt.Of(ten)})
		return err
	})
	gives("an event that must meet no other", func() error {
		_, err := w.use.CreateCalendarEvent(t.Context(), w.Again(w.full), agenda.CreateEvent{
			ConflictChoice: agenda.ConflictChoice{OnConflict: opt.Of("REFUSE")}, Change: w.event(0, 104),
		})
		return err
	})
}

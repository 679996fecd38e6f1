package porttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/port"
)

func anyCalendar(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Calendars().Hold(id, nil) },
			func() error { return tx.Calendars().Hold(id, []site.UserID{3, 1, 3}) },
			func() error { return tx.Calendars().Hold(id, []site.UserID{1, 2}) },
			func() error { return tx.Calendars().Hold(other, []site.UserID{1}) },
			func() error { return tx.Schedules().Put(slot.Schedule{Site: id, User: 1}) },
		)
	})
	// What is held once is free afterwards, whatever became of the unit.
	err := w.Update(t.Context(), func(tx port.Tx) error {
		return errors.Join(tx.Calendars().Hold(id, []site.UserID{1, 2, 4}), errAborted)
	})
	if !errors.Is(err, errAborted) {
		t.Error(err)
	}
	w.update(t, func(tx port.Tx) error { return tx.Calendars().Hold(id, []site.UserID{4, 3, 2, 1}) })
}

// heldIsWaitedFor lets a unit wait for one of two calendars that another one holds,
// until it may wait no longer.
func heldIsWaitedFor(t *testing.T, w *world) {
	id := w.site(t)
	held, release, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- w.Update(t.Context(), func(tx port.Tx) error {
			err := tx.Calendars().Hold(id, []site.UserID{1, 2})
			close(held)
			<-release
			return err
		})
	}()
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := w.Update(ctx, func(tx port.Tx) error {
		return errors.Join(tx.Calendars().Hold(id, []site.UserID{3, 2}), tx.Schedules().Put(slot.Schedule{Site: id, User: 2}))
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting ended with %v, want context.DeadlineExceeded", err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Errorf("the unit that was waited for: %v", err)
	}
	w.notFound(t, "what the unit that waited would have written", func(tx port.Tx) error { _, err := tx.Schedules().Get(id, 2); return err })
}

// heldOnce lets workers give away the time of the same users, of which each has as
// much as a few: none is given away twice, and none is left. They name the users in
// different orders, and some units fail. Those that wait for each other in a circle
// have to run again; a few may for reasons of the store.
func heldOnce(t *testing.T, w *world) {
	const few = 2
	id, now := w.site(t), instant(0)
	var runs atomic.Int64
	for round := range rounds {
		users := make([]site.UserID, 4)
		for n := range users {
			users[n] = site.UserID(10*round + n + 1)
		}
		together(t, workers, func(ctx context.Context, i int) error {
			asked := slices.Concat(users[i%4:], users[:i%4])
			if i%2 == 0 {
				slices.Reverse(asked)
			}
			asked = asked[:2+i%3]
			err := w.Update(ctx, func(tx port.Tx) error {
				runs.Add(1)
				if _, err := tx.Sites().Get(id); err != nil { // what is no calendar may be read before
					return err
				}
				if err := tx.Calendars().Hold(id, asked); err != nil {
					return err
				}
				for _, user := range asked {
					taken, err := tx.Holds().Of(id, []site.UserID{user}, now)
					if err != nil {
						return err
					}
					if len(taken) == few {
						continue
					}
					if err := tx.Holds().Put(planning.Hold{Site: id, ID: planning.HoldID(100*int(user) + i), User: user, Expires: instant(1)}); err != nil {
						return err
					}
				}
				if i%4 == 3 {
					return errAborted
				}
				return nil
			})
			if errors.Is(err, errAborted) {
				return nil
			}
			return err
		})
		w.view(t, func(tx port.Tx) error {
			for _, user := range users {
				taken, err := tx.Holds().Of(id, []site.UserID{user}, now)
				if err != nil {
					return err
				}
				same(t, fmt.Sprint("how often the time of user ", user, " was given away"), few, len(taken))
			}
			return nil
		})
	}
	if again := runs.Load() - workers*rounds; again > 3 {
		t.Errorf("%d of %d units ran again", again, workers*rounds)
	}
}

// heldCrosswise lets units hold the same two calendars in opposite orders, one by
// one. There are few, because an engine may look for deadlocks once a second.
func heldCrosswise(t *testing.T, w *world) {
	id := w.site(t)
	together(t, 2, func(ctx context.Context, i int) error {
		for round := range 2 {
			err := w.Update(ctx, func(tx port.Tx) error {
				for n := range 2 {
					if err := tx.Calendars().Hold(id, []site.UserID{site.UserID((i+n)%2 + 1)}); err != nil {
						return err
					}
				}
				return tx.Holds().Put(planning.Hold{Site: id, ID: planning.HoldID(10*i + round + 1)})
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	w.view(t, func(tx port.Tx) error {
		made, err := tx.Holds().Existing(id, []planning.HoldID{1, 2, 11, 12})
		same(t, "what was made", []planning.HoldID{1, 2, 11, 12}, made)
		return err
	})
}

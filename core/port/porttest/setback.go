package porttest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// SetBack holds a store to the law that a number which was told never comes again with
// other content, even where the database behind the store is set back: by a failover that
// loses the end, by a recovery, by a restored copy. open makes an empty store, and what
// sets it back: keep remembers the present state, back returns to it, as seen by the same
// store, which lives on.
func SetBack(t *testing.T, open func(testing.TB) (s port.Store, keep func() (back func()))) {
	for name, first := range map[string]func(testing.TB, *world, site.ID) error{
		"AHead": func(t testing.TB, w *world, id site.ID) error {
			_, err := w.Head(t.Context(), id)
			return err
		},
		"AView": func(t testing.TB, w *world, id site.ID) error {
			return w.View(t.Context(), func(tx port.Tx) error {
				_, err := tx.Ledger().Head(id)
				return err
			})
		},
		"AnEvent": func(t testing.TB, w *world, id site.ID) error {
			return w.Update(t.Context(), func(tx port.Tx) error {
				_, err := tx.Ledger().Append(id, instant(9), happenings(id, 1))
				return err
			})
		},
		"AnAspect": func(t testing.TB, w *world, id site.ID) error {
			return w.Update(t.Context(), func(tx port.Tx) error { return tx.Ledger().Touch(id, port.AspectAccess) })
		},
		"AnID": func(t testing.TB, w *world, _ site.ID) error {
			return w.Update(t.Context(), func(tx port.Tx) error {
				_, err := tx.NextIDs(port.ProductIDs, 1)
				return err
			})
		},
	} {
		t.Run("First"+name, func(t *testing.T) {
			t.Parallel()
			s, keep := open(t)
			w := &world{Store: s}
			id := w.site(t)
			w.tells(t, id)
			back := keep()
			told := w.tells(t, id)
			back()
			// Whoever comes first may be told to ask again, and nothing else.
			if err := first(t, w, id); err != nil && !errors.Is(err, fault.Unavailable) {
				t.Fatal(err)
			}
			w.headIsPast(t, id, told)
			w.isPast(t, told, w.tells(t, id))
			if _, err := w.Head(t.Context(), id+100); !errors.Is(err, fault.NotFound) {
				t.Errorf("the head of a site that is not there: %v", err)
			}
			again := keep()
			told = w.tells(t, id)
			again()
			if err := first(t, w, id); err != nil && !errors.Is(err, fault.Unavailable) {
				t.Fatal(err)
			}
			w.isPast(t, told, w.tells(t, id))
		})
	}
}

// told are numbers that were given away.
type told struct {
	head port.Head
	ids  [port.Sequences]int64
}

func happenings(id site.ID, n int) []event.Event {
	all := make([]event.Event, n)
	for i := range all {
		all[i] = event.Event{Site: id, Type: event.ProductUpdate, Resource: int64(i + 1)}
	}
	return all
}

// tells does a little of everything that gives numbers away.
func (w *world) tells(t testing.TB, id site.ID) (n told) {
	t.Helper()
	w.update(t, func(tx port.Tx) error {
		if _, err := tx.Ledger().Append(id, instant(1), happenings(id, 3)); err != nil {
			return err
		}
		for _, aspect := range []port.Aspect{port.AspectSettings, port.AspectAccess, port.AspectRejections} {
			if err := tx.Ledger().Touch(id, aspect); err != nil {
				return err
			}
		}
		for s := range port.Sequences {
			ids, err := tx.NextIDs(s, 2)
			if err == nil && len(ids) != 2 {
				err = fmt.Errorf("%d ids instead of two", len(ids))
			}
			if err != nil {
				return fmt.Errorf("sequence %d: %w", s, err)
			}
			n.ids[s] = ids[len(ids)-1]
		}
		return nil
	})
	n.head = w.head(t, id)
	return n
}

// headIsPast holds the present head against what was told: nobody may take it for one
// they know.
func (w *world) headIsPast(t testing.TB, id site.ID, before told) {
	t.Helper()
	now := w.head(t, id)
	for name, n := range map[string][2]int64{
		"seq": {before.head.Seq, now.Seq}, "settings": {before.head.Settings, now.Settings},
		"access": {before.head.Access, now.Access}, "rejections": {before.head.Rejections, now.Rejections},
	} {
		if n[1] <= n[0] {
			t.Errorf("%s was %d, and is %d", name, n[0], n[1])
		}
	}
}

// isPast holds numbers against those that were told before.
func (w *world) isPast(t testing.TB, before, after told) {
	t.Helper()
	if after.head.Seq <= before.head.Seq || after.head.Settings <= before.head.Settings || after.head.Access <= before.head.Access {
		t.Errorf("the head was %+v, and is %+v", before.head, after.head)
	}
	for s, id := range before.ids {
		// Two were drawn, so the one before counts too.
		if after.ids[s]-1 <= id {
			t.Errorf("sequence %d gave %d, and then %d", s, id, after.ids[s])
		}
	}
}

package porttest

import (
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

func turnExamples() []example {
	return []example{
		{"ATurnIsTakenHeldAndReleased", turnGoesRound},
		{"ATurnThatEndedIsTakenOver", turnIsTakenOver},
		{"TheLongestUnservedComesFirst", longestUnserved},
		{"OnlyPendingDeliveriesMakeATurnDue", pendingMakesDue},
		{"HastenMovesWhatIsDueLater", hastenMoves},
		{"AReleasedTurnIsDueWithItsNextDelivery", releasedIsDue},
	}
}

// settle stores what became of one delivery.
func settle(tx port.Tx, d webhook.Delivery, a *webhook.Attempt) error {
	return tx.Deliveries().Settle([]webhook.Settled{{Delivery: d, Attempt: a}})
}

// takes takes turns in a unit of its own.
func (w *world) takes(t *testing.T, holder string, now, until time.Time, n int) []webhook.Turn {
	t.Helper()
	var taken []webhook.Turn
	w.update(t, func(tx port.Tx) (err error) {
		taken, err = tx.Turns().Take(holder, now, until, n)
		return err
	})
	return taken
}

// due checks how many turns are due, and since when.
func (w *world) due(t *testing.T, now time.Time, count int, oldest time.Time) {
	t.Helper()
	w.view(t, func(tx port.Tx) error {
		n, at, err := tx.Turns().Due(now)
		same(t, "turns due", count, n)
		same(t, "due since", oldest, at)
		return err
	})
}

// holds checks whether a turn is still its holder's.
func (w *world) holds(t *testing.T, turn webhook.Turn, want bool) {
	t.Helper()
	w.update(t, func(tx port.Tx) error {
		held, err := tx.Turns().Hold(turn)
		if held != want {
			t.Errorf("the turn of %s is held: %t", turn.Holder, held)
		}
		return err
	})
}

// keeps checks which of some turns are still their holders'.
func (w *world) keeps(t *testing.T, given, want []webhook.Turn) {
	t.Helper()
	w.view(t, func(tx port.Tx) error {
		kept, err := tx.Turns().Kept(given)
		same(t, "turns that are kept", want, kept)
		return err
	})
}

// releases gives up a turn as whoever serves it does.
func (w *world) releases(t *testing.T, turn webhook.Turn) {
	t.Helper()
	w.update(t, func(tx port.Tx) error {
		held, err := tx.Turns().Hold(turn)
		if err != nil || !held {
			return errors.Join(err, errors.New("the turn is not held"))
		}
		return tx.Turns().Release(turn)
	})
}

func turnGoesRound(t *testing.T, w *world) {
	id := w.site(t)
	defer w.forget(t, id, 1)
	w.due(t, old(5), 0, time.Time{})
	w.adds(t, plainDelivery(id, 1, 1, 1, old(5)), plainDelivery(id, 1, 2, 2, old(8)))
	w.due(t, old(4), 0, time.Time{})
	w.due(t, old(5), 1, old(5))
	w.due(t, old(9), 1, old(5))
	same(t, "a turn before it is due", 0, len(w.takes(t, "me", old(4), old(20), 9)))
	same(t, "no turn", 0, len(w.takes(t, "me", old(5), old(20), 0)))
	same(t, "fewer turns than none", 0, len(w.takes(t, "me", old(5), old(20), -1)))

	turn, err := only(w.takes(t, "me", old(5), old(20), 9), nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the turn", webhook.Turn{Site: id, Hook: 1, Holder: "me", Until: old(20)}, turn)
	w.due(t, old(9), 0, time.Time{})
	for _, holder := range []string{"me", "you"} {
		same(t, "a turn that is taken", 0, len(w.takes(t, holder, old(10), old(30), 9)))
	}
	mine, yours, elsewhere := turn, turn, turn
	yours.Holder, elsewhere.Hook = "you", 2
	w.holds(t, mine, true)
	w.holds(t, yours, false)
	w.holds(t, elsewhere, false)
	w.keeps(t, []webhook.Turn{yours, mine, elsewhere}, []webhook.Turn{mine})
	w.keeps(t, []webhook.Turn{yours, elsewhere}, []webhook.Turn{})

	w.update(t, func(tx port.Tx) error { return tx.Turns().Extend(turn, old(40)) })
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Turns().Extend(yours, old(1000)) },
			func() error { return tx.Turns().Release(yours) },
		)
	})
	same(t, "a turn that was extended", 0, len(w.takes(t, "you", old(39), old(50), 9)))
	w.due(t, old(40), 1, old(5))

	w.releases(t, turn)
	w.holds(t, turn, false)
	same(t, "a turn that was released", []webhook.ID{1}, hookIDs(w.takes(t, "you", old(39), old(50), 9)))
	w.holds(t, yours, true)
	w.holds(t, mine, false)
}

func turnIsTakenOver(t *testing.T, w *world) {
	id := w.site(t)
	defer w.forget(t, id, 1)
	w.adds(t, plainDelivery(id, 1, 1, 1, old(0)))
	mine, err := only(w.takes(t, "me", old(1), old(10), 1), nil)
	yours, err2 := only(w.takes(t, "you", old(10), old(20), 1), nil)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	w.holds(t, mine, false)
	w.holds(t, yours, true)
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Turns().Release(mine) },
			func() error { return tx.Turns().Extend(mine, old(11)) },
		)
	})
	w.holds(t, yours, true)
	same(t, "a turn somebody tried to give up", 0, len(w.takes(t, "me", old(19), old(30), 1)))
}

func longestUnserved(t *testing.T, w *world) {
	id := w.site(t)
	all := []webhook.ID{1, 2, 3, 4}
	defer w.forget(t, id, all...)
	// Those never served come by when they are due.
	for i, due := range []int{3, 1, 2, 4} {
		w.adds(t, plainDelivery(id, all[i], webhook.DeliveryID(i+1), 1, old(due)))
	}
	now := 10
	next := func(want ...webhook.ID) []webhook.Turn {
		t.Helper()
		now++
		taken := w.takes(t, "me", old(now), old(1000), len(want))
		same(t, "turns", want, hookIDs(taken))
		return taken
	}
	serve := func(want ...webhook.ID) {
		t.Helper()
		for _, turn := range next(want...) {
			w.releases(t, turn)
		}
	}
	serve(2)
	serve(3)
	serve(1, 4)
	serve(2)
	w.adds(t, plainDelivery(id, 3, 9, 1, old(0)))
	serve(3) // not because it is due since old(0): those served at the same time come by that
	w.adds(t, plainDelivery(id, 4, 10, 1, old(0)))
	serve(4)
	next(1, 2)
	next(3)
}

func pendingMakesDue(t *testing.T, w *world) {
	id := w.site(t)
	defer w.forget(t, id, 1, 2)
	for status := webhook.Succeeded; status < webhook.Statuses; status++ {
		d := plainDelivery(id, 1, webhook.DeliveryID(status), 1, old(0))
		d.Status = status
		w.adds(t, d)
	}
	w.due(t, old(99), 0, time.Time{})
	over := plainDelivery(id, 2, 52, 1, old(1))
	over.Status = webhook.Cancelled
	w.adds(t, plainDelivery(id, 2, 50, 1, old(9)), plainDelivery(id, 2, 51, 1, old(7)), over, plainDelivery(id, 2, 53, 1, old(8)))
	w.due(t, old(99), 1, old(7))
	w.adds(t, plainDelivery(id, 2, 54, 1, old(8)))
	w.due(t, old(99), 1, old(7))
	w.adds(t, plainDelivery(id, 2, 55, 1, old(6)))
	w.due(t, old(99), 1, old(6))
}

func hastenMoves(t *testing.T, w *world) {
	id := w.site(t)
	defer w.forget(t, id, 1, 2)
	over := plainDelivery(id, 1, 4, 4, old(9))
	over.Status = webhook.Cancelled
	w.adds(t, plainDelivery(id, 1, 1, 1, old(7)), plainDelivery(id, 1, 2, 2, old(9)), plainDelivery(id, 1, 3, 3, old(5)), over,
		plainDelivery(id, 2, 5, 1, old(9)))
	dues := func(want ...time.Time) {
		t.Helper()
		w.view(t, func(tx port.Tx) error {
			var got []time.Time
			for _, d := range []webhook.DeliveryID{1, 2, 3, 4} {
				found, err := tx.Deliveries().Get(id, 1, d)
				if err != nil {
					return err
				}
				got = append(got, found.Due)
			}
			same(t, "due", want, got)
			return nil
		})
	}
	hasten := func(to time.Time) {
		t.Helper()
		w.update(t, func(tx port.Tx) error { return tx.Deliveries().Hasten(id, 1, to) })
	}
	hasten(old(10))
	dues(old(7), old(9), old(5), old(9))
	w.due(t, old(99), 2, old(5))
	hasten(old(6))
	dues(old(6), old(6), old(5), old(9))
	w.due(t, old(5), 1, old(5))
	hasten(old(2))
	dues(old(2), old(2), old(2), old(9))
	w.due(t, old(2), 1, old(2))

	// Also while the webhook is served.
	turn, err := only(w.takes(t, "me", old(3), old(20), 9), nil)
	if err != nil {
		t.Fatal(err)
	}
	hasten(old(1))
	w.holds(t, turn, true)
	w.releases(t, turn)
	w.due(t, old(3), 1, old(1))
}

func releasedIsDue(t *testing.T, w *world) {
	id := w.site(t)
	defer w.forget(t, id, 1, 2)
	// Deliveries of one resource go in order, so the webhook is due with the
	// first of each.
	about := func(resource int64, d webhook.Delivery) webhook.Delivery {
		d.Resource = resource
		return d
	}
	first, second := about(1, plainDelivery(id, 1, 1, 1, old(1))), about(2, plainDelivery(id, 1, 2, 2, old(2)))
	behind := about(1, plainDelivery(id, 1, 66, 9, old(3)))
	w.adds(t, first, second, behind, plainDelivery(id, 2, 3, 1, old(900)))
	now := 10
	serve := func(work func(tx port.Tx) error) {
		t.Helper()
		now++
		turn, err := only(w.takes(t, "me", old(now), old(now+500), 9), nil)
		if err != nil {
			t.Fatal(err)
		}
		w.update(t, work)
		w.releases(t, turn)
	}
	ends := func(d webhook.Delivery) func(port.Tx) error {
		return func(tx port.Tx) error { return settle(tx, d, nil) }
	}
	first.Due = old(50)
	serve(ends(first))
	w.due(t, old(49), 1, old(2))
	second.Status = webhook.Succeeded
	serve(ends(second))
	w.due(t, old(49), 0, time.Time{})
	w.due(t, old(50), 1, old(50))
	now = 50
	serve(func(tx port.Tx) error {
		return tx.Deliveries().Add([]webhook.Delivery{about(3, plainDelivery(id, 1, 4, 3, old(60))), about(4, plainDelivery(id, 1, 5, 4, old(40)))})
	})
	w.due(t, old(51), 1, old(40))
	serve(func(tx port.Tx) error { return tx.Deliveries().Cancel(id, 1, "over") })
	w.due(t, old(800), 0, time.Time{})
	// A turn with nothing to do is due again when there is something.
	w.adds(t, plainDelivery(id, 1, 6, 5, old(70)))
	w.due(t, old(800), 1, old(70))
	// Deliveries and turn may end in one unit.
	now = 80
	turn, err := only(w.takes(t, "me", old(now), old(500), 9), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.update(t, func(tx port.Tx) error {
		if held, err := tx.Turns().Hold(turn); err != nil || !held {
			t.Errorf("held %t, %v", held, err)
		}
		return try(
			func() error { return tx.Deliveries().Cancel(id, 1, "over") },
			func() error { return tx.Turns().Release(turn) },
		)
	})
	w.due(t, old(800), 0, time.Time{})
}

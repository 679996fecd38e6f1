package porttest

import (
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func leaseExamples() []example {
	return []example{
		{"ALeaseIsTakenHeldAndReleased", leaseGoesRound},
		{"ALeaseThatEndedIsTakenOver", leaseIsTakenOver},
		{"TheLongestUnservedComesFirst", longestUnserved},
		{"OnlyPendingDeliveriesMakeAWebhookDue", pendingMakesDue},
		{"HastenMovesWhatIsDueLater", hastenMoves},
		{"AReleasedWebhookIsDueWithItsNextDelivery", releasedIsDue},
	}
}

// settle stores what became of one delivery.
func settle(tx port.Tx, d webhook.Delivery, a *webhook.Attempt) error {
	return tx.Deliveries().Settle([]webhook.Settled{{Delivery: d, Attempt: a}})
}

// takes takes leases in a unit of its own.
func (w *world) takes(t *testing.T, holder string, now, until time.Time, n int) []webhook.Lease {
	t.Helper()
	var taken []webhook.Lease
	w.update(t, func(tx port.Tx) (err error) {
		taken, err = tx.Leases().Take(holder, now, until, n)
		return err
	})
	return taken
}

// due checks how many webhooks are due, and since when.
func (w *world) due(t *testing.T, now time.Time, count int, oldest time.Time) {
	t.Helper()
	w.view(t, func(tx port.Tx) error {
		n, at, err := tx.Leases().Due(now)
		same(t, "webhooks due", count, n)
		same(t, "due since", oldest, at)
		return err
	})
}

// holds checks whether a lease is still its holder's.
func (w *world) holds(t *testing.T, lease webhook.Lease, want bool) {
	t.Helper()
	w.update(t, func(tx port.Tx) error {
		held, _, err := tx.Leases().Hold(lease)
		if held != want {
			t.Errorf("the lease of %s is held: %t", lease.Holder, held)
		}
		return err
	})
}

// keeps checks which of some leases are still their holders'.
func (w *world) keeps(t *testing.T, given, want []webhook.Lease) {
	t.Helper()
	w.view(t, func(tx port.Tx) error {
		kept, err := tx.Leases().Kept(given)
		same(t, "leases that are kept", want, kept)
		return err
	})
}

// releases gives up a lease as whoever serves it does.
func (w *world) releases(t *testing.T, lease webhook.Lease) {
	t.Helper()
	w.update(t, func(tx port.Tx) error {
		held, _, err := tx.Leases().Hold(lease)
		if err != nil || !held {
			return errors.Join(err, errors.New("the lease is not held"))
		}
		return tx.Leases().Release(lease)
	})
}

func leaseGoesRound(t *testing.T, w *world) {
	id := w.site(t)
	defer w.forget(t, id, 1)
	w.due(t, old(5), 0, time.Time{})
	w.adds(t, plainDelivery(id, 1, 1, 1, old(5)), plainDelivery(id, 1, 2, 2, old(8)))
	w.due(t, old(4), 0, time.Time{})
	w.due(t, old(5), 1, old(5))
	w.due(t, old(9), 1, old(5))
	same(t, "a lease before the webhook is due", 0, len(w.takes(t, "me", old(4), old(20), 9)))
	same(t, "no lease", 0, len(w.takes(t, "me", old(5), old(20), 0)))
	same(t, "fewer leases than none", 0, len(w.takes(t, "me", old(5), old(20), -1)))

	lease, err := only(w.takes(t, "me", old(5), old(20), 9), nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the lease", webhook.Lease{Site: id, Hook: 1, Holder: "me", Until: old(20)}, lease)
	w.due(t, old(9), 0, time.Time{})
	for _, holder := range []string{"me", "you"} {
		same(t, "a lease that is taken", 0, len(w.takes(t, holder, old(10), old(30), 9)))
	}
	mine, yours, elsewhere := lease, lease, lease
	yours.Holder, elsewhere.Hook = "you", 2
	w.holds(t, mine, true)
	w.holds(t, yours, false)
	w.holds(t, elsewhere, false)
	w.keeps(t, []webhook.Lease{yours, mine, elsewhere}, []webhook.Lease{mine})
	w.keeps(t, []webhook.Lease{yours, elsewhere}, []webhook.Lease{})

	w.update(t, func(tx port.Tx) error { return tx.Leases().Extend(lease, old(40)) })
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Leases().Extend(yours, old(1000)) },
			func() error { return tx.Leases().Release(yours) },
		)
	})
	same(t, "a lease that was extended", 0, len(w.takes(t, "you", old(39), old(50), 9)))
	w.due(t, old(40), 1, old(5))

	w.releases(t, lease)
	w.holds(t, lease, false)
	same(t, "a lease that was released", []webhook.ID{1}, hookIDs(w.takes(t, "you", old(39), old(50), 9)))
	w.holds(t, yours, true)
	w.holds(t, mine, false)
}

func leaseIsTakenOver(t *testing.T, w *world) {
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
			func() error { return tx.Leases().Release(mine) },
			func() error { return tx.Leases().Extend(mine, old(11)) },
		)
	})
	w.holds(t, yours, true)
	same(t, "a lease somebody tried to give up", 0, len(w.takes(t, "me", old(19), old(30), 1)))
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
	next := func(want ...webhook.ID) []webhook.Lease {
		t.Helper()
		now++
		taken := w.takes(t, "me", old(now), old(1000), len(want))
		same(t, "leases", want, hookIDs(taken))
		return taken
	}
	serve := func(want ...webhook.ID) {
		t.Helper()
		for _, lease := range next(want...) {
			w.releases(t, lease)
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
	lease, err := only(w.takes(t, "me", old(3), old(20), 9), nil)
	if err != nil {
		t.Fatal(err)
	}
	hasten(old(1))
	w.holds(t, lease, true)
	w.releases(t, lease)
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
		lease, err := only(w.takes(t, "me", old(now), old(now+500), 9), nil)
		if err != nil {
			t.Fatal(err)
		}
		w.update(t, work)
		w.releases(t, lease)
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
	// A webhook with nothing to do is due again when there is something.
	w.adds(t, plainDelivery(id, 1, 6, 5, old(70)))
	w.due(t, old(800), 1, old(70))
	// Deliveries and the lease may end in one unit.
	now = 80
	lease, err := only(w.takes(t, "me", old(now), old(500), 9), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.update(t, func(tx port.Tx) error {
		if held, _, err := tx.Leases().Hold(lease); err != nil || !held {
			t.Errorf("held %t, %v", held, err)
		}
		return try(
			func() error { return tx.Deliveries().Cancel(id, 1, "over") },
			func() error { return tx.Leases().Release(lease) },
		)
	})
	w.due(t, old(800), 0, time.Time{})
}

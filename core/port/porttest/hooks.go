package porttest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func deliveriesComeBack(t *testing.T, w *world) {
	id := w.site(t)
	far := plainDelivery(id, 5, 1<<45, -1, time.Time{})
	far.At, far.Added, far.Epoch, far.Resource = time.Time{}, instant(9), -1<<60, -1<<62
	for n, want := range []webhook.Delivery{sampleDelivery(id, 5, 1), {ID: 2, Site: id, Hook: 5, Due: instant(0)}, far} {
		w.update(t, func(tx port.Tx) error { return tx.Deliveries().Add([]webhook.Delivery{want}) })
		for status := range webhook.Statuses {
			want.Status = status
			w.update(t, func(tx port.Tx) error { return settle(tx, want, nil) })
			w.view(t, func(tx port.Tx) error {
				got, err := tx.Deliveries().Get(id, 5, want.ID)
				same(t, "delivery", want, got)
				listed, err2 := tx.Deliveries().List(port.DeliveryQuery{Site: id, Hook: 5, Limit: 9})
				if len(listed) != n+1 {
					t.Fatalf("%d deliveries in the log", len(listed))
				}
				same(t, "delivery in the log", want, listed[0])
				return errors.Join(err, err2)
			})
		}
	}
	w.update(t, func(tx port.Tx) error { return settle(tx, sampleDelivery(id, 5, 1), nil) })
	w.view(t, func(tx port.Tx) error {
		got, err := only(tx.Deliveries().Pending(id, 5, 9))
		same(t, "pending delivery", sampleDelivery(id, 5, 1), got)
		return err
	})
}

// adds stores deliveries.
func (w *world) adds(t *testing.T, added ...webhook.Delivery) {
	t.Helper()
	w.update(t, func(tx port.Tx) error { return tx.Deliveries().Add(added) })
}

// forget removes webhooks, so that they are due in no other example.
func (w *world) forget(t *testing.T, id site.ID, hooks ...webhook.ID) {
	t.Helper()
	w.update(t, func(tx port.Tx) error {
		for _, hook := range hooks {
			if err := tx.Webhooks().Delete(id, hook); err != nil {
				return err
			}
		}
		return nil
	})
}

func manyDeliveries(t *testing.T, w *world) {
	id := w.site(t)
	const n, hooks = 3210, 7
	var many []webhook.Delivery
	for i := range n {
		many = append(many, plainDelivery(id, webhook.ID(i%hooks+1), webhook.DeliveryID(i+1), int64(n-i), old(100+i%5)))
	}
	w.adds(t, many...)
	all := []webhook.ID{1, 2, 3, 4, 5, 6, 7}
	defer w.forget(t, id, all...)
	w.update(t, func(tx port.Tx) error {
		found := 0
		for _, hook := range all {
			pending, err := tx.Deliveries().Pending(id, hook, n)
			if err != nil {
				return err
			}
			found += len(pending)
			if !slices.IsSortedFunc(pending, func(a, b webhook.Delivery) int { return int(a.Event - b.Event) }) {
				t.Errorf("what is pending of webhook %d is not in order", hook)
			}
		}
		same(t, "pending", n, found)
		none, err := tx.Webhooks().Take("me", old(99), old(200), 100)
		same(t, "leases before the deliveries are due", 0, len(none))
		taken, err2 := tx.Webhooks().Take("me", old(100), old(200), 100)
		same(t, "leases", all, hookIDs(taken))
		return errors.Join(err, err2)
	})
}

// purges removes three records of the ages old(5), old(7) and old(9), step by
// step.
func purges(t *testing.T, w *world, purge func(tx port.Tx, before time.Time, n int) (int, error), left func(port.Tx) ([]int, error)) {
	t.Helper()
	for _, step := range []struct {
		before  time.Time
		n, gone int
		left    []int
	}{
		{old(9), 0, 0, []int{5, 7, 9}}, {old(5), 9, 0, []int{5, 7, 9}}, {old(9), -1, 0, []int{5, 7, 9}}, {old(9), 1, 1, []int{7, 9}},
		{old(9), 9, 1, []int{9}}, {old(10), 9, 1, nil}, {old(10), 9, 0, nil},
	} {
		var gone int
		w.update(t, func(tx port.Tx) (err error) {
			gone, err = purge(tx, step.before, step.n)
			return err
		})
		same(t, "records purged", step.gone, gone)
		w.view(t, func(tx port.Tx) error {
			got, err := left(tx)
			slices.Sort(got)
			same(t, "records left", step.left, got)
			return err
		})
	}
}

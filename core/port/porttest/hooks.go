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

func deliveriesAreCounted(t *testing.T, w *world) {
	id := w.site(t)
	var added []webhook.Delivery
	for i, d := range []struct {
		hook     webhook.ID
		seconds  int
		status   webhook.Status
		attempts int
	}{
		{1, 0, webhook.Succeeded, 1}, // before the last five
		{1, 5, webhook.Succeeded, 1}, {1, 9, webhook.Failed, 4},
		{1, 10, webhook.Succeeded, 3}, {2, 10, webhook.Succeeded, 1}, {1, 69, webhook.Pending, 2}, {1, 130, webhook.Rejected, 1},
	} {
		made := plainDelivery(id, d.hook, webhook.DeliveryID(i+1), int64(i+1), old(d.seconds))
		made.Status, made.Number, made.Added = d.status, d.attempts, old(d.seconds)
		added = append(added, made)
	}
	w.adds(t, added...)
	defer w.forget(t, id, 1, 2)
	w.view(t, func(tx port.Tx) error {
		counts, err := tx.Deliveries().Count(port.DeliveryCounting{Site: id, Hook: 1, From: old(10), Step: time.Minute, Latest: 5})
		same(t, "counts", []webhook.DeliveryCount{
			{All: 2, Succeeded: 1, Failed: 4, Oldest: old(5)},
			{Start: old(10), All: 2, Succeeded: 1, Failed: 4, Oldest: old(10)},
			{Start: old(130), All: 1, Failed: 1, Oldest: old(130)},
		}, counts)
		none, err2 := tx.Deliveries().Count(port.DeliveryCounting{Site: id, Hook: 3, From: old(10), Step: time.Minute, Latest: 5})
		same(t, "counts of a webhook without any", 0, len(none))
		return errors.Join(err, err2)
	})
}

package porttest

import (
	"errors"
	"slices"
	"testing"

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

package porttest

import (
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// settle stores what became of one delivery.
func settle(tx port.Tx, d webhook.Delivery, a *webhook.Attempt) error {
	return tx.Deliveries().Settle([]webhook.Settled{{Delivery: d, Attempt: a}})
}

// takes takes leases in a unit of its own.
func (w *world) takes(t *testing.T, holder string, now, until time.Time, n int) []webhook.Lease {
	t.Helper()
	var taken []webhook.Lease
	w.update(t, func(tx port.Tx) (err error) {
		taken, err = tx.Webhooks().Take(holder, now, until, n)
		return err
	})
	return taken
}

// due checks how many webhooks are due, and since when.
func (w *world) due(t *testing.T, now time.Time, count int, oldest time.Time) {
	t.Helper()
	w.view(t, func(tx port.Tx) error {
		n, at, err := tx.Webhooks().Due(now)
		same(t, "webhooks due", count, n)
		same(t, "due since", oldest, at)
		return err
	})
}

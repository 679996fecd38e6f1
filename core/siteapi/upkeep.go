package siteapi

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
)

// Backlog is what waits to be delivered.
type Backlog struct {
	// Deliveries counts those that are due, up to MaxBacklog.
	Deliveries int
	// Webhooks counts those that are due and that nobody serves yet; Wait is how
	// long the longest waiting of them has been due.
	Webhooks int
	Wait     time.Duration
}

// MaxBacklog is where Backlog stops counting deliveries.
const MaxBacklog = 10_000

// Backlog tells what waits to be delivered.
func (s *Service) Backlog(ctx context.Context) (b Backlog, err error) {
	err = s.ports.Store.View(ctx, func(tx port.Tx) error {
		now := s.now()
		var oldest time.Time
		if b.Webhooks, oldest, err = tx.Leases().Due(now); b.Webhooks > 0 {
			b.Wait = now.Sub(oldest)
		}
		if err != nil {
			return err
		}
		b.Deliveries, err = tx.Deliveries().Due(now, MaxBacklog)
		return err
	})
	return b, err
}

// Retention says how long what is over is kept.
type Retention struct {
	Ledger, Deliveries, Log time.Duration
	// Receipts is how long a request with an idempotency key can be repeated.
	Receipts time.Duration
}

// DefaultRetention keeps events for 90 days, deliveries and log entries for 30,
// and receipts for one.
func DefaultRetention() Retention {
	const day = 24 * time.Hour
	return Retention{Ledger: 90 * day, Deliveries: 30 * day, Log: 30 * day, Receipts: day}
}

// Purge removes what is older than its retention, a bounded number at a time,
// and reports how many records went. Run it now and then.
func (s *Service) Purge(ctx context.Context, r Retention, n int) (purged int, err error) {
	now := s.now()
	for _, sweep := range []func(port.Tx) (int, error){
		func(tx port.Tx) (int, error) { return tx.Tokens().Purge(now.Add(-time.Hour), n) },
		func(tx port.Tx) (int, error) { return tx.DeliveryLog().Purge(now.Add(-r.Deliveries), n) },
		func(tx port.Tx) (int, error) { return tx.Log().Purge(now.Add(-r.Log), n) },
		func(tx port.Tx) (int, error) { return tx.Receipts().Purge(now.Add(-r.Receipts), n) },
		func(tx port.Tx) (int, error) { return tx.Ledger().Purge(now.Add(-r.Ledger), n) },
	} {
		err := s.ports.Store.Update(ctx, func(tx port.Tx) error {
			gone, err := sweep(tx)
			purged += gone
			return err
		})
		if err != nil {
			return purged, err
		}
	}
	return purged, nil
}

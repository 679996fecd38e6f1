package kernel

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Retention has the times after which old records are removed.
type Retention struct {
	Ledger, Deliveries time.Duration
	// Log is for entries of the application log, and reports of imports.
	Log time.Duration
	// Receipts is how long a request with an idempotency key can be repeated.
	Receipts time.Duration
	// Audit is for entries of the audit of operators.
	Audit time.Duration
}

// DefaultRetention returns 90 days for events, 30 for deliveries and log entries, one for
// receipts, and 400 for the audit.
func DefaultRetention() Retention {
	const day = 24 * time.Hour
	return Retention{Ledger: 90 * day, Deliveries: 30 * day, Log: 30 * day, Receipts: day, Audit: 400 * day}
}

// spentFor is how long records stay after they have expired: tokens, holds of visitors,
// invitations and sessions of operators, and passkey challenges.
const spentFor = time.Hour

// Purge removes records that are older than their retention, and products that can no longer
// be restored, at most n of each kind, and returns how many. Run it regularly.
func (k *Kernel) Purge(ctx context.Context, r Retention, n int) (purged int, err error) {
	now := k.Moment()
	for _, sweep := range []func(port.Tx) (int, error){
		func(tx port.Tx) (int, error) { return tx.Tokens().Purge(now.Add(-spentFor), n) },
		func(tx port.Tx) (int, error) { return tx.Holds().Purge(now.Add(-spentFor), n) },
		func(tx port.Tx) (int, error) { return tx.Sessions().Purge(now.Add(-operator.Longest), n) },
		func(tx port.Tx) (int, error) { return tx.Invitations().Purge(now.Add(-spentFor), n) },
		func(tx port.Tx) (int, error) { return tx.Audit().Purge(now.Add(-r.Audit), n) },
		func(tx port.Tx) (int, error) { return tx.Challenges().Purge(now.Add(-spentFor), n) },
		func(tx port.Tx) (int, error) { return tx.Log().Purge(now.Add(-r.Log), n) },
		func(tx port.Tx) (int, error) { return tx.Imports().Purge(now.Add(-r.Log), n) },
		func(tx port.Tx) (int, error) { return tx.Credentials().PurgeRequests(Day(now).AddDate(0, 0, -1), n) },
		func(tx port.Tx) (int, error) { return tx.Receipts().Purge(now.Add(-r.Receipts), n) },
		func(tx port.Tx) (int, error) { return tx.Products().Purge(now.Add(-k.Options.KeepDeleted), n) },
		func(tx port.Tx) (int, error) { return tx.Ledger().Purge(now.Add(-r.Ledger), n) },
		func(tx port.Tx) (int, error) { return tx.Deliveries().Purge(now.Add(-r.Deliveries), n) },
	} {
		gone, err := k.sweep(ctx, sweep)
		if err != nil {
			return purged, err
		}
		purged += gone
	}
	return purged, nil
}

func (k *Kernel) sweep(ctx context.Context, sweep func(port.Tx) (int, error)) (gone int, err error) {
	err = k.Store.Update(ctx, func(tx port.Tx) (err error) {
		gone, err = sweep(tx)
		return err
	})
	return gone, err
}

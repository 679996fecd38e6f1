package porttest

import (
	"context"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/port"
)

// usage is what credentials sent on a day.
func (w *world) usage(t *testing.T, day time.Time) (counts map[access.CredentialID]int64) {
	t.Helper()
	w.view(t, func(tx port.Tx) (err error) {
		counts, err = tx.Credentials().Requests(day)
		return err
	})
	return counts
}

func usageIsShared(t *testing.T, w *world) {
	together(t, workers, func(ctx context.Context, _ int) error {
		for range rounds {
			if err := w.Update(ctx, func(tx port.Tx) error { return tx.Credentials().CountRequests(old(2), "b", 1) }); err != nil {
				return err
			}
		}
		return nil
	})
	same(t, "what all units added", map[access.CredentialID]int64{"b": workers * rounds}, w.usage(t, old(2)))
}

func oldUsageGoes(t *testing.T, w *world) {
	purge := func(before time.Time, n, want int) {
		t.Helper()
		w.update(t, func(tx port.Tx) error {
			gone, err := tx.Credentials().PurgeRequests(before, n)
			same(t, "counts that went", want, gone)
			return err
		})
	}
	purge(old(1000), 1000, len(w.usage(t, old(0)))+len(w.usage(t, old(1)))+len(w.usage(t, old(2))))
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Credentials().CountRequests(old(5), "a", 1) },
			func() error { return tx.Credentials().CountRequests(old(3), "a", 1) },
			func() error { return tx.Credentials().CountRequests(old(4), "a", 1) },
		)
	})
	purge(old(3), 9, 0)
	purge(old(5), 1, 1)
	same(t, "the oldest day", map[access.CredentialID]int64{}, w.usage(t, old(3)))
	purge(old(5), 9, 1)
	same(t, "the day that is kept", map[access.CredentialID]int64{"a": 1}, w.usage(t, old(5)))
}

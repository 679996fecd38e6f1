package kernel

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Day returns when the day of a moment begins, for the quotas of credentials: at
// midnight UTC, because a credential may be good for sites in several zones.
func Day(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// CountRequests adds to the requests that credentials sent on a day, and returns
// how many each has sent on it, to any process.
func (k *Kernel) CountRequests(ctx context.Context, day time.Time, more map[access.CredentialID]int64) (counts map[access.CredentialID]int64, err error) {
	open := k.Store.View
	if len(more) > 0 {
		open = k.Store.Update
	}
	err = open(ctx, func(tx port.Tx) error {
		// In one order, so that processes that count the same ones take turns.
		for _, of := range slices.Sorted(maps.Keys(more)) {
			if err := tx.Credentials().CountRequests(day, of, more[of]); err != nil {
				return err
			}
		}
		var err error
		counts, err = tx.Credentials().Requests(day)
		return err
	})
	return counts, err
}

package wire

import (
	"context"
	"log/slog"
	"time"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

const (
	// housekeeping is how often what has expired is swept away.
	housekeeping = 10 * time.Minute
	// purgeBatch bounds how much of one kind is swept away in one unit of work.
	purgeBatch = 10_000
	// storingUses is how often it is stored when credentials and keys were last used.
	storingUses = time.Minute
)

// keepHouse sweeps until ctx ends, and goes on with what a crash left to be told.
// Any number of processes may do so.
func keepHouse(ctx context.Context, service *siteapi.Service, keep api.Retention, log *slog.Logger) {
	every(ctx, housekeeping, func() {
		if purged, err := sweep(ctx, service, keep, purgeBatch); err != nil && ctx.Err() == nil {
			log.Error("purging", "error", err)
		} else if purged > 0 {
			log.Info("purged", "records", purged)
		}
		if err := service.Transfer.TellScopeChanges(ctx); err != nil && ctx.Err() == nil {
			log.Error("telling of agencies that came and went", "error", err)
		}
	})
}

// every does something again and again until ctx ends, the first time after a pause
// as long as those between two times.
func every(ctx context.Context, pause time.Duration, do func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		do()
	}
}

// sweep removes everything that has expired, a batch at a time.
func sweep(ctx context.Context, service *siteapi.Service, keep api.Retention, batch int) (purged int, err error) {
	for ctx.Err() == nil {
		n, err := service.Purge(ctx, keep, batch)
		purged += n
		if err != nil || n < batch {
			return purged, err
		}
	}
	return purged, ctx.Err()
}

// storeUses stores until ctx ends when credentials and keys were last used. trouble
// is told when that fails; it is tried again.
func storeUses(ctx context.Context, service *siteapi.Service, trouble func(error)) {
	every(ctx, storingUses, func() {
		if err := service.Tokens.StoreUses(ctx); err != nil && ctx.Err() == nil {
			trouble(err)
		}
	})
}

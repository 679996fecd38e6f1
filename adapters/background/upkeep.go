package background

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

const (
	// housekeeping is how often what has expired is removed.
	housekeeping = 10 * time.Minute
	// purgeBatch bounds how much of one kind is removed in one unit of work.
	purgeBatch = 10_000
	// sweeping is how often content that belongs to no picture is looked for.
	sweeping = time.Hour
	// uploading is longer than any upload of a file to import takes.
	uploading = 2 * time.Hour
	// storingUses is how often it is stored when credentials and keys were last used.
	storingUses = time.Minute
)

// unstoredUses is logged when it cannot be stored when credentials were last used.
const unstoredUses = "keeping when credentials were last used"

// keepHouse removes what has expired, and goes on with what a crash left to be told.
func (w *work) keepHouse(ctx context.Context) {
	if purged, err := w.purge(ctx, w.Retention, purgeBatch); failed(ctx, err) {
		w.log.Error("purging", "error", err)
	} else if purged > 0 {
		w.log.Info("purged", "records", purged)
	}
	if err := w.service.Transfer.TellScopeChanges(ctx); failed(ctx, err) {
		w.log.Error("telling of agencies that came and went", "error", err)
	}
}

// purge removes everything that has expired, a batch at a time.
func (w *work) purge(ctx context.Context, keep kernel.Retention, batch int) (purged int, err error) {
	for ctx.Err() == nil {
		n, err := w.service.Purge(ctx, keep, batch)
		purged += n
		if err != nil || n < batch {
			return purged, err
		}
	}
	return purged, ctx.Err()
}

func (w *work) storeUses(ctx context.Context) {
	if err := w.service.Tokens.StoreUses(ctx); failed(ctx, err) {
		w.log.Error(unstoredUses, "error", err)
	}
}

// sweepContent removes content that belongs to no picture, and files that no import
// has use for any more.
func (w *work) sweepContent(ctx context.Context) {
	if removed, err := w.service.Listing.SweepPictures(ctx, max(w.Sweep, time.Hour)); failed(ctx, err) {
		w.log.Error("sweeping pictures", "error", err)
	} else if removed > 0 {
		w.log.Info("swept pictures", "removed", removed)
	}
	if removed, err := w.service.Imports.SweepFiles(ctx, uploading); failed(ctx, err) {
		w.log.Error("sweeping files of imports", "error", err)
	} else if removed > 0 {
		w.log.Info("swept files of imports", "removed", removed)
	}
}

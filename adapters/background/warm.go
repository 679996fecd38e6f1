package background

import (
	"context"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// warm loads search indexes ahead of their first search, those of the largest sites
// first: theirs would be waited for longest. It rests after each as long as that took, so
// that it never takes more than half of a processor from those who ask.
func (w *work) warm(ctx context.Context) error {
	sites := w.largest(ctx)
	w.log.Info("loaded sites ahead of their first search", "sites", w.warmEach(ctx, sites), "of", len(sites))
	return nil
}

func (w *work) warmEach(ctx context.Context, sites []site.ID) (warmed int) {
	for _, id := range sites {
		if ctx.Err() != nil || !w.service.HasRoom() {
			break
		}
		began := time.Now()
		if !w.warmed(ctx, id) {
			continue
		}
		warmed++
		select {
		case <-ctx.Done():
		case <-time.After(time.Since(began)):
		}
	}
	return warmed
}

func (w *work) largest(ctx context.Context) []site.ID {
	sites, err := w.service.Listing.Largest(ctx)
	if failed(ctx, err) {
		w.log.Error("listing sites to load", "error", err)
	}
	return sites
}

// warmed loads the index of a site, and reports whether it did.
func (w *work) warmed(ctx context.Context, id site.ID) bool {
	err := w.warmOne(ctx, id)
	if failed(ctx, err) {
		w.log.Warn("a site is not loaded ahead of its first search", "site", int64(id), "error", err)
	}
	if err == nil && w.Warmed != nil {
		w.Warmed()
	}
	return err == nil
}

// warmOne does not let a site that cannot be loaded end the process: a request for it
// will be told.
func (w *work) warmOne(ctx context.Context, id site.ID) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return w.service.Listing.Warm(ctx, id)
}

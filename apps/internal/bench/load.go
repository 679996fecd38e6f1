package main

import (
	"context"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// loading times the first search of a site: everything is read from the store
// and indexed. The fastest of some loads is the one that was disturbed least.
func (b *bench) loading(ctx context.Context, w *world) error {
	for _, load := range []struct {
		site     site.ID
		products int
		goal     goal
	}{{bigID, b.products, atMost(3000)}, {smallID, smallSite, atMost(50)}} {
		var times []float64
		for range 4 {
			service, err := wire.Service(ctx, w.store, rig.Secrets, kernel.Options{})
			if err != nil {
				return err
			}
			started := time.Now()
			if err := service.Listing.Warm(ctx, load.site); err != nil {
				return err
			}
			times = append(times, rig.Milliseconds(time.Since(started)))
		}
		b.report.add(w.name()+": cold load, "+rig.Count(load.products)+" products",
			slices.Min(times), milliseconds, load.goal, "median of four: "+milliseconds(rig.Median(times)))
	}
	return nil
}

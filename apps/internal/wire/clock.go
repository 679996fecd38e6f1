package wire

import (
	"context"
	"log/slog"
	"time"

	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// lookAtClock is how often what the clock made of offers, agreements and leases is
// stored. It has to be within a minute.
const lookAtClock = 20 * time.Second

// followClock stores what the clock makes of offers, agreements and leases, until
// ctx ends.
func followClock(ctx context.Context, service *siteapi.Service, log *slog.Logger) {
	ticker := time.NewTicker(lookAtClock)
	defer ticker.Stop()
	err := service.Deals.FollowClock(ctx, ticker.C, func(err error) { log.Error("storing what the clock changed", "error", err) })
	log.Debug("the clock is followed no more", "reason", err)
}

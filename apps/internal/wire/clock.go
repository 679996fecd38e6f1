package wire

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// lookAtClock is how often what the clock made of offers, agreements and leases is
// stored, and reminders are told of. Both have to be within a minute.
const lookAtClock = 20 * time.Second

// followClock stores what the clock makes of offers, agreements and leases, and
// tells of reminders, until ctx ends. Neither waits for the other.
func followClock(ctx context.Context, service *siteapi.Service, log *slog.Logger) {
	var both sync.WaitGroup
	defer both.Wait()
	for area, follow := range map[string]func(context.Context, <-chan time.Time, func(error)) error{
		"transactions": service.Deals.FollowClock,
		"agenda":       service.Agenda.FollowClock,
	} {
		both.Go(func() {
			ticker := time.NewTicker(lookAtClock)
			defer ticker.Stop()
			err := follow(ctx, ticker.C, func(err error) { log.Error("following the clock", "area", area, "error", err) })
			log.Debug("the clock is followed no more", "area", area, "reason", err)
		})
	}
}

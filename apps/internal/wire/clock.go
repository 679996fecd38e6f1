package wire

import (
	"context"
	"log/slog"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/api"
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
	service.Deals.FollowClock(ctx, ticker.C, func(err error) { log.Error("storing what the clock changed", "error", err) })
}

// ServiceAt is Service with a clock of choice, and without pictures.
func ServiceAt(ctx context.Context, now func() time.Time, s *sqlstore.Store, c config.Secrets) (*siteapi.Service, error) {
	ports := Ports(s)
	ports.Now = now
	return newService(ctx, ports, s, c, api.Options{})
}

package deliver

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
)

// Backlog is what waits to be delivered.
type Backlog struct {
	// Deliveries counts those that are due, up to MaxBacklog.
	Deliveries int
	// Webhooks counts those that are due and that nobody serves yet; Wait is how
	// long the longest waiting of them has been due.
	Webhooks int
	Wait     time.Duration
}

// MaxBacklog is where Backlog stops counting deliveries.
const MaxBacklog = 10_000

// Backlog tells what waits to be delivered.
func (s *Service) Backlog(ctx context.Context) (b Backlog, err error) {
	err = s.k.Store.View(ctx, func(tx port.Tx) error {
		now := s.k.Moment()
		var oldest time.Time
		if b.Webhooks, oldest, err = tx.Turns().Due(now); b.Webhooks > 0 {
			b.Wait = now.Sub(oldest)
		}
		if err != nil {
			return err
		}
		b.Deliveries, err = tx.Deliveries().Due(now, MaxBacklog)
		return err
	})
	return b, err
}

package requests

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

// Retention says how long requests are kept, and how many.
type Retention struct {
	// Requests is how long those are kept that succeeded, Refusals the others.
	Requests, Refusals time.Duration
	// Most is how many are kept in all, whatever their age.
	Most int
}

// Purge removes requests and counts that are kept no longer, about n of each kind at
// most, and reports how many requests and how many counts. Run it now and then, until
// both are fewer than n.
func (s *Service) Purge(ctx context.Context, r Retention, n int) (requests, counted int, err error) {
	if !s.Kept() {
		return 0, 0, nil
	}
	now := s.k.Moment()
	limits := trace.Limits{Before: now.Add(-r.Requests), RefusedBefore: now.Add(-r.Refusals), Most: r.Most}
	if requests, err = s.k.Requests.Purge(ctx, limits, n); err != nil {
		return 0, 0, err
	}
	counted, err = s.k.Traffic.PurgeCounts(ctx, now.Add(-MinutesKept), now.Add(-HoursKept), n)
	return requests, counted, err
}

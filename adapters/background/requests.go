package background

import (
	"context"
	"log/slog"
	"time"

	"github.com/vitrine-crm/vitrine/core/usecase/requests"
)

const (
	// storeRequests is how often requests are stored, countRequests how often counts are.
	storeRequests = 250 * time.Millisecond
	countRequests = 10 * time.Second
	// forgetCustomers is how often customers who were anonymised or deleted are looked
	// for.
	forgetCustomers = 30 * time.Second
	// purgeRequests bounds how many requests are removed at a time: others wait for the
	// writer of SQLite meanwhile.
	purgeRequests = 1000
)

// unkept is logged when the request log cannot be kept.
const unkept = "keeping requests"

func (w *work) recordRequests(ctx context.Context) error {
	store, count := time.NewTicker(storeRequests), time.NewTicker(countRequests)
	defer store.Stop()
	defer count.Stop()
	w.service.Requests.Run(ctx, requests.Options{Store: store.C, Count: count.C, Trouble: newTroubles(w.log).tell})
	return nil
}

func (w *work) forgetCustomers(ctx context.Context) error {
	forget := time.NewTicker(forgetCustomers)
	defer forget.Stop()
	w.service.Requests.ForgetCustomers(ctx, forget.C, func(err error) { w.log.Error(unkept, "error", err) })
	return nil
}

// sweepRequests removes requests and counts that are kept no longer.
func (w *work) sweepRequests(ctx context.Context) {
	total := 0
	for more := true; more && ctx.Err() == nil; {
		kept, counted, err := w.service.Requests.Purge(ctx, w.Requests, purgeRequests)
		if failed(ctx, err) {
			w.log.Error("purging requests", "error", err)
		}
		if err != nil {
			return
		}
		total += kept
		more = kept >= purgeRequests || counted >= purgeRequests
	}
	if total > 0 {
		w.log.Info("purged", "requests", total)
	}
}

// troubles logs that requests cannot be stored, which is tried four times a second,
// once a minute.
type troubles struct {
	log  *slog.Logger
	last time.Time
}

func newTroubles(log *slog.Logger) *troubles { return &troubles{log: log} }

func (t *troubles) tell(err error) {
	if now := time.Now(); now.Sub(t.last) >= time.Minute {
		t.last = now
		t.log.Error(unkept, "error", err)
	}
}

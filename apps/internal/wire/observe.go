package wire

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// observe has the metrics tell of the database: its connections and its units of work.
func observe(store *sqlstore.Store, metrics prometheus.Registerer) {
	for name, pool := range store.Pools() {
		metrics.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "vitrine_database_unit_seconds",
		Help:    "Time of a unit of work in the database, by kind (view, update) and end (done, undone: it was refused, again: it met another one and was tried anew, unavailable).",
		Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"kind", "end"})
	metrics.MustRegister(seconds, prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "vitrine_database_forks_total",
		Help: "How often this process found that the database was set back, and moved on every number that is told.",
	}, func() float64 { return float64(store.TimelinesStarted()) }))
	sqlstore.Observed(units{seconds})(store)
}

// units is a sqlstore.Observer.
type units struct{ seconds *prometheus.HistogramVec }

// Begin implements sqlstore.Observer.
func (u units) Begin(ctx context.Context, writes bool) (within context.Context, end func(again bool, err error)) {
	start := time.Now()
	return ctx, func(again bool, err error) {
		u.seconds.WithLabelValues(kindOf(writes), endOf(again, err)).Observe(time.Since(start).Seconds())
	}
}

func kindOf(writes bool) string {
	if writes {
		return "update"
	}
	return "view"
}

func endOf(again bool, err error) string {
	switch {
	case again:
		return "again"
	case errors.Is(err, fault.Unavailable):
		return "unavailable"
	case err != nil:
		return "undone"
	}
	return "done"
}

// logEnd says where the ledger ends. If later events are known, somebody has put an older copy in
// the place of the database, which a server that starts cannot know.
func logEnd(ctx context.Context, store *sqlstore.Store, c config.Database, log *slog.Logger) error {
	end, err := store.LedgerEnd(ctx)
	if err == nil && end.Seq > 0 {
		log.InfoContext(ctx, "the ledger ends; if more had happened, say: vitrine database moved",
			"at", end.At, "site", int64(end.Site), "event", end.Seq, "database", c.Shown())
	}
	return err
}

// logTimeline returns a function that logs that the database was set back.
func logTimeline(log *slog.Logger) func(context.Context, sqlstore.Timeline) {
	return func(ctx context.Context, f sqlstore.Timeline) {
		log.WarnContext(ctx, "the database was set back: what was written last may be lost; every number that is told was moved on", "times", f.Number)
	}
}

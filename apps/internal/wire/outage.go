package wire

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
)

// outage has the log say once that the database is away, and once that it is back. Whatever goes
// wrong for that reason meanwhile, some of it twice a second, is left out. It is a
// sqlstore.Observer. Lines of requests stay: each is one that somebody sent.
type outage struct {
	log *slog.Logger
	// now is nil while the database answers.
	now atomic.Pointer[gone]
}

// gone is since when a database is away. One that takes no changes may still be read.
type gone struct {
	since  time.Time
	writes bool
}

// watchOutage has a store tell when it is away, and returns the log for everything else.
func watchOutage(store *sqlstore.Store, log *slog.Logger) *slog.Logger {
	o := &outage{log: log}
	sqlstore.Observed(o)(store)
	return slog.New(duringOutage{log.Handler(), o})
}

// Begin implements sqlstore.Observer.
func (o *outage) Begin(ctx context.Context, writes bool) (within context.Context, end func(again bool, err error)) {
	began := time.Now()
	return ctx, func(_ bool, err error) {
		switch at := o.now.Load(); {
		case at == nil && errors.Is(err, sqlstore.ErrAway):
			if o.now.CompareAndSwap(nil, &gone{time.Now(), writes}) {
				o.log.ErrorContext(ctx, "the database does not answer; what fails for that reason is not logged until it does", "error", err)
			}
		case at != nil && err == nil && began.After(at.since) && (writes || !at.writes):
			if o.now.CompareAndSwap(at, nil) {
				o.log.InfoContext(ctx, "the database answers again", "after", time.Since(at.since).Round(time.Millisecond).String())
			}
		}
	}
}

// duringOutage writes the lines of a log without those that only repeat that the database is
// away.
type duringOutage struct {
	slog.Handler
	outage *outage
}

// Handle implements slog.Handler.
func (h duringOutage) Handle(ctx context.Context, line slog.Record) error {
	if h.outage.now.Load() != nil && line.Level >= slog.LevelWarn && repeats(line) {
		return nil
	}
	return h.Handler.Handle(ctx, line)
}

func repeats(line slog.Record) (repeated bool) {
	line.Attrs(func(a slog.Attr) bool {
		if a.Key == "request_id" {
			repeated = false
			return false
		}
		err, ok := a.Value.Any().(error)
		repeated = repeated || ok && errors.Is(err, sqlstore.ErrAway)
		return true
	})
	return repeated
}

// WithAttrs implements slog.Handler.
func (h duringOutage) WithAttrs(attrs []slog.Attr) slog.Handler {
	return duringOutage{h.Handler.WithAttrs(attrs), h.outage}
}

// WithGroup implements slog.Handler.
func (h duringOutage) WithGroup(name string) slog.Handler {
	return duringOutage{h.Handler.WithGroup(name), h.outage}
}

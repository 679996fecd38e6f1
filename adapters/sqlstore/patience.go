package sqlstore

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// prompt is how long an answer may take of a database that is far away or busy, not stuck. A
// request has not waited for it.
const prompt = 500 * time.Millisecond

// bounded ends a context when the request that it is for has no patience left, unless answered is
// called before, which reports whether it was in time.
func bounded(ctx context.Context) (_ context.Context, answered func() bool) {
	p := port.PatienceOf(ctx)
	if p == nil {
		return ctx, func() bool { return true }
	}
	ctx, giveUp := context.WithCancel(ctx)
	left := p.Left()
	if left == 0 {
		giveUp()
	}
	return ctx, time.AfterFunc(left, giveUp).Stop
}

// isSpent reports whether the request of a context has no patience left.
func isSpent(ctx context.Context) bool {
	p := port.PatienceOf(ctx)
	return p != nil && p.Left() == 0
}

// noting notes what its request waits from now on until noted is called, if that is longer than some
// time, or all that it had left.
func noting(ctx context.Context, longer time.Duration) (noted func()) {
	p := port.PatienceOf(ctx)
	if p == nil {
		return func() {}
	}
	began := time.Now()
	longer = min(longer, p.Left())
	return func() {
		if took := time.Since(began); took >= longer {
			p.Waited(took)
		}
	}
}

// beginWait returns the context of a wait, which ends when its request has no patience left. The
// request has waited until over is called.
func beginWait(ctx context.Context) (_ context.Context, over func()) {
	noted := noting(ctx, 0)
	ctx, answered := bounded(ctx)
	return ctx, func() {
		answered()
		noted()
	}
}

// inTime does what a request waits for, which takes no time unless others stand before it. What it
// returns may be used for as long as ctx lives.
func inTime[T any](ctx context.Context, do func(context.Context) (T, error)) (T, error) {
	return within(ctx, 0, do)
}

func within[T any](ctx context.Context, longer time.Duration, do func(context.Context) (T, error)) (T, error) {
	defer noting(ctx, longer)()
	ctx, answered := bounded(ctx)
	defer answered()
	return do(ctx)
}

// gates let few units that write to a site have a transaction at a time: a quarter of the
// connections. They take turns at its ledger anyway, and when they are stuck there, those of
// other sites still have connections. Sites may share a gate.
type gates [1024]*semaphore.Weighted

func newGates(connections int) (g gates) {
	for i := range g {
		g[i] = semaphore.NewWeighted(int64(max(1, connections/4)))
	}
	return g
}

// enter waits until a unit may have a transaction about a site, and returns what lets the next one in.
func (g *gates) enter(ctx context.Context, id site.ID) (leave func(), err error) {
	return inTime(ctx, func(ctx context.Context) (func(), error) {
		gate := g[uint64(id)%uint64(len(g))]
		return func() { gate.Release(1) }, gate.Acquire(ctx, 1)
	})
}

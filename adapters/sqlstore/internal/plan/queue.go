package plan

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// queue has the plans that go with the next statement. There is one for all sites: with two,
// each statement was for about half as many plans, and the database took a third more time,
// for each statement begins and ends as many parts, however many plans it is for.
type queue struct {
	mu       sync.Mutex
	underWay bool
	next     []*Plan
	// ctx is that of the first of next. Its values go with the statement, its end does not.
	ctx context.Context
}

// Commit stores what a plan writes if all that it assumes is so, and nothing otherwise: then
// it returns ErrChanged.
func (pl *Planner) Commit(ctx context.Context, p *Plan) error {
	if p.site == nil {
		return nil // it writes nothing
	}
	q := &pl.queue
	q.mu.Lock()
	p.queued = true
	p.site.enqueue(p)
	ctx = context.WithoutCancel(ctx)
	if q.underWay {
		if q.next == nil {
			q.ctx = ctx
		}
		p.done = make(chan struct{})
		q.next = append(q.next, p)
		q.mu.Unlock()
		return pl.wait(ctx, p)
	}
	q.underWay = true
	q.mu.Unlock()
	var err error
	defer func() { // even if an observer of statements panics
		if ctx, next := q.take(); next != nil {
			go pl.commitRest(ctx, next, err)
		}
	}()
	err = pl.commit(ctx, []*Plan{p})
	return p.err
}

// wait waits until a plan that is in the queue is committed.
func (pl *Planner) wait(ctx context.Context, p *Plan) error {
	ctx, over := pl.store.Wait(ctx)
	defer over()
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return pl.store.Unconfirmed(ctx.Err())
	}
}

// commitRest commits the plans that waited for a statement that ended with an error or nil,
// then those that waited for them, and so on. After a statement that the database did not
// answer nothing is sent: those plans have waited as long as one may.
func (pl *Planner) commitRest(ctx context.Context, next []*Plan, err error) {
	for ; next != nil; ctx, next = pl.queue.take() {
		if !isSilence(err) {
			err = pl.commit(ctx, next)
			continue
		}
		err = pl.store.Unsent(ctx)
		for _, p := range next {
			p.err = err
		}
		finish(next)
	}
}

// isSilence reports whether an error is that the database has not answered in time.
func isSilence(err error) bool {
	waited, ok := errors.AsType[net.Error](err)
	return ok && waited.Timeout()
}

// take empties the queue.
func (q *queue) take() (context.Context, []*Plan) {
	q.mu.Lock()
	defer q.mu.Unlock()
	ctx, next := q.ctx, q.next
	q.ctx, q.next = nil, nil
	q.underWay = next != nil
	return ctx, next
}

// commit commits plans with one statement, for each site all of them or none. It returns how
// the statement ended.
func (pl *Planner) commit(ctx context.Context, all []*Plan) error {
	defer finish(all)
	current := currentOf(all)
	if len(current) == 0 {
		return nil
	}
	var stored map[site.ID]bool
	statement, err := statementOf(current)
	if err == nil {
		stored, err = pl.store.Send(ctx, statement)
	}
	for _, p := range current {
		p.err = err
		if err == nil && !stored[p.site.id] {
			p.err = ErrChanged
		}
	}
	return err
}

// currentOf returns the plans of the epochs of their sites that are based on no record that a
// plan before them writes. The others, and those that follow one of them at its site, have
// ErrChanged.
func currentOf(all []*Plan) (current []*Plan) {
	written, changed := map[Record]bool{}, map[site.ID]bool{}
	for _, p := range all {
		p.err = ErrChanged
		if changed[p.site.id] || !p.site.isCurrent(p) || p.isBasedOn(written) {
			changed[p.site.id] = true
			continue
		}
		for _, of := range p.parts {
			for key := range of.at {
				written[key] = true
			}
		}
		current = append(current, p)
	}
	return current
}

// finish has the units of plans go on, whose err is set.
func finish(all []*Plan) {
	for _, p := range all {
		p.site.committed(p.err)
		if p.done != nil {
			close(p.done)
		}
	}
}

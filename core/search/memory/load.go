package memory

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// load is one load of a value, under way or over.
type load struct {
	// done is closed when it is over; what follows is written before.
	done     chan struct{}
	value    any
	bytes    int
	err      error
	panicked error // what it panicked with
}

// errUnfinished is what became of a load that ended its goroutine.
var errUnfinished = errors.New("the load ended before it was over")

// run carries out a load of an entry.
func run[V comparable](ctx context.Context, c *Cache, e *entry, l *load, from Source[V]) {
	l.err = errUnfinished
	defer func() {
		if p := recover(); p != nil {
			// Where it happened is not where it will be told.
			l.panicked = fmt.Errorf("%v\n\n%s", p, debug.Stack())
		}
		c.settle(e, l)
		close(l.done)
	}()
	old, kept := held[V](e)
	value, err := from.Load(ctx, old, kept)
	if err == nil {
		l.bytes = from.Bytes(value)
	}
	l.value, l.err = value, err
}

// settle keeps what a load has led to. A value that a load panicked with may be half
// brought up to date, and is given up.
func (c *Cache) settle(e *entry, l *load) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.load = nil
	before := e.held.Load()
	switch {
	case l.panicked != nil:
		c.keep(e, nil, 0)
	case l.err == nil:
		c.keep(e, &l.value, l.bytes)
		if before == nil || *before != l.value {
			c.of(e.key.Kind).Loads++
		}
	default:
		c.keep(e, before, e.bytes)
	}
	if e.held.Load() != nil {
		c.touch(e)
		c.makeRoom()
		c.release(e)
	}
}

// keep keeps a value that takes so many bytes in the place of the one before; nil is
// none.
func (c *Cache) keep(e *entry, value *any, bytes int) {
	u := c.of(e.key.Kind)
	c.bytes += bytes - e.bytes
	u.Bytes += bytes - e.bytes
	if before := e.held.Swap(value); before != nil {
		u.Values--
	}
	e.bytes = bytes
	if value == nil {
		delete(c.entries, e.key)
		return
	}
	u.Values++
	e.value.Store(worthOf(bytes))
}

// wait returns when a load is over, or when whoever waits has to give up.
func (c *Cache) wait(ctx context.Context, l *load) error {
	within := ctx
	if c.options.Patience > 0 {
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, c.options.Patience)
		defer cancel()
	}
	select {
	case <-l.done:
		return nil
	case <-within.Done():
	}
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return err
	}
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "the site is still being loaded; try again in a few seconds")
}

// loaded is what a load that is over has led to.
func loaded[V any](l *load) (value V, err error) {
	if l.panicked != nil {
		panic(l.panicked)
	}
	if l.err != nil {
		return value, l.err
	}
	return l.value.(V), nil
}

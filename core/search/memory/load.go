package memory

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// load is one load of a value, under way or finished.
type load struct {
	// done is closed when it is finished, after the other fields are set.
	done  chan struct{}
	value any // nil when there is an error
	bytes int
	err   error
	// panicked is the value of a panic, with its stack.
	panicked error
}

// run carries out a load of an entry. old is its value if kept is true.
func run[V comparable](ctx context.Context, c *Cache, e *entry, l *load, from Source[V], old V, kept bool) {
	l.err = errors.New("the load ended its goroutine")
	defer func() {
		if p := recover(); p != nil {
			// It is raised again in other goroutines.
			l.panicked = fmt.Errorf("%v\n\n%s", p, debug.Stack())
		}
		c.finishLoad(e, l)
		close(l.done)
	}()
	value, err := from.Load(ctx, old, kept)
	if err == nil {
		l.value, l.bytes = value, from.Bytes(value)
	}
	l.err = err
}

// finishLoad stores the value of a load. A load that failed leaves the former value, and one
// that panicked none, because that may be half updated.
func (c *Cache) finishLoad(e *entry, l *load) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.load = nil
	switch {
	case l.panicked != nil:
		c.keep(e, nil, 0)
	case l.err == nil:
		if l.value != e.value {
			c.of(e.key.Kind).Loads++
		}
		c.byUse.MoveToFront(c.entries[e.key])
		c.keep(e, l.value, l.bytes)
	default:
		c.keep(e, e.value, e.bytes)
	}
	c.makeRoom()
}

// wait returns when a load is over, or when the context or the patience of the caller ends.
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

// loaded returns what a load that is over has led to.
func loaded[V any](l *load) (value V, err error) {
	if l.panicked != nil {
		panic(l.panicked)
	}
	value, _ = l.value.(V)
	return value, l.err
}

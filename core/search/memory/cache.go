// Package memory keeps in memory what was loaded of sites. All of it shares one
// budget of bytes. A value is loaded once, however many requests wait for it, and
// the load does not end with any of them. Equal values that do not change share
// their memory.
//
// What leaves when the budget is used up is what is least worth keeping: what was
// not asked for since long, and sooner what takes much room for the work it spares.
// See worth.
package memory

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Key names a value: a site has one of each kind.
type Key struct {
	Site site.ID
	Kind string
}

// Source says what a request needs of a value, and how such a value comes to be.
type Source[V comparable] interface {
	// Serves reports whether a value is as new as the request needs it. It must be
	// quick and wait for nothing.
	Serves(held V) bool
	// Load makes a value that serves. held is what is kept, if anything is: it may be
	// brought up to date and returned, which does not count as a load anew. The context has
	// what that of the request carries,
	// but does not end with it.
	Load(ctx context.Context, held V, kept bool) (V, error)
	// Bytes is the memory that a value takes. It is asked after each load.
	Bytes(V) int
}

// Options are choices about a cache.
type Options struct {
	// Limit is how many bytes are kept at most; 0 is any number.
	Limit int
	// Patience is how long anybody waits for a load at most; 0 is as long as the context
	// of a request lasts.
	Patience time.Duration
	// Shared is the memory of what several values share, none of which counts it; nil is
	// nothing.
	Shared func() int
}

// Cache keeps values of several kinds. It is safe for concurrent use.
type Cache struct {
	options Options
	// age is the worth of what left last, which never falls; uses counts the values
	// that were asked for.
	age, uses atomic.Int64

	mu      sync.RWMutex
	entries map[Key]*entry
	// idle are the entries that may leave: those that have a value, and no load under way.
	idle  idle
	bytes int
	usage map[string]*Usage
}

// New makes an empty cache.
func New(o Options) *Cache {
	if o.Shared == nil {
		o.Shared = func() int { return 0 }
	}
	return &Cache{options: o, entries: map[Key]*entry{}, usage: map[string]*Usage{}}
}

// entry is what is known of a key.
type entry struct {
	key Key
	// held is nil until something was loaded.
	held atomic.Pointer[any]
	// value is what it is worth to have it, worth and used are what they were when it
	// was last asked for.
	value, worth, used atomic.Int64

	// Guarded by the mutex of the cache.
	bytes int
	load  *load // nil when none is under way
	rank  rank
	place int // among the idle entries
}

// Get returns the value of a key, as new as the source needs it. It fails as
// fault.Unavailable when that takes longer than the patience or the context allows; the load
// goes on for whoever asks next. Where a load fails or panics, so does Get for all who
// wait for it, and the next one begins anew.
func Get[V comparable](ctx context.Context, c *Cache, key Key, from Source[V]) (V, error) {
	for {
		value, under, mine := find(ctx, c, key, from)
		if under == nil {
			return value, nil
		}
		if err := c.wait(ctx, under); err != nil {
			return value, err
		}
		value, err := loaded[V](under)
		// One that began for somebody else may not have seen enough.
		if err != nil || mine || from.Serves(value) {
			return value, err
		}
	}
}

// find returns the value that is kept, if it serves, or else the load to wait for, and
// whether that was begun just now.
func find[V comparable](ctx context.Context, c *Cache, key Key, from Source[V]) (value V, under *load, mine bool) {
	c.mu.RLock()
	e := c.entries[key]
	c.mu.RUnlock()
	if e != nil {
		if value, kept := held[V](e); kept && from.Serves(value) {
			c.touch(e)
			return value, nil, false
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e = c.entries[key]; e == nil {
		e = &entry{key: key, place: nowhere}
		c.entries[key] = e
	}
	value, kept := held[V](e)
	switch {
	case kept && from.Serves(value): // since a moment ago
		c.touch(e)
		return value, nil, false
	case e.load != nil:
		return value, e.load, false
	}
	c.hold(e)
	e.load = &load{done: make(chan struct{})}
	go run(context.WithoutCancel(ctx), c, e, e.load, from)
	return value, e.load, true
}

// held is the value of an entry, if it has one.
func held[V any](e *entry) (value V, kept bool) {
	if at := e.held.Load(); at != nil {
		return (*at).(V), true
	}
	return value, false
}

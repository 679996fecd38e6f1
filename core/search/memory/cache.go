// Package memory caches data of sites, within a budget of bytes. A value is loaded once for all
// requests that wait for it, and the load does not end with any of them. When the budget is
// used up, the least recently used value is evicted. Equal immutable values share their memory.
package memory

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Key is the key of a value: a site has one of each kind.
type Key struct {
	Site site.ID
	Kind string
}

// Source is the requirement of a request for a value, and loads it.
type Source[V comparable] interface {
	// Serves reports whether a value is new enough for the request. It must be quick and not
	// wait.
	Serves(held V) bool
	// Load returns a value that serves. held is the cached value, if kept is true: it may be
	// updated and returned, which does not count as a load. The context has the values of that
	// of the request, but does not end with it.
	Load(ctx context.Context, held V, kept bool) (V, error)
	// Bytes returns the memory of a value. It is called after each load.
	Bytes(V) int
}

// Options are the settings of a cache.
type Options struct {
	// Limit is the largest number of bytes; 0 means no limit.
	Limit int
	// Patience is the longest wait for a load; 0 means as long as the context of a request
	// lasts.
	Patience time.Duration
	// Shared returns memory that counts as well, such as that of what several values share; it
	// may be nil.
	Shared func() int
}

// Cache has values of several kinds. It is safe for concurrent use.
type Cache struct {
	options Options

	mu      sync.Mutex
	entries map[Key]*list.Element
	byUse   *list.List // of *entry, what was asked for last in front
	bytes   int
	usage   map[string]*Usage
}

// New returns an empty cache.
func New(o Options) *Cache {
	if o.Shared == nil {
		o.Shared = func() int { return 0 }
	}
	return &Cache{options: o, entries: map[Key]*list.Element{}, byUse: list.New(), usage: map[string]*Usage{}}
}

// entry is the value and the load of a key.
type entry struct {
	key   Key
	value any // nil until something was loaded
	bytes int
	load  *load // nil when none is under way
}

// Get returns the value of a key, as new as the source needs it. It fails as
// fault.Unavailable when that takes longer than the patience or the context allows; the load
// continues for the next request. If a load fails or panics, so does Get for all that wait for
// it, and the next call begins another load.
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
		// A load that began for another request may not be new enough.
		if err != nil || mine || from.Serves(value) {
			return value, err
		}
	}
}

// find returns the cached value, if it serves, or else the load to wait for, and whether this
// call has begun it.
func find[V comparable](ctx context.Context, c *Cache, key Key, from Source[V]) (value V, under *load, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.entries[key]
	if at == nil {
		at = c.byUse.PushFront(&entry{key: key})
		c.entries[key] = at
	}
	c.byUse.MoveToFront(at)
	e := at.Value.(*entry)
	value, kept := e.value.(V)
	if kept && from.Serves(value) {
		return value, nil, false
	}
	if mine = e.load == nil; mine {
		e.load = &load{done: make(chan struct{})}
		go run(context.WithoutCancel(ctx), c, e, e.load, from, value, kept)
	}
	return value, e.load, mine
}

// Peek returns the value of a key, nil when none is cached. It does not count as a use, and
// loads nothing.
func (c *Cache) Peek(key Key) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.entries[key]; at != nil {
		return at.Value.(*entry).value
	}
	return nil
}

// Resized sets the size of a value that was changed. It does nothing if another value is cached
// by now, or a load is under way, which sets the size itself.
func (c *Cache) Resized(key Key, value any, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.entries[key]; at != nil {
		if e := at.Value.(*entry); e.load == nil && e.value == value {
			c.keep(e, value, bytes)
			c.makeRoom()
		}
	}
}

// keep stores a value and its size in place of the one before; nil removes it.
func (c *Cache) keep(e *entry, value any, bytes int) {
	u := c.of(e.key.Kind)
	u.Bytes += bytes - e.bytes
	c.bytes += bytes - e.bytes
	if e.value != nil {
		u.Values--
	}
	if value != nil {
		u.Values++
	} else {
		c.byUse.Remove(c.entries[e.key])
		delete(c.entries, e.key)
	}
	e.value, e.bytes = value, bytes
}

// makeRoom evicts the least recently used values until the rest is within the limit. The most
// recently used one stays, and so do loads.
func (c *Cache) makeRoom() {
	for at := c.byUse.Back(); c.exceeds() && at != c.byUse.Front(); {
		e := at.Value.(*entry)
		at = at.Prev()
		if e.load == nil {
			c.keep(e, nil, 0)
			c.of(e.key.Kind).Evictions++
		}
	}
}

// exceeds reports whether the values are larger than the limit.
func (c *Cache) exceeds() bool {
	return c.options.Limit > 0 && c.bytes+c.options.Shared() > c.options.Limit
}

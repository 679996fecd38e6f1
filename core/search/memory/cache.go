// Package memory keeps in memory what was loaded of sites, within a budget of bytes. A
// value is loaded once, however many requests wait for it, and the load does not end with
// any of them. When the budget is used up, what was not asked for longest leaves. Equal
// values that do not change share their memory.
package memory

import (
	"container/list"
	"context"
	"sync"
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
	// Shared is memory that counts as well, such as that of what several values share; nil
	// is none.
	Shared func() int
}

// Cache keeps values of several kinds. It is safe for concurrent use.
type Cache struct {
	options Options

	mu      sync.Mutex
	entries map[Key]*list.Element
	byUse   *list.List // of *entry, what was asked for last in front
	bytes   int
	usage   map[string]*Usage
}

// New makes an empty cache.
func New(o Options) *Cache {
	if o.Shared == nil {
		o.Shared = func() int { return 0 }
	}
	return &Cache{options: o, entries: map[Key]*list.Element{}, byUse: list.New(), usage: map[string]*Usage{}}
}

// entry is what is known of a key.
type entry struct {
	key   Key
	value any // nil until something was loaded
	bytes int
	load  *load // nil when none is under way
}

// Get returns the value of a key, as new as the source needs it. It fails as
// fault.Unavailable when that takes longer than the patience or the context allows; the load
// goes on for the next request. Where a load fails or panics, so does Get for all who
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

// Peek returns the value of a key, nil when none is kept. It is not counted as having been
// asked for, and nothing is loaded.
func (c *Cache) Peek(key Key) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.entries[key]; at != nil {
		return at.Value.(*entry).value
	}
	return nil
}

// Resized notes that a value of a key was changed and takes so many bytes now. It does
// nothing if another value is kept by now, or one is about to be: a load tells by itself.
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

// keep keeps a value that takes so many bytes in the place of the one before; nil is none.
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

// makeRoom gives up what was not asked for longest, until the rest is within the limit. What
// was asked for last stays, and what is being loaded.
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

// exceeds reports whether more is kept than may be.
func (c *Cache) exceeds() bool {
	return c.options.Limit > 0 && c.bytes+c.options.Shared() > c.options.Limit
}

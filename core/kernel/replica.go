package kernel

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// How much is read at a time.
const (
	scanChunk = 2000
	// replayLimit is the largest number of events that are replayed; a replica further
	// behind is cheaper to load again.
	replayLimit = 5000
)

// Replica is a copy in memory of a site's records of one kind, as of a sequence of the
// ledger.
type Replica interface {
	Seq() int64
	// Bytes returns its memory.
	Bytes() int
}

// ReplicaKind is a kind of replica, with the functions that load and update one.
type ReplicaKind[R Replica] struct {
	Name string
	// Load reads everything in one snapshot, as of the sequence.
	Load func(u Unit, seq int64) (R, error)
	// Replay reads the records of the events that follow the replica, and returns a function
	// that applies them.
	Replay func(u Unit, held R, events []event.Event) (func(R), error)
	// Changes, which may be nil, does the same in one query for the first n events after a
	// sequence, and returns the events as well.
	Changes func(ctx context.Context, from port.Changes, c Caller, after int64, n int) ([]event.Event, func(R), error)
	// Written, which may be nil, returns a function that applies a unit of work of this process
	// to a replica that is at the sequence before it and ignores some criteria. It is false
	// when the unit does not contain all that the replica needs.
	Written func(held R, w *Written, unsearchable map[string]bool) (func(R), bool)
}

// replica is a cached Replica with its state.
type replica[R Replica] struct {
	held    R
	written func(R, *Written, map[string]bool) (func(R), bool)
	// applying protects held and the fields that follow.
	applying sync.Mutex
	parked   parking
	// spoiled is the error that made it unusable.
	spoiled error
	// seq is its sequence, so that reading it does not wait for a replay.
	seq atomic.Int64
	// ignored are the criteria that it ignores.
	ignored map[string]bool
}

// presence is the memory.Source of a replica for a caller.
type presence[R Replica] struct {
	k  *Kernel
	c  Caller
	of ReplicaKind[R]
}

// Present returns the replica of the caller's site, with everything that was committed when
// the caller was identified, and perhaps more. It reads in its own units of work, so do not
// call it inside one.
func Present[R Replica](ctx context.Context, k *Kernel, c Caller, of ReplicaKind[R]) (R, error) {
	kept, err := memory.Get(ctx, k.replicas, memory.Key{Site: c.Site.ID, Kind: of.Name}, presence[R]{k, c, of})
	if err != nil {
		var none R
		return none, err
	}
	return kept.held, nil
}

// Serves implements memory.Source.
func (p presence[R]) Serves(kept *replica[R]) bool {
	return kept.seq.Load() >= max(p.c.Site.Head.Seq, 0) && p.fits(kept)
}

// fits reports whether a replica ignores the criteria that the caller's definitions exclude.
func (p presence[R]) fits(kept *replica[R]) bool {
	return maps.Equal(kept.ignored, p.c.Site.Unsearchable)
}

// Load implements memory.Source. It replays the ledger, where that is less work.
func (p presence[R]) Load(ctx context.Context, kept *replica[R], found bool) (*replica[R], error) {
	ctx = port.WithoutPatience(ctx)
	if found {
		if err := kept.whySpoiled(); err != nil {
			panic(err) // the cache then discards it
		}
	}
	if found && p.fits(kept) && p.c.Site.Head.Seq-kept.seq.Load() <= replayLimit {
		if err := kept.catchUp(ctx, p); !errors.Is(err, errGap) {
			return kept, err
		}
	}
	p.k.replicaKinds.Store(p.of.Name, nil)
	held, err := load(ctx, p.k, p.c, p.of)
	if err != nil {
		return nil, err
	}
	fresh := &replica[R]{held: held, ignored: p.c.Site.Unsearchable, written: p.of.Written}
	fresh.seq.Store(held.Seq())
	return fresh, nil
}

// Bytes implements memory.Source.
func (p presence[R]) Bytes(kept *replica[R]) int {
	kept.applying.Lock()
	defer kept.applying.Unlock()
	return kept.bytes()
}

func load[R Replica](ctx context.Context, k *Kernel, c Caller, of ReplicaKind[R]) (fresh R, err error) {
	err = View(ctx, k, c, func(u Unit) error {
		head, err := u.Ledger().Head(c.Site.ID)
		if err == nil {
			fresh, err = of.Load(u, head.Seq)
		}
		return err
	})
	return fresh, err
}

// errGap is the error of a ledger that does not reach back to the replica, because old
// events were purged.
var errGap = errors.New("the ledger has a gap")

// catchUp applies the events of the ledger after the replica.
func (r *replica[R]) catchUp(ctx context.Context, p presence[R]) error {
	after := r.sequence()
	if after >= p.c.Site.Head.Seq {
		return nil
	}
	events, apply, err := p.changes(ctx, r.held, after)
	if err != nil {
		return err
	}
	if len(events) == 0 || events[0].Seq != after+1 {
		return errGap
	}
	r.applying.Lock()
	defer r.applying.Unlock()
	if r.spoiled != nil {
		return r.spoiled
	}
	// Writes of this process may have been applied meanwhile.
	if r.seq.Load() < events[len(events)-1].Seq {
		apply(r.held)
		r.seq.Store(r.held.Seq())
	}
	r.unpark()
	return nil
}

// sequence returns the sequence of the replica, after waiting for what is being applied.
func (r *replica[R]) sequence() int64 {
	r.applying.Lock()
	defer r.applying.Unlock()
	r.unpark()
	r.parked.closed = false
	return r.seq.Load()
}

// changes returns the events after a sequence, and a function that applies them.
func (p presence[R]) changes(ctx context.Context, held R, after int64) (events []event.Event, apply func(R), err error) {
	if p.k.Changes != nil && p.of.Changes != nil {
		return p.of.Changes(ctx, p.k.Changes, p.c, after, replayLimit)
	}
	err = View(ctx, p.k, p.c, func(u Unit) (err error) {
		if events, err = u.Ledger().After(p.c.Site.ID, after, replayLimit); err == nil && len(events) > 0 {
			apply, err = p.of.Replay(u, held, events)
		}
		return err
	})
	return events, apply, err
}

// ScanAll reads all records of a site, chunk by chunk, and calls take with each, which returns
// its id.
func ScanAll[ID, T any](id site.ID, read func(site.ID, ID, int) ([]T, error), take func(T) ID) error {
	var after ID
	for more := true; more; {
		chunk, err := read(id, after, scanChunk)
		if err != nil {
			return err
		}
		for _, record := range chunk {
			after = take(record)
		}
		more = len(chunk) == scanChunk
	}
	return nil
}

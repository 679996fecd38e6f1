package api

import (
	"container/list"
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/site"
)

// How much is read at a time.
const (
	scanChunk = 2000
	// replayLimit is the longest stretch of the ledger that is replayed; a
	// replica further behind is cheaper to load anew.
	replayLimit = 5000
)

// Replica is what is kept in memory of a site's records of one kind. It stands
// at a sequence of the ledger.
type Replica interface {
	Seq() int64
	// Bytes is the memory it takes.
	Bytes() int
}

// ReplicaKind is a kind of replica, and how one comes to be.
type ReplicaKind[R Replica] struct {
	Name string
	// Load reads everything in one snapshot, which stands at the sequence.
	Load func(u Unit, seq int64) (R, error)
	// Replay applies events, which follow the last one the replica has seen.
	Replay func(u Unit, held R, events []event.Event) error
}

// replicas holds the replicas of each site that were asked for.
type replicas struct {
	limit int

	mu    sync.Mutex
	slots map[slotKey]*slot
	// used are the slots, the most recently used first; bytes is what they take.
	used  list.List
	bytes int
}

type slotKey struct {
	site site.ID
	kind string
}

// slot is the place of one replica. Whoever loads or replays holds its mutex,
// so that a thousand searches cause one load.
type slot struct {
	key  slotKey
	mu   sync.Mutex
	held Replica
	// ignored are the criteria the replica was made without.
	ignored map[string]bool

	// Guarded by the mutex of replicas. place is nil when the slot was given up, which
	// whoever uses it need not know.
	place *list.Element
	bytes int
}

func newReplicas(limit int) *replicas {
	return &replicas{limit: limit, slots: map[slotKey]*slot{}}
}

func (r *replicas) slot(key slotKey) *slot {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[key]
	if s == nil {
		s = &slot{key: key}
		s.place = r.used.PushFront(s)
		r.slots[key] = s
	}
	r.used.MoveToFront(s.place)
	return s
}

// Present returns the replica of the caller's site, holding everything that was
// committed when the caller was identified, and perhaps more. It reads in units
// of its own: nobody asks for a replica inside a unit of work.
func Present[R Replica](ctx context.Context, k *Kernel, c Caller, of ReplicaKind[R]) (R, error) {
	slot := k.replicas.slot(slotKey{c.Site.ID, of.Name})
	slot.mu.Lock()
	defer slot.mu.Unlock()
	// One that was made with other definitions is of no use.
	if held, ok := slot.held.(R); ok && maps.Equal(slot.ignored, c.Site.Unsearchable) {
		if held.Seq() >= c.Site.Head.Seq {
			return held, nil
		}
		if c.Site.Head.Seq-held.Seq() <= replayLimit {
			if err := replay(ctx, k, c, of, held); !errors.Is(err, errGap) {
				k.replicas.account(slot, held.Bytes())
				return held, err
			}
		}
	}
	fresh, err := load(ctx, k, c, of)
	if err != nil {
		return fresh, err
	}
	slot.held, slot.ignored = fresh, c.Site.Unsearchable
	k.replicas.account(slot, fresh.Bytes())
	return fresh, nil
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

// errGap tells that the ledger does not reach back to where the replica stands,
// because old events were purged.
var errGap = errors.New("the ledger has a gap")

// replay applies what the ledger holds beyond the replica.
func replay[R Replica](ctx context.Context, k *Kernel, c Caller, of ReplicaKind[R], held R) error {
	return View(ctx, k, c, func(u Unit) error {
		events, err := u.Ledger().After(c.Site.ID, held.Seq(), replayLimit)
		if err != nil {
			return err
		}
		if len(events) == 0 || events[0].Seq != held.Seq()+1 {
			return errGap
		}
		return of.Replay(u, held, events)
	})
}

// ScanAll reads all records of a site, chunk by chunk. take is told each record
// and returns its id.
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

// account notes the size of a slot and gives up the least recently used others
// until the rest is within the limit.
func (r *replicas) account(just *slot, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if just.place == nil {
		return
	}
	r.bytes += bytes - just.bytes
	just.bytes = bytes
	for place := r.used.Back(); place != nil && r.limit > 0 && r.bytes > r.limit; {
		oldest, before := place.Value.(*slot), place.Prev()
		// One without a size is being loaded.
		if oldest != just && oldest.bytes > 0 {
			r.used.Remove(place)
			delete(r.slots, oldest.key)
			oldest.place = nil
			r.bytes -= oldest.bytes
		}
		place = before
	}
}

// CatalogueBytes is the memory that all loaded catalogues and books of search
// requests take.
func (k *Kernel) CatalogueBytes() int {
	k.replicas.mu.Lock()
	defer k.replicas.mu.Unlock()
	return k.replicas.bytes
}

package siteapi

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

// How much is read at a time.
const (
	scanChunk = 2000
	// replayLimit is the longest stretch of the ledger that is replayed; a
	// replica further behind is cheaper to load anew.
	replayLimit = 5000
)

// replica is what is kept in memory of a site's records of one kind. It stands
// at a sequence of the ledger.
type replica interface {
	Seq() int64
	// Bytes is the memory it takes.
	Bytes() int
}

// kind is a kind of replica, and how one comes to be.
type kind[R replica] struct {
	name string
	// load reads everything in one snapshot, which stands at the sequence.
	load func(tx port.Tx, c Caller, seq int64) (R, error)
	// replay applies events, which follow the last one the replica has seen.
	replay func(tx port.Tx, c Caller, held R, events []event.Event) error
}

// replicas holds the replicas of each site that were asked for.
type replicas struct {
	limit int

	mu      sync.Mutex
	shelves map[shelfKey]*shelf
	clock   int64
}

type shelfKey struct {
	site site.ID
	kind string
}

// shelf is the place of one replica. Whoever loads or replays holds its mutex,
// so that a thousand searches cause one load.
type shelf struct {
	mu   sync.Mutex
	held replica
	// ignored are the criteria the replica was made without.
	ignored map[string]bool

	// Guarded by the mutex of replicas.
	lastUsed int64
	bytes    int
}

func newReplicas(limit int) *replicas {
	return &replicas{limit: limit, shelves: map[shelfKey]*shelf{}}
}

func (r *replicas) shelf(key shelfKey) *shelf {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shelves[key] == nil {
		r.shelves[key] = &shelf{}
	}
	r.clock++
	r.shelves[key].lastUsed = r.clock
	return r.shelves[key]
}

// present returns the replica of the caller's site, holding everything that was
// committed when the caller was identified, and perhaps more.
func present[R replica](ctx context.Context, s *Service, c Caller, of kind[R]) (R, error) {
	shelf := s.replicas.shelf(shelfKey{c.Site(), of.name})
	shelf.mu.Lock()
	defer shelf.mu.Unlock()
	// One made by other definitions is of no use.
	if held, ok := shelf.held.(R); ok && maps.Equal(shelf.ignored, c.settings.unsearchable) {
		if held.Seq() >= c.head.Seq {
			return held, nil
		}
		if c.head.Seq-held.Seq() <= replayLimit {
			if err := replay(ctx, s, c, of, held); !errors.Is(err, errGap) {
				return held, err
			}
		}
	}
	fresh, err := fetch(ctx, s, c, of)
	if err != nil {
		return fresh, err
	}
	shelf.held, shelf.ignored = fresh, c.settings.unsearchable
	s.replicas.account(shelf, fresh.Bytes())
	return fresh, nil
}

func fetch[R replica](ctx context.Context, s *Service, c Caller, of kind[R]) (fresh R, err error) {
	return fresh, s.ports.Store.View(ctx, func(tx port.Tx) error {
		head, err := tx.Ledger().Head(c.Site())
		if err == nil {
			fresh, err = of.load(tx, c, head.Seq)
		}
		return err
	})
}

// errGap tells that the ledger does not reach back to where the replica stands,
// because old events were purged.
var errGap = errors.New("the ledger has a gap")

// replay applies what the ledger holds beyond the replica.
func replay[R replica](ctx context.Context, s *Service, c Caller, of kind[R], held R) error {
	return s.ports.Store.View(ctx, func(tx port.Tx) error {
		events, err := tx.Ledger().After(c.Site(), held.Seq(), replayLimit)
		if err != nil {
			return err
		}
		if len(events) == 0 || events[0].Seq != held.Seq()+1 {
			return errGap
		}
		return of.replay(tx, c, held, events)
	})
}

// scan reads all records of a site, chunk by chunk.
func scan[ID, T any](id site.ID, read func(site.ID, ID, int) ([]T, error), take func(T) ID) error {
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

// account notes the size of a shelf and drops the least recently used others
// until the rest is within the limit.
func (r *replicas) account(just *shelf, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	just.bytes = bytes
	for r.limit > 0 && r.bytes() > r.limit {
		var oldest *shelf
		var key shelfKey
		for candidate, s := range r.shelves {
			if s != just && s.bytes > 0 && (oldest == nil || s.lastUsed < oldest.lastUsed) {
				oldest, key = s, candidate
			}
		}
		if oldest == nil {
			return
		}
		delete(r.shelves, key)
	}
}

func (r *replicas) bytes() int {
	total := 0
	for _, s := range r.shelves {
		total += s.bytes
	}
	return total
}

// CatalogueBytes is the memory that all loaded catalogues and books of search
// requests take.
func (s *Service) CatalogueBytes() int {
	s.replicas.mu.Lock()
	defer s.replicas.mu.Unlock()
	return s.replicas.bytes()
}

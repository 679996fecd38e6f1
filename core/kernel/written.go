package kernel

import (
	"fmt"
	"reflect"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// A process need not read what it has written: right after the commit it applies the write to
// its replicas, in the order of the ledger. A write that is ahead of its turn is parked.
// Nothing depends on it: what is missing is replayed before a request uses the replica.

// Written has the changes of one unit of work to a site that replicas need.
type Written struct {
	// Events are those of the unit, as they were recorded.
	Events []event.Event

	products map[product.ID]*product.Product
	searches map[demand.SearchID]*demand.SearchRequest
	// names are those of customers that the unit has read or written.
	names map[customer.ID][]string
	// bytes is its memory, computed when it is parked.
	bytes int
}

// writtenMost is the largest number of records of a kind in a Written.
const writtenMost = 200

// remember stores the state of a record after the unit, unless there are too many.
func remember[ID ~int64, T any](all map[ID]T, id ID, left T) {
	if _, known := all[id]; known || len(all) < writtenMost {
		all[id] = left
	}
}

// Product returns a product after the unit, nil when it is deleted. It has the fields that a
// scan returns. known is false when the unit has not written it.
func (w *Written) Product(id product.ID) (left *product.Product, known bool) {
	left, known = w.products[id]
	return left, known
}

// Search returns a search request after the unit, nil when it is deleted. known is false when
// the unit has not written it.
func (w *Written) Search(id demand.SearchID) (left *demand.SearchRequest, known bool) {
	left, known = w.searches[id]
	return left, known
}

// Names returns those of a customer whom the unit held, as it left them.
func (w *Written) Names(id customer.ID) (names []string, known bool) {
	names, known = w.names[id]
	return names, known
}

func (w *Written) first() int64 { return w.Events[0].Seq }

func (w *Written) last() int64 { return w.Events[len(w.Events)-1].Seq }

func (w *Written) noteProduct(p product.Product) {
	if !p.Deleted.IsZero() {
		remember(w.products, p.ID, nil)
		return
	}
	p.Rooms, p.Descriptions, p.Pictures, p.Derived = nil, nil, nil, product.Derived{}
	p = p.Clone()
	remember(w.products, p.ID, &p)
}

// writtenTo returns what the unit does to a site, or nil when nobody here wants to know.
func (w *watchedTx) writtenTo(id site.ID) *Written {
	known, found := w.written[id]
	if !found {
		if w.hasReplicas(id) {
			known = &Written{
				products: map[product.ID]*product.Product{}, searches: map[demand.SearchID]*demand.SearchRequest{},
				names: map[customer.ID][]string{},
			}
		}
		if w.written == nil {
			w.written = map[site.ID]*Written{}
		}
		w.written[id] = known
	}
	return known
}

// noteEvents stores events with their sequences, which end with that of the last one.
func (w *watchedTx) noteEvents(id site.ID, happened []event.Event, last event.Event) {
	noted := w.writtenTo(id)
	if noted == nil {
		return
	}
	for i, e := range happened {
		e.Site, e.At, e.Seq = id, last.At, last.Seq-int64(len(happened)-1-i)
		e.By, e.Request, e.Values = "", "", "" // which no replica needs
		noted.Events = append(noted.Events, e)
	}
}

// committed applies a committed unit to the replicas of this process.
func (w *watchedTx) committed(k *Kernel) {
	for id, written := range w.written {
		if written != nil && len(written.Events) > 0 {
			k.follow(id, written)
		}
	}
}

// follower is a replica to which writes are applied.
type follower interface{ follow(*Written) (bytes int) }

// hasReplicas reports whether any replica of a site is cached.
func (k *Kernel) hasReplicas(id site.ID) (has bool) {
	k.replicaKinds.Range(func(kind, _ any) bool {
		has = k.replicas.Peek(memory.Key{Site: id, Kind: kind.(string)}) != nil
		return !has
	})
	return has
}

// follow applies a write to the replicas of a site.
func (k *Kernel) follow(id site.ID, w *Written) {
	k.replicaKinds.Range(func(kind, _ any) bool {
		key := memory.Key{Site: id, Kind: kind.(string)}
		if kept, found := k.replicas.Peek(key).(follower); found {
			k.replicas.Resized(key, kept, kept.follow(w))
		}
		return true
	})
}

// Bounds of what is parked. A replica with more is far behind, and replays.
const (
	parkedMost      = 64
	parkedMostBytes = 1 << 20
)

// parking has the writes that are ahead of their turn.
type parking struct {
	waiting []*Written
	bytes   int
	// closed reports that a write is missing which only a replay can add. Until one begins,
	// nothing is parked.
	closed bool
}

// add parks a write, or discards everything when that is too much.
func (p *parking) add(w *Written) {
	if p.closed {
		return
	}
	if w.bytes == 0 {
		w.bytes = memory.Footprint(*w, reflect.TypeFor[*time.Location]())
	}
	p.waiting, p.bytes = append(p.waiting, w), p.bytes+w.bytes
	if len(p.waiting) > parkedMost || p.bytes > parkedMostBytes {
		*p = parking{closed: true}
	}
}

// next removes and returns the write that follows a sequence, and discards earlier ones.
func (p *parking) next(seq int64) (follows *Written) {
	waiting := p.waiting
	*p = parking{}
	for _, w := range waiting {
		switch {
		case w.last() <= seq:
		case w.first() <= seq+1 && follows == nil:
			follows = w
		default:
			p.add(w)
		}
	}
	return follows
}

// follow applies a write, if it is its turn, and the parked ones that follow it.
func (r *replica[R]) follow(w *Written) (bytes int) {
	r.applying.Lock()
	defer r.applying.Unlock()
	defer func() {
		// The unit is committed, whatever happens to the replica. The next load fails.
		if p := recover(); p != nil {
			r.spoil(p)
		}
	}()
	if r.spoiled != nil || w.last() <= r.seq.Load() {
		return r.bytes()
	}
	if w.first() > r.seq.Load()+1 {
		r.parked.add(w)
		return r.bytes()
	}
	if !r.apply(w) {
		r.parked = parking{closed: true}
	}
	r.unpark()
	return r.bytes()
}

// unpark applies the parked writes whose turn it is.
func (r *replica[R]) unpark() {
	for len(r.parked.waiting) > 0 {
		w := r.parked.next(r.seq.Load())
		if w == nil || !r.apply(w) {
			return
		}
	}
}

// apply applies a write, if it has all that the replica needs, and reports whether it did.
func (r *replica[R]) apply(w *Written) bool {
	if r.written == nil {
		return false
	}
	apply, enough := r.written(r.held, w, r.ignored)
	if enough {
		apply(r.held)
		r.seq.Store(r.held.Seq())
	}
	return enough
}

func (r *replica[R]) bytes() int { return r.held.Bytes() + r.parked.bytes }

// spoil marks the replica as unusable, because it may be half updated.
func (r *replica[R]) spoil(panicked any) {
	r.spoiled = fmt.Errorf("applying a write to a replica panicked: %v", panicked)
	r.seq.Store(-1)
}

// whySpoiled is what the replica was given up for, if it was.
func (r *replica[R]) whySpoiled() error {
	r.applying.Lock()
	defer r.applying.Unlock()
	return r.spoiled
}

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

// A process knows what it has written, and need not read it again: right after the commit
// its replicas are brought up to date with it, in the order of the ledger. What comes before
// its turn is parked. Nothing depends on it: what is missing is read before somebody needs it.

// Written is what one unit of work has done to a site, as far as replicas need it.
type Written struct {
	// Events are those of the unit, as they were recorded.
	Events []event.Event

	products map[product.ID]*product.Product
	searches map[demand.SearchID]*demand.SearchRequest
	// names are those of customers that the unit held.
	names map[customer.ID][]string
	// bytes is the memory it takes, once it is parked.
	bytes int
}

// writtenMost bounds how many records of a kind are remembered of a unit.
const writtenMost = 200

// remember keeps what the unit left of a record, unless there are too many.
func remember[ID ~int64, T any](all map[ID]T, id ID, left T) {
	if _, known := all[id]; known || len(all) < writtenMost {
		all[id] = left
	}
}

// Product returns a product as the unit left it, nil when it is gone. It tells as little as a scan
// does. known is false when the unit wrote none with this id.
func (w *Written) Product(id product.ID) (left *product.Product, known bool) {
	left, known = w.products[id]
	return left, known
}

// Search returns a search request as the unit left it, nil when it is gone. known is false when
// the unit wrote none with this id.
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

// noteEvents remembers events of which the last was recorded like that.
func (w *watchedTx) noteEvents(id site.ID, happened []event.Event, last event.Event) {
	noted := w.writtenTo(id)
	if noted == nil {
		return
	}
	for i, e := range happened {
		e.Site, e.At, e.Seq = id, last.At, last.Seq-int64(len(happened)-1-i)
		noted.Events = append(noted.Events, e)
	}
}

// committed brings the replicas of this process up to date with a unit that is committed.
func (w *watchedTx) committed(k *Kernel) {
	for id, written := range w.written {
		if written != nil && len(written.Events) > 0 {
			k.follow(id, written)
		}
	}
}

// follower is a replica that follows what is written.
type follower interface{ follow(*Written) (bytes int) }

// hasReplicas reports whether any replica of a site is kept.
func (k *Kernel) hasReplicas(id site.ID) (has bool) {
	k.replicaKinds.Range(func(kind, _ any) bool {
		has = k.replicas.Peek(memory.Key{Site: id, Kind: kind.(string)}) != nil
		return !has
	})
	return has
}

// follow has the replicas of a site follow what was written.
func (k *Kernel) follow(id site.ID, w *Written) {
	k.replicaKinds.Range(func(kind, _ any) bool {
		key := memory.Key{Site: id, Kind: kind.(string)}
		if kept, found := k.replicas.Peek(key).(follower); found {
			k.replicas.Resized(key, kept, kept.follow(w))
		}
		return true
	})
}

// What is parked of a replica is bounded. With more than that it is far behind, and replays.
const (
	parkedMost      = 64
	parkedMostBytes = 1 << 20
)

// parking holds what was written before its turn.
type parking struct {
	waiting []*Written
	bytes   int
	// closed says that something is missing that only a replay brings. Until one begins,
	// nothing is worth parking.
	closed bool
}

// add parks what was written, or gives everything up when that is too much.
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

// next takes out what follows a sequence, and gives up what does not come after it.
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

// follow applies what was written, if it is its turn, and what has waited for that.
func (r *replica[R]) follow(w *Written) (bytes int) {
	r.applying.Lock()
	defer r.applying.Unlock()
	defer func() {
		// The unit is committed, whatever becomes of the replica. Who asks for it is told.
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

// unpark applies what is parked, as far as it is its turn.
func (r *replica[R]) unpark() {
	for len(r.parked.waiting) > 0 {
		w := r.parked.next(r.seq.Load())
		if w == nil || !r.apply(w) {
			return
		}
	}
}

// apply applies what was written, if it says all that the replica must know.
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

// spoil notes that the replica may be half brought up to date: it serves nobody any more.
func (r *replica[R]) spoil(panicked any) {
	r.spoiled = fmt.Errorf("a replica could not follow what was written: %v", panicked)
	r.seq.Store(-1)
}

// whySpoiled is what the replica was given up for, if it was.
func (r *replica[R]) whySpoiled() error {
	r.applying.Lock()
	defer r.applying.Unlock()
	return r.spoiled
}

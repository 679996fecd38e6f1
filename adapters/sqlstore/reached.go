package sqlstore

import (
	"sync"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// A copy of the whole database that is put in its place, such as an older snapshot of a
// volume, says that it is where it was. Whoever lived through it knows better: the log of
// the engine ends before the position that was seen, or a site has fewer events than were
// told.

// sitesKept is of how many sites a head is remembered at most.
const sitesKept = 10_000

// Reached is how far a process knows that its database has come. Stores and connections of
// one database share it.
type Reached struct {
	mu  sync.Mutex
	log logReached
	// sites are the heads that were read or written, and in which log.
	sites map[site.ID]headReached
}

// logReached is how often the numbers had been moved on, and how far the log had come since.
type logReached struct{ timeline, at int64 }

// headReached is the head of a site, and how often the numbers had been moved on.
type headReached struct {
	timeline int64
	port.Head
}

// reached is what was known when a head was about to be read.
type reached struct {
	log  logReached
	head headReached
}

// Reaching has a store share what is known of its database.
func Reaching(r *Reached) Option { return func(s *Store) { s.reached = r } }

// Log tells how often the numbers had been moved on, and how far the log had come since,
// when the database was last seen.
func (r *Reached) Log() (timeline, at int64) {
	if r == nil {
		return 0, 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.timeline, r.log.at
}

// before is what is known before the head of a site is read.
func (r *Reached) before(id site.ID) reached {
	r.mu.Lock()
	defer r.mu.Unlock()
	return reached{r.log, r.sites[id]}
}

// isPast reports whether a head is read of a database that had come further already.
func (r reached) isPast(p timelineHead) bool {
	if p.timeline != r.log.timeline {
		return p.timeline < r.log.timeline
	}
	h := r.head
	return p.log < r.log.at || p.timeline == h.timeline &&
		(p.Seq < h.Seq || p.Settings < h.Settings || p.Access < h.Access || p.Rejections < h.Rejections)
}

// read notes a head that was read.
func (r *Reached) read(id site.ID, p timelineHead) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case p.timeline > r.log.timeline:
		r.log = logReached{p.timeline, p.log}
	case p.timeline == r.log.timeline:
		r.log.at = max(r.log.at, p.log)
	}
	h := r.sites[id]
	if p.timeline > h.timeline {
		h = headReached{timeline: p.timeline}
	}
	if p.timeline == h.timeline {
		h.Seq, h.Settings = max(h.Seq, p.Seq), max(h.Settings, p.Settings)
		h.Access, h.Rejections = max(h.Access, p.Access), max(h.Rejections, p.Rejections)
	}
	r.keep(id, h)
}

// wrote notes the last event that was stored of a site.
func (r *Reached) wrote(id site.ID, seq int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h, known := r.sites[id]; known {
		h.Seq = max(h.Seq, seq)
		r.sites[id] = h
	}
}

// keep keeps a head. Of too many sites all are forgotten: the log is known all the same.
func (r *Reached) keep(id site.ID, h headReached) {
	if _, known := r.sites[id]; !known && len(r.sites) >= sitesKept || r.sites == nil {
		r.sites = map[site.ID]headReached{}
	}
	r.sites[id] = h
}

// forget forgets a site that is not there any more: it may come anew.
func (r *Reached) forget(id site.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.sites, id)
}

// forgetAll is for a database that was emptied.
func (r *Reached) forgetAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log, r.sites = logReached{}, nil
}

package catalogue

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// MatchQuery is what is asked of an index about a search request.
type MatchQuery struct {
	// Filter is what products must meet whatever the request says.
	Filter product.Filter
	// Near also wants the near misses.
	Near bool
	// Skip and Limit cut a page out of the answer.
	Skip, Limit int
}

// Matches is a page of products that match, the best first, by id where they are
// equally good.
type Matches struct {
	Products []Rated
	// Total is how many there are on all pages together.
	Total int
}

// Rated is a product and how well it matches.
type Rated struct {
	ID product.ID
	demand.Verdict
}

// Match holds all products against a search request. What matches, how well and
// what nearly does is what demand.SearchRequest.Match says.
func (x *Index) Match(r demand.SearchRequest, q MatchQuery) Matches {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.pool.Get().(*scratch)
	defer x.pool.Put(s)
	m := x.matching(&r, q)
	for number := range x.windows() {
		if x.look(m.must, &s.window, number, 0); !s.window.empty() {
			m.sift(&s.window)
			m.rate(&s.window)
		}
	}
	best, total := m.best.Page()
	a := Matches{Total: total}
	for _, one := range best {
		a.Products = append(a.Products, Rated{x.records.get(one.Item).id, one.Verdict})
	}
	return a
}

// Latest is the last change of the products that match a search request and meet
// a filter, the zero time without any.
func (x *Index) Latest(r demand.SearchRequest, f product.Filter) (latest time.Time) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.pool.Get().(*scratch)
	defer x.pool.Put(s)
	m := x.matching(&r, MatchQuery{Filter: f})
	for number := range x.windows() {
		x.look(m.must, &s.window, number, 0)
		for micros := range x.modified.of(&s.window) {
			if at := time.UnixMicro(int64(micros)).UTC(); at.After(latest) {
				latest = at
			}
		}
	}
	return latest
}

// matching is a search request on its way through the windows.
type matching struct {
	x *Index
	// demands are in the order of the request.
	demands []*sought
	// must is what a product has to meet: the filter, what bars, and without near
	// misses everything insisted on.
	must all
	// may are the demands a near miss can miss, those first that tell most.
	may, wishes []*sought
	// missed counts what the slots of a window miss, plain what of it has no
	// distance.
	missed, plain ladder
	best          *demand.Tiers[uint32]
}

// sought is a demand in the terms of the index.
type sought struct {
	demand.Demand
	met predicate
	// open demands may be missed, by slots that are not in holds.
	open  bool
	holds words
	// numbers are those that miss it by a distance.
	numbers *column[float64]
	// frames are around what is near a wanted circle. They tell nothing where an
	// area is excluded.
	frames   []demand.Frame
	excludes bool
}

func (x *Index) matching(r *demand.SearchRequest, q MatchQuery) *matching {
	m := &matching{
		x: x, must: x.plan(q.Filter, everything), best: demand.NewTiers[uint32](q.Skip, q.Limit),
		missed: make(ladder, demand.MostMisses+1), plain: make(ladder, demand.MostPlain+1),
	}
	slots := max(1, float64(x.slots))
	ahead := prospect{slots * m.must.share(slots), everything}
	for d := range r.Demands() {
		s := &sought{Demand: d, met: x.met(&d, ahead), open: d.Wish || q.Near && !d.Bars}
		m.demands = append(m.demands, s)
		switch {
		case !s.open:
			m.must = append(m.must, s.met)
			continue
		case d.Wish:
			m.wishes = append(m.wishes, s)
		default:
			m.may = append(m.may, s)
		}
		if d.Measured() {
			s.numbers = &x.known(d.Condition.Criterion).numbers
		}
		for _, a := range d.Areas {
			s.excludes = s.excludes || a.Excluded
			if a.Type == demand.Radius && !a.Excluded {
				s.frames = append(s.frames, a.Frame(true))
			}
		}
	}
	slices.SortStableFunc(m.must, func(a, b predicate) int { return cmp.Compare(rank(a, slots), rank(b, slots)) })
	slices.SortStableFunc(m.may, func(a, b *sought) int { return cmp.Compare(rank(a.met, slots), rank(b.met, slots)) })
	return m
}

// met is a demand as a predicate.
func (x *Index) met(d *demand.Demand, ahead prospect) predicate {
	var holds predicate
	switch {
	case d.Areas != nil:
		return x.inAreas(d.Areas)
	case d.Types != nil:
		return anyOf(&x.known(criteria.KeyPropertyType).choices, d.Types)
	case d.Condition == nil:
		return anyOf(&x.known(criteria.KeyTransactionType).choices, []string{d.Transaction})
	case d.Condition.Operator == criteria.CONTIENT:
		holds = x.containing(*d.Condition, product.Veil{}, ahead)
	default:
		holds = x.condition(*d.Condition, product.Veil{})
	}
	if d.Not {
		return not{holds}
	}
	return holds
}

// sift clears the bits of slots that miss too much.
func (m *matching) sift(w *window) {
	clear(m.missed)
	clear(m.plain)
	for _, d := range m.may {
		if w.empty() {
			return
		}
		d.look(w)
		missing := w.words
		missing.subtract(&d.holds)
		near, far := m.measure(d, &missing, w.number)
		missing.subtract(&far)
		m.missed.climb(&missing)
		missing.subtract(&near)
		m.plain.climb(&missing)
		w.subtract(&far)
		w.subtract(m.missed.top())
		w.subtract(m.plain.top())
	}
	for _, d := range m.wishes {
		d.look(w)
	}
}

// look notes which slots of a window meet the demand.
func (d *sought) look(w *window) {
	d.holds = w.part(d.met).words
}

// measure tells slots that miss a demand by little and by much.
func (m *matching) measure(d *sought, missing *words, number int) (near, far words) {
	w := window{words: *missing, number: number}
	if d.numbers == nil && d.frames == nil {
		return near, far
	}
	for slot := range w.slots(false) {
		word, bit := slot/wordSize%windowWords, uint64(1)<<(slot%wordSize)
		switch o := m.outcome(d, slot); {
		case o.Near():
			near[word] |= bit
		case o.Far():
			far[word] |= bit
		}
	}
	return near, far
}

// outcome is how the product in a slot fares with a demand.
func (m *matching) outcome(d *sought, slot uint32) demand.Outcome {
	switch {
	case !d.open || d.holds.has(slot):
		return demand.Outcome{Holds: true}
	case d.numbers != nil:
		if n, ok := d.numbers.at(slot); ok {
			return d.Off(n)
		}
	case d.frames != nil:
		return m.beyond(d, slot)
	}
	return demand.Outcome{}
}

// beyond is demand.Beyond for a slot, without the exact distance of what is far.
func (m *matching) beyond(d *sought, slot uint32) demand.Outcome {
	s, placed := m.x.spots.at(slot)
	position := s.position()
	switch {
	case !placed:
		return demand.Outcome{}
	case !d.excludes && !slices.ContainsFunc(d.frames, func(f demand.Frame) bool { return f.Has(position) }):
		return demand.Outcome{By: 1}
	}
	return demand.Beyond(d.Areas, m.x.whereabouts(slot))
}

// rate puts what is left of a window in its tiers.
func (m *matching) rate(w *window) {
	perfect := w.words
	perfect.subtract(&m.missed[0])
	for _, d := range m.wishes {
		for i, word := range d.holds {
			perfect[i] &= word
		}
	}
	some := w.fork()
	some.words = perfect
	m.takeAll(demand.Verdict{Holds: true, Score: 100}, some)
	some.words = w.words
	some.subtract(&perfect)
	for slot := range some.slots(false) {
		m.best.Take(m.verdict(slot), slot)
	}
}

// takeAll takes the slots of a window, all of which have the same verdict.
func (m *matching) takeAll(v demand.Verdict, w *window) {
	left := w.size()
	for slot := range w.slots(false) {
		if m.best.Full(v) {
			break
		}
		m.best.Take(v, slot)
		left--
	}
	m.best.Count(v, left)
}

func (m *matching) verdict(slot uint32) demand.Verdict {
	var t demand.Tally
	for _, d := range m.demands {
		t.Add(&d.Demand, m.outcome(d, slot))
	}
	return t.Verdict()
}

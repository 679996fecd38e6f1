package catalogue

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// MatchQuery selects products for a search request.
type MatchQuery struct {
	// Filter is what products must meet in addition to the request.
	Filter product.Filter
	// Near includes near misses.
	Near bool
	// Skip and Limit select a page of the answer.
	Skip, Limit int
}

// Matches is a page of products that match, the best first, by id where they are
// equally good.
type Matches struct {
	Products []Rated
	// Total is how many there are on all pages together.
	Total int
}

// Rated is a product with its verdict.
type Rated struct {
	ID product.ID
	demand.Verdict
}

// Match compares all products with a search request. demand.SearchRequest.Match specifies
// what matches, how well, and what nearly does.
func (x *Index) Match(r demand.SearchRequest, q MatchQuery) Matches {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.pool.Get().(*scratch)
	defer x.pool.Put(s)
	m := x.matching(&r, q)
	for number := range x.windows() {
		if x.selectSlots(m.must, &s.window, number, 0); !s.window.empty() {
			m.narrow(&s.window)
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

// Latest returns the last change of the products that match a search request and meet a
// filter, and the zero time if there are none.
func (x *Index) Latest(r demand.SearchRequest, f product.Filter) (latest time.Time) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.pool.Get().(*scratch)
	defer x.pool.Put(s)
	m := x.matching(&r, MatchQuery{Filter: f})
	for number := range x.windows() {
		x.selectSlots(m.must, &s.window, number, 0)
		for micros := range x.modified.of(&s.window) {
			if at := time.UnixMicro(int64(micros)).UTC(); at.After(latest) {
				latest = at
			}
		}
	}
	return latest
}

// matching is a search request and its state in the present window.
type matching struct {
	x *Index
	// demands are in the order of the request.
	demands []*demandState
	// must is what a product has to meet: the filter, the barring demands, and without near
	// misses every demand that is not a wish.
	must all
	// may are the demands that a near miss may miss, the strictest first.
	may, wishes []*demandState
	// missed counts the demands that slots of a window miss, plain those of them without a
	// distance.
	missed, plain counters
	best          *demand.Tiers[uint32]
}

// demandState is a demand as a predicate, and its result in the present window.
type demandState struct {
	demand.Demand
	met predicate
	// open demands may be missed, by the slots that are not in holds.
	open  bool
	holds words
	// numbers are the values from which the distance of a miss is computed.
	numbers *column[float64]
	// frames enclose what is near a wanted circle. They decide nothing where an area is
	// excluded.
	frames   []demand.Frame
	excludes bool
}

func (x *Index) matching(r *demand.SearchRequest, q MatchQuery) *matching {
	m := &matching{
		x: x, must: x.plan(q.Filter, everything), best: demand.NewTiers[uint32](q.Skip, q.Limit),
		missed: make(counters, demand.MostMisses+1), plain: make(counters, demand.MostPlain+1),
	}
	slots := max(1, float64(x.slots))
	work := estimate{slots * m.must.share(slots), everything}
	for d := range r.Demands() {
		s := &demandState{Demand: d, met: x.met(&d, work), open: d.Wish || q.Near && !d.Bars}
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
	slices.SortStableFunc(m.may, func(a, b *demandState) int { return cmp.Compare(rank(a.met, slots), rank(b.met, slots)) })
	return m
}

// met returns the predicate of a demand.
func (x *Index) met(d *demand.Demand, work estimate) predicate {
	var holds predicate
	switch {
	case d.Areas != nil:
		return x.inAreas(d.Areas)
	case d.Types != nil:
		return anyOf(&x.known(criteria.KeyPropertyType).choices, d.Types)
	case d.Condition == nil:
		return anyOf(&x.known(criteria.KeyTransactionType).choices, []string{d.Transaction})
	case d.Condition.Operator == criteria.CONTIENT:
		holds = x.containing(*d.Condition, product.Veil{}, work)
	default:
		holds = x.condition(*d.Condition, product.Veil{})
	}
	if d.Not {
		return not{holds}
	}
	return holds
}

// narrow clears the bits of slots that miss too much.
func (m *matching) narrow(w *window) {
	clear(m.missed)
	clear(m.plain)
	for _, d := range m.may {
		if w.empty() {
			return
		}
		d.evaluate(w)
		missing := w.words
		missing.subtract(&d.holds)
		near, far := m.measure(d, &missing, w.number)
		missing.subtract(&far)
		m.missed.add(&missing)
		missing.subtract(&near)
		m.plain.add(&missing)
		w.subtract(&far)
		w.subtract(m.missed.full())
		w.subtract(m.plain.full())
	}
	for _, d := range m.wishes {
		d.evaluate(w)
	}
}

// evaluate stores which slots of a window meet the demand.
func (d *demandState) evaluate(w *window) {
	d.holds = w.part(d.met).words
}

// measure returns the slots that miss a demand by little, and those that miss it by much.
func (m *matching) measure(d *demandState, missing *words, number int) (near, far words) {
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

// outcome returns how well the product in a slot meets a demand.
func (m *matching) outcome(d *demandState, slot uint32) demand.Outcome {
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

// beyond returns demand.Beyond for a slot, without the exact distance of what is far.
func (m *matching) beyond(d *demandState, slot uint32) demand.Outcome {
	s, located := m.x.points.at(slot)
	position := s.position()
	switch {
	case !located:
		return demand.Outcome{}
	case !d.excludes && !slices.ContainsFunc(d.frames, func(f demand.Frame) bool { return f.Has(position) }):
		return demand.Outcome{By: 1}
	}
	return demand.Beyond(d.Areas, m.x.whereabouts(slot))
}

// rate puts the remaining slots of a window into tiers.
func (m *matching) rate(w *window) {
	perfect := w.words
	perfect.subtract(&m.missed[0])
	for _, d := range m.wishes {
		for i, word := range d.holds {
			perfect[i] &= word
		}
	}
	some := w.second()
	some.words = perfect
	m.takeAll(demand.Verdict{Holds: true, Score: 100}, some)
	some.words = w.words
	some.subtract(&perfect)
	for slot := range some.slots(false) {
		m.best.Take(m.verdict(slot), slot)
	}
}

// takeAll adds the slots of a window, all of which have the same verdict.
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

package catalogue

import (
	"math/bits"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Facets counts the products that match a filter and, for each facet, how many of these
// are in each of its buckets. product.CountFacets specifies the counts.
func (x *Index) Facets(f product.Filter, facets []product.Facet) (count int, counts [][]int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.pool.Get().(*scratch)
	defer x.pool.Put(s)
	counts = make([][]int, len(facets))
	tallies := make([]tally, len(facets))
	for i, facet := range facets {
		counts[i] = make([]int, facet.Buckets())
		tallies[i] = x.tally(facet, f.Veil, counts[i])
	}
	demands := x.plan(f, everything)
	for number := range x.windows() {
		x.selectSlots(demands, &s.window, number, 0)
		if s.window.empty() {
			continue
		}
		count += s.window.size()
		for _, t := range tallies {
			t.add(&s.window, &s.window)
		}
	}
	return count, counts
}

// tally counts by one facet.
type tally interface {
	// add counts the slots of the window w by their values. Slots that are not in shown
	// count as having none.
	add(w, shown *window)
}

func (x *Index) tally(f product.Facet, veil product.Veil, counts []int) tally {
	plain := x.shown(f.Criterion, veil).tally(f, counts)
	if veil.Addresses && f.Criterion == criteria.KeyAddress {
		return maskedTally{plain, not{x.masked()}}
	}
	return plain
}

// maskedTally counts by a criterion that a veil hides for some slots.
type maskedTally struct {
	tally
	bare predicate
}

func (t maskedTally) add(w, _ *window) {
	t.tally.add(w, w.part(t.bare))
}

func (c *criterion) tally(f product.Facet, counts []int) tally {
	switch f.Type {
	case criteria.UNIQUE, criteria.MULTIPLE:
		t := codeTally{counts, make([][2]*set, len(f.Codes))}
		for i, code := range f.Codes {
			t.sets[i] = [2]*set{c.choices.slots(code), c.members.slots(code)}
		}
		return t
	case criteria.FLAG:
		return flagTally{counts, &c.flags}
	case criteria.NUMBER, criteria.DATE:
		days := bandTally{counts, &c.numbers, f.Bounds}
		if f.Instants == nil || c.timed.size() == 0 {
			return days
		}
		return dateTally{days, bandTally{counts, &c.numbers, f.Instants}, member{&c.timed}}
	case criteria.TEXT:
	}
	return codeTally{}
}

// codeTally counts by codes. A slot has a code as its choice or as a member of its set,
// never both.
type codeTally struct {
	counts []int
	sets   [][2]*set
}

func (t codeTally) add(_, shown *window) {
	for i, sets := range t.sets {
		t.counts[i] += sets[0].common(shown) + sets[1].common(shown)
	}
}

type flagTally struct {
	counts []int
	flags  *set
}

func (t flagTally) add(w, shown *window) {
	flagged := t.flags.common(shown)
	t.counts[0] += w.size() - flagged
	t.counts[1] += flagged
}

type bandTally struct {
	counts  []int
	numbers *column[float64]
	bounds  []float64
}

func (t bandTally) add(_, shown *window) {
	for value := range t.numbers.of(shown) {
		t.counts[t.band(value)]++
	}
}

// dateTally counts days by their bounds and instants by theirs.
type dateTally struct {
	days, instants bandTally
	timed          predicate
}

func (t dateTally) add(_, shown *window) {
	t.instants.add(nil, shown.part(t.timed))
	t.days.add(nil, shown.part(not{t.timed}))
}

// band returns how many bounds the value has reached. The branch predictor cannot guess
// whether it reaches one, so comparing with a few bounds without a branch is faster than
// a binary search.
func (t bandTally) band(value float64) int {
	const few = 16
	band, bounds := 0, t.bounds
	for len(bounds) > few {
		half := len(bounds) / 2
		if value >= bounds[half] {
			band, bounds = band+half, bounds[half:]
		} else {
			bounds = bounds[:half]
		}
	}
	for _, bound := range bounds {
		reached := 0
		if value >= bound {
			reached = 1
		}
		band += reached
	}
	return band
}

// common returns the number of slots of a window that are in the set.
func (s *set) common(w *window) int {
	count := 0
	for i, word := range portion(s.words, w.number) {
		count += bits.OnesCount64(word & w.words[i])
	}
	for _, n := range s.stretch(w.number) {
		count += int(w.words[n/wordSize%windowWords] >> (n % wordSize) & 1)
	}
	return count
}

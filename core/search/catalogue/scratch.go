package catalogue

import (
	"cmp"
	"math"
	"slices"
)

// scratch is what one search works with. It is used again by later searches.
type scratch struct {
	window window
	found  []uint64
	keyed  []keyed

	// The page, as far as it is known.
	skip, limit int
	slots       []uint32
	more        bool
}

// keyed is a slot with its sort value.
type keyed struct {
	value float64
	slot  uint32
}

// plenty is more matches than any index has: who skips more skips them all, and
// sums of a few cannot overflow.
const plenty = math.MaxInt32

// begin prepares for the page of a query.
func (s *scratch) begin(q Query) {
	s.skip, s.limit = min(max(q.Skip, 0), plenty), min(max(q.Limit, 0), plenty)
	s.slots, s.more = s.slots[:0], false
}

// wanted is how many matches have to be seen to have the page and to know
// whether there is more.
func (s *scratch) wanted() int { return s.skip + s.limit + 1 }

// passes reports whether the next so many matches all lie before the page, and
// if so goes past them.
func (s *scratch) passes(matches int) bool {
	if matches > s.skip {
		return false
	}
	s.skip -= matches
	return true
}

// take takes the next match and reports whether another one is wanted.
func (s *scratch) take(slot uint32) bool {
	switch {
	case s.skip > 0:
		s.skip--
	case len(s.slots) < s.limit:
		s.slots = append(s.slots, slot)
	default:
		s.more = true
	}
	return !s.more
}

// toSort is how many of the matches have to be put in order: those that are wanted,
// or all if that is not much more.
func (s *scratch) toSort(matches int) int {
	if n := s.wanted(); n < matches/4 {
		return n
	}
	return matches
}

// sorted puts those of the keyed slots that are wanted into order.
func (s *scratch) sorted(descending bool) []keyed {
	order := func(a, b keyed) int {
		if a.value != b.value {
			return cmp.Compare(a.value, b.value)
		}
		return cmp.Compare(a.slot, b.slot)
	}
	if descending {
		ascending := order
		order = func(a, b keyed) int { return ascending(b, a) }
	}
	n := s.toSort(len(s.keyed))
	wanted := s.keyed[:n]
	if n < len(s.keyed) {
		// A heap of the wanted ones, the last of them on top, gives way to what
		// comes before it.
		for i := n/2 - 1; i >= 0; i-- {
			sink(wanted, i, order)
		}
		for _, other := range s.keyed[n:] {
			if order(other, wanted[0]) < 0 {
				wanted[0] = other
				sink(wanted, 0, order)
			}
		}
	}
	slices.SortFunc(wanted, order)
	return wanted
}

// sink moves an element of a heap down to where it belongs.
func sink(heap []keyed, i int, order func(a, b keyed) int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && order(heap[child+1], heap[child]) > 0 {
			child++
		}
		if order(heap[child], heap[i]) <= 0 {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

package catalogue

import (
	"cmp"
	"math"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Search returns a page of products. product.Filter.Matches specifies which, and
// product.Order.Compare the order. A cursor leaves out every product up to its id,
// whatever the order.
func (x *Index) Search(q Query) Page {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.pool.Get().(*scratch)
	defer x.pool.Put(s)
	s.begin(q)
	if by := x.order(q.Order.Key); by == nil {
		x.bySlot(q, s)
	} else {
		x.byValue(by, q, s)
	}
	page := Page{More: s.more, Entries: make([]Entry, len(s.slots))}
	for i, slot := range s.slots {
		page.Entries[i] = x.entry(slot)
	}
	return page
}

// everything is the number of wanted matches of a search that needs them all.
const everything = math.MaxInt

// Count returns how many products match a filter.
func (x *Index) Count(f product.Filter) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.pool.Get().(*scratch)
	defer x.pool.Put(s)
	demands, count := x.plan(f, everything), 0
	for number := range x.windows() {
		x.selectSlots(demands, &s.window, number, 0)
		count += s.window.size()
	}
	return count
}

// order returns the sorted column of a sort key, nil for the order of the slots.
func (x *Index) order(key product.SortKey) *order {
	for i := range x.orders {
		if x.orders[i].key == key {
			return &x.orders[i]
		}
	}
	return nil
}

// windows returns the number of windows that the slots fill.
func (x *Index) windows() int { return (int(x.slots) + windowSlots - 1) / windowSlots }

// after returns the first slot after a cursor.
func (x *Index) after(cursor product.ID) uint32 {
	slot, found := x.find(cursor)
	if found {
		slot++
	}
	return slot
}

// selectSlots sets the window to its slots, from the first one on, that meet all demands.
func (x *Index) selectSlots(demands all, w *window, number int, first uint32) {
	w.number, w.words = number, words{}
	x.living.unite(&w.words, number)
	w.cut(first)
	demands.narrow(w)
}

// bySlot finds the page of a search by id. It stops at the end of the page.
func (x *Index) bySlot(q Query, s *scratch) {
	demands, first := x.plan(q.Filter, s.wanted()), x.after(q.After)
	begin, end := int(first/windowSlots), x.windows()
	for i := begin; i < end; i++ {
		number := i
		if q.Order.Descending {
			number = begin + end - 1 - i
		}
		x.selectSlots(demands, &s.window, number, first)
		if s.passes(s.window.size()) {
			continue
		}
		for slot := range s.window.slots(q.Order.Descending) {
			if !s.take(slot) {
				return
			}
		}
	}
}

// byValue finds the page of a search by a sort value: among the first products in that
// order, or after finding all matches.
func (x *Index) byValue(by *order, q Query, s *scratch) {
	demands, first := x.plan(q.Filter, everything), x.after(q.After)
	along := by.within(demands.bounds(by.column))
	if x.probe(along, demands, first, q.Order.Descending, s) {
		return
	}
	s.begin(q)
	s.found = s.found[:0]
	matches := 0
	for number := range x.windows() {
		x.selectSlots(demands, &s.window, number, first)
		s.found = append(s.found, s.window.words[:]...)
		matches += s.window.size()
	}
	walked := x.walk(along, q.Order.Descending, matches, s)
	if !walked {
		s.begin(q)
		x.sort(by, q.Order.Descending, s)
	}
	if !s.more {
		x.unsorted(by, q.Order.Descending, s)
	}
}

// probesBetween is the number of slots between two estimates of whether going on is worth
// while.
const probesBetween = 64

// probe tests the slots of a run of a sorted column one by one until it has the page. The
// run contains all matches that have a value. It returns false when the page is too far
// away, judged by how many of the slots have matched so far, or does not end in the run.
// The cost is a fraction of finding all matches, which takes longer the more products there
// are.
func (x *Index) probe(along run, demands all, first uint32, descending bool, s *scratch) bool {
	most, wanted := int(x.tuning.probeShare*float64(x.slots)), s.wanted()
	if wanted > most {
		return false
	}
	probed, matched := 0, 0
	for slot := range along.walk(descending) {
		if probed == most || probed%probesBetween == 0 && matched*most < wanted*probed {
			return false
		}
		probed++
		if slot < first || !x.living.has(slot) || !demands.meets(slot) {
			continue
		}
		if matched++; !s.take(slot) {
			return true
		}
	}
	return false
}

// Costs of reading the value of a match and of sorting a match, in steps along a sorted
// column.
const (
	costOfReading = 4
	costOfSorting = 32
)

// walk follows a run of a sorted column until it has the page. The run contains all matches
// that have a value. It returns false when sorting the matches is less work, which it may
// only find out on its way: matches can be anywhere in the run.
func (x *Index) walk(along run, descending bool, matches int, s *scratch) bool {
	steps := costOfReading*matches + costOfSorting*s.toSort(matches)
	if size := along.size(); size > steps && s.wanted()*size > steps*matches {
		return false
	}
	found := set{words: s.found, count: matches}
	for slot := range along.walk(descending) {
		if steps--; steps < 0 {
			return false
		}
		if found.has(slot) && !s.take(slot) {
			return true
		}
	}
	return true
}

// sort adds the matches with a sort value to the page.
func (x *Index) sort(by *order, descending bool, s *scratch) {
	s.keyed = s.keyed[:0]
	w := &s.window
	for w.number = range x.windows() {
		w.words = words(portion(s.found, w.number))
		by.members.intersect(&w.words, w.number)
		for slot, value := range by.column.entries(w) {
			s.keyed = append(s.keyed, keyed{value, slot})
		}
	}
	for _, next := range s.sorted(descending) {
		if !s.take(next.slot) {
			return
		}
	}
}

// unsorted adds the matches without a sort value to the page: they come last in either
// direction.
func (x *Index) unsorted(by *order, descending bool, s *scratch) {
	w, end := &s.window, x.windows()
	for i := range end {
		w.number = i
		if descending {
			w.number = end - 1 - i
		}
		w.words = words(portion(s.found, w.number))
		ranked := w.second()
		ranked.words = words{}
		by.members.unite(&ranked.words, w.number)
		w.subtract(&ranked.words)
		for slot := range w.slots(descending) {
			if !s.take(slot) {
				return
			}
		}
	}
}

// scratch has the buffers of one search, which later searches use again.
type scratch struct {
	window window
	found  []uint64
	keyed  []keyed

	// The page so far.
	skip, limit int
	slots       []uint32
	more        bool
}

// keyed is a slot with its sort value.
type keyed struct {
	value float64
	slot  uint32
}

// plenty is more matches than any index has. Larger values of Skip and Limit mean the
// same, and sums of a few cannot overflow.
const plenty = math.MaxInt32

// begin resets the page for a query.
func (s *scratch) begin(q Query) {
	s.skip, s.limit = min(max(q.Skip, 0), plenty), min(max(q.Limit, 0), plenty)
	s.slots, s.more = s.slots[:0], false
}

// wanted returns how many matches have to be found to have the page and to know whether
// there is more.
func (s *scratch) wanted() int { return s.skip + s.limit + 1 }

// passes reports whether the next so many matches all lie before the page, and if so
// skips them.
func (s *scratch) passes(matches int) bool {
	if matches > s.skip {
		return false
	}
	s.skip -= matches
	return true
}

// take adds the next match and reports whether another one is wanted.
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

// toSort returns how many of the matches to sort: the wanted ones, or all if that is not
// much more.
func (s *scratch) toSort(matches int) int {
	if n := s.wanted(); n < matches/4 {
		return n
	}
	return matches
}

// sorted returns the wanted ones of the keyed slots, in order.
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
		// A heap of the wanted ones has the last of them on top. A slot before that one
		// replaces it.
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

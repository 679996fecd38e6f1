package catalogue

import (
	"math"

	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Search finds products. What it finds is what product.Filter.Matches says, and
// the order is that of product.Order.Compare. A cursor leaves out every product
// up to its id, whatever the order.
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

// everything is how many matches are wanted of a search that has to know them
// all.
const everything = math.MaxInt

// Count returns how many products match a filter.
func (x *Index) Count(f product.Filter) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.pool.Get().(*scratch)
	defer x.pool.Put(s)
	demands, count := x.plan(f, everything), 0
	for number := range x.windows() {
		x.look(demands, &s.window, number, 0)
		count += s.window.size()
	}
	return count
}

// order returns the ranking for a sort key, nil for the order of the slots.
func (x *Index) order(key product.SortKey) *order {
	for i := range x.orders {
		if x.orders[i].key == key {
			return &x.orders[i]
		}
	}
	return nil
}

// windows is how many windows the slots fill.
func (x *Index) windows() int { return (int(x.slots) + windowSlots - 1) / windowSlots }

// after returns the first slot behind a cursor.
func (x *Index) after(cursor product.ID) uint32 {
	slot, found := x.find(cursor)
	if found {
		slot++
	}
	return slot
}

// look finds the slots of a window, from the first one on, that meet all
// demands.
func (x *Index) look(demands all, w *window, number int, first uint32) {
	w.number, w.words = number, words{}
	x.living.unite(&w.words, number)
	w.cut(first)
	demands.narrow(w)
}

// bySlot finds the page of a search that goes by id. It looks no further than it
// has to.
func (x *Index) bySlot(q Query, s *scratch) {
	demands, first := x.plan(q.Filter, s.wanted()), x.after(q.After)
	begin, end := int(first/windowSlots), x.windows()
	for i := begin; i < end; i++ {
		number := i
		if q.Order.Descending {
			number = begin + end - 1 - i
		}
		x.look(demands, &s.window, number, first)
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

// byValue finds the page of a search that goes by a sort value: among the first
// products in that order, or once it has found everything that matches.
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
		x.look(demands, &s.window, number, first)
		s.found = append(s.found, s.window.words[:]...)
		matches += s.window.size()
	}
	walked := x.walk(along, q.Order.Descending, matches, s)
	if !walked {
		s.begin(q)
		x.sort(by, q.Order.Descending, s)
	}
	if !s.more {
		x.unranked(by, q.Order.Descending, s)
	}
}

// probesBetween is how many slots are looked at before it is asked again whether it
// is worth while.
const probesBetween = 64

// probe follows a run of a ranking, in which all matches are that are ranked, and
// looks at its slots one by one, until it has the page. It returns false when the
// page is too far away, as it goes by how many of the slots have matched so far, or
// goes on behind the run. What that costs is a fraction of finding all matches,
// which takes the longer the more products there are.
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

// How many steps along a ranking take as long as reading the value of a match, and
// as putting one in order.
const (
	costOfReading = 4
	costOfSorting = 32
)

// walk follows a run of a ranking, in which all matches are that are ranked, until
// it has the page. It returns false when sorting the matches is less work, which it
// may only find out on its way: matches can be anywhere in the run.
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

// sort takes those matches for the page that are ranked.
func (x *Index) sort(by *order, descending bool, s *scratch) {
	s.keyed = s.keyed[:0]
	w := &s.window
	for w.number = range x.windows() {
		w.words = words(portion(s.found, w.number))
		by.ranked.intersect(&w.words, w.number)
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

// unranked continues the page with the matches that have no sort value, which
// come last in either direction.
func (x *Index) unranked(by *order, descending bool, s *scratch) {
	w, end := &s.window, x.windows()
	for i := range end {
		w.number = i
		if descending {
			w.number = end - 1 - i
		}
		w.words = words(portion(s.found, w.number))
		ranked := w.fork()
		ranked.words = words{}
		by.ranked.unite(&ranked.words, w.number)
		w.subtract(&ranked.words)
		for slot := range w.slots(descending) {
			if !s.take(slot) {
				return
			}
		}
	}
}

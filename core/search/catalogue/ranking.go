package catalogue

import (
	"cmp"
	"iter"
	"slices"
)

// ranking keeps slots in the order of a value, slots with the same value in
// their own order. The values are kept elsewhere: a slot has to leave before
// its value changes, and join again afterwards.
type ranking[V cmp.Ordered] struct {
	value  func(slot uint32) V
	ranked set
	order  sequence
}

// place is the first place whose slot does not come before the one with the
// given value.
func (r *ranking[V]) place(value V, slot uint32) (chunk, at int) {
	return r.order.seek(func(other uint32) bool {
		return cmp.Or(cmp.Compare(r.value(other), value), cmp.Compare(other, slot)) < 0
	})
}

// vacate prepares for the slot to have the given value, or none. When it
// returns true the slot has to join once it has the value.
func (r *ranking[V]) vacate(slot uint32, value V, some bool) bool {
	if r.ranked.has(slot) {
		old := r.value(slot)
		if some && old == value {
			return false
		}
		r.order.remove(r.place(old, slot))
		r.ranked.remove(slot)
	}
	return some
}

// join ranks a slot that is not ranked yet.
func (r *ranking[V]) join(slot uint32) {
	r.ranked.add(slot)
	chunk, at := r.place(r.value(slot), slot)
	r.order.insert(slot, chunk, at)
}

// arrange renumbers the slots. They are in order again once they are settled.
func (r *ranking[V]) arrange(how arrangement) { r.ranked.arrange(how) }

// settle ranks all slots of the set ranked at once.
func (r *ranking[V]) settle() {
	type ranked struct {
		value V
		slot  uint32
	}
	all := make([]ranked, 0, r.ranked.size())
	for slot := range r.ranked.all() {
		all = append(all, ranked{r.value(slot), slot})
	}
	slices.SortFunc(all, func(a, b ranked) int {
		if a.value != b.value {
			return cmp.Compare(a.value, b.value)
		}
		return cmp.Compare(a.slot, b.slot)
	})
	slots := make([]uint32, len(all))
	for i, one := range all {
		slots[i] = one.slot
	}
	r.order.fill(slots)
	r.ranked.settle()
}

// equal lists the slots with the value in ascending order.
func (r *ranking[V]) equal(value V) []uint32 {
	var slots []uint32
	for _, slot := range r.between(value, value) {
		slots = append(slots, slot)
	}
	return slots
}

// between lists the slots whose values are within bounds, both included, in
// order and with their values.
func (r *ranking[V]) between(low, high V) iter.Seq2[V, uint32] {
	return func(yield func(V, uint32) bool) {
		for slot := range r.order.from(r.place(low, 0)) {
			value := r.value(slot)
			if value > high || !yield(value, slot) {
				return
			}
		}
	}
}

// within are the slots whose values are within bounds, both included.
func (r *ranking[V]) within(low, high V) run {
	firstChunk, first := r.place(low, 0)
	endChunk, end := r.place(high, none)
	return r.order.run(firstChunk, first, endChunk, end)
}

// open moves the slots from the given one on up by one. Their values must still
// be where they were. The last few slots are found one by one; when more than
// that move it is faster to look at all, of which thousands go by while one is found.
func (r *ranking[V]) open(slot uint32) {
	few := r.ranked.size() / 2048
	var moved []*uint32
	for later := range r.ranked.from(slot) {
		if len(moved) == few {
			r.order.open(slot)
			moved = nil
			break
		}
		chunk, at := r.place(r.value(later), later)
		moved = append(moved, &r.order.chunks[chunk][at])
	}
	for _, later := range moved {
		*later++
	}
	r.ranked.open(slot)
}

func (r *ranking[V]) bytes() int { return r.ranked.bytes() + r.order.bytes() }

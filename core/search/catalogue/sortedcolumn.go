package catalogue

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// sortedColumn has the slots in the order of a value, and slots with the same value in
// ascending order. The values are stored in another part: a slot has to be detached before
// its value changes, and attached again afterwards.
type sortedColumn[V cmp.Ordered] struct {
	value   func(slot uint32) V
	members set
	order   sequence
}

// place returns the first place whose slot does not come before the given slot with the
// given value.
func (r *sortedColumn[V]) place(value V, slot uint32) (chunk, at int) {
	return r.order.seek(func(other uint32) bool {
		return cmp.Or(cmp.Compare(r.value(other), value), cmp.Compare(other, slot)) < 0
	})
}

// detach removes the slot if its value differs from the given one, or if it is to have
// none. When it returns true the slot has to be attached once it has the value.
func (r *sortedColumn[V]) detach(slot uint32, value V, some bool) bool {
	if r.members.has(slot) {
		old := r.value(slot)
		if some && old == value {
			return false
		}
		r.order.remove(r.place(old, slot))
		r.members.remove(slot)
	}
	return some
}

// attach inserts a slot that is not in the column yet.
func (r *sortedColumn[V]) attach(slot uint32) {
	r.members.add(slot)
	chunk, at := r.place(r.value(slot), slot)
	r.order.insert(slot, chunk, at)
}

// arrange renumbers the slots. They are in order again after finish.
func (r *sortedColumn[V]) arrange(how arrangement) { r.members.arrange(how) }

// finish sorts all slots of the set members at once.
func (r *sortedColumn[V]) finish() {
	type ranked struct {
		value V
		slot  uint32
	}
	all := make([]ranked, 0, r.members.size())
	for slot := range r.members.all() {
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
	r.members.finish()
}

// equal lists the slots with the value in ascending order.
func (r *sortedColumn[V]) equal(value V) []uint32 {
	var slots []uint32
	for _, slot := range r.between(value, value) {
		slots = append(slots, slot)
	}
	return slots
}

// between lists the slots whose values are within bounds, both included, in
// order and with their values.
func (r *sortedColumn[V]) between(low, high V) iter.Seq2[V, uint32] {
	return func(yield func(V, uint32) bool) {
		for slot := range r.order.from(r.place(low, 0)) {
			value := r.value(slot)
			if value > high || !yield(value, slot) {
				return
			}
		}
	}
}

// within returns the slots whose values are within bounds, both included.
func (r *sortedColumn[V]) within(low, high V) run {
	firstChunk, first := r.place(low, 0)
	endChunk, end := r.place(high, none)
	return r.order.run(firstChunk, first, endChunk, end)
}

// open moves the slots from the given one on up by one. Their values must not have moved
// yet. A few slots are found one by one; when more move it is faster to read all, of which
// thousands are read in the time that finding one takes.
func (r *sortedColumn[V]) open(slot uint32) {
	few := r.members.size() / 2048
	var moved []*uint32
	for later := range r.members.from(slot) {
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
	r.members.open(slot)
}

func (r *sortedColumn[V]) bytes() int { return r.members.bytes() + r.order.bytes() }

// sequence is a list of slots in an order that its owner defines. It is cut into chunks,
// so that inserting and removing a slot does not move all others.
type sequence struct {
	chunks [][]uint32
}

const (
	fullChunk = 1024
	// newChunk leaves room for some slots to come.
	newChunk = 768
)

// fill replaces the content with the given slots.
func (s *sequence) fill(slots []uint32) {
	s.chunks = nil
	for chunk := range slices.Chunk(slots, newChunk) {
		s.chunks = append(s.chunks, slices.Clone(chunk))
	}
}

// seek returns the first place whose slot is not before what is searched for. It may be
// after the last slot of the last chunk.
func (s *sequence) seek(before func(slot uint32) bool) (chunk, at int) {
	chunk = sort.Search(len(s.chunks), func(i int) bool { return !before(s.chunks[i][len(s.chunks[i])-1]) })
	if chunk == len(s.chunks) {
		if chunk == 0 {
			return 0, 0
		}
		return chunk - 1, len(s.chunks[chunk-1])
	}
	return chunk, sort.Search(len(s.chunks[chunk]), func(i int) bool { return !before(s.chunks[chunk][i]) })
}

func (s *sequence) insert(slot uint32, chunk, at int) {
	if len(s.chunks) == 0 {
		s.chunks = [][]uint32{{slot}}
		return
	}
	grown := slices.Insert(s.chunks[chunk], at, slot)
	if len(grown) < fullChunk {
		s.chunks[chunk] = grown
		return
	}
	half := len(grown) / 2
	s.chunks[chunk] = slices.Clone(grown[:half])
	s.chunks = slices.Insert(s.chunks, chunk+1, slices.Clone(grown[half:]))
}

func (s *sequence) remove(chunk, at int) {
	s.chunks[chunk] = slices.Delete(s.chunks[chunk], at, at+1)
	if len(s.chunks[chunk]) == 0 {
		s.chunks = slices.Delete(s.chunks, chunk, chunk+1)
	}
}

// open moves every slot from the given one on up by one.
func (s *sequence) open(slot uint32) {
	for _, chunk := range s.chunks {
		for i := range chunk {
			if chunk[i] >= slot {
				chunk[i]++
			}
		}
	}
}

// from lists the slots from a place on.
func (s *sequence) from(chunk, at int) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for ; chunk < len(s.chunks); chunk, at = chunk+1, 0 {
			for _, slot := range s.chunks[chunk][at:] {
				if !yield(slot) {
					return
				}
			}
		}
	}
}

func (s *sequence) bytes() int {
	total := 24 * cap(s.chunks)
	for _, chunk := range s.chunks {
		total += 4 * cap(chunk)
	}
	return total
}

// run is a part of a sequence, and shares its memory.
type run struct {
	chunks [][]uint32
	// first is the beginning in the first chunk, and end the end in the last.
	first, end int
}

// run returns the slots from one place up to another, the slot at the second not included.
func (s *sequence) run(firstChunk, first, endChunk, end int) run {
	if firstChunk > endChunk || firstChunk == endChunk && first >= end {
		return run{}
	}
	return run{s.chunks[firstChunk : endChunk+1], first, end}
}

// size returns the number of slots.
func (r run) size() int {
	total := 0
	for number := range r.chunks {
		total += len(r.part(number))
	}
	return total
}

// part returns the slots of a chunk that belong to the run.
func (r run) part(number int) []uint32 {
	part := r.chunks[number]
	if number == len(r.chunks)-1 {
		part = part[:r.end]
	}
	if number == 0 {
		part = part[r.first:]
	}
	return part
}

// walk lists the slots.
func (r run) walk(backward bool) iter.Seq[uint32] {
	if backward {
		return r.backward
	}
	return r.forward
}

func (r run) forward(yield func(uint32) bool) {
	for number := range r.chunks {
		for _, slot := range r.part(number) {
			if !yield(slot) {
				return
			}
		}
	}
}

func (r run) backward(yield func(uint32) bool) {
	for number := range slices.Backward(r.chunks) {
		for _, slot := range slices.Backward(r.part(number)) {
			if !yield(slot) {
				return
			}
		}
	}
}

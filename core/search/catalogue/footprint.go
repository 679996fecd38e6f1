package catalogue

import "reflect"

// setBytes is the room of a set on the heap.
const setBytes = 64

// mapBytes estimates the room of a map: it is about two thirds full, and keeps
// one more byte for each entry.
func mapBytes(entries, entrySize int) int {
	if entries == 0 {
		return 0
	}
	return 48 + max(8, entries*3/2)*(entrySize+1)
}

// recount is how many changes there are for each slot before the index is measured
// anew: what they add meanwhile is a few parts in a hundred.
const recount = 1. / 32

// Bytes estimates how much memory the index holds. Visiting every part of it takes some
// milliseconds when there is much in it, so that is done when enough has changed. The
// phrases, which searches add, are few and always measured.
func (x *Index) Bytes() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.measured == 0 || float64(x.changed) > recount*float64(x.slots) {
		x.measured, x.changed = x.measure(), 0
	}
	return x.measured + x.phrases.bytes()
}

func (x *Index) measure() int {
	total := int(reflect.TypeFor[Index]().Size()) + mapBytes(len(x.lots), 16) + mapBytes(len(x.missing), 9) +
		len(x.criteria)*(64+int(reflect.TypeFor[criterion]().Size()))
	for p := range x.primary() {
		if p != part(&x.phrases) {
			total += p.bytes()
		}
	}
	for p := range x.rankings() {
		total += p.bytes()
	}
	return total
}

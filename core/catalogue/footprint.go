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

// Bytes estimates how much memory the index holds. It visits every part of the
// index, which takes some milliseconds when there is much in it.
func (x *Index) Bytes() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	total := int(reflect.TypeFor[Index]().Size()) + mapBytes(len(x.lots), 16) + mapBytes(len(x.missing), 9) +
		len(x.criteria)*(64+int(reflect.TypeFor[criterion]().Size()))
	for p := range x.primary() {
		total += p.bytes()
	}
	for p := range x.rankings() {
		total += p.bytes()
	}
	return total
}

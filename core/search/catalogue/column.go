package catalogue

import (
	"iter"
	"math/bits"
	"reflect"
	"slices"
)

// column holds at most one value per slot and takes room only for the slots
// that have one. The zero column is empty.
type column[V any] struct {
	blocks []block[V]
}

// block is the part of a column in one window: the slots that have a value, and the values
// in the order of the slots.
type block[V any] struct {
	present words
	// before counts the values before those of a word. It is undefined for a word without
	// values.
	before [windowWords]uint16
	values []V
}

// rank returns the index in values where that of the slot is or would be.
func (b *block[V]) rank(slot uint32) int {
	word := slot / wordSize % windowWords
	if b.present[word] != 0 {
		return int(b.before[word]) + bits.OnesCount64(b.present[word]&(1<<(slot%wordSize)-1))
	}
	for word > 0 {
		word--
		if b.present[word] != 0 {
			return int(b.before[word]) + bits.OnesCount64(b.present[word])
		}
	}
	return 0
}

func (b *block[V]) has(slot uint32) bool {
	return b.present[slot/wordSize%windowWords]>>(slot%wordSize)&1 != 0
}

func (b *block[V]) put(slot uint32, value V) {
	rank := b.rank(slot)
	if b.has(slot) {
		b.values[rank] = value
		return
	}
	word := slot / wordSize % windowWords
	if b.present[word] == 0 {
		b.before[word] = uint16(rank)
	}
	b.present[word] |= 1 << (slot % wordSize)
	if rank == len(b.values) {
		b.values = append(b.values, value)
		return
	}
	b.values = slices.Insert(b.values, rank, value)
	for i := word + 1; i < windowWords; i++ {
		b.before[i]++
	}
}

func (b *block[V]) drop(slot uint32) {
	if !b.has(slot) {
		return
	}
	rank, word := b.rank(slot), slot/wordSize%windowWords
	b.values = slices.Delete(b.values, rank, rank+1)
	b.present[word] &^= 1 << (slot % wordSize)
	for i := word + 1; i < windowWords; i++ {
		b.before[i]--
	}
}

// open moves the values from the slot on up by one slot and returns the one that
// no longer fits into the block.
func (b *block[V]) open(slot uint32) (last V, overflows bool) {
	const end = windowSlots - 1
	if overflows = b.has(end); overflows {
		last = b.values[len(b.values)-1]
		b.drop(end)
	}
	word := slot / wordSize % windowWords
	below := uint64(1)<<(slot%wordSize) - 1
	carry := b.present[word] >> (wordSize - 1)
	b.present[word] = b.present[word]&below | b.present[word]&^below<<1
	for i := word + 1; i < windowWords; i++ {
		b.present[i], carry = b.present[i]<<1|carry, b.present[i]>>(wordSize-1)
	}
	count := 0
	for i, present := range b.present {
		b.before[i] = uint16(count)
		count += bits.OnesCount64(present)
	}
	return last, overflows
}

// at returns the value of a slot.
func (c *column[V]) at(slot uint32) (value V, ok bool) {
	if int(slot/windowSlots) >= len(c.blocks) {
		return value, false
	}
	b := &c.blocks[slot/windowSlots]
	if !b.has(slot) {
		return value, false
	}
	return b.values[b.rank(slot)], true
}

// has reports whether the slot has a value.
func (c *column[V]) has(slot uint32) bool {
	return int(slot/windowSlots) < len(c.blocks) && c.blocks[slot/windowSlots].has(slot)
}

// get returns the value of a slot, and the zero value if it has none.
func (c *column[V]) get(slot uint32) V {
	value, _ := c.at(slot)
	return value
}

// put sets the value of the slot.
func (c *column[V]) put(slot uint32, value V) {
	for int(slot/windowSlots) >= len(c.blocks) {
		c.blocks = append(c.blocks, block[V]{})
	}
	c.blocks[slot/windowSlots].put(slot, value)
}

// drop removes the value of the slot, if it has one.
func (c *column[V]) drop(slot uint32) {
	if int(slot/windowSlots) < len(c.blocks) {
		c.blocks[slot/windowSlots].drop(slot)
	}
}

// from lists the values from a slot on.
func (c *column[V]) from(slot uint32) iter.Seq[V] {
	return func(yield func(V) bool) {
		for number := int(slot / windowSlots); number < len(c.blocks); number++ {
			b := &c.blocks[number]
			for _, value := range b.values[b.rank(max(slot, uint32(number*windowSlots))):] {
				if !yield(value) {
					return
				}
			}
		}
	}
}

// open moves every value from the slot on up by one, so that the slot is free. It starts
// at the end, so that there is room in the next block.
func (c *column[V]) open(slot uint32) {
	for number := len(c.blocks) - 1; number >= int(slot/windowSlots); number-- {
		last, overflows := c.blocks[number].open(max(slot, uint32(number*windowSlots)))
		if overflows {
			c.put(uint32((number+1)*windowSlots), last)
		}
	}
}

// arrange renumbers the slots.
func (c *column[V]) arrange(how arrangement) {
	var arranged column[V]
	for to, from := range how.from {
		if value, ok := c.at(from); ok {
			arranged.put(uint32(to), value)
		}
	}
	*c = arranged
}

// of lists the values of the slots of a window.
func (c *column[V]) of(w *window) iter.Seq[V] {
	return func(yield func(V) bool) {
		if w.number >= len(c.blocks) {
			return
		}
		b := &c.blocks[w.number]
		for i, word := range w.words {
			present, first := b.present[i], int(b.before[i])
			for rest := word & present; rest != 0; rest &= rest - 1 {
				if !yield(b.values[first+bits.OnesCount64(present&(rest&-rest-1))]) {
					return
				}
			}
		}
	}
}

// entries lists the slots of a window that have a value, with their values.
func (c *column[V]) entries(w *window) iter.Seq2[uint32, V] {
	return func(yield func(uint32, V) bool) {
		if w.number >= len(c.blocks) {
			return
		}
		b, start := &c.blocks[w.number], w.number*windowSlots
		for i, word := range w.words {
			present, first := b.present[i], int(b.before[i])
			for rest := word & present; rest != 0; rest &= rest - 1 {
				slot := uint32(start + i*wordSize + bits.TrailingZeros64(rest))
				if !yield(slot, b.values[first+bits.OnesCount64(present&(rest&-rest-1))]) {
					return
				}
			}
		}
	}
}

// keep clears the bits of the slots whose value is missing or fails the test.
func (c *column[V]) keep(w *window, test func(V) bool) {
	if w.number >= len(c.blocks) {
		w.words = words{}
		return
	}
	b := &c.blocks[w.number]
	for i, word := range w.words {
		present, first := b.present[i], int(b.before[i])
		var kept uint64
		for rest := word & present; rest != 0; rest &= rest - 1 {
			bit := rest & -rest
			if test(b.values[first+bits.OnesCount64(present&(bit-1))]) {
				kept |= bit
			}
		}
		w.words[i] = kept
	}
}

// finish releases spare capacity.
func (c *column[V]) finish() {
	c.blocks = slices.Clip(slices.Clone(c.blocks))
	for i := range c.blocks {
		c.blocks[i].values = slices.Clip(slices.Clone(c.blocks[i].values))
	}
}

func (c *column[V]) bytes() int {
	total := cap(c.blocks) * int(reflect.TypeFor[block[V]]().Size())
	for _, b := range c.blocks {
		total += cap(b.values) * int(reflect.TypeFor[V]().Size())
	}
	return total
}

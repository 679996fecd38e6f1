package catalogue

import (
	"iter"
	"math/bits"
)

// Slots are looked at one window at a time. A window is small enough to stay in
// the fastest cache while one predicate after the other narrows it, and a search
// that has found enough never looks at the next.
const (
	wordSize    = 64
	windowWords = 64
	windowSlots = windowWords * wordSize
)

// words are the bits of the slots of one window.
type words [windowWords]uint64

func (w *words) empty() bool {
	var some uint64
	for _, word := range w {
		some |= word
	}
	return some == 0
}

func (w *words) union(other *words) {
	for i, word := range other {
		w[i] |= word
	}
}

func (w *words) subtract(other *words) {
	for i, word := range other {
		w[i] &^= word
	}
}

// window is one stretch of slots and, as bits, those of them that may still
// match.
type window struct {
	words
	number int
	child  *window
}

// fork returns a second window over the same slots, for a predicate that needs
// to try something out. Its bits are whatever the last use left there.
func (w *window) fork() *window {
	if w.child == nil {
		w.child = new(window)
	}
	w.child.number = w.number
	return w.child
}

// part is a fork with those of the slots that meet a demand.
func (w *window) part(p predicate) *window {
	some := w.fork()
	some.words = w.words
	p.narrow(some)
	return some
}

// portion is what a bitset says about the slots of a window: fewer words than a
// window has when the bitset ends there.
func portion(bitset []uint64, number int) []uint64 {
	from := min(number*windowWords, len(bitset))
	return bitset[from:min(from+windowWords, len(bitset))]
}

// size is how many slots may still match.
func (w *words) size() int {
	count := 0
	for _, word := range w {
		count += bits.OnesCount64(word)
	}
	return count
}

// cut clears the bits of the slots before the first one.
func (w *window) cut(first uint32) {
	start := uint32(w.number * windowSlots)
	if first <= start {
		return
	}
	word := min(first-start, windowSlots) / wordSize
	clear(w.words[:word])
	if word < windowWords {
		w.words[word] &^= 1<<(first%wordSize) - 1
	}
}

// slots lists the slots that may still match.
func (w *window) slots(descending bool) iter.Seq[uint32] {
	start := w.number * windowSlots
	return func(yield func(uint32) bool) {
		for i := range w.words {
			if descending {
				i = windowWords - 1 - i
			}
			for word := w.words[i]; word != 0; {
				bit := bits.TrailingZeros64(word)
				if descending {
					bit = wordSize - 1 - bits.LeadingZeros64(word)
				}
				if !yield(uint32(start + i*wordSize + bit)) {
					return
				}
				word &^= 1 << bit
			}
		}
	}
}

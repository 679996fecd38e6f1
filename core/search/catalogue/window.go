package catalogue

import (
	"iter"
	"math/bits"
)

// Slots are processed one window at a time. A window is small enough to stay in the
// fastest cache while one predicate after the other narrows it, and a search that has
// found enough skips the others.
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

// window is a range of slots and, as bits, those of them that may still match.
type window struct {
	words
	number int
	child  *window
}

// second returns another window over the same slots, for intermediate results of a
// predicate. Its bits are undefined.
func (w *window) second() *window {
	if w.child == nil {
		w.child = new(window)
	}
	w.child.number = w.number
	return w.child
}

// part returns a second window with those of the slots that meet a demand.
func (w *window) part(p predicate) *window {
	some := w.second()
	some.words = w.words
	p.narrow(some)
	return some
}

// portion returns the words of a bitset for a window: fewer than a window has when the
// bitset ends there.
func portion(bitset []uint64, number int) []uint64 {
	from := min(number*windowWords, len(bitset))
	return bitset[from:min(from+windowWords, len(bitset))]
}

// size returns the number of slots that may still match.
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

// counters counts each slot of a window, up to its length: the words at n have the slots
// that were counted more than n times.
type counters []words

// add counts the slots once more.
func (l counters) add(counted *words) {
	for i := len(l) - 1; i > 0; i-- {
		for j, word := range counted {
			l[i][j] |= l[i-1][j] & word
		}
	}
	l[0].union(counted)
}

func (l counters) full() *words { return &l[len(l)-1] }

func (w *words) has(slot uint32) bool { return w[slot/wordSize%windowWords]>>(slot%wordSize)&1 != 0 }

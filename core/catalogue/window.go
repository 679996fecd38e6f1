package catalogue

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
	var any uint64
	for _, word := range w {
		any |= word
	}
	return any == 0
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

// part is what a bitset says about the slots of a window: fewer words than a
// window has when the bitset ends there.
func part(bitset []uint64, number int) []uint64 {
	from := min(number*windowWords, len(bitset))
	return bitset[from:min(from+windowWords, len(bitset))]
}

package catalogue

// ladder counts, for each slot of a window, up to its height: a slot that has
// been counted n times is on the lowest n rungs.
type ladder []words

// climb counts the slots once more.
func (l ladder) climb(counted *words) {
	for i := len(l) - 1; i > 0; i-- {
		for j, word := range counted {
			l[i][j] |= l[i-1][j] & word
		}
	}
	l[0].union(counted)
}

func (l ladder) top() *words { return &l[len(l)-1] }

func (w *words) has(slot uint32) bool { return w[slot/wordSize%windowWords]>>(slot%wordSize)&1 != 0 }

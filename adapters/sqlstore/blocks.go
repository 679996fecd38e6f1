package sqlstore

import (
	"math"
	"slices"
	"sync"
)

// largestBlock is how many ids are drawn ahead at most. A process that creates little draws
// few: a block is twice as large as the one before, beginning with what is asked for.
const largestBlock = 64

// block are ids of a sequence that this process has drawn and not given yet, so that whoever
// creates something need not ask. Ids that several processes draw in blocks are not in the
// order of their creation.
type block struct {
	mu   sync.Mutex
	ids  []int64
	size int
}

// draw gives the next ids, in ascending order. A unit with a transaction draws no more than
// it needs: it may hold the sequence itself.
func (b *block) draw(t *tx, statement string, n int) ([]int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > len(b.ids) {
		if t.raw != nil {
			b.ids = nil
			return t.drawn(statement, int64(n))
		}
		more, err := t.drawApart(statement, n-len(b.ids)+b.size)
		if err != nil {
			return nil, err
		}
		b.ids = append(b.ids, more...)
		b.size = min(max(2*b.size, 1), largestBlock)
	}
	ids := slices.Clone(b.ids[:n])
	b.ids = b.ids[n:]
	return ids, nil
}

// drawApart draws ids outside the transaction that the unit has not begun.
func (t *tx) drawApart(statement string, n int) ([]int64, error) {
	apart := t.apart()
	ids, err := apart.drawn(statement, int64(n))
	if err != nil {
		t.broken, t.again, t.isSetBack = err, apart.again, apart.isSetBack
	}
	return ids, err
}

// forget gives no id up to the given one any more.
func (b *block) forget(id int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.ids) > 0 && b.ids[0] <= id {
		b.ids = b.ids[1:]
	}
}

// givesTaken reports whether an error says that the id of a product is taken, by one that
// came with an id of its own while it was in the block. The block is then forgotten.
func (s *Store) givesTaken(err error) bool {
	if !s.dialect.Collects || s.dialect.trouble(err) != Duplicate {
		return false
	}
	s.productIDs.forget(math.MaxInt64)
	return true
}

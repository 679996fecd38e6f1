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
// it needs: it may hold the sequence itself. Nobody asks with the mutex held: who has a
// connection would wait for one who waits for a connection.
func (b *block) draw(t *tx, statement string, n int) ([]int64, error) {
	ids, more, enough := b.take(n, t.raw != nil)
	switch {
	case enough:
		return ids, nil
	case t.raw != nil:
		return t.drawn(statement, int64(n))
	}
	drawn, err := t.drawApart(statement, n+more)
	if err != nil {
		return nil, err
	}
	slices.Sort(drawn)
	b.keep(drawn[n:])
	return drawn[:n:n], nil
}

// take gives ids of the block, or none and how many to draw beyond those that are needed.
// When it does not reach for a unit with a transaction, it is forgotten.
func (b *block) take(n int, transaction bool) (ids []int64, more int, enough bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n <= len(b.ids) {
		ids = slices.Clone(b.ids[:n])
		b.ids = b.ids[n:]
		return ids, 0, true
	}
	if transaction {
		b.ids = nil
		return nil, 0, false
	}
	more = b.size
	b.size = min(max(2*b.size, 1), largestBlock)
	return nil, more, false
}

// keep takes ids for later.
func (b *block) keep(ids []int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if room := max(0, largestBlock-len(b.ids)); len(ids) > room {
		ids = ids[:room] // of several that were drawn at once
	}
	b.ids = append(b.ids, ids...)
	slices.Sort(b.ids)
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

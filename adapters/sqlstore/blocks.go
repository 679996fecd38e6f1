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
	// given is the highest id that was given.
	given int64
}

// draw gives the next ids, in ascending order. A unit with a transaction draws no more than
// it needs: it may hold the sequence itself. Nobody asks with the mutex held: who has a
// connection would wait for one who waits for a connection.
func (b *block) draw(t *tx, statement string, n int) (ids []int64, err error) {
	left, more := b.take(n, t.raw != nil)
	missing := n - len(left)
	switch {
	case missing == 0:
		return left, nil
	case t.raw != nil:
		ids, err = t.drawn(statement, int64(missing))
	default:
		ids, err = t.drawnOutsideTx(statement, missing+more)
	}
	if err != nil {
		return nil, err
	}
	return b.give(slices.Sorted(slices.Values(append(left, ids...))), n), nil
}

// take gives ids of the block: as many as are asked for, or what is left of it, and then how
// many to draw beyond those that are missing. A unit with a transaction gets all or none, and
// then the rest is forgotten, for it is lower than what will be drawn.
func (b *block) take(n int, transaction bool) (ids []int64, more int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n <= len(b.ids) {
		ids = slices.Clone(b.ids[:n])
		b.ids, b.given = b.ids[n:], ids[n-1]
		return ids, 0
	}
	left := b.ids
	b.ids = nil
	if transaction {
		return nil, 0
	}
	more = b.size
	b.size = min(max(2*b.size, 1), largestBlock)
	return left, more
}

// give gives the first ids, and keeps the others for later, unless higher ones were given
// meanwhile: who asks later gets higher ones.
func (b *block) give(ids []int64, n int) []int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.given = max(b.given, ids[n-1])
	b.ids = slices.DeleteFunc(append(b.ids, ids[n:]...), func(id int64) bool { return id < b.given })
	slices.Sort(b.ids)
	b.ids = b.ids[:min(len(b.ids), largestBlock)] // several may have drawn at once
	return ids[:n:n]
}

// drawnOutsideTx is drawn for a unit that has no transaction.
func (t *tx) drawnOutsideTx(statement string, n int) (ids []int64, err error) {
	err = t.outsideTx(func(outside *tx) error {
		ids, err = outside.drawn(statement, int64(n))
		return err
	})
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
	if !s.dialect.Plans || s.dialect.trouble(err) != Duplicate {
		return false
	}
	s.productIDs.forget(math.MaxInt64)
	return true
}

package memory

import (
	"cmp"
	"container/heap"
)

// What a value is worth is counted as GreedyDual-Size does (Cao and Irani, 1997): the
// age of the cache when it was last asked for, and the cost of loading it again for each
// byte it takes. The age is the worth of what left last. Of what is worth the same, the
// least recently used leaves first.
const (
	// unit is the worth of a value that costs as much as reading its bytes does. Worth
	// is a whole number, so that it can be noted without a lock.
	unit = 1 << 10
	// fixedCost is what the statements of a load cost beside, in bytes that could be
	// read instead.
	fixedCost = 64 << 10
	// leastBytes is the size from which on a smaller value is worth no more.
	leastBytes = 4 << 10
)

// rank is what a value was worth when somebody looked, and when it was last used.
type rank struct{ worth, used int64 }

// worthOf is what it is worth to have so many bytes loaded.
func worthOf(bytes int) int64 { return unit + unit*fixedCost/int64(max(bytes, leastBytes)) }

// touch notes that a value was asked for.
func (c *Cache) touch(e *entry) {
	e.worth.Store(c.age.Load() + e.value.Load())
	e.used.Store(c.uses.Add(1))
}

func (e *entry) current() rank { return rank{e.worth.Load(), e.used.Load()} }

// exceeds reports whether more is kept than a limit, unless that is none.
func (c *Cache) exceeds(limit int) bool { return limit > 0 && c.bytes+c.options.Shared() > limit }

// makeRoom gives up idle values until the rest is within the limit.
func (c *Cache) makeRoom() {
	for c.exceeds(c.options.Limit) && len(c.idle) > 0 {
		least := c.idle[0]
		if now := least.current(); now != least.rank {
			// It was asked for since it got its place.
			least.rank = now
			heap.Fix(&c.idle, 0)
			continue
		}
		c.hold(least)
		c.keep(least, nil, 0)
		c.age.Store(max(c.age.Load(), least.rank.worth))
		c.of(least.key.Kind).Evictions++
	}
}

// release lets a value leave, should it come to that.
func (c *Cache) release(e *entry) {
	e.rank = e.current()
	heap.Push(&c.idle, e)
}

// hold keeps a value from leaving.
func (c *Cache) hold(e *entry) {
	if e.place != nowhere {
		heap.Remove(&c.idle, e.place)
	}
}

// idle is a heap with the value that is worth least on top.
type idle []*entry

const nowhere = -1

// Len implements heap.Interface.
func (h idle) Len() int { return len(h) }

// Less implements heap.Interface.
func (h idle) Less(i, j int) bool {
	a, b := h[i].rank, h[j].rank
	return cmp.Or(cmp.Compare(a.worth, b.worth), cmp.Compare(a.used, b.used)) < 0
}

// Swap implements heap.Interface.
func (h idle) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

// Push implements heap.Interface.
func (h *idle) Push(added any) {
	e := added.(*entry)
	e.place = len(*h)
	*h = append(*h, e)
}

// Pop implements heap.Interface.
func (h *idle) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = nil
	*h, e.place = (*h)[:last], nowhere
	return e
}

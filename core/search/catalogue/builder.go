package catalogue

import (
	"cmp"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Options say what an index need not know.
type Options struct {
	// Ignore names criteria that no search will ask for, such as long private
	// notes, by key. They take no room; a condition on one of them finds every
	// product without a value. The price, the surface, the address, whether it is
	// masked, and the city are never ignored: a keyword, an order or a veil may
	// need them.
	Ignore map[string]bool
}

// Builder takes in all products of a site at once, much faster than they could
// be applied one by one.
type Builder struct {
	index   *Index
	last    product.ID
	ordered bool
	folded  memory
	sheet   sheet
}

// NewBuilder starts an index.
func NewBuilder(options Options) *Builder {
	return newBuilder(options, New().tuning)
}

func newBuilder(options Options, tuning tuning) *Builder {
	return &Builder{index: newIndex(options, tuning), ordered: true, folded: memory{}}
}

// Add takes in a product. Ascending ids are the fastest, but any order will do;
// a product added twice is as it was the last time, and a deleted one is left
// out. The builder keeps nothing of the candidate.
func (b *Builder) Add(c product.Candidate) {
	if !c.Product.Deleted.IsZero() {
		return
	}
	x := b.index
	slot := x.slots
	if slot > 0 && c.Product.ID <= b.last {
		b.ordered = false
	}
	b.last = c.Product.ID
	x.slots++
	s := &b.sheet
	s.read(&c, x.ignored, b.folded.fold)
	x.note(slot, s)
	x.learn(slot, s)
	for i := range x.orders {
		_, some := s.product.SortValue(x.orders[i].key)
		x.orders[i].ranked.put(slot, some)
	}
	x.owners.ranked.put(slot, s.product.Customer != 0)
	x.parents.ranked.put(slot, s.product.Parent != 0)
	x.places.ranked.put(slot, s.placed)
}

// Index finishes the index, which holds everything up to the given sequence of
// the ledger. The builder must not be used afterwards.
func (b *Builder) Index(seq int64) *Index {
	x := b.index
	x.seq = seq
	if b.ordered {
		x.settle()
	} else {
		x.arrange(x.byID())
	}
	for slot := range x.parents.ranked.all() {
		x.lots[x.parents.value(slot)]++
	}
	for parent := range x.lots {
		x.miss(parent)
	}
	return x
}

// byID lists the slots in the order of the ids, of several slots with the same
// id the last.
func (x *Index) byID() []uint32 {
	slots := make([]uint32, x.slots)
	for i := range slots {
		slots[i] = uint32(i)
	}
	id := func(slot uint32) product.ID { return x.records.get(slot).id }
	slices.SortFunc(slots, func(a, b uint32) int { return cmp.Or(cmp.Compare(id(a), id(b)), cmp.Compare(b, a)) })
	return slices.CompactFunc(slots, func(a, b uint32) bool { return id(a) == id(b) })
}

// memory remembers how texts fold: many products are in the same city.
type memory map[string]string

// enough for the texts that recur; those that do not would only fill it up.
const memorySize = 1 << 13

func (m memory) fold(text string) string {
	folded, known := m[text]
	if !known {
		folded = criteria.Fold(text)
		if len(m) < memorySize {
			m[text] = folded
		}
	}
	return folded
}

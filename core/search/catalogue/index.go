package catalogue

import (
	"iter"
	"reflect"
	"sort"
	"strings"
	"sync"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Index answers searches over the products of one site. Every product has a slot; slots
// are in the order of the ids. An Index is safe for concurrent use.
type Index struct {
	tuning  tuning
	ignored map[string]bool
	pool    sync.Pool // of *scratch

	mu  sync.RWMutex
	seq int64

	// measured is the last result of measure, and changed the number of changes since.
	measured, changed int

	slots   uint32 // how many there are, those of deleted products included
	living  set    // slots of products that are not deleted
	records column[record]

	agencies labels[site.AgencyID]
	users    labels[site.UserID]
	online   set // products with web status
	visit360 set // products with a 360 visit

	modified, added column[float64]
	orders          [4]order
	byOwner         sortedColumn[customer.ID]
	byParent        sortedColumn[product.ID]
	points          column[point]
	byPosition      sortedColumn[int64]
	lots            map[product.ID]int // of each product that has any
	// missing are the products that have lots and are deleted, or not there yet: their
	// lots have no parent meanwhile.
	missing map[product.ID]bool

	towns lexicon // by townOf

	references lexicon
	names      lexicon // of the owners
	criteria   map[string]*criterion
}

// record has the fields of an Entry, except the number of lots.
type record struct {
	id       product.ID
	agency   site.AgencyID
	user     site.UserID
	customer customer.ID
	parent   product.ID
	// version is that of the product, or the sequence that deleted it.
	version int64
}

// order is the sorted column of a sort key, by the values of a column.
type order struct {
	key    product.SortKey
	column *column[float64]
	sortedColumn[float64]
}

func orderBy(key product.SortKey, by *column[float64]) order {
	return order{key, by, sortedColumn[float64]{value: by.get}}
}

// tuning has the limits at which the index changes its strategy. No answer depends on it.
type tuning struct {
	// trigramsFrom is the number of different texts from which on they get trigrams.
	trigramsFrom int
	// compactFrom is the number of slots of deleted products that are tolerated.
	compactFrom int
	// verifyRatio is how many texts may be verified before a search to spare it the
	// verification of one.
	verifyRatio float64
	// probeShare is the share of all slots that are tested one by one along a sorted
	// column, in case the page is among them.
	probeShare float64
}

// alwaysIndexed are the criteria that the rules of search name.
var alwaysIndexed = [...]string{criteria.KeyPrice, criteria.KeySurface, criteria.KeyAddress, criteria.KeyHideAddress, criteria.KeyCity}

// New returns an empty index that leaves no criterion out.
func New() *Index {
	return newIndex(Options{}, tuning{trigramsFrom: 4096, compactFrom: 1024, verifyRatio: 2, probeShare: 1. / 128})
}

func newIndex(options Options, tuning tuning) *Index {
	x := &Index{
		tuning:     tuning,
		ignored:    map[string]bool{},
		lots:       map[product.ID]int{},
		missing:    map[product.ID]bool{},
		references: lexicon{trigramsFrom: tuning.trigramsFrom},
		names:      lexicon{trigramsFrom: tuning.trigramsFrom},
		towns:      lexicon{counted: true},
		criteria:   map[string]*criterion{},
	}
	for key, ignored := range options.Ignore {
		x.ignored[key] = ignored
	}
	for _, key := range alwaysIndexed {
		delete(x.ignored, key)
	}
	address, city := &x.criterion(criteria.KeyAddress).texts, &x.criterion(criteria.KeyCity).texts
	address.numbered, address.numbers.trigramsFrom = true, 1
	address.rest.trigramsFrom, city.rest.trigramsFrom = tuning.trigramsFrom, tuning.trigramsFrom
	x.orders = [...]order{
		orderBy(product.ByPrice, &x.criterion(criteria.KeyPrice).numbers),
		orderBy(product.BySurface, &x.criterion(criteria.KeySurface).numbers),
		orderBy(product.ByModified, &x.modified),
		orderBy(product.ByAdded, &x.added),
	}
	x.byOwner.value = func(slot uint32) customer.ID { return x.records.get(slot).customer }
	x.byParent.value = func(slot uint32) product.ID { return x.records.get(slot).parent }
	x.byPosition.value = func(slot uint32) int64 { return x.points.get(slot).sortKey() }
	x.pool.New = func() any { return new(scratch) }
	return x
}

// Seq returns the highest sequence of the ledger that was applied.
func (x *Index) Seq() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.seq
}

// Len returns the number of products.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.living.size()
}

// Entry returns the entry of a product, and false when there is no such product.
func (x *Index) Entry(id product.ID) (Entry, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	slot, lives := x.lives(id)
	if !lives {
		return Entry{}, false
	}
	return x.entry(slot), true
}

// Owned lists the products of an owner by id: those to index again when the name of the
// owner changes.
func (x *Index) Owned(owner customer.ID) []product.ID {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var ids []product.ID
	for _, slot := range x.byOwner.equal(owner) {
		if x.living.has(slot) {
			ids = append(ids, x.records.get(slot).id)
		}
	}
	return ids
}

func (x *Index) entry(slot uint32) Entry {
	r := x.records.get(slot)
	entry := Entry{ID: r.id, Agency: r.agency, Customer: r.customer, Parent: r.parent, Version: r.version}
	if len(x.lots) > 0 {
		entry.Lots = x.lots[r.id]
	}
	if x.missing[r.parent] {
		entry.Parent = 0
	}
	return entry
}

// lives returns the slot of a product, and whether it exists.
func (x *Index) lives(id product.ID) (slot uint32, lives bool) {
	slot, found := x.find(id)
	return slot, found && x.living.has(slot)
}

// find returns the slot of a product, or the one it would have.
func (x *Index) find(id product.ID) (slot uint32, found bool) {
	slot = uint32(sort.Search(int(x.slots), func(i int) bool { return x.records.get(uint32(i)).id >= id }))
	return slot, slot < x.slots && x.records.get(slot).id == id
}

// part is a structure of the index that is addressed by slots.
type part interface {
	// open moves the slot and those above it up by one, so that the slot is free.
	open(slot uint32)
	// arrange renumbers the slots. Finish has to follow.
	arrange(how arrangement)
	// finish brings the part into its final form after many changes at once, and
	// releases spare capacity.
	finish()
	// bytes estimates the memory of the part.
	bytes() int
}

// primary lists the parts with content of their own.
func (x *Index) primary() iter.Seq[part] {
	return func(yield func(part) bool) {
		for _, p := range []part{
			&x.living, &x.records, &x.agencies, &x.users, &x.online, &x.visit360,
			&x.modified, &x.added, &x.points, &x.towns, &x.references, &x.names,
		} {
			if !yield(p) {
				return
			}
		}
		for _, c := range x.criteria {
			if !yield(c) {
				return
			}
		}
	}
}

// sorted lists the parts that sort the values of primary ones.
func (x *Index) sorted() iter.Seq[part] {
	return func(yield func(part) bool) {
		for i := range x.orders {
			if !yield(&x.orders[i]) {
				return
			}
		}
		_ = yield(&x.byOwner) && yield(&x.byParent) && yield(&x.byPosition)
	}
}

// open makes room for a product in the middle, or at the end, where it costs nothing.
func (x *Index) open(slot uint32) {
	if slot < x.slots {
		// A sorted column finds its slots by their values, so it goes first.
		for p := range x.sorted() {
			p.open(slot)
		}
		for p := range x.primary() {
			p.open(slot)
		}
	}
	x.slots++
}

// arrange puts the slots into the given order, and removes those that are not listed.
func (x *Index) arrange(from []uint32) {
	how := arrange(from, int(x.slots))
	for p := range x.primary() {
		p.arrange(how)
	}
	for p := range x.sorted() {
		p.arrange(how)
	}
	x.slots = uint32(len(from))
	x.finish()
}

// finish brings all parts into their final form, several at a time.
func (x *Index) finish() {
	for _, parts := range []iter.Seq[part]{x.primary(), x.sorted()} {
		var all sync.WaitGroup
		for p := range parts {
			all.Go(p.finish)
		}
		all.Wait()
	}
}

// criterion returns the values of a criterion, for more to be added.
func (x *Index) criterion(key string) *criterion {
	c := x.criteria[key]
	if c == nil {
		c = new(criterion)
		x.criteria[strings.Clone(key)] = c
	}
	return c
}

// none is no slot and no token.
const none = ^uint32(0)

// arrangement is a new order of the slots, which may leave some out.
type arrangement struct {
	from []uint32 // the old slot of each new one
	to   []uint32 // the new slot of each old one, or none
}

// arrange returns the arrangement with the slots in the given order.
func arrange(from []uint32, slots int) arrangement {
	how := arrangement{from: from, to: make([]uint32, slots)}
	for i := range how.to {
		how.to[i] = none
	}
	for to, slot := range from {
		how.to[slot] = uint32(to)
	}
	return how
}

// setBytes is the size of a set on the heap.
const setBytes = 64

// mapBytes estimates the size of a map: it is about two thirds full, and has one more
// byte for each entry.
func mapBytes(entries, entrySize int) int {
	if entries == 0 {
		return 0
	}
	return 48 + max(8, entries*3/2)*(entrySize+1)
}

// recount is how many changes there are for each slot before the index is measured
// again: what they add meanwhile is a few parts in a hundred.
const recount = 1. / 32

// Bytes estimates the memory of the index. Measuring every part of a large one takes some
// milliseconds, so that is done when enough has changed.
func (x *Index) Bytes() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.measured == 0 || float64(x.changed) > recount*float64(x.slots) {
		x.measured, x.changed = x.measure(), 0
	}
	return x.measured
}

func (x *Index) measure() int {
	total := int(reflect.TypeFor[Index]().Size()) + mapBytes(len(x.lots), 16) + mapBytes(len(x.missing), 9) +
		len(x.criteria)*(64+int(reflect.TypeFor[criterion]().Size()))
	for p := range x.primary() {
		total += p.bytes()
	}
	for p := range x.sorted() {
		total += p.bytes()
	}
	return total
}

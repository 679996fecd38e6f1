package catalogue

import (
	"sort"
	"sync"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Index answers searches over the products of one site. Every product has a
// slot; slots are in the order of the ids, and everything else is said about
// slots: bitsets and lists of the slots with some property, columns of values,
// slots in the order of a value, texts and the slots that hold them.
//
// An Index is safe for concurrent use.
type Index struct {
	tuning  tuning
	ignored map[string]bool
	pool    sync.Pool // of *scratch

	mu  sync.RWMutex
	seq int64

	// measured is what Bytes has found, and changed how many changes came since.
	measured, changed int

	slots   uint32 // how many there are, those of products that are gone included
	living  set
	records column[record]

	agencies labels[site.AgencyID]
	users    labels[site.UserID]
	online   set // products with web status
	visited  set // products with a 360 visit

	modified, added column[float64]
	orders          [4]order
	owners          ranking[customer.ID]
	parents         ranking[product.ID]
	spots           column[spot]
	places          ranking[int64]
	lots            map[product.ID]int // of each product that has any
	// missing are the products that have lots and are gone: these lots have no
	// parent as long as they are.
	missing map[product.ID]bool

	towns lexicon // by townOf

	references lexicon
	names      lexicon // of the owners
	criteria   map[string]*criterion

	// phrases are those that searches looked for in texts.
	phrases phrases
}

// record is what an Entry says, apart from the number of lots.
type record struct {
	id       product.ID
	agency   site.AgencyID
	user     site.UserID
	customer customer.ID
	parent   product.ID
	// version is that of the product, or once it is gone the sequence that said
	// so.
	version int64
}

// order is the ranking behind a sort key, by the values of a column.
type order struct {
	key    product.SortKey
	column *column[float64]
	ranking[float64]
}

func orderBy(key product.SortKey, by *column[float64]) order {
	return order{key, by, ranking[float64]{value: by.get}}
}

// tuning says when the index changes its ways. No answer depends on it.
type tuning struct {
	// spellFrom is how many different texts a keyword looks into are worth
	// trigrams.
	spellFrom int
	// compactFrom is how many slots of products that are gone are put up with.
	compactFrom int
	// verifyRatio is how many texts are verified ahead of a search sooner than
	// one of a slot the search comes across.
	verifyRatio float64
	// rememberFrom is how many verifications a phrase must take to be remembered,
	// and rememberMost how many phrases are.
	rememberFrom float64
	rememberMost int
	// probeShare is how many slots along a ranking are looked at by themselves, of
	// each that there is, in the hope that the page is among them.
	probeShare float64
}

// spoken are the criteria the rules of search themselves speak of.
var spoken = [...]string{criteria.KeyPrice, criteria.KeySurface, criteria.KeyAddress, criteria.KeyHideAddress, criteria.KeyCity}

// New makes an empty index that leaves no criterion out.
func New() *Index {
	return newIndex(Options{}, tuning{spellFrom: 4096, compactFrom: 1024, verifyRatio: 2, rememberFrom: 64, rememberMost: 64, probeShare: 1. / 128})
}

func newIndex(options Options, tuning tuning) *Index {
	x := &Index{
		tuning:     tuning,
		ignored:    map[string]bool{},
		lots:       map[product.ID]int{},
		missing:    map[product.ID]bool{},
		references: lexicon{spellFrom: tuning.spellFrom},
		names:      lexicon{spellFrom: tuning.spellFrom},
		towns:      lexicon{counted: true},
		criteria:   map[string]*criterion{},
		phrases:    phrases{from: tuning.rememberFrom, most: tuning.rememberMost},
	}
	x.references.phrases, x.names.phrases = &x.phrases, &x.phrases
	for key, ignored := range options.Ignore {
		x.ignored[key] = ignored
	}
	for _, key := range spoken {
		delete(x.ignored, key)
	}
	address, city := &x.criterion(criteria.KeyAddress).texts, &x.criterion(criteria.KeyCity).texts
	address.numbered, address.numbers.spellFrom = true, 1
	address.rest.spellFrom, city.rest.spellFrom = tuning.spellFrom, tuning.spellFrom
	x.orders = [...]order{
		orderBy(product.ByPrice, &x.criterion(criteria.KeyPrice).numbers),
		orderBy(product.BySurface, &x.criterion(criteria.KeySurface).numbers),
		orderBy(product.ByModified, &x.modified),
		orderBy(product.ByAdded, &x.added),
	}
	x.owners.value = func(slot uint32) customer.ID { return x.records.get(slot).customer }
	x.parents.value = func(slot uint32) product.ID { return x.records.get(slot).parent }
	x.places.value = func(slot uint32) int64 { return x.spots.get(slot).place() }
	x.pool.New = func() any { return new(scratch) }
	return x
}

// Seq is the highest sequence of the ledger that was applied.
func (x *Index) Seq() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.seq
}

// Len is the number of products.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.living.size()
}

// Entry returns what the index knows of a product, and false when there is no
// such product.
func (x *Index) Entry(id product.ID) (Entry, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	slot, lives := x.lives(id)
	if !lives {
		return Entry{}, false
	}
	return x.entry(slot), true
}

// Owned lists the products of an owner by id: those to index again when the
// owner goes by another name.
func (x *Index) Owned(owner customer.ID) []product.ID {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var ids []product.ID
	for _, slot := range x.owners.equal(owner) {
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

// lives returns the slot of a product that is there.
func (x *Index) lives(id product.ID) (slot uint32, lives bool) {
	slot, found := x.find(id)
	return slot, found && x.living.has(slot)
}

// find returns the slot of a product, or the one it would have.
func (x *Index) find(id product.ID) (slot uint32, found bool) {
	slot = uint32(sort.Search(int(x.slots), func(i int) bool { return x.records.get(uint32(i)).id >= id }))
	return slot, slot < x.slots && x.records.get(slot).id == id
}

package catalogue

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Options select what an index leaves out.
type Options struct {
	// Ignore names criteria that no search asks for by key, such as long private notes.
	// They take no memory; a condition on one of them finds every product without a
	// value. The price, the surface, the address, whether it is masked, and the city are
	// never ignored: a keyword, an order or a veil may need them.
	Ignore map[string]bool
}

// Builder makes an index of all products of a site, much faster than Apply one by one.
type Builder struct {
	index   *Index
	last    product.ID
	ordered bool
	folded  foldCache
	buffer  normalised
}

// NewBuilder returns a builder without products.
func NewBuilder(options Options) *Builder {
	return newBuilder(options, New().tuning)
}

func newBuilder(options Options, tuning tuning) *Builder {
	return &Builder{index: newIndex(options, tuning), ordered: true, folded: foldCache{}}
}

// Add adds a product. Ascending ids are the fastest. Of a product added twice the last
// state counts, and a deleted one is left out. The builder keeps nothing of the candidate.
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
	s := &b.buffer
	s.read(&c, x.ignored, b.folded.fold)
	x.putFields(slot, s)
	x.putCriteria(slot, s)
	for i := range x.orders {
		_, some := s.product.SortValue(x.orders[i].key)
		x.orders[i].members.put(slot, some)
	}
	x.byOwner.members.put(slot, s.product.Customer != 0)
	x.byParent.members.put(slot, s.product.Parent != 0)
	x.byPosition.members.put(slot, s.located)
}

// Index returns the index, which stands at the given sequence of the ledger. The builder
// must not be used afterwards.
func (b *Builder) Index(seq int64) *Index {
	x := b.index
	x.seq = seq
	if b.ordered {
		x.finish()
	} else {
		x.arrange(x.byID())
	}
	for slot := range x.byParent.members.all() {
		x.lots[x.byParent.value(slot)]++
	}
	for parent := range x.lots {
		x.checkParent(parent)
	}
	return x
}

// byID lists the slots in the order of the ids, and the last of several with the same id.
func (x *Index) byID() []uint32 {
	slots := make([]uint32, x.slots)
	for i := range slots {
		slots[i] = uint32(i)
	}
	id := func(slot uint32) product.ID { return x.records.get(slot).id }
	slices.SortFunc(slots, func(a, b uint32) int { return cmp.Or(cmp.Compare(id(a), id(b)), cmp.Compare(b, a)) })
	return slices.CompactFunc(slots, func(a, b uint32) bool { return id(a) == id(b) })
}

// foldCache keeps normalised texts: many products are in the same city.
type foldCache map[string]string

// foldCacheSize is enough for the texts that recur.
const foldCacheSize = 1 << 13

func (m foldCache) fold(text string) string {
	folded, known := m[text]
	if !known {
		folded = criteria.Fold(text)
		if len(m) < foldCacheSize {
			m[text] = folded
		}
	}
	return folded
}

// normalised is a product with its texts normalised, which is the expensive part of
// indexing it and needs no lock.
type normalised struct {
	product   *product.Product
	reference string
	// names are those of the owner, one per line. No normalised text has a line break,
	// so a phrase never reaches from one name into the next.
	names string
	// point is the position of the product, if it has one.
	point   point
	located bool
	town    string // townOf the product
	values  []criterionValue
}

// criterionValue is the value of a criterion, with its text normalised when it is one.
type criterionValue struct {
	key   string
	value criteria.Value
	text  string
}

// read normalises a product, without the ignored criteria.
func (s *normalised) read(c *product.Candidate, ignored map[string]bool, fold func(string) string) {
	s.product = &c.Product
	s.reference = product.FoldReference(c.Product.Reference)
	names := make([]string, len(c.OwnerNames))
	for i, name := range c.OwnerNames {
		names[i] = fold(name)
	}
	s.names = strings.Join(names, "\n")
	place := demand.PlaceOf(c.Product)
	s.town, s.point, s.located = townOf(place), point{}, place.Position != nil
	if s.located {
		s.point = pointOf(*place.Position)
	}
	s.values = slices.Grow(s.values[:0], len(c.Product.Criteria))
	for key, value := range c.Product.Criteria {
		if ignored[key] {
			continue
		}
		f := criterionValue{key: key, value: value}
		if text, ok := value.(criteria.Text); ok {
			f.text = fold(string(text))
		}
		s.values = append(s.values, f)
	}
}

// putFields stores everything about a product but its criteria and its place in sorted
// columns.
func (x *Index) putFields(slot uint32, s *normalised) {
	p := s.product
	old, known := x.records.at(slot)
	if known && old.agency != p.Agency {
		x.agencies.remove(old.agency, slot)
	}
	if known && old.user != p.User {
		x.users.remove(old.user, slot)
	}
	x.agencies.add(p.Agency, slot)
	x.users.add(p.User, slot)
	x.records.put(slot, record{p.ID, p.Agency, p.User, p.Customer, p.Parent, p.Version})
	x.living.add(slot)
	x.online.put(slot, p.WebStatus)
	x.visit360.put(slot, p.HasVisit360())
	// The instants are kept the way they are sorted: to the microsecond.
	modified, _ := p.SortValue(product.ByModified)
	x.modified.put(slot, modified)
	added, _ := p.SortValue(product.ByAdded)
	x.added.put(slot, added)
	if s.located {
		x.points.put(slot, s.point)
	} else {
		x.points.drop(slot)
	}
	x.towns.put(slot, s.town)
	x.references.put(slot, s.reference)
	if s.names == "" {
		x.names.drop(slot)
	} else {
		x.names.put(slot, s.names)
	}
}

// putCriteria stores the criteria of a product in a slot without any.
func (x *Index) putCriteria(slot uint32, s *normalised) {
	for _, f := range s.values {
		x.criterion(f.key).put(slot, f.value, f.text)
	}
}

// replaceCriteria stores the criteria of a product in a slot that may have some.
func (x *Index) replaceCriteria(slot uint32, s *normalised) {
	for key, c := range x.criteria {
		if s.product.Criteria[key] == nil {
			c.replace(slot, nil, "")
		}
	}
	for _, f := range s.values {
		x.criterion(f.key).replace(slot, f.value, f.text)
	}
}

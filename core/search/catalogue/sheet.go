package catalogue

import (
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// sheet is a product the way the index takes it in: with its texts folded,
// which is the expensive part and needs nothing of the index.
type sheet struct {
	product   *product.Product
	reference string
	// names are those of the owner, one per line. No folded text has a line
	// break, so a phrase never reaches from one name into the next.
	names string
	// spot is where the product is, if it is placed.
	spot   spot
	placed bool
	town   string // townOf the product
	facts  []fact
}

// fact is the value of a criterion, with its text folded when it is one.
type fact struct {
	key   string
	value criteria.Value
	text  string
}

// read fills the sheet with a product, leaving out what the index ignores.
func (s *sheet) read(c *product.Candidate, ignored map[string]bool, fold func(string) string) {
	s.product = &c.Product
	s.reference = product.FoldReference(c.Product.Reference)
	names := make([]string, len(c.OwnerNames))
	for i, name := range c.OwnerNames {
		names[i] = fold(name)
	}
	s.names = strings.Join(names, "\n")
	place := demand.PlaceOf(c.Product)
	s.town, s.spot, s.placed = townOf(place), spot{}, place.Position != nil
	if s.placed {
		s.spot = spotOf(*place.Position)
	}
	s.facts = slices.Grow(s.facts[:0], len(c.Product.Criteria))
	for key, value := range c.Product.Criteria {
		if ignored[key] {
			continue
		}
		f := fact{key: key, value: value}
		if text, ok := value.(criteria.Text); ok {
			f.text = fold(string(text))
		}
		s.facts = append(s.facts, f)
	}
}

// note writes down everything about a product but its criteria and its rank.
func (x *Index) note(slot uint32, s *sheet) {
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
	x.visited.put(slot, p.HasVisit360())
	// The instants are kept the way they are sorted: to the microsecond.
	modified, _ := p.SortValue(product.ByModified)
	x.modified.put(slot, modified)
	added, _ := p.SortValue(product.ByAdded)
	x.added.put(slot, added)
	if s.placed {
		x.spots.put(slot, s.spot)
	} else {
		x.spots.drop(slot)
	}
	x.towns.put(slot, s.town)
	x.references.put(slot, s.reference)
	if s.names == "" {
		x.names.drop(slot)
	} else {
		x.names.put(slot, s.names)
	}
}

// learn notes the criteria of a product in a slot without any.
func (x *Index) learn(slot uint32, s *sheet) {
	for _, f := range s.facts {
		x.criterion(f.key).learn(slot, f.value, f.text)
	}
}

// relearn notes the criteria of a product in a slot that may have some.
func (x *Index) relearn(slot uint32, s *sheet) {
	for key, c := range x.criteria {
		if s.product.Criteria[key] == nil {
			c.relearn(slot, nil, "")
		}
	}
	for _, f := range s.facts {
		x.criterion(f.key).relearn(slot, f.value, f.text)
	}
}

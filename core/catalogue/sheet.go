package catalogue

import (
	"strings"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/product"
)

// sheet is a product the way the index takes it in: with its texts folded, which
// is the dear part and needs nothing of the index.
type sheet struct {
	product   *product.Product
	reference string
	// names are those of the owner, one per line. No folded text has a line
	// break, so a phrase never reaches from one name into the next.
	names string
	texts map[string]string // by criterion
}

func (x *Index) read(c *product.Candidate, fold func(string) string) *sheet {
	s := &sheet{
		product:   &c.Product,
		reference: product.FoldReference(c.Product.Reference),
		texts:     map[string]string{},
	}
	names := make([]string, len(c.OwnerNames))
	for i, name := range c.OwnerNames {
		names[i] = fold(name)
	}
	s.names = strings.Join(names, "\n")
	for key, value := range c.Product.Criteria {
		if text, ok := value.(criteria.Text); ok && !x.ignored[key] {
			s.texts[key] = fold(string(text))
		}
	}
	return s
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
	x.references.put(slot, s.reference)
	if s.names == "" {
		x.names.drop(slot)
	} else {
		x.names.put(slot, s.names)
	}
}

// learn notes the criteria of a product in a slot without any.
func (x *Index) learn(slot uint32, s *sheet) {
	for key, value := range s.product.Criteria {
		if !x.ignored[key] {
			x.criterion(key).learn(slot, value, s.texts[key])
		}
	}
}

// relearn notes the criteria of a product in a slot that may have some.
func (x *Index) relearn(slot uint32, s *sheet) {
	values := s.product.Criteria
	for key := range values {
		if !x.ignored[key] {
			x.criterion(key)
		}
	}
	for key, c := range x.criteria {
		c.relearn(slot, values[key], s.texts[key])
	}
}

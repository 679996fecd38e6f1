package listing

import (
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// FindTitled asks for products by words of their titles, Count of them at most.
type FindTitled struct {
	Words string
	Count int
}

// Titled is a product that was found.
type Titled struct {
	ID               int64
	Reference, Title string
}

// newestTitles is how many products of a site are looked at. Twice as many took 35 to 65 ms on a busy machine of two cores.
const newestTitles = 5_000

// titled returns those of the newest products that have all words in a title, the newest first, and that
// the caller sees.
func (u Unit) titled(in FindTitled) (found []Titled, err error) {
	words := strings.Fields(criteria.Fold(in.Words))
	if len(words) == 0 {
		return nil, nil
	}
	ids, err := u.Products().Titled(u.Site.ID, words, newestTitles, in.Count)
	if err != nil {
		return nil, err
	}
	products, err := u.Products().Many(u.Site.ID, ids)
	for _, p := range slices.Backward(products) {
		if u.Scope.Has(p.Agency) {
			found = append(found, Titled{int64(p.ID), p.Reference, p.Title(u.Site.Settings().Language)})
		}
	}
	return found, err
}

// ReadReferences asks what some products are called.
type ReadReferences struct{ IDs []int64 }

// references returns those of the products that the caller sees, by id.
func (u Unit) references(in ReadReferences) (map[int64]string, error) {
	ids := make([]product.ID, len(in.IDs))
	for i, id := range in.IDs {
		ids[i] = product.ID(id)
	}
	found, err := u.Products().Many(u.Site.ID, ids)
	named := map[int64]string{}
	for _, p := range found {
		if u.Scope.Has(p.Agency) {
			named[int64(p.ID)] = p.Reference
		}
	}
	return named, err
}

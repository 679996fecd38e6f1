package listing

import "github.com/vitrine-crm/vitrine/core/domain/product"

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

package memstore

import (
	"errors"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

var _ port.BulkProducts = products{}

// Holders implements port.BulkProducts.
func (r products) Holders(id site.ID, agency site.AgencyID, references []string) (map[string]product.ID, error) {
	holders := make(map[string]product.ID, len(references))
	for _, reference := range references {
		holder, err := r.Holder(id, agency, reference)
		switch {
		case err == nil:
			holders[product.FoldReference(reference)] = holder
		case !errors.Is(err, fault.NotFound):
			return nil, err
		}
	}
	return holders, nil
}

// GetAll implements port.BulkProducts. Whoever writes holds everything.
func (r products) GetAll(id site.ID, ids []product.ID) ([]product.Product, error) {
	return r.Many(id, ids)
}

// AddAll implements port.BulkProducts.
func (r products) AddAll(added []product.Product) error { return r.all(added, r.Add) }

// ReplaceAll implements port.BulkProducts.
func (r products) ReplaceAll(changed []product.Product) error { return r.all(changed, r.Replace) }

// all stores products, of which some may be stored when one is not.
func (r products) all(products []product.Product, store func(product.Product) error) error {
	if err := r.writing(); err != nil {
		return err
	}
	i := slices.IndexFunc(products, func(p product.Product) bool {
		r.broken = store(p)
		return r.broken != nil
	})
	if i < 0 {
		return nil
	}
	return r.broken
}

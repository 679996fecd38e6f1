package kernel

import (
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

var _ port.BulkProducts = watchedProducts{}

// Holders implements port.BulkProducts.
func (w watchedProducts) Holders(id site.ID, agency site.AgencyID, references []string) (map[string]product.ID, error) {
	return port.Holders(w.Products, id, agency, references)
}

// GetAll implements port.BulkProducts.
func (w watchedProducts) GetAll(id site.ID, ids []product.ID) ([]product.Product, error) {
	return port.GetAll(w.Products, id, ids)
}

// AddAll implements port.BulkProducts.
func (w watchedProducts) AddAll(added []product.Product) error {
	return w.storedAll(added, port.AddAll(w.Products, added))
}

// ReplaceAll implements port.BulkProducts.
func (w watchedProducts) ReplaceAll(changed []product.Product) error {
	return w.storedAll(changed, port.ReplaceAll(w.Products, changed))
}

func (w watchedProducts) storedAll(all []product.Product, err error) error {
	for _, p := range all {
		w.notice(p)
		err = w.stored(p, err)
	}
	return err
}

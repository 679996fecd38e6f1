package port

import (
	"errors"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// BulkProducts is what the Products of a unit of work may offer besides: several products by
// few statements. The functions of the same names ask for it, and where it is not offered do
// the same product by product.
type BulkProducts interface {
	// Holders are the products that Holder names, by their references as product.FoldReference
	// folds them. Those without one are missing.
	Holders(id site.ID, agency site.AgencyID, references []string) (map[string]product.ID, error)
	// GetAll lists the living products among ids, by id. In an Update they are held until
	// the unit ends.
	GetAll(site.ID, []product.ID) ([]product.Product, error)
	// AddAll stores new products of one site. After an error, such as ErrReferenceTaken, the
	// unit of work cannot go on, and fails whatever its function returns.
	AddAll([]product.Product) error
	// ReplaceAll stores new states of living products of one site, each of which is there
	// once. After an error the unit of work cannot go on, as after one of AddAll.
	ReplaceAll([]product.Product) error
}

// Holders is BulkProducts.Holders.
func Holders(of Products, id site.ID, agency site.AgencyID, references []string) (map[string]product.ID, error) {
	if many, offered := of.(BulkProducts); offered {
		return many.Holders(id, agency, references)
	}
	holders := make(map[string]product.ID, len(references))
	for _, reference := range references {
		holder, err := of.Holder(id, agency, reference)
		if errors.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		holders[product.FoldReference(reference)] = holder
	}
	return holders, nil
}

// GetAll is BulkProducts.GetAll.
func GetAll(of Products, id site.ID, ids []product.ID) ([]product.Product, error) {
	if many, offered := of.(BulkProducts); offered {
		return many.GetAll(id, ids)
	}
	var found []product.Product
	for _, wanted := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		p, err := of.Get(id, wanted)
		if errors.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, nil
}

// AddAll is BulkProducts.AddAll. Return its errors: where several products are not offered,
// the unit could go on with some of them.
func AddAll(to Products, added []product.Product) error {
	if many, offered := to.(BulkProducts); offered {
		return many.AddAll(added)
	}
	return eachOf(added, to.Add)
}

// ReplaceAll is BulkProducts.ReplaceAll. Return its errors, as those of AddAll.
func ReplaceAll(in Products, changed []product.Product) error {
	if many, offered := in.(BulkProducts); offered {
		return many.ReplaceAll(changed)
	}
	return eachOf(changed, in.Replace)
}

func eachOf(products []product.Product, store func(product.Product) error) error {
	for _, p := range products {
		if err := store(p); err != nil {
			return err
		}
	}
	return nil
}

package porttest

import (
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// populate adds products with the given ids.
func populate(t *testing.T, w *world, id site.ID, ids ...product.ID) {
	t.Helper()
	w.update(t, func(tx port.Tx) error {
		for _, p := range ids {
			if err := tx.Products().Add(sampleProduct(id, p)); err != nil {
				return err
			}
		}
		return nil
	})
}

// deletedProduct is a product that was deleted.
func deletedProduct(id site.ID, n product.ID, at time.Time) product.Product {
	p := sampleProduct(id, n)
	p.Deleted = at
	return p
}

// manyProducts adds more products than a statement has room for.
func manyProducts(t *testing.T, w *world) {
	id := w.site(t)
	var ids []product.ID
	var many []product.Product
	for n := range product.ID(250) {
		ids, many = append(ids, n+1), append(many, sampleProduct(id, n+1))
	}
	w.update(t, func(tx port.Tx) error { return port.AddAll(tx.Products(), many) })
	w.view(t, func(tx port.Tx) error {
		got, err := tx.Products().Many(id, ids)
		same(t, "products", many, got)
		return err
	})
}

func replaceTaken(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1, 2)
	p := plainProduct(id, 2)
	p.Reference = sampleProduct(id, 1).Reference
	for _, swallow := range []bool{false, true} {
		err := w.Update(t.Context(), func(tx port.Tx) error {
			if err := appends(tx, id, 1); err != nil {
				return err
			}
			if err := tx.Products().Replace(p); !errors.Is(err, port.ErrReferenceTaken) {
				t.Errorf("replacing: %v, want ErrReferenceTaken", err)
			} else if !swallow {
				return err
			}
			return nil
		})
		if !errors.Is(err, port.ErrReferenceTaken) {
			t.Errorf("the unit ended with %v, want ErrReferenceTaken", err)
		}
	}
	same(t, "head", port.Head{}, w.head(t, id))
	w.view(t, func(tx port.Tx) error {
		got, err := tx.Products().Get(id, 2)
		same(t, "product", sampleProduct(id, 2), got)
		return err
	})
}

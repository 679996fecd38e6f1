package porttest

import (
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func productsComeBack(t *testing.T, w *world) {
	id := w.site(t)
	get := func(want product.Product) {
		t.Helper()
		read := func(tx port.Tx) error {
			got, err := tx.Products().Get(id, 1)
			same(t, "product", want, got)
			many, err2 := only(tx.Products().Many(id, []product.ID{1}))
			same(t, "product among many", want, many)
			return errors.Join(err, err2)
		}
		w.view(t, read)
		w.update(t, read)
	}
	full, plain := sampleProduct(id, 1), plainProduct(id, 1)
	w.update(t, func(tx port.Tx) error { return tx.Products().Add(full) })
	get(full)
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(plain) })
	get(plain)
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(full) })
	get(full)
	for key, value := range full.Criteria {
		plain.Criteria = criteria.Values{key: value}
		w.update(t, func(tx port.Tx) error { return tx.Products().Replace(plain) })
		get(plain)
	}
}

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

func productsPurged(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	sites := map[int]site.ID{5: id, 7: other, 9: id}
	populate(t, w, id, 1)
	w.update(t, func(tx port.Tx) error {
		var failed error
		for n, of := range sites {
			p, with, without := sampleProduct(of, product.ID(n)), sampleAction(of, customer.ActionID(n)), sampleAction(of, customer.ActionID(n+1))
			with.Subject, without.Subject, without.Customer = listing(int64(n)), listing(int64(n)), 0
			failed = errors.Join(failed, tx.Products().Add(p), tx.Actions().Append(with), tx.Actions().Append(without))
			p.Deleted = old(n)
			failed = errors.Join(failed, tx.Products().Replace(p))
		}
		return failed
	})
	purges(t, w, func(tx port.Tx, before time.Time, n int) (int, error) { return tx.Products().Purge(before, n) },
		func(tx port.Tx) (left []int, err error) {
			for n, of := range sites {
				kept, err2 := tx.Products().Kept(of, []product.ID{product.ID(n)})
				if err = errors.Join(err, err2); len(kept) > 0 {
					left = append(left, n)
				}
				found, err2 := tx.Actions().Page(port.ActionQuery{Site: of, Subject: listing(int64(n)), Limit: 9})
				err = errors.Join(err, err2)
				for _, a := range found {
					if wanted := len(kept) > 0 || a.Customer != 0; (a.Result != "") != wanted {
						t.Errorf("product %d is kept: %t, and of an action with customer %d is left %q", n, len(kept) > 0, a.Customer, a.Result)
					}
				}
			}
			return left, err
		})
	w.notFound(t, "a purged product", func(tx port.Tx) error { _, err := tx.Products().Deleted(id, 5); return err })
	w.notFound(t, "restoring a purged product", func(tx port.Tx) error { return tx.Products().Restore(sampleProduct(id, 5)) })
	w.view(t, func(tx port.Tx) error {
		living, err := tx.Products().Get(id, 1)
		same(t, "the living product", sampleProduct(id, 1), living)
		return err
	})
	purged := sampleProduct(id, 5)
	w.update(t, func(tx port.Tx) error {
		again := sampleProduct(id, 6)
		again.Reference = purged.Reference
		if err := tx.Products().Add(again); !errors.Is(err, port.ErrReferenceTaken) {
			t.Errorf("the reference of a purged product is given away: %v", err)
		}
		return nil
	})
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

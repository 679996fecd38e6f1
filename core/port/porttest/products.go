package porttest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func productExamples() []example {
	return []example{
		{"ProductsComeBackAsTheyWentIn", productsComeBack},
		{"ManyAndScanPickAndPage", manyAndScan},
		{"ProductsAreFoundByTheirOwner", ownedProducts},
		{"ProductsKnowWhetherTheyHaveLots", productsWithLots},
		{"AScanLeavesOutWhatNoSearchLooksAt", scanIsNarrow},
		{"AReferenceIsTakenOnce", referenceTaken},
		{"AReferenceGivenUpIsFree", referenceGivenUp},
		{"ReplacingWithATakenReferenceEndsTheUnit", replaceTaken},
		{"TheDeletedStayAwayAndKeepTheirReference", deletedStayAway},
		{"TheDeletedAreKeptAndComeBack", deletedComeBack},
		{"LittleIsLeftOfThePurged", productsPurged},
		{"AnIDIsUsedOnce", idUsedOnce},
	}
}

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

func idsOf(products []product.Product, err error) ([]product.ID, error) {
	var ids []product.ID
	for _, p := range products {
		ids = append(ids, p.ID)
	}
	return ids, err
}

func manyAndScan(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	populate(t, w, id, 12, 3, 100, 7)
	populate(t, w, other, 1, 3, 8)
	deleted := plainProduct(id, 7)
	deleted.Deleted = instant(0)
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(deleted) })
	check := func(tx port.Tx) error {
		for _, c := range []struct {
			what string
			got  func() ([]product.ID, error)
			want []product.ID
		}{
			{"many", func() ([]product.ID, error) {
				return idsOf(tx.Products().Many(id, []product.ID{100, 8, 3, 7, 100, -1}))
			}, []product.ID{3, 100}},
			{"existing", func() ([]product.ID, error) {
				return tx.Products().Existing(id, []product.ID{100, 8, 3, 7, 100, -1})
			}, []product.ID{3, 100}},
			{"none existing", func() ([]product.ID, error) { return tx.Products().Existing(id, nil) }, nil},
			{"none", func() ([]product.ID, error) { return idsOf(tx.Products().Many(id, []product.ID{})) }, nil},
			{"scan", func() ([]product.ID, error) { return idsOf(tx.Products().Scan(id, 0, 10)) }, []product.ID{3, 12, 100}},
			{"first two", func() ([]product.ID, error) { return idsOf(tx.Products().Scan(id, 0, 2)) }, []product.ID{3, 12}},
			{"from 3 on", func() ([]product.ID, error) { return idsOf(tx.Products().Scan(id, 3, 1)) }, []product.ID{12}},
			{"past the deleted", func() ([]product.ID, error) { return idsOf(tx.Products().Scan(id, 6, 1)) }, []product.ID{12}},
			{"past the end", func() ([]product.ID, error) { return idsOf(tx.Products().Scan(id, 100, 9)) }, nil},
			{"a page of nothing", func() ([]product.ID, error) { return idsOf(tx.Products().Scan(id, 0, 0)) }, nil},
			{"less than nothing", func() ([]product.ID, error) { return idsOf(tx.Products().Scan(id, 0, -1)) }, nil},
		} {
			got, err := c.got()
			if err != nil {
				return err
			}
			same(t, c.what, c.want, got)
		}
		return nil
	}
	w.view(t, check)
	w.update(t, check)
}

func ownedProducts(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	owned := func(s site.ID, n product.ID, owner customer.ID) product.Product {
		p := sampleProduct(s, n)
		p.Customer = owner
		return p
	}
	first, second, others := owned(id, 2, 5), owned(id, 11, 5), owned(id, 3, 6)
	w.update(t, func(tx port.Tx) error {
		if err := each(tx.Products().Add, second, others, first, owned(id, 1, 5), owned(id, 4, 0), owned(other, 7, 5)); err != nil {
			return err
		}
		gone := owned(id, 1, 5)
		gone.Deleted = instant(0)
		return tx.Products().Replace(gone)
	})
	holds := func(tx port.Tx, owner customer.ID, want ...product.Product) {
		t.Helper()
		got, err := tx.Products().OwnedBy(id, owner)
		same(t, fmt.Sprint("products of customer ", owner), want, got)
		if err != nil {
			t.Error(err)
		}
	}
	check := func(tx port.Tx) error {
		holds(tx, 5, first, second)
		holds(tx, 6, others)
		holds(tx, 7)
		holds(tx, 0)
		return nil
	}
	w.view(t, check)
	w.update(t, check)
	w.update(t, func(tx port.Tx) error {
		sold := owned(id, 2, 6)
		err := tx.Products().Replace(sold)
		holds(tx, 5, second)
		holds(tx, 6, sold, others)
		return err
	})
}

func productsWithLots(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	lot := func(s site.ID, n, parent product.ID) product.Product {
		p := sampleProduct(s, n)
		p.Parent = parent
		return p
	}
	w.update(t, func(tx port.Tx) error {
		return each(tx.Products().Add, lot(id, 1, 0), lot(id, 2, 1), lot(id, 3, 1), lot(id, 4, 9), lot(other, 5, 7))
	})
	have := func(tx port.Tx, want ...product.ID) error {
		t.Helper()
		got := []product.ID{}
		for parent := range product.ID(10) {
			has, err := tx.Products().HasLots(id, parent)
			if err != nil {
				return err
			}
			if has {
				got = append(got, parent)
			}
		}
		same(t, "products with lots", want, got)
		return nil
	}
	w.view(t, func(tx port.Tx) error { return have(tx, 1, 9) })
	w.update(t, func(tx port.Tx) error {
		gone := lot(id, 4, 9)
		gone.Deleted = instant(0)
		return errors.Join(tx.Products().Replace(gone), tx.Products().Replace(lot(id, 3, 2)), have(tx, 1, 2))
	})
	w.update(t, func(tx port.Tx) error { return errors.Join(tx.Products().Replace(lot(id, 2, 0)), have(tx, 2)) })
}

func scanIsNarrow(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1, 2)
	w.view(t, func(tx port.Tx) error {
		got, err := tx.Products().Scan(id, 0, 9)
		want := []product.Product{sampleProduct(id, 1), sampleProduct(id, 2)}
		for i := range want {
			want[i].Derived, want[i].Rooms, want[i].Descriptions, want[i].Pictures = product.Derived{}, nil, nil, nil
		}
		same(t, "scan", want, got)
		return err
	})
}

func holder(t *testing.T, w *world, id site.ID, agency site.AgencyID, reference string, want product.ID) {
	t.Helper()
	w.view(t, func(tx port.Tx) error {
		got, err := tx.Products().Holder(id, agency, reference)
		if got != want || want == 0 != errors.Is(err, fault.NotFound) || want != 0 && err != nil {
			t.Errorf("%q is held by %d (%v), want %d", reference, got, err, want)
		}
		return nil
	})
}

func referenceTaken(t *testing.T, w *world) {
	id := w.site(t)
	first := plainProduct(id, 1)
	first.Reference = "Maison-Été 1"
	w.update(t, func(tx port.Tx) error { return tx.Products().Add(first) })
	for _, reference := range []string{"Maison-Été 1", "maison-ete 1", "MAISON-ÉTÉ  1 "} {
		p := plainProduct(id, 2)
		p.Reference = reference
		var refused error
		w.update(t, func(tx port.Tx) error {
			refused = tx.Products().Add(p)
			// The unit is still good, for reading and for writing.
			if _, err := tx.Products().Get(id, 2); !errors.Is(err, fault.NotFound) {
				t.Errorf("the refused product is there: %v", err)
			}
			return appends(tx, id, 1)
		})
		if !errors.Is(refused, port.ErrReferenceTaken) {
			t.Errorf("adding %q: %v, want ErrReferenceTaken", reference, refused)
		}
		holder(t, w, id, 1, reference, 1)
	}
	same(t, "head", port.Head{Seq: 3}, w.head(t, id))
	w.update(t, func(tx port.Tx) error {
		elsewhere := first
		elsewhere.ID, elsewhere.Agency = 3, 2
		return tx.Products().Add(elsewhere)
	})
	other := w.site(t)
	w.update(t, func(tx port.Tx) error {
		elsewhere := first
		elsewhere.Site = other
		return tx.Products().Add(elsewhere)
	})
	holder(t, w, id, 2, "MAISON-ete 1", 3)
	holder(t, w, id, 1, "Maison", 0)
	holder(t, w, id, 3, "Maison-Été 1", 0)
}

func referenceGivenUp(t *testing.T, w *world) {
	id := w.site(t)
	p := plainProduct(id, 1)
	w.update(t, func(tx port.Tx) error { return tx.Products().Add(p) })
	p.Reference = "r1" // its own, in another case
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(p) })
	p.Reference = "other"
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(p) })
	holder(t, w, id, 1, "R1", 0)
	second := plainProduct(id, 2)
	second.Reference = "R1"
	w.update(t, func(tx port.Tx) error { return tx.Products().Add(second) })
	holder(t, w, id, 1, "R1", 2)
	p.Agency, p.Reference = 2, "R1"
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(p) })
	holder(t, w, id, 2, "R1", 1)
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

func deletedStayAway(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1)
	gone := sampleProduct(id, 1)
	gone.Deleted = instant(1)
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(gone) })
	w.update(t, func(tx port.Tx) error {
		if _, err := tx.Products().Get(id, 1); !errors.Is(err, fault.NotFound) {
			t.Errorf("a deleted product is found: %v", err)
		}
		if err := tx.Products().Replace(sampleProduct(id, 1)); !errors.Is(err, fault.NotFound) {
			t.Errorf("a deleted product is replaced: %v", err)
		}
		again := sampleProduct(id, 2)
		again.Reference = gone.Reference
		if err := tx.Products().Add(again); !errors.Is(err, port.ErrReferenceTaken) {
			t.Errorf("the reference of a deleted product is given away: %v", err)
		}
		return nil
	})
	holder(t, w, id, 1, gone.Reference, 1)
	w.view(t, func(tx port.Tx) error {
		many, err := tx.Products().Many(id, []product.ID{1, 2})
		scan, err2 := tx.Products().Scan(id, 0, 9)
		if len(many)+len(scan) != 0 {
			t.Errorf("deleted products come back: %v %v", many, scan)
		}
		return errors.Join(err, err2)
	})
}

// deletedProduct is a product that was deleted.
func deletedProduct(id site.ID, n product.ID, at time.Time) product.Product {
	p := sampleProduct(id, n)
	p.Deleted = at
	return p
}

func deletedComeBack(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	populate(t, w, id, 1, 2)
	populate(t, w, other, 1)
	gone := deletedProduct(id, 1, instant(1))
	stands := func(deleted bool) {
		t.Helper()
		read := func(tx port.Tx) error {
			got, err := tx.Products().Deleted(id, 1)
			if deleted {
				same(t, "deleted product", gone, got)
			} else if !errors.Is(err, fault.NotFound) {
				t.Errorf("a living product is deleted: %v", err)
			} else {
				err = nil
			}
			_, living := tx.Products().Get(id, 1)
			if errors.Is(living, fault.NotFound) != deleted {
				t.Errorf("get, deleted %t: %v", deleted, living)
			}
			kept, err2 := tx.Products().Kept(id, []product.ID{2, 9, 1, 1})
			want := []product.Product{sampleProduct(id, 1), sampleProduct(id, 2)}
			if deleted {
				want[0] = gone
			}
			same(t, "what is kept", want, kept)
			return errors.Join(err, err2)
		}
		w.view(t, read)
		w.update(t, read)
	}
	stands(false)
	w.update(t, func(tx port.Tx) error { return tx.Products().Replace(gone) })
	stands(true)
	w.notFound(t, "restoring a living one", func(tx port.Tx) error { return tx.Products().Restore(sampleProduct(id, 2)) })
	w.notFound(t, "one of another site", func(tx port.Tx) error { _, err := tx.Products().Deleted(other, 1); return err })
	w.update(t, func(tx port.Tx) error { return tx.Products().Restore(sampleProduct(id, 1)) })
	stands(false)
	w.update(t, func(tx port.Tx) error {
		if err := tx.Products().Replace(gone); err != nil {
			return err
		}
		got, err := tx.Products().Deleted(id, 1)
		spoil(&got)
		kept, err2 := tx.Products().Kept(id, []product.ID{1})
		spoil(&kept)
		return errors.Join(err, err2)
	})
	stands(true)
	noneLost(t, w, func(tx port.Tx) (int64, error) {
		p, err := tx.Products().Deleted(id, 1)
		return p.Version, err
	}, func(tx port.Tx) error {
		p, err := tx.Products().Deleted(id, 1)
		if err != nil {
			return err
		}
		p.Version++
		return tx.Products().Restore(p)
	})
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
	holder(t, w, id, purged.Agency, purged.Reference, 5)
	w.update(t, func(tx port.Tx) error {
		again := sampleProduct(id, 6)
		again.Reference = purged.Reference
		if err := tx.Products().Add(again); !errors.Is(err, port.ErrReferenceTaken) {
			t.Errorf("the reference of a purged product is given away: %v", err)
		}
		return nil
	})
}

func idUsedOnce(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1)
	p := plainProduct(id, 1)
	p.Reference = "unheard of"
	err := w.Update(t.Context(), func(tx port.Tx) error { return tx.Products().Add(p) })
	if err == nil || errors.Is(err, port.ErrReferenceTaken) {
		t.Errorf("adding a second product with one id: %v", err)
	}
	w.view(t, func(tx port.Tx) error {
		got, err := tx.Products().Get(id, 1)
		same(t, "product", sampleProduct(id, 1), got)
		return err
	})
}

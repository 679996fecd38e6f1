package memstore

import (
	"fmt"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

type products struct{ *unit }

func (r products) Get(id site.ID, p product.ID) (product.Product, error) {
	found, err := one(r.unit, r.state.products, productKey(id, p), "product", p, cloneProduct)
	if err == nil && !found.Deleted.IsZero() {
		return product.Product{}, absent("product", p)
	}
	return found, err
}

// GetUnlocked implements port.Products: units of work have their turns.
func (r products) GetUnlocked(id site.ID, p product.ID) (product.Product, error) { return r.Get(id, p) }

func (r products) Many(id site.ID, ids []product.ID) ([]product.Product, error) {
	return many(r.unit, r.state.products, id, ids, func(p product.Product) (product.Product, bool) {
		return cloneProduct(p), p.Deleted.IsZero()
	})
}

func (r products) Existing(id site.ID, ids []product.ID) ([]product.ID, error) {
	return existing(r.unit, r.state.products, id, ids, func(p product.Product) (product.ID, bool) { return p.ID, p.Deleted.IsZero() })
}

func (r products) Scan(id site.ID, above product.ID, n int) ([]product.Product, error) {
	return after(r.unit, r.state.products, int64(id), int64(above), n, func(p product.Product) (product.Product, bool) {
		return cloneProduct(narrow(p)), p.Deleted.IsZero()
	})
}

// narrow is a product as a scan lists it.
func narrow(p product.Product) product.Product {
	p.Derived, p.Rooms, p.Descriptions, p.Pictures = product.Derived{}, nil, nil, nil
	return p
}

func (r products) OwnedBy(id site.ID, owner customer.ID) ([]product.Product, error) {
	found, err := all(r.unit, r.state.products, key(int64(id)), same)
	found = slices.DeleteFunc(found, func(p product.Product) bool {
		return owner == 0 || p.Customer != owner || !p.Deleted.IsZero()
	})
	for i, p := range found {
		found[i] = cloneProduct(p)
	}
	return found, err
}

func (r products) Titled(id site.ID, words []string, newest, n int) ([]product.ID, error) {
	found, err := all(r.unit, r.state.products, key(int64(id)), same)
	var titled []product.ID
	for _, p := range slices.Backward(found) {
		if newest--; newest >= 0 && len(titled) < n && p.Deleted.IsZero() && p.Titled(words) {
			titled = append(titled, p.ID)
		}
	}
	return titled, err
}

func (r products) Lots(id site.ID, parent product.ID) ([]product.ID, error) {
	found, err := all(r.unit, r.state.products, key(int64(id)), same)
	var lots []product.ID
	for _, p := range found {
		if parent != 0 && p.Parent == parent && p.Deleted.IsZero() {
			lots = append(lots, p.ID)
		}
	}
	return lots, err
}

func (r products) Add(p product.Product) error {
	if err := r.writing(); err != nil {
		return err
	}
	if _, taken := r.state.references.get(referenceOf(p)); taken {
		return port.ErrReferenceTaken
	}
	if _, found := r.state.products.get(productKey(p.Site, p.ID)); found {
		r.broken = fmt.Errorf("the product id %d was used before", p.ID)
		return r.broken
	}
	r.keep(p)
	return nil
}

func (r products) Replace(p product.Product) error {
	if err := r.writing(); err != nil {
		return err
	}
	old, found := r.state.products.get(productKey(p.Site, p.ID))
	if !found || !old.Deleted.IsZero() {
		return absent("product", p.ID)
	}
	if holder, taken := r.state.references.get(referenceOf(p)); taken && holder != p.ID {
		r.broken = port.ErrReferenceTaken
		return r.broken
	}
	r.state.references = r.state.references.without(referenceOf(old))
	r.keep(p)
	return nil
}

func (r products) Deleted(id site.ID, p product.ID) (product.Product, error) {
	found, err := one(r.unit, r.state.products, productKey(id, p), "product", p, cloneProduct)
	if err == nil && (found.Deleted.IsZero() || r.isPurged(found)) {
		return product.Product{}, absent("product", p)
	}
	return found, err
}

func (r products) Kept(id site.ID, ids []product.ID) ([]product.Product, error) {
	return many(r.unit, r.state.products, id, ids, func(p product.Product) (product.Product, bool) {
		return cloneProduct(p), !r.isPurged(p)
	})
}

func (r products) Restore(p product.Product) error {
	if err := r.writing(); err != nil {
		return err
	}
	if _, err := r.Deleted(p.Site, p.ID); err != nil {
		return err
	}
	r.keep(p)
	return nil
}

func (r products) Holder(id site.ID, agency site.AgencyID, reference string) (product.ID, error) {
	return one(r.unit, r.state.references, referenceKey(id, agency, reference), "reference", reference, same)
}

func (r products) Purge(before time.Time, n int) (int, error) {
	if err := r.writing(); err != nil {
		return 0, err
	}
	due, err := all(r.unit, r.state.products, "", same)
	due = slices.DeleteFunc(due, func(p product.Product) bool {
		return p.Deleted.IsZero() || !p.Deleted.Before(before) || r.isPurged(p)
	})
	slices.SortStableFunc(due, func(p, q product.Product) int { return p.Deleted.Compare(q.Deleted) })
	due = due[:min(len(due), max(n, 0))]
	for _, p := range due {
		r.keep(product.Product{ID: p.ID, Site: p.Site, Agency: p.Agency, Reference: p.Reference, Deleted: p.Deleted})
		r.state.purged = r.state.purged.with(productKey(p.Site, p.ID), true)
		if err := actions(r).ForgetAbout(p.Site, customer.AimedAtProduct, []int64{int64(p.ID)}); err != nil {
			return 0, err
		}
	}
	return len(due), err
}

func (r products) isPurged(p product.Product) bool {
	_, purged := r.state.purged.get(productKey(p.Site, p.ID))
	return purged
}

func (r products) keep(p product.Product) {
	r.state.products = r.state.products.with(productKey(p.Site, p.ID), cloneProduct(p))
	r.state.references = r.state.references.with(referenceOf(p), p.ID)
}

func productKey(id site.ID, p product.ID) string { return key(int64(id), int64(p)) }

func referenceKey(id site.ID, agency site.AgencyID, reference string) string {
	return key(int64(id), int64(agency)) + product.FoldReference(reference)
}

func referenceOf(p product.Product) string { return referenceKey(p.Site, p.Agency, p.Reference) }

// cloneProduct goes as deep as pointers do.
func cloneProduct(p product.Product) product.Product {
	p = p.Clone()
	for i := range p.Rooms {
		p.Rooms[i].Surface, p.Rooms[i].Niveau = clonePointer(p.Rooms[i].Surface), clonePointer(p.Rooms[i].Niveau)
	}
	return p
}

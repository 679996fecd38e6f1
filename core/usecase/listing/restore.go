package listing

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// RestoreProduct is POST /products/{productId}/restore.
type RestoreProduct struct {
	ID int64 `path:"productId"`
}

// restoreProduct makes a deleted product a living one again. To a client that follows
// the site it is new: they heard that it was gone.
func (u Unit) restoreProduct(in RestoreProduct) (kernel.Changed, error) {
	p, err := u.restorable(product.ID(in.ID))
	if kernel.IsAbsent(err) {
		if err := u.productExists([]int64{in.ID}); err != nil {
			return kernel.Changed{}, err
		}
		return kernel.Changed{}, fault.New(fault.Conflict, fault.CodeConflict, "the product is not deleted")
	}
	if err != nil {
		return kernel.Changed{}, err
	}
	if err := u.reunite(&p); err != nil {
		return kernel.Changed{}, err
	}
	lots, err := u.lotsOf(p)
	if err != nil {
		return kernel.Changed{}, err
	}
	recorded, err := Products.Record(u, Products.Created, p)
	if err != nil {
		return kernel.Changed{}, err
	}
	p.Deleted, p.Version, p.Modified = time.Time{}, recorded.Seq, kernel.Latest(recorded.At, p.Modified)
	if err := u.Products().Restore(p); err != nil {
		return kernel.Changed{}, err
	}
	return kernel.Changed{Version: kernel.Version(p.Version)}, u.tellLots(lots)
}

// lotsOf returns the lots of a product that is held, which are held from here on. Nobody adds a
// lot to a product that another unit of work holds.
func (u Unit) lotsOf(parent product.Product) ([]product.Product, error) {
	ids, err := u.Products().Lots(parent.Site, parent.ID)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	lots, err := port.GetAll(u.Products(), parent.Site, ids)
	return slices.DeleteFunc(lots, func(p product.Product) bool { return p.Parent != parent.ID }), err
}

// tellLots records a change of the lots of a product that was deleted or restored: they show no
// parent, or show it again. Of what is stored of them only version and time change.
func (u Unit) tellLots(lots []product.Product) error {
	if len(lots) == 0 {
		return nil
	}
	told := telling{}
	for _, p := range lots {
		e := Products.Event(Products.Updated, p)
		e.Changed = event.ChangeOf([]string{"parent_id"})
		told.add(e)
	}
	return u.replaceAll(lots, told)
}

// restorable returns a deleted product of the caller's site that is kept: absent when
// there is none, Forbidden when its agency is outside the scope.
func (u Unit) restorable(id product.ID) (product.Product, error) {
	p, err := u.Products().Deleted(u.Site.ID, id)
	if err != nil {
		return p, err
	}
	// What the sweep has not come to yet is gone all the same.
	if u.Now.Sub(p.Deleted) >= u.Options.KeepDeleted {
		return p, fault.NotFound
	}
	return p, u.Sees(p.Agency)
}

// reunite leaves out what a restored product cannot belong to any more. What is
// deleted is locked by nobody else, so the owner can be locked after it.
func (u Unit) reunite(p *product.Product) error {
	if p.Customer != 0 {
		into, err := u.MergedInto(p.Customer)
		if into != 0 {
			p.Customer = into
		}
		if err == nil {
			_, err = u.Customers().Get(p.Site, p.Customer)
		}
		if kernel.IsAbsent(err) {
			p.Customer, err = 0, nil
		}
		if err != nil {
			return err
		}
	}
	if p.Parent == 0 {
		return nil
	}
	// The parent is held, deleted or not, so that it does not come back unseen.
	if _, err := u.Products().Deleted(p.Site, p.Parent); err != nil && !kernel.IsAbsent(err) {
		return err
	}
	parent, err := u.Products().Get(p.Site, p.Parent)
	if parent.Parent != 0 {
		p.Parent = 0
	}
	return kernel.AbsentIs(err, nil)
}

// Restore is RestoreProduct, in a unit of work that does more.
func (u Unit) Restore(id product.ID) error {
	_, err := u.restoreProduct(RestoreProduct{ID: int64(id)})
	return err
}

package listing

import (
	"errors"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Products is the life of products. Their creation and deletion differ from those
// of other records: a product gets its reference, and keeps it when it is gone.
var Products = kernel.Resource[product.ID, product.Product]{
	Unknown: fault.Textf("no product has this id"),
	IDs:     port.ProductIDs,
	Table:   func(tx port.Tx) kernel.Table[product.ID, product.Product] { return products{tx.Products()} },
	Created: event.ProductCreate, Updated: event.ProductUpdate, Deleted: event.ProductDelete,
	Stamp: func(p *product.Product) kernel.Stamp[product.ID] {
		return kernel.Stamp[product.ID]{ID: &p.ID, Version: &p.Version, Added: &p.Added, Modified: &p.Modified}
	},
	Agency: func(p product.Product) site.AgencyID { return p.Agency },
	Same:   func(a, b product.Product) bool { return b.Same(a) },

	Differences: product.Product.Edits,

	Changing: logTransition,
	Changed:  recordMandate,
}

// recordMandate records what became of the mandate of a product, a new one's
// after the empty state.
func recordMandate(u kernel.Unit, before, after product.Product) error {
	told, is := mandateEvent(u, before, after)
	if !is {
		return nil
	}
	_, err := u.Record(told)
	return err
}

// mandateEvent returns what became of the mandate of a product, if anything did. Every write of
// products comes here.
func mandateEvent(u kernel.Unit, before, after product.Product) (told event.Event, is bool) {
	told = event.Event{Resource: int64(after.ID), Agency: after.Agency}
	switch after.MandateSince(before, u.Today(after.Agency)) {
	case product.MandateAsBefore:
		return told, false
	case product.MandateRegistered:
		told.Type = event.MandateCreate
	case product.MandateChanged:
		told.Type = event.MandateUpdate
	}
	return told, true
}

// products is the role as a table.
type products struct{ port.Products }

// Put implements kernel.Table.
func (t products) Put(p product.Product) error { return t.Replace(p) }

// Delete implements kernel.Table. A product that is gone is one with Deleted set,
// which Put stores.
func (t products) Delete(site.ID, product.ID) error {
	return errors.New("products are not deleted, but replaced by a state that says so")
}

package memstore

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Changes reads what has changed at the sites of the store.
func (s *Store) Changes() port.Changes { return changes{s} }

type changes struct{ store *Store }

// Products implements port.Changes.
func (c changes) Products(ctx context.Context, id site.ID, after int64, n int) (found port.ProductChanges, err error) {
	err = c.store.View(ctx, func(tx port.Tx) (err error) {
		if found.Events, err = tx.Ledger().After(id, after, n); err != nil {
			return err
		}
		touched := event.About[product.ID](found.Events, event.ProductUpdate)
		for _, owner := range event.About[customer.ID](found.Events, event.CustomerUpdate) {
			owned, err := tx.Products().OwnedBy(id, owner)
			if err != nil {
				return err
			}
			for _, p := range owned {
				touched = append(touched, p.ID)
			}
		}
		if found.Products, err = tx.Products().Many(id, touched); err != nil {
			return err
		}
		var owners []customer.ID
		for i := range found.Products {
			found.Products[i] = narrow(found.Products[i])
			owners = append(owners, found.Products[i].Customer)
		}
		found.Owners, err = tx.Customers().Many(id, owners)
		for i := range found.Owners {
			found.Owners[i].Profile = customer.Profile{}
		}
		return err
	})
	return found, err
}

// SearchRequests implements port.Changes.
func (c changes) SearchRequests(ctx context.Context, id site.ID, after int64, n int) (found port.SearchChanges, err error) {
	err = c.store.View(ctx, func(tx port.Tx) (err error) {
		if found.Events, err = tx.Ledger().After(id, after, n); err != nil {
			return err
		}
		found.Requests, err = tx.SearchRequests().Many(id, event.About[demand.SearchID](found.Events, event.SearchUpdate))
		return err
	})
	return found, err
}

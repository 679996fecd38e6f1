package listing

import (
	"context"
	"maps"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

// Index returns the search index of the caller's site, as of the head the caller
// was identified with or later.
func (s *Service) Index(ctx context.Context, c kernel.Caller) (*catalogue.Index, error) {
	return kernel.Present(ctx, s.k, c, s.products)
}

func replayIndex(u kernel.Unit, kept *catalogue.Index, events []event.Event) (func(*catalogue.Index), error) {
	touched := map[product.ID]bool{}
	for _, e := range events {
		switch e.Type.Resource() {
		case event.ProductUpdate.Resource():
			touched[product.ID(e.Resource)] = true
		case event.CustomerUpdate.Resource():
			for _, owned := range kept.Owned(customer.ID(e.Resource)) {
				touched[owned] = true
			}
		}
	}
	living, err := u.Products().Many(u.Site.ID, slices.Collect(maps.Keys(touched)))
	if err != nil {
		return nil, err
	}
	owners, err := ownersOf(u, living)
	return applied(events, touched, living, owners), err
}

func changesOfIndex(ctx context.Context, from port.Changes, c kernel.Caller, after int64, n int) ([]event.Event, func(*catalogue.Index), error) {
	found, err := from.Products(ctx, c.Site.ID, after, n)
	touched := map[product.ID]bool{}
	for _, id := range event.About[product.ID](found.Events, event.ProductUpdate) {
		touched[id] = true
	}
	for _, p := range found.Products {
		touched[p.ID] = true
	}
	owners := make(map[customer.ID]customer.Customer, len(found.Owners))
	for _, owner := range found.Owners {
		owners[owner.ID] = owner
	}
	return found.Events, applied(found.Events, touched, found.Products, owners), err
}

func writtenToIndex(kept *catalogue.Index, w *kernel.Written, _ map[string]bool) (func(*catalogue.Index), bool) {
	left := map[product.ID]catalogue.Change{}
	for _, e := range w.Events {
		if e.Type.Resource() != event.ProductUpdate.Resource() {
			continue
		}
		id := product.ID(e.Resource)
		p, known := w.Product(id)
		change := catalogue.Change{ID: id}
		if p != nil {
			var names []string
			if p.Customer != 0 && known {
				names, known = w.Names(p.Customer)
			}
			change.Now = &product.Candidate{Product: *p, OwnerNames: names}
		}
		if !known {
			return nil, false
		}
		left[id] = change
	}
	for _, e := range w.Events {
		if e.Type.Resource() != event.CustomerUpdate.Resource() {
			continue
		}
		for _, owned := range kept.Owned(customer.ID(e.Resource)) {
			if _, known := left[owned]; !known {
				return nil, false
			}
		}
	}
	last, changes := w.Events[len(w.Events)-1].Seq, slices.Collect(maps.Values(left))
	return func(kept *catalogue.Index) { kept.Apply(last, changes) }, true
}

// applied applies events that have touched some products, of which those are living.
func applied(events []event.Event, touched map[product.ID]bool, living []product.Product, owners map[customer.ID]customer.Customer) func(*catalogue.Index) {
	changes := make([]catalogue.Change, 0, len(touched))
	for i, p := range living {
		changes = append(changes, catalogue.Change{ID: p.ID, Now: &product.Candidate{Product: living[i], OwnerNames: owners[p.Customer].Names()}})
		delete(touched, p.ID)
	}
	for gone := range touched {
		changes = append(changes, catalogue.Change{ID: gone})
	}
	return func(kept *catalogue.Index) { kept.Apply(events[len(events)-1].Seq, changes) }
}

// ownersOf reads the owners of some products.
func ownersOf(u kernel.Unit, products []product.Product) (map[customer.ID]customer.Customer, error) {
	var ids []customer.ID
	for _, p := range products {
		if p.Customer != 0 {
			ids = append(ids, p.Customer)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	owners := make(map[customer.ID]customer.Customer, len(ids))
	if len(ids) == 0 {
		return owners, nil
	}
	found, err := u.Customers().Many(u.Site.ID, ids)
	for _, c := range found {
		owners[c.ID] = c
	}
	return owners, err
}

func loadIndex(u kernel.Unit, seq int64) (*catalogue.Index, error) {
	names := map[customer.ID][]string{}
	err := kernel.ScanAll(u.Site.ID, u.Customers().Scan, func(owner customer.Customer) customer.ID {
		names[owner.ID] = owner.Names()
		return owner.ID
	})
	if err != nil {
		return nil, err
	}
	builder := catalogue.NewBuilder(catalogue.Options{Ignore: u.Site.Unsearchable})
	err = kernel.ScanAll(u.Site.ID, u.Products().Scan, func(p product.Product) product.ID {
		builder.Add(product.Candidate{Product: p, OwnerNames: names[p.Customer]})
		return p.ID
	})
	if err != nil {
		return nil, err
	}
	return builder.Index(seq), nil
}

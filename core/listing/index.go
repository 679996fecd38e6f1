package listing

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/catalogue"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/product"
)

var indexes = api.ReplicaKind[*catalogue.Index]{Name: "catalogue", Load: loadIndex, Replay: replayIndex}

// Index returns the search index of the caller's site, as of the head the caller
// was identified with or later.
func (s *Service) Index(ctx context.Context, c api.Caller) (*catalogue.Index, error) {
	return api.Present(ctx, s.k, c, indexes)
}

func replayIndex(u api.Unit, index *catalogue.Index, events []event.Event) error {
	touched := map[product.ID]bool{}
	for _, e := range events {
		switch e.Type.Resource() {
		case event.ProductUpdate.Resource():
			touched[product.ID(e.Resource)] = true
		case event.CustomerUpdate.Resource():
			for _, owned := range index.Owned(customer.ID(e.Resource)) {
				touched[owned] = true
			}
		}
	}
	changes, err := currentStates(u, touched)
	if err != nil {
		return err
	}
	index.Apply(events[len(events)-1].Seq, changes)
	return nil
}

func currentStates(u api.Unit, touched map[product.ID]bool) ([]catalogue.Change, error) {
	ids := make([]product.ID, 0, len(touched))
	for p := range touched {
		ids = append(ids, p)
	}
	slices.Sort(ids)
	living, err := u.Products().Many(u.Site.ID, ids)
	if err != nil {
		return nil, err
	}
	owners, err := ownersOf(u, living)
	if err != nil {
		return nil, err
	}
	changes := make([]catalogue.Change, len(ids))
	for i, p := range ids {
		changes[i].ID = p
		if n, found := slices.BinarySearchFunc(living, p, func(l product.Product, id product.ID) int { return int(l.ID - id) }); found {
			changes[i].Now = &product.Candidate{Product: living[n], OwnerNames: owners[living[n].Customer].Names()}
		}
	}
	return changes, nil
}

// ownersOf reads the owners of some products.
func ownersOf(u api.Unit, products []product.Product) (map[customer.ID]customer.Customer, error) {
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

func loadIndex(u api.Unit, seq int64) (*catalogue.Index, error) {
	names := map[customer.ID][]string{}
	err := api.ScanAll(u.Site.ID, u.Customers().Scan, func(owner customer.Customer) customer.ID {
		names[owner.ID] = owner.Names()
		return owner.ID
	})
	if err != nil {
		return nil, err
	}
	builder := catalogue.NewBuilder(catalogue.Options{Ignore: u.Site.Unsearchable})
	err = api.ScanAll(u.Site.ID, u.Products().Scan, func(p product.Product) product.ID {
		builder.Add(product.Candidate{Product: p, OwnerNames: names[p.Customer]})
		return p.ID
	})
	if err != nil {
		return nil, err
	}
	return builder.Index(seq), nil
}

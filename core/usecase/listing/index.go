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
	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// siteProducts is what is kept of the products of a site: the search index of all, and the
// rows of those that were drawn lately.
type siteProducts struct {
	*catalogue.Index
	rows *memory.Pieces[product.ID, port.ProductRow]
}

// Left implements memory.Leaver. Nobody would hear of what becomes of the products any more.
func (p *siteProducts) Left() { p.rows.Left() }

// apply applies changes up to an event.
func (p *siteProducts) apply(seq int64, changes []catalogue.Change) {
	p.Apply(seq, changes)
	changed := make([]product.ID, len(changes))
	for i, c := range changes {
		changed[i] = c.ID
	}
	p.rows.Drop(changed...)
}

// keep keeps a row, unless the product has changed since it was read: whoever applied that has
// dropped what was kept before.
func (p *siteProducts) keep(row port.ProductRow) {
	p.rows.Keep(row.ID(), row, row.Bytes())
	if now, living := p.Entry(row.ID()); !living || now.Version > row.Version() {
		p.rows.Drop(row.ID())
	}
}

func replicaOfProducts(k *kernel.Kernel) kernel.ReplicaKind[*siteProducts] {
	load := func(u kernel.Unit, seq int64) (*siteProducts, error) {
		index, err := loadIndex(u, seq)
		return &siteProducts{index, memory.NewPieces[product.ID, port.ProductRow](k.Spare())}, err
	}
	return kernel.ReplicaKind[*siteProducts]{Name: "catalogue", Load: load, Replay: replayIndex, Changes: changesOfIndex, Written: writtenToIndex}
}

// Index returns the search index of the caller's site, as of the head the caller
// was identified with or later.
func (s *Service) Index(ctx context.Context, c kernel.Caller) (*catalogue.Index, error) {
	kept, err := kernel.Present(ctx, s.k, c, s.products)
	if err != nil {
		return nil, err
	}
	return kept.Index, nil
}

func replayIndex(u kernel.Unit, kept *siteProducts, events []event.Event) (func(*siteProducts), error) {
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

func changesOfIndex(ctx context.Context, from port.Changes, c kernel.Caller, after int64, n int) ([]event.Event, func(*siteProducts), error) {
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

func writtenToIndex(kept *siteProducts, w *kernel.Written, _ map[string]bool) (func(*siteProducts), bool) {
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
	return func(kept *siteProducts) { kept.apply(last, changes) }, true
}

// applied applies events that have touched some products, of which those are living.
func applied(events []event.Event, touched map[product.ID]bool, living []product.Product, owners map[customer.ID]customer.Customer) func(*siteProducts) {
	changes := make([]catalogue.Change, 0, len(touched))
	for i, p := range living {
		changes = append(changes, catalogue.Change{ID: p.ID, Now: &product.Candidate{Product: living[i], OwnerNames: owners[p.Customer].Names()}})
		delete(touched, p.ID)
	}
	for gone := range touched {
		changes = append(changes, catalogue.Change{ID: gone})
	}
	return func(kept *siteProducts) { kept.apply(events[len(events)-1].Seq, changes) }
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

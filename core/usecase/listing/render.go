package listing

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

// renders reports whether records with these blocks can be rendered from rows of products: the
// blocks depend only on the product, its site and the catalogue. The owner of a product that is
// not deleted exists, so it need not be read.
func (s *Service) renders(c kernel.Caller, parts product.Parts) bool {
	return s.k.ProductRows != nil && parts&unversionedFor(c) == 0
}

// render calls take with the records of the products at some places of entries and their index
// among the places, one after the other in the same memory. Deleted products are left out. The
// records equal those of hydrate.
func (s *Service) render(ctx context.Context, c kernel.Caller, entries []catalogue.Entry, places []int, parts product.Parts, take func(int, *Product) error) error {
	rows, err := s.rowsOf(ctx, c, entries, places)
	if err != nil {
		return err
	}
	if rows == nil {
		return s.renderInUnit(ctx, c, entries, places, parts, take)
	}
	records := newRecorder(s.k.Basis(c), parts, related{}, false)
	var of product.Row
	for i, row := range rows {
		if row == nil {
			continue
		}
		if err := row.Unpack(parts, &of); err != nil {
			return err
		}
		if !c.Scope.Has(of.Agency) {
			continue
		}
		if err := take(i, records.recordOf(&of, entries[places[i]])); err != nil {
			return err
		}
	}
	return nil
}

// renderInUnit is render in a unit of work, by hydrate.
func (s *Service) renderInUnit(ctx context.Context, c kernel.Caller, entries []catalogue.Entry, places []int, parts product.Parts, take func(int, *Product) error) error {
	built, err := s.hydrate(ctx, c, entries, places, parts, nil)
	for i, record := range built {
		if err == nil && record != nil {
			err = take(i, record)
		}
	}
	return err
}

// rowsOf returns the rows of the products at some places of entries, in one snapshot that is
// not older than the caller's head, nil for a deleted product. It returns no rows if one is
// older than its entry, as after a failover that lost a change.
func (s *Service) rowsOf(ctx context.Context, c kernel.Caller, entries []catalogue.Entry, places []int) ([]port.ProductRow, error) {
	ids, at := make([]product.ID, len(places)), make(map[product.ID]int, len(places))
	for i, place := range places {
		ids[i] = entries[place].ID
		at[ids[i]] = i
	}
	found, err := s.k.ProductRows.ProductRows(ctx, c.Site.ID, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]port.ProductRow, len(places))
	for _, row := range found {
		i := at[row.ID()]
		if row.Version() < entries[places[i]].Version {
			return nil, nil
		}
		rows[i] = row
	}
	return rows, nil
}

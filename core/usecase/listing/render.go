package listing

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

// draws reports whether records with these blocks can be drawn from rows of products: the
// blocks are made of nothing but the product, its site and what the catalogue knows. The
// owner that a record names need not be looked for, since whoever owns a living product is
// not deleted.
func (s *Service) draws(parts product.Parts) bool {
	return s.k.ProductRows != nil && parts&unversioned == 0
}

// draw makes the records of the products at some places of entries, one after the other in
// the same memory, and gives each to take with its index among the places. What is gone is
// left out. It is the same as what hydrate makes.
func (s *Service) draw(ctx context.Context, c kernel.Caller, entries []catalogue.Entry, places []int, parts product.Parts, take func(int, *Product) error) error {
	rows, err := s.rowsOf(ctx, c, entries, places)
	if err != nil {
		return err
	}
	if rows == nil {
		return s.drawInAUnit(ctx, c, entries, places, parts, take)
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

// drawInAUnit is draw by what hydrate makes.
func (s *Service) drawInAUnit(ctx context.Context, c kernel.Caller, entries []catalogue.Entry, places []int, parts product.Parts, take func(int, *Product) error) error {
	built, err := s.hydrate(ctx, c, entries, places, parts, nil)
	for i, record := range built {
		if err == nil && record != nil {
			err = take(i, record)
		}
	}
	return err
}

// rowsOf returns the rows at some places of entries, as of one moment that is not before the
// caller's head. That of a product that is gone is nil. There are none at all where one is older
// than the catalogue knows it, as after a failover that lost something.
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

package memstore

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// ProductRows reads whole products of the store.
func (s *Store) ProductRows() port.ProductRows { return rowReads{s} }

type rowReads struct{ store *Store }

// ProductRows implements port.ProductRows.
func (r rowReads) ProductRows(ctx context.Context, of site.ID, ids []product.ID) (rows []port.ProductRow, err error) {
	err = r.store.View(ctx, func(tx port.Tx) error {
		found, err := tx.Products().Many(of, ids)
		for _, p := range found {
			rows = append(rows, productRow{p})
		}
		return err
	})
	return rows, err
}

// productRow is a product that nobody else has.
type productRow struct{ of product.Product }

// ID implements port.ProductRow.
func (r productRow) ID() product.ID { return r.of.ID }

// Version implements port.ProductRow.
func (r productRow) Version() int64 { return r.of.Version }

// Unpack implements port.ProductRow.
func (r productRow) Unpack(parts product.Parts, to *product.Row) error {
	to.Set(r.of)
	if !parts.Has(product.Rooms) {
		to.Rooms = nil
	}
	if !parts.Has(product.Descriptions) {
		to.Descriptions = slices.Clone(to.Descriptions)
		for i := range to.Descriptions {
			to.Descriptions[i].Text, to.Descriptions[i].ShortText = "", ""
		}
	}
	return nil
}

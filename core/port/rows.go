package port

import (
	"context"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ProductRows reads whole products of a Store outside its units of work. It is for a Store that
// can do this by one read.
type ProductRows interface {
	// ProductRows reads the living products among ids, all as they were at one moment that is
	// not before the call: it sees every unit of work that had committed by then. They
	// come once each, in no order.
	ProductRows(ctx context.Context, of site.ID, ids []product.ID) ([]ProductRow, error)
}

// ProductRow is a product in the form that its Store keeps it in. It never changes.
type ProductRow interface {
	ID() product.ID
	Version() int64
	// Unpack reads the product, with its rooms and the texts of its descriptions only where
	// parts have these. What it writes to may have been used for another row, and shares
	// memory with this one.
	Unpack(parts product.Parts, to *product.Row) error
}

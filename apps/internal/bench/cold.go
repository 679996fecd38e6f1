package main

import (
	"context"
	"math"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// forgetful is a server with a cold cache that reads the row of every product it shows: it
// keeps none.
func (b *bench) forgetful(ctx context.Context, w *world) (*stack, error) {
	const name = "forgetful"
	if s := w.stacks[name]; s != nil {
		return s, nil
	}
	s, err := b.listen(ctx, w, func(p *kernel.Ports) { p.ProductRows = bulkyRows{p.ProductRows} }, strings.Fields(coldCache)...)
	if err == nil {
		w.stacks[name] = s
	}
	return s, err
}

// bulkyRows are rows that say they take more memory than there is.
type bulkyRows struct{ of port.ProductRows }

type bulkyRow struct{ port.ProductRow }

// ProductRows implements port.ProductRows.
func (r bulkyRows) ProductRows(ctx context.Context, of site.ID, ids []product.ID) ([]port.ProductRow, error) {
	found, err := r.of.ProductRows(ctx, of, ids)
	bulky := make([]bulkyRow, len(found))
	for i, row := range found {
		bulky[i].ProductRow = row
		found[i] = &bulky[i]
	}
	return found, err
}

// Bytes implements port.ProductRow.
func (*bulkyRow) Bytes() int { return math.MaxInt32 }

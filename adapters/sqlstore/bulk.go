package sqlstore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

var _ port.BulkProducts = productRole{}

// heldReference is a reference, folded, and who has it.
type heldReference struct {
	key    string
	holder product.ID
}

var heldReferences = mapping[heldReference]{
	table: products.table,
	row:   func(h *heldReference) row { return row{{"reference_key", text(&h.key)}, {"id", whole(&h.holder)}} },
}

// Holders implements port.BulkProducts. The references are parameters each, because the
// planner sees then how few they are.
func (r productRole) Holders(id site.ID, agency site.AgencyID, references []string) (map[string]product.ID, error) {
	holders := make(map[string]product.ID, len(references))
	for chunk := range slices.Chunk(references, batch) {
		keys := make([]string, len(chunk))
		for i, reference := range chunk {
			keys[i] = product.FoldReference(reference)
		}
		condition, args := oneOf("reference_key", keys)
		found, err := list(r.tx, heldReferences, r.tx.store.text(heldReferences.find("site_id = ? AND agency_id = ? AND "+condition)),
			append([]any{int64(id), int64(agency)}, args...)...)
		if err != nil {
			return nil, err
		}
		for _, h := range found {
			holders[h.key] = h.holder
		}
	}
	return holders, r.tx.reading()
}

// GetAll implements port.BulkProducts.
func (r productRole) GetAll(id site.ID, ids []product.ID) ([]product.Product, error) {
	if !r.tx.writes {
		return r.Many(id, ids)
	}
	return list(r.tx, products, r.tx.store.hot.productsHeld, int64(id), r.tx.store.dialect.Numbers(plain(ids)))
}

// AddAll implements port.BulkProducts.
func (r productRole) AddAll(added []product.Product) error {
	if len(added) == 0 {
		return r.tx.writing()
	}
	if ok, err := planRecords(r.tx, r.tx.store.hot.productAdding, products, added...); ok {
		return err
	}
	for chunk := range slices.Chunk(added, batch) {
		rows, err := rowsOf(products, chunk)
		if err != nil {
			return r.tx.fail(fmt.Errorf("writing %s: %w", products.table, err))
		}
		n, err := r.tx.exec(r.tx.store.hot.productsAdd, rows)
		switch {
		case err == nil && n < int64(len(chunk)):
			r.tx.broken = port.ErrReferenceTaken
			return r.tx.broken
		case err != nil && r.tx.store.givesTaken(err):
			r.tx.again = true
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replacingProducts is the statement that replaces several products. They are looked for by
// their ids, which are its last parameter: of rows the planner does not know how many they are.
func replacingProducts(d Dialect) squirrel.Sqlizer {
	names := products.written(new(product.Product)).names()
	return squirrel.Expr("WITH changed (" + strings.Join(names, ", ") + ") AS (" + d.Rows(products.table, names) + ") " +
		"UPDATE product SET " + products.takenFrom("changed") + " FROM changed " +
		"WHERE product.site_id = ? AND product.id " + d.Among + " AND product.deleted_at IS NULL " +
		"AND changed.site_id = product.site_id AND changed.id = product.id")
}

// ReplaceAll implements port.BulkProducts.
func (r productRole) ReplaceAll(changed []product.Product) error {
	if len(changed) == 0 {
		return r.tx.writing()
	}
	for chunk := range slices.Chunk(changed, batch) {
		ids := make([]int64, len(chunk))
		for i, p := range chunk {
			ids[i] = int64(p.ID)
		}
		rows, err := rowsOf(products, chunk)
		if err != nil {
			return r.tx.fail(fmt.Errorf("writing %s: %w", products.table, err))
		}
		n, err := r.tx.exec(r.tx.store.hot.productsChange, rows, int64(chunk[0].Site), r.tx.store.dialect.Numbers(ids))
		switch {
		case err == nil && n < int64(len(chunk)):
			r.tx.broken = fmt.Errorf("one of %d products: %w", len(chunk), fault.NotFound)
			return r.tx.broken
		case err != nil && r.tx.store.dialect.trouble(err) == Duplicate:
			r.tx.broken = port.ErrReferenceTaken
			return r.tx.broken
		case err != nil:
			return err
		}
	}
	return nil
}

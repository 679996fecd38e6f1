package ownrecords_test

import (
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// products is a port.Products.
type products struct{ unit }

// The states of a product as conditions. The purged are among the deleted.
const (
	living    = "deleted_at IS NULL"
	deleted   = "deleted_at IS NOT NULL AND NOT purged"
	notPurged = "NOT purged"
)

const selectProducts = "SELECT document FROM crm_product WHERE site_id = $1 AND "

// Get implements port.Products.
func (r products) Get(id site.ID, p product.ID) (product.Product, error) { return r.one(id, p, living) }

// GetUnlocked implements port.Products. The row is held, as by Get.
func (r products) GetUnlocked(id site.ID, p product.ID) (product.Product, error) { return r.Get(id, p) }

// Deleted implements port.Products.
func (r products) Deleted(id site.ID, p product.ID) (product.Product, error) {
	return r.one(id, p, deleted)
}

func (r products) one(id site.ID, p product.ID, state string) (product.Product, error) {
	found, err := r.list(selectProducts+"id = $2 AND "+state+r.held, id, p)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("product %d: %w", p, fault.NotFound)
	}
	if err != nil {
		return product.Product{}, err
	}
	return found[0], nil
}

// Many implements port.Products.
func (r products) Many(id site.ID, ids []product.ID) ([]product.Product, error) {
	return r.list(selectProducts+living+" AND id IN "+among(ids)+" ORDER BY id", id)
}

// Kept implements port.Products.
func (r products) Kept(id site.ID, ids []product.ID) ([]product.Product, error) {
	return r.list(selectProducts+notPurged+" AND id IN "+among(ids)+" ORDER BY id", id)
}

// Existing implements port.Products.
func (r products) Existing(id site.ID, ids []product.ID) ([]product.ID, error) {
	const query = "SELECT id FROM crm_product WHERE site_id = $1 AND " + living + " AND id IN "
	return column[product.ID](r.unit, query+among(ids)+" ORDER BY id", id)
}

// Scan implements port.Products.
func (r products) Scan(id site.ID, after product.ID, n int) ([]product.Product, error) {
	found, err := r.list(selectProducts+living+" AND id > $2 ORDER BY id LIMIT $3", id, after, max(n, 0))
	for i := range found {
		p := &found[i]
		p.Derived, p.Rooms, p.Descriptions, p.Pictures = product.Derived{}, nil, nil, nil
	}
	return found, err
}

// OwnedBy implements port.Products.
func (r products) OwnedBy(id site.ID, owner customer.ID) ([]product.Product, error) {
	return r.list(selectProducts+living+" AND customer_id = $2 AND customer_id <> 0 ORDER BY id", id, owner)
}

// HasLots implements port.Products.
func (r products) HasLots(id site.ID, parent product.ID) (bool, error) {
	const query = "SELECT id FROM crm_product WHERE site_id = $1 AND " + living + " AND parent_id = $2 AND parent_id <> 0 LIMIT 1"
	found, err := column[product.ID](r.unit, query, id, parent)
	return len(found) > 0, err
}

// Holder implements port.Products.
func (r products) Holder(id site.ID, agency site.AgencyID, reference string) (product.ID, error) {
	const query = "SELECT id FROM crm_product WHERE site_id = $1 AND agency_id = $2 AND reference_key = $3"
	found, err := column[product.ID](r.unit, query, id, agency, product.FoldReference(reference))
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("reference %s: %w", reference, fault.NotFound)
	}
	if err != nil {
		return 0, err
	}
	return found[0], nil
}

const (
	insertProduct = `INSERT INTO crm_product (site_id, id, agency_id, reference_key, customer_id, parent_id, deleted_at, purged, document)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) `
	updateProduct = `UPDATE crm_product SET agency_id = $3, reference_key = $4, customer_id = $5, parent_id = $6, deleted_at = $7,
		purged = $8, document = $9 WHERE site_id = $1 AND id = $2 AND `
)

// Add implements port.Products. After an error of the database the unit could not go
// on, so it is not the database that refuses a reference.
func (r products) Add(p product.Product) error {
	n, err := r.write(insertProduct+"ON CONFLICT (site_id, agency_id, reference_key) DO NOTHING", p, false)
	if err == nil && n == 0 {
		return port.ErrReferenceTaken
	}
	return err
}

// Replace implements port.Products. Its statement leaves the ids alone, so what is
// taken is the reference.
func (r products) Replace(p product.Product) error {
	err := r.change(p, living)
	if r.statements.Taken(err) {
		return r.statements.Fail(port.ErrReferenceTaken)
	}
	return err
}

// Restore implements port.Products.
func (r products) Restore(p product.Product) error { return r.change(p, deleted) }

// change stores a new state of a product that is in some state.
func (r products) change(p product.Product, state string) error {
	n, err := r.write(updateProduct+state, p, false)
	if err == nil && n == 0 {
		return fmt.Errorf("product %d: %w", p.ID, fault.NotFound)
	}
	return err
}

// Purge implements port.Products. What is held is not restored meanwhile.
func (r products) Purge(before time.Time, n int) (int, error) {
	if err := r.writing(); err != nil {
		return 0, err
	}
	const due = "SELECT document FROM crm_product WHERE deleted_at < $1 AND " + deleted + " ORDER BY deleted_at, site_id, id LIMIT $2"
	found, err := r.list(due+r.held, before.UnixMicro(), max(n, 0))
	if err != nil {
		return 0, err
	}
	for _, p := range found {
		left := product.Product{Site: p.Site, ID: p.ID, Agency: p.Agency, Reference: p.Reference, Deleted: p.Deleted}
		if _, err := r.write(updateProduct+deleted, left, true); err != nil {
			return 0, err
		}
		// The actions are kept by sqlstore, which does not know what was purged here.
		if err := r.Actions().ForgetAbout(p.Site, customer.AimedAtProduct, []int64{int64(p.ID)}); err != nil {
			return 0, err
		}
	}
	return len(found), nil
}

// write runs a statement with the columns of a product.
func (r products) write(statement string, p product.Product, purged bool) (int64, error) {
	text, err := document(documentOf(p))
	if err != nil {
		return 0, fmt.Errorf("product %d: %w", p.ID, err)
	}
	var gone *int64
	if !p.Deleted.IsZero() {
		at := p.Deleted.UnixMicro()
		gone = &at
	}
	// A key is folded here, so that no database's idea of case and accents matters.
	key := product.FoldReference(p.Reference)
	return r.statements.Exec(statement, p.Site, p.ID, p.Agency, key, p.Customer, p.Parent, gone, purged, text)
}

// list runs a query for the documents of products.
func (r products) list(query string, args ...any) ([]product.Product, error) {
	read, err := documents[productDocument](r.unit, query, args...)
	var found []product.Product
	for _, d := range read {
		found = append(found, d.product())
	}
	return found, err
}

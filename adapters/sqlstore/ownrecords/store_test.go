// Package ownrecords_test is an example: a CRM that keeps its products and customers
// in tables of its own, and has the rest from sqlstore, in the same transactions.
package ownrecords_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore/ownrecords"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// tables are the CRM's, in the database of the store. A record is a JSON document,
// beside columns for what it is asked by. Texts are compared by their bytes.
var tables = []string{
	`CREATE TABLE crm_product (
		site_id       BIGINT  NOT NULL,
		id            BIGINT  NOT NULL,
		agency_id     BIGINT  NOT NULL,
		reference_key TEXT    NOT NULL,
		customer_id   BIGINT  NOT NULL,
		parent_id     BIGINT  NOT NULL,
		deleted_at    BIGINT,
		purged        BOOLEAN NOT NULL,
		document      TEXT    NOT NULL,
		PRIMARY KEY (site_id, id),
		UNIQUE (site_id, agency_id, reference_key)
	)`,
	"CREATE INDEX crm_product_owner ON crm_product (site_id, customer_id)",
	"CREATE INDEX crm_product_lot ON crm_product (site_id, parent_id)",
	"CREATE INDEX crm_product_deleted ON crm_product (deleted_at)",
	`CREATE TABLE crm_customer (
		site_id   BIGINT NOT NULL,
		id        BIGINT NOT NULL,
		agency_id BIGINT NOT NULL,
		document  TEXT   NOT NULL,
		PRIMARY KEY (site_id, id)
	)`,
}

// unit has the roles of sqlstore, but for what the CRM keeps.
type unit struct{ ownrecords.Unit }

func (u unit) Products() port.Products { return products(u) }

func (u unit) Customers() port.Customers { return customers(u) }

// storeOf returns the port.Store of the CRM. Its tables are a migration of its own.
func storeOf(ctx context.Context, s *sqlstore.Store) (*ownrecords.Store, error) {
	own := ownrecords.New(s, func(u ownrecords.Unit) port.Roles { return unit{u} }, "crm_product", "crm_customer")
	return own, own.Update(ctx, func(tx port.Tx) (err error) {
		for _, table := range tables {
			if err == nil {
				_, err = tx.Roles.(unit).Exec(table)
			}
		}
		return err
	})
}

// products is a port.Products.
type products struct{ ownrecords.Unit }

const (
	// living and deleted are states of a product. The purged are neither.
	living         = "deleted_at IS NULL"
	deleted        = "deleted_at IS NOT NULL AND NOT purged"
	selectProducts = "SELECT document FROM crm_product WHERE site_id = $1 AND "
	insertProduct  = `INSERT INTO crm_product (site_id, id, agency_id, reference_key, customer_id, parent_id, deleted_at, purged, document)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) `
	updateProduct = `UPDATE crm_product SET agency_id = $3, reference_key = $4, customer_id = $5, parent_id = $6, deleted_at = $7,
		purged = $8, document = $9 WHERE site_id = $1 AND id = $2 AND `
)

func (r products) Get(id site.ID, p product.ID) (product.Product, error) { return r.one(id, p, living) }

// GetUnlocked holds the row, as Get does.
func (r products) GetUnlocked(id site.ID, p product.ID) (product.Product, error) { return r.Get(id, p) }

func (r products) Deleted(id site.ID, p product.ID) (product.Product, error) {
	return r.one(id, p, deleted)
}

func (r products) one(id site.ID, p product.ID, state string) (product.Product, error) {
	return ownrecords.First(r.list(selectProducts+"id = $2 AND "+state+r.Held(), id, p))
}

func (r products) Many(id site.ID, ids []product.ID) ([]product.Product, error) {
	return r.list(selectProducts+living+" AND id IN "+ownrecords.Among(ids)+" ORDER BY id", id)
}

func (r products) Kept(id site.ID, ids []product.ID) ([]product.Product, error) {
	return r.list(selectProducts+"NOT purged AND id IN "+ownrecords.Among(ids)+" ORDER BY id", id)
}

func (r products) Existing(id site.ID, ids []product.ID) ([]product.ID, error) {
	const query = "SELECT id FROM crm_product WHERE site_id = $1 AND " + living + " AND id IN "
	return ownrecords.Column[product.ID](r.Unit, query+ownrecords.Among(ids)+" ORDER BY id", id)
}

func (r products) Scan(id site.ID, after product.ID, n int) ([]product.Product, error) {
	found, err := r.list(selectProducts+living+" AND id > $2 ORDER BY id LIMIT $3", id, after, max(n, 0))
	for i := range found {
		p := &found[i]
		p.Derived, p.Rooms, p.Descriptions, p.Pictures = product.Derived{}, nil, nil, nil
	}
	return found, err
}

func (r products) OwnedBy(id site.ID, owner customer.ID) ([]product.Product, error) {
	return r.list(selectProducts+living+" AND customer_id = $2 AND customer_id <> 0 ORDER BY id", id, owner)
}

func (r products) HasLots(id site.ID, parent product.ID) (bool, error) {
	const query = "SELECT id FROM crm_product WHERE site_id = $1 AND " + living + " AND parent_id = $2 AND parent_id <> 0 LIMIT 1"
	found, err := ownrecords.Column[product.ID](r.Unit, query, id, parent)
	return len(found) > 0, err
}

func (r products) Holder(id site.ID, agency site.AgencyID, reference string) (product.ID, error) {
	const query = "SELECT id FROM crm_product WHERE site_id = $1 AND agency_id = $2 AND reference_key = $3"
	return ownrecords.First(ownrecords.Column[product.ID](r.Unit, query, id, agency, product.FoldReference(reference)))
}

// Add inserts a product. It is not the database that refuses a reference: after an error of the
// database the unit could not go on.
func (r products) Add(p product.Product) error {
	err := r.write(insertProduct+"ON CONFLICT (site_id, agency_id, reference_key) DO NOTHING", p, false)
	if errors.Is(err, fault.NotFound) {
		return port.ErrReferenceTaken
	}
	return err
}

// Replace changes a product, but for its ids, so what can be taken is the reference.
func (r products) Replace(p product.Product) error {
	err := r.write(updateProduct+living, p, false)
	if r.Taken(err) {
		return r.Fail(port.ErrReferenceTaken)
	}
	return err
}

func (r products) Restore(p product.Product) error { return r.write(updateProduct+deleted, p, false) }

// Purge leaves the keys of products. It holds them, so that none is restored meanwhile.
func (r products) Purge(before time.Time, n int) (int, error) {
	const due = "SELECT document FROM crm_product WHERE deleted_at < $1 AND " + deleted + " ORDER BY deleted_at, site_id, id LIMIT $2"
	found, err := r.list(due+r.Held(), before.UnixMicro(), max(n, 0))
	if err = cmp.Or(r.Writing(), err); err != nil {
		return 0, err
	}
	for _, p := range found {
		left := product.Product{Site: p.Site, ID: p.ID, Agency: p.Agency, Reference: p.Reference, Deleted: p.Deleted}
		if err := r.write(updateProduct+deleted, left, true); err != nil {
			return 0, err
		}
		// The actions are kept by sqlstore, which does not know what was purged here.
		if err := r.Actions().ForgetAbout(p.Site, customer.AimedAtProduct, []int64{int64(p.ID)}); err != nil {
			return 0, err
		}
	}
	return len(found), nil
}

// write runs a statement with the columns of a product, which must write a row. A key is
// folded here, so that no database's idea of case and accents matters.
func (r products) write(statement string, p product.Product, purged bool) error {
	document, err := ownrecords.Document(p)
	if err != nil {
		return err
	}
	var gone *int64
	if !p.Deleted.IsZero() {
		at := p.Deleted.UnixMicro()
		gone = &at
	}
	return r.Change(statement, p.Site, p.ID, p.Agency, product.FoldReference(p.Reference), p.Customer, p.Parent, gone, purged, document)
}

// list runs a query for the documents of products.
func (r products) list(query string, args ...any) ([]product.Product, error) {
	return ownrecords.Records[product.Product](r.Unit, query, args...)
}

// customers is a port.Customers.
type customers struct{ ownrecords.Unit }

const selectCustomers = "SELECT document FROM crm_customer WHERE site_id = $1 "

func (r customers) list(query string, args ...any) ([]customer.Customer, error) {
	return ownrecords.Records[customer.Customer](r.Unit, query, args...)
}

func (r customers) Get(id site.ID, c customer.ID) (customer.Customer, error) {
	return ownrecords.First(r.list(selectCustomers+"AND id = $2"+r.Held(), id, c))
}

// GetUnlocked holds the row, as Get does.
func (r customers) GetUnlocked(id site.ID, c customer.ID) (customer.Customer, error) {
	return r.Get(id, c)
}

func (r customers) Many(id site.ID, ids []customer.ID) ([]customer.Customer, error) {
	return r.list(selectCustomers+"AND id IN "+ownrecords.Among(ids)+" ORDER BY id", id)
}

func (r customers) Existing(id site.ID, ids []customer.ID) ([]customer.ID, error) {
	return ownrecords.Column[customer.ID](r.Unit, "SELECT id FROM crm_customer WHERE site_id = $1 AND id IN "+ownrecords.Among(ids)+" ORDER BY id", id)
}

func (r customers) Scan(id site.ID, after customer.ID, n int) ([]customer.Customer, error) {
	found, err := r.list(selectCustomers+"AND id > $2 ORDER BY id LIMIT $3", id, after, max(n, 0))
	for i := range found {
		found[i].Profile = customer.Profile{}
	}
	return found, err
}

// Find asks the specification about each customer of the agencies, which is good for some
// thousands. With more, give columns to what your searches are about.
func (r customers) Find(q port.CustomerQuery) ([]customer.Customer, error) {
	found, err := r.list(selectCustomers+"AND id > $2 AND agency_id IN "+ownrecords.Among(q.Filter.Agencies), q.Site, q.After)
	found = slices.DeleteFunc(found, func(c customer.Customer) bool { return !q.Filter.Matches(c) })
	slices.SortFunc(found, q.Order.Compare)
	found = found[min(max(q.Skip, 0), len(found)):]
	return found[:min(max(q.Limit, 0), len(found))], err
}

// Mentioning looks at every customer of a site: it is asked only when somebody is anonymised.
func (r customers) Mentioning(id site.ID, mentioned customer.ID) ([]customer.Customer, error) {
	found, err := r.list(selectCustomers+"ORDER BY id", id)
	return slices.DeleteFunc(found, func(c customer.Customer) bool { return !c.Mentions(mentioned) }), err
}

func (r customers) Put(c customer.Customer) error {
	document, err := ownrecords.Document(c)
	if err != nil {
		return err
	}
	const upsert = `INSERT INTO crm_customer (site_id, id, agency_id, document) VALUES ($1, $2, $3, $4)
		ON CONFLICT (site_id, id) DO UPDATE SET agency_id = excluded.agency_id, document = excluded.document`
	return r.Change(upsert, c.Site, c.ID, c.Agency, document)
}

func (r customers) Delete(id site.ID, c customer.ID) error {
	return r.Change("DELETE FROM crm_customer WHERE site_id = $1 AND id = $2", id, c)
}

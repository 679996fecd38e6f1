// Package ownrecords lets a CRM keep its products and customers in tables of its own, and have
// the rest from sqlstore, in the same transactions. A CRM says which of its columns hold what;
// the package makes the statements. Its store_test.go is a whole example, and
// docs/embedding/first-hour.md begins with an empty folder.
package ownrecords

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Tables are those of a CRM. The records of one that is nil are kept by sqlstore. Each has some
// columns for this package: ids are numbers, as is deleted_at; reference_key and document are
// texts. In rows that the CRM inserts they may be NULL, but for site_id, id and agency_id.
type Tables struct {
	// Products has the columns site_id, id, agency_id, customer_id, parent_id, reference_key,
	// deleted_at and document, and a unique key of site_id, agency_id and reference_key.
	Products *Table[product.Product]
	// Customers has the columns site_id, id, agency_id and document, and a unique key of
	// site_id and id. A search reads all customers of the agencies, which is good for some
	// thousands.
	Customers *Table[customer.Customer]
}

// Store is a sqlstore.Store that has products or customers in tables of a CRM.
type Store struct {
	*sqlstore.Store
	tables Tables
}

// New returns the store of a CRM whose tables are in the database of s, or says what is missing
// there. It fails if s was opened without sqlstore.Sealed, or with other keys than before. Ids that
// are in the tables already are not given to new records. Call s.Migrate before.
func New(ctx context.Context, s *sqlstore.Store, tables Tables) (*Store, error) {
	if pending, err := s.Pending(ctx); err != nil || pending {
		return nil, cmp.Or(err, errors.New("the database lacks tables of Vitrine: call Migrate of the sqlstore.Store before"))
	}
	if _, err := s.EnsureSealed(ctx, "keyring", "is that of ownrecords"); err != nil {
		return nil, err
	}
	own := &Store{s, Tables{tables.Products.with(productColumns()), tables.Customers.with(customerColumns())}}
	return own, own.Update(ctx, func(tx port.Tx) error {
		u := tx.Roles.(unit)
		if err := u.products().check(port.ProductIDs); err != nil {
			return err
		}
		return u.customers().check(port.CustomerIDs)
	})
}

// CheckAgencies returns an error for rows of the CRM whose agency their site does not have: no client
// finds or reads them. Call it once the sites are provisioned.
func (s *Store) CheckAgencies(ctx context.Context) error {
	return s.View(ctx, func(tx port.Tx) error {
		u, wrong := tx.Roles.(unit), []error{}
		if s.tables.Products != nil {
			wrong = append(wrong, u.checkAgencies(tx, s.tables.Products.Name))
		}
		if s.tables.Customers != nil {
			wrong = append(wrong, u.checkAgencies(tx, s.tables.Customers.Name))
		}
		return errors.Join(wrong...)
	})
}

// checkAgencies is CheckAgencies for a table. The error names the first agency.
func (u unit) checkAgencies(tx port.Tx, table string) error {
	type rows struct {
		site   site.ID
		agency site.AgencyID
		n      int
	}
	var all []rows
	err := u.each("SELECT site_id, agency_id, COUNT(*) FROM "+table+" GROUP BY site_id, agency_id ORDER BY site_id, agency_id", nil, func(scan func(...any) error) error {
		var r rows
		err := scan(&r.site, &r.agency, &r.n)
		all = append(all, r)
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range all {
		agency, err := tx.Agencies().ByID(r.agency)
		if err != nil && !errors.Is(err, fault.NotFound) {
			return err
		}
		if err != nil || agency.Site != r.site {
			return fmt.Errorf("nobody finds %d rows of the table %q: they are of agency %d, which site %d does not have", r.n, table, r.agency, r.site)
		}
	}
	return nil
}

// View implements port.Store.
func (s *Store) View(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.View(ctx, s.inUnit(fn))
}

// Update implements port.Store.
func (s *Store) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, s.inUnit(fn))
}

func (s *Store) inUnit(fn func(port.Tx) error) func(port.Tx) error {
	return func(tx port.Tx) error {
		statements, err := sqlstore.StatementsOf(tx)
		if err != nil {
			return err
		}
		return fn(port.Tx{Roles: unit{tx.Roles, statements, s.tables}})
	}
}

// unit is a unit of work of sqlstore, with the tables of the CRM in its transaction.
type unit struct {
	port.Roles
	sqlstore.Statements
	tables Tables
}

// Unwrap returns the roles of sqlstore, for sqlstore.StatementsOf.
func (u unit) Unwrap() port.Roles { return u.Roles }

// Products implements port.Roles.
func (u unit) Products() port.Products {
	if u.tables.Products == nil {
		return u.Roles.Products()
	}
	return u.products()
}

// Customers implements port.Roles.
func (u unit) Customers() port.Customers {
	if u.tables.Customers == nil {
		return u.Roles.Customers()
	}
	return u.customers()
}

// Sites implements port.Roles.
func (u unit) Sites() port.Sites { return sites{u.Roles.Sites(), u} }

// sites are those of sqlstore, which knows nothing of the records of the CRM.
type sites struct {
	port.Sites
	unit unit
}

// PurgeMoved implements port.Sites. The records of the CRM go first: sqlstore knows of a site until
// nothing is left of it.
func (s sites) PurgeMoved(before time.Time, n int) (gone int, err error) {
	for _, purge := range []func(func(site.ID) (bool, error), int) (int, error){s.unit.products().purgeMoved, s.unit.customers().purgeMoved} {
		removed, err := purge(func(id site.ID) (bool, error) {
			move, err := s.Move(id)
			return move.State == site.Moved && move.Until.Before(before), err
		}, n-gone)
		if gone += removed; err != nil {
			return gone, err
		}
	}
	if gone >= n {
		return gone, nil
	}
	more, err := s.Sites.PurgeMoved(before, n-gone)
	return gone + more, err
}

// values returns the values of the only column that a query answers with.
func values[T any](u unit, query string, args ...any) (found []T, err error) {
	err = u.each(query, args, func(scan func(...any) error) error {
		var value T
		err := scan(&value)
		found = append(found, value)
		return err
	})
	return found, err
}

// each calls fn for every row of a query, with what reads the row.
func (u unit) each(query string, args []any, fn func(scan func(...any) error) error) error {
	rows, err := u.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			return u.Fail(err)
		}
	}
	if err := rows.Err(); err != nil {
		return u.Fail(err)
	}
	return nil
}

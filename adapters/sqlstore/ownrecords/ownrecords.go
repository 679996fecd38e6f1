// Package ownrecords lets a CRM keep some records in tables of its own, and have the rest
// from sqlstore, in the same transactions. The tests of this package are a whole example: a
// CRM that keeps its products and its customers.
package ownrecords

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Store is a sqlstore.Store some roles of which are those of a CRM.
type Store struct {
	*sqlstore.Store
	roles  func(Unit) port.Roles
	tables []string
}

// New returns the store of a CRM. roles returns the roles of a unit of work: those of the
// CRM, and for the rest those of the Unit it is given. tables are those of the CRM; they have
// the columns site_id and id. What they keep of a site that has moved away is purged.
func New(s *sqlstore.Store, roles func(Unit) port.Roles, tables ...string) *Store {
	return &Store{s, roles, tables}
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
		return fn(port.Tx{Roles: s.roles(Unit{tx.Roles, statements, s.tables})})
	}
}

// Unit is a unit of work of sqlstore, with the statements of the CRM in its transaction.
type Unit struct {
	port.Roles
	sqlstore.Statements
	tables []string
}

// Unwrap returns the roles of sqlstore, for sqlstore.StatementsOf.
func (u Unit) Unwrap() port.Roles { return u.Roles }

// Change runs a statement that writes one row, and returns fault.NotFound if it wrote none.
func (u Unit) Change(statement string, args ...any) error {
	n, err := u.Exec(statement, args...)
	if err == nil && n == 0 {
		return fault.NotFound
	}
	return err
}

// Sites implements port.Roles.
func (u Unit) Sites() port.Sites { return sites{u.Roles.Sites(), u} }

// sites are those of sqlstore, which knows nothing of the records of the CRM.
type sites struct {
	port.Sites
	unit Unit
}

// PurgeMoved implements port.Sites. The records of the CRM go first: sqlstore knows of a site until
// nothing is left of it.
func (s sites) PurgeMoved(before time.Time, n int) (gone int, err error) {
	for _, table := range s.unit.tables {
		sites, err := Column[site.ID](s.unit, "SELECT DISTINCT site_id FROM "+table+" ORDER BY site_id")
		if err != nil {
			return gone, err
		}
		for _, id := range sites {
			move, err := s.Move(id)
			if err != nil {
				return gone, err
			}
			if move.State != site.Moved || !move.Until.Before(before) {
				continue
			}
			removed, err := s.unit.Exec("DELETE FROM "+table+" WHERE site_id = $1 AND id IN "+
				"(SELECT id FROM "+table+" WHERE site_id = $1 ORDER BY id LIMIT $2)", id, max(n-gone, 0))
			if gone += int(removed); err != nil {
				return gone, err
			}
		}
	}
	if gone >= n {
		return gone, nil
	}
	more, err := s.Sites.PurgeMoved(before, n-gone)
	return gone + more, err
}

// Column returns the values of the only column that a query answers with.
func Column[T any](u Unit, query string, args ...any) ([]T, error) {
	rows, err := u.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []T
	for rows.Next() {
		var value T
		if err := rows.Scan(&value); err != nil {
			return nil, u.Fail(err)
		}
		found = append(found, value)
	}
	if err := rows.Err(); err != nil {
		return nil, u.Fail(err)
	}
	return found, nil
}

// Records returns the records whose documents are in the only column that a query answers with.
func Records[T any](u Unit, query string, args ...any) ([]T, error) {
	documents, err := Column[string](u, query, args...)
	if err != nil {
		return nil, err
	}
	found := make([]T, len(documents))
	for i, document := range documents {
		if err := read(document, &found[i]); err != nil {
			return nil, fmt.Errorf("reading a %T: %w", found[i], err)
		}
	}
	return found, nil
}

// First returns the first of what Records or Column returned, and fault.NotFound if there is
// none.
func First[T any](found []T, err error) (T, error) {
	if err == nil && len(found) > 0 {
		return found[0], nil
	}
	var none T
	if err == nil {
		err = fault.NotFound
	}
	return none, err
}

// Document returns a record as JSON, for a column of text. A record that would come back
// altered, as text does that is not UTF-8, is refused.
func Document[T any](record T) (string, error) {
	document, err := write(record)
	if err != nil {
		return "", err
	}
	var back T
	if err := read(document, &back); err != nil {
		return "", err
	}
	if !reflect.DeepEqual(record, back) {
		return "", fmt.Errorf("a %T is not storable", record) // without its text, which may be about people
	}
	return document, nil
}

// storedProduct is a product with its criteria as sqlstore stores them, from which their types
// can be told. They hide those of the product.
type storedProduct struct {
	product.Product
	Criteria json.RawMessage
}

func write(record any) (string, error) {
	if p, is := record.(product.Product); is {
		stored := storedProduct{Product: p}
		if p.Criteria != nil {
			var err error
			if stored.Criteria, err = sqlstore.CriteriaText(p.Criteria); err != nil {
				return "", err
			}
		}
		record = stored
	}
	document, err := json.Marshal(record)
	return string(document), err
}

func read(document string, record any) error {
	p, is := record.(*product.Product)
	if !is {
		return json.Unmarshal([]byte(document), record)
	}
	var stored storedProduct
	if err := json.Unmarshal([]byte(document), &stored); err != nil {
		return err
	}
	*p = stored.Product
	var err error
	if text := string(stored.Criteria); text != "null" {
		p.Criteria, err = sqlstore.ParseCriteria(text)
	}
	return err
}

// Among returns a list of ids for IN. It begins with NULL, as a list cannot be empty.
func Among[ID ~int64](ids []ID) string {
	var list strings.Builder
	list.WriteString("(NULL")
	for _, id := range ids {
		list.WriteString(", " + strconv.FormatInt(int64(id), 10))
	}
	return list.String() + ")"
}

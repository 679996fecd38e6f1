// Package ownrecords_test is an example: a CRM that keeps its products and customers
// in tables of its own, and has the rest from sqlstore, in the same transactions.
package ownrecords_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
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

// store is the port.Store of the CRM. What it does not say itself, sqlstore does.
type store struct {
	*sqlstore.Store
	// held is the suffix of a query whose row is held until the unit ends: FOR UPDATE
	// on PostgreSQL, nothing on SQLite, where units that write take turns.
	held string
}

// createTables is a migration of the CRM's own.
func (s store) createTables(ctx context.Context) error {
	return s.Store.Update(ctx, func(tx port.Tx) error {
		statements, err := sqlstore.StatementsOf(tx)
		for _, statement := range tables {
			if err == nil {
				_, err = statements.Exec(statement)
			}
		}
		return err
	})
}

// View implements port.Store. Nothing is held in a view: it cannot write.
func (s store) View(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.View(ctx, inUnit(fn, unit{}))
}

// Update implements port.Store.
func (s store) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.Store.Update(ctx, inUnit(fn, unit{held: s.held, writes: true}))
}

// inUnit has a function see the CRM's records in a unit of work of sqlstore.
func inUnit(fn func(port.Tx) error, u unit) func(port.Tx) error {
	return func(tx port.Tx) (err error) {
		u.Roles = tx.Roles
		if u.statements, err = sqlstore.StatementsOf(tx); err != nil {
			return err
		}
		return fn(port.Tx{Roles: u})
	}
}

// unit is the roles of sqlstore, but for what the CRM keeps.
type unit struct {
	port.Roles
	statements sqlstore.Statements
	held       string
	writes     bool
}

// Unwrap lets sqlstore.StatementsOf find its unit in this one.
func (u unit) Unwrap() port.Roles { return u.Roles }

// Products implements port.Roles.
func (u unit) Products() port.Products { return products{u} }

// Customers implements port.Roles.
func (u unit) Customers() port.Customers { return customers{u} }

// Moves implements port.Roles.
func (u unit) Moves() port.Moves { return moves{u.Roles.Moves(), u} }

// moves are those of sqlstore, which knows nothing of the CRM's records.
type moves struct {
	port.Moves
	of unit
}

// Purge implements port.Moves. The CRM's records go first: it is sqlstore that knows of a
// site until nothing is left.
func (m moves) Purge(before time.Time, n int) (gone int, err error) {
	for _, table := range []string{"crm_product", "crm_customer"} {
		sites, err := column[site.ID](m.of, "SELECT DISTINCT site_id FROM "+table+" ORDER BY site_id")
		if err != nil {
			return gone, err
		}
		for _, id := range sites {
			move, err := m.Get(id)
			if err != nil {
				return gone, err
			}
			if move.State != site.Moved || !move.Until.Before(before) {
				continue
			}
			removed, err := m.of.statements.Exec("DELETE FROM "+table+" WHERE site_id = $1 AND id IN "+
				"(SELECT id FROM "+table+" WHERE site_id = $1 ORDER BY id LIMIT $2)", id, max(n-gone, 0))
			if gone += int(removed); err != nil {
				return gone, err
			}
		}
	}
	if gone >= n {
		return gone, nil
	}
	more, err := m.Moves.Purge(before, n-gone)
	return gone + more, err
}

// writing says why nothing can be written. Exec says it by itself; this is for what
// may write without having anything to write.
func (u unit) writing() error {
	if !u.writes {
		return errors.New("a view cannot write")
	}
	return nil
}

// column reads the only column that a query answers with.
func column[T any](u unit, query string, args ...any) ([]T, error) {
	rows, err := u.statements.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []T
	for rows.Next() {
		var value T
		if err := rows.Scan(&value); err != nil {
			return nil, u.statements.Fail(err)
		}
		found = append(found, value)
	}
	if err := rows.Err(); err != nil {
		return nil, u.statements.Fail(err)
	}
	return found, nil
}

// documents reads records: the query answers with their documents.
func documents[T any](u unit, query string, args ...any) ([]T, error) {
	texts, err := column[string](u, query, args...)
	if err != nil {
		return nil, err
	}
	found := make([]T, len(texts))
	for i, text := range texts {
		if err := json.Unmarshal([]byte(text), &found[i]); err != nil {
			return nil, fmt.Errorf("reading a %T: %w", found[i], err)
		}
	}
	return found, nil
}

// document is how a record is stored. What would not come back as it is, such as text
// that is not UTF-8, which JSON alters silently, is refused.
func document[T any](record T) (string, error) {
	text, err := json.Marshal(record)
	if err != nil {
		return "", err
	}
	var back T
	if err := json.Unmarshal(text, &back); err != nil {
		return "", err
	}
	if !reflect.DeepEqual(record, back) {
		return "", fmt.Errorf("a %T is not storable", record) // without its text, which may be about people
	}
	return string(text), nil
}

// among is a list of numbers for IN. The first is no number, as a list cannot be empty.
func among[ID ~int64](ids []ID) string {
	var list strings.Builder
	list.WriteString("(NULL")
	for _, id := range ids {
		list.WriteString(", " + strconv.FormatInt(int64(id), 10))
	}
	return list.String() + ")"
}

package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Changes reads what has changed at the sites of the store, with one statement each time. It
// is for those whose products, customers and search requests are in the tables of the store.
func (s *Store) Changes() port.Changes { return changeReads{s} }

type changeReads struct{ store *Store }

// change is one row of an answer: an event, or a record with its owner.
type change[T any] struct {
	event  event.Event
	record T
	owner  customer.Customer
}

func productChange(c *change[product.Product]) row {
	return slices.Concat(events.row(&c.event), narrowProducts.row(&c.record), narrowCustomers.row(&c.owner))
}

var searchRequests = recordsOf(port.KindFor[demand.SearchRequest](), Keyring{})

func searchChange(c *change[any]) row {
	return append(events.row(&c.event), searchRequests.row(&c.record)...)
}

// Products implements port.Changes.
func (r changeReads) Products(ctx context.Context, id site.ID, after int64, n int) (found port.ProductChanges, err error) {
	touched, owners := map[product.ID]product.Product{}, map[customer.ID]customer.Customer{}
	args := []any{int64(id), after, max(n, 0), int64(id), int64(id)}
	err = readChanges(ctx, r.store, r.store.hot.productChanges, args, productChange, func(c change[product.Product]) {
		switch {
		case c.event.Seq != 0:
			found.Events = append(found.Events, c.event)
			return
		case c.owner.ID != 0:
			owners[c.owner.ID] = c.owner
		}
		touched[c.record.ID] = c.record
	})
	inOrder(found.Events)
	found.Products, found.Owners = sorted(touched), sorted(owners)
	return found, err
}

// SearchRequests implements port.Changes.
func (r changeReads) SearchRequests(ctx context.Context, id site.ID, after int64, n int) (found port.SearchChanges, err error) {
	touched := map[demand.SearchID]demand.SearchRequest{}
	args := []any{int64(id), after, max(n, 0), int64(id)}
	err = readChanges(ctx, r.store, r.store.hot.searchChanges, args, searchChange, func(c change[any]) {
		if c.event.Seq != 0 {
			found.Events = append(found.Events, c.event)
		} else {
			request := c.record.(*demand.SearchRequest)
			touched[request.ID] = *request
		}
	})
	inOrder(found.Events)
	found.Requests = sorted(touched)
	return found, err
}

func inOrder(happened []event.Event) {
	slices.SortFunc(happened, func(a, b event.Event) int { return cmp.Compare(a.Seq, b.Seq) })
}

// sorted are records by id.
func sorted[ID ~int64, T any](records map[ID]T) []T {
	out := make([]T, 0, len(records))
	for _, id := range slices.Sorted(maps.Keys(records)) {
		out = append(out, records[id])
	}
	return out
}

// readChanges runs a statement of changes. take is told each row.
func readChanges[T any](ctx context.Context, s *Store, statement string, args []any, mapped func(*change[T]) row, take func(change[T])) error {
	return s.readOnce(ctx, statement, args, func(rows *sql.Rows) error {
		var c, blank change[T]
		targets := mapped(&c).targets()
		for i := range targets {
			targets[i] = &optional{targets[i]}
		}
		for rows.Next() {
			c = blank
			if err := rows.Scan(targets...); err != nil {
				return err
			}
			take(c)
		}
		return nil
	})
}

// optional is a column that not every row has.
type optional struct{ target any }

// Scan implements sql.Scanner. What is not there stays as it is.
func (o *optional) Scan(src any) error {
	if src == nil {
		return nil
	}
	switch target := o.target.(type) {
	case *bool:
		var is sql.NullBool
		err := is.Scan(src)
		*target = is.Bool
		return err
	case sql.Scanner:
		return target.Scan(src)
	}
	return errors.New("a column of this kind is not read where it may be missing")
}

// productChanges reads events, the products they are about and those of the customers they
// are about, each with its owner. Its parameters are the site, the event before, how many
// events, and the site twice.
func productChanges(d Dialect) squirrel.Sqlizer {
	from := "product LEFT JOIN customer ON customer.site_id = product.site_id AND customer.id = product.customer_id"
	columns := append(of(narrowProducts), of(narrowCustomers)...)
	return changesOf(columns,
		part(from, "product.site_id = ? AND product.deleted_at IS NULL AND product.id "+d.AmongThose(touched(event.ProductUpdate))),
		part(from, "product.site_id = ? AND product.customer_id <> 0 AND product.deleted_at IS NULL AND product.customer_id "+
			d.AmongThose(touched(event.CustomerUpdate))))
}

// searchChanges reads events and the search requests they are about. Its parameters are the
// site, the event before, how many events, and the site.
func searchChanges(d Dialect) squirrel.Sqlizer {
	return changesOf(of(searchRequests), part(searchRequests.table, "site_id = ? AND id "+d.AmongThose(touched(event.SearchUpdate))))
}

// of are the columns of a table, with its name.
func of[T any](m mapping[T]) []string {
	names := m.row(new(T)).names()
	for i, name := range names {
		names[i] = m.table + "." + name
	}
	return names
}

// touched is a query for the resources that the events are about, of the kind that a type is
// about.
func touched(like event.Type) string {
	var types []string
	for _, t := range event.Types() {
		if t.Resource() == like.Resource() {
			types = append(types, "'"+string(t)+"'")
		}
	}
	return "SELECT resource_id FROM happened WHERE type IN (" + strings.Join(types, ", ") + ")"
}

func part(from, condition string) string { return " FROM " + from + " WHERE " + condition }

// changesOf puts events and parts with some columns into one answer. An event has no
// records, and a record no event.
func changesOf(columns []string, parts ...string) squirrel.Sqlizer {
	names := events.row(new(event.Event)).names()
	blank := func(n int) []string { return slices.Repeat([]string{"NULL"}, n) }
	list := func(names ...[]string) string { return strings.Join(slices.Concat(names...), ", ") }
	text := "WITH happened AS MATERIALIZED (SELECT " + list(names) + " FROM " + events.table +
		" WHERE site_id = ? AND seq > ? ORDER BY seq LIMIT ?) SELECT " + list(names, blank(len(columns))) + " FROM happened"
	for _, p := range parts {
		text += " UNION ALL SELECT " + list(blank(len(names)), columns) + p
	}
	return squirrel.Expr(text)
}

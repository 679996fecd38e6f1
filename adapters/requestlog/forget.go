package requestlog

import (
	"context"
	"database/sql"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

// subject is a customer of a site.
type subject struct{ site, customer int64 }

// mention is a request that is about a customer. The names are those of the columns.
type mention struct {
	Site     int64  `json:"site_id"`
	Customer int64  `json:"customer_id"`
	Request  string `json:"request_id"`
	At       int64  `json:"at"`
}

// Forget implements port.Requests.
func (l *Log) Forget(ctx context.Context, id site.ID, c customer.ID) error {
	return l.update(ctx, func(tx *sql.Tx) error {
		_, err := l.exec(ctx, tx, squirrel.Insert("forgotten_customer").Columns("site_id", "customer_id").
			Values(int64(id), int64(c)).Suffix("ON CONFLICT DO NOTHING"))
		if err != nil {
			return err
		}
		_, err = l.exec(ctx, tx, squirrel.Update("request").Set("query", "").Set("sent", "").Set("answered", "").
			Where("id IN (SELECT request_id FROM request_customer WHERE site_id = ? AND customer_id = ?)", int64(id), int64(c)))
		return err
	})
}

// forgottenAmong returns the customers of some requests about whom nothing is kept. Until
// the transaction ends nobody becomes one of them, so that no request is stored in
// between.
func (l *Log) forgottenAmong(ctx context.Context, tx *sql.Tx, added []trace.Request) (map[subject]bool, error) {
	var sites, customers []int64
	for _, r := range added {
		for _, c := range r.Customers {
			sites, customers = append(sites, int64(r.Site)), append(customers, int64(c))
		}
	}
	if len(sites) == 0 {
		return nil, nil
	}
	if l.dialect.Held != "" {
		if _, err := tx.ExecContext(ctx, "LOCK TABLE forgotten_customer IN SHARE MODE"); err != nil {
			return nil, err
		}
	}
	found, err := list(ctx, l, tx, squirrel.Select("site_id", "customer_id").From("forgotten_customer").
		Where(l.dialect.AmongTuples("site_id", "customer_id"), l.dialect.Tuples(sites, customers)...), func(rows *sql.Rows) (s subject, err error) {
		err = rows.Scan(&s.site, &s.customer)
		return s, err
	})
	forgotten := map[subject]bool{}
	for _, s := range found {
		forgotten[s] = true
	}
	return forgotten, err
}

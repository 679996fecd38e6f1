package sqlstore

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t *tx) Archive() port.Archive {
	return port.Archive{
		Ledgers:      archived[port.LedgerState]{t, ledgers, nil},
		Events:       archivedBy(t, events, "seq"),
		Families:     archivedBy(t, families, "id"),
		Tokens:       archivedBy(t, tokens, "family_id", "hash"),
		Products:     archivedBy(t, storedProducts, "id"),
		Counters:     archivedBy(t, counters, "agency_id"),
		DealNumbers:  archivedBy(t, dealNumbers, "agency_id", "kind"),
		ImportedBusy: archivedBy(t, importedBusy, "user_id", "source"),
		Claims:       archivedBy(t, leadClaims, "claim_key"),
		Actions:      archivedBy(t, actions, "id"),
		Deliveries:   archivedDeliveries{archived[webhook.Delivery]{t, deliveries, []string{"hook_id", "id"}}},
		Attempts:     archivedBy(t, t.store.tries(), "delivery_id", "number"),
		Rejections:   archivedBy(t, rejections, "kind", "resource_id", "hook_id"),
		Redactions:   archivedBy(t, redactions, "kind", "resource_id"),
		Log:          archivedBy(t, logEntries, "id"),
	}
}

// archived is a port.Records.
type archived[T any] struct {
	tx *tx
	m  mapping[T]
	// order are the columns that tell the records of a site apart; none where a
	// site has one record.
	order []string
}

func archivedBy[T any](t *tx, m mapping[T], order ...string) port.Records[T] {
	return archived[T]{t, m, order}
}

func (r archived[T]) After(id site.ID, last *T, n int) ([]T, error) {
	order, _, err := r.place(new(T))
	if err != nil {
		return nil, r.tx.fail(err)
	}
	b, args := r.m.find("site_id = ?"), []any{int64(id)}
	if last != nil {
		if len(order) == 0 {
			return nil, r.tx.reading()
		}
		_, behind, err := r.place(last)
		if err != nil {
			return nil, r.tx.fail(err)
		}
		b = b.Where("(" + strings.Join(order, ", ") + ") > (" + strings.Repeat(", ?", len(order))[2:] + ")")
		args = append(args, behind...)
	}
	return list(r.tx, r.m, r.tx.store.text(b.OrderBy(order...).Suffix("LIMIT ?")), append(args, max(n, 0))...)
}

// place is where a record stands in the order, and the order as a statement has
// it: text goes by its bytes.
func (r archived[T]) place(v *T) (order []string, values []any, err error) {
	key := make(row, len(r.order))
	for _, c := range r.m.row(v) {
		if i := slices.Index(r.order, c.name); i >= 0 {
			key[i] = c
		}
	}
	values, err = key.values()
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", r.m.table, err)
	}
	order = key.names()
	for i, value := range values {
		if _, isText := value.(string); isText {
			order[i] = r.tx.store.dialect.Bytewise(order[i])
		}
	}
	return order, values, nil
}

// Restore leaves conflicts to one statement: an error of the engine says nothing
// of what it is about.
func (r archived[T]) Restore(records []T) error {
	if len(records) == 0 {
		return r.tx.writing()
	}
	rows, err := rowsOf(r.m, records)
	if err != nil {
		return r.tx.fail(fmt.Errorf("writing %s: %w", r.m.table, err))
	}
	n, err := r.tx.exec(insertsOf(r.tx.store.dialect, r.tx.store.text, r.m, "ON CONFLICT DO NOTHING").many, rows)
	if err == nil && n < int64(len(records)) {
		r.tx.broken = fmt.Errorf("%s: %w", r.m.table, port.ErrTaken)
		err = r.tx.broken
	}
	return err
}

// archivedDeliveries keeps beside deliveries when their webhooks are due.
type archivedDeliveries struct{ archived[webhook.Delivery] }

func (r archivedDeliveries) Restore(restored []webhook.Delivery) error {
	if err := r.archived.Restore(restored); err != nil {
		return err
	}
	return deliveryRole{r.tx}.becomeDue(restored)
}

var ledgers = mapping[port.LedgerState]{
	table: heads.table,
	keys:  []string{"site_id"},
	row: func(l *port.LedgerState) row {
		return row{
			{"site_id", whole(&l.Site)}, {"last_at", stamped{&l.Last}}, {"seq", whole(&l.Seq)}, {"settings", whole(&l.Settings)},
			{"access", whole(&l.Access)}, {"marks", whole(&l.Rejections)},
		}
	},
}

var counters = mapping[port.ReferenceCounter]{
	table: "reference_counter",
	keys:  []string{"site_id", "agency_id"},
	row: func(c *port.ReferenceCounter) row {
		return row{{"site_id", whole(&c.Site)}, {"agency_id", whole(&c.Agency)}, {"last_number", whole(&c.Last)}}
	},
}

// leadClaims are claims with their keys.
var leadClaims = mapping[port.LeadClaim]{
	table: claims.table,
	keys:  []string{"site_id", "claim_key"},
	row: func(c *port.LeadClaim) row {
		return append(row{{"site_id", whole(&c.Site)}, {"claim_key", text(&c.Key)}}, claims.row(&c.Claim)...)
	},
}

// storedProducts are products with whether they were purged.
var storedProducts = mapping[port.StoredProduct]{
	table: products.table,
	keys:  products.keys,
	row: func(p *port.StoredProduct) row {
		return append(products.row(&p.Product), column{"purged", &p.Purged})
	},
	extra: func(p *port.StoredProduct) row { return products.extra(&p.Product) },
}

// stamped is a column of a moment that has 0 for "never".
type stamped struct{ p *time.Time }

func (c stamped) Value() (driver.Value, error) { return stamp(*c.p), nil }

func (c stamped) Scan(src any) error {
	if src == int64(0) {
		*c.p = time.Time{}
		return nil
	}
	return instant(c.p).Scan(src)
}

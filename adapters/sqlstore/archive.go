package sqlstore

import (
	"cmp"
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
		Attempts:     archivedAttempts{archived[port.DeliveryAttempt]{t, t.store.tries(), []string{"delivery_id", "number"}}},
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

// archivedDeliveries are those in the table and those in bundles. It keeps beside deliveries
// when their webhooks are due.
type archivedDeliveries struct{ archived[webhook.Delivery] }

func (r archivedDeliveries) After(id site.ID, last *webhook.Delivery, n int) ([]webhook.Delivery, error) {
	page, err := r.archived.After(id, last, n)
	if err != nil || n <= 0 {
		return page, err
	}
	found := nearest[webhook.Delivery]{n: n, compare: func(a, b webhook.Delivery) int {
		return cmp.Or(cmp.Compare(a.Hook, b.Hook), cmp.Compare(a.ID, b.ID))
	}}
	w := bundleWalk{where: "site_id = ?", args: []any{int64(id)}, order: []string{"hook_id", "last_id"}}
	if last != nil {
		w.where, w.args = w.where+" AND (hook_id, last_id) > (?, ?)", append(w.args, int64(last.Hook), int64(last.ID))
	}
	err = r.tx.walk(w, func(p bundle, all []webhook.Settled) (bool, error) {
		for _, s := range all {
			if last == nil || found.compare(s.Delivery, *last) > 0 {
				found.add(s.Delivery)
			}
		}
		return found.enough(webhook.Delivery{Hook: p.hook, ID: p.last - bundleSpan}), nil
	})
	return found.with(page), err
}

func (r archivedDeliveries) Restore(restored []webhook.Delivery) error {
	if err := r.archived.Restore(restored); err != nil {
		return err
	}
	keys := map[deliveryKey]bool{}
	for _, d := range restored {
		keys[deliveryKeyOf(d)] = true
	}
	if err := r.tx.free(idsBySite(keys), func(s webhook.Settled) bool { return keys[deliveryKeyOf(s.Delivery)] }); err != nil {
		return err
	}
	return deliveryRole{r.tx}.becomeDue(restored)
}

// free fails when one of some deliveries, of those with these ids, is in a bundle.
func (t *tx) free(ids map[site.ID][]int64, isOne func(webhook.Settled) bool) error {
	for id, of := range ids {
		bundled, err := t.bundled(id, of)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(bundled, isOne) {
			t.broken = fmt.Errorf("%s: %w", t.store.bundles().table, port.ErrTaken)
			return t.broken
		}
	}
	return nil
}

// archivedAttempts are those in the table and those in bundles.
type archivedAttempts struct {
	archived[port.DeliveryAttempt]
}

func (r archivedAttempts) After(id site.ID, last *port.DeliveryAttempt, n int) ([]port.DeliveryAttempt, error) {
	page, err := r.archived.After(id, last, n)
	if err != nil || n <= 0 {
		return page, err
	}
	found := nearest[port.DeliveryAttempt]{n: n, compare: func(a, b port.DeliveryAttempt) int {
		return cmp.Or(cmp.Compare(a.Delivery, b.Delivery), cmp.Compare(a.Number, b.Number))
	}}
	w := bundleWalk{where: "site_id = ?", args: []any{int64(id)}, order: []string{"first_id", "last_id", "hook_id"}}
	if last != nil {
		w.where, w.args = w.where+" AND first_id > ? AND last_id >= ?", append(w.args, int64(last.Delivery)-bundleSpan, int64(last.Delivery))
	}
	err = r.tx.walk(w, func(p bundle, all []webhook.Settled) (bool, error) {
		for _, s := range all {
			a := port.DeliveryAttempt{Site: s.Site, Delivery: s.ID, Attempt: *s.Attempt}
			if last == nil || found.compare(a, *last) > 0 {
				found.add(a)
			}
		}
		return found.enough(port.DeliveryAttempt{Delivery: p.first}), nil
	})
	return found.with(page), err
}

func (r archivedAttempts) Restore(restored []port.DeliveryAttempt) error {
	if err := r.archived.Restore(restored); err != nil {
		return err
	}
	ids := map[site.ID][]int64{}
	for _, a := range restored {
		if a.Number == 1 {
			ids[a.Site] = append(ids[a.Site], int64(a.Delivery))
		}
	}
	return r.tx.free(ids, func(webhook.Settled) bool { return true })
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

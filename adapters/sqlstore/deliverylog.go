package sqlstore

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// deliveryAttempt is an attempt, and the delivery it is of.
type deliveryAttempt struct {
	Site     site.ID
	Delivery webhook.DeliveryID
	webhook.Attempt
}

func (s *Store) tries() mapping[deliveryAttempt] {
	const table = "delivery_attempt"
	return mapping[deliveryAttempt]{
		table: table,
		keys:  []string{"site_id", "delivery_id", "number"},
		row: func(t *deliveryAttempt) row {
			sealed := sealing{s.keyring, table, &t.Site, func() string { return fmt.Sprintf("%d %d", t.Delivery, t.Number) }}
			return row{
				{"site_id", whole(&t.Site)}, {"delivery_id", whole(&t.Delivery)}, {"number", whole(&t.Number)},
				{"attempted_at", instant(&t.At)}, sealed.address("url", &t.URL), {"http_status", whole(&t.Status)},
				{"nanoseconds", whole(&t.Duration)}, {"error", text(&t.Error)}, {"excerpt", text(&t.Excerpt)},
			}
		},
	}
}

type deliveryLogRole struct{ tx *tx }

func (r deliveryLogRole) List(q port.DeliveryQuery) ([]webhook.Delivery, error) {
	s := searchOf(deliveries, "site_id = ? AND hook_id = ?", int64(q.Site), int64(q.Hook))
	s.narrow(q.Before != 0, "id < ?", int64(q.Before))
	if q.Status != nil {
		s.narrow(true, "status = ?", q.Status.String())
	}
	s.narrow(q.Type != "", "type = ?", q.Type)
	s.narrow(q.Resource != 0, "resource_id = ?", q.Resource)
	s.narrow(!q.From.IsZero(), "added_at >= ?", micros(q.From))
	s.narrow(!q.To.IsZero(), "added_at < ?", micros(q.To))
	s.order(true, "id")
	return s.page(r.tx, q.Limit, 0)
}

func (r deliveryLogRole) Attempts(id site.ID, ds []webhook.DeliveryID) (map[webhook.DeliveryID][]webhook.Attempt, error) {
	found, err := list(r.tx, r.tx.store.tries(), r.tx.store.hot.hooks.tries, int64(id), r.tx.store.dialect.Numbers(plain(ds)))
	attempts := map[webhook.DeliveryID][]webhook.Attempt{}
	for _, t := range found {
		attempts[t.Delivery] = append(attempts[t.Delivery], t.Attempt)
	}
	return attempts, err
}

func (r deliveryLogRole) Delivered(id site.ID, hook webhook.ID, events []int64) ([]int64, error) {
	return list(r.tx, numberColumn, r.tx.store.hot.hooks.delivered, int64(id), int64(hook), r.tx.store.dialect.Numbers(events))
}

// purgedDeliveries are deliveries by their site and id.
var purgedDeliveries = mapping[webhook.Delivery]{
	table: deliveries.table,
	row:   func(d *webhook.Delivery) row { return row{{"site_id", whole(&d.Site)}, {"id", whole(&d.ID)}} },
}

func (r deliveryLogRole) Purge(before time.Time, n int) (int, error) {
	if err := r.tx.writing(); err != nil {
		return 0, err
	}
	gone, err := list(r.tx, purgedDeliveries, r.tx.store.text(oldest(deliveries, over, "added_at", "site_id", "id").
		Suffix("RETURNING "+strings.Join(purgedDeliveries.row(new(webhook.Delivery)).names(), ", "))), micros(before), max(n, 0))
	if err != nil {
		return 0, err
	}
	ids := map[site.ID][]int64{}
	for _, d := range gone {
		ids[d.Site] = append(ids[d.Site], int64(d.ID))
	}
	statement := r.tx.store.text(squirrel.Delete(r.tx.store.tries().table).Where("site_id = ? AND delivery_id " + r.tx.store.dialect.Among))
	for of, ids := range ids {
		slices.Sort(ids)
		if _, err := r.tx.exec(statement, int64(of), r.tx.store.dialect.Numbers(ids)); err != nil {
			return 0, err
		}
	}
	return len(gone), nil
}

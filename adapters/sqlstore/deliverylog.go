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

func (s *Store) tries() mapping[port.DeliveryAttempt] {
	const table = "delivery_attempt"
	return mapping[port.DeliveryAttempt]{
		table: table,
		keys:  []string{"site_id", "delivery_id", "number"},
		row: func(t *port.DeliveryAttempt) row {
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
	page, err := s.page(r.tx, q.Limit, 0)
	if err != nil {
		return nil, err
	}
	return r.tx.listed(q, page)
}

func (r deliveryLogRole) Attempts(id site.ID, ds []webhook.DeliveryID) (map[webhook.DeliveryID][]webhook.Attempt, error) {
	found, err := list(r.tx, r.tx.store.tries(), r.tx.store.hot.hooks.tries, int64(id), r.tx.store.dialect.Numbers(plain(ds)))
	if err != nil {
		return nil, err
	}
	left := slices.DeleteFunc(plain(ds), func(id int64) bool {
		return slices.ContainsFunc(found, func(t port.DeliveryAttempt) bool { return int64(t.Delivery) == id && t.Number == 1 })
	})
	bundled, err := r.tx.bundled(id, left)
	attempts := map[webhook.DeliveryID][]webhook.Attempt{}
	for _, s := range bundled {
		attempts[s.ID] = append(attempts[s.ID], *s.Attempt)
	}
	for _, t := range found {
		if made := attempts[t.Delivery]; len(made) == 0 || made[0].Number != t.Number {
			attempts[t.Delivery] = append(made, t.Attempt)
		}
	}
	return attempts, err
}

func (r deliveryLogRole) Delivered(id site.ID, hook webhook.ID, events []int64) ([]int64, error) {
	got, err := list(r.tx, numberColumn, r.tx.store.hot.hooks.delivered, int64(id), int64(hook), r.tx.store.dialect.Numbers(events))
	if err != nil {
		return nil, err
	}
	bundled, err := r.tx.deliveredIn(id, hook, events)
	got = append(got, bundled...)
	slices.Sort(got)
	return slices.Compact(got), err
}

// agedDeliveries are deliveries by their keys, with their age.
var agedDeliveries = mapping[webhook.Delivery]{
	table: deliveries.table,
	row: func(d *webhook.Delivery) row {
		return row{{"added_at", instant(&d.Added)}, {"site_id", whole(&d.Site)}, {"id", whole(&d.ID)}, {"hook_id", whole(&d.Hook)}}
	},
}

func (r deliveryLogRole) Purge(before time.Time, n int) (int, error) {
	if err := r.tx.writing(); err != nil {
		return 0, err
	}
	bundled, err := r.tx.oldestIn(before, n)
	if err != nil {
		return 0, err
	}
	if len(bundled) > 0 {
		// The oldest of both places together.
		unbundled, err := list(r.tx, agedDeliveries, r.tx.store.text(agedDeliveries.find(over+" AND added_at < ?").
			OrderBy("added_at", "site_id", "id").Suffix("LIMIT ?")), micros(before), n)
		if err != nil {
			return 0, err
		}
		bundled, n = oldestOf(bundled, unbundled, n)
	}
	gone, err := list(r.tx, agedDeliveries, r.tx.store.text(oldest(deliveries, over, "added_at", "site_id", "id").
		Suffix("RETURNING "+strings.Join(agedDeliveries.row(new(webhook.Delivery)).names(), ", "))), micros(before), max(n, 0))
	if err != nil {
		return 0, err
	}
	keys := map[deliveryKey]bool{}
	for _, d := range bundled {
		keys[deliveryKeyOf(d)] = true
	}
	taken, err := r.tx.takeOut(keys)
	if err != nil {
		return 0, err
	}
	ids := map[site.ID][]int64{}
	for _, d := range gone {
		ids[d.Site] = append(ids[d.Site], int64(d.ID))
	}
	for _, s := range taken {
		ids[s.Site] = append(ids[s.Site], int64(s.ID))
	}
	statement := r.tx.store.text(squirrel.Delete(r.tx.store.tries().table).Where("site_id = ? AND delivery_id " + r.tx.store.dialect.Among))
	for of, ids := range ids {
		slices.Sort(ids)
		if _, err := r.tx.exec(statement, int64(of), r.tx.store.dialect.Numbers(ids)); err != nil {
			return 0, err
		}
	}
	return len(gone) + len(taken), nil
}

// oldestOf tells, of the oldest n of what is in bundles and of what is not, which are in
// bundles, and how many are not.
func oldestOf(bundled, unbundled []webhook.Delivery, n int) ([]webhook.Delivery, int) {
	in := 0
	for out := 0; in < len(bundled) && in+out < n; {
		if out < len(unbundled) && byAge(unbundled[out], bundled[in]) < 0 {
			out++
		} else {
			in++
		}
	}
	return bundled[:in], min(n-in, len(unbundled))
}

package sqlstore

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (r deliveryRole) List(q port.DeliveryQuery) ([]webhook.Delivery, error) {
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

func (r deliveryRole) Attempts(id site.ID, hook webhook.ID, ds []webhook.DeliveryID) (map[webhook.DeliveryID][]webhook.Attempt, error) {
	of, by := slices.Repeat([]int64{int64(id)}, len(ds)), slices.Repeat([]int64{int64(hook)}, len(ds))
	found, err := list(r.tx, r.tx.store.attempts(), r.tx.store.hot.hooks.attempts, r.tx.store.dialect.Tuples(of, by, plain(ds))...)
	attempts := map[webhook.DeliveryID][]webhook.Attempt{}
	for _, a := range found {
		attempts[a.Delivery] = a.Attempts
	}
	return attempts, err
}

func (r deliveryRole) DeliveredOrPending(id site.ID, hook webhook.ID, events []int64) ([]int64, error) {
	numbers := r.tx.store.dialect.Numbers(events)
	return list(r.tx, numberColumn, r.tx.store.hot.hooks.delivered, int64(id), int64(hook), numbers, int64(id), int64(hook), numbers)
}

func (r deliveryRole) Purge(before time.Time, n int) (int, error) {
	gone, err := r.tx.exec(r.tx.store.text(oldest(deliveries, over, "added_at", "site_id", "id")), micros(before), max(n, 0))
	return int(gone), err
}

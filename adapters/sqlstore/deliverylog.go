package sqlstore

import (
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

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

// deliveryStep is a step of time by its number from the first one on, -1 for all before it.
type deliveryStep struct {
	number int64
	webhook.DeliveryCount
}

var deliverySteps = mapping[deliveryStep]{
	table: deliveries.table,
	row: func(s *deliveryStep) row {
		return row{{"step", whole(&s.number)}, {"oldest", instant(&s.Oldest)}, {"all_of", whole(&s.All)}, {"succeeded", whole(&s.Succeeded)}, {"failed", whole(&s.Failed)}}
	},
}

// Count reads the rows of the latest deliveries, which their index bounds: an index by time would be one
// more that every attempt writes to.
func (r deliveryRole) Count(c port.DeliveryCounting) ([]webhook.DeliveryCount, error) {
	latest := squirrel.Select("added_at", "CASE WHEN status = 'succeeded' THEN 1 ELSE 0 END AS won", "number").
		Column("CASE WHEN added_at >= ? THEN (added_at - ?) / ? ELSE -1 END AS step").
		From(deliveries.table).Where("site_id = ? AND hook_id = ?").OrderBy("id DESC").Suffix("LIMIT ?")
	counted := squirrel.Select("step", "min(added_at) AS oldest", "count(*) AS all_of", "CAST(sum(won) AS BIGINT) AS succeeded", "CAST(sum(number - won) AS BIGINT) AS failed").
		FromSelect(latest, "latest").GroupBy("step").OrderBy("step")
	steps, err := list(r.tx, deliverySteps, r.tx.store.text(counted),
		micros(c.From), micros(c.From), c.Step.Microseconds(), int64(c.Site), int64(c.Hook), max(c.Latest, 0))
	var counts []webhook.DeliveryCount
	for _, s := range steps {
		if s.number >= 0 {
			s.Start = c.From.Add(time.Duration(s.number) * c.Step)
		}
		counts = append(counts, s.DeliveryCount)
	}
	return counts, err
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

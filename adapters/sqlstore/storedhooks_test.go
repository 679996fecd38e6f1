package sqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// The names of states and statuses are part of indexes and statements.
func TestTheStoredFormOfWebhooksIsWhatItWas(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
		update(t, s, func(tx port.Tx) error {
			var deliveries []webhook.Delivery
			for status := range webhook.Statuses {
				deliveries = append(deliveries, webhook.Delivery{
					ID: webhook.DeliveryID(status + 1), Site: 1, Hook: 1, Event: int64(status), Status: status, Due: at, Added: at,
				})
			}
			for _, err := range []error{
				tx.Webhooks().Put(webhook.Webhook{ID: 1, Site: 1, Origins: []event.Type{event.ProductUpdate}, State: webhook.Suspended}),
				tx.Webhooks().Put(webhook.Webhook{ID: 2, Site: 1}),
				tx.Deliveries().Add(deliveries),
				tx.Deliveries().Settle([]webhook.Settled{
					{Delivery: deliveries[0], Attempt: &webhook.Attempt{Number: 1, Duration: 1500 * time.Microsecond}},
				}),
			} {
				if err != nil {
					return err
				}
			}
			return nil
		})
		db := p.raw(t)
		for _, c := range []struct{ query, want string }{
			{"SELECT origins FROM webhook WHERE id = 1 AND suspended_at IS NULL", `["PRODUCT_UPDATE"]`},
			{"SELECT state FROM webhook WHERE id = 1", `suspended`},
			{"SELECT state FROM webhook WHERE id = 2", `active`},
			{"SELECT status FROM delivery WHERE event_seq = 0", `pending`},
			{"SELECT status FROM delivery WHERE event_seq = 1", `succeeded`},
			{"SELECT status FROM delivery WHERE event_seq = 2", `rejected`},
			{"SELECT status FROM delivery WHERE event_seq = 3", `failed`},
			{"SELECT status FROM delivery WHERE event_seq = 4", `cancelled`},
			{"SELECT status FROM delivery WHERE event_seq = 5", `superseded`},
			{"SELECT due_at FROM hook_turn WHERE holder = '' AND until = 0 AND served_at = 0", `1767323045000006`},
			{`SELECT count(*) FROM delivery WHERE attempts LIKE '{"number":1,"url":"v1:%","nanoseconds":1500000}_'`, `1`},
		} {
			var got string
			if err := db.QueryRowContext(t.Context(), c.query).Scan(&got); err != nil || got != c.want {
				t.Errorf("%s\n got %s (%v)\nwant %s", c.query, got, err, c.want)
			}
		}
	})
}

// A row that moves to another page is written to the journal as a whole.
func TestWhatBecomesOfADeliveryFitsItsPage(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	s := p.migrated(t)
	at := time.Now().UTC().Truncate(time.Microsecond)
	var added []webhook.Delivery
	update(t, s, func(tx port.Tx) error {
		ids, err := tx.NextIDs(port.DeliveryIDs, 500)
		if err != nil {
			return err
		}
		for _, id := range ids {
			added = append(added, webhook.Delivery{
				ID: webhook.DeliveryID(id), Site: 1, Hook: 1, Event: id, Message: fmt.Sprintf("evt_1_%d", id), Type: "PRODUCT_UPDATE", Due: at, Added: at,
			})
		}
		return tx.Deliveries().Add(added)
	})
	const pages = "SELECT id || ' ' || split_part(ctid::text, ',', 1) FROM delivery ORDER BY id"
	before := texts(t, p.raw(t), pages)
	update(t, s, func(tx port.Tx) error {
		var settled []webhook.Settled
		for _, d := range added {
			d.Status, d.Number = webhook.Rejected, 1
			settled = append(settled, webhook.Settled{Delivery: d, Attempt: &webhook.Attempt{Number: 1, At: at}})
		}
		return tx.Deliveries().Settle(settled)
	})
	moved := 0
	for i, place := range texts(t, p.raw(t), pages) {
		if place != before[i] {
			moved++
		}
	}
	if moved > len(added)/20 {
		t.Errorf("%d of %d move to another page", moved, len(added))
	}
}

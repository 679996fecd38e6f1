package sqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func addDeliveries(tx port.Tx, hooks, each int) error {
	ids, err := tx.NextIDs(port.DeliveryIDs, hooks*each)
	if err != nil {
		return err
	}
	at := time.UnixMicro(1).UTC()
	var added []webhook.Delivery
	for i, id := range ids {
		added = append(added, webhook.Delivery{
			ID: webhook.DeliveryID(id), Site: 1, Hook: webhook.ID(1 + i%hooks), Event: id, Message: fmt.Sprint("evt_1_", id), Type: event.ProductUpdate,
			Resource: 1, At: at, Due: at, Added: at,
		})
	}
	return tx.Deliveries().Add(added)
}

func putHooks(b *testing.B, s *sqlstore.Store, n int) {
	b.Helper()
	err := s.Update(b.Context(), func(tx port.Tx) error {
		for id := range webhook.ID(n) {
			w := sampleHook(id + 1)
			if err := tx.Webhooks().Put(w); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFanOut is what a write to a site costs more when three webhooks want
// to hear of it.
func BenchmarkFanOut(b *testing.B) {
	benchEachEngine(b, func(b *testing.B, s *sqlstore.Store) {
		putHooks(b, s, 3)
		for b.Loop() {
			err := s.Update(b.Context(), func(tx port.Tx) error {
				if _, err := tx.Webhooks().Of(1); err != nil {
					return err
				}
				return addDeliveries(tx, 3, 1)
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkServe serves one webhook, with ten deliveries that get
// through.
func BenchmarkServe(b *testing.B) {
	benchEachEngine(b, func(b *testing.B, s *sqlstore.Store) {
		putHooks(b, s, 1)
		now := time.UnixMicro(2).UTC()
		for b.Loop() {
			b.StopTimer()
			if err := s.Update(b.Context(), func(tx port.Tx) error { return addDeliveries(tx, 1, 10) }); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if err := serve(b, s, now); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func serve(b *testing.B, s *sqlstore.Store, now time.Time) error {
	var lease webhook.Lease
	err := s.Update(b.Context(), func(tx port.Tx) error {
		taken, err := tx.Webhooks().Take("me", now, now.Add(time.Hour), 64)
		if err == nil && len(taken) != 1 {
			err = fmt.Errorf("%d leases", len(taken))
		}
		if err == nil {
			lease = taken[0]
		}
		return err
	})
	if err != nil {
		return err
	}
	var pending []webhook.Delivery
	err = s.View(b.Context(), func(tx port.Tx) (err error) {
		if _, err = tx.Webhooks().Get(1, 1); err == nil {
			pending, err = tx.Deliveries().Pending(1, 1, 200)
		}
		return err
	})
	if err != nil {
		return err
	}
	err = s.Update(b.Context(), func(tx port.Tx) error {
		w, err := tx.Webhooks().Get(1, 1)
		if err != nil {
			return err
		}
		if _, _, err := tx.Webhooks().Hold(lease); err != nil {
			return err
		}
		var settled []webhook.Settled
		for _, d := range pending {
			d.Status = webhook.Succeeded
			settled = append(settled, webhook.Settled{Delivery: d, Attempt: &webhook.Attempt{Number: 1, At: now, URL: "https://x", Status: 200}})
		}
		if err := tx.Deliveries().Settle(settled); err != nil {
			return err
		}
		if err := tx.Webhooks().Put(w); err != nil {
			return err
		}
		return tx.Webhooks().Extend(lease, now.Add(2*time.Hour))
	})
	if err != nil {
		return err
	}
	return s.Update(b.Context(), func(tx port.Tx) error {
		if _, _, err := tx.Webhooks().Hold(lease); err != nil {
			return err
		}
		return tx.Webhooks().Release(lease)
	})
}

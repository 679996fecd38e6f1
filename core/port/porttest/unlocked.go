package porttest

import (
	"context"
	"errors"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// asRequests is a store as requests use it: before a unit of work writes, the head of its
// site is read.
type asRequests struct {
	port.Store
	site site.ID
}

// Update implements port.Store.
func (s asRequests) Update(ctx context.Context, fn func(port.Tx) error) error {
	if _, err := s.Head(ctx, s.site); err != nil {
		return err
	}
	return s.Store.Update(ctx, fn)
}

// happens records an event, as use cases do before they write.
func happens(tx port.Tx, id site.ID, t event.Type) error {
	_, err := tx.Ledger().Append(id, instant(1), []event.Event{{Type: t, Resource: 1, Agency: 1}})
	return err
}

// noneLostUnlocked is noneLost for changes that record one event each, and are made as
// requests make them. The ledger has all of the events and no gap.
func noneLostUnlocked(t *testing.T, w *world, id site.ID, count func(port.Tx) (int64, error), change func(port.Tx) error) {
	t.Helper()
	noneLost(t, &world{Store: asRequests{w.Store, id}}, count, change)
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Ledger().After(id, 0, workers*rounds+1)
		same(t, "events", workers*rounds, len(found))
		for n, e := range found {
			same(t, "sequence", int64(n+1), e.Seq)
		}
		return err
	})
}

func noLostUnlockedProduct(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1)
	noneLostUnlocked(t, w, id, func(tx port.Tx) (int64, error) {
		p, err := tx.Products().Get(id, 1)
		return int64(p.Color), err
	}, func(tx port.Tx) error {
		p, err := tx.Products().GetUnlocked(id, 1)
		if err != nil {
			return err
		}
		p.Color++
		if err := happens(tx, id, event.ProductUpdate); err != nil {
			return err
		}
		return tx.Products().Replace(p)
	})
}

// unlockedUntilTheEnd has units read a customer unlocked and change a product, and one that
// deletes the customer meanwhile. Nothing that is based on the customer comes after.
func unlockedUntilTheEnd(t *testing.T, w *world) {
	id := w.site(t)
	populate(t, w, id, 1)
	w.update(t, func(tx port.Tx) error { return tx.Customers().Put(sampleOf[customer.Customer]("customer", id, 1)) })
	asUsed := asRequests{w.Store, id}
	together(t, workers, func(ctx context.Context, i int) error {
		for round := range rounds {
			err := asUsed.Update(ctx, func(tx port.Tx) error {
				if _, err := tx.Customers().GetUnlocked(id, 1); err != nil {
					return err
				}
				if i == 0 && round == rounds/2 {
					return errors.Join(happens(tx, id, event.CustomerDelete), tx.Customers().Delete(id, 1))
				}
				p, err := tx.Products().GetUnlocked(id, 1)
				if err != nil {
					return err
				}
				p.Color++
				return errors.Join(happens(tx, id, event.ProductUpdate), tx.Products().Replace(p))
			})
			if err != nil && !errors.Is(err, fault.NotFound) {
				return err
			}
		}
		return nil
	})
	w.view(t, func(tx port.Tx) error {
		found, err := tx.Ledger().After(id, 0, workers*rounds+1)
		if len(found) == 0 || found[len(found)-1].Type != event.CustomerDelete {
			t.Errorf("the last of %d events is not that the customer is gone", len(found))
		}
		p, err2 := tx.Products().Get(id, 1)
		same(t, "changes", len(found)-1, p.Color-sampleProduct(id, 1).Color)
		return errors.Join(err, err2)
	})
}

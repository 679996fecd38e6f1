package porttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func hookRaces() []example {
	return []example{
		{"NoChangeOfAFreeWebhookIsLost", noLostFree},
		{"NoWebhookHasTwoLeases", noTwoLeases},
		{"NoDeliveryIsForgotten", noLostWakeUp},
		{"WhatIsAddedDuringAReleaseIsNotForgotten", addedDuringRelease},
		{"NoHastenedDeliveryIsForgotten", noLostHaste},
		{"UnitsThatAddCrosswiseAllEnd", crosswise},
		{"SeveralSettleTheSameAtOnce", settledAtOnce},
		{"WhatIsSettledIsNeverMissing", neverMissing},
		{"NothingSlipsInWhileItIsRedacted", nobodySlipsIn},
	}
}

// noLostFree has half of the workers change what they get, and the other half
// what is free, in another order.
func noLostFree(t *testing.T, w *world) {
	id := w.site(t)
	keys := []webhook.Key{{Site: id, Hook: 2}, {Site: id, Hook: 1}}
	w.update(t, func(tx port.Tx) error {
		return errors.Join(tx.Webhooks().Put(sampleWebhook(id, 1)), tx.Webhooks().Put(sampleWebhook(id, 2)))
	})
	var changes atomic.Int64
	together(t, workers, func(ctx context.Context, i int) error {
		for range rounds {
			var held []webhook.Webhook
			err := w.Update(ctx, func(tx port.Tx) (err error) {
				if i%2 == 0 {
					held, err = tx.Webhooks().Free(keys)
				} else {
					held = make([]webhook.Webhook, 1)
					held[0], err = tx.Webhooks().Get(id, 1)
				}
				for _, h := range held {
					h.Epoch++
					err = errors.Join(err, tx.Webhooks().Put(h))
				}
				return err
			})
			if err != nil {
				return err
			}
			changes.Add(int64(len(held)))
		}
		return nil
	})
	w.view(t, func(tx port.Tx) error {
		all, err := tx.Webhooks().Of(id)
		kept := int64(0)
		for _, h := range all {
			kept += h.Epoch - sampleWebhook(id, h.ID).Epoch
		}
		same(t, "changes", changes.Load(), kept)
		return err
	})
}

// hooksOf are the webhooks of an example that has the leases to itself.
func hooksOf(n int) []webhook.ID {
	var all []webhook.ID
	for i := range n {
		all = append(all, webhook.ID(i+1))
	}
	return all
}

// noTwoLeases takes leases of webhooks that are always due.
func noTwoLeases(t *testing.T, w *world) {
	id := w.site(t)
	all := hooksOf(5)
	defer w.forget(t, id, all...)
	for _, hook := range all {
		w.adds(t, plainDelivery(id, hook, webhook.DeliveryID(hook), 1, old(0)))
	}
	served := make([]atomic.Int32, len(all)+1)
	var leases atomic.Int64
	together(t, workers, func(ctx context.Context, i int) error {
		for round := range 4 * rounds {
			var taken []webhook.Lease
			err := w.Update(ctx, func(tx port.Tx) (err error) {
				taken, err = tx.Webhooks().Take(fmt.Sprint(i, "-", round), old(1), old(1000), 1+i%3)
				return err
			})
			if err != nil {
				return err
			}
			if len(taken) > 1+i%3 {
				return fmt.Errorf("%d leases instead of %d", len(taken), 1+i%3)
			}
			for _, lease := range taken {
				leases.Add(1)
				if !served[lease.Hook].CompareAndSwap(0, 1) {
					return fmt.Errorf("webhook %d has two leases", lease.Hook)
				}
			}
			for _, lease := range taken {
				if err := w.Update(ctx, func(tx port.Tx) error { return hold(tx, lease) }); err != nil {
					return err
				}
				served[lease.Hook].Store(0)
				if err := w.Update(ctx, func(tx port.Tx) error { return release(tx, lease) }); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if leases.Load() < int64(rounds) {
		t.Errorf("there were only %d leases", leases.Load())
	}
	same(t, "webhooks due in the end", all, hookIDs(w.takes(t, "last", old(2), old(3), 99)))
}

// hold holds a lease that must not have been lost.
func hold(tx port.Tx, lease webhook.Lease) error {
	held, _, err := tx.Webhooks().Hold(lease)
	if err == nil && !held {
		err = errors.New("a lease was lost")
	}
	return err
}

func release(tx port.Tx, lease webhook.Lease) error {
	return try(func() error { return hold(tx, lease) }, func() error { return tx.Webhooks().Release(lease) })
}

// serves takes leases of the webhooks that are due and settles a few of the deliveries of
// each. It reports how many leases there were.
func serves(ctx context.Context, w *world, holder string) (int, error) {
	var taken []webhook.Lease
	err := w.Update(ctx, func(tx port.Tx) (err error) {
		taken, err = tx.Webhooks().Take(holder, old(1), old(1000), 2)
		return err
	})
	for _, lease := range taken {
		if err != nil {
			return len(taken), err
		}
		var pending []webhook.Delivery
		err = w.View(ctx, func(tx port.Tx) (err error) {
			pending, err = tx.Deliveries().Pending(lease.Site, lease.Hook, 3)
			return err
		})
		if err != nil {
			return len(taken), err
		}
		err = w.Update(ctx, func(tx port.Tx) error {
			for _, d := range pending {
				if d.Due.After(old(1)) {
					continue
				}
				d.Status = webhook.Succeeded
				if err := settle(tx, d, nil); err != nil {
					return err
				}
			}
			return release(tx, lease)
		})
	}
	return len(taken), err
}

// race runs workers that add until they have done enough, beside others that
// serve until there is nothing left to do.
func race(t *testing.T, w *world, add func(ctx context.Context, i, round int) error) {
	t.Helper()
	var adding atomic.Int32
	adding.Store(workers / 2)
	together(t, workers, func(ctx context.Context, i int) error {
		if i%2 == 0 {
			defer adding.Add(-1)
			for round := range 3 * rounds {
				if err := add(ctx, i, round); err != nil {
					return err
				}
			}
			return nil
		}
		for visit := 0; ; visit++ {
			last := adding.Load() == 0
			n, err := serves(ctx, w, fmt.Sprint(i, "-", visit))
			if err != nil || last && n == 0 {
				return err
			}
		}
	})
	// Whoever serves may have stopped while somebody else had the lease.
	for visit := 0; ; visit++ {
		n, err := serves(t.Context(), w, fmt.Sprint("last-", visit))
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			break
		}
	}
}

// nothingPending is what is left when every delivery was served.
func (w *world) nothingPending(t *testing.T, id site.ID, hooks []webhook.ID) {
	t.Helper()
	w.view(t, func(tx port.Tx) error {
		for _, hook := range hooks {
			forgotten, err := deliveryIDs(tx.Deliveries().Pending(id, hook, 99))
			if len(forgotten) > 0 {
				t.Errorf("nobody serves the deliveries %d of webhook %d any more", forgotten, hook)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func noLostWakeUp(t *testing.T, w *world) {
	id := w.site(t)
	all := hooksOf(2)
	defer w.forget(t, id, all...)
	var last atomic.Int64
	race(t, w, func(ctx context.Context, i, round int) error {
		var added []webhook.Delivery
		for _, hook := range all[:1+round%len(all)] {
			n := last.Add(1)
			added = append(added, plainDelivery(id, hook, webhook.DeliveryID(n), n, old((i+round)%2)))
		}
		return w.Update(ctx, func(tx port.Tx) error { return tx.Deliveries().Add(added) })
	})
	w.nothingPending(t, id, all)
}

// addedDuringRelease lets a unit that adds and one that releases the lease meet in
// the middle of both, in either order.
func addedDuringRelease(t *testing.T, w *world) {
	for due := 3; due < 8; due += 2 { // before the webhook is due, at the same time, and later
		for _, adderFirst := range []bool{true, false} {
			id := w.site(t)
			served := plainDelivery(id, 1, 1, 1, old(5))
			w.adds(t, served)
			lease, err := only(w.takes(t, "me", old(5), old(99), 9), nil)
			if err != nil {
				t.Fatal(err)
			}
			served.Status = webhook.Succeeded
			add := []func(port.Tx) error{
				func(tx port.Tx) error {
					return tx.Deliveries().Add([]webhook.Delivery{plainDelivery(id, 1, 2, 2, old(due))})
				},
				func(port.Tx) error { return nil },
			}
			give := []func(port.Tx) error{
				func(tx port.Tx) error { return hold(tx, lease) },
				func(tx port.Tx) error {
					return try(
						func() error { return settle(tx, served, nil) },
						func() error { return tx.Webhooks().Release(lease) },
					)
				},
			}
			if adderFirst {
				meet(t, w, add, give)
			} else {
				meet(t, w, give, add)
			}
			w.due(t, old(9), 1, old(due))
			w.forget(t, id, 1)
		}
	}
}

// meet begins a unit of two steps and, between them, another one, to which it
// leaves some time. The other one may have to wait.
func meet(t *testing.T, w *world, first, second []func(port.Tx) error) {
	t.Helper()
	between, ended := make(chan struct{}), make(chan struct{})
	var once sync.Once
	together(t, 2, func(ctx context.Context, i int) error {
		if i == 1 {
			defer close(ended)
			<-between
			return w.Update(ctx, func(tx port.Tx) error {
				return try(func() error { return second[0](tx) }, func() error { return second[1](tx) })
			})
		}
		return w.Update(ctx, func(tx port.Tx) error {
			err := first[0](tx)
			once.Do(func() { close(between) })
			pause, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			defer cancel()
			select {
			case <-ended:
			case <-pause.Done():
			}
			if err != nil {
				return err
			}
			return first[1](tx)
		})
	})
}

func noLostHaste(t *testing.T, w *world) {
	id := w.site(t)
	all := hooksOf(2)
	defer w.forget(t, id, all...)
	var last atomic.Int64
	for _, hook := range all {
		w.update(t, func(tx port.Tx) error { return tx.Webhooks().Put(sampleWebhook(id, hook)) })
	}
	race(t, w, func(ctx context.Context, i, round int) error {
		hook := all[(i/2+round)%len(all)]
		n := last.Add(1)
		// It is due later than anybody looks, until it is hastened.
		err := w.Update(ctx, func(tx port.Tx) error {
			return tx.Deliveries().Add([]webhook.Delivery{plainDelivery(id, hook, webhook.DeliveryID(n), n, old(500))})
		})
		if err != nil {
			return err
		}
		return w.Update(ctx, func(tx port.Tx) error {
			if _, err := tx.Webhooks().Get(id, hook); err != nil {
				return err
			}
			return tx.Deliveries().Hasten(id, hook, old(1))
		})
	})
	w.nothingPending(t, id, all)
}

// crosswise adds deliveries of the same webhooks in different orders.
func crosswise(t *testing.T, w *world) {
	id := w.site(t)
	all := hooksOf(6)
	defer w.forget(t, id, all...)
	var last atomic.Int64
	together(t, workers, func(ctx context.Context, i int) error {
		for range rounds {
			var added []webhook.Delivery
			for _, hook := range all {
				n := last.Add(1)
				added = append(added, plainDelivery(id, hook, webhook.DeliveryID(n), n, old(int(n)%9)))
			}
			if i%2 == 0 {
				slices.Reverse(added)
			}
			if err := w.Update(ctx, func(tx port.Tx) error { return tx.Deliveries().Add(added) }); err != nil {
				return err
			}
		}
		return nil
	})
	w.due(t, old(9), len(all), old(0))
}

// settledAtOnce has several settle the same deliveries, as when leases were lost.
func settledAtOnce(t *testing.T, w *world) {
	id := w.site(t)
	defer w.forget(t, id, 1)
	for round := range rounds {
		var added, want []webhook.Delivery
		var settled []webhook.Settled
		var ids []webhook.DeliveryID
		attempts := map[webhook.DeliveryID][]webhook.Attempt{}
		for n := range 12 {
			d := plainDelivery(id, 1, webhook.DeliveryID(round*20+n+1), int64(n), old(0))
			s := accepted(d)
			added, want, settled, ids = append(added, d), append(want, s.Delivery), append(settled, s), append(ids, d.ID)
			attempts[d.ID] = []webhook.Attempt{*s.Attempt}
		}
		w.adds(t, added...)
		together(t, 4, func(ctx context.Context, i int) error {
			return w.Update(ctx, func(tx port.Tx) error { return tx.Deliveries().Settle(settled[i:]) })
		})
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Deliveries().Many(id, 1, ids)
			same(t, "deliveries", want, got)
			made, err2 := tx.Deliveries().Attempts(id, 1, ids)
			same(t, "attempts", attempts, made)
			listed, err3 := tx.Deliveries().List(port.DeliveryQuery{Site: id, Hook: 1, Limit: 1000})
			same(t, "deliveries listed", (round+1)*len(added), len(listed))
			return errors.Join(err, err2, err3)
		})
	}
}

// neverMissing looks at deliveries while they are settled.
func neverMissing(t *testing.T, w *world) {
	id := w.site(t)
	defer w.forget(t, id, 1)
	var added []webhook.Delivery
	for n := range 8 * rounds {
		added = append(added, plainDelivery(id, 1, webhook.DeliveryID(n+1), int64(n), old(0)))
	}
	w.adds(t, added...)
	together(t, 4, func(ctx context.Context, i int) error {
		if i == 0 {
			for some := range slices.Chunk(added, 8) {
				var settled []webhook.Settled
				for _, d := range some {
					settled = append(settled, accepted(d))
				}
				if err := w.Update(ctx, func(tx port.Tx) error { return tx.Deliveries().Settle(settled) }); err != nil {
					return err
				}
			}
			return nil
		}
		for n := range len(added) {
			err := w.View(ctx, func(tx port.Tx) error {
				listed, err := tx.Deliveries().List(port.DeliveryQuery{Site: id, Hook: 1, Limit: 1000})
				if len(listed) != len(added) {
					return fmt.Errorf("%d of %d deliveries are listed", len(listed), len(added))
				}
				if _, err := tx.Deliveries().Get(id, 1, added[n].ID); errors.Is(err, fault.NotFound) {
					return fmt.Errorf("delivery %d is missing", added[n].ID)
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

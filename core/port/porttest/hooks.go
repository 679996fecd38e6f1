package porttest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func hookExamples() []example {
	return append([]example{
		{"DeliveriesComeBackAsTheyWentIn", deliveriesComeBack},
		{"AbsentIsNotFound", absentHooks},
		{"AWebhookGoesWithItsSecretsAndItsLease", webhookGoes},
		{"FreeWebhooksAreHeldTogether", freeWebhooks},
		{"PendingIsInEventOrder", pendingInOrder},
		{"SettleStoresWhatBecame", settleStores},
		{"ManyAreSettledTogether", settledTogether},
		{"CancelEndsWhatIsPending", cancelEnds},
		{"ManyDeliveriesAtOnce", manyDeliveries},
		{"DueDeliveriesAreCounted", dueDeliveries},
		{"AttemptsComeByDelivery", attemptsByDelivery},
		{"TheLogNarrows", logNarrows},
		{"DeliveredIsWhatSucceeded", deliveredSucceeded},
		{"RejectionsAreStoredAndCleared", rejectionsStored},
		{"PurgeRemovesOldDeliveries", purgeDeliveries},
		{"DeliveriesOfOneMomentArePurgedByTheirIDs", purgeByID},
		{"PurgeRemovesOldEvents", purgeEvents},
	}, leaseExamples()...)
}

func freeWebhooks(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	first, second, elsewhere := sampleWebhook(id, 1), sampleWebhook(id, 2), sampleWebhook(other, 1)
	w.update(t, func(tx port.Tx) error {
		return each(tx.Webhooks().Put, second, first, elsewhere, sampleWebhook(other, 2))
	})
	w.update(t, func(tx port.Tx) error {
		got, err := tx.Webhooks().Free([]webhook.Key{elsewhere.Key(), {Site: id, Hook: 9}, second.Key(), first.Key(), second.Key()})
		same(t, "free webhooks", []webhook.Webhook{first, second, elsewhere}, got)
		none, err2 := tx.Webhooks().Free(nil)
		same(t, "none of no webhooks", 0, len(none))
		return errors.Join(err, err2)
	})
	w.view(t, func(tx port.Tx) error {
		if got, err := tx.Webhooks().Free([]webhook.Key{first.Key()}); err == nil {
			t.Errorf("a view took hold of %v", got)
		}
		return nil
	})
}

func deliveriesComeBack(t *testing.T, w *world) {
	id := w.site(t)
	far := plainDelivery(id, 5, 1<<45, -1, time.Time{})
	far.At, far.Added, far.Epoch, far.Resource = time.Time{}, instant(9), -1<<60, -1<<62
	for n, want := range []webhook.Delivery{sampleDelivery(id, 5, 1), {ID: 2, Site: id, Hook: 5, Due: instant(0)}, far} {
		w.update(t, func(tx port.Tx) error { return tx.Deliveries().Add([]webhook.Delivery{want}) })
		for status := range webhook.Statuses {
			want.Status = status
			w.update(t, func(tx port.Tx) error { return settle(tx, want, nil) })
			w.view(t, func(tx port.Tx) error {
				got, err := tx.Deliveries().Get(id, 5, want.ID)
				same(t, "delivery", want, got)
				listed, err2 := tx.Deliveries().List(port.DeliveryQuery{Site: id, Hook: 5, Limit: 9})
				if len(listed) != n+1 {
					t.Fatalf("%d deliveries in the log", len(listed))
				}
				same(t, "delivery in the log", want, listed[0])
				return errors.Join(err, err2)
			})
		}
	}
	w.update(t, func(tx port.Tx) error { return settle(tx, sampleDelivery(id, 5, 1), nil) })
	w.view(t, func(tx port.Tx) error {
		got, err := only(tx.Deliveries().Pending(id, 5, 9))
		same(t, "pending delivery", sampleDelivery(id, 5, 1), got)
		return err
	})
}

func absentHooks(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Webhooks().Put(sampleWebhook(other, 1)) },
			func() error {
				return tx.Deliveries().Add([]webhook.Delivery{sampleDelivery(other, 1, 1), sampleDelivery(id, 2, 2)})
			},
			func() error { return tx.Rejections().Put(sampleRejection(other, 1, 1)) },
		)
	})
	for what, way := range map[string]func(port.Tx) error{
		"webhook":                  func(tx port.Tx) error { _, err := tx.Webhooks().Get(id, 1); return err },
		"delivery of another site": func(tx port.Tx) error { _, err := tx.Deliveries().Get(id, 1, 1); return err },
		"delivery of another webhook": func(tx port.Tx) error {
			_, err := tx.Deliveries().Get(id, 1, 2)
			return err
		},
		"delivery beyond all numbers": func(tx port.Tx) error { _, err := tx.Deliveries().Get(id, 2, 1<<63-1); return err },
		"delivery before all numbers": func(tx port.Tx) error { _, err := tx.Deliveries().Get(id, 2, -1<<63); return err },
		"settle": func(tx port.Tx) error {
			a := sampleAttempt(1)
			return settle(tx, sampleDelivery(id, 1, 1), &a)
		},
		"settle of another webhook": func(tx port.Tx) error { return settle(tx, sampleDelivery(id, 1, 2), nil) },
	} {
		w.notFound(t, what, way)
	}
	// Ending what is not there is no error.
	lease := webhook.Lease{Site: id, Hook: 1, Holder: "me"}
	w.update(t, func(tx port.Tx) error {
		held, _, err := tx.Leases().Hold(lease)
		if held {
			t.Error("a lease that nobody took is held")
		}
		return try(
			func() error { return err },
			func() error { return tx.Webhooks().Delete(id, 1) },
			func() error { return tx.Deliveries().Add(nil) },
			func() error { return tx.Deliveries().Cancel(id, 1, "r") },
			func() error { return tx.Deliveries().Hasten(id, 1, instant(0)) },
			func() error { return tx.Leases().Extend(lease, instant(1)) },
			func() error { return tx.Leases().Release(lease) },
			func() error {
				for _, clear := range []func() (bool, error){
					func() (bool, error) { return tx.Rejections().Clear(id, 1, "PRODUCT", 1) },
					func() (bool, error) { return tx.Rejections().ClearResource(id, "PRODUCT", 1) },
					func() (bool, error) { return tx.Rejections().ClearWebhook(id, 1) },
				} {
					if found, err := clear(); found || err != nil {
						return fmt.Errorf("rejections that are not there are found: %t, %w", found, err)
					}
				}
				return nil
			},
		)
	})
	w.view(t, func(tx port.Tx) error {
		for what, length := range map[string]func() (int, error){
			"pending": func() (int, error) { l, err := tx.Deliveries().Pending(id, 1, 9); return len(l), err },
			"log": func() (int, error) {
				l, err := tx.Deliveries().List(port.DeliveryQuery{Site: id, Hook: 1, Limit: 9})
				return len(l), err
			},
			"attempts": func() (int, error) {
				l, err := tx.Deliveries().Attempts(id, 1, []webhook.DeliveryID{1})
				return len(l), err
			},
			"rejections": func() (int, error) { l, err := tx.Rejections().Many(id, "PRODUCT", []int64{1}); return len(l), err },
		} {
			if n, err := length(); n != 0 || err != nil {
				t.Errorf("%s: %d records and %v, want an empty list", what, n, err)
			}
		}
		return nil
	})
}

func webhookGoes(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		for n := range webhook.ID(2) {
			err := try(
				func() error { return tx.Webhooks().Put(sampleWebhook(id, n+1)) },
				func() error {
					return tx.Deliveries().Add([]webhook.Delivery{plainDelivery(id, n+1, webhook.DeliveryID(n+1), 1, old(0))})
				},
			)
			if err != nil {
				return err
			}
		}
		return nil
	})
	defer w.forget(t, id, 2)
	w.update(t, func(tx port.Tx) error { return tx.Webhooks().Delete(id, 1) })
	w.update(t, func(tx port.Tx) error {
		if _, err := tx.Webhooks().Get(id, 1); !errors.Is(err, fault.NotFound) {
			t.Errorf("after a webhook was deleted: %v", err)
		}
		if _, err := tx.Deliveries().Get(id, 1, 1); err != nil {
			t.Errorf("a delivery went with its webhook: %v", err)
		}
		taken, err := tx.Leases().Take("me", old(1), old(2), 9)
		same(t, "leases left", []webhook.ID{2}, hookIDs(taken))
		return err
	})
}

// adds stores deliveries.
func (w *world) adds(t *testing.T, added ...webhook.Delivery) {
	t.Helper()
	w.update(t, func(tx port.Tx) error { return tx.Deliveries().Add(added) })
}

// forget removes webhooks, so that they are due in no other example.
func (w *world) forget(t *testing.T, id site.ID, hooks ...webhook.ID) {
	t.Helper()
	w.update(t, func(tx port.Tx) error {
		for _, hook := range hooks {
			if err := tx.Webhooks().Delete(id, hook); err != nil {
				return err
			}
		}
		return nil
	})
}

func pendingInOrder(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	over := plainDelivery(id, 1, 7, 2, instant(0))
	over.Status = webhook.Cancelled
	w.adds(t,
		plainDelivery(id, 1, 1, 9, instant(0)), plainDelivery(id, 1, 4, 3, instant(5)), plainDelivery(id, 1, 3, 3, instant(9)),
		plainDelivery(id, 1, 6, 0, instant(1)), plainDelivery(id, 1, 5, 11, instant(1)), over,
		plainDelivery(id, 2, 8, 1, instant(0)), plainDelivery(other, 1, 9, 1, instant(0)))
	all := []webhook.DeliveryID{6, 3, 4, 1, 5}
	w.view(t, func(tx port.Tx) error {
		for n, want := range map[int][]webhook.DeliveryID{9: all, 5: all, 3: all[:3], 0: nil, -1: nil} {
			got, err := deliveryIDs(tx.Deliveries().Pending(id, 1, n))
			same(t, fmt.Sprint("pending, at most ", n), want, got)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func settleStores(t *testing.T, w *world) {
	id := w.site(t)
	d := plainDelivery(id, 1, 1, 4, instant(0))
	w.adds(t, d, plainDelivery(id, 1, 2, 5, instant(0)))
	stores := func(d webhook.Delivery, a *webhook.Attempt) {
		t.Helper()
		w.update(t, func(tx port.Tx) error { return settle(tx, d, a) })
	}
	holds := func(want webhook.Delivery, pending []webhook.DeliveryID, attempts ...webhook.Attempt) {
		t.Helper()
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Deliveries().Get(id, 1, 1)
			same(t, "delivery", want, got)
			ids, err2 := deliveryIDs(tx.Deliveries().Pending(id, 1, 9))
			same(t, "pending", pending, ids)
			made, err3 := tx.Deliveries().Attempts(id, 1, []webhook.DeliveryID{2, 1, 9, 1})
			same(t, "attempts", attempts, made[1])
			same(t, "deliveries with attempts", min(len(attempts), 1), len(made))
			return errors.Join(err, err2, err3)
		})
	}
	both, rest := []webhook.DeliveryID{1, 2}, []webhook.DeliveryID{2}
	holds(d, both)
	d.Due, d.Epoch = instant(3), 2
	stores(d, nil)
	holds(d, both)
	tenth, second, first := sampleAttempt(10), sampleAttempt(2), sampleAttempt(1)
	for _, a := range []*webhook.Attempt{&tenth, &second, &first} {
		d.Number++
		d.Failures, d.Reason, d.Due = d.Failures+1, awkward, instant(d.Number)
		stores(d, a)
	}
	holds(d, both, first, second, tenth)
	second = webhook.Attempt{Number: 2, URL: "https://y"}
	d.Status, d.Reason = webhook.Rejected, "no"
	over := d
	over.Due = instant(50) // which matters no more
	for range 2 {
		stores(over, &second)
		holds(d, rest, first, second, tenth)
	}
	d.Status = webhook.Pending
	stores(d, nil)
	holds(d, both, first, second, tenth)
}

// settledTogether has deliveries of several webhooks end in different ways at
// once.
func settledTogether(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	defer w.forget(t, id, 1, 2)
	defer w.forget(t, other, 1)
	var before []webhook.Delivery
	for n := range int64(7) {
		before = append(before, plainDelivery(id, 1, webhook.DeliveryID(n+1), n+1, old(int(n))))
	}
	w.adds(t, append(before, plainDelivery(id, 2, 9, 1, old(0)), plainDelivery(other, 1, 1, 1, old(0)))...)
	after := slices.Clone(before)
	attempts := map[webhook.DeliveryID][]webhook.Attempt{}
	var settled []webhook.Settled
	ends := func(i int, made bool, change func(*webhook.Delivery)) {
		change(&after[i])
		s := webhook.Settled{Delivery: after[i]}
		if made {
			a := sampleAttempt(i + 1)
			a.Excerpt = fmt.Sprint(awkward, i)
			s.Attempt, attempts[after[i].ID] = &a, []webhook.Attempt{a}
		}
		settled = append(settled, s)
	}
	succeeds := func(d *webhook.Delivery) { d.Status, d.Number = webhook.Succeeded, 1 }
	fails := func(d *webhook.Delivery) {
		d.Failures, d.Number, d.Epoch, d.Reason, d.Due = 1, 1, 3, awkward, old(70+int(d.ID))
	}
	ends(5, true, fails)
	ends(0, true, succeeds)
	ends(1, true, succeeds)
	ends(3, false, func(d *webhook.Delivery) { d.Status, d.Reason = webhook.Superseded, "later" })
	ends(4, true, fails)
	ends(2, true, succeeds)

	are := func(want []webhook.Delivery, attempts map[webhook.DeliveryID][]webhook.Attempt) {
		t.Helper()
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Deliveries().Many(id, 1, []webhook.DeliveryID{7, 3, 1, 3, 2, 4, 9, 5, 6, 99})
			same(t, "deliveries", want, got)
			made, err2 := tx.Deliveries().Attempts(id, 1, []webhook.DeliveryID{1, 2, 3, 4, 5, 6, 7, 9})
			same(t, "attempts", attempts, made)
			none, err3 := tx.Deliveries().Many(id, 1, nil)
			same(t, "deliveries of no ids", 0, len(none))
			listed, err4 := tx.Deliveries().List(port.DeliveryQuery{Site: id, Hook: 1, Limit: 99})
			slices.Reverse(listed)
			same(t, "deliveries in the log", want, listed)
			return errors.Join(err, err2, err3, err4)
		})
	}
	are(before, map[webhook.DeliveryID][]webhook.Attempt{})
	w.update(t, func(tx port.Tx) error { return tx.Deliveries().Settle(nil) })
	for what, move := range map[string]func(*webhook.Settled){
		"another webhook": func(s *webhook.Settled) { s.ID = 9 },
		"another site":    func(s *webhook.Settled) { s.Site, s.ID = other, 2 },
	} {
		err := w.Update(t.Context(), func(tx port.Tx) error {
			elsewhere := settled[1]
			move(&elsewhere)
			return tx.Deliveries().Settle(append(slices.Clone(settled), elsewhere))
		})
		if !errors.Is(err, fault.NotFound) {
			t.Errorf("with one of %s: %v", what, err)
		}
	}
	are(before, map[webhook.DeliveryID][]webhook.Attempt{})
	for _, k := range []webhook.Key{{Site: id, Hook: 2}, {Site: other, Hook: 1}} {
		d := plainDelivery(k.Site, k.Hook, 9, 1, old(0))
		if k.Site == other {
			d.ID = 1
		}
		succeeds(&d)
		settled = append(settled, webhook.Settled{Delivery: d})
	}
	for range 2 { // what is told twice is stored once
		w.update(t, func(tx port.Tx) error { return tx.Deliveries().Settle(settled) })
		are(after, attempts)
	}
	w.view(t, func(tx port.Tx) error {
		for _, s := range settled[len(settled)-2:] {
			got, err := tx.Deliveries().Get(s.Site, s.Hook, s.ID)
			if err != nil {
				return err
			}
			same(t, "a delivery of another webhook", s.Delivery, got)
		}
		return nil
	})
}

func cancelEnds(t *testing.T, w *world) {
	id := w.site(t)
	done := plainDelivery(id, 1, 3, 1, instant(0))
	done.Status, done.Reason = webhook.Succeeded, "before"
	w.adds(t, plainDelivery(id, 1, 1, 1, instant(0)), plainDelivery(id, 1, 2, 2, instant(5)), done, plainDelivery(id, 2, 4, 1, instant(0)))
	w.update(t, func(tx port.Tx) error {
		err := tx.Deliveries().Cancel(id, 1, awkward)
		got, err2 := tx.Deliveries().Pending(id, 1, 9)
		same(t, "pending in the unit", 0, len(got))
		return errors.Join(err, err2)
	})
	w.view(t, func(tx port.Tx) error {
		for _, want := range []webhook.Delivery{
			plainDelivery(id, 1, 1, 1, instant(0)).Cancel(awkward), plainDelivery(id, 1, 2, 2, instant(5)).Cancel(awkward), done,
			plainDelivery(id, 2, 4, 1, instant(0)),
		} {
			got, err := tx.Deliveries().Get(id, want.Hook, want.ID)
			if err != nil {
				return err
			}
			same(t, "delivery", want, got)
		}
		return nil
	})
}

func manyDeliveries(t *testing.T, w *world) {
	id := w.site(t)
	const n, hooks = 3210, 7
	var many []webhook.Delivery
	for i := range n {
		many = append(many, plainDelivery(id, webhook.ID(i%hooks+1), webhook.DeliveryID(i+1), int64(n-i), old(100+i%5)))
	}
	w.adds(t, many...)
	all := []webhook.ID{1, 2, 3, 4, 5, 6, 7}
	defer w.forget(t, id, all...)
	w.update(t, func(tx port.Tx) error {
		found := 0
		for _, hook := range all {
			pending, err := tx.Deliveries().Pending(id, hook, n)
			if err != nil {
				return err
			}
			found += len(pending)
			if !slices.IsSortedFunc(pending, func(a, b webhook.Delivery) int { return int(a.Event - b.Event) }) {
				t.Errorf("what is pending of webhook %d is not in order", hook)
			}
		}
		same(t, "pending", n, found)
		none, err := tx.Leases().Take("me", old(99), old(200), 100)
		same(t, "leases before the deliveries are due", 0, len(none))
		taken, err2 := tx.Leases().Take("me", old(100), old(200), 100)
		same(t, "leases", all, hookIDs(taken))
		return errors.Join(err, err2)
	})
}

func dueDeliveries(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	count := func(now time.Time, n int) (due int) {
		t.Helper()
		w.view(t, func(tx port.Tx) (err error) {
			due, err = tx.Deliveries().Due(now, n)
			return err
		})
		return due
	}
	// Other examples leave deliveries that are due.
	before := map[int]int{}
	for _, at := range []int{4, 5, 7, 9} {
		before[at] = count(old(at), 1<<30)
	}
	over := plainDelivery(id, 1, 5, 5, old(5))
	over.Status = webhook.Cancelled
	w.adds(t, plainDelivery(id, 1, 1, 1, old(5)), plainDelivery(id, 1, 2, 2, old(7)), plainDelivery(id, 2, 3, 1, old(7)),
		plainDelivery(other, 1, 4, 1, old(9)), over)
	for at, want := range map[int]int{4: 0, 5: 1, 7: 3, 9: 4} {
		same(t, fmt.Sprintf("due at %d", at), want, count(old(at), 1<<30)-before[at])
	}
	for _, n := range []int{2, 0, -1} {
		same(t, fmt.Sprintf("counted, at most %d", n), max(n, 0), count(old(9), n))
	}
	w.update(t, func(tx port.Tx) error { return tx.Deliveries().Cancel(id, 1, "over") })
	same(t, "due when some are cancelled", 2, count(old(9), 1<<30)-before[9])
	w.forget(t, id, 1, 2)
	w.forget(t, other, 1)
}

func attemptsByDelivery(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.adds(t, plainDelivery(id, 1, 1, 1, instant(0)), plainDelivery(id, 1, 2, 2, instant(0)), plainDelivery(id, 1, 3, 3, instant(0)),
		plainDelivery(other, 1, 1, 1, instant(0)))
	first, second := sampleAttempt(1), sampleAttempt(2)
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return settle(tx, plainDelivery(id, 1, 2, 2, instant(0)), &second) },
			func() error { return settle(tx, plainDelivery(id, 1, 2, 2, instant(0)), &first) },
			func() error { return settle(tx, plainDelivery(id, 1, 1, 1, instant(0)), &first) },
			func() error { return settle(tx, plainDelivery(other, 1, 1, 1, instant(0)), &second) },
		)
	})
	w.view(t, func(tx port.Tx) error {
		all, err := tx.Deliveries().Attempts(id, 1, []webhook.DeliveryID{3, 2, 1, 99})
		same(t, "attempts", map[webhook.DeliveryID][]webhook.Attempt{1: {first}, 2: {first, second}}, all)
		none, err2 := tx.Deliveries().Attempts(id, 1, nil)
		same(t, "attempts of nothing", 0, len(none))
		others, err3 := tx.Deliveries().Attempts(id, 2, []webhook.DeliveryID{2, 1})
		same(t, "attempts at another webhook", 0, len(others))
		return errors.Join(err, err2, err3)
	})
}

func logNarrows(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	var every []webhook.Delivery
	for i := range 40 {
		d := plainDelivery(id, 1, webhook.DeliveryID(i*3+1), int64(i), instant(0))
		d.Status, d.Type = webhook.Status(i)%webhook.Statuses, event.Types()[i%4]
		d.Resource, d.Added = int64(i%3+1), instant(i%10)
		every = append(every, d)
	}
	// Half of them have become what they are since they were added.
	added, settled := slices.Clone(every), []webhook.Settled{}
	for i := range added {
		if i/int(webhook.Statuses)%2 == 1 {
			added[i].Status = webhook.Pending
			settled = append(settled, webhook.Settled{Delivery: every[i]})
		}
	}
	w.adds(t, added...)
	w.update(t, func(tx port.Tx) error { return tx.Deliveries().Settle(settled) })
	w.adds(t, plainDelivery(id, 2, 500, 1, instant(0)), plainDelivery(other, 1, 501, 1, instant(0)))
	slices.Reverse(every)
	failed, pending := webhook.Failed, webhook.Pending
	for _, q := range []port.DeliveryQuery{
		{Limit: 100}, {Limit: 7}, {Limit: 7, Before: every[6].ID}, {Limit: 100, Before: 1}, {Limit: 0}, {Limit: -1},
		{Limit: 100, Status: &failed}, {Limit: 100, Status: &pending}, {Limit: 2, Status: &pending}, {Limit: 100, Type: "PRODUCT_DELETE"},
		{Limit: 100, Type: "product_delete"}, {Limit: 100, Resource: 2}, {Limit: 100, From: instant(4)}, {Limit: 100, To: instant(4)},
		{Limit: 100, From: instant(3), To: instant(4)}, {Limit: 100, From: instant(5), To: instant(5)}, {Limit: 100, From: instant(999)},
		{Limit: 100, Before: 1<<63 - 1}, {Limit: 100, Type: "PRODUCT_DELETE", Resource: 2},
		{Limit: 3, Status: &pending, Resource: 1, Before: 80, From: instant(0), To: instant(9)},
	} {
		q.Site, q.Hook = id, 1
		var want []webhook.Delivery
		for _, d := range every {
			if q.Limit > len(want) && (q.Before == 0 || d.ID < q.Before) && (q.Status == nil || d.Status == *q.Status) &&
				(q.Type == "" || string(d.Type) == q.Type) && (q.Resource == 0 || d.Resource == q.Resource) &&
				!d.Added.Before(q.From) && (q.To.IsZero() || d.Added.Before(q.To)) {
				want = append(want, d)
			}
		}
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Deliveries().List(q)
			same(t, fmt.Sprintf("%+v", q), want, got)
			return err
		})
	}
}

func deliveredSucceeded(t *testing.T, w *world) {
	id := w.site(t)
	for status := range webhook.Statuses {
		d := plainDelivery(id, 1, webhook.DeliveryID(status+1), int64(status), instant(0))
		d.Status = status
		w.adds(t, d)
	}
	again := plainDelivery(id, 1, 50, int64(webhook.Failed), instant(0))
	again.Status = webhook.Succeeded
	twice := again
	twice.ID = 51
	w.adds(t, again, twice)
	later := []webhook.Settled{accepted(plainDelivery(id, 1, 60, -1, instant(0))), accepted(plainDelivery(id, 1, 61, 1<<60, instant(0)))}
	w.adds(t, plainDelivery(id, 1, 60, -1, instant(0)), plainDelivery(id, 1, 61, 1<<60, instant(0)))
	w.update(t, func(tx port.Tx) error { return tx.Deliveries().Settle(later) })
	w.view(t, func(tx port.Tx) error {
		events := []int64{1 << 60, int64(webhook.Succeeded), 8, int64(webhook.Failed), 0, 99, int64(webhook.Succeeded), 2, 4, 5, -1}
		got, err := tx.Deliveries().DeliveredOrPending(id, 1, events)
		same(t, "events that got through, or are on their way", []int64{-1, int64(webhook.Pending), int64(webhook.Succeeded), int64(webhook.Failed), 1 << 60}, got)
		elsewhere, err2 := tx.Deliveries().DeliveredOrPending(id, 2, events)
		same(t, "events that got through to another webhook, or are on their way", 0, len(elsewhere))
		none, err3 := tx.Deliveries().DeliveredOrPending(id, 1, nil)
		same(t, "none of no events", 0, len(none))
		return errors.Join(err, err2, err3)
	})
}

func rejectionsStored(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	customer := sampleRejection(id, 1, 1)
	customer.Kind = "CUSTOMER"
	rejections := []webhook.Rejection{
		sampleRejection(id, 9, 1), sampleRejection(id, 1, 1), sampleRejection(id, 11, 1), sampleRejection(id, 1, 2), sampleRejection(other, 1, 1), customer,
	}
	w.update(t, func(tx port.Tx) error { return each(tx.Rejections().Put, rejections...) })
	holds := func(want ...webhook.Rejection) {
		t.Helper()
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Rejections().Many(id, "PRODUCT", []int64{1})
			same(t, "rejections", want, got)
			kept, err2 := tx.Rejections().Many(id, "CUSTOMER", []int64{1})
			same(t, "rejections of another resource", []webhook.Rejection{customer}, kept)
			return errors.Join(err, err2)
		})
	}
	holds(rejections[1], rejections[0], rejections[2])
	changed := webhook.Rejection{Site: id, Hook: 9, Kind: "PRODUCT", Resource: 1, Reason: "again"}
	w.update(t, func(tx port.Tx) error { return tx.Rejections().Put(changed) })
	holds(rejections[1], changed, rejections[2])
	clears := func(want bool, clear func(port.Rejections) (bool, error)) {
		t.Helper()
		w.update(t, func(tx port.Tx) error {
			found, err := clear(tx.Rejections())
			if found != want {
				t.Errorf("there was a rejection to clear: %t", found)
			}
			return err
		})
	}
	one := func(r port.Rejections) (bool, error) { return r.Clear(id, 1, "PRODUCT", 1) }
	clears(true, one)
	clears(false, one)
	holds(changed, rejections[2])
	w.view(t, func(tx port.Tx) error {
		several, err := tx.Rejections().Many(id, "PRODUCT", []int64{2, 7, 1, 2})
		same(t, "rejections of several resources", []webhook.Rejection{changed, rejections[2], rejections[3]}, several)
		none, err2 := tx.Rejections().Many(id, "PRODUCT", nil)
		same(t, "rejections of nothing", 0, len(none))
		for n, want := range map[int][]int64{-1: nil, 0: nil, 1: {1}, 2: {1, 2}, 9: {1, 2}} {
			rejected, err := tx.Rejections().Rejected(id, "PRODUCT", n)
			same(t, fmt.Sprint("rejected, at most ", n), want, rejected)
			if err != nil {
				return err
			}
		}
		return errors.Join(err, err2)
	})

	resource := func(r port.Rejections) (bool, error) { return r.ClearResource(id, "PRODUCT", 1) }
	clears(true, resource)
	clears(false, resource)
	holds()
	hook := func(r port.Rejections) (bool, error) { return r.ClearWebhook(id, 1) }
	clears(true, hook)
	clears(false, hook)
	w.view(t, func(tx port.Tx) error {
		kept, err := tx.Rejections().Many(other, "PRODUCT", []int64{1})
		same(t, "rejections of another site", []webhook.Rejection{rejections[4]}, kept)
		gone, err2 := tx.Rejections().Many(id, "CUSTOMER", []int64{1})
		same(t, "rejections of a webhook that were cleared", 0, len(gone))
		return errors.Join(err, err2)
	})
}

// purges removes three records of the ages old(5), old(7) and old(9), step by
// step.
func purges(t *testing.T, w *world, purge func(tx port.Tx, before time.Time, n int) (int, error), left func(port.Tx) ([]int, error)) {
	t.Helper()
	for _, step := range []struct {
		before  time.Time
		n, gone int
		left    []int
	}{
		{old(9), 0, 0, []int{5, 7, 9}}, {old(5), 9, 0, []int{5, 7, 9}}, {old(9), -1, 0, []int{5, 7, 9}}, {old(9), 1, 1, []int{7, 9}},
		{old(9), 9, 1, []int{9}}, {old(10), 9, 1, nil}, {old(10), 9, 0, nil},
	} {
		var gone int
		w.update(t, func(tx port.Tx) (err error) {
			gone, err = purge(tx, step.before, step.n)
			return err
		})
		same(t, "records purged", step.gone, gone)
		w.view(t, func(tx port.Tx) error {
			got, err := left(tx)
			slices.Sort(got)
			same(t, "records left", step.left, got)
			return err
		})
	}
}

func purgeDeliveries(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	made := func(s site.ID, n int, status webhook.Status) webhook.Delivery {
		d := plainDelivery(s, 1, webhook.DeliveryID(n), int64(n), instant(0))
		d.Status, d.Added = status, old(n)
		return d
	}
	added := []webhook.Delivery{
		made(id, 7, webhook.Failed), made(other, 5, webhook.Succeeded), made(id, 9, webhook.Cancelled), made(id, 1, webhook.Pending),
		plainDelivery(other, 1, 7, 1, instant(0)), // its number is that of one that goes
	}
	w.adds(t, added...)
	w.update(t, func(tx port.Tx) error {
		for _, d := range added {
			for n := range 3 {
				a := sampleAttempt(n)
				if err := settle(tx, d, &a); err != nil {
					return err
				}
			}
		}
		return nil
	})
	purges(t, w, func(tx port.Tx, before time.Time, n int) (int, error) { return tx.Deliveries().Purge(before, n) },
		func(tx port.Tx) (left []int, err error) {
			for _, d := range added {
				_, err := tx.Deliveries().Get(d.Site, 1, d.ID)
				found, err2 := tx.Deliveries().Attempts(d.Site, 1, []webhook.DeliveryID{d.ID})
				attempts := found[d.ID]
				if err2 != nil || len(attempts) != 3 && len(attempts) != 0 || (err == nil) != (len(attempts) > 0) {
					t.Errorf("delivery %d of site %d: %v, with %d attempts, %v", d.ID, d.Site, err, len(attempts), err2)
				}
				switch lasts := d.ID == 1 || d.Site == other && d.ID == 7; {
				case err == nil && !lasts:
					left = append(left, int(d.ID))
				case err != nil && lasts:
					t.Errorf("delivery %d of site %d went", d.ID, d.Site)
				}
			}
			return left, nil
		})
}

func purgeByID(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	all := []webhook.Delivery{ // in the order in which they go
		plainDelivery(id, 3, 5, 1, old(1)), plainDelivery(id, 1, 6, 1, old(1)), plainDelivery(id, 2, 7, 1, old(1)), plainDelivery(other, 1, 4, 1, old(1)),
	}
	for i := range all {
		all[i].Status, all[i].Added = webhook.Succeeded, old(1)
	}
	pending := plainDelivery(id, 1, 1, 1, old(1))
	pending.Added = old(1)
	w.adds(t, append(all, pending)...)
	defer w.forget(t, id, 1)
	for _, n := range []int{1, 2, 9} {
		due := min(n, len(all))
		w.update(t, func(tx port.Tx) error {
			gone, err := tx.Deliveries().Purge(old(2), n)
			same(t, "purged", due, gone)
			return err
		})
		all = all[due:]
		var left []webhook.Delivery
		w.view(t, func(tx port.Tx) error {
			for _, key := range []webhook.Key{{Site: id, Hook: 3}, {Site: id, Hook: 1}, {Site: id, Hook: 2}, {Site: other, Hook: 1}} {
				found, err := tx.Deliveries().List(port.DeliveryQuery{Site: key.Site, Hook: key.Hook, Limit: 9})
				if err != nil {
					return err
				}
				left = append(left, found...)
			}
			return nil
		})
		left = slices.DeleteFunc(left, func(d webhook.Delivery) bool { return d == pending })
		same(t, fmt.Sprintf("what is left when %d more were purged", due), all, left)
	}
	w.view(t, func(tx port.Tx) error {
		kept, err := tx.Deliveries().Get(id, 1, 1)
		same(t, "what is pending", pending, kept)
		return err
	})
}

func purgeEvents(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.update(t, func(tx port.Tx) error {
		for _, step := range []struct {
			site     site.ID
			at       time.Time
			resource int64
		}{{id, old(5), 5}, {id, old(7), 7}, {id, instant(0), 0}, {other, old(9), 9}} {
			if _, err := tx.Ledger().Append(step.site, step.at, []event.Event{{Type: event.ProductUpdate, Resource: step.resource}}); err != nil {
				return err
			}
		}
		return nil
	})
	purges(t, w, func(tx port.Tx, before time.Time, n int) (int, error) { return tx.Ledger().Purge(before, n) },
		func(tx port.Tx) (left []int, err error) {
			for _, s := range []site.ID{id, other} {
				found, err := tx.Ledger().After(s, 0, 99)
				if err != nil {
					return nil, err
				}
				for _, e := range found {
					if e.Resource != 0 {
						left = append(left, int(e.Resource))
					}
				}
			}
			return left, nil
		})
	same(t, "head", port.Head{Seq: 3}, w.head(t, id))
	w.update(t, func(tx port.Tx) error {
		for s, want := range map[site.ID]int64{id: 4, other: 2} {
			last, err := tx.Ledger().Append(s, instant(0), someEvents(1))
			if err != nil {
				return err
			}
			same(t, "the sequence that follows", want, last.Seq)
		}
		return nil
	})
}

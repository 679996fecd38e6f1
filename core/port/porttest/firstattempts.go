package porttest

import (
	"context"
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

// firstAttemptExamples are about deliveries that got through at the first attempt, as nearly
// all do, beside others.
func firstAttemptExamples() []example {
	return []example{
		{"FirstAttemptsComeBackAsTheyWentIn", firstAttemptsComeBack},
		{"FirstAttemptsAreListedAmongTheRest", firstAttemptsListed},
		{"FirstAttemptsAreSettledAgain", firstAttemptsAgain},
		{"PurgeCutsThroughFirstAttempts", purgeFirstAttempts},
		{"WhatWasSaidIsForgottenOfFirstAttempts", forgetFirstAttempts},
	}
}

// accepted is what became of a delivery that got through at the first attempt.
func accepted(d webhook.Delivery) webhook.Settled {
	d.Status, d.Number, d.Failures, d.Reason = webhook.Succeeded, 1, 0, ""
	return webhook.Settled{Delivery: d, Attempt: &webhook.Attempt{
		Number: 1, At: d.At.Add(time.Duration(d.ID%1000) * time.Millisecond), URL: "https://x", Status: 200 + int(d.ID%3), Duration: time.Duration(d.ID) * 1234567,
		Excerpt: []string{"", "ok", awkward}[d.ID%3],
	}}
}

// kept is all that is kept of the deliveries of some webhooks of a site.
type kept struct {
	listed   [][]webhook.Delivery
	attempts map[webhook.DeliveryID][]webhook.Attempt
}

// logs reads the logs of webhooks by pages, and what else answers with deliveries.
func (w *world) logs(t *testing.T, id site.ID, hooks ...webhook.ID) kept {
	t.Helper()
	k := kept{attempts: map[webhook.DeliveryID][]webhook.Attempt{}}
	w.view(t, func(tx port.Tx) error {
		for _, hook := range hooks {
			var all []webhook.Delivery
			q := port.DeliveryQuery{Site: id, Hook: hook, Limit: 7}
			for {
				page, err := tx.DeliveryLog().List(q)
				if err != nil {
					return err
				}
				if len(page) == 0 {
					break
				}
				all, q.Before = append(all, page...), page[len(page)-1].ID
			}
			var ids []webhook.DeliveryID
			for _, d := range all {
				ids = append(ids, d.ID)
				got, err := tx.Deliveries().Get(id, hook, d.ID)
				same(t, "a delivery of the log", d, got)
				if err != nil {
					return err
				}
			}
			slices.Reverse(all)
			many, err := tx.Deliveries().Many(id, hook, ids)
			same(t, "many deliveries of the log", all, many)
			made, err2 := tx.DeliveryLog().Attempts(id, ids)
			for d, attempts := range made {
				k.attempts[d] = attempts
			}
			k.listed = append(k.listed, all)
			if err := errors.Join(err, err2); err != nil {
				return err
			}
		}
		return nil
	})
	return k
}

func firstAttemptsComeBack(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	defer w.forget(t, id, 1, 2)
	awkwardly := sampleDelivery(id, 1, 4)
	awkwardly.Number, awkwardly.Failures, awkwardly.Reason = 0, 0, ""
	far := plainDelivery(id, 1, 1<<45, -1, time.Time{})
	far.At, far.Added, far.Epoch, far.Resource = time.Time{}, instant(9), -1<<60, -1<<62
	added := []webhook.Delivery{
		{ID: 1, Site: id, Hook: 1}, plainDelivery(id, 1, 2, 1<<60, instant(1)), awkwardly, far,
		plainDelivery(id, 1, 3, 2, instant(2)), plainDelivery(id, 1, 1<<45+1, 2, old(2)), plainDelivery(id, 2, 5, 2, instant(2)), plainDelivery(id, 2, 6, 2, instant(2)),
	}
	added[1].Message = fmt.Sprintf("evt_%d_%d", id, added[1].Event)
	w.adds(t, added...)
	want := kept{listed: make([][]webhook.Delivery, 3), attempts: map[webhook.DeliveryID][]webhook.Attempt{}}
	var settled []webhook.Settled
	for _, d := range added {
		s := accepted(d)
		if d.ID == 2 {
			s.Attempt.URL = "https://another"
		}
		if d.ID == 1<<45 {
			s.Attempt.At = time.Time{}
		}
		settled = append(settled, s)
		want.listed[d.Hook-1] = append(want.listed[d.Hook-1], s.Delivery)
		want.attempts[d.ID] = []webhook.Attempt{*s.Attempt}
	}
	for _, of := range want.listed {
		slices.SortFunc(of, func(a, b webhook.Delivery) int { return int(a.ID - b.ID) })
	}
	w.update(t, func(tx port.Tx) error { return tx.Deliveries().Settle(settled) })
	got := w.logs(t, id, 1, 2, 3)
	same(t, "deliveries", want.listed, got.listed)
	same(t, "attempts", want.attempts, got.attempts)
	for what, way := range map[string]func(port.Tx) error{
		"one between them":   func(tx port.Tx) error { _, err := tx.Deliveries().Get(id, 1, 1<<44); return err },
		"of another webhook": func(tx port.Tx) error { _, err := tx.Deliveries().Get(id, 2, 3); return err },
		"of another site":    func(tx port.Tx) error { _, err := tx.Deliveries().Get(other, 1, 3); return err },
		"beyond all numbers": func(tx port.Tx) error { _, err := tx.Deliveries().Get(id, 1, 1<<63-1); return err },
		"before all numbers": func(tx port.Tx) error { _, err := tx.Deliveries().Get(id, 1, -1<<63); return err },
		"settled beside them": func(tx port.Tx) error {
			return tx.Deliveries().Settle([]webhook.Settled{accepted(plainDelivery(id, 1, 7, 1, old(0)))})
		},
	} {
		w.notFound(t, what, way)
	}
	w.view(t, func(tx port.Tx) error {
		pending, err := tx.Deliveries().Pending(id, 1, 9)
		same(t, "pending", 0, len(pending))
		all, err2 := tx.DeliveryLog().List(port.DeliveryQuery{Site: id, Hook: 1, Limit: 99, Before: 1<<63 - 1})
		same(t, "before the last number", len(want.listed[0]), len(all))
		got, err3 := tx.DeliveryLog().Delivered(id, 1, []int64{-1, 1 << 60, 7, 2, 0})
		same(t, "delivered events", []int64{-1, 0, 2, 1 << 60}, got)
		return errors.Join(err, err2, err3)
	})
}

// mixed adds deliveries to two webhooks, and has most of them get through at once, some of
// them later, and some not at all.
func (w *world) mixed(t *testing.T, id site.ID, n int) (all []webhook.Delivery) {
	t.Helper()
	for i := range n {
		d := plainDelivery(id, webhook.ID(1+i%2), webhook.DeliveryID(i*3+1), int64(i), old(0))
		d.Type, d.Resource = []event.Type{event.ProductUpdate, event.ProductCreate, event.CustomerUpdate}[i%3], int64(i%5)
		d.Added = instant(i / 4)
		all = append(all, d)
	}
	w.adds(t, all...)
	var together []webhook.Settled
	for i := range all {
		switch d := &all[i]; {
		case i%7 == 3: // still pending
		case i%11 == 5:
			d.Status, d.Reason = webhook.Rejected, awkward
			a := sampleAttempt(1)
			w.update(t, func(tx port.Tx) error { return settle(tx, *d, &a) })
		default:
			s := accepted(*d)
			*d, together = s.Delivery, append(together, s)
		}
	}
	// What comes back first was not sent first.
	for shift := range 3 {
		var some []webhook.Settled
		for i, s := range together {
			if i/10%3 == shift {
				some = append(some, s)
			}
		}
		slices.Reverse(some)
		w.update(t, func(tx port.Tx) error { return tx.Deliveries().Settle(some) })
	}
	return all
}

func firstAttemptsListed(t *testing.T, w *world) {
	id := w.site(t)
	defer w.forget(t, id, 1, 2)
	all := w.mixed(t, id, 240)
	succeeded, pending := webhook.Succeeded, webhook.Pending
	for i, q := range []port.DeliveryQuery{
		{}, {Status: &succeeded}, {Status: &pending}, {Type: string(event.ProductCreate)}, {Resource: 3}, {Type: string(event.CustomerUpdate), Resource: 2},
		{From: instant(7)}, {To: instant(40)}, {From: instant(7), To: instant(9)}, {Status: &succeeded, From: instant(50), Resource: 1}, {From: instant(999)},
	} {
		w.view(t, func(tx port.Tx) error {
			for n, limit := range []int{1, 3, 50, 1000, 0, -1} {
				for _, before := range []webhook.DeliveryID{0, 1, 91, 300, 400, 700} {
					hook := webhook.ID(1 + (i+n)%3)
					q.Site, q.Hook, q.Limit, q.Before = id, hook, limit, before
					var want []webhook.Delivery
					for _, d := range slices.Backward(all) {
						if len(want) < limit && d.Hook == hook && (before == 0 || d.ID < before) && (q.Status == nil || d.Status == *q.Status) &&
							(q.Type == "" || string(d.Type) == q.Type) && (q.Resource == 0 || d.Resource == q.Resource) &&
							!d.Added.Before(q.From) && (q.To.IsZero() || d.Added.Before(q.To)) {
							want = append(want, d)
						}
					}
					got, err := tx.DeliveryLog().List(q)
					same(t, fmt.Sprintf("query %d of webhook %d, %d before %d", i, hook, limit, before), want, got)
					if err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
}

func firstAttemptsAgain(t *testing.T, w *world) {
	id := w.site(t)
	all := w.mixed(t, id, 60)
	defer w.forget(t, id, 1, 2)
	before := w.logs(t, id, 1, 2)
	again := all[18]
	if again.Status != webhook.Succeeded || again.Hook != 1 || event.IsPersonal(again.Type.Resource()) {
		t.Fatalf("it is %+v", again)
	}
	failed := again
	failed.Status, failed.Number, failed.Failures, failed.Reason, failed.Due = webhook.Pending, 2, 1, awkward, old(9)
	second := sampleAttempt(2)
	w.update(t, func(tx port.Tx) error { return settle(tx, failed, &second) })
	first := before.attempts[again.ID][0]
	want := func(d webhook.Delivery, attempts ...webhook.Attempt) {
		t.Helper()
		got := w.logs(t, id, 1, 2)
		i := slices.IndexFunc(before.listed[0], func(d webhook.Delivery) bool { return d.ID == again.ID })
		before.listed[0][i], before.attempts[again.ID] = d, attempts
		same(t, "deliveries", before.listed, got.listed)
		same(t, "attempts", before.attempts, got.attempts)
	}
	want(failed, first, second)
	w.view(t, func(tx port.Tx) error {
		pending, err := tx.Deliveries().Pending(id, 1, 99)
		if !slices.Contains(pending, failed) {
			t.Error("it is not pending again")
		}
		return err
	})
	// The same result, told twice, is what it was.
	once := accepted(again)
	once.Due = failed.Due
	for range 2 {
		w.update(t, func(tx port.Tx) error { return tx.Deliveries().Settle([]webhook.Settled{once}) })
	}
	want(once.Delivery, *once.Attempt, second)
}

func purgeFirstAttempts(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	var left []webhook.Delivery
	for _, s := range []site.ID{other, id} {
		var settled []webhook.Settled
		for i := range 20 {
			d := plainDelivery(s, 1, webhook.DeliveryID(i+1), int64(i), old(0))
			d.Added = old(i / 3)
			switch i % 5 {
			case 1: // stays pending
				w.adds(t, d)
				continue
			case 2:
				d.Status = webhook.Cancelled
				w.adds(t, d)
			default:
				w.adds(t, d)
				a := accepted(d)
				d, settled = a.Delivery, append(settled, a)
			}
			left = append(left, d)
		}
		w.update(t, func(tx port.Tx) error { return tx.Deliveries().Settle(settled) })
		defer w.forget(t, s, 1)
	}
	slices.SortStableFunc(left, func(a, b webhook.Delivery) int {
		if by := a.Added.Compare(b.Added); by != 0 {
			return by
		}
		if a.Site != b.Site {
			return int(a.Site - b.Site)
		}
		return int(a.ID - b.ID)
	})
	for n := 0; ; n = n%4 + 1 {
		var gone int
		w.update(t, func(tx port.Tx) (err error) {
			gone, err = tx.DeliveryLog().Purge(old(5), n)
			return err
		})
		due := 0
		for due < min(n, len(left)) && left[due].Added.Before(old(5)) {
			due++
		}
		same(t, fmt.Sprintf("purged of %d", n), due, gone)
		left = left[due:]
		for _, s := range []site.ID{id, other} {
			listed := w.logs(t, s, 1)
			over := slices.DeleteFunc(listed.listed[0], func(d webhook.Delivery) bool { return d.Status == webhook.Pending })
			var want []webhook.Delivery
			for _, d := range left {
				if d.Site == s {
					want = append(want, d)
				}
			}
			same(t, "left", want, over)
			for _, d := range over {
				if d.Status == webhook.Succeeded && len(listed.attempts[d.ID]) != 1 {
					t.Errorf("delivery %d has %d attempts", d.ID, len(listed.attempts[d.ID]))
				}
			}
			same(t, "attempts of what is gone", true, len(listed.attempts) <= len(want))
		}
		if n > 0 && due == 0 {
			return
		}
	}
}

func forgetFirstAttempts(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	defer w.forget(t, id, 1, 2)
	defer w.forget(t, other, 1, 2)
	w.mixed(t, id, 60)
	w.mixed(t, other, 60)
	before, elsewhere := w.logs(t, id, 1, 2), w.logs(t, other, 1, 2)
	w.update(t, func(tx port.Tx) error {
		return errors.Join(tx.DeliveryLog().Forget(id, "PRODUCT", []int64{3, 4}), tx.DeliveryLog().Forget(id, "PRODUCT", nil))
	})
	said := 0
	for _, of := range before.listed {
		for i, d := range of {
			if d.Type.Resource() != "PRODUCT" || d.Resource != 3 && d.Resource != 4 {
				continue
			}
			of[i].Reason = ""
			for j := range before.attempts[d.ID] {
				if before.attempts[d.ID][j].Excerpt != "" {
					said++
				}
				before.attempts[d.ID][j].Excerpt = ""
			}
		}
	}
	if said < 3 {
		t.Fatalf("receivers said something only %d times", said)
	}
	same(t, "what is kept", before.attempts, w.logs(t, id, 1, 2).attempts)
	same(t, "deliveries", before.listed, w.logs(t, id, 1, 2).listed)
	same(t, "what is kept elsewhere", elsewhere.attempts, w.logs(t, other, 1, 2).attempts)
}

// settledAtOnce has several settle the same deliveries, as when leases were lost.
func settledAtOnce(t *testing.T, w *world) {
	id := w.site(t)
	defer w.forget(t, id, 1)
	var added []webhook.Delivery
	for n := range 12 {
		added = append(added, plainDelivery(id, 1, webhook.DeliveryID(n+1), int64(n), old(0)))
	}
	for round := range rounds {
		w.adds(t, added...)
		together(t, 4, func(ctx context.Context, i int) error {
			var settled []webhook.Settled
			for _, d := range added {
				settled = append(settled, accepted(d))
			}
			return w.Update(ctx, func(tx port.Tx) error { return tx.Deliveries().Settle(settled[i:]) })
		})
		got := w.logs(t, id, 1)
		if len(got.listed[0]) != (round+1)*len(added) {
			t.Fatalf("there are %d deliveries after %d rounds", len(got.listed[0]), round+1)
		}
		for i, d := range got.listed[0][round*len(added):] {
			same(t, "a delivery", accepted(added[i]).Delivery, d)
			same(t, "its attempts", []webhook.Attempt{*accepted(added[i]).Attempt}, got.attempts[d.ID])
		}
		for i := range added {
			added[i].ID += 20
		}
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
				listed, err := tx.DeliveryLog().List(port.DeliveryQuery{Site: id, Hook: 1, Limit: 1000})
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

package deliver_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// audited is a store that notes which webhooks results are stored for, unit by
// unit, and refuses to store those of several at once when told to.
type audited struct {
	port.Store
	alone bool
	// slow has the results of several at once wait for what never comes.
	slow bool

	mu       sync.Mutex
	units    [][]webhook.ID
	extended int
	twice    int // deliveries that were given twice in one unit
}

func (a *audited) Update(ctx context.Context, unit func(port.Tx) error) error {
	return a.Store.Update(ctx, func(tx port.Tx) error { return unit(port.Tx{Roles: auditedTx{tx.Roles, a, ctx}}) })
}

// together is how many webhooks had results stored in one unit, at most.
func (a *audited) together() (most int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, hooks := range a.units {
		most = max(most, len(hooks))
	}
	return most
}

type auditedTx struct {
	port.Roles
	by  *audited
	ctx context.Context
}

func (t auditedTx) Deliveries() port.Deliveries {
	return auditedDeliveries{t.Roles.Deliveries(), t.by, t.ctx}
}
func (t auditedTx) Webhooks() port.Webhooks { return auditedLeases{t.Roles.Webhooks(), t.by} }

type auditedDeliveries struct {
	port.Deliveries
	by  *audited
	ctx context.Context
}

func (d auditedDeliveries) Settle(settled []webhook.Settled) error {
	var hooks []webhook.ID
	given := map[webhook.DeliveryID]bool{}
	for _, s := range settled {
		hooks, given[s.ID] = append(hooks, s.Hook), true
	}
	slices.Sort(hooks)
	hooks = slices.Compact(hooks)
	d.by.mu.Lock()
	d.by.units = append(d.by.units, hooks)
	d.by.twice += len(settled) - len(given)
	d.by.mu.Unlock()
	if d.by.alone && len(hooks) > 1 {
		return errBroken
	}
	if d.by.slow && len(hooks) > 1 {
		<-d.ctx.Done()
		return d.ctx.Err()
	}
	return d.Deliveries.Settle(settled)
}

type auditedLeases struct {
	port.Webhooks
	by *audited
}

func (t auditedLeases) Extend(lease webhook.Lease, until time.Time) error {
	t.by.mu.Lock()
	t.by.extended++
	t.by.mu.Unlock()
	return t.Webhooks.Extend(lease, until)
}

// gathering lets results wait for others.
func gathering(o *deliver.Options) {
	o.Gather = func() <-chan time.Time { return time.After(2 * time.Millisecond) }
}

// steadily accepts everything, a millisecond after it came, and counts how often
// it came.
func steadily(w *world, each func(n int, r webhook.Request)) (send port.Sender, times func() map[string]int) {
	var mu sync.Mutex
	came, n := map[string]int{}, 0
	return sending(func(_ context.Context, r webhook.Request) webhook.Answer {
			time.Sleep(time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			n++
			came[fmt.Sprint(r.Hook, tells(r))]++
			each(n, r)
			return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
		}), func() map[string]int {
			mu.Lock()
			defer mu.Unlock()
			return came
		}
}

func nothing(int, webhook.Request) {}

// delivered checks that webhooks were told of so many events, each of them once.
func (w *world) delivered(hooks []webhook.ID, events int, came map[string]int) {
	w.T.Helper()
	for _, id := range hooks {
		got := w.statuses(id)
		if len(got) != events || !allAre(got, "succeeded") {
			w.T.Errorf("the deliveries of %d are %v", id, got)
		}
	}
	if len(came) != events*len(hooks) {
		w.T.Errorf("%d deliveries came, not %d", len(came), events*len(hooks))
	}
	for what, times := range came {
		if times != 1 {
			w.T.Errorf("%s came %d times", what, times)
		}
	}
}

func TestWhatGotThroughToSeveralWebhooksIsStoredTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &audited{Store: memstore.New()}
		w := newWorldOver(t, store)
		var hooks []webhook.ID
		for range 3 {
			hooks = append(hooks, w.subscribe(hookFor("PRODUCT_CREATE")))
		}
		for range 40 {
			w.create()
		}
		send, came := steadily(w, nothing)
		_, stop := w.dispatchingBy(send, gathering)
		time.Sleep(time.Second)
		stop()
		w.delivered(hooks, 40, came())
		if n := store.together(); n < 2 {
			t.Errorf("results of %d webhooks are stored together", n)
		}
		if n := len(store.units); n > 60 {
			t.Errorf("storing 120 results takes %d units", n)
		}
	})
}

// What cannot be stored together is stored one by one, and nothing is sent again.
func TestWhatCannotBeStoredTogetherIsStoredAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &audited{Store: memstore.New(), alone: true}
		w := newWorldOver(t, store)
		hooks := []webhook.ID{w.subscribe(hookFor("PRODUCT_CREATE")), w.subscribe(hookFor("PRODUCT_CREATE"))}
		for range 40 {
			w.create()
		}
		complaints := make(troubles, 100)
		send, came := steadily(w, nothing)
		_, stop := w.dispatchingBy(send, func(o *deliver.Options) {
			gathering(o)
			o.Observe = complaints
		})
		time.Sleep(time.Second)
		stop()
		w.delivered(hooks, 40, came())
		if len(complaints) == 0 || !errors.Is(<-complaints, errBroken) {
			t.Error("the trouble is not told")
		}
	})
}

// flushing is a store that takes a while to put a unit on its disk, in which others
// can be written. It counts those that store what came of several webhooks.
type flushing struct {
	port.Store

	mu        sync.Mutex
	now, most int
}

func (f *flushing) Update(ctx context.Context, unit func(port.Tx) error) error {
	by := &audited{}
	if err := f.Store.Update(ctx, func(tx port.Tx) error { return unit(port.Tx{Roles: auditedTx{tx.Roles, by, ctx}}) }); err != nil || by.together() < 2 {
		return err
	}
	f.mu.Lock()
	f.now++
	f.most = max(f.most, f.now)
	f.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	f.mu.Lock()
	f.now--
	f.mu.Unlock()
	return nil
}

func TestResultsAreStoredWhileThoseBeforeAreFlushed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &flushing{Store: memstore.New()}
		w := newWorldOver(t, store)
		var hooks []webhook.ID
		for range 12 {
			hooks = append(hooks, w.subscribe(hookFor("PRODUCT_CREATE")))
		}
		for range 60 {
			w.create()
		}
		send, came := steadily(w, nothing)
		_, stop := w.dispatchingBy(send, gathering)
		time.Sleep(10 * time.Second)
		stop()
		w.delivered(hooks, 60, came())
		if store.most != 2 {
			t.Errorf("%d units are flushed at a time, not 2", store.most)
		}
	})
}

// Another unit of work may hold a delivery of one of them for long.
func TestNobodyWaitsLongForWhatCannotBeStoredTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &audited{Store: memstore.New()}
		w := newWorldOver(t, store)
		hooks := []webhook.ID{w.subscribe(hookFor("PRODUCT_CREATE")), w.subscribe(hookFor("PRODUCT_CREATE"))}
		for range 20 {
			w.create()
		}
		store.slow = true
		send, came := steadily(w, nothing)
		_, stop := w.dispatchingBy(send, gathering)
		time.Sleep(10 * time.Second)
		w.delivered(hooks, 20, came())
		stop()
		if store.together() != 2 {
			t.Error("nothing was to be stored together")
		}
	})
}

// beside has another webhook of site 1 served, whose receiver answers nothing
// until goOn is closed: the completer gathers only where there may be more.
func (w *world) beside(send port.Sender, goOn <-chan time.Time) port.Sender {
	w.T.Helper()
	slow := w.subscribe(hookFor("PRODUCT_DELETE"))
	w.remove(1)
	return sending(func(ctx context.Context, r webhook.Request) webhook.Answer {
		if r.Hook == slow {
			<-goOn
		}
		return send.Send(ctx, r)
	})
}

// A process that stood still finds that others went on, and leaves what they
// stored as it is.
func TestWhatComesOfALostLeaseIsNotStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New()
		w := newWorldOver(t, store)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		for range 20 {
			w.create()
		}
		goOn, stands := make(chan time.Time), atomic.Bool{}
		send, _ := steadily(w, nothing)
		_, stop := w.dispatchingBy(w.beside(send, goOn), func(o *deliver.Options) {
			o.Gather = func() <-chan time.Time { stands.Store(true); return goOn }
		})
		time.Sleep(100 * time.Millisecond)
		if !stands.Load() {
			t.Fatal("the first process gathers nothing")
		}
		w.Clock.Advance(31 * time.Second)
		_, stopOther := serviceOver(t, store, w.Clock).dispatchingBy(sending(func(context.Context, webhook.Request) webhook.Answer {
			return webhook.Answer{Verdict: webhook.Refused, Status: 422, Reason: "a duplicate"}
		}), gathering)
		time.Sleep(time.Second)
		close(goOn)
		time.Sleep(time.Second)
		stop()
		stopOther()
		if got := w.statuses(id); len(got) != 20 || !allAre(got, "rejected") {
			t.Errorf("the deliveries are %v", got)
		}
	})
}

// A process that stood still may lose a lease to itself.
func TestWhatComesOfALostLeaseIsNotStoredWithWhatCameSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &audited{Store: memstore.New()}
		w := newWorldOver(t, store)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		for range 20 {
			w.create()
		}
		goOn, stands := make(chan time.Time), atomic.Bool{}
		send, came := steadily(w, nothing)
		tick, stop := w.dispatchingBy(w.beside(send, goOn), func(o *deliver.Options) {
			o.PerWebhook = 1
			o.Gather = func() <-chan time.Time {
				if stands.Swap(true) {
					return time.After(2 * time.Millisecond)
				}
				return goOn
			}
		})
		time.Sleep(100 * time.Millisecond)
		w.Clock.Advance(31 * time.Second)
		tick <- time.Time{}
		time.Sleep(100 * time.Millisecond)
		close(goOn)
		time.Sleep(time.Second)
		stop()
		if got := w.statuses(id); len(got) != 20 || !allAre(got, "succeeded") || len(came()) != 21 || store.twice > 0 {
			t.Errorf("the deliveries are %v, and %d results were stored twice", got, store.twice)
		}
	})
}

func TestALeaseLastsThroughABacklog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &audited{Store: memstore.New()}
		w := newWorldOver(t, store)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		for range 50 {
			w.create()
		}
		send, came := steadily(w, func(int, webhook.Request) { w.Clock.Advance(time.Second) })
		_, stop := w.dispatchingBy(send, gathering)
		tick, stopOther := serviceOver(t, store, w.Clock).dispatchingBy(send, asUsual)
		for range 40 {
			time.Sleep(time.Millisecond)
			tick <- time.Time{}
		}
		time.Sleep(time.Second)
		stop()
		stopOther()
		w.delivered([]webhook.ID{id}, 50, came())
		if store.extended < 2 {
			t.Errorf("in 50 seconds the lease of 30 was extended %d times", store.extended)
		}
	})
}

func TestW21_ABacklogRejectsAndClears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		var products []int64
		for range 40 {
			products = append(products, w.create())
		}
		refused, healed := products[20], products[30]
		id := w.subscribe(hookFor("PRODUCT_UPDATE"))
		w.change(refused)
		w.change(healed)
		_, stop := w.dispatchingBy(apitest.NewReceiver(webhook.Refused, webhook.Refused), gathering)
		time.Sleep(time.Second)
		stop()
		for _, product := range []int64{refused, healed} {
			if got := w.rejections(product); len(got) != 1 {
				t.Fatalf("the product shows %+v", got)
			}
		}
		for _, product := range products {
			w.change(product)
		}
		// Refused once more, and then accepted, in one lane; and others for the first
		// time, of which one gets through after all.
		w.change(refused)
		w.change(refused)
		fresh, passing := products[10], products[15]
		w.change(passing)
		told := map[int64]int{}
		var mu sync.Mutex
		_, stop = w.dispatchingBy(sending(func(_ context.Context, r webhook.Request) webhook.Answer {
			time.Sleep(time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			about := tells(r).Resource
			told[about]++
			if about == refused && told[about] == 2 || about == fresh || about == passing && told[about] == 1 {
				return webhook.Answer{Verdict: webhook.Refused, Status: 422, Reason: "a duplicate"}
			}
			return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
		}), gathering)
		time.Sleep(time.Second)
		stop()
		for product, want := range map[int64]int{refused: 0, healed: 0, passing: 0, fresh: 1, products[0]: 0} {
			if got := w.rejections(product); len(got) != want {
				t.Errorf("after %d deliveries product %d shows %+v", told[product], product, got)
			}
		}
		if got := w.statuses(id); slices.Contains(got, "pending") {
			t.Errorf("the deliveries are %v", got)
		}
	})
}

func TestW31_ABacklogWaitsForNoSlowAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		for range 40 {
			w.create()
		}
		answer, held := make(chan struct{}), atomic.Bool{}
		send, came := steadily(w, nothing)
		_, stop := w.dispatchingBy(sending(func(ctx context.Context, r webhook.Request) webhook.Answer {
			if !held.Swap(true) {
				<-answer
			}
			return send.Send(ctx, r)
		}), func(o *deliver.Options) {
			gathering(o)
			o.Batch = 10
		})
		time.Sleep(time.Second)
		if n := len(came()); n != 39 {
			t.Errorf("beside a slow answer %d of 39 others came", n)
		}
		close(answer)
		time.Sleep(time.Second)
		stop()
		w.delivered([]webhook.ID{id}, 40, came())
	})
}

func TestW30_ABacklogGoesWhereAnUpdateSays(t *testing.T) {
	const before, after = "https://portal.example.org/in", "https://portal.example.org/new"
	for what, change := range map[string]func(*world, webhook.ID){
		"moved":   func(w *world, id webhook.ID) { w.update(id, movedTo(after)) },
		"deleted": (*world).unsubscribe,
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t)
			id := w.subscribe(hookFor("PRODUCT_CREATE"))
			for range 100 {
				w.create()
			}
			sent := map[string]int{}
			send, _ := steadily(w, func(n int, r webhook.Request) {
				sent[r.URL]++
				if n == 20 {
					change(w, id)
				}
			})
			_, stop := w.dispatchingBy(send, gathering)
			time.Sleep(time.Second)
			stop()
			// Before it is noticed: four under way, and what comes while results wait.
			if sent[before] < 20 || sent[before] > 60 || what == "moved" && sent[before]+sent[after] < 100 {
				t.Errorf("%s: of 100 deliveries %v were sent", what, sent)
			}
		})
	}
}

package deliver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// told is what a request tells.
type told struct {
	Type     string `json:"event_type"`
	Resource int64  `json:"resource_id"`
}

func tells(r webhook.Request) (t told) {
	if err := json.Unmarshal(r.Body, &t); err != nil {
		panic(err)
	}
	return t
}

// hanging is a receiver that answers what it is sent when it is told to.
type hanging struct {
	mu      sync.Mutex
	arrived []told
	answers map[told]chan webhook.Answer
}

func newHanging() *hanging { return &hanging{answers: map[told]chan webhook.Answer{}} }

func (h *hanging) line(t told) chan webhook.Answer {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.answers[t] == nil {
		h.answers[t] = make(chan webhook.Answer)
	}
	return h.answers[t]
}

// Send implements port.Sender.
func (h *hanging) Send(ctx context.Context, r webhook.Request) webhook.Answer {
	t := tells(r)
	h.mu.Lock()
	h.arrived = append(h.arrived, t)
	h.mu.Unlock()
	select {
	case a := <-h.line(t):
		return a
	case <-ctx.Done():
		return webhook.Answer{Verdict: webhook.Failure, Reason: "stopped"}
	}
}

func (h *hanging) accept(t told) { h.line(t) <- webhook.Answer{Verdict: webhook.Accepted, Status: 200} }

// has waits until nothing moves, and checks what has arrived so far.
func (h *hanging) has(t *testing.T, want ...told) {
	t.Helper()
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Equal(h.arrived, want) {
		t.Errorf("it was told %v, not %v", h.arrived, want)
	}
}

// dispatchingBy delivers in the background and looks around when tick says so.
// stop waits for what is under way.
func (w *world) dispatchingBy(send port.Sender, change func(*deliver.Options)) (tick chan<- time.Time, stop func()) {
	ticks := make(chan time.Time)
	o := deliver.DefaultOptions()
	o.Tick = ticks
	change(&o)
	ctx, cancel := context.WithCancel(w.T.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx, send, o) }()
	synctest.Wait() // until it has nothing to do
	return ticks, func() {
		cancel()
		if err := <-ended; err != nil {
			w.T.Error(err)
		}
	}
}

func asUsual(*deliver.Options) {}

func TestW31_ASlowAnswerDelaysOnlyItsResource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.subscribe(hookFor("PRODUCT_CREATE", "PRODUCT_UPDATE"))
		h := newHanging()
		_, stop := w.dispatchingBy(h, asUsual)
		slow := told{"PRODUCT_CREATE", w.create()}
		h.has(t, slow)
		w.change(slow.Resource)
		h.has(t, slow)
		quick := told{"PRODUCT_CREATE", w.create()}
		h.has(t, slow, quick)
		h.accept(quick)
		next := told{"PRODUCT_CREATE", w.create()}
		h.has(t, slow, quick, next)
		h.accept(slow)
		change := told{"PRODUCT_UPDATE", slow.Resource}
		h.has(t, slow, quick, next, change)
		h.accept(change)
		h.accept(next)
		stop()
	})
}

// However many changes of a resource wait for its next retry, those of others do
// not wait behind them.
func TestW31_AResourceThatFailsHidesNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		failing, sound := w.create(), w.create()
		w.subscribe(hookFor("PRODUCT_UPDATE"))
		heard := 0
		tick, stop := w.dispatchingBy(sending(func(_ context.Context, r webhook.Request) webhook.Answer {
			if tells(r).Resource == failing {
				return webhook.Answer{Verdict: webhook.Failure, Status: 500}
			}
			heard++
			return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
		}), func(o *deliver.Options) { o.Batch = 4 })
		for range 10 {
			w.change(failing)
			synctest.Wait()
		}
		w.change(sound)
		synctest.Wait()
		if heard != 1 {
			t.Errorf("the other was told %d times", heard)
		}
		w.Clock.Advance(2 * time.Minute)
		tick <- time.Time{}
		synctest.Wait()
		w.change(sound)
		synctest.Wait()
		if heard != 2 {
			t.Errorf("after a retry the other was told %d times", heard)
		}
		stop()
	})
}

func TestW31_FourAttemptsOfAWebhookAreUnderWayAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.subscribe(hookFor("PRODUCT_CREATE"))
		h := newHanging()
		tick, stop := w.dispatchingBy(h, asUsual)
		var sent []told
		for range 6 {
			sent = append(sent, told{"PRODUCT_CREATE", w.create()})
			synctest.Wait()
		}
		w.Clock.Advance(2 * time.Second)
		tick <- time.Time{}
		h.has(t, sent[:4]...)
		h.accept(sent[2])
		h.has(t, sent[:5]...)
		h.accept(sent[0])
		h.has(t, sent...)
		for _, i := range []int{1, 3, 4, 5} {
			h.accept(sent[i])
		}
		stop()
	})
}

// Nobody tells a process what others add. It looks for that once a second.
func TestWhatAnotherProcessAddsDoesNotWaitForASlowAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New()
		w := newWorldOver(t, store)
		other := serviceOver(t, store, w.Clock)
		w.subscribe(hookFor("PRODUCT_CREATE"))
		h := newHanging()
		tick, stop := w.dispatchingBy(h, asUsual)
		slow := told{"PRODUCT_CREATE", w.create()}
		h.has(t, slow)
		added := told{"PRODUCT_CREATE", other.create()}
		h.has(t, slow)
		w.Clock.Advance(2 * time.Second)
		tick <- time.Time{}
		h.has(t, slow, added)
		h.accept(added)
		h.accept(slow)
		stop()
	})
}

// A webhook that always has something to send yields its slot after
// a second, if there are no others.
func TestAWebhookThatNeverEndsYieldsItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.subscribe(hookFor("PRODUCT_CREATE"))
		other := hookFor("PRODUCT_CREATE")
		other.Site, other.URL = 2, "https://other.example.org/in"
		w.subscribe(other)
		var mu sync.Mutex
		busy, served := 0, 0
		_, stop := w.dispatchingBy(sending(func(_ context.Context, r webhook.Request) webhook.Answer {
			mu.Lock()
			defer mu.Unlock()
			if r.Site == 2 {
				served++
			} else if busy++; busy < 100 && served == 0 {
				w.Clock.Advance(500 * time.Millisecond)
				w.create()
			}
			return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
		}), func(o *deliver.Options) { o.Webhooks = 1 })
		w.create()
		w.createAt(2)
		synctest.Wait()
		stop()
		if served != 1 || busy > 10 {
			t.Errorf("the other webhook was told %d times, after %d deliveries", served, busy)
		}
	})
}

// What was looked at already is no reason to stay.
func TestALongBacklogYieldsItsSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		other := hookFor("PRODUCT_CREATE")
		other.Site, other.URL = 2, "https://other.example.org/in"
		w.subscribe(other)
		for range 300 {
			w.create()
		}
		w.createAt(2)
		var mu sync.Mutex
		sent, before := 0, 0
		_, stop := w.dispatchingBy(sending(func(_ context.Context, r webhook.Request) webhook.Answer {
			mu.Lock()
			defer mu.Unlock()
			if r.Site == 2 {
				before = sent
			} else {
				sent++
				w.Clock.Advance(100 * time.Millisecond)
			}
			return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
		}), func(o *deliver.Options) { o.Webhooks = 1 })
		synctest.Wait()
		stop()
		if before == 0 || before > 30 {
			t.Errorf("the other webhook was told after %d deliveries", before)
		}
		if got := w.statuses(id); len(got) != 300 || !allAre(got, "succeeded") {
			t.Errorf("the deliveries are %v", got)
		}
	})
}

// Whoever looks for more never waits for those who send, who may be waiting for
// it.
func TestABatchFitsBehindWhatIsLeftOfTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		for range 20 {
			w.create()
		}
		_, stop := w.dispatchingBy(sending(func(context.Context, webhook.Request) webhook.Answer {
			return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
		}), func(o *deliver.Options) { o.Batch, o.Unsettled = 4, 0 })
		stop()
		if got := w.statuses(id); len(got) != 20 || !allAre(got, "succeeded") {
			t.Errorf("the deliveries are %v", got)
		}
	})
}

func TestALeaseLastsWhileItIsServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New()
		w := newWorldOver(t, store)
		w.subscribe(hookFor("PRODUCT_CREATE"))
		h, others := newHanging(), newHanging()
		_, stop := w.dispatchingBy(h, asUsual)
		tick, stopOther := serviceOver(t, store, w.Clock).dispatchingBy(others, asUsual)
		sent := []told{{"PRODUCT_CREATE", w.create()}}
		for range 4 {
			synctest.Wait()
			w.Clock.Advance(20 * time.Second)
			quick := told{"PRODUCT_CREATE", w.create()}
			sent = append(sent, quick)
			h.has(t, sent...)
			h.accept(quick)
			synctest.Wait()
			tick <- time.Time{}
			others.has(t)
		}
		// Nothing is heard of it for longer than the lease.
		w.Clock.Advance(31 * time.Second)
		tick <- time.Time{}
		others.has(t, sent[0])
		others.accept(sent[0])
		h.accept(sent[0])
		stop()
		stopOther()
	})
}

// While every sender waits for an answer nothing comes back.
func TestALeaseLastsWhileNothingComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New()
		w := newWorldOver(t, store)
		w.subscribe(hookFor("PRODUCT_CREATE"))
		h, others := newHanging(), newHanging()
		own, stop := w.dispatchingBy(h, asUsual)
		tick, stopOther := serviceOver(t, store, w.Clock).dispatchingBy(others, asUsual)
		var sent []told
		for range deliver.DefaultOptions().PerWebhook {
			sent = append(sent, told{"PRODUCT_CREATE", w.create()})
			h.has(t, sent...)
		}
		for range 10 {
			w.Clock.Advance(5 * time.Second)
			own <- time.Time{}
			synctest.Wait()
			tick <- time.Time{}
			others.has(t)
		}
		for _, each := range sent {
			h.accept(each)
		}
		stop()
		stopOther()
	})
}

// However much was to be sent, no attempt is left waiting for what takes in what
// came of it.
func TestALeaseThatIsLostEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New()
		w := newWorldOver(t, store)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		var sent []told
		for range 100 {
			sent = append(sent, told{"PRODUCT_CREATE", w.create()})
		}
		h := newHanging()
		_, stop := w.dispatchingBy(h, asUsual)
		w.Clock.Advance(31 * time.Second)
		_, stopOther := serviceOver(t, store, w.Clock).dispatchingBy(apitest.NewReceiver(), asUsual)
		synctest.Wait()
		h.accept(sent[0])
		synctest.Wait()
		stop()
		stopOther()
		if n := len(h.arrived); n > 5 {
			t.Errorf("%d attempts are made, of which four were under way", n)
		}
		if got := w.statuses(id); len(got) == 0 || !allAre(got, "succeeded") {
			t.Errorf("the deliveries are %v", got)
		}
	})
}

func TestD13_NothingUnderWayIsBrokenOffWhenTheFirstAnswerComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		h := newHanging()
		_, stop := w.dispatchingBy(h, asUsual)
		first, second := told{"PRODUCT_CREATE", w.create()}, told{"PRODUCT_CREATE", w.create()}
		synctest.Wait()
		go func() {
			time.Sleep(time.Second)
			h.accept(first)
			time.Sleep(time.Second)
			h.accept(second)
		}()
		stop()
		if got := w.statuses(id); !slices.Equal(got, []string{"succeeded", "succeeded"}) {
			t.Errorf("the deliveries are %v", got)
		}
	})
}

func TestW30_WhatAnUpdateMeetsOnItsWayGoesWhereItSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.subscribe(hookFor("PRODUCT_CREATE", "PRODUCT_UPDATE"))
		for range 20 {
			w.create()
		}
		var mu sync.Mutex
		var urls []string
		first := make(chan struct{})
		_, stop := w.dispatchingBy(sending(func(_ context.Context, r webhook.Request) webhook.Answer {
			mu.Lock()
			urls = append(urls, r.URL)
			held := len(urls) == 1
			mu.Unlock()
			if held {
				<-first
			}
			return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
		}), func(o *deliver.Options) { o.PerWebhook, o.Unsettled = 1, 1 })
		w.update(id, movedTo("https://portal.example.org/new"))
		close(first)
		synctest.Wait()
		stop()
		// One was on its way, and a few may be before that is noticed.
		before := slices.Index(urls, "https://portal.example.org/new")
		if before < 1 || before > 5 || slices.Contains(urls[before:], "https://portal.example.org/in") {
			t.Errorf("it was sent to %q", urls)
		}
	})
}

// Nobody needs to look around for it.
func TestW30_WhatAnUpdateBreaksOffIsSentAgainAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		h := newHanging()
		_, stop := w.dispatchingBy(h, asUsual)
		sent := told{"PRODUCT_CREATE", w.create()}
		h.has(t, sent)
		w.update(id, movedTo("https://portal.example.org/new"))
		h.has(t, sent, sent)
		h.accept(sent)
		stop()
		if got := w.statuses(id); !slices.Equal(got, []string{"succeeded"}) {
			t.Errorf("the deliveries are %v", got)
		}
	})
}

func TestW40_ASuspensionBreaksOffWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		h := newHanging()
		_, stop := w.dispatchingBy(h, asUsual)
		first := told{"PRODUCT_CREATE", w.create()}
		h.has(t, first)
		second := told{"PRODUCT_CREATE", w.create()}
		h.has(t, first, second)
		w.update(id, func(hook webhook.Webhook) webhook.Webhook { return hook.Suspend("suspended on request", w.Clock.Now()) })
		h.accept(first) // then it is noticed
		synctest.Wait()
		stop() // waits for nothing
		h.has(t, first, second)
		if got := w.statuses(id); !slices.Equal(got, []string{"cancelled", "cancelled"}) {
			t.Errorf("the deliveries are %v", got)
		}
	})
}

func TestResultsAreGatheredWhileOthersAreUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		h, enough, asked := newHanging(), make(chan time.Time), 0
		_, stop := w.dispatchingBy(h, func(o *deliver.Options) {
			o.Gather = func() <-chan time.Time { asked++; return enough }
		})
		var sent []told
		for range 4 {
			sent = append(sent, told{"PRODUCT_CREATE", w.create()})
			synctest.Wait()
		}
		are := func(want ...string) {
			t.Helper()
			synctest.Wait()
			if got := w.statuses(id); !slices.Equal(got, want) {
				t.Errorf("the deliveries are %v, not %v", got, want)
			}
		}
		h.accept(sent[0])
		are("pending", "pending", "pending", "pending")
		enough <- time.Time{}
		are("succeeded", "pending", "pending", "pending")
		h.accept(sent[1])
		are("succeeded", "pending", "pending", "pending")
		h.accept(sent[2]) // no more can come than have come
		are("succeeded", "succeeded", "succeeded", "pending")
		h.accept(sent[3])
		are("succeeded", "succeeded", "succeeded", "succeeded")
		if asked != 2 {
			t.Errorf("it gathers %d times", asked)
		}
		// What comes anew is not kept waiting.
		for range 4 {
			sent = append(sent, told{"PRODUCT_CREATE", w.create()})
			synctest.Wait()
		}
		h.accept(sent[4])
		synctest.Wait()
		sent = append(sent, told{"PRODUCT_CREATE", w.create()})
		h.has(t, sent...)
		for _, s := range sent[5:] {
			h.accept(s)
		}
		stop()
	})
}

// Nobody needs to look around for a webhook that waited for a slot.
func TestASlotThatIsFreeIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		hooks := []webhook.ID{w.subscribe(hookFor("PRODUCT_CREATE")), w.subscribe(hookFor("PRODUCT_CREATE")), w.subscribe(hookFor("PRODUCT_CREATE"))}
		w.create()
		_, stop := w.dispatchingBy(apitest.NewReceiver(), func(o *deliver.Options) { o.Webhooks = 1 })
		stop()
		for _, id := range hooks {
			if got := w.statuses(id); !slices.Equal(got, []string{"succeeded"}) {
				t.Errorf("the deliveries of one are %v", got)
			}
		}
	})
}

// latecomer is a store that does something when a lease has just been released.
type latecomer struct {
	port.Store
	then func()
}

func (l *latecomer) Update(ctx context.Context, unit func(port.Tx) error) error {
	released := false
	err := l.Store.Update(ctx, func(tx port.Tx) error { return unit(port.Tx{Roles: latecomerTx{tx.Roles, &released}}) })
	if then := l.then; released && then != nil {
		l.then = nil
		then()
	}
	return err
}

type latecomerTx struct {
	port.Roles
	released *bool
}

func (t latecomerTx) Webhooks() port.Webhooks { return latecomerLeases{t.Roles.Webhooks(), t.released} }

type latecomerLeases struct {
	port.Webhooks
	released *bool
}

func (t latecomerLeases) Release(lease webhook.Lease) error {
	*t.released = true
	return t.Webhooks.Release(lease)
}

func TestWhatComesWhenALeaseHasJustEndedIsNotForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &latecomer{Store: memstore.New()}
		w := newWorldOver(t, store)
		id := w.subscribe(hookFor("PRODUCT_CREATE"))
		_, stop := w.dispatchingBy(apitest.NewReceiver(), asUsual)
		store.then = func() { w.create() }
		w.create()
		synctest.Wait()
		stop()
		if got := w.statuses(id); !slices.Equal(got, []string{"succeeded", "succeeded"}) {
			t.Errorf("the deliveries are %v", got)
		}
	})
}

// damaged is a store that cannot read what a webhook signs with.
type damaged struct {
	port.Store
	hook webhook.ID
}

func (d damaged) Update(ctx context.Context, unit func(port.Tx) error) error {
	return d.Store.Update(ctx, func(tx port.Tx) error { return unit(port.Tx{Roles: damagedTx{tx.Roles, d.hook}}) })
}

type damagedTx struct {
	port.Roles
	hook webhook.ID
}

func (t damagedTx) Records() port.Records { return damagedRecords{t.Roles.Records(), t.hook} }

type damagedRecords struct {
	port.Records
	hook webhook.ID
}

func (r damagedRecords) Get(k port.Kind, of port.Key) (any, error) {
	if k == port.KindFor[webhook.Signing]() && of.ID == int64(r.hook) {
		return nil, errBroken
	}
	return r.Records.Get(k, of)
}

// Others are served all the same, and the damage is told once in a lease.
func TestAWebhookThatCannotBeServedHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New()
		w := newWorldOver(t, store)
		bad := w.subscribe(hookFor("PRODUCT_CREATE"))
		good := w.subscribe(hookFor("PRODUCT_CREATE"))
		complaints := make(troubles, 100)
		tick, stop := serviceOver(t, damaged{store, bad}, w.Clock).dispatchingBy(apitest.NewReceiver(), func(o *deliver.Options) { o.Observe = complaints })
		for round := range 3 {
			w.create()
			for range 5 {
				synctest.Wait()
				w.Clock.Advance(5 * time.Second)
				tick <- time.Time{}
			}
			synctest.Wait()
			if got := w.statuses(good); len(got) != round+1 || slices.Contains(got, "pending") {
				t.Errorf("the deliveries of the other are %v", got)
			}
		}
		if n := len(complaints); n != 3 || !errors.Is(<-complaints, errBroken) {
			t.Errorf("in 75 seconds it is told %d times", n)
		}
		stop()
	})
}

// stuck is a store whose units of work wait while it is held.
type stuck struct {
	port.Store
	held chan struct{}
}

func (s stuck) Update(ctx context.Context, unit func(port.Tx) error) error {
	s.held <- struct{}{}
	defer func() { <-s.held }()
	return s.Store.Update(ctx, unit)
}

// A process that dies has made as many attempts that are not stored as it may have
// under way; while many webhooks are served, and stored together, up to Unsettled.
func TestWhatACrashRepeatsIsWhatWasUnderWay(t *testing.T) {
	for _, c := range []struct{ webhooks, perWebhook, unsettled, open int }{
		{1, 4, 32, 4}, {2, 4, 32, 4}, {1, 3, 10, 3}, {3, 4, 32, 6}, {8, 4, 32, 16}, {8, 4, 10, 10}, {20, 4, 32, 32}, {8, 4, 0, 4},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const events = 60
				store := stuck{memstore.New(), make(chan struct{}, 1)}
				w := newWorldOver(t, store)
				var hooks []webhook.ID
				for range c.webhooks {
					hooks = append(hooks, w.subscribe(hookFor("PRODUCT_CREATE")))
				}
				for range events {
					w.create()
				}
				var mu sync.Mutex
				made := map[webhook.ID]int{}
				began, goOn := make(chan time.Time), make(chan time.Time)
				_, stop := w.dispatchingBy(sending(func(_ context.Context, r webhook.Request) webhook.Answer {
					began <- time.Time{}
					<-goOn
					mu.Lock()
					defer mu.Unlock()
					made[r.Hook]++
					return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
				}), func(o *deliver.Options) { o.PerWebhook, o.Unsettled = c.perWebhook, c.unsettled })
				for range c.webhooks * c.perWebhook {
					<-began // all are served
				}
				go func() {
					for range began {
					}
				}()
				store.held <- struct{}{} // nothing is stored from now on
				close(goOn)
				synctest.Wait()
				for _, id := range hooks {
					if made[id] > c.open || made[id] < c.perWebhook {
						t.Errorf("of %d, %d attempts were made, %d may be", id, made[id], c.open)
					}
				}
				<-store.held
				synctest.Wait()
				stop()
				close(began)
				for _, id := range hooks {
					if got := w.statuses(id); made[id] != events || !allAre(got, "succeeded") {
						t.Errorf("of %d, after %d attempts the deliveries are %v", id, made[id], got)
					}
				}
			})
		})
	}
}

// In a long backlog a crash may repeat one in a hundred.
func TestWhatACrashRepeatsIsLittleOfALongBacklog(t *testing.T) {
	for _, c := range []struct{ unsettled, before, open int }{{32, 300, 4}, {32, 1500, 15}, {10, 1500, 10}} {
		synctest.Test(t, func(t *testing.T) {
			store := stuck{memstore.New(), make(chan struct{}, 1)}
			w := newWorldOver(t, store)
			id := w.subscribe(hookFor("PRODUCT_CREATE"))
			for range c.before + 200 {
				w.create()
			}
			var mu sync.Mutex
			made := 0
			_, stop := w.dispatchingBy(sending(func(context.Context, webhook.Request) webhook.Answer {
				mu.Lock()
				made++
				last := made == c.before
				mu.Unlock()
				if last {
					store.held <- struct{}{} // nothing is stored from now on
				}
				return webhook.Answer{Verdict: webhook.Accepted, Status: 200}
			}), func(o *deliver.Options) { o.Unsettled = c.unsettled })
			synctest.Wait()
			stored := w.succeeded(id)
			if open := made - stored; open > c.open || open < c.open-1 {
				t.Errorf("when %d were stored, %d attempts are open, not %d", stored, open, c.open)
			}
			<-store.held
			synctest.Wait()
			stop()
			if got := w.succeeded(id); made != c.before+200 || got != made {
				t.Errorf("after %d attempts %d deliveries are made", made, got)
			}
		})
	}
}

// succeeded counts the deliveries of a webhook of site 1 that got through.
func (w *world) succeeded(id webhook.ID) (n int) {
	w.T.Helper()
	w.View(func(tx port.Tx) error {
		done := webhook.Succeeded
		all, err := tx.Deliveries().List(port.DeliveryQuery{Site: 1, Hook: id, Status: &done, Limit: 10_000})
		n = len(all)
		return err
	})
	return n
}

// A receiver of changing temper is told everything, in order, four at a time at
// most, whatever changes meanwhile and whoever serves it.
func TestD6_OrderHoldsWhateverHappens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		number := func(label string, most int) int { return rapid.IntRange(0, most).Draw(rt, label) }
		waits, verdicts := make([]time.Duration, 200), make([]webhook.Verdict, 200)
		for i := range waits {
			waits[i] = time.Duration(number("wait", 20)) * time.Millisecond
			verdicts[i] = rapid.SampledFrom([]webhook.Verdict{
				webhook.Accepted, webhook.Accepted, webhook.Accepted, webhook.Refused, webhook.Deferred, webhook.Failure,
			}).Draw(rt, "verdict")
		}
		day := temper{
			waits: waits, verdicts: verdicts, before: number("before", 40), changes: 5 + number("changes", 30),
			unsettled: number("unsettled", 8), processes: 1 + number("processes", 1), gathers: number("gathers", 1) == 1,
		}
		synctest.Test(t, func(t *testing.T) {
			if wrong := day.pass(t); wrong != "" {
				rt.Fatal(wrong)
			}
		})
	})
}

// temper is how long a receiver takes and what it answers, how many changes it is
// told of before and while it is served, and how it is served.
type temper struct {
	waits                                 []time.Duration
	verdicts                              []webhook.Verdict
	before, changes, unsettled, processes int
	gathers                               bool
}

func (d temper) pass(t *testing.T) (wrong string) {
	waits, verdicts := d.waits, d.verdicts
	store := memstore.New()
	w := newWorldOver(t, store)
	hook := w.subscribe(hookFor("PRODUCT_UPDATE"))
	var mu sync.Mutex
	made, underWay := 0, 0
	settled, ended := map[int64]string{}, map[string]bool{}
	send := sending(func(_ context.Context, r webhook.Request) webhook.Answer {
		mu.Lock()
		i := made % len(waits)
		made++
		underWay++
		if underWay > 4 {
			wrong = fmt.Sprint(underWay, " are under way")
		}
		mu.Unlock()
		time.Sleep(waits[i])
		mu.Lock()
		defer mu.Unlock()
		underWay--
		verdict, product, message := verdicts[i], tells(r).Resource, apitest.Header(r, "webhook-id")
		if ended[message] {
			wrong = message + " ended twice"
		}
		if verdict != webhook.Accepted && verdict != webhook.Refused {
			return webhook.Answer{Verdict: verdict, Reason: "not now", RetryAfter: 5 * time.Millisecond}
		}
		ended[message] = true
		if later(settled[product], message) {
			wrong = message + " came after " + settled[product]
		}
		settled[product] = message
		return webhook.Answer{Verdict: verdict, Status: 200}
	})
	var stops []func()
	ticker := time.NewTicker(3 * time.Millisecond)
	defer ticker.Stop()
	var products []int64
	for range 12 {
		products = append(products, w.create())
	}
	change := func(i int) {
		w.Clock.Advance(7 * time.Millisecond)
		w.change(products[i*i%len(products)])
	}
	for i := range d.before {
		change(i)
	}
	for range d.processes {
		process := serviceOver(t, store, w.Clock)
		_, stop := process.dispatchingBy(send, func(o *deliver.Options) {
			o.Tick, o.Unsettled, o.Lease = ticker.C, d.unsettled, time.Hour
			if d.gathers {
				gathering(o)
			}
			o.Policy.Delays = []time.Duration{time.Millisecond, 2 * time.Millisecond, 4 * time.Millisecond}
		})
		stops = append(stops, stop)
	}
	for i := range d.changes {
		change(d.before + i)
		time.Sleep(waits[i] / 2)
	}
	for range 500 {
		w.Clock.Advance(10 * time.Millisecond)
		time.Sleep(10 * time.Millisecond)
	}
	for _, stop := range stops {
		stop()
	}
	if w.hook(hook).State == webhook.Active && slices.Contains(w.statuses(hook), "pending") && wrong == "" {
		wrong = "something is still pending"
	}
	return wrong
}

// later reports whether a message is about a later event than another.
func later(a, b string) bool { return sequence(a) > sequence(b) }

func sequence(message string) int {
	n, _ := strconv.Atoi(message[strings.LastIndex(message, "_")+1:])
	return n
}

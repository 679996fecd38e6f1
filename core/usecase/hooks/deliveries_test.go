package hooks_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/hooks"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

func TestW23_FourAttemptsThenSuspensionThenSilence(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE", "PRODUCT_UPDATE"))
	r := apitest.NewReceiver(webhook.Failure, webhook.Failure, webhook.Failure, webhook.Failure)
	w.Dispatch(r)
	w.CreateProduct()
	for attempt, wait := range []time.Duration{0, time.Minute, 5 * time.Minute, 25 * time.Minute} {
		w.Clock.Advance(wait + wait/10 + time.Second)
		w.Eventually("the next attempt is made", func() bool { return len(r.Requests()) == attempt+1 })
		w.Eventually("the attempt is settled", func() bool {
			page, err := w.Hooks.ListDeliveries(t.Context(), full, hooks.ReadDeliveries{ID: id})
			return err == nil && len(page.Data[0].Attempts) == attempt+1
		})
	}
	w.Eventually("the webhook is suspended", func() bool { return w.hook(full, id).Status == "suspended" })
	for range 10 {
		w.CreateProduct()
	}
	w.Clock.Advance(24 * time.Hour)
	time.Sleep(20 * time.Millisecond)
	if n := len(r.Requests()); n != 4 {
		t.Errorf("%d requests were made, want 4", n)
	}
	first := r.Requests()[0]
	for _, again := range r.Requests()[1:] {
		if string(again.Body) != string(first.Body) || apitest.Header(again, "webhook-id") != apitest.Header(first, "webhook-id") {
			t.Error("a retry differs from the first attempt")
		}
	}
	if entries := w.log(1); len(entries) != 1 || entries[0].Kind != "hook_suspended" {
		t.Errorf("the log is %+v, want one entry about the suspension", entries)
	}
	if got := w.Statuses(full, id); len(got) != 11 || got[0] != "failed" || got[10] != "cancelled" {
		t.Errorf("the deliveries are %v", got)
	}

	// W5: an empty update reactivates, and what comes next is delivered.
	if _, err := w.Hooks.UpdateHook(t.Context(), full, hooks.UpdateHook{ID: id}); err != nil {
		t.Fatal(err)
	}
	w.CreateProduct()
	w.Eventually("the next event arrives", func() bool { return len(r.Requests()) == 5 })

	// W28: what was missed can be had.
	replayed, err := w.Hooks.ReplayHook(t.Context(), full, hooks.ReplayHook{ID: id, AfterEventID: opt.Of(int64(0)), MissedOnly: opt.Of(true)})
	if err != nil || replayed.Deliveries != 11 {
		t.Fatalf("replayed %+v, %v; want the 11 events that never arrived", replayed, err)
	}
	w.Eventually("what was missed arrives", func() bool { return len(r.Requests()) == 16 })
}

func (w *world) log(id site.ID) (entries []port.LogEntry) {
	w.T.Helper()
	err := w.Store.View(w.T.Context(), func(tx port.Tx) (err error) {
		entries, err = tx.Log().After(id, 0, 100)
		return err
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return entries
}

func TestW19_ARejectionIsFinalAndHarmless(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE"))
	r := apitest.NewReceiver(webhook.Refused)
	w.Dispatch(r)
	product := w.CreateProduct()
	w.Eventually("the delivery is rejected", func() bool { return slices.Equal(w.Statuses(full, id), []string{"rejected"}) })
	w.Clock.Advance(time.Hour)
	time.Sleep(10 * time.Millisecond)
	if w.hook(full, id).Status != "active" || len(r.Requests()) != 1 {
		t.Errorf("after a rejection the webhook is %s and got %d requests", w.hook(full, id).Status, len(r.Requests()))
	}
	var marks []webhook.Rejection
	if err := w.Store.View(t.Context(), func(tx port.Tx) (err error) {
		marks, err = tx.Rejections().Many(1, "PRODUCT", []int64{product})
		return err
	}); err != nil || len(marks) != 1 || marks[0].Reason != "a duplicate" {
		t.Errorf("the product is marked %+v, %v", marks, err)
	}
}

func TestHooksHearOnlyWhatTheirOwnersMayRead(t *testing.T) {
	w := newWorld(t)
	setup := apitest.Network()
	setup.Credentials[4].Permissions = append(setup.Credentials[4].Permissions, "SITE_HOOK:WRITE")
	w.Provision(setup)
	website := w.As("website", 1)
	_, err := w.Hooks.CreateHook(t.Context(), website, apitest.HookFor("PRODUCT_CREATE", "CUSTOMER_CREATE"))
	apitest.RefusedField(t, err, fault.CodeUnknownEventType, "origines[1]")
	id := w.Subscribe(website, apitest.HookFor("PRODUCT_CREATE"))
	w.CreateProductAs(w.As("rival", 2), listing.CreateProduct{})
	w.CreateProduct()
	if got := w.Statuses(website, id); len(got) != 1 {
		t.Errorf("%d deliveries, want only that of the own site", len(got))
	}
	if _, err := w.Hooks.GetHook(t.Context(), w.As("rival", 2), hooks.HookPath{ID: id}); err == nil {
		t.Error("another site reads the webhook")
	}
}

func TestAnUnknownEventTypeOfDeliveriesIsRefused(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE"))
	_, err := w.Hooks.ListDeliveries(t.Context(), full, hooks.ReadDeliveries{ID: id, EventType: "PRODUCT_CRATE"})
	apitest.RefusedField(t, err, fault.CodeUnknownEventType, "event_type")
	for _, known := range []string{"PRODUCT_CREATE", "HOOK_TEST"} {
		if _, err := w.Hooks.ListDeliveries(t.Context(), full, hooks.ReadDeliveries{ID: id, EventType: known}); err != nil {
			t.Errorf("%s: %v", known, err)
		}
	}
}

// W30: an update sends what is pending at once, to where it says.
func TestW30_AnUpdateHastensWhatIsPending(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE"))
	r := apitest.NewReceiver(webhook.Failure)
	w.Dispatch(r)
	w.CreateProduct()
	w.Eventually("the first attempt is settled", func() bool {
		page, err := w.Hooks.ListDeliveries(t.Context(), full, hooks.ReadDeliveries{ID: id})
		return err == nil && len(page.Data) == 1 && len(page.Data[0].Attempts) == 1
	})
	update := hooks.UpdateHook{ID: id}
	update.URL = opt.Of("https://elsewhere.example.org/in")
	if _, err := w.Hooks.UpdateHook(t.Context(), full, update); err != nil {
		t.Fatal(err)
	}
	w.Eventually("it is sent again, though no time has passed", func() bool { return slices.Equal(w.Statuses(full, id), []string{"succeeded"}) })
	if sent := r.Requests(); len(sent) != 2 || sent[1].URL != update.URL.Value {
		t.Errorf("sent are %+v", sent)
	}
}

// Nobody looks around here: what is sent by hand has to wake the dispatcher, also
// one that is about to have nothing more to do.
func TestWhatIsSentByHandWaitsForNobodyToLookAround(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE"))
	r := apitest.NewReceiver()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Deliver.Run(ctx, r, deliver.DefaultOptions()) }()
	w.CreateProduct()
	settled := func() {
		t.Helper()
		w.Eventually("everything is delivered", func() bool { return !slices.Contains(w.Statuses(full, id), "pending") })
	}
	settled()
	for range 20 {
		if _, err := w.Hooks.Redeliver(t.Context(), full, hooks.DeliveryPath{ID: id, DeliveryID: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Hooks.TestHook(t.Context(), full, hooks.HookPath{ID: id}); err != nil {
			t.Fatal(err)
		}
		settled()
	}
	if _, err := w.Hooks.ReplayHook(t.Context(), full, hooks.ReplayHook{ID: id, AfterEventID: opt.Of(int64(0))}); err != nil {
		t.Fatal(err)
	}
	settled()
	stop()
	if err := <-ended; err != nil || len(r.Requests()) != 42 {
		t.Errorf("%d requests were made, %v", len(r.Requests()), err)
	}
}

func TestTestsAndRedeliveriesNeedAnActiveWebhook(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE"))
	w.CreateProduct()
	delivery := hooks.DeliveryPath{ID: id, DeliveryID: 1}
	_, err := w.Hooks.Redeliver(t.Context(), full, delivery) // still under way
	apitest.Refused(t, err, fault.Conflict, fault.CodeConflict)
	r := apitest.NewReceiver()
	w.Dispatch(r)
	w.Eventually("it is delivered", func() bool { return slices.Equal(w.Statuses(full, id), []string{"succeeded"}) })
	for _, send := range []func() (hooks.Delivering, error){
		func() (hooks.Delivering, error) { return w.Hooks.Redeliver(t.Context(), full, delivery) },
		func() (hooks.Delivering, error) { return w.Hooks.TestHook(t.Context(), full, hooks.HookPath{ID: id}) },
	} {
		before := len(r.Requests())
		sent, err := send()
		if err != nil || sent.DeliveryID <= 1 {
			t.Fatalf("%+v, %v", sent, err)
		}
		w.Eventually("it is sent", func() bool { return len(r.Requests()) == before+1 })
	}
	sent := r.Requests()
	if apitest.Header(sent[0], "webhook-id") != apitest.Header(sent[1], "webhook-id") || !strings.HasPrefix(apitest.Header(sent[2], "webhook-id"), "test_") {
		t.Errorf("the messages are %q", []string{apitest.Header(sent[0], "webhook-id"), apitest.Header(sent[1], "webhook-id"), apitest.Header(sent[2], "webhook-id")})
	}
	if _, err := w.Hooks.UpdateHook(t.Context(), full, hooks.UpdateHook{ID: id, Status: opt.Of("suspended")}); err != nil {
		t.Fatal(err)
	}
	_, err = w.Hooks.TestHook(t.Context(), full, hooks.HookPath{ID: id})
	apitest.Refused(t, err, fault.Conflict, fault.CodeConflict)
	_, err = w.Hooks.Redeliver(t.Context(), full, delivery)
	apitest.Refused(t, err, fault.Conflict, fault.CodeConflict)
	_, err = w.Hooks.ReplayHook(t.Context(), full, hooks.ReplayHook{ID: id, AfterEventID: opt.Of(int64(0))})
	apitest.Refused(t, err, fault.Conflict, fault.CodeConflict)
	_, err = w.Hooks.Redeliver(t.Context(), full, hooks.DeliveryPath{ID: id, DeliveryID: 99})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
}

// outage is a webhook whose receiver is down for a while.
type outage struct {
	*world
	full kernel.Caller
	hook int64
	down atomic.Bool
	got  atomic.Int64
	// end ends what delivers.
	end func()
}

// recovers has the receiver come back once nothing is on its way any more, and later than
// anything before.
func (o *outage) recovers() {
	o.end()
	o.Clock.Advance(time.Second)
	o.down.Store(false)
	o.end = o.Dispatch(o)
}

// Send implements port.Sender.
func (o *outage) Send(context.Context, webhook.Request) webhook.Answer {
	if o.down.Load() {
		return webhook.Answer{Verdict: webhook.Failure, Status: 500, Reason: "answered 500"}
	}
	o.got.Add(1)
	return webhook.Answer{Verdict: webhook.Accepted, Status: 204}
}

// fails is a receiver that is down until its webhook is suspended, while products are made.
func (o *outage) fails(during int) {
	o.T.Helper()
	o.down.Store(true)
	for range during {
		o.CreateProduct()
	}
	o.Eventually("the webhook is suspended", func() bool {
		o.Clock.Advance(time.Minute)
		return o.world.hook(o.full, o.hook).Status == "suspended"
	})
	o.recovers()
}

// arrives waits until so many events got through.
func (o *outage) arrives(n int64) {
	o.T.Helper()
	o.Eventually(fmt.Sprintf("%d events arrive", n), func() bool { return o.got.Load() >= n })
	o.Eventually("nothing is under way", func() bool { return !slices.Contains(o.Statuses(o.full, o.hook), "pending") })
	if got := o.got.Load(); got != n {
		o.T.Fatalf("%d events arrived, want %d", got, n)
	}
}

func (o *outage) update(in hooks.UpdateHook) hooks.WebhookResponse {
	o.T.Helper()
	in.ID = o.hook
	w, err := o.Hooks.UpdateHook(o.T.Context(), o.full, in)
	if err != nil {
		o.T.Fatal(err)
	}
	return w
}

// resumed is what reactivating sends, by which way it may be.
type resumed func(*outage) hooks.Replayed

func byResuming(o *outage) hooks.Replayed {
	sent, err := o.Service.Hooks.ResumeHook(o.T.Context(), o.full, hooks.HookPath{ID: o.hook})
	if err != nil {
		o.T.Fatal(err)
	}
	return sent
}

func byUpdating(o *outage) hooks.Replayed {
	after := o.update(hooks.UpdateHook{}).MissedAfterEventID
	if after == nil {
		o.T.Fatal("the webhook missed nothing")
	}
	sent, err := o.Hooks.ReplayHook(o.T.Context(), o.full, hooks.ReplayHook{ID: o.hook, AfterEventID: opt.Of(*after), MissedOnly: opt.Of(true)})
	if err != nil {
		o.T.Fatal(err)
	}
	return sent
}

// What a webhook has not received since its last success comes when it is reactivated,
// once each, however it was suspended.
func TestAReactivatedWebhookMissesNothing(t *testing.T) {
	pause := hooks.UpdateHook{Status: opt.Of("suspended")}
	for name, c := range map[string]struct {
		// suffers makes the webhook miss what reactivating sends, and what arrives otherwise.
		suffers     func(o *outage)
		first, last int64
		sent        int
		arrived     int64
	}{
		"real failures":                    {func(o *outage) { o.fails(8) }, 2, 9, 8, 1},
		"real failures, and changes after": {func(o *outage) { o.fails(8); o.CreateProduct(); o.CreateProduct() }, 2, 11, 10, 1},
		"a pause with nothing pending":     {func(o *outage) { o.update(pause); o.CreateProduct() }, 2, 2, 1, 1},
		"a pause with nothing missed":      {func(o *outage) { o.update(pause) }, 0, 0, 0, 1},
		"a pause among failures": {func(o *outage) {
			o.down.Store(true)
			o.CreateProduct()
			o.update(pause)
			o.recovers()
			o.CreateProduct()
		}, 2, 3, 2, 1},
		"a pause that is asked for again":   {func(o *outage) { o.fails(2); o.CreateProduct(); o.update(pause); o.CreateProduct() }, 2, 5, 4, 1},
		"two suspensions without a success": {func(o *outage) { o.fails(2); o.update(hooks.UpdateHook{}); o.fails(3) }, 2, 6, 5, 1},
		"a success between two suspensions": {func(o *outage) {
			o.fails(2)
			o.update(hooks.UpdateHook{})
			o.CreateProduct()
			o.arrives(2)
			o.Clock.Advance(time.Second)
			o.fails(3)
		}, 5, 7, 3, 2},
		"a test was what failed": {func(o *outage) {
			o.down.Store(true)
			if _, err := o.Hooks.TestHook(o.T.Context(), o.full, hooks.HookPath{ID: o.hook}); err != nil {
				o.T.Fatal(err)
			}
			o.fails(0)
			o.CreateProduct()
		}, 2, 2, 1, 1},
		"a success about something else among the failures": {func(o *outage) {
			o.down.Store(true)
			o.CreateProduct()
			o.Eventually("it fails", func() bool {
				page, err := o.Hooks.ListDeliveries(o.T.Context(), o.full, hooks.ReadDeliveries{ID: o.hook})
				return err == nil && len(page.Data[0].Attempts) == 1
			})
			o.recovers()
			o.CreateProduct()
			o.Eventually("another gets through", func() bool {
				return slices.Equal(o.Statuses(o.full, o.hook), []string{"succeeded", "pending", "succeeded"})
			})
			o.fails(0)
		}, 2, 3, 1, 2},
	} {
		for way, reactivates := range map[string]resumed{"resumed": byResuming, "updated, then replayed": byUpdating} {
			t.Run(name+"/"+way, func(t *testing.T) {
				w := newWorld(t)
				o := &outage{world: w, full: w.As("full", 1)}
				o.hook = w.Subscribe(o.full, apitest.HookFor("PRODUCT_CREATE"))
				o.end = w.Dispatch(o)
				w.CreateProduct()
				o.arrives(1)
				before := w.Seq(1) - 1
				o.Clock.Advance(time.Second)
				c.suffers(o)
				sent := reactivates(o)
				if sent.Deliveries != c.sent || sent.HasMore || c.last == 0 != (sent.LastEventID == nil) ||
					sent.LastEventID != nil && (*sent.FirstEventID != before+c.first || *sent.LastEventID != before+c.last) {
					t.Fatalf("sent %+v, want %d of events %d to %d", sent, c.sent, c.first, c.last)
				}
				o.arrives(c.arrived + int64(c.sent))
				if left := o.world.hook(o.full, o.hook).MissedAfterEventID; left != nil {
					t.Errorf("the webhook still misses what follows event %d", *left)
				}
			})
		}
	}
}

// A replay asked for twice sends nothing twice: what is on its way is not missed.
func TestWhatIsOnItsWayIsNotMissed(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE"))
	w.CreateProduct()
	again, err := w.Hooks.ReplayHook(t.Context(), full, hooks.ReplayHook{ID: id, AfterEventID: opt.Of[int64](0), MissedOnly: opt.Of(true)})
	if err != nil || again.Deliveries != 0 {
		t.Errorf("sent %+v again, %v", again, err)
	}
}

// A replay looks at 10,000 events, wherever in the ledger they are, and says where it goes on.
func TestAReplayBeginsWhereItIsAskedTo(t *testing.T) {
	w := newWorld(t)
	full := w.As("full", 1)
	id := w.Subscribe(full, apitest.HookFor("PRODUCT_CREATE"))
	before, begun := w.Seq(1), w.Clock.Now().Add(time.Second)
	w.Clock.Advance(time.Second)
	if _, err := w.Hooks.UpdateHook(t.Context(), full, hooks.UpdateHook{ID: id, Status: opt.Of("suspended")}); err != nil {
		t.Fatal(err)
	}
	w.Update(func(tx port.Tx) error { // of things it does not want, in two seconds
		_, err := tx.Ledger().Append(1, begun, slices.Repeat([]event.Event{{Type: event.UserUpdate, Resource: 1}}, 10_000))
		return err
	})
	w.Clock.Advance(time.Second)
	later := w.Clock.Now()
	first, second := w.CreateProduct(), w.CreateProduct()
	if first == second {
		t.Fatal("there are no two events")
	}
	sent, err := w.Service.Hooks.ResumeHook(t.Context(), full, hooks.HookPath{ID: id})
	if err != nil || sent.Deliveries != 0 || !sent.HasMore || *sent.FirstEventID != before+1 || *sent.LastEventID != before+10_000 {
		t.Fatalf("sent %+v, %v", sent, err)
	}
	if after := w.hook(full, id).MissedAfterEventID; after == nil || *after != before+10_000 {
		t.Fatalf("the rest comes after event %v", after)
	}
	at := func(moment time.Time) opt.Field[string] { return opt.Of(moment.Format(time.RFC3339Nano)) }
	for name, step := range map[string]struct {
		in          hooks.ReplayHook
		sent        int
		first, last int64
		more        bool
	}{
		"after the rest":           {hooks.ReplayHook{AfterEventID: opt.Of(before + 10_000)}, 2, 10_001, 10_002, false},
		"from the later moment":    {hooks.ReplayHook{From: at(later)}, 2, 10_001, 10_002, false},
		"from between":             {hooks.ReplayHook{From: at(later.Add(-time.Millisecond))}, 2, 10_001, 10_002, false},
		"from the first moment":    {hooks.ReplayHook{From: at(begun)}, 0, 1, 10_000, true},
		"from just before":         {hooks.ReplayHook{From: at(begun.Add(-time.Millisecond))}, 0, 1, 10_000, true},
		"of the first moment only": {hooks.ReplayHook{From: at(begun), To: at(later)}, 0, 1, 10_000, false},
		"from after all":           {hooks.ReplayHook{From: at(later.Add(time.Hour))}, 0, 0, 0, false},
		"before all":               {hooks.ReplayHook{From: at(begun.Add(-time.Millisecond)), To: at(begun)}, 0, 0, 0, false},
	} {
		step.in.ID = id
		sent, err := w.Hooks.ReplayHook(t.Context(), full, step.in)
		if err != nil || sent.Deliveries != step.sent || sent.HasMore != step.more || (sent.LastEventID == nil) != (step.last == 0) ||
			sent.LastEventID != nil && (*sent.FirstEventID != before+step.first || *sent.LastEventID != before+step.last) {
			t.Errorf("%s: sent %+v, %v, want %+v", name, sent, err, step)
		}
	}
}

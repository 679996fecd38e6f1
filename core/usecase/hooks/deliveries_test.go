package hooks_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
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

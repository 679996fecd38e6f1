package siteapi_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/deliver"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/hooks"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// gathering subscribes a webhook that gathers updates for ten seconds.
func (w *world) gathering(origines ...string) int64 {
	w.t.Helper()
	in := hookFor(origines...)
	in.CoalesceSeconds = opt.Of(10)
	return w.subscribe(w.as("full", 1), in)
}

func (w *world) changeTo(product int64, price int) {
	w.t.Helper()
	in := listing.UpdateProduct{ID: product, ProductID: opt.Of(product)}
	in.Criteria = criteriaOf(criterion("Prix", number(strconv.Itoa(price))))
	if _, err := w.Listing.UpdateProduct(w.t.Context(), w.again(w.as("full", 1)), in); err != nil {
		w.t.Fatal(err)
	}
}

func TestW34_CoalesceSecondsIsKeptAndChecked(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	for _, wrong := range []int{-1, 61} {
		in := hookFor("PRODUCT_UPDATE")
		in.CoalesceSeconds = opt.Of(wrong)
		_, err := w.Hooks.CreateHook(t.Context(), full, in)
		refusedField(t, err, fault.CodeOutOfRange, "coalesce_seconds")
	}
	plain := w.subscribe(full, hookFor("PRODUCT_UPDATE"))
	if got := w.hook(full, plain).CoalesceSeconds; got != 0 {
		t.Errorf("by default updates are gathered for %d seconds", got)
	}
	id := w.gathering("PRODUCT_UPDATE")
	for _, step := range []struct {
		given opt.Field[int]
		want  int
	}{{opt.Field[int]{}, 10}, {opt.Of(60), 60}, {opt.Null[int](), 0}, {opt.Of(0), 0}} {
		update := hooks.UpdateHook{ID: id}
		update.CoalesceSeconds = step.given
		after, err := w.Hooks.UpdateHook(t.Context(), full, update)
		if err != nil || after.CoalesceSeconds != step.want || w.hook(full, id).CoalesceSeconds != step.want {
			t.Errorf("after %+v updates are gathered for %d seconds, not %d: %v", step.given, after.CoalesceSeconds, step.want, err)
		}
	}
}

func TestW34_UpdatesWithinTheWindowBecomeOneRequest(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	id := w.create()
	other := w.create()
	hook := w.gathering("PRODUCT_UPDATE")
	r := newReceiver()
	w.dispatching(r)
	for price := range 4 {
		w.changeTo(id, price+1)
		w.clock.advance(2 * time.Second)
	}
	w.changeTo(other, 1)
	time.Sleep(20 * time.Millisecond)
	if n := r.count(); n != 0 {
		t.Fatalf("%d requests before the window ends", n)
	}
	w.clock.advance(3 * time.Second) // the first is due, the last would be in six seconds
	w.eventually("the last takes the place of all", func() bool {
		return slices.Equal(w.statuses(full, hook), []string{"superseded", "superseded", "superseded", "succeeded", "pending"})
	})
	if n := r.count(); n != 1 {
		t.Errorf("%d requests for four updates", n)
	}
	page, err := w.Hooks.ListDeliveries(t.Context(), full, hooks.ReadDeliveries{ID: hook})
	if err != nil {
		t.Fatal(err)
	}
	if got := header(r.got[0], "webhook-id"); got != page.Data[1].WebhookID {
		t.Errorf("the request is about %s, not about the last update %s", got, page.Data[1].WebhookID)
	}
	w.clock.advance(10 * time.Second)
	w.eventually("the other product is told about", func() bool { return r.count() == 2 })
}

// A constant stream is delivered at the end of every window.
func TestW34_AConstantStreamIsDeliveredEveryWindow(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	id := w.create()
	hook := w.gathering("PRODUCT_UPDATE")
	r := newReceiver()
	w.dispatching(r)
	for second := range 33 {
		w.changeTo(id, second+1)
		w.clock.advance(time.Second)
		// The dispatcher gets to see every second.
		due := (second + 1) / 11
		w.eventually("what is due is sent", func() bool { return r.count() >= due })
		w.eventually("what was sent is settled", func() bool {
			return strings.Count(strings.Join(w.statuses(full, hook), " "), "succeeded") == r.count()
		})
	}
	if n := r.count(); n != 3 {
		t.Errorf("%d requests in 33 seconds, want one for each window", n)
	}
}

func TestW34_CreationsAndDeletionsKeepTheirPlace(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	hook := w.gathering("PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE")
	r := newReceiver()
	w.dispatching(r)
	id := w.create()
	w.eventually("a creation does not wait", func() bool { return r.count() == 1 })
	w.changeTo(id, 1)
	w.changeTo(id, 2)
	if _, err := w.Listing.DeleteProduct(t.Context(), w.again(full), listing.DeleteProduct{ID: id}); err != nil {
		t.Fatal(err)
	}
	w.clock.advance(11 * time.Second)
	w.eventually("everything is settled", func() bool {
		return slices.Equal(w.statuses(full, hook), []string{"succeeded", "superseded", "succeeded", "succeeded"})
	})
	var kinds []string
	for _, got := range r.got {
		kinds = append(kinds, header(got, "X-Event-Type"))
	}
	if !slices.Equal(kinds, []string{"PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE"}) {
		t.Errorf("the receiver hears %v", kinds)
	}
}

// A receiver that fails is suspended after four attempts although updates keep
// coming: none of them takes the place of one that was attempted.
func TestW32_SupersedingNeverResetsTheCount(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	id := w.create()
	hook := w.gathering("PRODUCT_UPDATE")
	r := newReceiver(webhook.Failure, webhook.Failure, webhook.Failure, webhook.Failure)
	w.dispatching(r)
	for attempt, wait := range []time.Duration{11 * time.Second, time.Minute, 5 * time.Minute, 25 * time.Minute} {
		w.changeTo(id, 10*attempt+1)
		w.changeTo(id, 10*attempt+2)
		w.clock.advance(wait + wait/10 + time.Second)
		w.eventually("the next attempt is made", func() bool { return r.count() == attempt+1 })
		w.eventually("the attempt is settled", func() bool {
			page, err := w.Hooks.ListDeliveries(t.Context(), full, hooks.ReadDeliveries{ID: hook})
			return err == nil && len(page.Data[len(page.Data)-2].Attempts) == attempt+1
		})
	}
	w.eventually("the webhook is suspended", func() bool { return w.hook(full, hook).Status == "suspended" })
	first := header(r.got[0], "webhook-id")
	for _, again := range r.got {
		if header(again, "webhook-id") != first {
			t.Error("the attempts are of several deliveries")
		}
	}
}

func TestW40_AWebhookIsSuspendedAndReactivatedByHand(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	id := w.subscribe(full, hookFor("PRODUCT_CREATE"))
	w.create()
	update := hooks.UpdateHook{ID: id, Status: opt.Of("suspended")}
	after, err := w.Hooks.UpdateHook(t.Context(), full, update)
	if err != nil || after.Status != "suspended" || after.SuspendedAt == nil || *after.SuspendedReason != "suspended on request" {
		t.Errorf("the webhook is %+v, %v", after, err)
	}
	w.create()
	if got := w.statuses(full, id); !slices.Equal(got, []string{"cancelled", "cancelled"}) {
		t.Errorf("the deliveries are %v", got)
	}
	update.Status = opt.Of("active")
	if after, err = w.Hooks.UpdateHook(t.Context(), full, update); err != nil || after.Status != "active" || after.SuspendedAt != nil {
		t.Errorf("the webhook is %+v, %v", after, err)
	}
	r := newReceiver()
	w.dispatching(r)
	w.create()
	w.eventually("events flow again", func() bool { return r.count() == 1 })
	update.Status = opt.Of("paused")
	_, err = w.Hooks.UpdateHook(t.Context(), full, update)
	refusedField(t, err, fault.CodeInvalidFormat, "status")
}

func TestTheBacklogCountsDeliveries(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	w.subscribe(full, hookFor("PRODUCT_CREATE"))
	w.subscribe(full, hookFor("PRODUCT_CREATE"))
	for range 3 {
		w.create()
	}
	w.clock.advance(5 * time.Second)
	got, err := w.Deliver.Backlog(t.Context())
	if want := (deliver.Backlog{Deliveries: 6, Webhooks: 2, Wait: 5 * time.Second}); got != want || err != nil {
		t.Errorf("the backlog is %+v, %v, want %+v", got, err, want)
	}
}

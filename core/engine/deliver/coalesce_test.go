package deliver_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// gathering is a webhook that gathers updates for ten seconds.
func (w *world) gathering(origins ...event.Type) webhook.ID {
	w.T.Helper()
	hook := hookFor(origins...)
	hook.Coalesce = 10 * time.Second
	return w.subscribe(hook)
}

func TestW34_UpdatesWithinTheWindowBecomeOneRequest(t *testing.T) {
	w := newWorld(t)
	id := w.create()
	other := w.create()
	hook := w.gathering("PRODUCT_UPDATE")
	r := apitest.NewReceiver()
	w.dispatching(r)
	for range 4 {
		w.change(id)
		w.Clock.Advance(2 * time.Second)
	}
	w.change(other)
	time.Sleep(20 * time.Millisecond)
	if n := len(r.Requests()); n != 0 {
		t.Fatalf("%d requests before the window ends", n)
	}
	w.Clock.Advance(3 * time.Second) // the first is due, the last would be in six seconds
	w.Eventually("the last takes the place of all", func() bool {
		return slices.Equal(w.statuses(hook), []string{"superseded", "superseded", "superseded", "succeeded", "pending"})
	})
	if n := len(r.Requests()); n != 1 {
		t.Errorf("%d requests for four updates", n)
	}
	if got, want := apitest.Header(r.Requests()[0], "webhook-id"), w.deliveries(hook)[3].Message; got != want {
		t.Errorf("the request is about %s, not about the last update %s", got, want)
	}
	w.Clock.Advance(10 * time.Second)
	w.Eventually("the other product is told about", func() bool { return len(r.Requests()) == 2 })
}

// A constant stream is delivered at the end of every window.
func TestW34_AConstantStreamIsDeliveredEveryWindow(t *testing.T) {
	w := newWorld(t)
	id := w.create()
	hook := w.gathering("PRODUCT_UPDATE")
	r := apitest.NewReceiver()
	w.dispatching(r)
	for second := range 33 {
		w.change(id)
		w.Clock.Advance(time.Second)
		// The dispatcher gets to see every second.
		due := (second + 1) / 11
		w.Eventually("what is due is sent", func() bool { return len(r.Requests()) >= due })
		w.Eventually("what was sent is settled", func() bool {
			return strings.Count(strings.Join(w.statuses(hook), " "), "succeeded") == len(r.Requests())
		})
	}
	if n := len(r.Requests()); n != 3 {
		t.Errorf("%d requests in 33 seconds, want one for each window", n)
	}
}

func TestW34_CreationsAndDeletionsKeepTheirPlace(t *testing.T) {
	w := newWorld(t)
	hook := w.gathering("PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE")
	r := apitest.NewReceiver()
	w.dispatching(r)
	id := w.create()
	w.Eventually("a creation does not wait", func() bool { return len(r.Requests()) == 1 })
	w.change(id)
	w.change(id)
	w.remove(id)
	w.Clock.Advance(11 * time.Second)
	w.Eventually("everything is settled", func() bool {
		return slices.Equal(w.statuses(hook), []string{"succeeded", "superseded", "succeeded", "succeeded"})
	})
	var kinds []string
	for _, got := range r.Requests() {
		kinds = append(kinds, apitest.Header(got, "X-Event-Type"))
	}
	if !slices.Equal(kinds, []string{"PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE"}) {
		t.Errorf("the receiver hears %v", kinds)
	}
}

// A receiver that fails is suspended after four attempts although updates keep
// coming: none of them takes the place of one that was attempted.
func TestW32_SupersedingNeverResetsTheCount(t *testing.T) {
	w := newWorld(t)
	id := w.create()
	hook := w.gathering("PRODUCT_UPDATE")
	r := apitest.NewReceiver(webhook.Failure, webhook.Failure, webhook.Failure, webhook.Failure)
	w.dispatching(r)
	for attempt, wait := range []time.Duration{11 * time.Second, time.Minute, 5 * time.Minute, 25 * time.Minute} {
		w.change(id)
		w.change(id)
		w.Clock.Advance(wait + wait/10 + time.Second)
		w.Eventually("the next attempt is made", func() bool { return len(r.Requests()) == attempt+1 })
		w.Eventually("the attempt is settled", func() bool {
			return w.attempts(w.deliveries(hook)[1]) == attempt+1
		})
	}
	w.Eventually("the webhook is suspended", func() bool { return w.hook(hook).State == webhook.Suspended })
	first := apitest.Header(r.Requests()[0], "webhook-id")
	for _, again := range r.Requests() {
		if apitest.Header(again, "webhook-id") != first {
			t.Error("the attempts are of several deliveries")
		}
	}
}

func TestW40_AWebhookIsSuspendedAndReactivatedByHand(t *testing.T) {
	w := newWorld(t)
	id := w.subscribe(hookFor("PRODUCT_CREATE"))
	w.create()
	w.update(id, func(h webhook.Webhook) webhook.Webhook { return h.Suspend("suspended on request", w.Clock.Now()) })
	w.create()
	if got := w.statuses(id); !slices.Equal(got, []string{"cancelled", "cancelled"}) {
		t.Errorf("the deliveries are %v", got)
	}
	w.update(id, func(h webhook.Webhook) webhook.Webhook { return h })
	r := apitest.NewReceiver()
	w.dispatching(r)
	w.create()
	w.Eventually("events flow again", func() bool { return len(r.Requests()) == 1 })
}

func TestTheBacklogCountsDeliveries(t *testing.T) {
	w := newWorld(t)
	w.subscribe(hookFor("PRODUCT_CREATE"))
	w.subscribe(hookFor("PRODUCT_CREATE"))
	for range 3 {
		w.create()
	}
	w.Clock.Advance(5 * time.Second)
	got, err := w.Backlog(t.Context())
	if want := (deliver.Backlog{Deliveries: 6, Webhooks: 2, Wait: 5 * time.Second}); got != want || err != nil {
		t.Errorf("the backlog is %+v, %v, want %+v", got, err, want)
	}
}

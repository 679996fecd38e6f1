package siteapi_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/deliver"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/hooks"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// receiver answers by a script, whose last verdict repeats, and remembers what it
// was sent.
type receiver struct {
	mu     sync.Mutex
	script []webhook.Verdict
	got    []webhook.Request
	news   chan struct{}
}

func newReceiver(script ...webhook.Verdict) *receiver {
	return &receiver{script: append(script, webhook.Accepted), news: make(chan struct{}, 1000)}
}

// Send implements port.Sender.
func (r *receiver) Send(_ context.Context, request webhook.Request) webhook.Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, request)
	verdict := r.script[0]
	if len(r.script) > 1 {
		r.script = r.script[1:]
	}
	r.news <- struct{}{}
	return webhook.Answer{Verdict: verdict, Status: 200, Reason: map[webhook.Verdict]string{webhook.Failure: "answered 500", webhook.Refused: "a duplicate"}[verdict]}
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.got)
}

// dispatching delivers in the background, and looks for due deliveries all the
// time: what is due is decided by the clock of the world.
func (w *world) dispatching(send port.Sender) {
	ctx, stop := context.WithCancel(w.t.Context())
	ticker := time.NewTicker(time.Millisecond)
	var work sync.WaitGroup
	o := deliver.DefaultOptions()
	o.Tick = ticker.C
	work.Go(func() {
		if err := w.Deliver.Run(ctx, send, o); err != nil {
			w.t.Error(err)
		}
	})
	w.t.Cleanup(func() {
		stop()
		work.Wait()
		ticker.Stop()
	})
}

// eventually waits until a condition holds.
func (w *world) eventually(what string, holds func() bool) {
	w.t.Helper()
	for range 30_000 {
		if holds() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	w.t.Fatalf("it never happens that %s", what)
}

func hookFor(origines ...string) (in hooks.CreateHook) {
	in.URL, in.Origines = opt.Of("https://portal.example.org/in"), opt.Of(origines)
	return in
}

func (w *world) subscribe(c api.Caller, in hooks.CreateHook) int64 {
	w.t.Helper()
	created, err := w.Hooks.CreateHook(w.t.Context(), c, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return created.ID
}

func (w *world) hook(c api.Caller, id int64) hooks.WebhookResponse {
	w.t.Helper()
	record, err := w.Hooks.GetHook(w.t.Context(), c, hooks.HookPath{ID: id})
	if err != nil {
		w.t.Fatal(err)
	}
	return record
}

// allAre reports whether deliveries have no other status.
func allAre(statuses []string, want string) bool {
	return !slices.ContainsFunc(statuses, func(s string) bool { return s != want })
}

// statuses are those of all deliveries of a webhook, oldest first.
func (w *world) statuses(c api.Caller, id int64) (statuses []string) {
	w.t.Helper()
	page, err := w.Hooks.ListDeliveries(w.t.Context(), c, hooks.ReadDeliveries{ID: id})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, d := range page.Data {
		statuses = append(statuses, d.Status)
	}
	slices.Reverse(statuses)
	return statuses
}

func TestW23_FourAttemptsThenSuspensionThenSilence(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	id := w.subscribe(full, hookFor("PRODUCT_CREATE", "PRODUCT_UPDATE"))
	r := newReceiver(webhook.Failure, webhook.Failure, webhook.Failure, webhook.Failure)
	w.dispatching(r)
	w.create()
	for attempt, wait := range []time.Duration{0, time.Minute, 5 * time.Minute, 25 * time.Minute} {
		w.clock.advance(wait + wait/10 + time.Second)
		w.eventually("the next attempt is made", func() bool { return r.count() == attempt+1 })
		w.eventually("the attempt is settled", func() bool {
			page, err := w.Hooks.ListDeliveries(t.Context(), full, hooks.ReadDeliveries{ID: id})
			return err == nil && len(page.Data[0].Attempts) == attempt+1
		})
	}
	w.eventually("the webhook is suspended", func() bool { return w.hook(full, id).Status == "suspended" })
	for range 10 {
		w.create()
	}
	w.clock.advance(24 * time.Hour)
	time.Sleep(20 * time.Millisecond)
	if n := r.count(); n != 4 {
		t.Errorf("%d requests were made, want 4", n)
	}
	first := r.got[0]
	for _, again := range r.got[1:] {
		if string(again.Body) != string(first.Body) || header(again, "webhook-id") != header(first, "webhook-id") {
			t.Error("a retry differs from the first attempt")
		}
	}
	if entries := w.log(1); len(entries) != 1 || entries[0].Kind != "hook_suspended" {
		t.Errorf("the log is %+v, want one entry about the suspension", entries)
	}
	if got := w.statuses(full, id); len(got) != 11 || got[0] != "failed" || got[10] != "cancelled" {
		t.Errorf("the deliveries are %v", got)
	}

	// W5: an empty update reactivates, and what comes next is delivered.
	if _, err := w.Hooks.UpdateHook(t.Context(), full, hooks.UpdateHook{ID: id}); err != nil {
		t.Fatal(err)
	}
	w.create()
	w.eventually("the next event arrives", func() bool { return r.count() == 5 })

	// W28: what was missed can be had.
	replayed, err := w.Hooks.ReplayHook(t.Context(), full, hooks.ReplayHook{ID: id, AfterEventID: opt.Of(int64(0)), MissedOnly: opt.Of(true)})
	if err != nil || replayed.Deliveries != 11 {
		t.Fatalf("replayed %+v, %v; want the 11 events that never arrived", replayed, err)
	}
	w.eventually("what was missed arrives", func() bool { return r.count() == 16 })
}

func header(r webhook.Request, name string) string {
	for _, h := range r.Headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

func (w *world) log(id site.ID) (entries []port.LogEntry) {
	w.t.Helper()
	err := w.store.View(w.t.Context(), func(tx port.Tx) (err error) {
		entries, err = tx.Log().After(id, 0, 100)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return entries
}

func TestW19_ARejectionIsFinalAndHarmless(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	id := w.subscribe(full, hookFor("PRODUCT_CREATE"))
	r := newReceiver(webhook.Refused)
	w.dispatching(r)
	product := w.create()
	w.eventually("the delivery is rejected", func() bool { return slices.Equal(w.statuses(full, id), []string{"rejected"}) })
	w.clock.advance(time.Hour)
	time.Sleep(10 * time.Millisecond)
	if w.hook(full, id).Status != "active" || r.count() != 1 {
		t.Errorf("after a rejection the webhook is %s and got %d requests", w.hook(full, id).Status, r.count())
	}
	var marks []webhook.Rejection
	if err := w.store.View(t.Context(), func(tx port.Tx) (err error) {
		marks, err = tx.Rejections().Many(1, "PRODUCT", []int64{product})
		return err
	}); err != nil || len(marks) != 1 || marks[0].Reason != "a duplicate" {
		t.Errorf("the product is marked %+v, %v", marks, err)
	}
}

func TestHooksHearOnlyWhatTheirOwnersMayRead(t *testing.T) {
	w := newWorld(t)
	setup := smallNetwork()
	setup.Credentials[4].Permissions = append(setup.Credentials[4].Permissions, "SITE_HOOK:WRITE")
	if _, err := w.Transfer.Provision(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	website := w.as("website", 1)
	_, err := w.Hooks.CreateHook(t.Context(), website, hookFor("PRODUCT_CREATE", "CUSTOMER_CREATE"))
	refusedField(t, err, fault.CodeUnknownEventType, "origines[1]")
	id := w.subscribe(website, hookFor("PRODUCT_CREATE"))
	w.createAs(w.as("rival", 2), listing.CreateProduct{})
	w.create()
	if got := w.statuses(website, id); len(got) != 1 {
		t.Errorf("%d deliveries, want only that of the own site", len(got))
	}
	if _, err := w.Hooks.GetHook(t.Context(), w.as("rival", 2), hooks.HookPath{ID: id}); err == nil {
		t.Error("another site reads the webhook")
	}
}

func TestW4_W6_W10_W13_W15_HookRefusals(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	for field, c := range map[string]struct {
		edit func(*hooks.CreateHook)
		code fault.Code
	}{
		"url":          {func(in *hooks.CreateHook) { in.URL = opt.Of("http://portal.example.org") }, fault.CodeInvalidURL},
		"origines":     {func(in *hooks.CreateHook) { in.Origines = opt.Of([]string{}) }, fault.CodeRequired},
		"origines[0]":  {func(in *hooks.CreateHook) { in.Origines = opt.Of([]string{"product.create"}) }, fault.CodeUnknownEventType},
		"headers.Host": {func(in *hooks.CreateHook) { in.Headers = opt.Of(map[string]string{"Host": "x"}) }, fault.CodeInvalidHeader},
		"auth_id":      {func(in *hooks.CreateHook) { in.AuthID = opt.Of(int64(9)) }, fault.CodeUnknownAuth},
		"format":       {func(in *hooks.CreateHook) { in.Format = opt.Of("xml") }, fault.CodeInvalidFormat},
	} {
		in := hookFor("PRODUCT_CREATE")
		c.edit(&in)
		_, err := w.Hooks.CreateHook(t.Context(), full, in)
		refusedField(t, err, c.code, field)
	}
	in := hookFor("PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_CREATE")
	in.Headers = opt.Of(map[string]string{"X-Api-Key": "k"})
	id := w.subscribe(full, in)
	if got := w.hook(full, id); len(got.Origines) != 2 || got.Headers["X-Api-Key"] != "k" {
		t.Errorf("the webhook is %+v", got)
	}
	update := hooks.UpdateHook{ID: id}
	update.Headers, update.Format = opt.Null[map[string]string](), opt.Of("cloudevents")
	after, err := w.Hooks.UpdateHook(t.Context(), full, update)
	if err != nil || after.Headers != nil || *after.Format != "cloudevents" || after.URL == "" {
		t.Errorf("after the update the webhook is %+v, %v", after, err)
	}
}

func TestHookSecretsRotate(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	id := w.subscribe(full, hookFor("PRODUCT_CREATE"))
	path := hooks.HookPath{ID: id}
	before, err := w.Hooks.GetHookSecret(t.Context(), full, path)
	if err != nil {
		t.Fatal(err)
	}
	after, err := w.Hooks.RotateHookSecret(t.Context(), full, path)
	if err != nil || after == before {
		t.Fatalf("the secret is still %q, %v", after.Secret, err)
	}
	r := newReceiver()
	w.dispatching(r)
	w.create()
	w.eventually("a delivery arrives", func() bool { return r.count() == 1 })
	signed := webhook.Signed{
		ID: header(r.got[0], "webhook-id"), Timestamp: header(r.got[0], "webhook-timestamp"), Signature: header(r.got[0], "webhook-signature"),
	}
	for _, secret := range []string{before.Secret, after.Secret} {
		if err := webhook.Secret(secret).Verify(signed, r.got[0].Body, w.clock.Now()); err != nil {
			t.Errorf("%s does not verify: %v", secret, err)
		}
	}
}

// A caller may be held for long, as by an upload. What the owner of a webhook may
// hear of is looked up when the event happens.
func TestWhoHearsIsDecidedWhenTheEventHappens(t *testing.T) {
	w := newWorld(t)
	full := w.as("full", 1)
	in := listing.CreateProduct{}
	in.AgencyID = opt.Of(int64(11))
	hook := w.subscribe(w.as("group", 1), hookFor("PRODUCT_CREATE"))
	w.createAs(full, in)
	if err := w.Service.Tokens.RevokeCredential(t.Context(), "group"); err != nil {
		t.Fatal(err)
	}
	w.createAs(full, in)
	if got := w.statuses(w.again(full), hook); len(got) != 1 {
		t.Errorf("the webhook of a revoked credential has deliveries %q", got)
	}

	network := smallNetwork()
	network.Sites = nil
	hook = w.subscribe(w.as("website", 1), hookFor("PRODUCT_CREATE"))
	network.Credentials[4].Packs = []string{"webhooks"}
	if _, err := w.Transfer.Provision(t.Context(), network); err != nil {
		t.Fatal(err)
	}
	full = w.as("full", 1)
	network.Credentials[4].Packs = []string{"websites", "webhooks"}
	if _, err := w.Transfer.Provision(t.Context(), network); err != nil {
		t.Fatal(err)
	}
	w.createAs(full, in)
	if got := w.statuses(w.again(full), hook); len(got) != 1 {
		t.Errorf("the webhook of a credential that was given the pack has deliveries %q", got)
	}
}

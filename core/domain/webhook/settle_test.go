package webhook_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

var (
	noon   = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	policy = webhook.DefaultPolicy()
)

func active() webhook.Webhook {
	return webhook.Webhook{
		ID: 7, Site: 1, URL: "https://portal.example/hook", Origins: []event.Type{event.ProductUpdate}, Format: webhook.Default, Epoch: 3,
	}
}

func pending() webhook.Delivery {
	return webhook.Delivery{
		ID: 11, Site: 1, Hook: 7, Event: 1042, Message: "msg_1", Type: event.ProductUpdate, Resource: 508,
		At: noon.Add(-time.Minute), Epoch: 3, Due: noon,
	}
}

// failed is an attempt under the present configuration that did not get
// through.
func failed() webhook.Outcome {
	return webhook.Outcome{Verdict: webhook.Failure, Epoch: 3, Reason: "answered 503"}
}

func TestW17_SuccessEndsTheDelivery(t *testing.T) {
	d := pending()
	d.Failures, d.Number, d.Reason = 2, 2, "answered 500"
	w, got := policy.Settle(active(), d, webhook.Outcome{Verdict: webhook.Accepted, Epoch: 3}, noon)
	want := d
	want.Status, want.Number, want.Reason = webhook.Succeeded, 3, ""
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !w.LastSuccess.Equal(noon) || w.State != webhook.Active {
		t.Errorf("the webhook is %s, its last success at %s", w.State, w.LastSuccess)
	}
}

func TestW19_RejectionEndsTheDeliveryAndLeavesTheWebhookActive(t *testing.T) {
	for _, failures := range []int{0, 3} {
		d := pending()
		d.Failures = failures
		w, got := policy.Settle(active(), d, webhook.Outcome{Verdict: webhook.Refused, Epoch: 3, Reason: "duplicate"}, noon)
		if w.State != webhook.Active || !w.LastFailure.IsZero() {
			t.Errorf("after %d failures, 422 makes the webhook %s, failed last at %s", failures, w.State, w.LastFailure)
		}
		if got.Status != webhook.Rejected || got.Reason != "duplicate" || got.Failures != failures {
			t.Errorf("after %d failures, 422 makes the delivery %s for %q, with %d failures", failures, got.Status, got.Reason, got.Failures)
		}
	}
}

func TestW23_FourAttemptsThenSuspension(t *testing.T) {
	w, d := active(), pending()
	now := noon
	for attempt := 1; attempt <= 3; attempt++ {
		w, d = policy.Settle(w, d, failed(), now)
		if w.State != webhook.Active || d.Status != webhook.Pending || d.Failures != attempt || d.Number != attempt {
			t.Fatalf("after attempt %d the webhook is %s and the delivery %s with %d failures", attempt, w.State, d.Status, d.Failures)
		}
		now = d.Due
	}
	w, d = policy.Settle(w, d, failed(), now)
	if w.State != webhook.Suspended || w.SuspendedReason != "answered 503" || !w.SuspendedAt.Equal(now) {
		t.Errorf("after attempt 4 the webhook is %s since %s because %q", w.State, w.SuspendedAt, w.SuspendedReason)
	}
	if d.Status != webhook.Failed || d.Number != 4 {
		t.Errorf("after attempt 4 the delivery is %s with %d attempts", d.Status, d.Number)
	}
}

func TestW24_DelaysAreOneFiveAndTwentyFiveMinutes(t *testing.T) {
	for _, c := range []struct {
		failures int
		jitter   float64
		ask      time.Duration
		want     time.Duration
	}{
		{0, 0, 0, time.Minute},
		{1, 0, 0, 5 * time.Minute},
		{2, 0, 0, 25 * time.Minute},
		// Chance adds or takes a tenth, and no more whatever is drawn.
		{0, 1, 0, 66 * time.Second},
		{0, -1, 0, 54 * time.Second},
		{1, 40, 0, 330 * time.Second},
		{1, -40, 0, 270 * time.Second},
		// A receiver can ask for more time, not for less, and not for ever.
		{0, 0, 2 * time.Minute, 2 * time.Minute},
		{2, 0, 2 * time.Minute, 25 * time.Minute},
		{0, 0, 24 * time.Hour, time.Hour},
		{0, 0, -time.Hour, time.Minute},
	} {
		d := pending()
		d.Failures = c.failures
		o := failed()
		o.Jitter, o.RetryAfter = c.jitter, c.ask
		_, got := policy.Settle(active(), d, o, noon)
		if wait := got.Due.Sub(noon); wait != c.want {
			t.Errorf("retry %d, jitter %g, asked for %s: waits %s, not %s", c.failures+1, c.jitter, c.ask, wait, c.want)
		}
	}
}

func TestW24_DelaysGrowWhateverChanceDoes(t *testing.T) {
	wait := func(failures int, jitter float64) time.Duration {
		d := pending()
		d.Failures = failures
		o := failed()
		o.Jitter = jitter
		_, d = policy.Settle(active(), d, o, noon)
		return d.Due.Sub(noon)
	}
	for failures := range len(policy.Delays) - 1 {
		if longest, shortest := wait(failures, 1), wait(failures+1, -1); longest >= shortest {
			t.Errorf("wait %d may take %s and the next only %s", failures+1, longest, shortest)
		}
	}
}

func TestW23_APolicyIsTheContractsOrRefused(t *testing.T) {
	for text, ok := range map[string]bool{
		"1m 5m 25m": true, "1s 2s 4s": true, "4ms 5ms 7ms": true, "100ms 125ms 156250us": true,
		"": false, "1m": false, "1m 5m": false, "1m 5m 25m 125m": false, "0s 1s 2s": false, "-1s 1s 2s": false,
		"1s 1s 1s": false, "1s 2s 2s": false, "5m 1m 25m": false, "100ms 124ms 200ms": false, "1s 2s 2400ms": false,
	} {
		var p webhook.Policy
		for _, word := range strings.Fields(text) {
			delay, err := time.ParseDuration(word)
			if err != nil {
				t.Fatal(err)
			}
			p.Delays = append(p.Delays, delay)
		}
		if err := p.Check(); (err == nil) != ok {
			t.Errorf("delays %q: %v", text, err)
		}
	}
	if err := webhook.DefaultPolicy().Check(); err != nil {
		t.Error(err)
	}
}

// A policy that passes has waits that grow, whatever chance does.
func TestW24_WhatTheCheckLetsPassGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p webhook.Policy
		delay := float64(rapid.IntRange(1000, 1_000_000_000).Draw(t, "first"))
		for range webhook.Retries {
			p.Delays = append(p.Delays, time.Duration(math.Ceil(delay)))
			delay = math.Ceil(delay) * rapid.Float64Range(1.25, 3).Draw(t, "growth")
		}
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		last := time.Duration(0)
		for failures := range p.Delays {
			d := pending()
			d.Failures = failures
			o := failed()
			o.Jitter = rapid.Float64Range(-1, 1).Draw(t, "jitter")
			_, d = p.Settle(active(), d, o, noon)
			if wait := d.Due.Sub(noon); wait <= last {
				t.Fatalf("%v: wait %d is %s after %s", p.Delays, failures+1, wait, last)
			} else {
				last = wait
			}
		}
	})
}

func TestW26_FailuresAreCountedByDelivery(t *testing.T) {
	w := active()
	for id := range webhook.DeliveryID(20) {
		d := pending()
		d.ID, d.Resource = id, 500+int64(id)
		for range 3 {
			w, d = policy.Settle(w, d, failed(), noon)
		}
		if w.State != webhook.Active {
			t.Fatalf("the webhook is suspended although no delivery failed more than three times")
		}
	}
}

func TestW27_WhatWaitsForASuspendedWebhookIsCancelled(t *testing.T) {
	d := pending().Cancel("the webhook was suspended")
	if d.Status != webhook.Cancelled || d.Reason != "the webhook was suspended" {
		t.Errorf("a cancelled delivery is %s for %q", d.Status, d.Reason)
	}
	suspended := active().Suspend("answered 503", noon)
	for _, verdict := range []webhook.Verdict{webhook.Failure, webhook.Deferred} {
		w, d := policy.Settle(suspended, pending(), webhook.Outcome{Verdict: verdict, Epoch: 3}, noon)
		if d.Status != webhook.Cancelled || w.State != webhook.Suspended {
			t.Errorf("%s while suspended leaves the delivery %s and the webhook %s", verdict, d.Status, w.State)
		}
	}
}

// What a receiver answered is true although the webhook was suspended while it
// answered.
func TestAnswersCountThoughTheWebhookIsSuspended(t *testing.T) {
	suspended := active().Suspend("answered 503", noon)
	for verdict, want := range map[webhook.Verdict]webhook.Status{
		webhook.Accepted: webhook.Succeeded, webhook.Refused: webhook.Rejected,
	} {
		w, d := policy.Settle(suspended, pending(), webhook.Outcome{Verdict: verdict, Epoch: 3}, noon)
		if d.Status != want || w.State != webhook.Suspended {
			t.Errorf("%s while suspended leaves the delivery %s and the webhook %s", verdict, d.Status, w.State)
		}
	}
}

func TestW5_AnUpdateReactivates(t *testing.T) {
	before := active().Suspend("answered 503", noon)
	after := before.Reconfigured(noon.Add(time.Hour))
	want := active()
	want.Epoch, want.Modified = 4, noon.Add(time.Hour)
	if diff := cmp.Diff(want, after); diff != "" {
		t.Error(diff)
	}
}

func TestAnUpdateGivesEveryDeliveryFourAttemptsAnew(t *testing.T) {
	d := pending()
	d.Failures = 3
	w := active().Reconfigured(noon)
	o := failed()
	o.Epoch = w.Epoch
	w, d = policy.Settle(w, d, o, noon)
	if w.State != webhook.Active || d.Status != webhook.Pending || d.Failures != 1 || d.Epoch != w.Epoch {
		t.Errorf("the first failure after an update makes the webhook %s, the delivery %s with %d failures", w.State, d.Status, d.Failures)
	}
}

func TestW30_AFailureUnderAnEarlierConfigurationCountsNothing(t *testing.T) {
	d := pending()
	d.Failures = 3
	w, got := policy.Settle(active().Reconfigured(noon), d, failed(), noon.Add(time.Second))
	if w.State != webhook.Active || got.Status != webhook.Pending || got.Failures != 3 || !got.Due.Equal(noon.Add(time.Second)) {
		t.Errorf("the webhook is %s, the delivery %s with %d failures and due at %s", w.State, got.Status, got.Failures, got.Due)
	}
}

func TestADeferralMovesTheAttemptAndCountsNothing(t *testing.T) {
	for wait, want := range map[time.Duration]time.Duration{time.Minute: time.Minute, 0: 0, -time.Minute: 0} {
		d := pending()
		d.Failures, d.Number = 3, 3
		w, got := policy.Settle(active(), d, webhook.Outcome{Verdict: webhook.Deferred, Epoch: 3, RetryAfter: wait}, noon)
		d.Due = noon.Add(want)
		if diff := cmp.Diff(d, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(active(), w); diff != "" {
			t.Error(diff)
		}
	}
}

func TestWhatIsFinalStaysFinal(t *testing.T) {
	for status := webhook.Succeeded; status < webhook.Statuses; status++ {
		for verdict := range webhook.Verdicts {
			for _, w := range []webhook.Webhook{active(), active().Suspend("", noon), active().Reconfigured(noon)} {
				d := pending()
				d.Status, d.Failures = status, 3
				settled, got := policy.Settle(w, d, webhook.Outcome{Verdict: verdict, Epoch: 3}, noon)
				if !cmp.Equal(got, d) || !cmp.Equal(settled, w) {
					t.Errorf("%s on a %s delivery changes something", verdict, status)
				}
			}
		}
		d := pending()
		d.Status = status
		if got := d.Cancel("late"); !cmp.Equal(got, d) {
			t.Errorf("a %s delivery can be cancelled", status)
		}
	}
}

func TestWithoutRetriesTheFirstFailureSuspends(t *testing.T) {
	w, d := webhook.Policy{}.Settle(active(), pending(), failed(), noon)
	if w.State != webhook.Suspended || d.Status != webhook.Failed {
		t.Errorf("the webhook is %s, the delivery %s", w.State, d.Status)
	}
}

func TestStatusesAndVerdictsHaveNames(t *testing.T) {
	seen := map[string]bool{"?": true, "": true}
	for s := range webhook.Statuses {
		if seen[s.String()] {
			t.Errorf("status %d is called %q", s, s)
		}
		seen[s.String()] = true
		if parsed, ok := webhook.ParseStatus(s.String()); !ok || parsed != s {
			t.Errorf("%s is read as %s, %t", s, parsed, ok)
		}
	}
	for v := range webhook.Verdicts {
		if seen[v.String()] {
			t.Errorf("verdict %d is called %q", v, v)
		}
		seen[v.String()] = true
	}
	if _, ok := webhook.ParseStatus("?"); ok || webhook.Statuses.String() != "?" || webhook.Verdicts.String() != "?" {
		t.Error("what does not exist has a name")
	}
	if webhook.Active.String() != "active" || webhook.Suspended.String() != "suspended" {
		t.Error("the states are not called as the contract calls them")
	}
}

func TestWebhooksWantWhatTheySubscribeTo(t *testing.T) {
	if w := active(); !w.Wants(event.ProductUpdate) || w.Wants(event.ProductDelete) {
		t.Error("a webhook wants other events than its origines")
	}
}

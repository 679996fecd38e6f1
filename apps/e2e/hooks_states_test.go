package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func TestW23_W24_ADeliveryIsRetriedUntilItGetsThrough(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), listening(t, "--answer", "500,500,500,200")
		product := c.create(nil)
		h := c.subscribe(receiver.url, nil)
		c.reprice(product)
		got := receiver.waitFor(4)
		for i, again := range got[1:] {
			if again.ID != got[0].ID || again.Body != got[0].Body || again.Attempt != fmt.Sprint(i+2) {
				t.Errorf("a retry is %+v, the first attempt was %+v", again, got[0])
			}
			if gap := again.At.Sub(got[i].At); gap < waits[i]*9/10 {
				t.Errorf("retry %d comes after %s, want %s with 10 percent more or less", i+1, gap, waits[i])
			}
		}
		h.came("succeeded")
		receiver.waitFor(4)
		if h.state() != "active" {
			t.Error("a webhook whose last retry got through is suspended")
		}
	})
}

// entries are those of the application log about a webhook.
func (h hook) entries() (entries []port.LogEntry) {
	h.t.Helper()
	err := h.w.store.View(h.t.Context(), func(tx port.Tx) error {
		all, err := tx.Log().After(1, 0, 1000)
		for _, e := range all {
			if e.Hook == webhook.ID(h.id) {
				entries = append(entries, e)
			}
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return entries
}

func TestW23_W28_W29_FourFailuresSuspendAndSilenceFollows(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), listening(t, "--answer", "500,500,500,500,200")
		product := c.create(nil)
		h, before := c.subscribe(receiver.url, nil), c.lastEvent()
		c.reprice(product)
		receiver.waitFor(4)
		h.becomes("suspended")
		h.came("failed")
		if entries := h.entries(); len(entries) != 1 || entries[0].Kind != "hook_suspended" || !strings.Contains(entries[0].Message, "answered 500") {
			t.Errorf("the log says %+v", entries)
		}

		// Ten changes more. By the time another webhook has heard of them, this one
		// would have, too.
		witness := listening(t)
		other := c.subscribe(witness.url, nil)
		want := []any{"failed"}
		for range 10 {
			c.reprice(product)
			want = append(want, "cancelled")
		}
		witness.waitFor(10)
		h.came(want...)
		receiver.waitFor(4)
		if other.state() != "active" || h.state() != "suspended" || len(h.entries()) != 1 {
			t.Error("what a suspended webhook missed has changed a state")
		}
		for _, d := range h.deliveries("status=cancelled") {
			if len(d["attempts"].(list)) > 0 || d["reason"] != "the webhook is suspended" || d["next_attempt_at"] != nil {
				t.Errorf("a cancelled delivery is %v", d)
			}
		}

		// W28: none of it comes after an update, but can be had for the asking.
		reactivated(h, receiver, product)
		h.came(append(want, "succeeded")...)
		receiver.waitFor(5)
		h.post(h.path("/replay"), object{"after_event_id": before, "missed_only": true}).is(202).equals("data.deliveries", 11)
		receiver.waitFor(16)
		eventually(t, "what was missed is settled", func() bool { return len(h.deliveries("status=succeeded")) == 12 })
		h.post(h.path("/replay"), object{"after_event_id": before, "missed_only": true}).is(202).equals("data.deliveries", 0)
	}, overOneConnection)
}

// reactivated updates a webhook with nothing. The next event is there within a
// second.
func reactivated(h hook, receiver *listener, product int64) {
	h.t.Helper()
	before := len(receiver.got())
	h.update(object{"status": "sleeping"}).refused(422, "invalid_format", "status")
	h.update(object{"url": "https://127.0.0.1:1/\\"}).refused(422, "invalid_url", "url")
	if h.state() != "suspended" {
		h.t.Error("an update that is refused reactivates")
	}
	h.update(object{}).is(200).equals("data.status", "active").equals("data.suspended_at", nil).equals("data.suspended_reason", nil)
	h.reprice(product)
	within(h.t, time.Second, "the event after a reactivation arrives", func() bool { return len(receiver.got()) == before+1 })
}

func TestW27_WhatIsPendingIsCancelledWithTheSuspension(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), recording(t, answering(500, "no"), answering(500, "no"), answering(500, "no"), answering(500, "no"))
		product := c.create(nil)
		h := c.subscribe(receiver.url, nil)
		for range 3 { // W31: of one resource, in order: the later ones wait for the first
			c.reprice(product)
		}
		receiver.waitFor(4)
		h.came("failed", "cancelled", "cancelled")
		receiver.waitFor(4)
	}, overOneConnection)
}

func TestW40_ASuspensionOnRequest(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), listening(t)
		product := c.create(nil)
		h := c.subscribe(receiver.url, nil)
		h.update(object{"status": "suspended"}).is(200).equals("data.status", "suspended").equals("data.suspended_reason", "suspended on request")
		c.reprice(product)
		h.came("cancelled")
		reactivated(h, receiver, product)
		h.came("cancelled", "succeeded")
	})
}

// marks are why receivers refused the last event of a product.
func (c *client) marks(id int64) (reasons []string) {
	c.t.Helper()
	for _, mark := range c.get(product(id)).is(200).list("data.sync_errors") {
		reasons = append(reasons, mark.(object)["reason"].(string))
	}
	return reasons
}

func TestW19_W20_W21_A422IsFinalAndMarksTheResource(t *testing.T) {
	const none = "rejected without reason"
	rejections := []struct{ body, reason string }{
		{`{"error":{"message":"doublon"},"message":"no","reason":"no"}`, "doublon"},
		{`{"message":"doublon","reason":"no","error":"no"}`, "doublon"},
		{`{"reason":"doublon","error":"no"}`, "doublon"},
		{`{"error":"doublon"}`, "doublon"},
		{"doublon, déjà reçu", "doublon, déjà reçu"},
		{"", none},
		{strings.Repeat("é", 5<<20), strings.Repeat("é", 1000)},
		{"doublon \xff\xfe\x80", "doublon \uFFFD"},
		{"\x00\x1b[31mdou\x07blon\r\n", "[31mdoublon"},
		{"\x00\x01\x02", none},
	}
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), recording(t)
		for _, r := range rejections {
			receiver.answers = append(receiver.answers, answering(422, r.body))
		}
		product := c.create(nil)
		h := c.subscribe(receiver.url, nil)
		var statuses, reasons []any
		for i, r := range rejections {
			c.reprice(product)
			receiver.waitFor(i + 1)
			statuses, reasons = append(statuses, "rejected"), append(reasons, r.reason)
			h.came(statuses...)
			if diff := cmp.Diff([]string{r.reason}, c.marks(product)); diff != "" {
				t.Errorf("%.40q: the product is marked (-want +got):\n%s", r.body, diff)
			}
		}
		all := h.deliveries("")
		if diff := cmp.Diff(reasons, column(all, "reason")); diff != "" {
			t.Errorf("reasons (-want +got):\n%s", diff)
		}
		for _, d := range all {
			if len(d["attempts"].(list)) != 1 {
				t.Errorf("a rejected delivery was tried again: %v", d)
			}
		}
		if h.state() != "active" {
			t.Error("rejections suspend")
		}
		c.reprice(product)
		h.came(append(statuses, "succeeded")...)
		if marks := c.marks(product); len(marks) > 0 {
			t.Errorf("after a success the product is marked %q", marks)
		}
	})
}

// What was pending when the last retry failed, of any resource, and what happened
// meanwhile: an update and the replay it names leave nothing missing.
func TestW27_W28_AnUpdateTellsWhereTheReplayBegins(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), recording(t, append([]string{answering(200, "")}, slices.Repeat([]string{answering(500, "no")}, 4)...)...)
		first, second := c.create(nil), c.create(nil)
		h := c.subscribe(receiver.url, nil)
		h.get(h.path("")).is(200).equals("data.missed_after_event_id", nil)
		c.reprice(first)
		h.came("succeeded")
		received := c.lastEvent()
		for range 3 {
			c.reprice(first)
		}
		h.becomes("suspended")
		c.reprice(second)
		h.came("succeeded", "failed", "cancelled", "cancelled", "cancelled")
		h.get(h.path("")).is(200).equals("data.missed_after_event_id", received)
		h.update(object{}).is(200).equals("data.missed_after_event_id", received)
		replay := object{"after_event_id": received, "missed_only": true}
		h.post(h.path("/replay"), replay).is(202).has(object{
			"deliveries": 4, "first_event_id": received + 1, "last_event_id": c.lastEvent(), "has_more": false,
		})
		h.post(h.path("/replay"), replay).is(202).equals("data.deliveries", 0) // they are on their way, or have got through
		h.came("succeeded", "failed", "cancelled", "cancelled", "cancelled", "succeeded", "succeeded", "succeeded", "succeeded")
		h.get(h.path("")).is(200).equals("data.missed_after_event_id", nil)
	})
}

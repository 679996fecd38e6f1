package e2e_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDeliveriesAreFoundByEveryFilter(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		no := answering(500, "no")
		c, receiver := w.network(t), recording(t, answering(200, "thanks"), answering(422, "doublon"), no, no, no, no, answering(204, ""), silence)
		h := c.subscribe(receiver.url, object{"origines": list{"PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE"}})
		sold := c.create(nil)
		h.came("succeeded")
		c.reprice(sold)
		h.came("succeeded", "rejected")
		c.delete(product(sold)).is(204)
		h.becomes("suspended")
		kept := c.create(nil)
		h.update(object{}).is(200)
		c.reprice(kept)
		h.came("succeeded", "rejected", "failed", "cancelled", "succeeded")
		c.reprice(kept)
		h.came("succeeded", "rejected", "failed", "cancelled", "succeeded", "pending")

		all := h.deliveries("")
		middle := all[2]["date_added"].(string)
		finds := func(query string, wanted func(object) bool) {
			t.Helper()
			want := slices.DeleteFunc(slices.Clone(all), func(d object) bool { return !wanted(d) })
			if diff := cmp.Diff(column(want, "id"), column(h.deliveries(query), "id")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", query, diff)
			}
		}
		is := func(field string, value any) func(object) bool {
			return func(d object) bool { return d[field] == value }
		}
		for _, status := range []string{"pending", "succeeded", "rejected", "failed", "cancelled", "superseded"} {
			finds("status="+status, is("status", status))
		}
		for _, kind := range []string{"PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE", "CUSTOMER_UPDATE"} {
			finds("event_type="+kind, is("event_type", kind))
		}
		for _, id := range []int64{sold, kept, 999_999} {
			finds(fmt.Sprint("resource_id=", id), is("resource_id", float64(id)))
		}
		finds("from="+url.QueryEscape(middle), func(d object) bool { return d["date_added"].(string) >= middle })
		finds("to="+url.QueryEscape(middle), func(d object) bool { return d["date_added"].(string) < middle })
		finds(fmt.Sprintf("status=succeeded&event_type=PRODUCT_UPDATE&resource_id=%d&from=%s", kept, url.QueryEscape(middle)), is("id", all[4]["id"]))
		h.get(h.path("/deliveries?status=lost&resource_id=0&from=noon")).refused(422, "validation_error", "resource_id", "from", "status")

		// What a delivery shows: here the one that failed for good.
		failed := all[2]
		attempts := failed["attempts"].(list)
		if len(attempts) != 4 || failed["reason"] != "answered 500" || failed["next_attempt_at"] != nil || failed["event_id"] == nil {
			t.Errorf("the failed delivery is %v", failed)
		}
		for i, one := range attempts {
			a := one.(object)
			if a["number"] != float64(i+1) || a["http_status"] != 500.0 || a["url"] != receiver.url || a["error"] != "answered 500" || a["response_excerpt"] != "no" {
				t.Errorf("attempt %d is %v", i+1, a)
			}
		}
	}, overOneConnection)
}

func TestRedeliveriesAndTests(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), listening(t, "--answer", "422:doublon,200")
		product := c.create(nil)
		h := c.subscribe(receiver.url, nil)
		c.reprice(product)
		h.came("rejected")
		delivery := func(d object) string { return h.path(fmt.Sprintf("/deliveries/%v/redeliver", d["id"])) }
		old := h.deliveries("")[0]
		again := c.post(delivery(old), nil).is(202).id("data.delivery_id")
		got := receiver.waitFor(2)
		if got[1].ID != got[0].ID || got[1].Body != got[0].Body || again == int64(old["id"].(float64)) {
			t.Errorf("W33: the redelivery is %+v, the delivery was %+v", got[1], got[0])
		}
		h.came("rejected", "succeeded")

		c.post(h.path("/test"), nil).is(202)
		test := receiver.waitFor(3)[2]
		if test.EventType != "HOOK_TEST" || test.Resource != fmt.Sprint(h.id) {
			t.Errorf("the test is %+v", test)
		}
		h.came("rejected", "succeeded", "succeeded")
		if d := h.deliveries("event_type=HOOK_TEST"); len(d) != 1 || d[0]["event_id"] != nil || d[0]["webhook_id"] != test.ID {
			t.Errorf("the log of the test is %v", d)
		}

		other := c.subscribe(receiver.url, nil)
		c.post(other.path(fmt.Sprintf("/deliveries/%v/redeliver", old["id"])), nil).refused(404, "not_found")
		h.update(object{"status": "suspended"}).is(200)
		c.post(delivery(old), nil).refused(409, "conflict")
		c.post(h.path("/test"), nil).refused(409, "conflict")
		c.post(h.path("/replay"), object{"after_event_id": 0}).refused(409, "conflict")
		receiver.waitFor(3)
	})
}

func TestWhatIsUnderWayCannotBeRedelivered(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), recording(t, silence)
		product := c.create(nil)
		h := c.subscribe(receiver.url, nil)
		c.reprice(product)
		receiver.waitFor(1)
		c.post(h.path(fmt.Sprintf("/deliveries/%v/redeliver", h.deliveries("")[0]["id"])), nil).refused(409, "conflict")
	})
}

func TestReplaysOfEveryRange(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), listening(t, "--answer", "200,422:doublon,200")
		product := c.create(nil)
		h, before := c.subscribe(receiver.url, nil), c.lastEvent()
		for range 3 {
			c.reprice(product)
		}
		h.came("succeeded", "rejected", "succeeded")
		events := h.get(fmt.Sprintf("/events?after=%d&origines=PRODUCT_UPDATE", before)).is(200).list("data")
		at := func(n int) any { return events[n].(object)["timestamp"] }
		came := 3
		for _, replay := range []struct {
			body object
			want int
		}{
			{object{"after_event_id": before}, 3},
			{object{"after_event_id": events[1].(object)["id"]}, 1},
			{object{"after_event_id": events[2].(object)["id"]}, 0},
			{object{"from": at(0)}, 3},
			{object{"from": at(0), "to": at(0)}, 0},
			{object{"after_event_id": before, "to": at(0)}, 0},
			{object{"from": "2999-01-01T00:00:00Z"}, 0},
		} {
			h.post(h.path("/replay"), replay.body).is(202).equals("data.deliveries", replay.want)
			came += replay.want
			receiver.waitFor(came)
		}
		got := receiver.got()
		for i, r := range got[3:6] {
			if r.ID != got[i].ID || r.Body != got[i].Body {
				t.Errorf("W33: replayed as %+v, delivered as %+v", r, got[i])
			}
		}
		for _, body := range []object{{}, {"after_event_id": before, "from": at(0)}, {"missed_only": true}} {
			h.post(h.path("/replay"), body).refused(422, "exactly_one_of", "after_event_id")
		}
		h.post(h.path("/replay"), object{"after_event_id": -1}).refused(422, "out_of_range", "after_event_id")
		h.post(h.path("/replay"), object{"from": "noon"}).refused(422, "invalid_format", "from")
	})
}

// A webhook that comes late catches up with everything, and its deliveries fill
// several pages.
func TestAReplayOfTheWholeLedger(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c, receiver := w.network(t), listening(t)
		h := c.subscribe(receiver.url, object{"origines": list{"PRODUCT_CREATE"}})
		want := []any{}
		for after := int64(0); ; {
			page := c.get(fmt.Sprintf("/events?after=%d&origines=PRODUCT_CREATE&limit=1000", after)).is(200)
			for _, e := range page.list("data") {
				want = append(want, e.(object)["id"])
				after = int64(e.(object)["id"].(float64))
			}
			if page.at("has_more") == false {
				break
			}
		}
		h.post(h.path("/replay"), object{"after_event_id": 0}).is(202).equals("data.deliveries", len(want))
		receiver.waitFor(len(want))
		if len(want) <= 50 {
			t.Errorf("%d events do not fill two pages", len(want))
		}
		eventually(t, "all are settled", func() bool { return len(h.deliveries("status=succeeded")) == len(want) })
		if diff := cmp.Diff(want, column(h.deliveries(""), "event_id")); diff != "" {
			t.Errorf("events (-want +got):\n%s", diff)
		}
	}, overOneConnection)
}

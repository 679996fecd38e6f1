package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOneDeliveryIsShownAsInTheList(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		no := answering(500, "no")
		c, receiver := w.network(t), recording(t, answering(200, "thanks"), answering(422, "doublon"), no, no, no, no)
		h := c.subscribe(receiver.url, object{"origines": list{"PRODUCT_CREATE", "PRODUCT_UPDATE", "PRODUCT_DELETE"}})
		sold := c.create(nil)
		h.came("succeeded")
		c.reprice(sold)
		h.came("succeeded", "rejected")
		c.delete(product(sold)).is(204)
		h.becomes("suspended")
		missed := c.create(nil)
		h.came("succeeded", "rejected", "failed", "cancelled")

		one := func(id any) string { return h.path(fmt.Sprintf("/deliveries/%v", id)) }
		for _, listed := range h.deliveries("") {
			read := c.get(one(listed["id"])).is(200).at("data").(map[string]any)
			sent := fmt.Sprintf(`{"event_type":%q,"resource_id":%v,"timestamp":`, listed["event_type"], listed["resource_id"])
			if payload, ok := read["payload"].(string); !ok || !strings.HasPrefix(payload, sent) {
				t.Errorf("the payload of a delivery that is %v is %v, and does not begin with %s", listed["status"], read["payload"], sent)
			}
			delete(read, "payload")
			if diff := cmp.Diff(any(listed), any(read)); diff != "" {
				t.Errorf("a delivery that is %v (-listed +read):\n%s", listed["status"], diff)
			}
		}

		last := h.deliveries("")[0]["id"]
		other := c.subscribe(receiver.url, nil)
		c.get(other.path(fmt.Sprintf("/deliveries/%v", last))).refused(404, "not_found")
		c.get(one(987654321)).refused(404, "not_found")
		c.get(one("latest")).refused(404, "not_found")
		w.rival(t).get(one(last)).refused(404, "not_found")
		c.get(product(missed)).is(200)
	})
}

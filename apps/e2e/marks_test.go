package e2e_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// undecided is a receiver that takes its time: every request waits for what it
// is to be answered.
func undecided(t *testing.T) (url string, answers chan<- int) {
	t.Helper()
	decided := make(chan int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case status := <-decided:
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"message": "a duplicate"}`))
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, decided
}

// W21: what a read shows follows what receivers say, although records are kept
// rendered and a rejection changes no product.
func TestW21_SyncErrorsFollowTheReceiver(t *testing.T) {
	delivering(t, func(t *testing.T, w *world) {
		c := w.network(t)
		url, answers := undecided(t)
		parent := c.create(object{})
		id := c.create(object{"parent_id": parent})
		other := c.create(object{})
		h := c.subscribe(url, nil)
		shows := func(want list) {
			t.Helper()
			for range 2 { // the second time from what was kept
				c.get(product(id)).is(200).equals("data.sync_errors", want)
				c.get(product(id, "?fetch=publications")).is(200).equals("data.sync_errors", want)
				c.get(product(parent, "/lots")).is(200).equals("data.0.sync_errors", want)
				c.search(object{"parent_id": parent}, "?fetch=rooms").is(200).equals("data.0.sync_errors", want)
				c.get(product(other)).is(200).equals("data.sync_errors", list{})
			}
		}
		// hears changes the product, reads it while the receiver makes up its mind,
		// and waits until what it says has come.
		hears := func(answer int, status string, meanwhile list) {
			t.Helper()
			c.reprice(id)
			shows(meanwhile)
			answers <- answer
			eventually(t, "the delivery is "+status, func() bool {
				last := h.deliveries("")
				return last[len(last)-1]["status"] == status
			})
		}
		for range 2 {
			hears(422, "rejected", list{})
			marked := c.get(product(id)).is(200)
			marked.equals("data.sync_errors.0.hook_id", float64(h.id)).equals("data.sync_errors.0.event_type", "PRODUCT_UPDATE").
				equals("data.sync_errors.0.reason", "a duplicate")
			mark := marked.list("data.sync_errors")
			shows(mark)
			hears(200, "succeeded", mark)
			shows(list{})
		}
		hears(422, "rejected", list{})
		shows(c.get(product(id)).is(200).list("data.sync_errors"))
		c.delete(h.path("")).is(204)
		shows(list{})
	})
}

package e2e_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// waits are those before retries in worlds that deliver: long enough to be told
// apart, short enough to be waited for.
var waits = []time.Duration{40 * time.Millisecond, 120 * time.Millisecond, 360 * time.Millisecond}

// deliveringTo makes a world deliver, to some of the addresses of this machine.
func deliveringTo(networks string) choice {
	return configured(func(c *config.Server) {
		c.Hooks = config.Hooks{RetryDelays: waits, Timeout: 5 * time.Second, Lease: 10 * time.Second, Allow: networks, AllowHTTP: true}
	})
}

// delivering runs a scenario in a world that delivers.
func delivering(t *testing.T, scenario func(t *testing.T, w *world), picked ...choice) {
	t.Helper()
	onEach(t, "deliver", scenario, append(picked, deliveringTo("127.0.0.0/8:*"))...)
}

// patience is how long to wait for what should take milliseconds.
const patience = 30 * time.Second

// eventually waits until a condition holds.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	within(t, patience, what, holds)
}

func within(t testing.TB, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", limit, what)
		}
	}
}

// hook is a webhook of a client's site.
type hook struct {
	*client
	id int64
}

// subscribe makes a webhook for the length of the test. Unless fields say
// otherwise it hears of changed products.
func (c *client) subscribe(url string, fields object) hook {
	c.t.Helper()
	body := object{"url": url, "origines": list{"PRODUCT_UPDATE"}}
	for key, value := range fields {
		body[key] = value
	}
	h := hook{c, c.post("/hooks", body).is(201).id("data.id")}
	c.t.Cleanup(func() { // lest the next test's events go there
		response, err := c.w.http.Do(c.request("DELETE", h.path(""), nil).WithContext(context.WithoutCancel(c.t.Context())))
		if err == nil { // the server is still there
			response.Body.Close()
		}
	})
	return h
}

var prices atomic.Int64

// reprice changes a product.
func (c *client) reprice(product int64) {
	c.t.Helper()
	c.change(product, object{"criteria": criteria("Prix", 100_000+prices.Add(1))}).is(204)
}

// lastEvent is the id of the last event of the site.
func (c *client) lastEvent() int64 {
	c.t.Helper()
	return c.get("/events?limit=1").is(200).id("last_id")
}

func (h hook) path(more string) string { return fmt.Sprintf("/hooks/%d%s", h.id, more) }

// state is active or suspended.
func (h hook) state() string { h.t.Helper(); return h.get(h.path("")).is(200).text("data.status") }

func (h hook) becomes(state string) {
	h.t.Helper()
	eventually(h.t, fmt.Sprintf("webhook %d is %s", h.id, state), func() bool { return h.state() == state })
}

// update is PUT with the given fields.
func (h hook) update(fields object) answer {
	h.t.Helper()
	return h.send("PUT", h.path(""), fields)
}

// deliveries are those a query finds, oldest first.
func (h hook) deliveries(query string) []object {
	h.t.Helper()
	all := []object{}
	for cursor := ""; ; {
		page := h.get(h.path("/deliveries?" + query + cursor)).is(200)
		for _, d := range page.list("data") {
			all = append(all, d.(object))
		}
		if page.at("has_more") == false {
			slices.Reverse(all)
			return all
		}
		cursor = "&cursor=" + page.text("next_cursor")
	}
}

// column is what deliveries have in one field.
func column(deliveries []object, field string) []any {
	values := []any{}
	for _, d := range deliveries {
		values = append(values, d[field])
	}
	return values
}

// came waits until the deliveries have come to what is wanted, oldest first.
func (h hook) came(want ...any) {
	h.t.Helper()
	var got []any
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if got = column(h.deliveries(""), "status"); cmp.Equal(got, want) {
			return
		}
	}
	h.t.Fatalf("the deliveries of webhook %d are %v, want %v", h.id, got, want)
}

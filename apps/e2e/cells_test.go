package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// stands puts site 1 of a world into a state, as a move does.
func (w *world) stands(t *testing.T, m site.Move) {
	t.Helper()
	m.Site = 1
	if err := w.store.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().PutMove(m) }); err != nil {
		t.Fatal(err)
	}
}

// A site that is being moved is read as ever. Who wants to change it is told when to ask
// again, and nothing was changed.
func TestASiteThatIsMovedIsReadAndNotChanged(t *testing.T) {
	separately(t, func(t *testing.T, w *world) {
		c, rival := w.network(t), w.rival(t)
		product := c.create(nil)
		tag := c.get(fmt.Sprint("/products/", product)).is(200).header.Get("ETag")
		last := c.lastEvent()
		w.stands(t, site.Move{State: site.Resting, ID: "m"})
		c.reprice(product)
		w.stands(t, site.Move{State: site.Moving, ID: "m"})
		for name, a := range map[string]answer{
			"a change":       c.change(product, object{"criteria": criteria("Prix", 1)}),
			"a product":      c.post("/products", object{"agency_id": 11, "criteria": criteria("TypeBien", "APPARTEMENT")}),
			"a webhook":      c.post("/hooks", object{"url": "https://portal.example.org/in", "origines": list{"PRODUCT_UPDATE"}}),
			"a token":        w.stranger(t).grant("sandbox-network", map[string][]string{"site_id": {"1"}}),
			"a calendar":     c.post("/agenda/feeds/101", object{}),
			"a removal":      c.send("DELETE", fmt.Sprint("/products/", product), nil),
			"a repeated one": c.send("POST", "/products", object{"agency_id": 11}, "Idempotency-Key", "k-1"),
		} {
			if a.refused(503, "site_moving"); a.header.Get("Retry-After") != "5" {
				t.Errorf("%s: Retry-After is %q", name, a.header.Get("Retry-After"))
			}
		}
		french := c.send("PATCH", fmt.Sprint("/products/", product), object{"product_id": product, "criteria": criteria("Prix", 1)}, "Accept-Language", "fr").refused(503, "site_moving")
		if !strings.Contains(french.text("error.message"), "transfert") {
			t.Error(french)
		}
		if now := c.lastEvent(); now != last+1 {
			t.Errorf("the last event is %d, and was %d before one change", now, last)
		}
		if c.get(fmt.Sprint("/products/", product)).is(200).header.Get("ETag") == tag {
			t.Error("the change before is not seen")
		}
		c.post("/products/search", object{}).is(200)
		rival.post("/products", object{}).is(201)
		w.stands(t, site.Move{})
		c.send("POST", "/products", object{"agency_id": 11}, "Idempotency-Key", "k-1").is(201)
	}, onEveryStore)
}

// A site that has moved away is told of where it is, for as long as it was said, and is
// unknown then.
func TestASiteThatMovedIsToldOf(t *testing.T) {
	separately(t, func(t *testing.T, w *world) {
		c := w.network(t)
		pair := w.stranger(t).grant("sandbox-network", map[string][]string{"site_id": {"1"}}).is(200)
		product := c.create(nil)
		feed := c.post("/agenda/feeds/101", object{}).is(201).text("data.url")
		form := func(path string, fields map[string][]string) answer {
			return w.stranger(t).form("/api/client/token/"+path, "sandbox-network", "sandbox-network-secret", fields)
		}
		everything := func() map[string]answer {
			return map[string]answer{
				"/api/v2/site/discovery?a=1%2F2&b":               c.get("/discovery?a=1%2F2&b"),
				fmt.Sprintf("/api/v2/site/products/%d", product): c.change(product, object{"criteria": criteria("Prix", 1)}),
				"/api/v2/site/products/search":                   c.post("/products/search", object{}),
				"/api/client/token/site":                         form("site", map[string][]string{"site_id": {"1"}}),
				"/api/client/token/refresh":                      form("refresh", map[string][]string{"refresh_token": {pair.text("refresh_token")}}),
				"/api/client/token/revoke":                       form("revoke", map[string][]string{"token": {pair.text("access_token")}}),
				strings.TrimPrefix(feed, w.url):                  c.get(feed),
			}
		}
		w.stands(t, site.Move{State: site.Moved, ID: "m", Domain: "https://crm2.example.org", Until: w.clock.now().Add(time.Hour)})
		for path, a := range everything() {
			if a.refused(308, "site_moved"); a.header.Get("Location") != "https://crm2.example.org"+path || a.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %v", path, a.header)
			}
		}
		c.with("1.unknown").get("/discovery").refused(401, "unauthenticated")
		w.rival(t).get("/discovery").is(200)
		w.stands(t, site.Move{State: site.Moved, ID: "m", Until: w.clock.now().Add(time.Hour)})
		for _, a := range everything() {
			a.refused(503, "site_moving")
		}
		w.clock.advance(30 * time.Minute)
		w.stands(t, site.Move{State: site.Moved, ID: "m", Domain: "https://crm2.example.org", Until: w.clock.now()})
		c.get("/discovery").refused(401, "unauthenticated")
		form("site", map[string][]string{"site_id": {"1"}}).refused(404, "unknown_site")
		form("refresh", map[string][]string{"refresh_token": {pair.text("refresh_token")}}).refused(403, "invalid_grant")
		form("revoke", map[string][]string{"token": {pair.text("access_token")}}).is(200)
		c.get(feed).is(404)
		w.stands(t, site.Move{State: site.Arriving, ID: "m"})
		c.get("/discovery").refused(503, "site_moving")
	}, onEveryStore)
}

// Nothing is delivered for a site that is about to move, and all of it afterwards. What another site is sent
// later shows that the dispatcher has looked for what is due.
func TestNothingIsDeliveredWhileASiteMoves(t *testing.T) {
	separately(t, func(t *testing.T, w *world) {
		c, rival := w.network(t), w.rival(t)
		product, theirs := c.create(nil), rival.create(nil)
		var resting atomic.Bool
		receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			if resting.Load() {
				t.Error("something is delivered for a site that rests")
			}
		}))
		t.Cleanup(receiver.Close)
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		t.Cleanup(other.Close)
		h, beside := c.subscribe(receiver.URL, nil), rival.subscribe(other.URL, nil)
		w.stands(t, site.Move{State: site.Resting, ID: "m"})
		resting.Store(true)
		for range 3 {
			c.reprice(product)
		}
		for n := range 3 {
			rival.reprice(theirs)
			beside.came(slices.Repeat([]any{"succeeded"}, n+1)...)
		}
		if n := len(h.deliveries("status=pending")); n != 3 {
			t.Errorf("%d deliveries are pending", n)
		}
		resting.Store(false)
		w.stands(t, site.Move{})
		h.came("succeeded", "succeeded", "succeeded")
	}, deliveringTo("127.0.0.0/8:*"))
}

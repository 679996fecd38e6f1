package e2e_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

func TestZ_CamelCaseIsDeprecated(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		deprecated := func(a answer, want bool, ignored string) {
			t.Helper()
			link := ""
			if want {
				link = `</changelog#1.1.0>; rel="deprecation"`
			}
			if got := a.header.Get("Deprecation"); got != map[bool]string{true: "@1789516800"}[want] || a.header.Get("Link") != link || a.header.Get("X-Ignored-Fields") != ignored {
				t.Errorf("%s\nDeprecation %q, Link %q, X-Ignored-Fields %q", a, got, a.header.Get("Link"), a.header.Get("X-Ignored-Fields"))
			}
		}
		created := c.post("/products", `{"agencyId":11,"webStatus":true,"nextContact":"2026-12-01","userID":101,"descriptions":[{"language":"fr","shortText":"court"}]}`).is(201)
		deprecated(created, true, "")
		id := created.id("data.id")
		c.get(product(id, "?fetch=descriptions")).equals("data.web_status", true).equals("data.next_contact", "2026-12-01").
			equals("data.user_id", 101).equals("data.descriptions.0.short_text", "court")

		deprecated(c.patch(product(id), fmt.Sprintf(`{"productId":%d,"color":1}`, id)).is(204), true, "")
		deprecated(c.patch(product(id), fmt.Sprintf(`{"product_id":%d,"color":2}`, id)).is(204), false, "")
		deprecated(c.patch(product(id), fmt.Sprintf(`{"product_id":%d,"sellerStatistics":true,"seller_statistics":false}`, id)).is(204), true, "sellerStatistics")
		c.get(product(id)).equals("data.seller_statistics", false)
		// Snake_case wins whole, even when it is null or wrong.
		deprecated(c.post("/products", `{"agency_id":null,"agencyId":11}`).refused(422, "required", "agency_id"), true, "agencyId")
		deprecated(c.post("/products", `{"agencyId":11,"agency_id":99}`).refused(403, "agency_out_of_scope"), true, "agencyId")
		// Z4: of two camelCase spellings the last one.
		deprecated(c.post("/products", `{"agencyID":21,"agencyId":11}`).is(201), true, "agencyID")

		deprecated(c.post("/products/search", `{"sortType":"prix","sortOrder":"asc","productsAdminId":"101"}`).is(200), true, "")
		deprecated(c.post("/products/search", `{"hasVisit360":true}`).is(200), false, "") // Q36
		deprecated(c.post("/products/search", `{"hasVisit360":true,"has_visit360":false}`).is(200), false, "hasVisit360")
		deprecated(c.post("/products/search", `{"statusWeb":true}`).is(200), true, "")
		deprecated(c.post("/products/search", `{"webStatus":true}`).is(200), true, "")
		deprecated(c.post("/products/search", `{"criterias":[{"id":"TypeBien","operator":"EGAL","value":"Maison"}]}`).is(200), false, "")
		deprecated(c.get("/agencies?perPage=1").is(200).equals("meta.per_page", 1), true, "")
		deprecated(c.get("/agencies?perPage=1&per_page=2").is(200).equals("meta.per_page", 2), true, "perPage")
		// What stands in values is nobody's business.
		deprecated(c.patch(product(id), object{"product_id": id, "criteria": criteria("Ville", "agencyId")}).is(204), false, "")
	})
}

// Every path of the table answers to its own methods, tells them to those who
// use another, and is quiet about itself to those without a token.
func TestG19_PathsAndMethods(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		methods := map[string][]string{}
		for _, o := range w.Operations() {
			path := strings.NewReplacer("{agencyId}", "11", "{productId}", "999999", "{roomId}", "1", "{criteriaId}", "TypeBien", "{listeId}", "1").Replace(o.Path)
			methods[path] = append(methods[path], o.Method)
		}
		for _, o := range w.TokenOperations() {
			methods[o.Path] = append(methods[o.Path], o.Method)
		}
		for _, path := range []string{"/openapi.json", "/changelog", "/docs"} {
			methods[path] = []string{"GET"}
		}
		for path, own := range methods {
			own = append(own, "OPTIONS")
			if slices.Contains(own, "GET") {
				own = append(own, "HEAD")
			}
			slices.Sort(own)
			allow := strings.Join(own, ", ")
			options := c.with("").send("OPTIONS", path, nil).is(204).empty()
			if got := options.header.Get("Allow"); got != allow {
				t.Errorf("OPTIONS %s: Allow is %q, want %q", path, got, allow)
			}
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "FOO"} {
				if slices.Contains(own, method) {
					continue
				}
				got := c.send(method, path, nil).refused(405, "method_not_allowed")
				if got.header.Get("Allow") != allow {
					t.Errorf("%s %s: Allow is %q, want %q", method, path, got.header.Get("Allow"), allow)
				}
				if strings.HasPrefix(w.address(path), w.url+kernel.BasePath) {
					c.with("").send(method, path, nil).refused(401, "unauthenticated")
				}
			}
		}
		for _, path := range []string{"/rentals", "/leases/1/unknown", "/products/1/unknown", "/Discovery", "/nowhere", "/api", "/api/v1/site/discovery", "/docs/no/such"} {
			for _, method := range []string{"GET", "POST", "DELETE"} {
				c.send(method, path, nil).refused(404, "unknown_route")
			}
		}
		c.with("").get("/rentals").refused(401, "unauthenticated")
		c.with("").get("/nowhere").refused(404, "unknown_route")
		c.get("/discovery/").is(200) // G20
		c.post("/products/search/", "{}").is(200)
	})
}

func TestA21_OneAuthorizationLine(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		good := "Bearer " + c.token
		for _, lines := range [][]string{{good, good}, {good, "Bearer x"}, {"Bearer x", good}, {"", good}, {good, "Basic eDp5"}} {
			for method, path := range map[string]string{"GET": "/site", "POST": "/products/search", "DELETE": "/products/999999", "PUT": "/unknown"} {
				r := c.with("").request(method, path, nil)
				r.Header["Authorization"] = lines
				c.do(r).refused(401, "ambiguous_credentials")
			}
			r := c.with("").request("GET", "/openapi.json", nil)
			r.Header["Authorization"] = lines
			c.do(r).is(200)
		}
		r := c.with("").request("POST", "/api/client/token/site", "site_id=1", "Content-Type", "application/x-www-form-urlencoded")
		r.SetBasicAuth("sandbox-network", "sandbox-network-secret")
		r.Header.Add("Authorization", r.Header.Get("Authorization"))
		if got := c.do(r).refused(401, "ambiguous_credentials"); got.header.Get("WWW-Authenticate") != `Basic realm="site"` {
			t.Errorf("A7: %v", got.header)
		}
	})
}

func TestG32_BodiesAreNotCoded(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.create(nil)
		for _, coding := range []string{"gzip", "GZIP", "br", "identity, gzip", "x-unknown"} {
			for _, o := range w.Operations() {
				if strings.Contains(o.Path, "{") {
					continue
				}
				c.send(o.Method, o.Path, "{}", "Content-Encoding", coding).refused(415, "unsupported_media_type")
			}
			c.send("PATCH", product(id), "{}", "Content-Encoding", coding).refused(415, "unsupported_media_type")
			c.form("/api/client/token/site", "sandbox-network", "sandbox-network-secret", url.Values{"site_id": {"1"}}, "Content-Encoding", coding).
				refused(415, "unsupported_media_type")
		}
		for _, coding := range []string{"identity", "Identity", ""} {
			c.send("POST", "/products/search", "{}", "Content-Encoding", coding).is(200)
		}
		c.with("").send("POST", "/products", "{}", "Content-Encoding", "gzip").refused(401, "unauthenticated")
	})
}

func TestPages(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.stranger(t)
		served := c.get("/openapi.json").is(200).equals("info.version", "1.1.0").equals("openapi", "3.1.0")
		paths := slices.Sorted(maps.Keys(served.at("paths").(object)))
		var table []string
		for _, o := range w.Operations() {
			table = append(table, kernel.BasePath+o.Path)
		}
		for _, o := range w.TokenOperations() {
			table = append(table, o.Path)
		}
		table = append(table, "/changelog", "/photos/{site}/{product}/{file}") // beside the API
		slices.Sort(table)
		if diff := cmp.Diff(slices.Compact(table), paths); diff != "" {
			t.Errorf("H4: paths (-table +document):\n%s", diff)
		}
		c.get("/changelog").is(200).equals("data.0.version", "1.1.0").equals("data.1.version", "1.0.0")
		if markdown := c.get("/changelog", "Accept", "text/markdown").is(200); !strings.HasPrefix(string(markdown.body), "# ") {
			t.Error(markdown)
		}
		if page := c.get("/docs").is(200); !strings.Contains(string(page.body), "/openapi.json") || !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
			t.Error(page)
		} else if policy := page.header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") || page.header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("H17: %v", page.header)
		}
	})
}

func TestG10_NulAndNumbersNoStoreCanKeep(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.search(object{"model": "11-1001"}).ids()[0]
		for _, body := range []string{
			`{"keyword":"a\u0000"}`, `{"model":"\u0000"}`, `{"last_modified":"\u0000"}`, `{"cursor":"\u0000"}`, `{"sort_type":"\u0000"}`, `{"products_admin_id":"\u0000"}`,
			`{"criterias":[{"id":"\u0000","operator":"EGAL","value":"a"}]}`, `{"criterias":[{"id":"Ville","operator":"EGAL","value":"\u0000"}]}`,
			`{"criterias":[{"id":"Ville","operator":"CONTIENT","value":["a","\u0000"]}]}`, `{"criterias":[{"id":"Ville","operator":"\u0000","value":"a"}]}`,
			`{"customer_id":9223372036854775808}`, `{"customer_id":-9223372036854775809}`, `{"customer_id":1e400}`, `{"customer_id":1.5}`, `{"agency_id":99999999999999999999}`, `{"skip":99999999999999999999}`,
			"{\"keyword\":\"\xff\"}",
		} {
			if got := c.post("/products/search", body); got.status != 422 {
				t.Errorf("%q: %s", body, got)
			}
		}
		for _, path := range []string{"/agencies?cursor=%00", "/events?origines=%00", product(id, "?fetch=%00"), "/agencies/11?format=%ff", "/events?after=%00"} {
			if got := c.get(path); got.status != 422 {
				t.Errorf("%s", got)
			}
		}
		c.form("/api/client/token/site", "a\x00", "b", nil).refused(401, "invalid_client")
		c.form("/api/client/token/site", "\xff", "\xff", nil).refused(401, "invalid_client")
		c.with("").get("/site", "Authorization", "Bearer \xff").refused(401, "unauthenticated")
		if got := c.send("POST", "/products/search?fetch=%zz", "{}"); got.status >= 500 {
			t.Errorf("%s", got)
		}
	})
}

// The header of a request is bounded too.
func TestH12_HugeHeaders(t *testing.T) {
	w := sharedWorld(t, "read", "memory")
	c := w.network(t)
	c.get("/discovery", "X-Request-Id", strings.Repeat("x", 10_000)).is(200)
	r := c.with("").request("GET", "/site", nil)
	r.Header = http.Header{"Authorization": {"Bearer " + strings.Repeat("x", 100_000)}}
	c.do(r).refused(401, "unauthenticated")
}

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

func TestG2_UnreadableJSON(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.search(object{"model": "11-1001"}).ids()[0]
		for _, body := range []string{
			`{`, `[]`, `null`, `"x"`, `1`, `{}{}`, `{} x`, `{'a':1}`, `{"a":1,}`, `{"a":}`, `{a:1}`, `{"a":01}`, `{"a":+1}`, `{"a":.5}`, `{"a":NaN}`,
			"{\"a\":\"\n\"}", `{"a":"\x"}`, `{"a":"\ud800"}`, `{"a" 1}`, "{\ufeff}", `{"a":tru}`, "{\"a\":1}\x00", strings.Repeat(`{"a":`, 10_000) + strings.Repeat("}", 10_000), strings.Repeat("[", 100_000),
		} {
			for _, got := range []answer{
				c.post("/products", body), c.post("/products/search", body), c.post("/products/search/count", body), c.patch(product(id), body),
			} {
				if got.refused(422, "malformed_json"); t.Failed() {
					t.Fatalf("%.60q", body)
				}
			}
		}
		c.patch("/products/999999", "{").refused(404, "not_found") // G1: the path comes first
	})
}

func TestG3_MediaTypes(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.search(object{"model": "11-1001"}).ids()[0]
		for _, fine := range []string{"", "application/json; charset=utf-8", "APPLICATION/JSON", "text/plain", "application/octet-stream", "nonsense"} {
			c.send("POST", "/products/search", "{}", "Content-Type", fine).is(200)
		}
		for _, form := range []string{"application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "Multipart/Form-Data"} {
			c.send("POST", "/products/search", "{}", "Content-Type", form).refused(415, "unsupported_media_type")
			c.send("POST", "/products", "{}", "Content-Type", form).refused(415, "unsupported_media_type")
			c.send("PATCH", product(id), "{}", "Content-Type", form).refused(415, "unsupported_media_type")
		}
		c.get("/discovery", "Accept", "text/html").is(200) // G19
	})
}

func TestG26_LargeBodies(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		filled := func(n int) string { return "{" + strings.Repeat(" ", n-len("{}")) + "}" }
		c.post("/products/search/count", filled(1<<20)).is(200)
		for _, path := range []string{"/products/search/count", "/products"} {
			c.post(path, filled(1<<20+1)).refused(413, "payload_too_large")
		}
		many := `{"criterias":[` + strings.Repeat("{},", 100_000) + `{}]}`
		if got := c.post("/products/search", many); got.status != 413 && got.status != 422 || len(got.body) > 64<<10 {
			t.Errorf("a hundred thousand criterias: %d with %d bytes", got.status, len(got.body))
		}
	})
}

func TestG5_UnknownFieldsAreNamed(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for body, want := range map[string]string{
			`{"agency_id":11}`:                               "",
			`{"agency_id":11,"colour":1}`:                    "colour",
			`{"agency_id":11,"a":1,"b":{"c":2},"a":3}`:       "a, b",
			`{"agency_id":11,"Agency_ID":21,"AGENCY_ID":21}`: "Agency_ID, AGENCY_ID", // G7: case matters
			`{"agency_id":11,"é\r\nSet-Cookie: x=1":1}`:      "???Set?Cookie??x?1",
			`{"agency_id":11,"criteria":[{"id":"Prix","value":1,"unit":"€"},{"id":"Ville","value":"a","unit":"€"}]}`: "criteria.unit",
		} {
			got := c.post("/products", body).is(201).header.Get("X-Ignored-Fields")
			if strings.Contains(body, "é") {
				got = strings.ReplaceAll(got, "????", "???") // é is one letter or two bytes
			}
			if got != want {
				t.Errorf("%s: X-Ignored-Fields is %q, want %q", body, got, want)
			}
		}
		var fields []string
		for i := range 1000 {
			fields = append(fields, fmt.Sprintf(`"%s%d":1`, strings.Repeat("x", 100), i))
		}
		header := c.post("/products", `{"agency_id":11,`+strings.Join(fields, ",")+"}").is(201).header.Get("X-Ignored-Fields")
		if len(header) > 1024 || strings.Count(header, ",") >= 20 {
			t.Errorf("X-Ignored-Fields has %d bytes", len(header))
		}
		refused := c.post("/products", object{"unknown": 1, "agency_id": 0}).is(422)
		if refused.header.Get("X-Ignored-Fields") != "unknown" {
			t.Errorf("errors name ignored fields too: %v", refused.header)
		}
		id := c.create(object{"colour": 1, "color": 2})
		if got := c.change(id, object{"colour": 1, "rooms": list{object{"type": "WC", "kind": 1}}}).is(204).header.Get("X-Ignored-Fields"); got != "colour, rooms.kind" && got != "rooms.kind, colour" {
			t.Errorf("X-Ignored-Fields is %q", got)
		}
		c.get(product(id, "?page=1&Fetch=rooms")).is(200) // G6
	})
}

// A filter that does not exist would find everything: searches and counts refuse it,
// wherever in the body it is, and name the nearest.
func TestG5_SearchesRefuseUnknownFields(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for _, path := range []string{
			"/products/search", "/products/search/count", "/products/search/facets", "/customers/search", "/sale-offers/search", "/sale-agreements/search",
			"/leases/search", "/agenda/events/search",
		} {
			got := c.post(path, object{"colour": 1, "facets": list{object{"id": "TypeBien"}}})
			if path != "/products/search/facets" {
				got = c.post(path, object{"colour": 1})
			}
			got.refused(422, "unknown_filter", "colour")
		}
		for body, want := range map[string][2]string{
			`{"reference":"N-1"}`:           {"reference", "model"},
			`{"modle":"N-1"}`:               {"modle", "model"},
			`{"webStatuss":true}`:           {"webStatuss", "status_web"},
			`{"AGENCY_ID":11}`:              {"AGENCY_ID", "agency_id"},
			`{"agencyid":11}`:               {"agencyid", "agency_id"},
			`{"customer":1}`:                {"customer", "customer_id"},
			`{"last_modifed":"2026-01-01"}`: {"last_modifed", "last_modified"},
			`{"criterias":[{"id":"Prix","operator":"EGAL","value":1},{"id":"Prix","operatr":"EGAL","value":1}]}`: {"criterias[1].operatr", "operator"},
			`{"near":{"latitude":45.9,"longitude":6.1,"radius_km":5,"radius":5}}`:                                {"near.radius", "radius_km"},
			`{"within":{"south":1,"west":1,"north":2,"east":2,"nord":3}}`:                                        {"within.nord", "north"},
		} {
			for _, path := range []string{"/products/search", "/products/search/count"} {
				got := c.post(path, body).refused(422, "unknown_filter", want[0])
				if said := got.text("error.message"); said != want[0]+" does not exist here; the nearest field is "+want[1] {
					t.Errorf("%s: %s", body, said)
				}
			}
		}
		c.post("/products/search", `{"agencyId":11,"criteria":[],"web_status":true,"has_visit_360":false}`).is(200) // other spellings are no other fields
		c.post("/products/search", object{"unknown": 1, "count": 0}).refused(422, "unknown_filter", "unknown")
		c.post("/products/search/count", `{"sort_type":"prix","sortOrder":"asc","cursor":null,"skip":1,"count":5}`).is(200) // what a search says besides
	})
}

// A parameter that cannot be read is refused, as one that is left out may widen what is
// asked for; lists in the manner of PHP are read.
func TestG6_BrokenParametersAreRefused(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for path, field := range map[string]string{
			"/leads?status=%zz": "status", "/leads?%zz=1": "?zz", "/events?after=%e": "after", "/events?after=1%": "after", "/agencies?other=%G0&per_page=1": "other",
		} {
			c.get(path).refused(422, "invalid_format", field)
		}
		c.post("/products/search?fetch=%zz", object{}).refused(422, "invalid_format", "fetch")
		first := int64(c.post("/products/search", object{}).is(200).list("data")[0].(object)["id"].(float64))
		want := c.get(product(first, "?fetch=rooms,descriptions")).is(200).body
		for _, query := range []string{"fetch[]=rooms&fetch[]=descriptions", "fetch%5B%5D=rooms&fetch%5b%5d=descriptions", "fetch[0]=rooms&fetch[1]=descriptions", "fetch[]=rooms,descriptions"} {
			if got := c.get(product(first, "?"+query)).is(200).body; string(got) != string(want) {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		c.get(product(first, "?fetch[]=nonsense")).refused(422, "unknown_fetch_value", "fetch")
		c.get("/agencies?per_page[]=0").refused(422, "out_of_range", "per_page")
		c.get("/agencies?a;b&c&=d&100=%25").is(200)
		c.get("/site?x=%").is(200) // where no parameter means anything
	})
}

func TestG7_TheLastOfEqualKeysWins(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		c := w.network(t)
		id := c.post("/products", `{"agency_id":21,"agency_id":11,"color":9,"color":2,"criteria":[{"id":"Ville","value":"a","value":"b"}]}`).is(201).id("data.id")
		c.get(product(id)).is(200).equals("data.color", 2).equals("data.city", "b")
		c.change(id, object{}).is(204)
		if got := c.patch(product(id), fmt.Sprintf(`{"product_id":1,"product_id":%d,"color":3,"color":null}`, id)).is(204); got.header.Get("X-Ignored-Fields") != "" {
			t.Error(got.header)
		}
		c.get(product(id)).equals("data.color", nil)
	})
}

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

func TestG31_Head(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for _, path := range []string{"/discovery", "/agencies/11", "/products/999999", "/agencies?per_page=0", "/changelog", "/openapi.json"} {
			get, head := c.get(path), c.send("HEAD", path, nil)
			if head.status != get.status || head.header.Get("Content-Type") != get.header.Get("Content-Type") || head.header.Get("Content-Length") != fmt.Sprint(len(get.body)) {
				t.Errorf("%s: HEAD is %d %v, GET is %d", path, head.status, head.header, get.status)
			}
			head.empty()
		}
		c.with("").send("HEAD", "/discovery", nil).is(401).empty()
	})
}

func TestG15_HeadersOfEveryAnswer(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		mine := "7a8b6d4e-0000-4000-8000-000000000000"
		for _, a := range []answer{
			c.get("/discovery", "X-Request-Id", mine), c.get("/nowhere", "X-Request-Id", mine), c.with("").get("/discovery", "X-Request-Id", mine),
			c.send("OPTIONS", "/discovery", nil, "X-Request-Id", mine), c.send("FOO", "/discovery", nil, "X-Request-Id", mine), c.get("/changelog", "X-Request-Id", mine),
		} {
			if a.header.Get("X-Request-Id") == mine || a.header.Get("X-Environment") != "sandbox" || a.header.Get("X-Content-Type-Options") != "nosniff" ||
				a.header.Get("Set-Cookie") != "" || a.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: %v", a, a.header)
			}
		}
	})
}

func TestA14_A16_BearerTokens(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		c := w.network(t)
		for _, scheme := range []string{"bearer ", "BEARER  ", "Bearer "} {
			c.with("").get("/site", "Authorization", scheme+c.token).is(200)
		}
		for _, authorization := range []string{"", c.token, "Basic " + c.token, "Bearer", "Bearer ", "Bearer " + c.token + "x", "Bearer " + c.token[1:], "Bearer\x01", "Token " + c.token, "Bearer " + c.token + " x"} {
			r := c.with("").request("GET", "/site", nil)
			r.Header["Authorization"] = []string{strings.ReplaceAll(authorization, "\x01", "\t"+c.token)}
			if got := c.do(r).refused(401, "unauthenticated"); got.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
				t.Errorf("%q: %v", authorization, got.header)
			}
		}
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

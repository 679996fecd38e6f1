package conform

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// extends skips the check unless the server says which version of the contract it extends.
func (p *Probe) extends() {
	version := once(p, "extends", func(p *Probe) string { return p.Get("/discovery").Header.Get("X-Contract-Version") })
	if version == "" {
		p.Skip("the server does not say X-Contract-Version, so the contract alone holds")
	}
}

// offered skips the check if the server has no such operation.
func (a *Answer) offered(what string) *Answer {
	if slices.Contains([]int{404, 405, 501}, a.Status) {
		a.p.Skip("the server has no %s", what)
	}
	return a
}

// everywhere are answers of several sorts to a header.
func (p *Probe) everywhere(name, value string) []*Answer {
	return []*Answer{
		p.Get("/discovery", name, value), p.Get("/nowhere", name, value), p.Get("/discovery", "Authorization", "", name, value),
		p.Send("OPTIONS", "/discovery", nil, name, value), p.Send("FOO", "/discovery", nil, name, value), p.Get(p.root("/changelog"), name, value),
	}
}

// because demands an error with a code, about some fields if any are given.
func (a *Answer) because(status int, code string, fields ...string) *Answer {
	a.Is(status).Equals("error.code", code)
	var got []string
	if len(fields) > 0 {
		for i := range a.List("error.details") {
			got = append(got, a.Text(fmt.Sprintf("error.details.%d.field", i)))
		}
		a.p.Want(slices.Equal(got, fields), fmt.Sprintf("details about %q", fields), a)
	}
	return a
}

// refusal is what a decision refuses, and how.
type refusal struct {
	id, sentence string
	ask          func(*Probe) *Answer
	status       int
	code         string
	fields       []string
}

// searching refuses a search and a count alike (Q39).
func searching(id, sentence string, body any, code string, fields ...string) refusal {
	return searchingBy(id, sentence, func(*Probe) any { return body }, code, fields...)
}

func searchingBy(id, sentence string, body func(*Probe) any, code string, fields ...string) refusal {
	return refusal{"search.refuses." + id, sentence, func(p *Probe) *Answer {
		b := body(p)
		p.Post(countPath, b).because(422, code, fields...)
		return p.Post(searchPath, b)
	}, 422, code, fields}
}

// paging refuses a search, of which a count takes no notice (Q38).
func paging(id, sentence string, body object, code string, fields ...string) refusal {
	return refusal{"search.refuses." + id, sentence, func(p *Probe) *Answer {
		p.Post(countPath, body).Is(200)
		return p.Post(searchPath, body)
	}, 422, code, fields}
}

func reading(id, sentence, path string, status int, code string, fields ...string) refusal {
	return refusal{id, sentence, func(p *Probe) *Answer { return p.Get(path) }, status, code, fields}
}

var refusals = []refusal{
	searching("criterion", "an unknown criterion is 422", clause("Rien", "EGAL", "x"), "unknown_criterion", "criterias[0].id"),
	searching("criterion.missing", "a condition names its criterion", object{"criterias": list{object{"operator": "EGAL", "value": 1}}}, "required", "criterias[0].id"),
	searching("operator.missing", "a condition names its operator", object{"criterias": list{object{"id": "Prix", "value": 1}}}, "required", "criterias[0].operator"),
	searching("operator", "operators are written as in the contract", clause("Prix", "egal", 1), "invalid_format", "criterias[0].operator"),
	searching("value.missing", "a condition has a value", object{"criterias": list{object{"id": "Prix", "operator": "EGAL"}}}, "required", "criterias[0].value"),
	searching("value.null", "null is no value of a condition", clause("Prix", "EGAL", nil), "required", "criterias[0].value"),
	searching("value.empty", "an empty array is no value of a condition", clause("Ville", "CONTIENT", list{}), "required", "criterias[0].value"),
	searching("code", "an unknown code is 422", clause("TypeBien", "EGAL", "no such type"), "criteria_value_unrecognised", "criterias[0].value"),
	searchingBy("code.one_of_two", "each of several codes is known", func(p *Probe) any { return clause("TypeBien", "COMPREND", list{p.home(), "?"}) }, "criteria_value_unrecognised", "criterias[0].value"),
	searchingBy("array", "EGAL takes one value", func(p *Probe) any { return clause("TypeBien", "EGAL", list{p.home()}) }, "invalid_criteria_value", "criterias[0].value"),
	searchingBy("label", "a label is no code", func(p *Probe) any { return clause("TypeBien", "EGAL", p.label()) }, "criteria_value_unrecognised", "criterias[0].value"),
	searchingBy("date", "a day is one of the calendar", func(p *Probe) any { return clause(p.ofType("DATE"), "EGAL", "31/02/2026") }, "invalid_criteria_value", "criterias[0].value"),
	searchingBy("inferieur.flag", "INFERIEUR is not for FLAG", func(p *Probe) any { return clause(p.ofType("FLAG"), "INFERIEUR", 1) }, "operator_not_supported", "criterias[0].operator"),
	searchingBy("not_searchable", "a criterion that is not searchable has no operator", func(p *Probe) any { return clause(p.unsearchable(), "CONTIENT", "x") }, "operator_not_supported", "criterias[0].operator"),
	searching("many", "a search has 200 conditions at most", object{"criterias": slices.Repeat(list{object{"id": "Prix", "operator": "SUPERIEUR", "value": 1}}, 201)}, "out_of_range", "criterias"),
	searching("number", "text is no number", clause("Prix", "EGAL", "1 000"), "invalid_criteria_value", "criterias[0].value"),
	searching("superieur.text", "SUPERIEUR is not for TEXT", clause("Ville", "SUPERIEUR", "a"), "operator_not_supported", "criterias[0].operator"),
	searchingBy("superieur.unique", "SUPERIEUR is not for UNIQUE", func(p *Probe) any { return clause("TypeBien", "SUPERIEUR", p.home()) }, "operator_not_supported", "criterias[0].operator"),
	searching("contient.number", "CONTIENT is not for NUMBER", clause("Prix", "CONTIENT", "1"), "operator_not_supported", "criterias[0].operator"),
	searching("comprend.text", "COMPREND is not for TEXT", clause("Ville", "COMPREND", "Lyon"), "operator_not_supported", "criterias[0].operator"),
	searching("keyword.long", "a keyword has 255 characters at most", object{"keyword": strings.Repeat("é", 256)}, "out_of_range", "keyword"),
	searching("last_modified", "last_modified is a date-time", object{"last_modified": "yesterday"}, "invalid_format", "last_modified"),
	searching("id.zero", "ids below 1 are 422", object{"customer_id": 0}, "out_of_range", "customer_id"),
	searching("id.beyond", "ids beyond 64 bits are 422", object{"customer_id": "9223372036854775808"}, "out_of_range", "customer_id"),
	searching("agents.zero", "ids in a list are at least 1", object{"products_admin_id": "101,0"}, "out_of_range", "products_admin_id"),
	searching("agents.words", "products_admin_id is made of ids", object{"products_admin_id": "a,b"}, "invalid_type", "products_admin_id"),
	searching("status_web", "status_web is a boolean", object{"status_web": "yes"}, "invalid_type", "status_web"),
	searching("both_criteria", "criteria and criterias at once are 422", object{"criteria": list{}, "criterias": list{}}, "ambiguous_field", "criterias"),
	searching("both_status", "status_web and web_status at once are 422", object{"status_web": true, "web_status": true}, "ambiguous_field", "status_web"),
	searching("two_mistakes", "several things wrong are all told", object{"keyword": 1, "status_web": 1}, "invalid_type", "keyword", "status_web"),
	searching("two_kinds", "the code is validation_error where the details differ", object{"customer_id": 0, "last_modified": "x"}, "validation_error"),
	searching("unknown_filter", "unknown fields of a search are 422", object{"colour": 1}, "unknown_filter", "colour"),
	searching("unknown_filter.below", "unknown fields of a condition are 422", `{"criterias":[{"id":"Prix","operator":"EGAL","value":1},{"id":"Prix","operatr":"EGAL","value":1}]}`, "unknown_filter", "criterias[1].operatr"),
	searching("near", "near has latitude, longitude and radius_km", object{"near": object{"latitude": 45}}, "required", "near.longitude", "near.radius_km"),
	searching("within", "south above north is 422", object{"within": object{"south": 2, "west": 1, "north": 1, "east": 2}}, "out_of_range", "within.south"),
	paging("count.zero", "count is at least 1", object{"count": 0}, "out_of_range", "count"),
	paging("count.negative", "count is at least 1, so not negative", object{"count": -1}, "out_of_range", "count"),
	paging("count.max", "count is at most 2000", object{"count": 2001}, "out_of_range", "count"),
	paging("count.fraction", "count is an integer", object{"count": 1.5}, "invalid_type", "count"),
	paging("skip", "skip is not negative", object{"skip": -1}, "out_of_range", "skip"),
	paging("sort_type", "an unknown sort_type is 422", object{"sort_type": "price"}, "invalid_format", "sort_type"),
	paging("sort_order", "an unknown sort_order is 422", object{"sort_order": "up"}, "invalid_format", "sort_order"),
	paging("cursor.type", "a cursor is a string", object{"cursor": 5}, "invalid_type", "cursor"),
	{"search.refuses.fetch.max", "count is at most 100 with fetch", func(p *Probe) *Answer {
		return p.Post(searchPath+"?fetch=rooms", object{"count": 101})
	}, 422, "out_of_range", []string{"count"}},
	{"search.refuses.agency", "an agency out of scope is 403", func(p *Probe) *Answer {
		return p.Post(searchPath, object{"agency_id": 999999})
	}, 403, "agency_out_of_scope", []string{"agency_id"}},
	{"product.refuses.fetch", "an unknown fetch value is 422", func(p *Probe) *Answer {
		return p.Get(p.products()[0].path("?fetch=rooms,unknown"))
	}, 422, "unknown_fetch_value", []string{"fetch"}},
	reading("agencies.refuses.zero", "per_page outside 1 to 200 is 422", "/agencies?per_page=0", 422, "out_of_range", "per_page"),
	reading("agencies.refuses.201", "per_page is never silently cut", "/agencies?per_page=201", 422, "out_of_range", "per_page"),
	reading("query.broken", "a parameter with a broken escape is 422", "/agencies?per_page=%zz", 422, "invalid_format", "per_page"),
	reading("query.broken.name", "a name of a parameter with a broken escape is 422", "/leads?%zz=1", 422, "invalid_format", "?zz"),
	reading("query.broken.end", "an escape has two digits", "/events?after=1%", 422, "invalid_format", "after"),
	reading("query.broken.other", "one that means nothing is refused where others mean something", "/agencies?other=%G0&per_page=1", 422, "invalid_format", "other"),
	reading("query.brackets", "a parameter in the manner of PHP is held to its bounds", "/agencies?per_page[]=0", 422, "out_of_range", "per_page"),
	reading("paths.unknown", "an unknown path is 404", "/nowhere/at/all", 404, "unknown_route"),
	reading("paths.case", "case matters in paths", "/Discovery", 404, "unknown_route"),
	reading("products.refuses.id", "an id that is no number is 404", "/products/abc", 404, "not_found"),
	reading("products.refuses.zero", "ids outside 1 to 2^63-1 are 404", "/products/0", 404, "not_found"),
	{"agency.refuses.format", "any other format of an agency is 422", func(p *Probe) *Answer {
		return p.Get(fmt.Sprintf("/agencies/%d?format=other", p.agency()))
	}, 422, "invalid_format", []string{"format"}},
	{"media.form", "a form is 415", func(p *Probe) *Answer { // G3
		for _, form := range forms {
			p.Post(countPath, "{}", "Content-Type", form).because(415, "unsupported_media_type")
		}
		return p.Post(searchPath, "a=b", "Content-Type", "application/x-www-form-urlencoded")
	}, 415, "unsupported_media_type", nil},
	{"media.coding", "a body in a Content-Encoding is 415", func(p *Probe) *Answer {
		return p.Post(searchPath, "{}", "Content-Encoding", "gzip")
	}, 415, "unsupported_media_type", nil},
	{"media.size", "a body has 1 MiB at most", func(p *Probe) *Answer { // G26
		a := p.Post(searchPath, `{"criterias":[`+strings.Repeat("{},", 100_000)+`{}]}`)
		p.Want((a.Status == 413 || a.Status == 422) && len(a.Body) <= 64<<10, "a short refusal of a hundred thousand conditions", a.Status)
		p.Post(countPath, "{"+strings.Repeat(" ", 1<<20-2)+"}").Is(200)
		return p.Post(countPath, "{"+strings.Repeat(" ", 1<<20-1)+"}")
	}, 413, "payload_too_large", nil},
	{"token.refuses.refresh", "an unknown refresh token is 403", func(p *Probe) *Answer {
		return p.tokenCall("refresh", p.run.target.Credential, url.Values{"refresh_token": {"nonsense"}})
	}, 403, "invalid_grant", nil},
	{"token.refuses.grant", "grant_type=refresh_token belongs to the refresh operation", func(p *Probe) *Answer {
		form := site(p.run.target.Credential.SiteID)
		form.Set("grant_type", "refresh_token")
		return p.Token(p.run.target.Credential, form)
	}, 422, "", nil},
	{"bearer.first", "who asks is looked at before the path", func(p *Probe) *Answer {
		return p.Get("/nowhere/at/all", "Authorization", "")
	}, 401, "unauthenticated", nil},
}

// forms are media types that a body of JSON is not read by.
var forms = []string{"application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "Multipart/Form-Data"}

// malformed are texts that are no JSON object.
var malformed = []string{
	`{`, `[]`, `null`, `"x"`, `1`, `{}{}`, `{} x`, `{'a':1}`, `{"a":1,}`, `{"a":}`, `{a:1}`, `{"a":01}`, `{"a":+1}`, `{"a":.5}`, `{"a":NaN}`,
	"{\"a\":\"\n\"}", `{"a":"\x"}`, `{"a":"\ud800"}`, `{"a" 1}`, "{\ufeff}", `{"a":tru}`, "{\"a\":1}\x00", strings.Repeat(`{"a":`, 10_000) + strings.Repeat("}", 10_000), strings.Repeat("[", 100_000),
}

// unknownFilters are bodies with a field that no search has, by the field and the nearest that there is.
var unknownFilters = [][3]string{
	{`{"reference":"N-1"}`, "reference", "model"}, {`{"modle":"N-1"}`, "modle", "model"}, {`{"webStatuss":true}`, "webStatuss", "status_web"},
	{`{"AGENCY_ID":11}`, "AGENCY_ID", "agency_id"}, {`{"agencyid":11}`, "agencyid", "agency_id"}, {`{"customer":1}`, "customer", "customer_id"},
	{`{"last_modifed":"2026-01-01"}`, "last_modifed", "last_modified"},
	{`{"criterias":[{"id":"Prix","operator":"EGAL","value":1},{"id":"Prix","operatr":"EGAL","value":1}]}`, "criterias[1].operatr", "operator"},
	{`{"near":{"latitude":45.9,"longitude":6.1,"radius_km":5,"radius":5}}`, "near.radius", "radius_km"},
	{`{"within":{"south":1,"west":1,"north":2,"east":2,"nord":3}}`, "within.nord", "north"},
}

// label is that of a type of product, where it is no code.
func (p *Probe) label() any {
	values := p.Get("/criterias/product/TypeBien/values").Is(200).records()
	return first(p, "label that is no code", values, func(o object) bool {
		return !slices.ContainsFunc(values, func(other object) bool { return other["model"] == o["label"] })
	})["label"]
}

// unsearchable is the key of a text that cannot be searched.
func (p *Probe) unsearchable() string {
	key, _ := first(p, "text that cannot be searched", p.Get("/criterias/product/all").Is(200).records(), func(o object) bool {
		return o["type"] == "TEXT" && o["is_searchable"] == false
	})["key"].(string)
	return key
}

// missing is 1 for what has no value.
func missing(value any) int {
	if value == nil {
		return 1
	}
	return 0
}

func compare(a, b any) int {
	if x, ok := a.(float64); ok {
		y, _ := b.(float64)
		return cmp.Compare(x, y)
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func extensionChecks() []Check {
	var all []Check
	add := func(id, sentence string, needs Needs, run func(*Probe)) {
		all = append(all, Check{ID: id, Sentence: sentence, Needs: needs, Run: func(p *Probe) { p.extends(); run(p) }})
	}
	for _, r := range refusals {
		add(r.id, r.sentence, 0, func(p *Probe) {
			a := r.ask(p)
			a.because(r.status, cmp.Or(r.code, a.Refused(r.status).Text("error.code")), r.fields...)
		})
	}
	add("headers.contract_version", "X-Contract-Version is that of the contract", 0, func(p *Probe) {
		got := p.Get("/discovery").Header.Get("X-Contract-Version")
		p.Want(got == ContractVersion, ContractVersion, got)
	})
	add("headers.request_id.own", "X-Request-Id is made by the server", 0, func(p *Probe) {
		for _, a := range p.everywhere("X-Request-Id", "7a8b6d4e-0000-4000-8000-000000000000") {
			got := a.Header.Get("X-Request-Id")
			p.Want(uuid.MatchString(got) && got != "7a8b6d4e-0000-4000-8000-000000000000", "an id of the server's own", a.Header)
		}
	})
	add("headers.private", "answers set no cookie and open themselves to no other origin", 0, func(p *Probe) {
		for _, a := range p.everywhere("Origin", "https://elsewhere.example") {
			h := a.Header
			p.Want(h.Get("Set-Cookie") == "" && h.Get("X-Content-Type-Options") == "nosniff" && h.Get("Access-Control-Allow-Origin") != "https://elsewhere.example", "nosniff, and no cookie", h)
		}
	})
	add("bearer.one_line", "more than one line of credentials is 401", 0, func(p *Probe) { // A21
		good := "Bearer " + p.run.tokens[0].value
		for _, lines := range [][2]string{{good, good}, {good, "Bearer x"}, {"Bearer x", good}, {good, "Basic eDp5"}} {
			p.Get("/discovery", "Authorization", lines[0], "Authorization", lines[1]).because(401, "ambiguous_credentials")
		}
	})
	add("bearer.challenge", "a bearer token that is none is 401 with WWW-Authenticate", 0, func(p *Probe) { // A14
		good := p.run.tokens[0].value
		for _, authorization := range []string{"", good, "Basic " + good, "Bearer", "Bearer " + good + "x", "Bearer " + good[1:], "Bearer\t" + good, "Token " + good, "Bearer " + good + " x"} {
			a := p.Get("/discovery", "Authorization", authorization).because(401, "unauthenticated")
			p.Want(a.Header.Get("WWW-Authenticate") == `Bearer error="invalid_token"`, "a challenge", a.Header)
		}
		for _, scheme := range []string{"bearer ", "BEARER  "} { // A16
			p.Get("/discovery", "Authorization", scheme+good).Is(200)
		}
	})
	add("methods.allow", "another method is 405 with Allow, and OPTIONS is 204", 0, func(p *Probe) {
		for i, path := range []string{"/discovery", searchPath} {
			allow := []string{"GET, HEAD, OPTIONS", "OPTIONS, POST"}[i]
			got := p.Send("PUT", path, nil).because(405, "method_not_allowed").Header.Get("Allow")
			p.Want(got == allow, allow, got)
			got = p.Send("OPTIONS", path, nil).Is(204).Header.Get("Allow")
			p.Want(got == allow, allow, got)
		}
	})
	add("methods.head", "HEAD is GET without a body", 0, func(p *Probe) { // G31
		for _, path := range []string{"/discovery", fmt.Sprint("/agencies/", p.agency()), "/products/" + unknownID, "/agencies?per_page=0", p.root("/changelog"), p.root("/openapi.json")} {
			get, head := p.Get(path, "Accept-Encoding", "identity"), p.Send("HEAD", path, nil, "Accept-Encoding", "identity")
			p.Want(head.Status == get.Status && len(head.Body) == 0 && head.Header.Get("Content-Type") == get.Header.Get("Content-Type") &&
				head.Header.Get("Content-Length") == fmt.Sprint(len(get.Body)), "the same head", head)
		}
		p.Want(len(p.Send("HEAD", "/discovery", nil, "Authorization", "").Is(401).Body) == 0, "no body", "one")
	})
	add("paths.slash", "a trailing slash is the same path", 0, func(p *Probe) {
		p.Get("/discovery/").Is(200)
		p.Post(searchPath+"/", object{}).Is(200)
	})
	add("json.malformed", "unreadable JSON is 422", 0, func(p *Probe) { // G2
		for _, body := range malformed {
			for _, path := range []string{searchPath, countPath} {
				p.Post(path, body).because(422, "malformed_json")
			}
		}
	})
	add("search.unknown_filter.nearest", "a field that no search has is refused with the nearest", 0, func(p *Probe) { // G5
		for _, c := range unknownFilters {
			for _, path := range []string{searchPath, countPath} {
				p.Post(path, c[0]).because(422, "unknown_filter", c[1]).Equals("error.message", c[1]+" does not exist here; the nearest field is "+c[2])
			}
		}
		p.Post(searchPath, `{"agencyId":`+fmt.Sprint(p.agency())+`,"criteria":[],"web_status":true,"has_visit_360":false}`).Is(200)
		p.Post(searchPath, object{"unknown": 1, "count": 0}).because(422, "unknown_filter", "unknown")
		p.Post(countPath, `{"sort_type":"prix","sortOrder":"asc","cursor":null,"skip":1,"count":5}`).Is(200)
	})
	add("searches.unknown_filter", "no search takes a field that it does not have", 0, func(p *Probe) {
		p.Post("/products/search/facets", object{"colour": 1, "facets": list{object{"id": "TypeBien"}}}).offered("facets").because(422, "unknown_filter", "colour")
		for _, path := range []string{"/customers/search", "/sale-offers/search", "/sale-agreements/search", "/leases/search", "/agenda/events/search"} {
			p.Post(path, object{"colour": 1}).offered(path).because(422, "unknown_filter", "colour")
		}
	})
	add("query.meaningless", "a broken parameter does not matter where none means anything", 0, func(p *Probe) {
		p.Get("/site?x=%").offered("site").Is(200)
		p.Get("/agencies?a;b&c&=d&100=%25").Is(200)
	})
	add("json.empty", "an empty body is as {}", 0, func(p *Probe) { // G4
		p.Post(countPath, nil).Is(200)
		want := p.Post(searchPath, object{}).Is(200).IDs()
		for _, body := range []string{"", "  \n", "\ufeff{}"} {
			p.Want(slices.Equal(p.Post(searchPath, body).Is(200).IDs(), want), "the same products", "others")
		}
	})
	add("json.media_types", "JSON is read whatever it is called", 0, func(p *Probe) {
		for _, kind := range []string{"application/json; charset=utf-8", "text/plain", "nonsense"} {
			p.Post(countPath, "{}", "Content-Type", kind).Is(200)
		}
	})
	add("json.numbers", "integers of digits alone may be strings", 0, func(p *Probe) {
		p.Want(len(p.Post(searchPath, object{"count": "2", "skip": "0"}).Is(200).List("data")) <= 2, "at most two products", "more")
	})
	add("json.last_key", "the last of equal keys wins", 0, func(p *Probe) {
		yes, no := p.count(object{"status_web": true}), p.count(object{"status_web": false})
		got := p.Post(countPath, `{"status_web":true,"status_web":false}`).Is(200).Int("count")
		p.Want(got == no, fmt.Sprintf("%d, not %d", no, yes), got)
	})
	add("query.lists", "lists in a query have commas, are repeated, or have brackets", 0, func(p *Probe) { // G6, R3
		one := p.products()[0]
		want := p.Get(one.path("?fetch=rooms,descriptions")).Is(200).Body
		for _, query := range []string{"fetch=rooms&fetch=descriptions", "fetch[]=rooms&fetch[]=descriptions", "fetch=%20rooms%20,,descriptions,rooms", "fetch%5B%5D=rooms&fetch%5b%5d=descriptions", "fetch[0]=rooms&fetch[1]=descriptions", "fetch[]=rooms,descriptions", "fetch=descriptions%2Crooms&other=1"} {
			got := p.Get(one.path("?", query)).Is(200)
			p.Want(bytes.Equal(got.Body, want), string(want), got)
		}
	})
	add("search.modes", "X-Pagination-Mode tells the mode, and each mode its order and next page", 0, func(p *Probe) { // Q1
		all := p.everything()
		if len(all) < 8 {
			p.Skip("the site has fewer than 8 products")
		}
		first, last := all[:min(100, len(all))], slices.Clone(all)
		slices.Reverse(last)
		more := func(n int) bool { return len(all) > n }
		for _, c := range []struct {
			body object
			mode string
			ids  []int64
			more bool
		}{
			{object{}, "cursor", first, more(100)},
			{object{"skip": nil, "count": nil, "sort_type": nil, "sort_order": nil}, "cursor", first, more(100)},
			{object{"cursor": cursorOf(all[0])}, "cursor", all[1:min(101, len(all))], more(101)},
			{object{"cursor": cursorOf(all[0]), "skip": -1, "count": 9999, "sort_type": "?", "sort_order": "?"}, "cursor", all[1:min(101, len(all))], more(101)}, // Q5
			{object{"cursor": strings.TrimRight(cursorOf(all[0]), "=")}, "cursor", all[1:min(101, len(all))], more(101)},                                         // Q4
			{object{"cursor": cursorOf(all[len(all)-1])}, "cursor", []int64{}, false},
			{object{"cursor": cursorOf(math.MaxInt64)}, "cursor", []int64{}, false},
			{object{"skip": 1}, "offset", last[1:min(101, len(all))], more(101)},
			{object{"count": 3}, "offset", last[:3], true},
			{object{"count": 2, "skip": 5}, "offset", last[5:7], more(7)},
			{object{"sort_type": "id"}, "offset", last[:min(100, len(all))], more(100)},
			{object{"sort_order": "asc"}, "offset", first, more(100)},
			{object{"skip": len(all) - 2, "count": 2}, "offset", last[len(all)-2:], false}, // Q7
			{object{"skip": 100000}, "offset", []int64{}, false},
			{object{"skip": math.MaxInt64, "sort_type": "prix"}, "offset", []int64{}, false},
		} {
			a := p.Post(searchPath, c.body).Is(200).Equals("has_more", c.more)
			p.Want(a.Header.Get("X-Pagination-Mode") == c.mode, fmt.Sprint(c.body, ": ", c.mode), a.Header.Get("X-Pagination-Mode"))
			p.Want(slices.Equal(a.IDs(), c.ids), fmt.Sprint(c.body, ": ", c.ids), a)
			p.Want((a.JSON("next_cursor") != nil) == (c.more && c.mode == "cursor"), "a next_cursor where there is more, in cursor mode alone", a)
		}
	})
	add("search.sort.whole", "ties are by id in the same direction, and what has no value comes last", 0, func(p *Probe) { // Q11, Q12
		if p.count(object{}) > 300 {
			p.Skip("the site has more than 300 products")
		}
		for _, c := range [][2]string{{"id", "id"}, {"prix", "price"}, {"surface", "surface"}, {"date", "last_modified"}, {"date_added", "date_added"}} {
			for _, direction := range []int{1, -1} {
				order := map[int]string{1: "asc", -1: "desc"}[direction]
				var got []object
				for skip := 0; ; skip += 60 {
					a := p.Post(searchPath+"?fetch=insee", object{"sort_type": c[0], "sort_order": order, "count": 60, "skip": skip}).Is(200)
					if got = append(got, a.records()...); a.JSON("has_more") == false {
						break
					}
				}
				p.Want(slices.IsSortedFunc(got, func(a, b object) int {
					if a[c[1]] == nil || b[c[1]] == nil {
						return cmp.Or(cmp.Compare(missing(a[c[1]]), missing(b[c[1]])), direction*compare(a["id"], b["id"]))
					}
					if strings.HasPrefix(c[0], "date") { // moments may be kept finer than they are shown
						return direction * compare(a[c[1]], b[c[1]])
					}
					return direction * cmp.Or(compare(a[c[1]], b[c[1]]), compare(a["id"], b["id"]))
				}), "products by "+c[1]+" and id, "+order, got)
			}
		}
		p.Want(slices.Equal(p.Post(searchPath, object{"sort_type": "prix"}).Is(200).IDs(), p.Post(searchPath, object{"sort_type": "prix", "sort_order": "desc"}).Is(200).IDs()), "desc by default", "another order") // Q13
	})
	add("search.cursor.invalid", "an undecodable cursor is 422", 0, func(p *Probe) {
		for _, bad := range []string{"", " ", "abc", cursorOf(0), cursorOf(-5), cursorOf(1) + "=", "MDE=", "====", "9999999999999999999999", "MTIz\n"} {
			p.Post(searchPath, object{"cursor": bad}).because(422, "invalid_cursor", "cursor")
		}
	})
	add("search.offset.no_cursor", "next_cursor is null in offset mode", 0, func(p *Probe) {
		p.Post(searchPath, object{"count": 1}).Is(200).Equals("next_cursor", nil)
	})
	add("search.nothing", "unknown values of filters match nothing", 0, func(p *Probe) { // Q32, Q33
		for _, body := range []object{
			{"customer_id": 999999999}, {"products_admin_id": list{999999999}}, {"products_admin_id": list{}}, {"parent_id": 999999999}, {"model": "no such reference"},
			{"keyword": "xyzzy"}, {"keyword": "' OR 1=1 --"}, {"keyword": "%"}, {"last_modified": "2999-01-01"}, {"customer_id": int64(math.MaxInt64)}, clause("Ville", "CONTIENT", "L_on"),
		} {
			p.Post(searchPath, body).Is(200).Equals("data", list{}).Equals("next_cursor", nil).Equals("has_more", false)
			p.Want(p.count(body) == 0, "no product", body)
		}
	})
	add("search.spellings", "has_visit360, web_status and criteria are other spellings", 0, func(p *Probe) {
		for _, names := range [][2]string{{"status_web", "web_status"}, {"hasVisit360", "has_visit360"}} {
			p.Want(p.count(object{names[0]: true}) == p.count(object{names[1]: true}), names[0]+" as "+names[1], "another number")
		}
		p.Want(p.count(clause("TypeBien", "EGAL", p.home())) == p.count(object{"criteria": clause("TypeBien", "EGAL", p.home())["criterias"]}), "criteria as criterias", "another number")
	})
	add("search.text", "case, accents and outer spaces of texts do not matter", 0, func(p *Probe) {
		one := first(p, "town", p.products(), func(one product) bool {
			text, _ := one.criteria["Ville"].(string)
			return ascii.MatchString(text)
		})
		p.found(clause("Ville", "EGAL", " "+strings.ToUpper(one.criteria["Ville"].(string))+" "), one, true) //nolint:forcetypeassert // it was picked for that
	})
	add("search.parts", "EGAL and DIFFERENT part all products", 0, func(p *Probe) {
		equal, other := p.count(clause("TypeBien", "EGAL", p.home())), p.count(clause("TypeBien", "DIFFERENT", p.home()))
		p.Want(equal+other == p.count(object{}), "all products", equal+other)
	})
	add("search.near", "near finds what lies within its radius", 0, func(p *Probe) {
		one := first(p, "position", p.products(), func(one product) bool { _, ok := one.record["position"].(object); return ok })
		at := one.record["position"].(object) //nolint:forcetypeassert // it was picked for that
		p.found(object{"near": object{"latitude": at["latitude"], "longitude": at["longitude"], "radius_km": 0.1}}, one, true)
		p.found(object{"near": object{"latitude": -45, "longitude": 100, "radius_km": 1}}, one, false)
	})
	add("search.within", "within finds what lies in a rectangle", 0, func(p *Probe) {
		one := first(p, "position", p.products(), func(one product) bool { _, ok := one.record["position"].(object); return ok })
		at := one.record["position"].(object) //nolint:forcetypeassert // it was picked for that
		latitude, _ := number(at["latitude"])
		longitude, _ := number(at["longitude"])
		p.found(object{"within": object{"south": latitude - 0.1, "north": latitude + 0.1, "west": longitude - 0.1, "east": longitude + 0.1}}, one, true)
		p.found(object{"within": object{"south": latitude + 0.1, "north": latitude + 0.2, "west": longitude, "east": longitude + 0.1}}, one, false)
	})
	add("search.facets", "facets count the products of a search by value", 0, func(p *Probe) {
		a := p.Post("/products/search/facets", object{"facets": list{object{"id": "TypeBien"}}}).offered("facets").Is(200).Equals("count", p.count(object{}))
		for i := range a.List("data.0.values") {
			value, count := a.Text(fmt.Sprintf("data.0.values.%d.value", i)), a.Int(fmt.Sprintf("data.0.values.%d.count", i))
			if i < 3 {
				p.Want(count == p.count(clause("TypeBien", "EGAL", value)), "as many as a search counts", fmt.Sprint(value, " ", count))
			}
		}
	})
	add("product.fetch.blocks", "fetch adds one block per value, and nothing else", 0, func(p *Probe) {
		one := p.products()[0]
		for _, name := range fetchValues {
			record := p.Get(one.path("?fetch=", name)).Is(200).Object("data")
			_, there := record[name]
			p.Want(there && len(record) == len(one.record)+1, "the base fields and "+name, record)
		}
	})
	add("fetch.unknown", "an unknown fetch value is 422 with the ones there are", 0, func(p *Probe) { // R2
		one := p.products()[0]
		for _, value := range []string{"rooms,unknown", "Rooms", "unknown"} {
			for _, a := range []*Answer{p.Get(one.path("?fetch=", value)), p.Get(one.path("/lots?fetch=", value)), p.Post(searchPath+"?fetch="+value, object{})} {
				a.because(422, "unknown_fetch_value", "fetch")
				p.Want(len(a.List("error.details.0.accepted_values")) == len(fetchValues), "the fetch values", a)
			}
		}
	})
	add("fetch.empty", "an empty fetch is none", 0, func(p *Probe) { // R1, R3
		one := p.products()[0]
		for _, query := range []string{"?fetch=", "?fetch=,%20,", "?fetch=%20", "?"} {
			p.Want(len(p.Get(one.path(query)).Is(200).Object("data")) == len(one.record), "the base fields", query)
			for _, record := range p.Post(searchPath+query, object{"count": 101}).Is(200).records() {
				p.Want(len(record) == 1, "ids alone", record)
			}
		}
	})
	add("product.unpublished", "products are read whether they are active and published or not", 0, func(p *Probe) { // R9
		for _, filter := range []object{{"status_web": false}, clause("Statut", "DIFFERENT", "EnCours")} {
			ids := p.Post(searchPath, filter).Is(200).IDs()
			if len(ids) == 0 {
				p.Skip("all products are active and published")
			}
			p.Get(product{id: ids[0]}.path()).Is(200)
		}
	})
	add("products.ids", "a path with what is no id, or an unknown one, is 404", 0, func(p *Probe) { // G9, R8
		for _, id := range []string{"0", "-1", "999999999999", "abc", "1.0", "+1", "1e3", "9223372036854775807", "9223372036854775808", "%31%20", "1%00"} {
			for _, more := range []string{"", "/criteria", "/lots"} {
				p.Get("/products/"+id+more).because(404, "not_found")
			}
		}
	})
	add("product.criteria.labels", "label is that of the value of a choice", 0, func(p *Probe) {
		a := p.Get(p.products()[0].path("/criteria")).Is(200)
		for i := range a.List("data") {
			if p.typeOf(a.Text(fmt.Sprintf("data.%d.id", i))) == "UNIQUE" {
				a.Text(fmt.Sprintf("data.%d.label", i))
			}
		}
	})
	add("language.french", "messages are French where Accept-Language prefers it", 0, func(p *Probe) {
		english, french := p.Get("/products/"+unknownID).Text("error.message"), p.Get("/products/"+unknownID, "Accept-Language", "fr").Text("error.message")
		p.Want(english != french, "another message", french)
	})
	add("conditions.read", "a read whose ETag is known is 304 without a body", 0, func(p *Probe) { // G23
		one := p.products()[0]
		for _, path := range []string{"/discovery", "/agencies", fmt.Sprint("/agencies/", p.agency()), "/criterias/product/all", "/criterias/product/Prix", "/criterias/product/TypeBien/values", "/configs/listes", "/configs/listes/1/values", "/site", "/hooks", "/hooks/auths", one.path(), one.path("?fetch=rooms"), one.path("/criteria"), one.path("/lots")} {
			tag := p.Get(path, "Accept-Encoding", "identity").Is(200).Header.Get("ETag")
			p.Want(strings.HasPrefix(tag, `"`), "a strong ETag", tag)
			for _, known := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
				for _, method := range []string{"GET", "HEAD"} {
					a := p.Send(method, path, nil, "Accept-Encoding", "identity", "If-None-Match", known).Is(304)
					p.Want(len(a.Body) == 0 && a.Header.Get("ETag") == tag && a.Header.Get("Content-Type") == "", "nothing but the same ETag", a)
				}
			}
			for _, other := range []string{`"x"`, strings.Trim(tag, `"`), strings.Replace(tag, `"`, `"1`, 1)} {
				p.Want(p.Get(path, "Accept-Encoding", "identity", "If-None-Match", other).Is(200).Header.Get("ETag") == tag, "the same ETag", other)
			}
		}
	})
	add("names.deprecated", "camelCase is answered with Deprecation and a Link", 0, func(p *Probe) {
		a := p.Post(countPath, object{"statusWeb": true}).Is(200)
		p.Want(strings.HasPrefix(a.Header.Get("Deprecation"), "@") && strings.Contains(a.Header.Get("Link"), "deprecation"), "Deprecation and Link", a.Header)
		p.Want(p.Post(countPath, object{"status_web": true, "hasVisit360": true}).Is(200).Header.Get("Deprecation") == "", "no Deprecation", "one")
	})
	add("names.ignored", "the spelling that loses is named in X-Ignored-Fields", 0, func(p *Probe) {
		got := p.Post(countPath, object{"statusWeb": true, "status_web": false}).Is(200).Header.Get("X-Ignored-Fields")
		p.Want(got == "statusWeb", "statusWeb", got)
	})
	add("requests.own", "a client looks its own requests up", 0, func(p *Probe) {
		id := p.Get("/products/" + unknownID).Is(404).Header.Get("X-Request-Id")
		if p.Get("/requests/"+id).Status == 503 {
			p.Skip("the server keeps no requests")
		}
		p.eventually("the request by its id", func() bool { return p.Get("/requests/"+id).Status == 200 })
		p.Get("/requests/"+id).Equals("data.status", 404).Equals("data.method", "GET")
	})
	add("token.refreshed", "a refresh token is exchanged for another pair", 0, func(p *Probe) {
		granted := p.Token(p.run.target.Credential, site(p.run.target.Credential.SiteID)).Is(200)
		a := p.tokenCall("refresh", p.run.target.Credential, url.Values{"refresh_token": {granted.Text("refresh_token")}}).offered("refresh operation").Is(200)
		p.Get("/discovery", "Authorization", "Bearer "+a.Text("access_token")).Is(200)
	})
	add("token.revoked", "a revoked token is refused", 0, func(p *Probe) {
		token := p.Token(p.run.target.Credential, site(p.run.target.Credential.SiteID)).Is(200).Text("access_token")
		p.tokenCall("revoke", p.run.target.Credential, url.Values{"token": {token}}).offered("revocation").Is(200)
		p.Get("/discovery", "Authorization", "Bearer "+token).because(401, "unauthenticated")
	})
	for _, c := range writingExtensions {
		add(c.id, c.sentence, Write|c.needs, c.run)
	}
	return all
}

var writingExtensions = []struct {
	id, sentence string
	needs        Needs
	run          func(*Probe)
}{
	{"json.malformed.written", "unreadable JSON changes nothing", 0, func(p *Probe) { // G2
		path := fmt.Sprint("/products/", p.create(nil))
		for _, body := range malformed {
			p.Post("/products", body).because(422, "malformed_json")
			p.Patch(path, body).because(422, "malformed_json")
		}
	}},
	{"media.written", "a form or a long body changes nothing", 0, func(p *Probe) { // G3, G26
		path := fmt.Sprint("/products/", p.create(nil))
		for _, form := range forms {
			p.Post("/products", "{}", "Content-Type", form).because(415, "unsupported_media_type")
			p.Patch(path, "{}", "Content-Type", form).because(415, "unsupported_media_type")
		}
		p.Post("/products", "{"+strings.Repeat(" ", 1<<20)+"}").because(413, "payload_too_large")
	}},
	{"json.last_key.written", "the last of equal keys wins, in a list too", 0, func(p *Probe) { // G7
		id := p.created(p.Post("/products", fmt.Sprintf(`{"model":%q,"agency_id":999999,"agency_id":%d,"color":9,"color":2,"criteria":[{"id":"Ville","value":"a","value":"b"}]}`, p.reference(), p.agency())))
		p.Want(p.field(id, "color") == 2.0 && p.criterion(id, "Ville") == "b", "color 2, Ville b", p.field(id, "color"))
		p.Patch(fmt.Sprint("/products/", id), fmt.Sprintf(`{"product_id":1,"product_id":%d,"color":3,"color":null}`, id)).Is(204)
		p.Want(p.field(id, "color") == nil, "no color", p.field(id, "color"))
	}},
	{"keys.ambiguous", "two lines of Idempotency-Key are 422, and of no account without an effect", 0, func(p *Probe) {
		for _, keys := range [][2]string{{"a", "b"}, {"a", "a"}} {
			p.unmade(p.Post("/products", object{"agency_id": p.agency()}, "Idempotency-Key", keys[0], "Idempotency-Key", keys[1]).because(422, "ambiguous_field", "Idempotency-Key"), 422)
			p.Post(searchPath, object{}, "Idempotency-Key", keys[0], "Idempotency-Key", keys[1]).Is(200)
		}
		p.Post(searchPath, object{}, "Idempotency-Key", strings.Repeat("k", 300)).Is(200)
	}},
	{"keys.repeated", "the same Idempotency-Key and request get the first answer", 0, func(p *Probe) {
		key, body := rand.Text(), object{"agency_id": p.agency(), "model": p.reference()}
		one := p.Post("/products", body, "Idempotency-Key", key)
		id := p.created(one)
		two := p.Post("/products", body, "Idempotency-Key", key).Is(201).Equals("data.id", id)
		p.Want(one.Header.Get("Idempotent-Replayed") == "" && two.Header.Get("Idempotent-Replayed") == "true" && bytes.Equal(one.Body, two.Body), "the answer of the first", two)
	}},
	{"keys.gone", "the first answer is given again, whatever became of it", 0, func(p *Probe) {
		key, body := rand.Text(), object{"agency_id": p.agency(), "model": p.reference()}
		id := p.created(p.Post("/products", body, "Idempotency-Key", key))
		p.Delete(fmt.Sprint("/products/", id)).offered("deletion of products").Is(204)
		p.gone(fmt.Sprint("/products/", id))
		p.Post("/products", body, "Idempotency-Key", key).Is(201).Equals("data.id", id)
	}},
	{"keys.other_request", "the same Idempotency-Key with another request, byte by byte, is 422", 0, func(p *Probe) {
		key, body := rand.Text(), fmt.Sprintf(`{"agency_id": %d}`, p.agency())
		id := p.created(p.Post("/products", body, "Idempotency-Key", key))
		for _, other := range []string{strings.Replace(body, " ", "", 1), strings.Replace(body, "}", `, "color": 1}`, 1)} {
			p.Post("/products", other, "Idempotency-Key", key).because(422, "idempotency_key_reused", "Idempotency-Key")
		}
		p.Post("/products?a=1", body, "Idempotency-Key", key).because(422, "idempotency_key_reused")
		p.Post("/products", body, "Idempotency-Key", key).Is(201).Equals("data.id", id)
	}},
	{"keys.refused", "a refused request leaves its Idempotency-Key free", 0, func(p *Probe) {
		key, taken := rand.Text(), p.reference()
		p.create(object{"model": taken})
		for _, body := range []object{{"agency_id": p.agency(), "color": 9}, {"agency_id": 999999}, {"agency_id": p.agency(), "customer_id": 999999999}, {"agency_id": p.agency(), "model": taken}} {
			p.unmade(p.Post("/products", body, "Idempotency-Key", key), 403, 422)
		}
		p.created(p.Post("/products", object{"agency_id": p.agency(), "model": p.reference()}, "Idempotency-Key", key))
	}},
	{"keys.form", "an Idempotency-Key has 1 to 255 printable characters", 0, func(p *Probe) {
		for _, key := range []string{strings.Repeat("k", 256), "é"} {
			p.unmade(p.Post("/products", object{"agency_id": p.agency()}, "Idempotency-Key", key), 422)
		}
		p.created(p.Post("/products", object{"agency_id": p.agency(), "model": p.reference()}, "Idempotency-Key", strings.Repeat("~", 155)+rand.Text()))
	}},
	{"conditions.write", "a stale If-Match is 412 and changes nothing", 0, func(p *Probe) {
		id := p.create(object{"color": 1})
		path := fmt.Sprint("/products/", id)
		stale := p.Get(path).Is(200).Header.Get("ETag")
		p.Patch(path, object{"product_id": id, "color": 2}, "If-Match", stale).Is(204)
		p.Patch(path, object{"product_id": id, "color": 3}, "If-Match", stale).because(412, "precondition_failed")
		p.Want(p.field(id, "color") == 2.0, "color is 2", p.field(id, "color"))
	}},
	{"conditions.repeated", "a PATCH that changes nothing any more succeeds whatever its If-Match", 0, func(p *Probe) {
		id := p.create(object{"color": 1})
		path := fmt.Sprint("/products/", id)
		stale := p.Get(path).Is(200).Header.Get("ETag")
		for range 2 {
			p.Patch(path, object{"product_id": id, "color": 2}, "If-Match", stale).Is(204)
		}
	}},
	{"create.ignored", "unknown fields are named in X-Ignored-Fields", 0, func(p *Probe) { // G5
		for _, c := range [][2]string{
			{`{`, ""}, {`{"colour":1,`, "colour"}, {`{"a":1,"b":{"c":2},"a":3,`, "a, b"}, {`{"Agency_ID":21,"AGENCY_ID":21,`, "Agency_ID, AGENCY_ID"},
			{`{"criteria":[{"id":"Prix","value":1,"unit":"€"},{"id":"Ville","value":"a","unit":"€"}],`, "criteria.unit"},
		} {
			a := p.Post("/products", fmt.Sprintf(`%s"agency_id":%d,"model":%q}`, c[0], p.agency(), p.reference()))
			p.created(a)
			p.Want(a.Header.Get("X-Ignored-Fields") == c[1], c[1], a.Header.Get("X-Ignored-Fields"))
		}
		a := p.Post("/products", fmt.Sprintf(`{"é\r\nSet-Cookie: x=1":1,"agency_id":%d,"model":%q}`, p.agency(), p.reference()))
		id := p.created(a)
		p.Want(a.Header.Get("Set-Cookie") == "" && strings.HasSuffix(a.Header.Get("X-Ignored-Fields"), "??Set?Cookie??x?1"), "question marks for other characters", a.Header)
		got := p.update(id, object{"colour": 1, "rooms": list{object{"type": p.values("/configs/listes/1/values")[0], "kind": 1}}}).Is(204).Header.Get("X-Ignored-Fields")
		p.Want(got == "colour, rooms.kind" || got == "rooms.kind, colour", "colour and rooms.kind", got)
		many := object{"agency_id": p.agency(), "model": p.reference()}
		for i := range 1000 {
			many[fmt.Sprint(strings.Repeat("x", 100), i)] = 1
		}
		a = p.Post("/products", many)
		p.created(a)
		header := a.Header.Get("X-Ignored-Fields")
		p.Want(len(header) <= 1024 && strings.Count(header, ",") < 20, "20 names and 1 KiB at most", header)
		a = p.Post("/products", object{"unknown": 1, "agency_id": 0}).Is(422)
		p.Want(a.Header.Get("X-Ignored-Fields") == "unknown", "errors name them, too", a.Header)
	}},
	{"create.location", "what is created has a Location", 0, func(p *Probe) {
		a := p.Post("/products", object{"agency_id": p.agency(), "model": p.reference()})
		id := p.created(a)
		p.Get(a.Header.Get("Location")).Is(200).Equals("data.id", id)
	}},
	{"create.empty", "a product may have nothing but its agency", 0, func(p *Probe) {
		p.created(p.Post("/products", object{"agency_id": p.agency()}))
	}},
	{"update.null", "null clears a field", 0, func(p *Probe) {
		id := p.create(object{"color": 2, "next_contact": "2030-01-02"})
		p.update(id, object{"color": nil, "next_contact": nil}).Is(204)
		p.Want(p.field(id, "color") == nil && p.field(id, "next_contact") == nil, "null", p.field(id, "color"))
	}},
	{"update.path_first", "an unknown path id comes before what is wrong with the body", 0, func(p *Probe) {
		p.Patch("/products/"+unknownID, "{").because(404, "not_found")
	}},
	{"update.details", "an unknown code is 422 when creating, 400 when updating, and told alike", 0, func(p *Probe) { // P18
		id, body := p.create(nil), criteria("Ville", "Lyon", "TypeBien", "no such type")
		created := p.Post("/products", object{"agency_id": p.agency(), "criteria": body["criteria"]}).because(422, "criteria_value_unrecognised", "criteria[1].value")
		p.unmade(created, 422)
		changed := p.update(id, body).because(400, "criteria_value_unrecognised", "criteria[1].value").Equals("error.details.0.value", "no such type")
		p.Want(reflect.DeepEqual(created.JSON("error"), changed.JSON("error")), "the same error", changed)
		p.Want(slices.Contains(changed.List("error.details.0.accepted_values"), any(p.home())), "the accepted values", changed)
		p.Want(p.criterion(id, "Ville") == nil, "nothing changed", p.criterion(id, "Ville"))
	}},
	{"delete.product", "a deleted product is 404 whatever is asked of it, and its reference stays taken", 0, func(p *Probe) { // P31
		reference := p.reference()
		id := p.create(object{"model": reference, "rooms": list{object{"type": p.values("/configs/listes/1/values")[0]}}})
		path := fmt.Sprint("/products/", id)
		p.Delete(path).offered("deletion of products").Is(204)
		p.gone(path)
		for _, a := range []*Answer{
			p.Get(path), p.Get(path + "?fetch=unknown"), p.Get(path + "/criteria"), p.Get(path + "/lots"), p.Delete(path), p.update(id, object{"color": 1}), p.Patch(path, "{"),
			p.Delete(path + "/rooms/1"),
		} {
			a.because(404, "not_found")
		}
		p.Want(p.count(object{"model": reference}) == 0, "a search does not find it", "it does")
		p.unmade(p.Post("/products", object{"agency_id": p.agency(), "model": reference}).because(422, "reference_taken", "model"), 422)
		p.unmade(p.Post("/products", object{"agency_id": p.agency(), "parent_id": id}).because(422, "unknown_product", "parent_id"), 422)
	}},
	{"rooms.kept", "what an update of a room does not name is kept, and null clears", 0, func(p *Probe) { // P24
		kind, view, floor := p.values("/configs/listes/1/values")[0], p.values("/configs/listes/3/values")[0], p.values("/configs/listes/4/values")[0]
		id := p.create(object{"rooms": list{object{"type": kind, "surface": 20, "vue": view, "commentaire": "clair"}, object{"type": kind}}})
		path := fmt.Sprint("/products/", id)
		rooms := func() *Answer { return p.Get(path + "?fetch=rooms").Is(200) }
		first, second := rooms().Int("data.rooms.0.id"), rooms().Int("data.rooms.1.id")
		p.update(id, object{"rooms": list{object{"id": first, "surface": 25, "sol": floor}, object{"type": kind}}}).Is(204)
		rooms().Equals("data.rooms.0.surface", 25).Equals("data.rooms.0.vue", view).Equals("data.rooms.0.sol", floor).Equals("data.rooms.0.commentaire", "clair").
			Equals("data.rooms.1.id", second).Equals("data.rooms.2.position", 3)
		p.update(id, object{"rooms": list{object{"id": fmt.Sprint(first), "surface": nil, "vue": nil, "commentaire": ""}}}).Is(204)
		rooms().Equals("data.rooms.0.surface", nil).Equals("data.rooms.0.vue", nil).Equals("data.rooms.0.commentaire", nil).Equals("data.rooms.0.sol", floor)
		p.update(id, object{"rooms": list{object{"id": first, "vue": view}, object{"id": first, "sol": floor}}}).because(422, "ambiguous_field", "rooms[1].id") // P28
		third := rooms().Int("data.rooms.2.id")
		p.Delete(fmt.Sprint(path, "/rooms/", second)).offered("deletion of rooms").Is(204) // P25
		rooms().Equals("data.rooms.1.id", third).Equals("data.rooms.1.position", 2)
		for _, absent := range []string{fmt.Sprint(second), "999999999", "0", "abc"} {
			p.Delete(path+"/rooms/"+absent).because(404, "not_found")
		}
		p.Delete(fmt.Sprintf("/products/%d/rooms/%d", p.create(nil), first)).because(404, "not_found")
	}},
	{"events.ledger", "what was written is in the ledger, oldest first", 0, func(p *Probe) {
		after := p.Get("/events?limit=1").offered("ledger").Is(200).Int("last_id")
		id := p.create(nil)
		p.update(id, object{"color": 3}).Is(204)
		a := p.Get(fmt.Sprintf("/events?after=%d&limit=1000", after)).Is(200)
		var mine []any
		for _, record := range a.records() {
			if record["resource_id"] == float64(id) {
				mine = append(mine, record["event_type"])
			}
		}
		p.Want(reflect.DeepEqual(mine, []any{"PRODUCT_CREATE", "PRODUCT_UPDATE"}), "PRODUCT_CREATE and PRODUCT_UPDATE", mine)
	}},
	{"events.no_effect", "an update without effect has no event", 0, func(p *Probe) {
		id := p.create(object{"color": 3})
		after := p.Get("/events?limit=1").offered("ledger").Is(200).Int("last_id")
		p.update(id, object{"color": 3}).Is(204)
		for _, record := range p.Get(fmt.Sprintf("/events?after=%d&limit=1000", after)).Is(200).records() {
			p.Want(record["resource_id"] != float64(id) || record["event_type"] != "PRODUCT_UPDATE", "no event", record)
		}
	}},
	{"customer.follow_up", "a contact gets a search request, and a listing attached to the follow-up once", 0, func(p *Probe) {
		home := p.create(criteria("TypeBien", p.home(), "Prix", 240000))
		after := p.Get("/events?limit=1").offered("ledger").Is(200).Int("last_id")
		who := p.customer(nil)
		base := fmt.Sprintf("/customers/%d", who)
		search := p.Post(base+"/searches", object{"transaction_type": "Vente", "price_max": 260000, "areas": list{object{"type": "CITY", "label": "Lyon"}}}).
			offered("search requests").Is(201).Int("data.id")
		followUp := p.Post(base+"/follow-ups", object{"product_id": home, "search_id": search}).Is(201).Int("data.id")
		told := map[any]any{}
		for _, record := range p.Get(fmt.Sprintf("/events?after=%d&limit=1000", after)).Is(200).records() {
			told[fmt.Sprint(record["event_type"], record["resource_id"])] = true
		}
		for _, event := range []string{fmt.Sprint("CUSTOMER_CREATE", who), fmt.Sprint("SEARCH_CREATE", search), fmt.Sprint("FOLLOWUP_CREATE", followUp)} {
			p.Want(told[event] == true, event, told)
		}
		p.Get(base).Is(200).Equals("data.searches_count", 1).Equals("data.follow_ups_count", 1)
		p.Get(base+"/follow-ups").Is(200).Equals("data.0.product_id", home).Equals("data.0.status", "PROPOSE").Equals("data.0.events.0.status", "PROPOSE")
		p.Get(fmt.Sprintf("%s/searches/%d", base, search)).Is(200).Equals("data.price_max", 260000).
			Equals("data.criteria.0", object{"id": "Prix", "operator": "INFERIEUR", "value": 260000})
		p.Post(base+"/follow-ups", object{"product_id": home, "search_id": search}).because(409, "already_attached", "product_id").Equals("error.details.0.value", followUp)
	}},
	{"delivery.signed", "deliveries are signed as Standard Webhooks are", Receiver, func(p *Probe) {
		h := p.subscribe(nil, "PRODUCT_CREATE")
		secret := p.Get(h.path() + "/secret").offered("signing secret").Is(200).Text("data.secret")
		d := h.came("PRODUCT_CREATE", p.create(nil))
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		p.Want(err == nil, "a secret in base64", "another one")
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", d.Header.Get("webhook-id"), d.Header.Get("webhook-timestamp"), d.Body)
		want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		p.Want(slices.Contains(strings.Fields(d.Header.Get("webhook-signature")), want), "a signature by the secret", d.Header)
	}},
	{"delivery.named", "deliveries name their event and attempt in headers", Receiver, func(p *Probe) {
		h := p.subscribe(nil, "PRODUCT_CREATE")
		d := h.came("PRODUCT_CREATE", p.create(nil))
		p.Want(d.Header.Get("X-Event-Type") == "PRODUCT_CREATE" && d.Header.Get("X-Delivery-Attempt") == "1" && d.Header.Get("webhook-id") != "", "X-Event-Type, X-Delivery-Attempt and webhook-id", d.Header)
	}},
	{"delivery.test", "a webhook is tried with HOOK_TEST", Receiver, func(p *Probe) {
		h := p.subscribe(nil, "PRODUCT_DELETE")
		p.Post(h.path()+"/test", nil).offered("test of webhooks").Is(200, 201, 202, 204)
		p.eventually("HOOK_TEST", func() bool {
			return slices.ContainsFunc(p.run.inbox.deliveries(h.name), func(d Delivery) bool { return d.text("event_type") == "HOOK_TEST" })
		})
	}},
	{"hook.read", "webhooks are listed and read", 0, func(p *Probe) {
		h := p.subscribe(nil, "PRODUCT_DELETE")
		a := p.Get(h.path()).offered("webhook to read").Is(200).Equals("data.id", h.id).Equals("data.status", "active")
		p.Get(h.path(), "If-None-Match", a.Header.Get("ETag")).Is(304)
	}},
	{"hook.deleted", "a deleted webhook is 404", 0, func(p *Probe) {
		h := p.subscribe(nil, "PRODUCT_DELETE")
		p.Delete(h.path()).offered("deletion of webhooks").Is(204)
		p.gone(h.path())
		p.Put(h.path(), object{}).because(404, "not_found")
	}},
}

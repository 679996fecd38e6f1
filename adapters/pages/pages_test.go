package pages

import (
	"context"
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// small is a document with a search, a form with a file, a token and a webhook.
const small = `{
 "openapi": "3.1.0", "info": {"title": "Small", "description": "Few.", "version": "1"}, "tags": [{"name": "Things"}],
 "paths": {
  "/things/{id}": {"parameters": [], "put": {"operationId": "putThing", "summary": "Put a thing", "tags": ["Things"], "security": [{"bearerAuth": []}],
    "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer", "minimum": 5}}, {"$ref": "#/components/parameters/Key"}],
    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
    "responses": {"200": {"description": "OK", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}, "example": {"name": "a"}}}}, "404": {"$ref": "#/components/responses/NotFound"}}}},
  "/things": {"post": {"operationId": "searchThings", "summary": "Search", "tags": ["Things"], "security": [{"bearerAuth": []}],
    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}, "examples": {"one": {"value": {"name": "it's \u0060quoted\u0060\nand long"}}}}}},
    "responses": {"200": {"description": "OK"}}}},
  "/pictures": {"post": {"operationId": "addPicture", "summary": "Add", "tags": ["Things"], "security": [{"bearerAuth": []}],
    "requestBody": {"content": {"multipart/form-data": {"schema": {"type": "object", "required": ["label"], "properties": {"file": {"type": "string", "format": "binary"}, "label": {"type": "string"}}}}}},
    "responses": {"204": {"description": "No Content"}}}},
  "/token": {"post": {"operationId": "token", "summary": "Obtain a token", "security": [{"basicAuth": []}],
    "requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {"type": "object", "allOf": [{"oneOf": [{"required": ["site_id"]}, {"required": ["other_id"]}]}],
      "properties": {"site_id": {"type": ["string", "null"]}, "other_id": {"type": "string"}}}}}}, "responses": {"200": {"description": "OK"}}}}
 },
 "webhooks": {"thingChanged": {"post": {"summary": "A thing changed", "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}, "responses": {}}}},
 "components": {
  "parameters": {"Key": {"name": "Key", "in": "header", "schema": {"type": "string"}}},
  "responses": {"NotFound": {"description": "Not Found\n\n- ` + "`not_found`" + `: there is none\n- other <b>"}},
  "schemas": {
   "Thing": {"type": "object", "required": ["name", "kind"], "properties": {
     "name": {"type": "string", "maxLength": 9}, "kind": {"anyOf": [{"$ref": "#/components/schemas/Kind"}, {"type": "null"}]},
     "inside": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}, "at": {"type": ["string", "null"], "format": "date-time"}}},
   "Kind": {"type": "string", "enum": ["small", "large", null]}}}
}`

func read(t *testing.T) (*document, map[string]*operation) {
	t.Helper()
	d, all, err := readDocument([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]*operation{}
	for _, o := range all {
		byID[o.ID] = o
	}
	if len(all) != 5 || !byID["thingChanged"].Sent {
		t.Fatalf("the operations are %v", byID)
	}
	return d, byID
}

func TestRequestsAreThoseOfExamplesOrAsLittleAsIsAskedFor(t *testing.T) {
	d, all := read(t)
	for id, want := range map[string]request{
		"putThing":     {Method: "PUT", Path: "/things/5", inPath: map[string]string{"id": "5"}, Media: "application/json", Body: "{\n  \"kind\": \"small\",\n  \"name\": \"text\"\n}", Needs: needsToken},
		"searchThings": {Method: "POST", Path: "/things", Media: "application/json", Body: "{\n  \"name\": \"it's `quoted`\\nand long\"\n}", Needs: needsToken},
		"addPicture":   {Method: "POST", Path: "/pictures", Media: "multipart/form-data", Needs: needsToken, Form: []pair{{Name: "file", File: true}, {Name: "label", Value: "text"}}},
		"token":        {Method: "POST", Path: "/token", Media: "application/x-www-form-urlencoded", Needs: needsSecret, Form: []pair{{Name: "site_id", Value: "text"}, {Name: "other_id"}}},
	} {
		got := requests{d, nil}.first(all[id])
		if len(got.Query) == 0 && len(got.Header) == 0 {
			got.Query, got.Header = nil, nil
		}
		if len(got.inPath) == 0 {
			got.inPath = nil
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(request{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

func TestRequestsOfADemoWinOverExamples(t *testing.T) {
	d, all := read(t)
	operations := slices.Collect(maps.Values(all))
	of := func(given ...Request) (requests, error) {
		return newRequests(t.Context(), d, operations, &Demo{Requests: func(context.Context) ([]Request, error) { return given, nil }})
	}
	rs, err := of(
		Request{"PUT", "/things/a%20b?at=now", `{"name": "x", "kind": "small"}`}, Request{"PUT", "/things/7", ""},
		Request{"POST", "/token", `{"site_id": 1}`}, Request{"POST", "/pictures", ""},
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := rs.first(all["putThing"]); got.Path != "/things/a%20b" || got.inPath["id"] != "a b" || got.Query.Get("at") != "now" || got.Body != "{\n  \"name\": \"x\",\n  \"kind\": \"small\"\n}" {
		t.Errorf("the first one is not the first: %+v", got)
	}
	if got := rs.first(all["token"]); !slices.Equal(got.Form, []pair{{Name: "site_id", Value: "1"}, {Name: "other_id"}}) {
		t.Errorf("a form is %+v", got.Form)
	}
	if got := rs.first(all["searchThings"]); !strings.Contains(got.Body, "quoted") {
		t.Errorf("what the demo does not give is %+v", got)
	}
	for _, wrong := range []Request{{"PUT", "/things", ""}, {"PUT", "/things/1/2", ""}, {"POST", "/things?a=%zz", ""}, {"PUT", "/things/%zz", ""}} {
		if _, err := of(wrong); err == nil {
			t.Errorf("%+v is for an operation", wrong)
		}
	}
	search := &operation{Method: "GET", Path: "/things/search"}
	for _, operations := range [][]*operation{{search, {Method: "GET", Path: "/things/{id}"}}, {{Method: "GET", Path: "/things/{id}"}, search}} {
		if at := operationCalled(operations, "GET", "/things/search"); at != search {
			t.Errorf("it is taken for %+v", at)
		}
	}
}

func TestFieldsSayWhatTheyAreAndEndWhereRecordsContainThemselves(t *testing.T) {
	d, all := read(t)
	_, c := best(all["putThing"].RequestBody.Content)
	got := d.fields(c.Schema, nil)
	want := []field{
		{Name: "kind", Type: "string or null", Required: true, Of: "Kind", Values: []string{"small", "large"}},
		{Name: "name", Type: "string, at most 9 characters", Required: true},
		{Name: "at", Type: "date-time or null"},
		{Name: "inside", Type: "list of Thing", Of: "Thing"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSamplesInGoAreGo(t *testing.T) {
	d, all := read(t)
	for _, client := range []Client{{}, {ID: "it's", Secret: `"\`}} {
		s, err := newSampler("https://crm.example.org", client)
		if err != nil {
			t.Fatal(err)
		}
		for id, o := range all {
			if o.Sent {
				continue
			}
			samples, err := s.samples(requests{d, nil}.first(o))
			if err != nil || len(samples) != len(languages) {
				t.Fatalf("%s: %v", id, err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), id, samples[3].Text, parser.AllErrors); err != nil {
				t.Errorf("%s: %v\n%s", id, err, samples[3].Text)
			}
		}
	}
}

func TestSamplesQuoteWhatTheySend(t *testing.T) {
	d, all := read(t)
	s, err := newSampler("https://crm.example.org", Client{})
	if err != nil {
		t.Fatal(err)
	}
	samples, err := s.samples(requests{d, nil}.first(all["searchThings"]))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`it'\''s ` + "`quoted`", "<<<'JSON'\n        {\n          \"name\": \"it's `quoted`", "JSON.stringify({\n    \"name\": \"it's `quoted`", `"{\n  \"name\": \"it's ` + "`quoted`"} {
		if !strings.Contains(samples[i].Text, want) {
			t.Errorf("%s does not have %s:\n%s", samples[i].Language, want, samples[i].Text)
		}
	}
}

func TestOperationsAreFoundByWordsAndFields(t *testing.T) {
	d, all := read(t)
	f := newFinder(d, []*operation{all["putThing"], all["token"]}, nil, nil)
	for _, c := range []struct {
		query, id, field string
		found            bool
	}{
		{"", "token", "", true}, {"THINGS put", "putThing", "", true}, {"inside", "putThing", "inside", true}, {"put ins", "putThing", "inside", true},
		{"site", "token", "site_id", true}, {"inside", "token", "", false}, {"put nothing", "putThing", "", false},
	} {
		if field, found := f.found(c.id, c.query); field != c.field || found != c.found {
			t.Errorf("%q finds %s: %t by %q", c.query, c.id, found, field)
		}
	}
}

func TestGuidesAreFoundInTheirLanguage(t *testing.T) {
	guides, err := newGuides(nil)
	if err != nil {
		t.Fatal(err)
	}
	f := newFinder(&document{}, nil, guides, nil)
	for _, c := range []struct{ query, id string }{
		{"pack_missing", "/docs/guides/error-codes#pack_missing"}, {"pack_missing", "/docs/guides/fr/error-codes#pack_missing"},
		{"idempotency-key", "/docs/guides/writing#repeating-a-post"}, {"cles d'api", "/docs/guides/fr/access#clés-dapi"}, {"CLÉS", "/docs/guides/fr/access#clés-dapi"},
	} {
		if _, found := f.found(c.id, c.query); !found {
			t.Errorf("%q does not find %s", c.query, c.id)
		}
	}
	if _, found := f.found("/docs/guides/limits#limits", "signature"); found {
		t.Error("a guide is found by a word that it does not have")
	}
}

// TestGuidesLeadToThemselves follows the links of guides to other guides, and to their headings.
func TestGuidesLeadToThemselves(t *testing.T) {
	guides, err := newGuides(nil)
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{"/openapi.json": true}
	for _, g := range guides {
		places[g.Path], places[g.Other] = true, true
		for _, s := range g.Sections {
			if places[g.idOf(s)] {
				t.Errorf("%s has two %s", g.Path, s.ID)
			}
			places[g.idOf(s)] = true
		}
	}
	for _, g := range guides {
		for _, link := range regexp.MustCompile(`href="([^"]+)"`).FindAllStringSubmatch(string(g.Body), -1) {
			to := link[1]
			if strings.HasPrefix(to, "#") {
				to = g.Path + to
			}
			if strings.HasPrefix(to, "/") && !places[to] {
				t.Errorf("%s leads to %s, which is nowhere", g.Path, link[1])
			}
		}
	}
}

func TestCallsInGuidesLeadToOperations(t *testing.T) {
	operations := []*operation{
		{ID: "get", Method: "GET", Path: "/api/things/{thingId}"}, {ID: "search", Method: "GET", Path: "/api/things/search"},
		{ID: "inner", Method: "GET", Path: "/api/places/{placeId}/things/{thingId}"}, {ID: "token", Method: "POST", Path: "/client/token"},
	}
	for call, want := range map[string]string{
		"GET /things/4711": "get", "GET /things/{id}": "get", "GET /things/search": "search", "GET /places/1/things/2": "inner",
		"POST {auth_url}/client/token": "token", "GET /nothing": "", "DELETE /things/1": "",
	} {
		got := ""
		g := &guide{Path: "/docs/guides/a", Sections: []section{{ID: "b", text: "Send " + call + " and wait"}}}
		for id := range readings([]*guide{g}, operations) {
			got += id
		}
		if got != want {
			t.Errorf("%s calls %q, want %q", call, got, want)
		}
	}
	if got, want := linked("<code>GET /things/1?a=b</code> <code>GET /x</code>", operations), `<a href="/docs/get"><code>GET /things/1?a=b</code></a> <code>GET /x</code>`; got != want {
		t.Errorf("%s", got)
	}
}

func TestCollectionsHaveEveryCallOfTheDocument(t *testing.T) {
	text, err := Collection([]byte(small), "https://crm.example")
	if err != nil {
		t.Fatal(err)
	}
	var c collection
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	items := map[string]item{}
	for _, f := range c.Item {
		for _, it := range f.Item {
			items[it.Name] = it
		}
	}
	if len(items) != 4 || c.Variable[0] != (variable{Key: "baseUrl", Value: "https://crm.example"}) {
		t.Fatalf("the requests are %v, the variables %v", items, c.Variable)
	}
	if c.Item[0].Item[0].Name != "Obtain a token" || items["Obtain a token"].Event[0].Script.Exec[0] != tokenKept {
		t.Error("the first request does not obtain the token of the others")
	}
	token := items["Obtain a token"].Request
	if token.Auth.Type != "basic" || token.Body.Mode != "urlencoded" || token.Body.URLEncoded[0].Value != "{{siteId}}" || !token.Body.URLEncoded[1].Disabled {
		t.Errorf("a token is obtained by %+v", token)
	}
	put := items["Put a thing"].Request
	if put.Auth != nil || put.URL.Raw != "{{baseUrl}}/things/:id" || put.URL.Variable[0].Value != "5" || !put.Header[0].Disabled || !json.Valid([]byte(put.Body.Raw)) {
		t.Errorf("a thing is put by %+v", put)
	}
	if add := items["Add"].Request.Body; add.Mode != "formdata" || add.FormData[0].Type != "file" || add.FormData[1].Type != "text" {
		t.Errorf("a picture is added by %+v", add)
	}
}

func TestDescriptionsAreEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"one `a<b>` & <script>":              "<p>one <code>a&lt;b&gt;</code> &amp; &lt;script&gt;</p>",
		"- `a`: b\n- c\n\nthen":              "<ul><li><code>a</code>: b</li><li>c</li></ul><p>then</p>",
		"[page](/docs) [bad](javascript:x)":  `<p><a href="/docs">page</a> [bad](javascript:x)</p>`,
		`[x](https://a.example/"onclick="y)`: `<p><a href="https://a.example/&#34;onclick=&#34;y">x</a></p>`,
		"":                                   "",
	} {
		if got := string(prose(text)); got != want {
			t.Errorf("%q is shown as %s, want %s", text, got, want)
		}
	}
}

// documented returns a text as the document.
func documented(text string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(text), nil }
}

// status is what the pages answer a browser.
func status(p *Pages, path string) int {
	w := httptest.NewRecorder()
	p.Reference.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code
}

func TestADocumentThatCannotBeReadShowsNoPage(t *testing.T) {
	for _, text := range []string{"", "[]", `{"paths": {"/": {"get": []}}}`} {
		if got := status(New(Options{Document: documented(text)}), "/docs"); got != http.StatusInternalServerError {
			t.Errorf("%q is answered %d", text, got)
		}
	}
	failing := func() ([]byte, error) { return nil, errors.New("no document") }
	if got := status(New(Options{Document: failing}), "/docs"); got != http.StatusInternalServerError {
		t.Errorf("without a document it is answered %d", got)
	}
}

func TestPagesAreMadeForTheFirstVisitorAndAgainUntilThatSucceeds(t *testing.T) {
	var asked atomic.Int32
	p := New(Options{Document: documented(small), Demo: &Demo{Requests: func(context.Context) ([]Request, error) {
		if asked.Add(1) == 1 {
			return nil, errors.New("the store is away")
		}
		return nil, nil
	}}})
	if asked.Load() != 0 {
		t.Error("nobody has opened a page")
	}
	if got := status(p, "/docs"); got != http.StatusInternalServerError {
		t.Errorf("without requests it is answered %d", got)
	}
	var visitors sync.WaitGroup
	for range 8 {
		visitors.Go(func() {
			if got := status(p, "/docs/putThing"); got != http.StatusOK {
				t.Errorf("it is answered %d", got)
			}
		})
	}
	visitors.Wait()
	if asked.Load() != 2 {
		t.Errorf("it was made %d times", asked.Load())
	}
}

func TestAPictureIsSentWhereNoneIsChosenInADemoAlone(t *testing.T) {
	for _, demo := range []*Demo{nil, {Picture: func() []byte { return []byte("a picture") }}} {
		w := httptest.NewRecorder()
		p := New(Options{Document: documented(small), Demo: demo})
		p.Reference.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/docs/addPicture", nil))
		found := regexp.MustCompile(`data-otherwise="([^"]+)"`).FindStringSubmatch(w.Body.String())
		if (found != nil) != (demo != nil) {
			t.Fatalf("with %v the page has %q", demo, found)
		}
		if found != nil && status(p, found[1]) != http.StatusOK {
			t.Errorf("there is nothing at %s", found[1])
		}
	}
}

func TestWebhooksAreShownAndCannotBeTried(t *testing.T) {
	made := New(Options{Document: documented(small)})
	page := func(path string) string {
		w := httptest.NewRecorder()
		made.Reference.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Body.String()
	}
	if text := page("/docs/thingChanged"); !strings.Contains(text, "A thing changed") || !strings.Contains(text, "&#34;kind&#34;") || strings.Contains(text, "data-try") || strings.Contains(text, `class="sample"`) {
		t.Errorf("its page is %s", text)
	}
	if text := page("/docs"); !strings.Contains(text, "Webhooks sent") || !strings.Contains(text, `<span class="method">webhook</span> <code>thingChanged</code>`) {
		t.Errorf("the list is %s", text)
	}
}

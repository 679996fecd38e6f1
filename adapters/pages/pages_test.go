package pages

import (
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"strings"
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
		"putThing":     {Method: "PUT", Path: "/things/5", Media: "application/json", Body: "{\n  \"kind\": \"small\",\n  \"name\": \"text\"\n}", Needs: needsToken},
		"searchThings": {Method: "POST", Path: "/things", Media: "application/json", Body: "{\n  \"name\": \"it's `quoted`\\nand long\"\n}", Needs: needsToken},
		"addPicture":   {Method: "POST", Path: "/pictures", Media: "multipart/form-data", Needs: needsToken, Form: []pair{{Name: "file", File: true}, {Name: "label", Value: "text"}}},
		"token":        {Method: "POST", Path: "/token", Media: "application/x-www-form-urlencoded", Needs: needsSecret, Form: []pair{{Name: "site_id", Value: "text"}, {Name: "other_id"}}},
	} {
		got := requests{d, nil}.first(all[id])
		if len(got.Query) == 0 && len(got.Header) == 0 {
			got.Query, got.Header = nil, nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	known := requests{d, map[string]any{"id": 7, "site_id": "1", "at": "now"}}
	if got := known.first(all["putThing"]); got.Path != "/things/7" || !strings.Contains(got.Body, `"at": "now"`) {
		t.Errorf("with values that exist it is %+v", got)
	}
	named := requests{d, map[string]any{"name": "here", "at": "now"}}
	if got := named.first(all["searchThings"]); got.Body != "{\n  \"name\": \"here\"\n}" {
		t.Errorf("with a value that exists the example is %+v", got)
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
	f := newFinder(d, []*operation{all["putThing"], all["token"]})
	for _, c := range []struct {
		query, id, field string
		found            bool
	}{
		{"", "token", "", true}, {"THINGS put", "putThing", "", true}, {"inside", "putThing", "inside", true}, {"put ins", "putThing", "inside", true},
		{"site", "token", "site_id", true}, {"inside", "token", "", false}, {"put nothing", "putThing", "", false},
	} {
		if field, found := f.found(all[c.id], c.query); field != c.field || found != c.found {
			t.Errorf("%q finds %s: %t by %q", c.query, c.id, found, field)
		}
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

func TestADocumentThatCannotBeReadIsAnError(t *testing.T) {
	for _, text := range []string{"", "[]", `{"paths": {"/": {"get": []}}}`} {
		if _, err := New(Options{Document: []byte(text)}); err == nil {
			t.Errorf("%q makes pages", text)
		}
	}
}

func TestWebhooksAreShownAndCannotBeTried(t *testing.T) {
	made, err := New(Options{Document: []byte(small)})
	if err != nil {
		t.Fatal(err)
	}
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

package openapi

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

func keysOf(o object) iter.Seq[string] { return maps.Keys(o) }

// published is the document of the table.
func published(t *testing.T) object {
	t.Helper()
	return parsed(t, document(t))
}

func parsed(t *testing.T, text []byte) object {
	t.Helper()
	var whole object
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	return whole
}

// described is the document's description of one operation of one's own.
func described(t *testing.T, o kernel.Operation) object {
	t.Helper()
	text, err := Document(Info{}, []kernel.Operation{o}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return at(t, parsed(t, text), "paths "+kernel.BasePath+o.Path+" "+strings.ToLower(o.Method)).(object)
}

// operation makes an operation of a request and an answer.
func operation[In, Out any](method string, change func(*kernel.Operation)) kernel.Operation {
	o := kernel.Operation{ID: "product.try", Name: "TryProduct", Method: method, Path: "/things", Status: http.StatusOK, In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out]()}
	if change != nil {
		change(&o)
	}
	return o
}

func writes(o *kernel.Operation) { o.Rule.Permission = access.ProductWrite }

// visit calls fn with every value of the document, and where it is.
func visit(value any, where string, fn func(where string, value any)) {
	fn(where, value)
	switch v := value.(type) {
	case object:
		for key, member := range v {
			visit(member, where+"/"+key, fn)
		}
	case []any:
		for i, item := range v {
			visit(item, where+"/"+strconv.Itoa(i), fn)
		}
	}
}

var camelCase = regexp.MustCompile(`^[a-z]+([A-Z][a-z]+)*$`)

func TestEveryOperationIsInTheDocumentAsTheTableHasIt(t *testing.T) {
	whole, svc := published(t), service(t)
	paths := whole["paths"].(object)
	documented := 0
	for _, path := range paths {
		for _, o := range path.(object) {
			if o.(object)["x-operation"] != nil {
				documented++
			}
		}
	}
	operations, tokens := svc.Operations(), svc.TokenOperations()
	if want := len(operations) + len(tokens); documented != want {
		t.Errorf("%d operations are documented, the table has %d", documented, want)
	}
	ids := map[string]bool{}
	for prefix, table := range map[string][]kernel.Operation{kernel.BasePath: operations, "": tokens} {
		for _, o := range table {
			got := at(t, whole, "paths "+prefix+o.Path+" "+strings.ToLower(o.Method)).(object)
			id, _ := got["operationId"].(string)
			if !camelCase.MatchString(id) || ids[id] || got["x-operation"] != o.ID || ids[o.ID] {
				t.Errorf("%s %s is %q, %v: not a name of its own", o.Method, o.Path, id, got["x-operation"])
			}
			ids[id], ids[o.ID] = true, true
			want := []any{object{"bearerAuth": []any{}}, object{"apiKeyAuth": []any{}}}
			if o.Public {
				want = []any{object{"basicAuth": []any{}}}
			}
			if !reflect.DeepEqual(got["security"], want) {
				t.Errorf("%s: the security is %v, want %v", o.ID, got["security"], want)
			}
			if o.Summary == "" || got["summary"] != o.Summary {
				t.Errorf("%s: the summary is %v, want %q", o.ID, got["summary"], o.Summary)
			}
			rule := o.Rule
			if o.Public {
				rule = access.Rule{}
			}
			said := func(key string) string { text, _ := got[key].(string); return text }
			packs, _ := got["x-packs"].([]any)
			if said("x-permission") != string(rule.Permission) || said("x-right") != string(rule.Right) || len(packs) != len(rule.Packs.Names()) {
				t.Errorf("%s: the rule is %v %v %v, want %+v", o.ID, got["x-packs"], got["x-permission"], got["x-right"], rule)
			}
			success := at(t, got, "responses "+strconv.Itoa(o.Status)).(object)
			if _, body := success["content"]; body != (o.Status != http.StatusNoContent) {
				t.Errorf("%s: %d has a body: %t", o.ID, o.Status, body)
			}
			for status := range got["responses"].(object) {
				if n, _ := strconv.Atoi(status); n < 300 && n != o.Status {
					t.Errorf("%s: %d is no answer of it", o.ID, n)
				}
			}
		}
	}
}

func TestEveryReferenceResolvesAndEveryComponentIsReferredTo(t *testing.T) {
	whole := published(t)
	used := map[string]bool{}
	visit(whole, "#", func(where string, value any) {
		o, _ := value.(object)
		target, _ := o["$ref"].(string)
		if target == "" {
			return
		}
		used[target] = true
		path, local := strings.CutPrefix(target, "#/")
		var found any = whole
		for step := range strings.SplitSeq(path, "/") {
			within, _ := found.(object)
			found = within[step]
		}
		if !local || found == nil {
			t.Errorf("%s refers to %s, which is not there", where, target)
		}
	})
	for sort, components := range whole["components"].(object) {
		if sort == "securitySchemes" {
			continue
		}
		for name := range components.(object) {
			if target := "#/components/" + sort + "/" + name; !used[target] {
				t.Errorf("nothing refers to %s", target)
			}
		}
	}
}

var inPath = regexp.MustCompile(`{(\w+)}`)

func TestEveryParameterOfAPathIsDeclaredOnce(t *testing.T) {
	for path, methods := range published(t)["paths"].(object) {
		var want []string
		for _, found := range inPath.FindAllStringSubmatch(path, -1) {
			want = append(want, found[1])
		}
		slices.Sort(want)
		for method, o := range methods.(object) {
			var got []string
			seen := map[string]bool{}
			parameters, _ := o.(object)["parameters"].([]any)
			for _, p := range parameters {
				p := p.(object)
				name := fmt.Sprint(p["in"], p["name"], p["$ref"])
				if seen[name] {
					t.Errorf("%s %s: two parameters are %s", method, path, name)
				}
				seen[name] = true
				if p["in"] == "path" {
					got = append(got, p["name"].(string))
					if p["required"] != true {
						t.Errorf("%s %s: %s is in the path, and not required", method, path, p["name"])
					}
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%s %s declares %q, want %q", method, path, got, want)
			}
		}
	}
}

func TestEverySchemaIsSound(t *testing.T) {
	types := []string{"string", "number", "integer", "boolean", "array", "object", "null"}
	formats := map[any]string{"number": "double", "integer": "int64"}
	visit(published(t), "#", func(where string, value any) {
		schema, _ := value.(object)
		if schema == nil || strings.HasSuffix(where, "/properties") {
			return
		}
		if properties, ok := schema["properties"].(object); ok {
			// Of those that one of several is required of, each is required by a part of
			// the schema.
			visit(object{"required": schema["required"], "allOf": schema["allOf"]}, where, func(_ string, value any) {
				part, _ := value.(object)
				required, _ := part["required"].([]any)
				for _, name := range required {
					if properties[name.(string)] == nil {
						t.Errorf("%s requires %v, which it does not have", where, name)
					}
				}
			})
		}
		kind, isType := schema["type"].(string)
		if isSchema := strings.Contains(where, "schema"); !isSchema || schema["type"] == nil {
			return
		}
		if !isType || !slices.Contains(types, kind) {
			t.Errorf("%s has the type %v", where, schema["type"])
		}
		if want := formats[kind]; want != "" && schema["format"] != want {
			t.Errorf("%s is a %s of the format %v: clients would lose digits", where, kind, schema["format"])
		}
		if kind == "array" && schema["items"] == nil {
			t.Errorf("%s is an array of nobody knows what", where)
		}
		if enum, _ := schema["enum"].([]any); slices.Contains(enum, nil) {
			t.Errorf("%s has null among its choices", where)
		}
	})
}

// reached calls fn with every schema that the bodies and parameters of requests lead
// to, or that answers do.
func reached(whole object, requests bool, fn func(where string, schema object)) {
	seen := map[string]bool{}
	var follow func(value any, where string)
	follow = func(value any, where string) {
		visit(value, where, func(where string, value any) {
			schema, _ := value.(object)
			fn(where, schema)
			target, _ := schema["$ref"].(string)
			name, isSchema := strings.CutPrefix(target, "#/components/schemas/")
			if isSchema && !seen[name] {
				seen[name] = true
				follow(whole["components"].(object)["schemas"].(object)[name], name)
			}
		})
	}
	for path, methods := range whole["paths"].(object) {
		for method, o := range methods.(object) {
			if o := o.(object); requests {
				follow([]any{o["requestBody"], o["parameters"]}, method+" "+path)
			} else {
				follow(o["responses"], method+" "+path)
			}
		}
	}
}

func nullableSchema(schema object) bool {
	return strings.Contains(fmt.Sprint(schema["anyOf"]), "type:null")
}

func TestWhatARequestMustHaveIsNotNull(t *testing.T) {
	reached(published(t), true, func(where string, schema object) {
		properties, _ := schema["properties"].(object)
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if property, ok := properties[name.(string)].(object); ok && nullableSchema(property) {
				t.Errorf("%s requires %v, which may be null", where, name)
			}
		}
	})
}

// A server may learn codes that its clients do not know.
func TestCodesOfAnswersAreOpen(t *testing.T) {
	open := 0
	reached(published(t), false, func(where string, schema object) {
		if enum, _ := schema["enum"].([]any); len(enum) > 1 {
			t.Errorf("%s can only have %v", where, enum)
		}
		if schema["x-extensible-enum"] != nil {
			open++
		}
	})
	if open < 30 {
		t.Errorf("only %d fields of answers have codes", open)
	}
}

func TestEveryAnswerHasAName(t *testing.T) {
	for path, methods := range published(t)["paths"].(object) {
		for method, o := range methods.(object) {
			visit(o.(object)["responses"], method+" "+path, func(where string, value any) {
				if media, _ := value.(object); media["schema"] != nil && strings.HasSuffix(where, "/content/application/json") && media["schema"].(object)["$ref"] == nil {
					t.Errorf("%s has no name", where)
				}
			})
		}
	}
}

func TestTheOrderOfTheTableMakesNoDifference(t *testing.T) {
	svc := service(t)
	operations, tokens := svc.Operations(), svc.TokenOperations()
	want := string(document(t))
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 1))
		r.Shuffle(len(operations), func(i, j int) { operations[i], operations[j] = operations[j], operations[i] })
		r.Shuffle(len(tokens), func(i, j int) { tokens[i], tokens[j] = tokens[j], tokens[i] })
		got, err := Document(Info{Title: "Vitrine"}, operations, tokens)
		if err != nil || string(got) != want {
			t.Fatalf("seed %d: the document is another one (%v)", seed, err)
		}
	}
}

func TestWhatTheTableDoesNotKnow(t *testing.T) {
	for want, info := range map[string]Info{
		`{"description":"","title":"","version":"` + kernel.ContractVersion + `"} [{"url":"/"}]`:                                                                   {},
		`{"description":"*B*","license":{"identifier":"MIT","name":"MIT"},"title":"A","version":"` + kernel.ContractVersion + `"} [{"url":"https://crm.example"}]`: {Title: "A", Description: "*B*", Server: "https://crm.example", License: "MIT"},
	} {
		out, err := Document(info, nil, nil)
		if err != nil || !strings.HasSuffix(string(out), "}\n") {
			t.Fatalf("%v: %s", err, out)
		}
		whole := parsed(t, out)
		if got := text(t, whole["info"]) + " " + text(t, whole["servers"]); got != want || whole["openapi"] != "3.1.0" {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestARecordWithoutASchemaIsNoDocument(t *testing.T) {
	if out, err := Document(Info{}, []kernel.Operation{operation[kernel.Nothing, chan int](http.MethodGet, nil)}, nil); err == nil {
		t.Errorf("%s", out)
	}
}

func TestTagsAreListedOnceInOrder(t *testing.T) {
	whole := published(t)
	var names []string
	for _, tag := range whole["tags"].([]any) {
		names = append(names, tag.(object)["name"].(string))
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("%q", names)
	}
	for path, methods := range whole["paths"].(object) {
		for method, o := range methods.(object) {
			if tags := o.(object)["tags"].([]any); len(tags) != 1 || !slices.Contains(names, tags[0].(string)) {
				t.Errorf("%s %s has the tags %v", method, path, tags)
			}
		}
	}
	if got := described(t, operation[kernel.Nothing, town](http.MethodGet, func(o *kernel.Operation) { o.ID = "unheard.of" })); text(t, got["tags"]) != `["unheard"]` {
		t.Errorf("an area of which nobody heard has the tags %v", got["tags"])
	}
}

func TestARuleIsSaidInWordsAndForMachines(t *testing.T) {
	packs := access.Packs(0)
	for _, o := range service(t).Operations() {
		packs |= o.Rule.Packs
	}
	for name, c := range map[string]struct {
		rule access.Rule
		want []string
	}{
		"nothing":      {access.Rule{}, nil},
		"a permission": {access.Rule{Permission: "P"}, []string{"the permission P"}},
		"a right":      {access.Rule{Right: "R"}, []string{"the right R"}},
		"packs":        {access.Rule{Packs: packs}, []string{"one of the packs " + packs.String()}},
		"all of it":    {access.Rule{Packs: packs, Permission: "P", Right: "R"}, []string{"one of the packs " + packs.String(), "the permission P", "the right R"}},
	} {
		got := described(t, operation[kernel.Nothing, town](http.MethodGet, func(o *kernel.Operation) { o.Rule = c.rule }))
		want := any(nil)
		if c.want != nil {
			want = "Needs " + strings.Join(c.want, ", and ") + "."
		}
		if got["description"] != want {
			t.Errorf("%s: %v, want %v", name, got["description"], want)
		}
	}
	public := described(t, operation[kernel.Nothing, town](http.MethodPost, func(o *kernel.Operation) {
		o.Public, o.Rule = true, access.Rule{Right: "R"}
	}))
	if public["x-right"] != nil || public["description"] != nil {
		t.Errorf("an operation without a token has the rule of one: %v", public)
	}
}

// TestPagesAreReadByTheirCursors holds x-pages against the schemas: every operation with a
// next_cursor says where it is, and where it is sent.
func TestPagesAreReadByTheirCursors(t *testing.T) {
	whole := published(t)
	resolved := func(schema any) object {
		for schema.(object)["$ref"] != nil {
			name := schema.(object)["$ref"].(string)
			schema = at(t, whole, "components schemas "+name[strings.LastIndex(name, "/")+1:])
		}
		return schema.(object)
	}
	property := func(schema any, name string) any {
		properties, _ := resolved(schema)["properties"].(object)
		return properties[name]
	}
	paged := 0
	for _, o := range service(t).Operations() {
		if o.Status == http.StatusNoContent {
			continue
		}
		got := at(t, whole, "paths "+kernel.BasePath+o.Path+" "+strings.ToLower(o.Method)).(object)
		answer := at(t, got, "responses "+strconv.Itoa(o.Status)+" content application/json schema")
		next := ""
		if property(answer, "next_cursor") != nil {
			next = "next_cursor"
		} else if meta := property(answer, "meta"); meta != nil && property(meta, "next_cursor") != nil {
			next = "meta.next_cursor"
		}
		if next == "" {
			if got["x-pages"] != nil {
				t.Errorf("%s has no next_cursor, and says %v", o.ID, got["x-pages"])
			}
			continue
		}
		paged++
		if at(t, got, "x-pages next") != next {
			t.Errorf("%s has %s, and says %v", o.ID, next, got["x-pages"])
		}
		item := at(t, got, "x-pages item").(string)
		if ref := at(t, property(answer, "data"), "items $ref"); ref != "#/components/schemas/"+item {
			t.Errorf("%s lists %v, and says %s", o.ID, ref, item)
		}
		cursor, sent := at(t, got, "x-pages cursor").(string), false
		if at(t, got, "x-pages in") == "body" {
			sent = property(at(t, got, "requestBody content application/json schema"), cursor) != nil
		} else {
			for _, p := range got["parameters"].([]any) {
				sent = sent || p.(object)["name"] == cursor && p.(object)["in"] == "query"
			}
		}
		if !sent {
			t.Errorf("%s does not take %s where it says", o.ID, cursor)
		}
	}
	if paged < 17 {
		t.Errorf("%d operations have pages", paged)
	}
}

func TestParametersSayHowTheyAreSent(t *testing.T) {
	type query struct {
		ID     int64          `path:"id" doc:"which one"`
		Key    string         `path:"other"`
		Colour colours        `query:"colour" doc:"any of them"`
		Page   opt.Field[int] `query:"page" minimum:"1"`
		Needed string         `query:"needed" required:"true" enum:"a,b"`
		Body   string         `json:"body"`
	}
	o := operation[query, town](http.MethodPut, func(o *kernel.Operation) { o.Path = "/things/{id}/{other}" })
	want := []string{
		`{"description":"which one","in":"path","name":"id","required":true,"schema":{"format":"int64","minimum":1,"type":"integer"}}`,
		`{"in":"path","name":"other","required":true,"schema":{"type":"string"}}`,
		`{"description":"any of them","explode":false,"in":"query","name":"colour","schema":{"items":{"enum":["red","blue"],"type":"string"},"type":"array"},"style":"form"}`,
		`{"in":"query","name":"page","schema":{"format":"int64","minimum":1,"type":"integer"}}`,
		`{"in":"query","name":"needed","required":true,"schema":{"enum":["a","b"],"type":"string"}}`,
	}
	if got := text(t, described(t, o)["parameters"]); got != "["+strings.Join(want, ",")+"]" {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestConditionsAreHeaders(t *testing.T) {
	type conditional struct{ Match kernel.IfMatch }
	for name, c := range map[string]struct {
		o    kernel.Operation
		want []string
	}{
		"a read":                       {operation[kernel.Nothing, town](http.MethodGet, nil), []string{"If-None-Match"}},
		"a search":                     {operation[kernel.Nothing, town](http.MethodPost, nil), nil},
		"a creation":                   {operation[kernel.Nothing, town](http.MethodPost, writes), []string{"Idempotency-Key"}},
		"a conditional change":         {operation[conditional, town](http.MethodPatch, writes), []string{"If-Match"}},
		"a conditional change by POST": {operation[conditional, town](http.MethodPost, writes), []string{"If-Match", "Idempotency-Key"}},
		"a change":                     {operation[kernel.Nothing, town](http.MethodPatch, writes), nil},
	} {
		var got []string
		parameters, _ := described(t, c.o)["parameters"].([]any)
		for _, p := range parameters {
			got = append(got, strings.TrimPrefix(p.(object)["$ref"].(string), "#/components/parameters/"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestABodyHasTheTypeOfItsSource(t *testing.T) {
	type Inquiry struct {
		Text string `json:"text"`
	}
	type Order struct {
		Text string `json:"text" required:"true"`
	}
	type Grant struct {
		User  string `basic:"user"`
		Scope string `form:"scope" required:"true"`
	}
	type Upload struct {
		File listing.File `file:"file"`
	}
	for name, c := range map[string]struct {
		o    kernel.Operation
		want string
	}{
		"none":            {operation[kernel.Nothing, town](http.MethodPost, nil), `null`},
		"an optional one": {operation[Inquiry, town](http.MethodPost, nil), `{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/InquiryRequest"}}},"required":false}`},
		"a required one":  {operation[Order, town](http.MethodPost, nil), `{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/OrderRequest"}}},"required":true}`},
		"a form":          {operation[Grant, town](http.MethodPost, nil), `{"content":{"application/x-www-form-urlencoded":{"schema":{"$ref":"#/components/schemas/GrantRequest"}}},"required":true}`},
		"a file":          {operation[Upload, town](http.MethodPost, nil), `{"content":{"multipart/form-data":{"schema":{"$ref":"#/components/schemas/UploadRequest"}}},"required":false}`},
	} {
		if got := text(t, described(t, c.o)["requestBody"]); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestWhichErrorsAnOperationHas(t *testing.T) {
	type byID struct {
		ID int64 `path:"id"`
	}
	type query struct {
		Page int `query:"page"`
	}
	type body struct {
		Text string `json:"text"`
	}
	type form struct {
		Text string `form:"text"`
	}
	type file struct {
		File listing.File `file:"file"`
	}
	type conditional struct {
		Match kernel.IfMatch
		Text  string `json:"text"`
	}
	always := []string{"308", "401", "403", "415", "429", "500", "503"}
	with := func(more ...string) []string { return slices.Sorted(slices.Values(append(more, always...))) }
	for name, c := range map[string]struct {
		o    kernel.Operation
		want []string
	}{
		"a list":                 {operation[kernel.Nothing, town](http.MethodGet, nil), with("304")},
		"a page":                 {operation[query, town](http.MethodGet, nil), with("304", "422")},
		"a record":               {operation[byID, town](http.MethodGet, func(o *kernel.Operation) { o.Path = "/things/{id}" }), with("304", "404")},
		"a search":               {operation[body, town](http.MethodPost, nil), with("413", "422")},
		"a creation":             {operation[body, town](http.MethodPost, writes), with("409", "413", "422")},
		"an order without words": {operation[kernel.Nothing, town](http.MethodPost, writes), with("409", "422")},
		"a conditional change":   {operation[conditional, town](http.MethodPatch, writes), with("412", "413", "422")},
		"a form":                 {operation[form, town](http.MethodPost, nil), with("413", "422")},
		"a file":                 {operation[file, town](http.MethodPost, nil), with("413", "422")},
		"a deletion":             {operation[byID, kernel.None](http.MethodDelete, func(o *kernel.Operation) { o.Path = "/things/{id}"; o.Status = 204; writes(o) }), with("404")},
	} {
		var got []string
		for status := range described(t, c.o)["responses"].(object) {
			if status != strconv.Itoa(c.o.Status) {
				got = append(got, status)
			}
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	whole := published(t)
	for path, want := range map[string]bool{
		"/api/v2/site/products/{productId} patch 400": true, "/api/v2/site/customers/{customerId} patch 400": false,
		"/api/v2/site/customers/{customerId} patch 409": true, "/api/v2/site/customers/{customerId} delete 409": true,
		"/api/v2/site/products/{productId} patch 409": false, "/api/client/token/site post 404": true,
	} {
		step := strings.Fields(path)
		if _, got := at(t, whole, "paths "+step[0]+" "+step[1]+" responses").(object)[step[2]]; got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}

func TestEveryErrorAnswerHasTheOneShapeAndNamesItsCodes(t *testing.T) {
	responses := at(t, published(t), "components responses").(object)
	if len(responses) != len(errorStatuses) {
		t.Errorf("%d answers for %d statuses", len(responses), len(errorStatuses))
	}
	said := map[fault.Code]bool{}
	for _, e := range errorStatuses {
		answer := responses[e.name].(object)
		if got := text(t, answer["content"]); got != `{"application/json":{"schema":{"$ref":"#/components/schemas/Error"}}}` {
			t.Errorf("%s: %s", e.name, got)
		}
		headers := []string{"Content-Language", "X-Contract-Version", "X-Request-Id"}
		switch e.status {
		case http.StatusPermanentRedirect:
			headers = append(headers, "Location")
		case http.StatusUnauthorized:
			headers = append(headers, "WWW-Authenticate")
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			headers = append(headers, "Retry-After")
		}
		if e.status == http.StatusTooManyRequests {
			headers = append(headers, "RateLimit", "RateLimit-Policy")
		}
		slices.Sort(headers)
		if got := slices.Sorted(keysOf(answer["headers"].(object))); !slices.Equal(got, headers) {
			t.Errorf("%s has the headers %q, want %q", e.name, got, headers)
		}
		description := answer["description"].(string)
		if !strings.HasPrefix(description, http.StatusText(e.status)+"\n") {
			t.Errorf("%d is called %q", e.status, description)
		}
		for _, entry := range fault.Catalogue() {
			listed := strings.Contains(description, "\n- `"+string(entry.Code)+"`: "+entry.Meaning)
			if want := slices.Contains(entry.Kinds, e.kind); listed != want {
				t.Errorf("%s lists %s: %t, want %t", e.name, entry.Code, listed, want)
			}
			said[entry.Code] = said[entry.Code] || listed
		}
	}
	// A method that a path does not have is of no operation.
	for _, entry := range fault.Catalogue() {
		if said[entry.Code] == (entry.Code == fault.CodeMethodNotAllowed) {
			t.Errorf("the answers name %s: %t", entry.Code, said[entry.Code])
		}
	}
}

func TestErrorsNameTheirFields(t *testing.T) {
	whole := published(t)
	for path, want := range map[string]string{
		"components schemas Error required":                                  `["error","request_id"]`,
		"components schemas Error properties request_id format":              `"uuid"`,
		"components schemas Error properties error required":                 `["code","message"]`,
		"components schemas Error properties error properties details items": `{"$ref":"#/components/schemas/ErrorDetail"}`,
		"components schemas ErrorDetail required":                            `["field","code","message"]`,
		"components schemas ErrorDetail properties accepted_values":          `{"description":"what would have been accepted","items":{"type":"string"},"type":"array"}`,
	} {
		if got := text(t, at(t, whole, path)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestWhichHeadersASuccessHas(t *testing.T) {
	type query struct {
		Page int `query:"page"`
	}
	type body struct {
		Text string `json:"text"`
	}
	type versioned struct {
		Version kernel.Version `json:"-"`
	}
	type located struct {
		Location string `json:"-" header:"Location"`
		Data     struct {
			Mode string `json:"-" header:"X-Mode"`
		} `json:"data"`
	}
	always := []string{"RateLimit", "RateLimit-Policy", "X-Contract-Version", "X-Request-Id"}
	with := func(more ...string) []string { return slices.Sorted(slices.Values(append(more, always...))) }
	for name, c := range map[string]struct {
		o    kernel.Operation
		want []string
	}{
		"a read":                      {operation[kernel.Nothing, town](http.MethodGet, nil), with("ETag")},
		"a page":                      {operation[query, town](http.MethodGet, nil), with("ETag", "X-Ignored-Fields", "Deprecation")},
		"a search":                    {operation[body, town](http.MethodPost, nil), with("X-Ignored-Fields", "Deprecation")},
		"a creation":                  {operation[body, town](http.MethodPost, writes), with("X-Ignored-Fields", "Deprecation", "Idempotent-Replayed")},
		"what has a version":          {operation[kernel.Nothing, versioned](http.MethodPut, writes), with("ETag")},
		"fields that go to headers":   {operation[kernel.Nothing, located](http.MethodPut, writes), with("Location", "X-Mode")},
		"records that are built late": {operation[kernel.Nothing, listing.Records[versioned]](http.MethodPost, nil), with()},
	} {
		got := at(t, described(t, c.o), "responses 200 headers").(object)
		if names := slices.Sorted(keysOf(got)); !slices.Equal(names, c.want) {
			t.Errorf("%s: %q, want %q", name, names, c.want)
		}
	}
	shown := described(t, operation[kernel.Nothing, town](http.MethodGet, nil))
	if got := text(t, at(t, shown, "responses 304")); got != `{"description":"you have it already","headers":{"ETag":{"$ref":"#/components/headers/ETag"},"RateLimit":{"$ref":"#/components/headers/RateLimit"},"RateLimit-Policy":{"$ref":"#/components/headers/RateLimit-Policy"},"X-Request-Id":{"$ref":"#/components/headers/X-Request-Id"}}}` {
		t.Errorf("%s", got)
	}
	if bare := described(t, operation[kernel.Nothing, kernel.None](http.MethodPut, func(o *kernel.Operation) { o.Status = 204 })); at(t, bare, "responses 204").(object)["content"] != nil {
		t.Error("204 has a body")
	}
}

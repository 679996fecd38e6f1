package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// openapi is the generated document, to hold real requests and answers against.
type openapi struct {
	router     routers.Router
	components any
	// schemas are those of answers and their headers, compiled: kin-openapi compiles a
	// schema each time it is asked.
	schemas *sync.Map
}

// document is the one of the table, except that records have no fields it does
// not name: a field nobody documented is a mistake here.
var document = sync.OnceValue(func() openapi {
	service, err := wire.Describe(memstore.New())
	if err != nil {
		panic(err)
	}
	text, err := wire.Document(service)
	if err != nil {
		panic(err)
	}
	text = closed(text)
	var parts struct{ Components any }
	if err := json.Unmarshal(text, &parts); err != nil {
		panic(err)
	}
	loaded, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		panic(err)
	}
	router, err := gorillamux.NewRouter(loaded)
	if err != nil {
		panic(err)
	}
	return openapi{router, parts.Components, new(sync.Map)}
})

// closed forbids the records of a document to have other fields than it names, and
// their codes to be others.
func closed(text []byte) []byte {
	var whole object
	if err := json.Unmarshal(text, &whole); err != nil {
		panic(err)
	}
	schemas, _ := follow(whole, "components.schemas")
	for _, schema := range schemas.(object) {
		if record := schema.(object); record["properties"] != nil {
			record["additionalProperties"] = false
		}
		withKnownCodes(schema)
	}
	text, err := json.Marshal(whole)
	if err != nil {
		panic(err)
	}
	return text
}

// withKnownCodes makes the codes that answers know all there are.
func withKnownCodes(schema any) {
	switch part := schema.(type) {
	case object:
		if codes := part["x-extensible-enum"]; codes != nil {
			part["enum"] = codes
		}
		for _, member := range part {
			withKnownCodes(member)
		}
	case list:
		for _, item := range part {
			withKnownCodes(item)
		}
	}
}

var filterOptions = &openapi3filter.Options{
	AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, MultiError: true,
}

func (o openapi) input(r *http.Request) (*openapi3filter.RequestValidationInput, error) {
	route, parameters, err := o.router.FindRoute(r)
	if err != nil {
		return nil, err
	}
	return &openapi3filter.RequestValidationInput{Request: r, PathParams: parameters, Route: route, Options: filterOptions}, nil
}

// takesKey reports whether the operation takes an idempotency key.
func (o openapi) takesKey(r *http.Request) bool {
	in, err := o.input(r)
	return err == nil && in.Route.Operation.Parameters.GetByInAndName("header", "Idempotency-Key") != nil
}

// check holds the answer to a request against the document. What is no operation
// is not in it.
func (o openapi) check(r *http.Request, a answer) error {
	in, err := o.input(r)
	if errors.Is(err, routers.ErrPathNotFound) || errors.Is(err, routers.ErrMethodNotAllowed) {
		return nil
	}
	if err != nil {
		return err
	}
	response := in.Route.Operation.Responses.Status(a.status)
	if response == nil {
		return fmt.Errorf("the status %d is not documented", a.status)
	}
	for name, header := range response.Value.Headers {
		if err := o.checkHeader(header.Value, a.header.Get(name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	content := response.Value.Content.Get(a.header.Get("Content-Type"))
	if content == nil {
		return fmt.Errorf("%d has no content of type %q", a.status, a.header.Get("Content-Type"))
	}
	schema, err := o.compiled(content.Schema)
	if err != nil {
		return err
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.body))
	if err != nil {
		return err
	}
	return schema.Validate(body)
}

// checkHeader holds the value of a header against the document. An absent header is empty.
func (o openapi) checkHeader(header *openapi3.Header, value string) error {
	if value == "" {
		if header.Required {
			return errors.New("the header is missing")
		}
		return nil
	}
	schema, err := o.compiled(header.Schema)
	if err != nil {
		return err
	}
	if header.Schema.Value.Type.Is(openapi3.TypeString) {
		return schema.Validate(value)
	}
	number, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
	if err != nil {
		return err
	}
	return schema.Validate(number)
}

// compiled returns the validator of a schema of the document.
func (o openapi) compiled(schema *openapi3.SchemaRef) (*jsonschema.Schema, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	if known, ok := o.schemas.Load(string(text)); ok {
		return known.(*jsonschema.Schema), nil
	}
	var resource object
	if err := json.Unmarshal(text, &resource); err != nil {
		return nil, err
	}
	resource["components"] = o.components // what references point to
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("answer.json", resource); err != nil {
		return nil, err
	}
	done, err := compiler.Compile("answer.json")
	if err == nil {
		o.schemas.Store(string(text), done)
	}
	return done, err
}

// admits reports whether the document allows a request.
func (o openapi) admits(r *http.Request) error {
	in, err := o.input(r)
	if err != nil {
		return err
	}
	return openapi3filter.ValidateRequest(context.Background(), in)
}

func TestTheHarnessCatchesWrongAnswers(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/api/v2/site/products/search/count", nil)
	header := func() http.Header {
		return http.Header{"X-Request-Id": {"7a8b6d4e-0000-4000-8000-000000000000"}, "X-Contract-Version": {"1.1.0"}, "Content-Type": {"application/json"}}
	}
	soon := header()
	soon.Set("Retry-After", "soon")
	limited := `{"error":{"code":"rate_limited","message":"y"},"request_id":"7a8b6d4e-0000-4000-8000-000000000000"}`
	for name, a := range map[string]answer{
		"a field is missing":          {status: 200, body: []byte(`{}`)},
		"a field has another type":    {status: 200, body: []byte(`{"count":"1"}`)},
		"a field is not documented":   {status: 200, body: []byte(`{"count":1,"extra":1}`)},
		"a field is in camelCase":     {status: 200, body: []byte(`{"count":1,"nextCursor":null}`)},
		"a status is not documented":  {status: 202, body: []byte(`{"count":1}`)},
		"an error has another shape":  {status: 422, body: []byte(`{"message":"no"}`)},
		"an error has another id":     {status: 422, body: []byte(`{"error":{"code":"x","message":"y"},"request_id":"7a8b6d4e-0000-4000-8000-111111111111"}`)},
		"a header has another type":   {status: 429, body: []byte(limited), header: soon},
		"the request id is a bad one": {status: 200, body: []byte(`{"count":1}`), header: http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"1"}}},
	} {
		if a.header == nil {
			a.header = header()
		}
		requestIDs.forget(a.header.Get("X-Request-Id"))
		if len(wrongWith(r, a)) == 0 {
			t.Errorf("%s, and nobody noticed", name)
		}
	}
	soon.Set("Retry-After", "1")
	a := answer{status: 200, header: header(), body: []byte(`{"count":1}`)}
	for _, a := range []answer{{status: 429, header: soon, body: []byte(limited)}, a} {
		requestIDs.forget(a.header.Get("X-Request-Id"))
		if problems := wrongWith(r, a); len(problems) > 0 {
			t.Errorf("a good answer is called wrong: %q", problems)
		}
	}
	if len(wrongWith(r, a)) == 0 {
		t.Error("two answers had one request id, and nobody noticed")
	}
}

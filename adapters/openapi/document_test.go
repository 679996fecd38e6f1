package openapi

import (
	"crypto/rand"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/office"
)

// service is one over a store in memory: the document needs but its table.
func service(t *testing.T) *siteapi.Service {
	t.Helper()
	svc, err := siteapi.New(kernel.Ports{
		Store: memstore.New(), Now: time.Now, Rand: rand.Reader, Zone: time.LoadLocation, E164: func(string, string) string { return "" },
	}, kernel.Options{Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	return svc
}

func document(t *testing.T) []byte {
	t.Helper()
	svc := service(t)
	out, err := Document(Info{Title: "Vitrine"}, svc.Operations(), svc.TokenOperations())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheDocumentIsValid(t *testing.T) {
	loaded, err := openapi3.NewLoader().LoadFromData(document(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := loaded.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestTheDocumentIsAlwaysTheSame(t *testing.T) {
	first := string(document(t))
	if string(document(t)) != first {
		t.Error("two documents of one table differ")
	}
}

// at follows a path of keys separated by blanks through the document.
func at(t *testing.T, document any, path string) any {
	t.Helper()
	for key := range strings.FieldsSeq(path) {
		if list, ok := document.([]any); ok {
			n, err := strconv.Atoi(key)
			if err != nil || n >= len(list) {
				t.Fatalf("there is no %s in %s", key, path)
			}
			document = list[n]
			continue
		}
		object, ok := document.(map[string]any)
		if !ok || object[key] == nil {
			t.Fatalf("there is no %s in %s", key, path)
		}
		document = object[key]
	}
	return document
}

func TestTheDocumentSaysWhatTheTableSays(t *testing.T) {
	var parsed any
	if err := json.Unmarshal(document(t), &parsed); err != nil {
		t.Fatal(err)
	}
	const products = "paths /api/v2/site/products"
	for path, want := range map[string]string{
		"info version": `"1.1.0"`,
		"paths /api/client/token/site post security":                                                     `[{"basicAuth":[]}]`,
		"paths /api/client/token/site post requestBody content application/x-www-form-urlencoded schema": `{"$ref":"#/components/schemas/IssueTokenRequest"}`,
		products + " post security":                                                                      `[{"bearerAuth":[]},{"apiKeyAuth":[]}]`,
		products + " post x-packs":                                                                       `["properties"]`,
		products + " post x-permission":                                                                  `"SITE_PRODUCT:WRITE"`,
		products + " post x-right":                                                                       `"RS:PRODUCT_CREATE"`,
		products + " post tags":                                                                          `["Products"]`,
		products + " post responses 201 headers Location schema type":                                    `"string"`,
		products + "/{productId} patch responses 400":                                                    `{"$ref":"#/components/responses/Unrecognised"}`,
		products + "/{productId} patch requestBody required":                                             `true`,
		products + "/search post requestBody required":                                                   `false`,
		"components schemas SearchResult properties data items $ref":                                     `"#/components/schemas/ProductSummary"`,
		products + "/{productId} get responses 200 content application/json schema":                      `{"$ref":"#/components/schemas/ProductEnvelope"}`,
		"components schemas ProductEnvelope properties data $ref":                                        `"#/components/schemas/Product"`,
		"components schemas ProductSummary required":                                                     `["id"]`,
		"components schemas Product properties user_id anyOf":                                            `[{"format":"int64","type":"integer"},{"type":"null"}]`,
		products + "/search post operationId":                                                            `"searchProducts"`,
		products + "/search post x-operation":                                                            `"product.search"`,
		"components schemas Product properties last_modified":                                            `{"description":"when it was last changed","format":"date-time","type":"string"}`,
		"components schemas Product properties rooms type":                                               `"array"`,
		"components schemas Product properties customer anyOf":                                           `[{"$ref":"#/components/schemas/CustomerSummary"},{"type":"null"}]`,
		"components schemas Product properties statistic $ref":                                           `"#/components/schemas/Statistic"`,
		"components schemas Product properties color":                                                    `{"anyOf":[{"format":"int64","maximum":5,"minimum":1,"type":"integer"},{"type":"null"}],"description":"color code"}`,
		"components schemas AgencyDetail oneOf":                                                          `[{"$ref":"#/components/schemas/AgencyFullResponse"},{"$ref":"#/components/schemas/AgencyDocument"}]`,
		"components schemas UpdateProductRequest required":                                               `["product_id"]`,
		"components schemas UpdateProductRequest properties criteria anyOf 0 type":                       `"array"`,
		"components schemas CriterionInput required":                                                     `["id","value"]`,
		"components schemas CriterionInput properties id type":                                           `"string"`,
		"components schemas CriterionInput properties value description":                                 `"a code, a number, 0 or 1, a text, an array of codes or a date, by the criterion's type; null, an empty string and an empty array remove the criterion"`,
		products + "/{productId} get parameters 1 style":                                                 `"form"`,
		products + "/{productId} get parameters 1 explode":                                               `false`,
		products + "/{productId} get parameters 1 schema type":                                           `"array"`,
		products + "/search post parameters 0 name":                                                      `"fetch"`,
		products + "/search post parameters 0 schema items enum 4":                                       `"criteres_publication_errors"`,
		"paths /api/v2/site/events get parameters 1 schema items enum 1":                                 `"PRODUCT_UPDATE"`,
		"components schemas SearchProductsRequest properties sort_order anyOf":                           `[{"enum":["asc","desc"],"type":"string"},{"type":"null"}]`,
		"components schemas SearchProductsRequest properties has_visit360 x-aliases":                     `["hasVisit360","has_visit_360"]`,
	} {
		got, err := json.Marshal(at(t, parsed, path))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if got := at(t, parsed, "components schemas Product required").([]any); len(got) < 25 || slices.Contains(got, any("rooms")) {
		t.Errorf("the base fields of a product are always there, its blocks are not, and %v are required", got)
	}
	required, _ := json.Marshal(at(t, parsed, "components schemas AgencyResponse required"))
	if n := reflect.TypeFor[office.AgencyResponse]().NumField(); strings.Count(string(required), ",") != n-1 {
		t.Errorf("answers are always whole, yet only %s is required", required)
	}
	if _, found := at(t, parsed, "components schemas UpdateProductRequest properties").(map[string]any)["id"]; found {
		t.Error("what comes from the path is not in the body")
	}
}

func TestEveryOperationHasAKnownTag(t *testing.T) {
	svc := service(t)
	for _, o := range append(svc.Operations(), svc.TokenOperations()...) {
		word, _, _ := strings.Cut(o.ID, ".")
		if tagOf[word] == "" {
			t.Errorf("%s has no tag of the contract", o.ID)
		}
	}
}

func TestExamplesStandBesideTheSchemas(t *testing.T) {
	svc := service(t)
	out, err := Document(Info{Examples: map[string]Example{
		"product.count": {Request: json.RawMessage(`{"keyword":"parc"}`), Answer: json.RawMessage(`{"count":3}`)},
		"token.site":    {Request: json.RawMessage(`{"site_id":1}`)},
	}}, svc.Operations(), svc.TokenOperations())
	if err != nil {
		t.Fatal(err)
	}
	whole := parsed(t, out)
	for path, want := range map[string]string{
		"paths /api/v2/site/products/search/count post requestBody content application/json example":      `{"keyword":"parc"}`,
		"paths /api/v2/site/products/search/count post responses 200 content application/json example":    `{"count":3}`,
		"paths /api/client/token/site post requestBody content application/x-www-form-urlencoded example": `{"site_id":1}`,
	} {
		if got := text(t, at(t, whole, path)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

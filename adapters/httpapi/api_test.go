package httpapi

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/vitrine-crm/vitrine/adapters/openapi"
	"github.com/vitrine-crm/vitrine/adapters/phones"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// crm is the whole API over a store in memory, with a site of two agencies.
type crm struct {
	t     testing.TB
	api   http.Handler
	token string
	docs  routers.Router
}

// newService is the API over an empty store in memory.
func newService(t testing.TB) *siteapi.Service { return serviceOver(t, memstore.New()) }

func serviceOver(t testing.TB, store port.Store) *siteapi.Service {
	t.Helper()
	svc, err := siteapi.New(
		kernel.Ports{Store: store, Now: time.Now, Rand: rand.Reader, Zone: time.LoadLocation, E164: phones.E164},
		kernel.Options{Domain: "https://crm.example", Pepper: make([]byte, 32)},
	)
	if err != nil {
		t.Fatal(err)
	}
	return svc
}

func newCRM(t testing.TB, opts Options) *crm { return crmOver(t, newService(t), opts) }

func crmOver(t testing.TB, svc *siteapi.Service, opts Options) *crm {
	t.Helper()
	all := []string{access.All}
	choices := func(codes ...string) (out []transfer.SetupChoice) {
		for i, code := range codes {
			out = append(out, transfer.SetupChoice{ID: int64(i + 1), Model: code, Label: code})
		}
		return out
	}
	setup := transfer.Setup{
		Sites: []transfer.SetupSite{{
			ID: 1, Name: "Réseau",
			SetupVocabulary: transfer.SetupVocabulary{
				Criteria: []transfer.SetupCriterion{
					{ID: 1, Key: "TypeBien", Type: "UNIQUE", Label: "Type", Values: choices("Appartement", "Maison")},
					{ID: 3, Key: "Statut", Type: "UNIQUE", Label: "Statut", Values: choices("EnCours", "Vendu")},
					{ID: 6, Key: "Prix", Type: "NUMBER", Label: "Prix"},
					{ID: 9, Key: "Ville", Type: "TEXT", Label: "Ville"},
					{ID: 12, Key: "Equipements", Type: "MULTIPLE", Label: "Équipements", Values: choices("PISCINE", "CHEMINEE")},
					{ID: 13, Key: "DateMandat", Type: "DATE", Label: "Mandat"},
				},
				Lists: []transfer.SetupList{
					{ID: 1, Key: "room_types", Label: "Pièces", Values: choices("SEJOUR", "CHAMBRE")}, {ID: 2, Key: "expositions", Label: "Expositions"},
					{ID: 3, Key: "views", Label: "Vues", Values: choices("JARDIN")}, {ID: 4, Key: "floor_types", Label: "Sols"},
				},
			},
			Agencies: []transfer.SetupAgency{{ID: 11, Name: "Onze"}, {ID: 12, Name: "Douze"}},
			Users:    []transfer.SetupUser{{ID: 101, AgencyID: 11, Firstname: "Anne", Lastname: "Arnaud"}},
		}},
		Credentials: []transfer.SetupCredential{
			{ID: "full", Secret: "full-secret", Sites: []int64{1}, Packs: all, Permissions: all, Rights: all},
			{ID: "writer", Secret: "writer-secret", Sites: []int64{1}, Packs: all, Permissions: all, Rights: []string{string(access.ProductUpdate)}},
		},
	}
	if _, err := svc.Transfer.Provision(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	document, err := openapi.Document(openapi.Info{Title: "Vitrine"}, svc.Operations(), svc.TokenOperations())
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	docs, err := gorillamux.NewRouter(loaded)
	if err != nil {
		t.Fatal(err)
	}
	opts.Document = func() ([]byte, error) { return document, nil }
	c := &crm{t: t, api: New(svc, opts), docs: docs}
	c.token = c.login("full")
	return c
}

func (c *crm) login(client string) string {
	c.t.Helper()
	req := httptest.NewRequest(http.MethodPost, "/api/client/token/site", strings.NewReader(url.Values{"site_id": {"1"}}.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(client, client+"-secret")
	w := c.send(req)
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.AccessToken == "" || w.Header().Get("Cache-Control") != "no-store" {
		c.t.Fatal(w.Code, w.Body, w.Header())
	}
	return answer.AccessToken
}

// send serves a request and holds the answer against the published document.
func (c *crm) send(req *http.Request) *httptest.ResponseRecorder {
	c.t.Helper()
	w := httptest.NewRecorder()
	c.api.ServeHTTP(w, req)
	route, parameters, err := c.docs.FindRoute(req)
	if err != nil {
		return w
	}
	answer := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: parameters, Route: route},
		Status:                 w.Code, Header: w.Header(), Body: io.NopCloser(strings.NewReader(w.Body.String())),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	if err := openapi3filter.ValidateResponse(c.t.Context(), answer); err != nil {
		c.t.Errorf("%s %s is not as documented: %v\n%s", req.Method, req.URL, err, w.Body)
	}
	return w
}

func (c *crm) ask(method, path, body string) *httptest.ResponseRecorder {
	c.t.Helper()
	req := httptest.NewRequest(method, base+path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+c.token)
	return c.send(req)
}

func TestTheAPIFromEndToEnd(t *testing.T) {
	c := newCRM(t, Options{})
	created := c.ask("POST", "/products", `{"agencyId":"11","criterias":[{"id":"TypeBien","value":"Maison"},{"id":6,"value":"250000"},
		{"id":"Ville","value":"Lyon <3"},{"id":"Equipements","value":["PISCINE"]},{"id":"DateMandat","value":"16/09/2026"}],
		"rooms":[{"type":"SEJOUR","surface":30.5}],"descriptions":[{"language":"fr","title":"Belle","text":"Maison"}]}`)
	var made struct{ Data struct{ ID int64 } }
	if err := json.Unmarshal(created.Body.Bytes(), &made); err != nil || created.Code != 201 || made.Data.ID == 0 {
		t.Fatal(created.Code, created.Body)
	}
	product := fmt.Sprintf("/products/%d", made.Data.ID)
	if got := created.Header(); got.Get("Location") != "https://crm.example"+base+product || got.Get("Deprecation") == "" {
		t.Error(got)
	}
	every := "criteres_text,criteres_number,criteres_fulltext,criteres_flag,criteres_publication_errors,descriptions,rooms,products_photos," +
		"customer,assigned_to,created_by,publications,actions_history,sale_agreement,active_sale_agreement,log_actions,live_visit,scopes," +
		"statistic,insee,online_booking,category,themes"
	for _, c2 := range []struct {
		method, path, body string
		status             int
		contains           string
	}{
		{"GET", product, "", 200, `"city":"Lyon <3"`},
		{"GET", product + "?fetch=rooms,descriptions", "", 200, `"surface":30.5`},
		{"GET", product + "?fetch=" + every, "", 200, `"criteres_number":[`},
		{"GET", product + "?fetch=nonsense", "", 422, `unknown_fetch_value`},
		{"GET", "/products/999999", "", 404, `not_found`},
		{"GET", "/products/x", "", 404, `not_found`},
		{"GET", product + "/criteria", "", 200, `"id":"Prix","value":250000`},
		{"GET", product + "/lots", "", 200, `{"data":[],"has_more":false}`},
		{"POST", "/products/search", "", 200, fmt.Sprintf(`{"data":[{"id":%d}],"next_cursor":null,"has_more":false}`, made.Data.ID)},
		{"POST", "/products/search?fetch=rooms", `{"criterias":[{"id":"Prix","operator":"SUPERIEUR","value":"1"}],"agency_id":null}`, 200, `"rooms":[{`},
		{"POST", "/products/search", `{"criterias":[{"operator":"EGAL"}],"count":"x"}`, 422, `criterias[0].id`},
		{"POST", "/products/search/count", `{"hasVisit360":false}`, 200, `{"count":1}`},
		{"PATCH", product, `{`, 422, `malformed_json`},
		{"PATCH", "/products/999999", `{`, 404, `not_found`},
		{"PATCH", product, `{"product_id":7}`, 422, `product_id_mismatch`},
		{"PATCH", product, fmt.Sprintf(`{"product_id":%d,"criteria":[{"id":"TypeBien","value":"Château"}]}`, made.Data.ID), 400, `"accepted_values":["Appartement","Maison"]`},
		{"PATCH", product, fmt.Sprintf(`{"product_id":%d,"web_status":true,"nonsense":1}`, made.Data.ID), 204, ``},
		{"GET", "/agencies?per_page=1", "", 200, `"next_cursor":"`},
		{"GET", "/agencies?per_page=x", "", 422, `invalid_type`},
		{"GET", "/agencies/11", "", 200, `"users":[{`},
		{"GET", "/agencies/11?format=tag_document", "", 200, `"id":"11"`},
		{"GET", "/discovery", "", 200, `"agency_id":11`},
		{"GET", "/site", "", 200, `"manufacturers_list":[11,12]`},
		{"GET", "/criterias/product/all", "", 200, `"key":"Prix"`},
		{"GET", "/criterias/product/TypeBien", "", 200, `"model":"Maison"`},
		{"GET", "/criterias/product/1/values?include_inactive=1", "", 200, `"model":"Maison"`},
		{"GET", "/configs/listes", "", 200, `room_types`},
		{"GET", "/configs/listes/1/values", "", 200, `SEJOUR`},
		{"GET", "/events?limit=1", "", 200, `PRODUCT_CREATE`},
		{"GET", "/openapi.json", "", 200, `"openapi": "3.1.0"`},
		{"DELETE", product, "", 204, ``},
		{"DELETE", product, "", 404, `not_found`},
		{"GET", product, "", 404, `not_found`},
	} {
		w := c.ask(c2.method, c2.path, c2.body)
		if w.Code != c2.status || !strings.Contains(w.Body.String(), c2.contains) {
			t.Errorf("%s %s %s: %d %s, want %d with %s", c2.method, c2.path, c2.body, w.Code, w.Body, c2.status, c2.contains)
		}
	}
}

func TestG12_InstantsAreInUTCWithMilliseconds(t *testing.T) {
	c := newCRM(t, Options{})
	w := c.ask("POST", "/products", `{"agency_id":11}`)
	w = c.ask("GET", strings.TrimPrefix(w.Header().Get("Location"), "https://crm.example"+base), "")
	if !regexp.MustCompile(`"date_added":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"`).MatchString(w.Body.String()) {
		t.Error(w.Body)
	}
}

// Who may write and not read learns of an absent product from a good body, and
// so from a bad one, too.
func TestG1_AnAbsentIDIsToldFirstToWhoMayOnlyWrite(t *testing.T) {
	c := newCRM(t, Options{})
	c.token = c.login("writer")
	for _, body := range []string{`{"product_id":999999}`, "{"} {
		if w := c.ask("PATCH", "/products/999999", body); w.Code != 404 {
			t.Error(body, w.Code, w.Body)
		}
	}
	if w := c.ask("GET", "/products/1", ""); w.Code != 403 {
		t.Error(w.Code, w.Body)
	}
}

// nowhere is a ResponseWriter that costs as little as one can.
type nowhere struct{ header http.Header }

func (n nowhere) Header() http.Header         { return n.header }
func (n nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (n nowhere) WriteHeader(int)             {}

func BenchmarkGetProduct(b *testing.B) {
	c := newCRM(b, Options{Rate: Rate{PerSecond: 1e9}, Logger: slog.New(slog.NewJSONHandler(nowhere{}, nil))})
	location := c.ask("POST", "/products", `{"agency_id":11,"criteria":[{"id":"Prix","value":1}]}`).Header().Get("Location")
	c.measure(b, "GET", strings.TrimPrefix(location, "https://crm.example"+base), "")
}

func BenchmarkSearchPageOf100(b *testing.B) {
	c := newCRM(b, Options{Rate: Rate{PerSecond: 1e9}, Polling: PollingOff, Logger: slog.New(slog.NewJSONHandler(nowhere{}, nil))})
	for range 150 {
		c.ask("POST", "/products", `{"agency_id":11,"criteria":[{"id":"Prix","value":1}]}`)
	}
	c.measure(b, "POST", "/products/search?fetch=rooms", `{"criterias":[{"id":"Prix","operator":"EGAL","value":1}]}`)
}

// BenchmarkSearchPageBuiltAnew asks for a block that is not named by the version of its
// product, so that no record is remembered.
func BenchmarkSearchPageBuiltAnew(b *testing.B) {
	c := newCRM(b, Options{Rate: Rate{PerSecond: 1e9}, Polling: PollingOff, Logger: slog.New(slog.NewJSONHandler(nowhere{}, nil))})
	for range 150 {
		c.ask("POST", "/products", `{"agency_id":11,"criteria":[{"id":"Prix","value":1}]}`)
	}
	c.measure(b, "POST", "/products/search?fetch=rooms,criteres_text,criteres_number,publications,category,log_actions",
		`{"criterias":[{"id":"Prix","operator":"EGAL","value":1}]}`)
}

func (c *crm) measure(b *testing.B, method, path, body string) {
	req := httptest.NewRequest(method, base+path, nil)
	req.Header.Set("Authorization", "Bearer "+c.token)
	w := nowhere{http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		clear(w.header)
		req.Body = io.NopCloser(strings.NewReader(body))
		c.api.ServeHTTP(w, req)
	}
}

// BenchmarkOverhead is everything around a use case that does nothing.
func BenchmarkOverhead(b *testing.B) {
	s := newServer(who{}, Options{Rate: Rate{PerSecond: 1e9}, Logger: slog.New(slog.NewJSONHandler(nowhere{}, nil))})
	s.mount(base, table())
	s.ready()
	c := &crm{t: b, api: s, token: "full"}
	c.measure(b, "GET", "/things/7", "")
}

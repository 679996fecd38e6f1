package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

const base = kernel.BasePath

// who knows one token per pack: "full" has them all, "weak" has none.
type who struct{}

func (who) Identify(_ context.Context, token string) (kernel.Caller, error) {
	switch token {
	case "full", "other":
		return kernel.Caller{Grant: access.Grant{Credential: access.CredentialID(token), Site: 1, Packs: access.AllPacks}}, nil
	case "weak":
		return kernel.Caller{Grant: access.Grant{Credential: "weak", Site: 1}}, nil
	case "down":
		return kernel.Caller{}, fmt.Errorf("connecting to db.internal: %w", fault.Unavailable)
	case "late":
		return kernel.Caller{}, fault.New(fault.Unauthenticated, fault.CodeTokenExpired, "expired")
	}
	return kernel.Caller{}, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "no")
}

// IdentifyKey knows one key, from one address.
func (who) IdentifyKey(_ context.Context, key string, from netip.Addr) (kernel.Caller, error) {
	switch {
	case key != "sk_test_known":
		return kernel.Caller{}, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "no")
	case from != netip.MustParseAddr("192.0.2.1"):
		return kernel.Caller{}, fault.New(fault.Forbidden, fault.CodeAddressNotAllowed, "not from %s", from)
	}
	return kernel.Caller{Grant: access.Grant{Credential: "keyed", Site: 1, Packs: access.AllPacks}}, nil
}

type (
	thingPath struct {
		ID int64 `path:"thingId"`
	}
	thingSearch struct {
		Name opt.Field[string] `json:"name"`
	}
	thingOut struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	thingChoice struct {
		kernel.OneOf
		A *thingOut
		B *thingPath
	}
	thingPage struct {
		Data lazy   `json:"data"`
		More bool   `json:"has_more"`
		Mode string `json:"-" header:"X-Mode"`
	}
	thingCreated struct {
		Data kernel.Created `json:"data"`
	}
	thingDetail struct {
		Data thingChoice `json:"data"`
	}
	singlePage struct {
		Data single `json:"data"`
	}
)

// lazy is a list of things that counts how often they are built.
type lazy struct {
	names  []listing.RenderKey
	absent map[int]bool
	builds *[]int
}

func (d lazy) Keys() []listing.RenderKey { return d.names }
func (d lazy) Single() bool              { return false }
func (d lazy) Guarded() bool             { return false }
func (d lazy) Elem() reflect.Type        { return reflect.TypeFor[thingOut]() }

// Each makes all records in one place: nobody may keep them.
func (d lazy) Each(_ context.Context, places []int, take func(int, any) error) error {
	var record thingOut
	for i, place := range places {
		*d.builds = append(*d.builds, place)
		if d.absent[place] {
			continue
		}
		record = thingOut{int64(place), "<é>"}
		if err := take(i, &record); err != nil {
			return err
		}
	}
	return nil
}

type single struct{ lazy }

func (single) Single() bool { return true }

func line[In, Out any](id, method, path string, status int, rule access.Rule, call func(context.Context, kernel.Caller, In) (Out, error)) operation {
	return operation{
		kernel.Operation{ID: id, Method: method, Path: path, Status: status, Rule: rule, In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out]()},
		func(ctx context.Context, c kernel.Caller, in any) (any, error) { return call(ctx, c, in.(In)) },
	}
}

func ok[In, Out any](out Out) func(context.Context, kernel.Caller, In) (Out, error) {
	return func(context.Context, kernel.Caller, In) (Out, error) { return out, nil }
}

// table is a small API with one operation of each sort.
func table() []operation {
	properties := access.Rule{Packs: access.Properties}
	boom := func(context.Context, kernel.Caller, kernel.Nothing) (kernel.None, error) { panic("the boiler") }
	sick := func(context.Context, kernel.Caller, kernel.Nothing) (kernel.None, error) {
		return kernel.None{}, errors.New("secret DSN")
	}
	leak := func(context.Context, kernel.Caller, kernel.Nothing) (kernel.None, error) {
		return kernel.None{}, fault.New(fault.Internal, fault.CodeConflict, "another secret")
	}
	get := func(_ context.Context, _ kernel.Caller, in thingPath) (thingOut, error) {
		if in.ID == 404 {
			return thingOut{}, fault.New(fault.NotFound, fault.CodeNotFound, "no such thing")
		}
		if in.ID == 503 {
			return thingOut{}, port.NotOpen()
		}
		return thingOut{in.ID, "a"}, nil
	}
	patch := func(_ context.Context, _ kernel.Caller, in thing) (kernel.None, error) { return kernel.None{}, nil }
	slow := func(ctx context.Context, _ kernel.Caller, _ kernel.Nothing) (kernel.None, error) {
		<-ctx.Done()
		return kernel.None{}, ctx.Err()
	}
	search := line("thing.search", "POST", "/things/search", 200, properties, ok[thingSearch](thingOut{1, "a"}))
	search.Polling = kernel.PolledSearch
	update := line("thing.update", "PATCH", "/things/{thingId}", 204, properties, patch)
	update.Exists = kernel.ByID(func(ctx context.Context, c kernel.Caller, ids []int64) error {
		_, err := get(ctx, c, thingPath{ID: ids[0]})
		return err
	})
	return []operation{
		line("thing.create", "POST", "/things", 201, properties, ok[thingSearch](thingCreated{kernel.Created{ID: 5, Location: "https://x/things/5"}})),
		search,
		line("thing.get", "GET", "/things/{thingId}", 200, properties, get),
		update,
		line("thing.delete", "DELETE", "/things/{thingId}", 204, properties, ok[thingPath](kernel.None{})),
		line("boom", "GET", "/boom", 204, access.Rule{}, boom),
		line("sick", "GET", "/sick", 204, access.Rule{}, sick),
		line("leak", "GET", "/leak", 204, access.Rule{}, leak),
		line("slow", "GET", "/slow", 204, access.Rule{}, slow),
		line("choice", "GET", "/choice", 200, access.Rule{}, ok[kernel.Nothing](thingDetail{thingChoice{A: &thingOut{3, "c"}}})),
	}
}

func tokenLines() []operation {
	issue := line("token.site", "POST", "/token", 200, access.Rule{}, func(_ context.Context, _ kernel.Caller, in tokens.IssueToken) (thingOut, error) {
		if in.ClientSecret != "right" {
			return thingOut{}, fault.New(fault.Unauthenticated, fault.CodeInvalidClient, "no")
		}
		return thingOut{1, in.ClientID}, nil
	})
	issue.Public = true
	return []operation{issue}
}

type rig struct {
	*server
	log     bytes.Buffer
	now     time.Time
	metrics *prometheus.Registry
}

func newRig(opts Options, more ...operation) *rig {
	r := &rig{now: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), metrics: prometheus.NewRegistry()}
	opts.Logger = slog.New(slog.NewJSONHandler(&r.log, nil))
	opts.Now = func() time.Time { return r.now }
	opts.Registerer = r.metrics
	r.server = newServer(who{}, opts)
	r.mount(base, append(table(), more...))
	r.mount("", tokenLines())
	r.mountPages()
	r.ready()
	return r
}

// ask sends "METHOD path" with a token, and a body if there is one.
func (r *rig) ask(token, request, body string, headers ...string) *httptest.ResponseRecorder {
	method, path, _ := strings.Cut(request, " ")
	req := httptest.NewRequest(method, "/", strings.NewReader(body))
	req.URL.Path, req.URL.RawQuery, _ = strings.Cut(path, "?")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	return w
}

var uuid4 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// check verifies the status and, of errors, the code and the common shape.
func check(t *testing.T, what string, w *httptest.ResponseRecorder, status int, code string) {
	t.Helper()
	if w.Code != status {
		t.Errorf("%s: %d, want %d: %s", what, w.Code, status, w.Body)
	}
	id := w.Header().Get("X-Request-Id")
	if !uuid4.MatchString(id) || w.Header().Get("X-Contract-Version") != "1.1.0" {
		t.Errorf("%s: headers %v", what, w.Header())
	}
	if code == "" {
		return
	}
	var body struct {
		Error struct {
			Code, Message string
		}
		RequestID string `json:"request_id"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatalf("%s: %v %s", what, err, w.Body)
	}
	if body.Error.Code != code || body.Error.Message == "" || body.RequestID != id {
		t.Errorf("%s: %s, want %s with request_id %s", what, w.Body, code, id)
	}
	if w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%s: %v", what, w.Header())
	}
}

func TestG1_TheOrderOfChecks(t *testing.T) {
	r := newRig(Options{})
	for _, c := range []struct {
		token, request, body string
		status               int
		code                 string
	}{
		{"", "GET /nowhere", "", 404, "unknown_route"},
		{"", "GET " + base + "/nowhere", "", 401, "unauthenticated"},
		{"full", "GET " + base + "/nowhere", "", 404, "unknown_route"},
		{"weak", "GET " + base + "/nowhere", "", 404, "unknown_route"},
		{"full", "GET " + base, "", 404, "unknown_route"},
		{"", "PUT " + base + "/things/1", "", 401, "unauthenticated"},
		{"weak", "PUT " + base + "/things/1", "", 405, "method_not_allowed"},
		{"", "PATCH " + base + "/things/abc", "{", 401, "unauthenticated"},
		{"late", "PATCH " + base + "/things/abc", "{", 401, "token_expired"},
		{"weak", "PATCH " + base + "/things/abc", "{", 403, "pack_missing"},
		{"full", "PATCH " + base + "/things/abc", "{", 404, "not_found"},
		{"full", "PATCH " + base + "/things/404", "{", 404, "not_found"},
		{"full", "PATCH " + base + "/things/1", "{", 422, "malformed_json"},
		{"full", "PATCH " + base + "/things/1", `{"price":"x"}`, 422, "invalid_type"},
		{"full", "PATCH " + base + "/things/1", `{"price":1}`, 204, ""},
		{"full", "GET " + base + "/things/0", "", 404, "not_found"},
		{"down", "GET " + base + "/things/1", "", 503, "unavailable"},
		{"full", "GET " + base + "/boom", "", 500, "internal_error"},
		{"full", "GET " + base + "/sick", "", 500, "internal_error"},
		{"full", "GET " + base + "/leak", "", 500, "internal_error"},
	} {
		w := r.ask(c.token, c.request, c.body)
		check(t, c.token+" "+c.request, w, c.status, c.code)
		for _, secret := range []string{"boiler", "DSN", "db.internal", "another secret"} {
			if strings.Contains(w.Body.String(), secret) {
				t.Errorf("%s tells %s: %s", c.request, secret, w.Body)
			}
		}
	}
	for _, cause := range []string{"the boiler", "secret DSN", "db.internal", "goroutine", "another secret"} {
		if !strings.Contains(r.log.String(), cause) {
			t.Errorf("the log does not tell %q", cause)
		}
	}
}

func TestA7_A14_Challenges(t *testing.T) {
	r := newRig(Options{})
	if got := r.ask("", "GET "+base+"/things/1", "").Header().Get("WWW-Authenticate"); got != `Bearer error="invalid_token"` {
		t.Error(got)
	}
	w := r.ask("", "POST /token", "")
	check(t, "token", w, 401, "invalid_client")
	if got := w.Header().Get("WWW-Authenticate"); got != `Basic realm="site"` {
		t.Error(got)
	}
}

func TestA13_WhatStandsInTheGateForAKey(t *testing.T) {
	r := newRig(Options{})
	request := "GET " + base + "/things/1"
	check(t, "a key", r.ask("", request, "", "X-Api-Key", "sk_test_known"), 200, "")
	check(t, "a wrong key", r.ask("", request, "", "X-Api-Key", "sk_test_other"), 401, "unauthenticated")
	check(t, "an empty key", r.ask("", request, "", "X-Api-Key", ""), 401, "unauthenticated")
	check(t, "a token and a key", r.ask("full", request, "", "X-Api-Key", "sk_test_known"), 401, "ambiguous_credentials")
	check(t, "where there is no route", r.ask("", "GET "+base+"/nowhere", "", "X-Api-Key", "sk_test_known"), 404, "unknown_route")
	check(t, "a token call", r.ask("", "POST /token", "", "X-Api-Key", "sk_test_known"), 401, "invalid_client")
	behind := newRig(Options{Peer: func(*http.Request) string { return "198.51.100.7" }})
	check(t, "from elsewhere", behind.ask("", request, "", "X-Api-Key", "sk_test_known"), 403, "address_not_allowed")
	nowhere := newRig(Options{Peer: func(*http.Request) string { return "unix" }})
	check(t, "from nowhere", nowhere.ask("", request, "", "X-Api-Key", "sk_test_known"), 403, "address_not_allowed")
	if log := r.log.String(); strings.Contains(log, "sk_test") || !strings.Contains(log, `"credential":"keyed"`) {
		t.Error(log)
	}
}

func TestA16_TheSchemeIsComparedWithoutCase(t *testing.T) {
	r := newRig(Options{})
	for _, authorization := range []string{"bearer full", "BEARER full", "Bearer  full "} {
		check(t, authorization, r.ask("", "GET "+base+"/things/1", "", "Authorization", authorization), 200, "")
	}
	for _, authorization := range []string{"full", "Basic full", "Bearer", "Bearer\tfull"} {
		check(t, authorization, r.ask("", "GET "+base+"/things/1", "", "Authorization", authorization), 401, "unauthenticated")
	}
}

func TestG15_EveryAnswerHasItsOwnRequestID(t *testing.T) {
	r := newRig(Options{Environment: "sandbox"})
	mine := "7a8b6d4e-0000-4000-8000-000000000000"
	seen := map[string]bool{}
	for _, request := range []string{"GET /nowhere", "PUT " + base + "/things/1", "DELETE " + base + "/things/1", "GET " + base + "/boom", "OPTIONS " + base + "/things/1"} {
		w := r.ask("full", request, "", "X-Request-Id", mine)
		id := w.Header().Get("X-Request-Id")
		if !uuid4.MatchString(id) || seen[id] || id == mine || w.Header().Get("X-Environment") != "sandbox" {
			t.Error(request, w.Header())
		}
		seen[id] = true
		if strings.Count(r.log.String(), id) != 1 || !strings.Contains(r.log.String(), `"client_request_id":"`+mine) {
			t.Error("the log should have one line for", id)
		}
	}
}

func TestG16_TheShapeOfErrors(t *testing.T) {
	r := newRig(Options{})
	w := r.ask("full", "PATCH "+base+"/things/1", `{"price":"x","agencyID":1}`)
	want := fmt.Sprintf(`{"error":{"code":"invalid_type","message":"price must be a number","details":[{"field":"price","code":"invalid_type","message":"price must be a number"}]},"request_id":"%s"}`, w.Header().Get("X-Request-Id"))
	if w.Body.String() != want {
		t.Errorf("got  %s\nwant %s", w.Body, want)
	}
	if w.Header().Get("Deprecation") == "" {
		t.Error("errors tell the deprecation too")
	}
}

func TestG19_OtherMethodsAreNotAllowed(t *testing.T) {
	r := newRig(Options{})
	for _, method := range []string{"PUT", "POST", "TRACE", "CONNECT", "FOO"} {
		w := r.ask("full", method+" "+base+"/things/1", "")
		check(t, method, w, 405, "method_not_allowed")
		if got := w.Header().Get("Allow"); got != "DELETE, GET, HEAD, OPTIONS, PATCH" {
			t.Error(method, got)
		}
	}
	w := r.ask("full", "GET "+base+"/things/search", "")
	check(t, "a word wins over a parameter", w, 405, "method_not_allowed")
	if got := w.Header().Get("Allow"); got != "OPTIONS, POST" {
		t.Error(got)
	}
}

func TestG20_SlashesAndCase(t *testing.T) {
	r := newRig(Options{})
	check(t, "slash", r.ask("full", "GET "+base+"/things/1/", ""), 200, "")
	check(t, "slash", r.ask("full", "POST "+base+"/things/search/", "{}"), 200, "")
	for _, path := range []string{"//x", "//", base + "//things/1", base + "/things/1//", base + "/Things/1", "/API/v2/site/things/1", "/../x", base + "/things/../things/1"} {
		check(t, path, r.ask("full", "GET "+path, ""), 404, "unknown_route")
		check(t, path, r.ask("full", "POST "+path, "{}"), 404, "unknown_route")
	}
}

func TestG26_ALargeBodyIsRefused(t *testing.T) {
	r := newRig(Options{BodyLimit: 100})
	check(t, "one more", r.ask("full", "POST "+base+"/things", `{"name":"`+strings.Repeat("x", 90)+`"}`), 413, "payload_too_large")
	check(t, "just right", r.ask("full", "POST "+base+"/things", `{"name":"`+strings.Repeat("x", 89)+`"}`), 201, "")
	check(t, "not read", r.ask("weak", "POST "+base+"/things", strings.Repeat("x", 1000)), 403, "pack_missing")
	check(t, "form", r.ask("", "POST /token", "site_id="+strings.Repeat("1", 100), "Content-Type", "application/x-www-form-urlencoded"), 413, "payload_too_large")
}

func TestOverAConnection(t *testing.T) {
	r := newRig(Options{})
	wire := httptest.NewServer(r)
	defer wire.Close()
	client := wire.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return errors.New("redirected") }
	for _, c := range []struct {
		method, path string
		body         io.Reader
		status       int
	}{
		{"POST", "//x", strings.NewReader("{}"), 404},
		{"POST", base + "/things/", strings.NewReader("{}"), 201},
		{"POST", base + "/things", strings.NewReader(`{"name":"` + strings.Repeat("x", 2<<20) + `"}`), 413},
		{"POST", base + "/things", io.MultiReader(strings.NewReader(strings.Repeat(" ", 2<<20)), strings.NewReader("{}")), 413},
		{"HEAD", base + "/things/1", nil, 200},
		{"OPTIONS", base + "/things", nil, 204},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, wire.URL+c.path, c.body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer full")
		res, err := client.Do(req)
		if err != nil {
			t.Errorf("%s %s: %v", c.method, c.path, err)
			continue
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != c.status || !uuid4.MatchString(res.Header.Get("X-Request-Id")) {
			t.Errorf("%s %s: %d %v %s %v", c.method, c.path, res.StatusCode, err, body, res.Header)
		}
	}
}

func TestG31_HeadAndOptions(t *testing.T) {
	r := newRig(Options{})
	get, head := r.ask("full", "GET "+base+"/things/1", ""), r.ask("full", "HEAD "+base+"/things/1", "")
	if head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("Content-Length") != get.Header().Get("Content-Length") {
		t.Error(head.Code, head.Body, head.Header())
	}
	head = r.ask("", "HEAD "+base+"/things/1", "")
	if head.Code != 401 || head.Body.Len() != 0 {
		t.Error(head.Code, head.Body)
	}
	w := r.ask("", "OPTIONS "+base+"/things/1", "")
	if w.Code != 204 || w.Header().Get("Allow") != "DELETE, GET, HEAD, OPTIONS, PATCH" || w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error(w.Code, w.Header())
	}
}

func TestG25_CORSIsOffUnlessConfigured(t *testing.T) {
	r := newRig(Options{CORSOrigins: []string{"https://app.example"}})
	w := r.ask("", "OPTIONS "+base+"/things/1", "", "Origin", "https://app.example", "Access-Control-Request-Method", "PATCH")
	if w.Code != 204 || w.Header().Get("Access-Control-Allow-Origin") != "https://app.example" || !strings.Contains(w.Header().Get("Access-Control-Allow-Methods"), "PATCH") {
		t.Error(w.Code, w.Header())
	}
	if w := r.ask("", "OPTIONS "+base+"/things/1", "", "Origin", "https://evil.example"); w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error(w.Header())
	}
}

func TestAnswers(t *testing.T) {
	r := newRig(Options{})
	for request, want := range map[string]string{
		"GET " + base + "/choice":          `{"data":{"id":3,"name":"c"}}`,
		"GET " + base + "/things/7":        `{"id":7,"name":"a"}`,
		"POST " + base + "/things":         `{"data":{"id":5}}`,
		"DELETE " + base + "/things/1":     ``,
		"POST " + base + "/things/search?": `{"id":1,"name":"a"}`,
	} {
		w := r.ask("full", request, "")
		if w.Body.String() != want {
			t.Errorf("%s: %s", request, w.Body)
		}
		if want != "" && w.Header().Get("Content-Length") != fmt.Sprint(len(want)) {
			t.Errorf("%s: %v", request, w.Header())
		}
	}
	if got := r.ask("full", "POST "+base+"/things", "").Header().Get("Location"); got != "https://x/things/5" {
		t.Error(got)
	}
	w := r.ask("full", "DELETE "+base+"/things/1", "")
	if w.Code != 204 || w.Header().Get("Content-Type") != "" {
		t.Error(w.Code, w.Header())
	}
}

func TestRecordsAreBuiltOnce(t *testing.T) {
	var builds []int
	name := func(id int64) listing.RenderKey { return listing.RenderKey{Site: 1, Version: id} }
	page := thingPage{Data: lazy{names: []listing.RenderKey{name(1), {}, name(2), name(3)}, absent: map[int]bool{2: true}, builds: &builds}, Mode: "cursor"}
	one := singlePage{single{lazy{names: []listing.RenderKey{name(1)}, builds: &builds}}}
	gone := singlePage{single{lazy{names: []listing.RenderKey{name(9)}, absent: map[int]bool{0: true}, builds: &builds}}}
	empty := thingPage{Data: lazy{builds: &builds}}
	r := newRig(Options{},
		line("page", "GET", "/page", 200, access.Rule{}, ok[kernel.Nothing](page)),
		line("empty", "GET", "/empty", 200, access.Rule{}, ok[kernel.Nothing](empty)),
		line("one", "GET", "/one", 200, access.Rule{}, ok[kernel.Nothing](one)),
		line("gone", "GET", "/gone", 200, access.Rule{}, ok[kernel.Nothing](gone)))
	want := `{"data":[{"id":0,"name":"<é>"},{"id":1,"name":"<é>"},{"id":3,"name":"<é>"}],"has_more":false}`
	for _, places := range []string{"[0 1 2 3]", "[1 2]"} {
		builds = nil
		w := r.ask("full", "GET "+base+"/page", "")
		if w.Body.String() != want || w.Header().Get("X-Mode") != "cursor" || fmt.Sprint(builds) != places {
			t.Errorf("%s %v, built %v, want %s", w.Body, w.Header(), builds, places)
		}
	}
	builds = nil
	if w := r.ask("full", "GET "+base+"/one", ""); w.Body.String() != `{"data":{"id":0,"name":"<é>"}}` || builds != nil {
		t.Error(w.Body, builds)
	}
	if w := r.ask("full", "GET "+base+"/empty", ""); w.Body.String() != `{"data":[],"has_more":false}` {
		t.Error(w.Body)
	}
	check(t, "gone", r.ask("full", "GET "+base+"/gone", ""), 404, "not_found")
}

func TestM1_EachCredentialHasItsRate(t *testing.T) {
	r := newRig(Options{Rate: Rate{PerSecond: 1, Burst: 2}})
	request := "GET " + base + "/things/1"
	w := r.ask("full", request, "")
	if w.Code != 200 || w.Header().Get("RateLimit-Policy") != `"default";q=2;w=2` || w.Header().Get("RateLimit") != `"default";r=1;t=1` {
		t.Error(w.Code, w.Header())
	}
	r.ask("full", request, "")
	w = r.ask("full", request, "")
	check(t, "third", w, 429, "rate_limited")
	if w.Header().Get("Retry-After") != "1" || w.Header().Get("RateLimit") != `"default";r=0;t=2` {
		t.Error(w.Header())
	}
	check(t, "other", r.ask("other", request, ""), 200, "")
	r.now = r.now.Add(time.Second)
	check(t, "later", r.ask("full", request, ""), 200, "")

	off := newRig(Options{Rate: Rate{PerSecond: -1}})
	if w := off.ask("full", request, ""); w.Code != 200 || w.Header().Get("RateLimit") != "" {
		t.Error(w.Code, w.Header())
	}
}

func TestA20_FailedTokenCallsAreCounted(t *testing.T) {
	r := newRig(Options{})
	call := func(id, secret, addr string) *httptest.ResponseRecorder {
		req := httptest.NewRequest(http.MethodPost, "/token", nil)
		req.SetBasicAuth(id, secret)
		req.RemoteAddr = addr
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		return w
	}
	for i := range 100 {
		check(t, "from everywhere", call("me", "wrong", fmt.Sprintf("10.0.0.%d:1", i)), 401, "invalid_client")
	}
	check(t, "the client itself", call("me", "right", "10.0.1.1:1"), 200, "")
	for _, peer := range [][2]string{{"10.0.2.1:1", "10.0.2.1:2"}, {"[2001:db8::1]:1", "[2001:db8::2]:1"}} {
		for i := range 10 {
			check(t, "a guess", call(fmt.Sprint("user", i), "wrong", peer[0]), 401, "invalid_client")
		}
		for _, id := range []string{"user", "me", ""} {
			w := call(id, "wrong", peer[1])
			check(t, "one guess more", w, 429, "rate_limited")
			if w.Header().Get("Retry-After") != "6" {
				t.Error(w.Header())
			}
			check(t, "what is right", call("me", "right", peer[1]), 200, "")
		}
		r.now = r.now.Add(6 * time.Second)
		check(t, "later", call("me", "wrong", peer[1]), 401, "invalid_client")
		check(t, "again", call("me", "wrong", peer[1]), 429, "rate_limited")
	}
	check(t, "another /64", call("somebody", "wrong", "[2001:db8:1::2]:1"), 401, "invalid_client")
}

func TestS7_PollingIsNoticed(t *testing.T) {
	request := "POST " + base + "/things/search"
	for mode, want := range map[Polling][2]any{PollingWarn: {200, "use webhooks"}, PollingStrict: {429, ""}, PollingOff: {200, ""}} {
		r := newRig(Options{Polling: mode})
		for range 30 {
			if w := r.ask("full", request, `{"name":"a"}`); w.Code != 200 || w.Header().Get("X-Polling-Warning") != "" {
				t.Fatal(w.Code, w.Header())
			}
		}
		w := r.ask("full", request, `{"name":"a"}`)
		if w.Code != want[0] || w.Header().Get("X-Polling-Warning") != want[1] {
			t.Error(mode, w.Code, w.Header())
		}
		if w.Code == 429 {
			check(t, "strict", w, 429, "polling_prohibited")
			if w.Header().Get("Retry-After") != "3600" {
				t.Error(w.Header())
			}
		}
		for _, w := range []*httptest.ResponseRecorder{r.ask("other", request, `{"name":"a"}`), r.ask("full", request, `{"name":"b"}`)} {
			if w.Code != 200 || w.Header().Get("X-Polling-Warning") != "" {
				t.Error(mode, w.Code, w.Header())
			}
		}
		r.now = r.now.Add(time.Hour)
		if w := r.ask("full", request, `{"name":"a"}`); w.Code != 200 || w.Header().Get("X-Polling-Warning") != "" {
			t.Error(mode, w.Code, w.Header())
		}
	}
}

func TestTheLogHasOneLinePerRequest(t *testing.T) {
	r := newRig(Options{})
	r.ask("full", "GET "+base+"/things/7?fetch=x", "")
	var got map[string]any
	if err := json.Unmarshal(r.log.Bytes(), &got); err != nil {
		t.Fatal(err, r.log.String())
	}
	for name, want := range map[string]any{
		"op": "thing.get", "method": "GET", "path": base + "/things/{thingId}", "status": 200.0, "site": 1.0, "credential": "full", "bytes": 19.0, "level": "INFO",
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	r.log.Reset()
	r.ask("bad\n{\"level\":\"ERROR\"}", "GET "+base+"/a\nb", "", "X-Request-Id", "x\r\ny")
	if strings.Count(r.log.String(), "\n") != 1 {
		t.Error(r.log.String())
	}
}

// What an operator does is no failure: nobody is woken up for it.
func TestTheLogTellsWhatFailedFromASiteThatMoves(t *testing.T) {
	for path, level := range map[string]string{"/things/503": "WARN", "/sick": "ERROR", "/things/404": "INFO"} {
		r := newRig(Options{})
		r.ask("full", "GET "+base+path, "")
		if got := r.log.String(); !strings.Contains(got, `"level":"`+level+`","msg":"request"`) {
			t.Errorf("%s is logged as %s", path, got)
		}
	}
}

func TestMetricsAreBounded(t *testing.T) {
	r := newRig(Options{})
	r.ask("full", "GET "+base+"/things/7", "")
	r.ask("full", "GET "+base+"/things/8", "")
	r.ask("", "GET /x", "")
	r.ask("", "FOO /y", "")
	families, err := r.metrics.Gather()
	if err != nil || len(families) != 1 || families[0].GetName() != "vitrine_http_request_seconds" {
		t.Fatal(families, err)
	}
	got := map[string]uint64{}
	for _, m := range families[0].GetMetric() {
		got[m.GetLabel()[1].GetValue()+" "+m.GetLabel()[0].GetValue()] = m.GetHistogram().GetSampleCount()
	}
	if want := (map[string]uint64{"thing.get 200": 2, "none 404": 2}); !reflect.DeepEqual(got, want) {
		t.Error(got)
	}
}

func TestAClientThatLeftIsNoFailure(t *testing.T) {
	r := newRig(Options{})
	ctx, cancel := context.WithCancel(t.Context())
	req := httptest.NewRequest(http.MethodGet, base+"/slow", nil).WithContext(ctx)
	req.Header.Set("Authorization", "Bearer full")
	cancel()
	r.ServeHTTP(httptest.NewRecorder(), req)
	if got := r.log.String(); !strings.Contains(got, `"status":499`) || !strings.Contains(got, `"level":"INFO"`) {
		t.Error(got)
	}
	ctx, cancel = context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req.WithContext(ctx))
	check(t, "too slow", w, 503, "unavailable")
	if w.Header().Get("Retry-After") == "" {
		t.Error(w.Header())
	}
}

func TestEveryKindHasAStatus(t *testing.T) {
	for kind := range fault.Kinds {
		if status := statusOf[kind]; (status < 400 || status > 599) && kind != fault.Moved {
			t.Errorf("%v is %d", kind, status)
		}
	}
	for _, entry := range fault.Catalogue() {
		if len(entry.Kinds) == 0 {
			t.Errorf("%s has no kind", entry.Code)
		}
	}
}

func TestAPanicAfterTheAnswerBeganIsLogged(t *testing.T) {
	r := newRig(Options{})
	r.routes.add(r.server, "GET", "/half", "half", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic("late")
	}))
	r.ready()
	if w := r.ask("", "GET /half", ""); w.Body.String() != "half" || !strings.Contains(r.log.String(), "late") {
		t.Error(w.Body, r.log.String())
	}
}

func TestADocumentThatCannotBeMadeIsAnErrorOfTheServer(t *testing.T) {
	r := newRig(Options{Document: func() ([]byte, error) { return nil, errors.New("two operations have one name") }})
	check(t, "document", r.ask("", "GET /openapi.json", ""), 500, "internal_error")
	if !strings.Contains(r.log.String(), "two operations have one name") {
		t.Error(r.log.String())
	}
}

func TestZ8_PublicPages(t *testing.T) {
	docs := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) })
	r := newRig(Options{Document: func() ([]byte, error) { return []byte(`{"openapi":"3.1.0"}`), nil }, Docs: docs})
	for request, want := range map[string]string{
		"GET /openapi.json": `{"openapi":"3.1.0"}`, "GET " + base + "/openapi.json": `{"openapi":"3.1.0"}`,
		"GET /docs": "/docs", "GET /docs/": "/docs", "GET /docs/product.search": "/docs/product.search", "GET /docs/assets/a.css": "/docs/assets/a.css",
	} {
		if w := r.ask("", request, ""); w.Code != 200 || w.Body.String() != want {
			t.Error(request, w.Code, w.Body)
		}
	}
	w := r.ask("", "GET /changelog", "")
	check(t, "changelog", w, 200, "")
	var log struct{ Data []map[string]any }
	if err := json.Unmarshal(w.Body.Bytes(), &log); err != nil || log.Data[0]["version"] != "1.1.0" || log.Data[1]["date"] != "2026-06-17" {
		t.Error(err, w.Body)
	}
	for _, w := range []*httptest.ResponseRecorder{r.ask("", "GET /changelog?format=md", ""), r.ask("", "GET /changelog", "", "Accept", "text/markdown")} {
		if !strings.Contains(w.Body.String(), "## [1.1.0] - 2026-09-16\n\n### Added\n\n- Richer") || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/markdown") {
			t.Error(w.Body)
		}
	}
}

func TestAdmin(t *testing.T) {
	var down error
	ready := NewReadiness(func(context.Context) error { return down })
	admin := Admin(ready, prometheus.NewRegistry())
	status := func(path string) int {
		w := httptest.NewRecorder()
		admin.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code
	}
	if status("/healthz") != 200 || status("/readyz") != 200 || status("/metrics") != 200 {
		t.Error("all should be well")
	}
	down = errors.New("no store")
	if status("/healthz") != 200 || status("/readyz") != 503 {
		t.Error("a store that does not answer makes it unready")
	}
	down = nil
	ready.Drain()
	if status("/healthz") != 200 || status("/readyz") != 503 {
		t.Error("draining makes it unready")
	}
}

// TestAReadinessCheckThatHangsIsANo: and while it hangs, no other one is begun.
func TestAReadinessCheckThatHangsIsANo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checks, hangs := 0, make(chan struct{})
		admin := Admin(NewReadiness(func(context.Context) error {
			checks++
			<-hangs // whatever its context says
			return nil
		}), nil)
		status := func() int {
			w := httptest.NewRecorder()
			admin.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
			return w.Code
		}
		began := time.Now()
		for range 3 {
			if got := status(); got != http.StatusServiceUnavailable {
				t.Errorf("%d", got)
			}
		}
		if took := time.Since(began); took != 3*readyWithin || checks != 1 {
			t.Errorf("%d checks in %s", checks, took)
		}
		close(hangs)
		synctest.Wait()
		if got := status(); got != http.StatusOK || checks != 2 {
			t.Errorf("when it answers again: %d after %d checks", got, checks)
		}
	})
}

func TestMistakesInTheTableArePanics(t *testing.T) {
	type stranger struct {
		A complex64 `json:"a"`
	}
	type lost struct {
		A int64 `path:"b"`
	}
	type nowhere struct{ A int64 }
	for name, build := range map[string]func(){
		"type":      func() { newDecoder(reflect.TypeFor[stranger](), "/") },
		"parameter": func() { newDecoder(reflect.TypeFor[lost](), "/{a}") },
		"missing":   func() { newDecoder(reflect.TypeFor[kernel.Nothing](), "/{a}") },
		"nowhere":   func() { newDecoder(reflect.TypeFor[nowhere](), "/") },
		"twice":     func() { newRig(Options{}, table()[0]) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			build()
		}()
	}
}

// Calendar feeds need no credential: they have rates of their own, and wait their turn
// like heavy requests.
func TestCalendarFeedsAreBounded(t *testing.T) {
	r := newRig(Options{Rate: Rate{PerSecond: 30, Burst: 30}, HeavyReads: 1})
	under := 0
	for _, end := range []string{"ics", "ifb"} {
		r.routes.add(r.server, http.MethodGet, "/feeds/{user}/{token}."+end, end, r.feed(func(*http.Request, int64, string) ([]byte, error) {
			if under = 1 - r.admission.places.free; under != 1 {
				t.Errorf("%d places are taken", under)
			}
			return []byte("BEGIN"), nil
		}))
	}
	r.ready()
	get := func(path, addr string) *httptest.ResponseRecorder {
		req := httptest.NewRequest(http.MethodGet, path, nil)
		req.RemoteAddr = addr
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		return w
	}
	for range feedBurst {
		check(t, "a feed", get("/feeds/7/abc.ics", "10.0.0.1:1"), 200, "")
	}
	w := get("/feeds/7/abc.ics", "10.0.0.2:1")
	check(t, "the feed again, from elsewhere", w, 429, "rate_limited")
	if w.Header().Get("Retry-After") != "1" || w.Header().Get("Cache-Control") != "no-store" {
		t.Error(w.Header())
	}
	check(t, "what is beside it", get("/feeds/7/abc.ifb", "10.0.0.2:1"), 200, "")
	for i := range 10 {
		check(t, "others of that address", get(fmt.Sprintf("/feeds/8/guess%d.ics", i), "10.0.0.1:1"), 200, "")
	}
	check(t, "one more of that address", get("/feeds/8/x.ics", "10.0.0.1:1"), 429, "rate_limited")
	check(t, "another address", get("/feeds/8/x.ics", "10.0.0.3:1"), 200, "")
	r.now = r.now.Add(time.Second)
	check(t, "later", get("/feeds/7/abc.ics", "10.0.0.1:1"), 200, "")
	if r.admission.places.free != 1 {
		t.Errorf("%d places are free", r.admission.places.free)
	}
}

func TestAnEncodedSlashPartsNoPath(t *testing.T) {
	r := newRig(Options{})
	for path, status := range map[string]int{
		base + "/things/7": 200, base + "/things%2F7": 404, base + "/things%2f7": 404, base + "/things/7%2Fx": 404, base + "%2Fthings/7": 404, base + "/things/%37": 200,
	} {
		req := httptest.NewRequest(http.MethodGet, path, nil)
		req.Header.Set("Authorization", "Bearer full")
		w := httptest.NewRecorder()
		r.ServeHTTP(w, req)
		code := map[int]string{404: "unknown_route"}[status]
		check(t, path, w, status, code)
	}
}

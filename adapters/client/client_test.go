package client

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// theSecret is never printed.
const theSecret = "the-secret-of-the-client"

// server is one of the API, as far as a test needs it.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	tokens int
	// life is how long a token is good, in seconds; refused are the tokens that are good no more.
	life    int
	refused map[string]bool
	// seen are the requests besides those of tokens.
	seen []sighting
}

// sighting is a request as it arrived.
type sighting struct {
	method, address, key, body string
	header                     http.Header
}

// serve starts a server whose operations answer does, after their token was looked at.
func serve(t *testing.T, answer http.HandlerFunc) (*server, *Client) {
	t.Helper()
	s := &server{life: 3600, refused: map[string]bool{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/client/") {
			s.issue(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.mu.Lock()
		s.seen = append(s.seen, sighting{r.Method, r.URL.RequestURI(), r.Header.Get("Idempotency-Key"), string(body), r.Header})
		refused := s.refused[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] || r.Header.Get("Authorization") == ""
		s.mu.Unlock()
		if refused {
			refuse(w, http.StatusUnauthorized, "token_expired")
			return
		}
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	c, err := New(Config{URL: s.URL, ClientID: "portal", ClientSecret: theSecret, SiteID: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func (s *server) issue(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	if id != "portal" || secret != theSecret || r.FormValue("site_id") != "1" {
		refuse(w, http.StatusUnauthorized, "invalid_client")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens++
	_, _ = fmt.Fprintf(w, `{"domain": %q, "access_token": "token-%d", "expires_in": %d}`, s.URL, s.tokens, s.life)
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"error": {"code": %q, "message": "it is refused"}, "request_id": "11111111-1111-4111-8111-111111111111"}`, code)
}

// document reads the API document that the methods were made of.
func document(t *testing.T) map[string]map[string]json.RawMessage {
	t.Helper()
	text, err := os.ReadFile("../../docs/reference/openapi.json")
	if err != nil {
		t.Skip("the document is not here: the module is used outside its repository")
	}
	var d struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d.Paths
}

// TestTheClientsAreMadeOfTheDocument fails when the document, a template or a generator is another one than
// the generated files were made of.
func TestTheClientsAreMadeOfTheDocument(t *testing.T) {
	document(t)
	const described = "../../docs/reference/openapi.json"
	golang := []string{"generate/oapi.yaml", "generate/overlay.yaml", "generate/method.tmpl", "generate/all.tmpl", described}
	typescript := []string{"typescript/generate.mjs", described}
	for name, from := range map[string][]string{"api.gen.go": golang, "typescript/src/api.d.ts": typescript, "typescript/src/pages.ts": typescript} {
		sum := sha256.New()
		for _, source := range from {
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = sum.Write(text) // never fails
		}
		made, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(made, fmt.Appendf(nil, "\n// Made of %x.\n", sum.Sum(nil))) {
			t.Errorf("%s is not made of what is there; run make clients (%v)", name, err)
		}
	}
}

// byHand are the operations that no method is generated for.
var byHand = []string{"issueToken", "refreshToken", "revokeToken", "getPhoto", "getChangelog"}

// TestEveryOperationIsCalledByItsExample calls each method with the example of the document. The server
// gets that request and answers with the example, which comes back as it was.
func TestEveryOperationIsCalledByItsExample(t *testing.T) {
	for path, item := range document(t) {
		for method, text := range item {
			var o struct {
				OperationID string
				Parameters  []struct{ In, Name string }
				RequestBody struct {
					Content map[string]struct{ Example json.RawMessage }
				}
				Responses map[string]struct {
					Content map[string]struct{ Example json.RawMessage }
				}
			}
			if method == "parameters" || json.Unmarshal(text, &o) != nil || slices.Contains(byHand, o.OperationID) {
				continue
			}
			t.Run(o.OperationID, func(t *testing.T) {
				name := strings.ToUpper(o.OperationID[:1]) + o.OperationID[1:]
				var example json.RawMessage
				for status, r := range o.Responses {
					if strings.HasPrefix(status, "2") {
						example = r.Content["application/json"].Example
					}
				}
				s, c := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(example) })
				m := reflect.ValueOf(c).MethodByName(name)
				if !m.IsValid() {
					t.Fatalf("there is no method %s", name)
				}
				sent := o.RequestBody.Content["application/json"].Example
				got := m.Call(arguments(t, m.Type(), sent))
				if err, _ := got[len(got)-1].Interface().(error); err != nil {
					t.Fatal(err)
				}
				first := s.seen[0]
				wanted := strings.NewReplacer("{", "", "}", "").Replace(path)
				for _, p := range o.Parameters {
					if p.In == "path" {
						wanted = strings.Replace(strings.Replace(wanted, p.Name, "7", 1), "%7B", "", 1)
					}
				}
				if address, _, _ := strings.Cut(first.address, "?"); first.method != strings.ToUpper(method) || address != wanted {
					t.Errorf("it sends %s %s, not %s %s", first.method, first.address, method, wanted)
				}
				if len(sent) > 0 {
					same(t, "the request", []byte(first.body), sent)
				}
				if len(got) == 2 && len(example) > 0 {
					encoded, err := json.Marshal(got[0].Interface())
					if err != nil {
						t.Fatal(err)
					}
					same(t, "the answer", encoded, example)
				}
			})
		}
	}
}

// arguments are those of a method: 7 in paths, the example as the body, and nothing else.
func arguments(t *testing.T, method reflect.Type, body []byte) []reflect.Value {
	t.Helper()
	values := []reflect.Value{reflect.ValueOf(t.Context())}
	for i := 1; i < method.NumIn()-1; i++ {
		v := reflect.New(method.In(i)).Elem()
		switch {
		case v.Kind() == reflect.Int64:
			v.SetInt(7)
		case v.Kind() == reflect.String:
			v.SetString("7")
		case v.Type() == reflect.TypeFor[io.Reader]():
			v.Set(reflect.ValueOf(strings.NewReader("picture")))
		case v.Kind() == reflect.Struct || v.Kind() == reflect.Map || v.Kind() == reflect.Slice:
			if len(body) > 0 {
				if err := json.Unmarshal(body, v.Addr().Interface()); err != nil {
					t.Fatal(err)
				}
			}
		}
		values = append(values, v)
	}
	return values
}

// same compares two texts of JSON by what they say.
func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	var g, w any
	if err := errors.Join(json.Unmarshal(got, &g), json.Unmarshal(want, &w)); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !reflect.DeepEqual(timed(g), timed(w)) {
		t.Errorf("%s is\n%s\nnot\n%s", what, got, want)
	}
}

// timed returns a value in which the same moments are written in the same way, and what is
// zero is absent.
func timed(value any) any {
	switch v := value.(type) {
	case string:
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return at.UTC().String()
		}
	case []any:
		for i := range v {
			v[i] = timed(v[i])
		}
	case map[string]any:
		for name := range v {
			if v[name] = timed(v[name]); v[name] == 0.0 || v[name] == false || v[name] == "" {
				delete(v, name)
			}
		}
	}
	return value
}

// TestARequestHasItsEffectOnce has a server fail in every way that is over after a while: the effect is there
// once, under one key, with the same bytes.
func TestARequestHasItsEffectOnce(t *testing.T) {
	type failure func(w http.ResponseWriter, done func())
	lose := func(w http.ResponseWriter) {
		connection, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = connection.Close()
	}
	for name, fail := range map[string]failure{
		"after reading":    func(w http.ResponseWriter, _ func()) { lose(w) },
		"before answering": func(w http.ResponseWriter, done func()) { done(); lose(w) },
		"in the middle of a body": func(w http.ResponseWriter, done func()) {
			done()
			w.Header().Set("Content-Length", "99")
			_, _ = w.Write([]byte(`{"data"`))
		},
		"503 with a wait": func(w http.ResponseWriter, done func()) {
			done()
			w.Header().Set("Retry-After", "0.01")
			refuse(w, 503, "unavailable")
		},
		"502 of a proxy": func(w http.ResponseWriter, done func()) {
			done()
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte("<html>"))
		},
		"429": func(w http.ResponseWriter, _ func()) {
			w.Header().Set("Retry-After", "0.01")
			refuse(w, 429, "rate_limited")
		},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			effects, tries := map[string]int{}, 0
			s, c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				key := r.Header.Get("Idempotency-Key")
				done := func() { effects[key]++; effects[key] = min(effects[key], 1) }
				if tries++; tries <= 3 {
					fail(w, done)
					return
				}
				done()
				_, _ = w.Write([]byte(`{"data": {"id": 4711}}`))
			})
			made, err := c.CreateProduct(t.Context(), CreateProductRequest{})
			if err != nil || made.Data.ID != 4711 {
				t.Fatalf("%v, %v", made, err)
			}
			if len(effects) != 1 || tries != 4 {
				t.Errorf("%d keys had an effect, in %d tries", len(effects), tries)
			}
			for _, again := range s.seen {
				if again.body != s.seen[0].body || again.key != s.seen[0].key || again.key == "" {
					t.Errorf("it is sent again as %+v", again)
				}
			}
		})
	}
}

func TestTheTokenOfABookingIsSent(t *testing.T) {
	s, c := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	if err := c.CancelBooking(t.Context(), 4, CancelBookingRequest{}, BookingToken("secret")); err != nil || s.seen[0].header.Get("X-Booking-Token") != "secret" {
		t.Errorf("%+v, %v", s.seen, err)
	}
}

// TestWhatIsRefusedIsNotSentAgain holds what ends a call: a refusal, too many tries, a context, an
// option.
func TestWhatIsRefusedIsNotSentAgain(t *testing.T) {
	status := http.StatusUnprocessableEntity
	s, c := serve(t, func(w http.ResponseWriter, _ *http.Request) { refuse(w, status, "some_code") })
	var refused *Error
	_, err := c.CreateProduct(t.Context(), CreateProductRequest{})
	if !errors.As(err, &refused) || refused.Code != "some_code" || refused.Status != status || refused.RequestID == "" || len(s.seen) != 1 {
		t.Errorf("%v after %d tries", err, len(s.seen))
	}
	status, s.seen = http.StatusServiceUnavailable, nil
	if _, err := c.CreateProduct(t.Context(), CreateProductRequest{}, RetryPosts(false)); !errors.As(err, &refused) || len(s.seen) != 1 {
		t.Errorf("a POST that is not to be sent again: %v after %d tries", err, len(s.seen))
	}
	s.seen, c.config.MaxRetries = nil, 1
	if err := c.DeleteProduct(t.Context(), 1); !errors.As(err, &refused) || len(s.seen) != 2 {
		t.Errorf("%v after %d tries of 2", err, len(s.seen))
	}
	s.seen, c.config.MaxRetries = nil, 100
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := c.DeleteProduct(ctx, 1); err == nil || len(s.seen) > 20 {
		t.Errorf("%v after %d tries", err, len(s.seen))
	}
}

// TestAnAnswerThatIsNotReadIsNotAskedForAgain has a server that answers otherwise than the contract has it.
func TestAnAnswerThatIsNotReadIsNotAskedForAgain(t *testing.T) {
	for _, answer := range []string{`{"data": 7}`, `<html>`} {
		s, c := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) })
		if _, err := c.GetProduct(t.Context(), 1, nil); !errors.Is(err, errAnswer) || len(s.seen) != 1 {
			t.Errorf("%s: %v after %d tries", answer, err, len(s.seen))
		}
	}
}

// TestADeletionWhoseAnswerWasLostIsDone holds that the 404 of its second try is no error, also with another token, and
// that of a first one is.
func TestADeletionWhoseAnswerWasLostIsDone(t *testing.T) {
	answers := []int{http.StatusBadGateway, http.StatusNotFound, http.StatusBadGateway, http.StatusUnauthorized, http.StatusNotFound}
	_, c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		status := http.StatusNotFound
		if len(answers) > 0 {
			status, answers = answers[0], answers[1:]
		}
		refuse(w, status, "some_code")
	})
	for range 2 {
		if err := c.DeleteProduct(t.Context(), 1); err != nil {
			t.Error(err)
		}
	}
	if err := c.DeleteProduct(t.Context(), 1); err == nil {
		t.Error("what is not there is deleted")
	}
}

// TestManyCallersGetOneToken has 50 callers at once find that there is no token, and then that theirs has expired.
func TestManyCallersGetOneToken(t *testing.T) {
	s, c := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"data": {}}`)) })
	callAll := func() {
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				if _, err := c.GetProduct(t.Context(), 1, nil); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
	callAll()
	if s.tokens != 1 {
		t.Errorf("%d tokens for the first calls", s.tokens)
	}
	s.mu.Lock()
	s.refused["token-1"] = true
	s.mu.Unlock()
	callAll()
	if s.tokens != 2 {
		t.Errorf("%d tokens after one expired", s.tokens)
	}
	s.mu.Lock()
	s.refused["token-2"], s.refused["token-3"] = true, true
	s.mu.Unlock()
	var refused *Error
	if _, err := c.GetProduct(t.Context(), 1, nil); !errors.As(err, &refused) || refused.Code != "token_expired" || s.tokens != 3 {
		t.Errorf("%v with %d tokens, where none is good", err, s.tokens)
	}
	s.life = 0
	c.tokens.current = token{}
	for range 2 {
		_, _ = c.GetProduct(t.Context(), 1, nil)
	}
	if s.tokens != 5 {
		t.Errorf("%d tokens, where each is over at once", s.tokens)
	}
}

// TestPagesAreReadOneAfterTheOther holds order, laziness, and both ends of an iteration.
func TestPagesAreReadOneAfterTheOther(t *testing.T) {
	last := `null`
	s, c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Cursor string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			t.Error(err)
		}
		switch asked.Cursor {
		case "":
			_, _ = w.Write([]byte(`{"data": [{"id": 1}, {"id": 2}], "next_cursor": "b", "has_more": true}`))
		case "b":
			_, _ = fmt.Fprintf(w, `{"data": [{"id": 3}], "next_cursor": %s, "has_more": false}`, last)
		}
	})
	var ids []int64
	for product, err := range c.SearchProductsAll(t.Context(), nil, SearchProductsRequest{StatusWeb: Some(true)}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, product.ID)
	}
	if !slices.Equal(ids, []int64{1, 2, 3}) || len(s.seen) != 2 || s.seen[1].body != `{"cursor":"b","status_web":true}` {
		t.Errorf("%v by %+v", ids, s.seen)
	}
	s.seen = nil
	for range c.SearchProductsAll(t.Context(), nil, SearchProductsRequest{}) {
		break
	}
	if len(s.seen) != 1 {
		t.Errorf("%d pages for one item", len(s.seen))
	}
	last = `"b"`
	var end error
	for _, err := range c.SearchProductsAll(t.Context(), nil, SearchProductsRequest{}) {
		end = err
	}
	if end == nil {
		t.Error("a cursor that comes again does not end the iteration")
	}
}

// TestCursorsGoWhereTheDocumentSays holds the iterators whose cursors are parameters, numbers and texts.
func TestCursorsGoWhereTheDocumentSays(t *testing.T) {
	s, c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		next, meta := `null`, `null`
		if len(r.URL.Query()) < 2 {
			next, meta = `"12"`, `"xy"`
			if strings.HasSuffix(r.URL.Path, "/actions") {
				next = `12`
			}
		}
		_, _ = fmt.Fprintf(w, `{"data": [], "next_cursor": %s, "meta": {"next_cursor": %s}}`, next, meta)
	})
	for range c.ListEventsAll(t.Context(), &ListEventsParams{Limit: 5}) {
	}
	for range c.ListCustomerActionsAll(t.Context(), 3, nil) {
		break
	}
	for range c.ListAgenciesAll(t.Context(), &ListAgenciesParams{PerPage: 5}) {
	}
	var addresses []string
	for _, one := range s.seen {
		addresses = append(addresses, strings.TrimPrefix(one.address, "/api/v2/site"))
	}
	for _, want := range []string{"/events?limit=5", "/events?after=12&limit=5", "/customers/3/actions?cursor=12", "/agencies?cursor=xy&per_page=5"} {
		if !slices.Contains(addresses, want) {
			t.Errorf("%s is not among %q", want, addresses)
		}
	}
}

func TestTagsAreSentAndKept(t *testing.T) {
	_, c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("If-None-Match") == `"1"`:
			w.WriteHeader(http.StatusNotModified)
		case r.Header.Get("If-Match") == `"0"`:
			refuse(w, http.StatusPreconditionFailed, "precondition_failed")
		default:
			w.Header().Set("ETag", `"1"`)
			_, _ = w.Write([]byte(`{"data": {}}`))
		}
	})
	var tag string
	if _, err := c.GetProduct(t.Context(), 1, nil, Tag(&tag)); err != nil || tag != `"1"` {
		t.Errorf("%v, %s", err, tag)
	}
	if _, err := c.GetProduct(t.Context(), 1, nil, IfNoneMatch(tag)); !errors.Is(err, ErrNotModified) {
		t.Error(err)
	}
	var refused *Error
	if err := c.UpdateProduct(t.Context(), 1, UpdateProductRequest{Color: Null[int64]()}, IfMatch(`"0"`)); !errors.As(err, &refused) || refused.Status != http.StatusPreconditionFailed {
		t.Error(err)
	}
}

// TestFilesAreSentAgainIfTheyCanBeReadAgain loses the first answer to an upload.
func TestFilesAreSentAgainIfTheyCanBeReadAgain(t *testing.T) {
	first := true
	s, c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		file, header, err := r.FormFile("file")
		if err != nil {
			t.Error(err)
			return
		}
		content, err := io.ReadAll(file)
		if err != nil || string(content) != "picture" || header.Filename != "a.jpg" {
			t.Errorf("%q, %s, %v", content, header.Filename, err)
		}
		if first {
			w.WriteHeader(http.StatusBadGateway)
			first = false
		}
	})
	if err := c.AddPublicPicture(t.Context(), 1, "a.jpg", strings.NewReader("picture")); err != nil || len(s.seen) != 2 || s.seen[0].body != s.seen[1].body {
		t.Errorf("%v after %d tries", err, len(s.seen))
	}
	first, s.seen = true, nil
	if err := c.AddPrivatePicture(t.Context(), 1, "a.jpg", io.MultiReader(strings.NewReader("picture"))); err == nil || len(s.seen) != 1 {
		t.Errorf("what cannot be read again: %v after %d tries", err, len(s.seen))
	}
}

// TestSecretsAreNotPrinted prints a client, its configuration and errors in every form.
func TestSecretsAreNotPrinted(t *testing.T) {
	_, c := serve(t, func(w http.ResponseWriter, _ *http.Request) { refuse(w, 403, "forbidden") })
	_, refused := c.GetProduct(t.Context(), 1, nil)
	c.config.APIKey = theSecret
	lost, err := New(Config{URL: "http://127.0.0.1:1", ClientID: "portal", ClientSecret: theSecret, SiteID: 1, MaxRetries: -1})
	if err != nil {
		t.Fatal(err)
	}
	_, unreachable := lost.GetProduct(t.Context(), 1, nil)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
		for _, value := range []any{c, c.config, refused, unreachable} {
			if text := fmt.Sprintf(verb, value); strings.Contains(text, theSecret) || strings.Contains(text, "token-") || strings.Contains(text, fmt.Sprintf("%x", theSecret)) {
				t.Errorf("%s prints %s", verb, text)
			}
		}
	}
}

func TestConfigurationsAreChecked(t *testing.T) {
	good := Config{URL: "https://crm.example/", ClientID: "a", ClientSecret: "b", SiteID: 1}
	for name, change := range map[string]func(*Config){
		"no address": func(c *Config) { c.URL = "" }, "no scheme": func(c *Config) { c.URL = "crm.example" }, "no secret": func(c *Config) { c.ClientSecret = "" },
		"no site": func(c *Config) { c.SiteID = 0 }, "two sites": func(c *Config) { c.AgencyID = 2 }, "a key too": func(c *Config) { c.APIKey = "k" },
	} {
		c := good
		change(&c)
		if _, err := New(c); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	key, err := New(Config{URL: "https://crm.example", APIKey: "k"})
	if _, other := New(good); err != nil || other != nil || key == nil {
		t.Errorf("%v, %v", err, other)
	}
}

// TestSignaturesAreVerified has the example of the Standard Webhooks specification.
func TestSignaturesAreVerified(t *testing.T) {
	header := http.Header{}
	for name, value := range map[string]string{
		"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330", "webhook-signature": "v1,nothing v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	} {
		header.Set(name, value)
	}
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	body, at := []byte(`{"test": 2432232314}`), time.Unix(1614265330, 0)
	got, err := verify(header, body, at.Add(4*time.Minute), []string{"whsec_AAAA", secret})
	if err != nil || got.ID != "msg_p5jXN8AQM9LWM0D4loKWxJek" || !got.SentAt.Equal(at) || !bytes.Equal(got.Body, body) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, try := range map[string]func() (Delivery, error){
		"late":             func() (Delivery, error) { return verify(header, body, at.Add(6*time.Minute), []string{secret}) },
		"early":            func() (Delivery, error) { return verify(header, body, at.Add(-6*time.Minute), []string{secret}) },
		"changed":          func() (Delivery, error) { return verify(header, append(body, ' '), at, []string{secret}) },
		"another secret":   func() (Delivery, error) { return verify(header, body, at, []string{"whsec_AAAA"}) },
		"no secret":        func() (Delivery, error) { return verify(header, body, at, nil) },
		"no secret's form": func() (Delivery, error) { return verify(header, body, at, []string{"%"}) },
		"no headers":       func() (Delivery, error) { return Verify(http.Header{}, body, secret) },
		"now":              func() (Delivery, error) { return Verify(header, body, secret) },
	} {
		if _, err := try(); err == nil {
			t.Errorf("%s: it is verified", name)
		}
	}
}

package e2e_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// object and list are JSON.
type (
	object = map[string]any
	list   = []any
)

// client is a program that talks to a world.
type client struct {
	t     testing.TB
	w     *world
	token string
	// key is an API key that is sent instead of a token, if there is one.
	key string
}

// as is a client with a token of a sandbox credential for a site.
func (w *world) as(t testing.TB, credential string, site int) *client {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	key := fmt.Sprint(credential, site)
	if w.tokens[key] == "" {
		granted := w.stranger(t).grant(credential, url.Values{"site_id": {strconv.Itoa(site)}}).is(200)
		w.tokens[key] = granted.text("access_token")
	}
	return &client{t: t, w: w, token: w.tokens[key]}
}

// The usual clients.
func (w *world) network(t testing.TB) *client { t.Helper(); return w.as(t, "sandbox-network", 1) }
func (w *world) website(t testing.TB) *client { t.Helper(); return w.as(t, "sandbox-website", 1) }
func (w *world) rival(t testing.TB) *client   { t.Helper(); return w.as(t, "sandbox-rival", 2) }

// stranger has no token.
func (w *world) stranger(t testing.TB) *client { return &client{t: t, w: w} }

// with is the client with another token.
func (c *client) with(token string) *client { return &client{t: c.t, w: c.w, token: token} }

// grant asks for a token with the credentials of the sandbox.
func (c *client) grant(credential string, form url.Values) answer {
	c.t.Helper()
	return c.form("/api/client/token/site", credential, credential+"-secret", form)
}

// form sends a form with Basic credentials; without an id there are none.
func (c *client) form(path, id, secret string, form url.Values, headers ...string) answer {
	c.t.Helper()
	r := c.request("POST", path, form.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
	r.Header.Del("Authorization")
	if id != "" {
		r.SetBasicAuth(id, secret)
	}
	return c.do(r)
}

func (c *client) get(path string, headers ...string) answer {
	c.t.Helper()
	return c.send("GET", path, nil, headers...)
}

// post sends every request with an effect twice, under a key of its own, and
// demands the same answer again: whatever can be posted can be repeated.
func (c *client) post(path string, body any) answer {
	c.t.Helper()
	key := rand.Text()
	first := c.keyed(key, path, body)
	if first.status < 300 && document().takesKey(c.request("POST", path, nil)) {
		c.keyed(key, path, body).repeats(first)
	}
	return first
}

func (c *client) patch(path string, body any) answer {
	c.t.Helper()
	return c.send("PATCH", path, body)
}

func (c *client) delete(path string) answer {
	c.t.Helper()
	return c.send("DELETE", path, nil)
}

// send sends a body: text as it is, anything else as JSON, nil as none.
func (c *client) send(method, path string, body any, headers ...string) answer {
	c.t.Helper()
	return c.do(c.request(method, path, body, headers...))
}

// request is below {base_url}, unless its path names more than that.
func (c *client) request(method, path string, body any, headers ...string) *http.Request {
	c.t.Helper()
	var reader io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(body)
	default:
		text, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		reader = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.w.address(path), reader)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.key != "" {
		r.Header.Set("X-Api-Key", c.key)
	}
	if reader != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

var atTheRoot = regexp.MustCompile(`^/(api|openapi\.json|docs|changelog|healthz|readyz|metrics|nowhere)\b`)

// address is the URL of a path: links are whole already, operations are below
// {base_url}, pages at the root.
func (w *world) address(path string) string {
	switch {
	case strings.HasPrefix(path, w.url):
		return path
	case atTheRoot.MatchString(path):
		return w.url + path
	}
	return w.url + kernel.BasePath + path
}

// do sends a request and holds the answer against everything that is true of
// all answers.
func (c *client) do(r *http.Request) answer {
	c.t.Helper()
	response, err := c.w.http.Do(r)
	if err != nil {
		c.t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	defer response.Body.Close()
	a := answer{
		t: c.t, request: r.Method + " " + strings.TrimPrefix(r.URL.String(), c.w.url),
		status: response.StatusCode, header: response.Header, body: uncompressed(c.t, response),
	}
	if response.ContentLength == 0 && len(a.body) > 0 {
		c.t.Errorf("%s: the answer is longer than it says", a.request)
	}
	for _, problem := range wrongWith(r, a) {
		c.t.Errorf("%s: %s", a, problem)
	}
	return a
}

// answer is what came back.
type answer struct {
	t       testing.TB
	request string
	status  int
	header  http.Header
	body    []byte
}

// String shows the answer in failures.
func (a answer) String() string { return fmt.Sprintf("%s: %d %.2000s", a.request, a.status, a.body) }

// is demands a status.
func (a answer) is(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s\nwant %d", a, status)
	}
	return a
}

// refused demands an error: its status and code, and the fields its details
// name, if any are given.
func (a answer) refused(status int, code string, fields ...string) answer {
	a.t.Helper()
	if a.status != status || a.text("error.code") != code {
		a.t.Errorf("%s\nwant %d %s", a, status, code)
		return a
	}
	if len(fields) == 0 {
		return a
	}
	var got []string
	for _, detail := range a.list("error.details") {
		got = append(got, detail.(object)["field"].(string))
	}
	if !slices.Equal(got, fields) {
		a.t.Errorf("%s\nthe details are about %q, want %q", a, got, fields)
	}
	return a
}

// empty demands that there is no body.
func (a answer) empty() answer {
	a.t.Helper()
	if len(a.body) > 0 {
		a.t.Errorf("%s\nwant no body", a)
	}
	return a
}

// at is the value at a path such as data.0.id; it fails when there is none.
func (a answer) at(path string) any {
	a.t.Helper()
	var whole any
	if err := json.Unmarshal(a.body, &whole); err != nil {
		a.t.Fatalf("%s: %v", a, err)
	}
	value, found := follow(whole, path)
	if !found {
		a.t.Fatalf("%s\nhas no %s", a, path)
	}
	return value
}

func follow(value any, path string) (any, bool) {
	for step := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case object:
			member, found := v[step]
			if !found {
				return nil, false
			}
			value = member
		case list:
			n, err := strconv.Atoi(step)
			if err != nil || n >= len(v) {
				return nil, false
			}
			value = v[n]
		default:
			return nil, false
		}
	}
	return value, true
}

// equals demands the value at a path.
func (a answer) equals(path string, want any) answer {
	a.t.Helper()
	switch n := want.(type) {
	case int:
		want = float64(n)
	case int64:
		want = float64(n)
	}
	if diff := cmp.Diff(want, a.at(path)); diff != "" {
		a.t.Errorf("%s: %s (-want +got):\n%s", a.request, path, diff)
	}
	return a
}

func as[T any](a answer, path string) T {
	a.t.Helper()
	value, ok := a.at(path).(T)
	if !ok {
		a.t.Fatalf("%s\n%s is %T", a, path, a.at(path))
	}
	return value
}

func (a answer) text(path string) string { a.t.Helper(); return as[string](a, path) }
func (a answer) id(path string) int64    { a.t.Helper(); return int64(as[float64](a, path)) }
func (a answer) list(path string) list   { a.t.Helper(); return as[list](a, path) }

// ids are those of data.
func (a answer) ids() []int64 {
	a.t.Helper()
	ids := []int64{}
	for _, record := range a.list("data") {
		ids = append(ids, int64(record.(object)["id"].(float64)))
	}
	return ids
}

// What is true of every answer.

var (
	uuid4      = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	snakeCase  = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	requestIDs = &idSet{known: map[string]bool{}}
)

// idSet remembers ids, as many as fit in memory.
type idSet struct {
	mu    sync.Mutex
	known map[string]bool
}

// add reports whether the id is new.
func (s *idSet) add(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) > 1_000_000 {
		clear(s.known)
	}
	again := s.known[id]
	s.known[id] = true
	return !again
}

func (s *idSet) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.known, id)
}

// wrongWith holds an answer to the API against the contract: its request id, the
// shape of errors, the spelling of keys, and the OpenAPI document.
func wrongWith(r *http.Request, a answer) (problems []string) {
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	id := a.header.Get("X-Request-Id")
	if !uuid4.MatchString(id) {
		wrong("X-Request-Id is %q", id)
	}
	if !requestIDs.add(id) {
		wrong("X-Request-Id %s is that of another answer", id)
	}
	if a.header.Get("X-Contract-Version") != "1.1.0" {
		wrong("X-Contract-Version is %q", a.header.Get("X-Contract-Version"))
	}
	if !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") || r.Method == http.MethodHead {
		if a.status >= 400 && r.Method != http.MethodHead {
			wrong("an error is JSON")
		}
		return problems
	}
	var body any
	if err := json.Unmarshal(a.body, &body); err != nil {
		wrong("%v", err)
		return problems
	}
	if a.status >= 400 {
		if got, _ := follow(body, "request_id"); got != id {
			wrong("request_id differs from X-Request-Id")
		}
		if message, _ := follow(body, "error.message"); message == "" {
			wrong("an error has a message")
		}
	}
	if strings.HasSuffix(r.URL.Path, "/openapi.json") {
		return problems
	}
	for _, key := range keys(body) {
		if !snakeCase.MatchString(key) {
			wrong("the key %s is not snake_case", key)
		}
	}
	if err := document().check(r, a); err != nil {
		wrong("not as documented: %v", err)
	}
	return problems
}

// keys are those of all objects in a value, except the names of headers, which
// are the client's own.
func keys(value any) (all []string) {
	switch v := value.(type) {
	case object:
		for key, member := range v {
			if all = append(all, key); key != "headers" {
				all = append(all, keys(member)...)
			}
		}
	case list:
		for _, item := range v {
			all = append(all, keys(item)...)
		}
	}
	return all
}

// What the ledger tells.

// ledger watches the events of a client's site from now on.
type ledger struct {
	c     *client
	after int64
}

func (c *client) ledger() *ledger {
	l := &ledger{c: c}
	l.news()
	return l
}

// news are the events since it was last asked, such as "PRODUCT_CREATE 12".
func (l *ledger) news() []string {
	l.c.t.Helper()
	news := []string{}
	for {
		page := l.c.get(fmt.Sprintf("/events?after=%d&limit=1000", l.after)).is(200)
		for _, e := range page.list("data") {
			news = append(news, fmt.Sprintf("%v %.0f", e.(object)["event_type"], e.(object)["resource_id"]))
			l.after = int64(e.(object)["id"].(float64))
		}
		if page.at("has_more") == false {
			return news
		}
	}
}

// tells demands the events since it was last asked.
func (l *ledger) tells(want ...string) {
	l.c.t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), l.news()); diff != "" {
		l.c.t.Errorf("events (-want +got):\n%s", diff)
	}
}

// What scenarios do with products.

// criteria are criteria of a request, from pairs of id and value.
func criteria(pairs ...any) list {
	out := list{}
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, object{"id": pairs[i], "value": pairs[i+1]})
	}
	return out
}

// create adds a product to the client's first agency.
func (c *client) create(fields object) int64 {
	c.t.Helper()
	body := object{}
	if agencies := c.get("/discovery").is(200).list("data"); len(agencies) > 1 {
		body["agency_id"] = agencies[0].(object)["agency_id"]
	}
	for key, value := range fields {
		body[key] = value
	}
	return c.post("/products", body).is(201).id("data.id")
}

func product(id int64, more ...string) string {
	return fmt.Sprintf("/products/%d%s", id, strings.Join(more, ""))
}

// change patches a product.
func (c *client) change(id int64, fields object) answer {
	c.t.Helper()
	body := object{"product_id": id}
	for key, value := range fields {
		body[key] = value
	}
	return c.patch(product(id), body)
}

// whole is everything that can be read about a product.
func (c *client) whole(id int64) any {
	c.t.Helper()
	return c.get(product(id, "?fetch=", strings.Join(fetchValues, ","))).is(200).at("data")
}

// criterion is the value of a criterion of a product, nil without one.
func (c *client) criterion(id int64, key string) any {
	c.t.Helper()
	for _, item := range c.get(product(id, "/criteria")).is(200).list("data") {
		if item.(object)["id"] == key {
			return item.(object)["value"]
		}
	}
	return nil
}

// search finds products, with more in the query.
func (c *client) search(body object, query ...string) answer {
	c.t.Helper()
	return c.post("/products/search"+strings.Join(query, ""), body)
}

// walk follows a search in cursor mode to its end.
func (c *client) walk(body object) []int64 {
	c.t.Helper()
	ids, body := []int64{}, copied(body)
	for {
		page := c.search(body).is(200)
		ids = append(ids, page.ids()...)
		if page.at("next_cursor") == nil {
			page.equals("has_more", false)
			return ids
		}
		page.equals("has_more", true)
		body["cursor"] = page.at("next_cursor")
	}
}

func copied(o object) object {
	out := object{}
	for key, value := range o {
		out[key] = value
	}
	return out
}

func (c *client) count(body object) int {
	c.t.Helper()
	return int(c.post("/products/search/count", body).is(200).id("count"))
}

// everything hydrates all products the client sees, by id.
func (c *client) everything(fetch string) []object {
	c.t.Helper()
	var all []object
	for cursor := any(nil); ; {
		page := c.search(object{"cursor": cursor}, "?fetch=", fetch).is(200)
		for _, record := range page.list("data") {
			all = append(all, record.(object))
		}
		if cursor = page.at("next_cursor"); cursor == nil {
			return all
		}
	}
}

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/vitrine-crm/vitrine/adapters/pages"
	"github.com/vitrine-crm/vitrine/apps/internal/demo"
)

// example is what was sent to an operation, and what came back.
type example struct {
	Request any `json:"request,omitempty"`
	Answer  any `json:"answer,omitempty"`
}

// exampleScript sends what the docs page sends first, and keeps what comes of it.
type exampleScript struct {
	*client
	kept map[string]example
}

// drawn is what differs from run to run: addresses, secrets, ids of requests.
var drawn = []struct {
	found *regexp.Regexp
	shown string
}{
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+`), "https://crm.example.org"},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "66a46de1-7fb5-4316-aa61-9965eef7d554"},
	{regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`), "whsec_cDJrdjBzWmJYbFduOGNUNXJHZEoxaE1lVQ=="},
	{regexp.MustCompile(`[A-Za-z0-9+=_-]{40,}`), "kQ3vY0sZbXlWn8cT5rGdJ1hMeU2pFoAi"},
	{regexp.MustCompile(`"duration_ms":[\d.]+`), `"duration_ms":12`},
	{regexp.MustCompile(`"received_at":"[^"]+"`), `"received_at":"2026-09-16T08:30:00.000Z"`},
	{regexp.MustCompile(`test_[0-9a-f]{24}`), "test_0a1b2c3d4e5f60718293a4b5"},
}

func steady(t testing.TB, text []byte) (value any) {
	t.Helper()
	for _, d := range drawn {
		text = d.found.ReplaceAll(text, []byte(d.shown))
	}
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// play sends a request, and keeps what comes of it.
func (r *exampleScript) play(q pages.Request) {
	r.t.Helper()
	r.keep(r.ask(q))
}

// ask sends a request with its body, or with a picture where a file is wanted.
func (r *exampleScript) ask(q pages.Request) (request *http.Request, body any, a answer) {
	r.t.Helper()
	if r.takesFile(q) {
		file := "facade.jpg"
		sent, mediaType := form("file", file, picture(800, 20))
		return r.request(q.Method, r.w.url+q.Path, nil), object{"file": file}, r.send(q.Method, r.w.url+q.Path, string(sent), "Content-Type", mediaType)
	}
	if q.Body != "" {
		if err := json.Unmarshal([]byte(q.Body), &body); err != nil {
			r.t.Fatalf("%s: %v", q.Body, err)
		}
	}
	return r.request(q.Method, r.w.url+q.Path, body), body, r.send(q.Method, r.w.url+q.Path, body)
}

func (r *exampleScript) takesFile(q pages.Request) bool {
	in, err := document().input(r.request(q.Method, r.w.url+q.Path, nil))
	if err != nil {
		r.t.Fatalf("%s: %v", q.Path, err)
	}
	body := in.Route.Operation.RequestBody
	return body != nil && body.Value.Content["multipart/form-data"] != nil
}

func (r *exampleScript) keep(request *http.Request, body any, a answer) {
	r.t.Helper()
	if a.status >= 300 {
		r.t.Errorf("%s", a)
		return
	}
	in, err := document().input(request)
	if err != nil {
		r.t.Fatalf("%s: %v", a, err)
	}
	operation := in.Route.Operation
	id, isOperation := operation.Extensions["x-operation"].(string)
	if _, known := r.kept[id]; known || !isOperation {
		return
	}
	kept := example{}
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			r.t.Fatal(err)
		}
		kept.Request = steady(r.t, text)
		for _, media := range operation.RequestBody.Value.Content {
			r.valid(id, media.Schema, kept.Request)
		}
	}
	if len(a.body) > 0 {
		kept.Answer = steady(r.t, a.body)
		r.valid(id, operation.Responses.Status(a.status).Value.Content.Get("application/json").Schema, kept.Answer)
	}
	r.kept[id] = kept
}

// valid holds an example against its schema.
func (r *exampleScript) valid(id string, described *openapi3.SchemaRef, example any) {
	r.t.Helper()
	schema, err := document().compiled(described)
	if err == nil {
		err = schema.Validate(example)
	}
	if err != nil {
		r.t.Errorf("the example of %s: %v", id, err)
	}
}

// withoutExample cannot be tried: a hold ends after some minutes, and its token is shown
// once. There is nothing to say about it but that it ends.
const withoutExample = "booking.release"

// complete demands that each operation is tried.
func (r *exampleScript) complete() {
	for _, o := range append(r.w.Operations(), r.w.TokenOperations()...) {
		if _, found := r.kept[o.ID]; !found && o.ID != withoutExample {
			r.t.Errorf("%s has no example: add a line to apps/internal/demo/requests.txt", o.ID)
		}
	}
}

// tokens records the operations that need no token, whose bodies are forms.
func (r *exampleScript) tokens() {
	var form object
	say := func(operation, name string, value any) answer {
		form = object{name: value}
		path := "/api/client/token/" + operation
		a := r.form(path, "sandbox-network", "sandbox-network-secret", url.Values{name: {fmt.Sprint(value)}}).is(200)
		r.keep(r.request("POST", path, nil), form, a)
		return a
	}
	issued := say("site", "site_id", 1)
	renewed := say("refresh", "refresh_token", issued.text("refresh_token"))
	say("revoke", "token", renewed.text("access_token"))
}

// The examples of the API document are what a sandbox answers to those requests that
// its docs page sends first, each where no other one was sent before.
func TestExamplesGolden(t *testing.T) {
	t.Parallel()
	morning := time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)
	tokens := ownWorld(t, standingStill(morning)) // a token that is forgotten cannot be renewed
	r := &exampleScript{client: tokens.network(t), kept: map[string]example{}}
	r.tokens()
	w := everFresh(t, "memory", morning)
	r.client = w.network(t)
	all, err := demo.Requests(t.Context(), w.ports)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range all {
		r.play(q)
	}
	r.complete()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(r.kept); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "internal", "wire", "examples.json")
	if os.Getenv("VITRINE_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if known, err := os.ReadFile(path); err != nil || !bytes.Equal(known, text.Bytes()) {
		t.Errorf("%s is not what the server answers; run `make golden` and look at the difference (%v)", path, err)
	}
}

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// example is what was sent to an operation, and what came back.
type example struct {
	Request any `json:"request,omitempty"`
	Answer  any `json:"answer,omitempty"`
}

// exampleScript plays lines of examples.txt, and keeps the first good exchange of each
// operation.
type exampleScript struct {
	*client
	names map[string]string
	kept  map[string]example
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

var placeholder = regexp.MustCompile(`\{([a-z]+)\}`)

func (r *exampleScript) filled(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if value, known := r.names[strings.Trim(name, "{}")]; known {
			return value
		}
		return name
	})
}

func (r *exampleScript) play(line string) {
	r.t.Helper()
	parts := append(strings.Split(r.filled(line), "|"), "", "")
	method, path, _ := strings.Cut(strings.TrimSpace(parts[0]), " ")
	var body any
	if text := strings.TrimSpace(parts[1]); text != "" {
		if err := json.Unmarshal([]byte(text), &body); err != nil {
			r.t.Fatalf("%s: %v", line, err)
		}
	}
	a := r.send(method, path, body)
	if a.status >= 300 {
		r.t.Errorf("%s", a)
		return
	}
	r.names["request"] = a.header.Get("X-Request-Id")
	r.keep(r.request(method, path, body), body, a)
	if name := strings.TrimSpace(parts[2]); name != "" {
		name, at, _ := strings.Cut(name, "=")
		if at == "" {
			at = "data.id"
		}
		r.names[name] = fmt.Sprint(a.at(at))
	}
}

func (r *exampleScript) keep(request *http.Request, body any, a answer) {
	in, err := document().input(request)
	if err != nil {
		r.t.Fatalf("%s: %v", a, err)
	}
	operation := in.Route.Operation
	id := operation.Extensions["x-operation"].(string)
	if _, known := r.kept[id]; known {
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

// withoutExample has no example: only a delivery that came to an end can be sent again,
// and nothing leaves the server of this test.
const withoutExample = "hook.redeliver"

// complete demands an example of every operation that answers with something, or is
// asked with something that is no file.
func (r *exampleScript) complete() {
	for _, o := range append(r.w.Operations(), r.w.TokenOperations()...) {
		_, found := r.kept[o.ID]
		asked := slices.ContainsFunc(reflect.VisibleFields(o.In), func(f reflect.StructField) bool { return f.Tag.Get("json") != "" })
		if !found && (asked || o.Status != http.StatusNoContent) && o.ID != withoutExample {
			r.t.Errorf("%s has no example: add a line to testdata/examples.txt", o.ID)
		}
	}
}

// tokens records the operations that need no token, whose bodies are forms.
func (r *exampleScript) tokens() {
	var form object
	say := func(operation, name string, value any) answer {
		form = object{name: value}
		path := "/api/client/token/" + operation
		a := r.form(path, "sandbox-rival", "sandbox-rival-secret", url.Values{name: {fmt.Sprint(value)}}).is(200)
		r.keep(r.request("POST", path, nil), form, a)
		return a
	}
	issued := say("site", "site_id", 2)
	renewed := say("refresh", "refresh_token", issued.text("refresh_token"))
	say("revoke", "token", renewed.text("access_token"))
}

// action is the id of a type of action about a kind of record.
func (r *exampleScript) action(about string) string {
	for _, one := range r.get("/actions/types").is(200).list("data") {
		if kind := one.(object); kind["is_active"] == true && (kind["target"] == about || kind["target"] == "both") {
			return fmt.Sprint(kind["id"])
		}
	}
	r.t.Fatalf("there is no action about a %s", about)
	return ""
}

// The examples of the API document are what a server answers.
func TestExamplesGolden(t *testing.T) {
	w := ownWorld(t, standingStill(time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC)))
	c := w.rival(t)
	r := &exampleScript{client: c, names: map[string]string{}, kept: map[string]example{}}
	r.names["action"], r.names["act"] = r.action("product"), r.action("customer")
	r.tokens()
	w.knowIndices(t)
	script, err := os.ReadFile(filepath.Join("testdata", "examples.txt"))
	if err != nil {
		t.Fatal(err)
	}
	body, mediaType := form("file", "facade.jpg", picture(800, 20))
	for line := range strings.Lines(string(script)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "GET /products/{home}/pictures") && r.names["picture"] == "" {
			r.names["picture"] = r.send("POST", r.filled("/products/{home}/pictures/public"), string(body), "Content-Type", mediaType).is(204).header.Get("X-Picture-Id")
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			r.play(line)
		}
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

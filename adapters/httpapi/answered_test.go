package httpapi

import (
	"context"
	"net/http"
	"testing"
)

type witnessKey struct{}

// witness remembers what an Observer was told of.
type witness struct {
	begun    []string
	answered []Answered
}

// Begin implements Observer.
func (o *witness) Begin(r *http.Request) (context.Context, func(Answered)) {
	o.begun = append(o.begun, r.URL.Path)
	return context.WithValue(r.Context(), witnessKey{}, true), func(a Answered) { o.answered = append(o.answered, a) }
}

func TestAnObserverIsToldHowEachRequestWasAnswered(t *testing.T) {
	told := &witness{}
	r := newRig(Options{Observer: told})
	within := false
	r.routes.add(r.server, http.MethodGet, "/within/{id}/{name}", "within", http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		within, _ = req.Context().Value(witnessKey{}).(bool)
	}))
	r.routes.add(r.server, http.MethodGet, "/aborted", "aborted", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	r.ready()

	r.ask("", "GET /within/7/secret", "")
	if !within {
		t.Error("a request is not worked on in the context of the observer")
	}
	r.ask("full", "GET "+base+"/things/404", "")
	r.ask("", "GET "+base+"/sick", "")
	r.ask("full", "GET "+base+"/sick", "")
	r.ask("", "GET /secret", "")
	func() {
		defer func() { _ = recover() }()
		r.ask("", "GET /aborted", "")
	}()

	want := []Answered{
		{Operation: "within", Route: "/within/{id}/{name}", Path: "/within/7/{name}", Status: 200},
		{Operation: "thing.get", Route: base + "/things/{thingId}", Path: base + "/things/404", Status: 404, Site: 1, Credential: "full", Code: "not_found"},
		{Operation: "sick", Route: base + "/sick", Path: base + "/sick", Status: 401, Code: "unauthenticated"},
		{Operation: "sick", Route: base + "/sick", Path: base + "/sick", Status: 500, Site: 1, Credential: "full", Code: "internal_error"},
		{Status: 404, Code: "unknown_route"},
		{Operation: "aborted", Route: "/aborted", Path: "/aborted", Status: 200},
	}
	if len(told.begun) != len(want) || len(told.answered) != len(want) {
		t.Fatalf("the observer was told of %d requests and %d answers, want %d", len(told.begun), len(told.answered), len(want))
	}
	for i, got := range told.answered {
		if !uuid4.MatchString(got.ID) {
			t.Errorf("the id is %q", got.ID)
		}
		if got.ID = ""; got != want[i] {
			t.Errorf("%s: %+v, want %+v", told.begun[i], got, want[i])
		}
	}
}

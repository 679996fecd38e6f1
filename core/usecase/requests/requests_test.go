package requests_test

import (
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/requests"
)

// world is a service with a request log, and a network in its store.
type world struct {
	*apitest.World
	*requests.Service
	log *memstore.RequestLog
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: apitest.New(t), log: memstore.NewRequestLog()}
	ports := apitest.Ports(w.Store, w.Clock)
	ports.Requests, ports.Traffic = w.log, w.log
	service, err := siteapi.New(ports, kernel.Options{Domain: "https://crm.example.org", Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	w.Service = service.Requests
	return w
}

// keep stores requests as they are.
func (w *world) keep(kept ...trace.Request) {
	w.T.Helper()
	if err := w.log.Add(w.T.Context(), kept); err != nil {
		w.T.Fatal(err)
	}
}

// operator is a caller without a credential.
func (w *world) operator(g access.Grant) kernel.Caller {
	w.T.Helper()
	g.Site = 1
	c, err := w.Admit(w.T.Context(), g)
	if err != nil {
		w.T.Fatal(err)
	}
	return c
}

func everything() access.Grant {
	return access.Grant{Packs: access.AllPacks, Permissions: []access.Permission{access.All}, Rights: []access.Right{access.All}}
}

func TestAClientSeesItsOwnRequestsOnly(t *testing.T) {
	w := newWorld(t)
	at := w.Clock.Now()
	w.keep(
		trace.Request{ID: "own", Site: 1, Credential: "full", At: at}, trace.Request{ID: "other client", Site: 1, Credential: "web", At: at},
		trace.Request{ID: "other site", Site: 2, Credential: "full", At: at}, trace.Request{ID: "own token", Credential: "full", At: at},
		trace.Request{ID: "nobody's", At: at},
	)
	client, operator := w.As("full", 1), w.operator(everything())
	for id, seen := range map[string][2]bool{
		"own": {true, true}, "other client": {false, true}, "other site": {false, false}, "own token": {true, true}, "nobody's": {false, true}, "none": {false, false},
	} {
		for i, caller := range []kernel.Caller{client, operator} {
			r, err := w.Get(t.Context(), caller, id)
			if seen[i] {
				if err != nil || r.ID != id {
					t.Errorf("caller %d reads %s: %+v, %v", i, id, r, err)
				}
				continue
			}
			apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
		}
	}
	page, err := w.Find(t.Context(), []kernel.Caller{client}, trace.Filter{Site: 2, Credential: "web"}, "")
	if err != nil || len(page.Requests) != 1 || page.Requests[0].ID != "own" {
		t.Errorf("a client finds %+v, %v", page, err)
	}
	page, err = w.Find(t.Context(), []kernel.Caller{operator}, trace.Filter{}, "")
	if err != nil || len(page.Requests) != 2 {
		t.Errorf("an operator finds %+v, %v", page, err)
	}
}

func TestBodiesAreShownToWhomTheOperationAdmits(t *testing.T) {
	w := newWorld(t)
	w.keep(
		trace.Request{ID: "customer", Site: 1, Operation: "customer.create", Sent: "{}"},
		trace.Request{ID: "product", Site: 1, Operation: "product.create", Sent: "{}"},
		trace.Request{ID: "none", Site: 1, Operation: "none", Sent: "{}"},
	)
	integrator := access.Grant{
		Packs: access.Properties | access.Agencies | access.Configs | access.Webhooks, Permissions: []access.Permission{access.ProductRead, access.ProductWrite}, Rights: []access.Right{access.All},
	}
	reader := integrator
	reader.Permissions = []access.Permission{access.ProductRead}
	for name, c := range map[string]struct {
		grant             access.Grant
		customer, product bool
	}{"administrator": {everything(), true, true}, "integrator": {integrator, false, true}, "reader": {reader, false, false}} {
		caller := w.operator(c.grant)
		for id, shown := range map[string]bool{"customer": c.customer, "product": c.product, "none": false} {
			r, err := w.Get(t.Context(), caller, id)
			if err != nil || (r.Sent != "") != shown {
				t.Errorf("the %s reads of %s %q, %v", name, id, r.Sent, err)
			}
		}
	}
}

func TestPagesOfRequestsMeet(t *testing.T) {
	w := newWorld(t)
	const n = 120
	for i := range n {
		w.keep(trace.Request{ID: string(rune('a'+i%26)) + time.Duration(i).String(), Site: 1, At: w.Clock.Now().Add(time.Duration(i/10) * time.Second)})
	}
	caller, cursor, seen := w.operator(everything()), "", []trace.Request(nil)
	for pages := 0; ; pages++ {
		page, err := w.Find(t.Context(), []kernel.Caller{caller}, trace.Filter{}, cursor)
		if err != nil || pages > 3 {
			t.Fatal(pages, err)
		}
		seen = append(seen, page.Requests...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(seen) != n {
		t.Fatalf("%d of %d were found", len(seen), n)
	}
	for i := range seen[1:] {
		if trace.Later(seen[i], seen[i+1]) >= 0 {
			t.Fatalf("%v comes before %v", seen[i], seen[i+1])
		}
	}
	_, err := w.Find(t.Context(), []kernel.Caller{caller}, trace.Filter{}, "made up")
	apitest.RefusedField(t, err, fault.CodeInvalidCursor, "cursor")
}

func TestWithoutAPlaceForRequestsThereAreNone(t *testing.T) {
	w := apitest.New(t)
	caller := w.As("full", 1)
	if w.Requests.Kept() {
		t.Error("requests are kept nowhere")
	}
	_, err := w.Requests.GetRequest(t.Context(), caller, requests.RequestPath{ID: "r"})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	_, err = w.Requests.GetReadiness(t.Context(), caller, kernel.Nothing{})
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
	_, err = w.Requests.Traffic(t.Context(), caller, w.Clock.Now(), w.Clock.Now(), time.Minute)
	apitest.Refused(t, err, fault.NotFound, fault.CodeNotFound)
}

func TestTrafficIsTheCallersOwn(t *testing.T) {
	w := newWorld(t)
	minute := w.Clock.Now().Truncate(time.Minute)
	count := func(credential access.CredentialID, n int64) trace.Count {
		return trace.Count{Kind: trace.Kind{Site: 1, Operation: "product.get", Credential: credential, Class: 2}, Start: minute, Width: time.Minute, Tally: trace.Tally{N: n}}
	}
	if err := w.log.Count(t.Context(), []trace.Count{count("full", 3), count("web", 4)}, []trace.Deprecated{
		{Site: 1, Credential: "full", Operation: "product.create", Name: "agencyId", Day: minute.Truncate(24 * time.Hour), N: 1, Last: "r1"},
		{Site: 1, Credential: "web", Operation: "product.search", Name: "sortType", Day: minute.Truncate(24 * time.Hour), N: 2, Last: "r2"},
	}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		caller kernel.Caller
		n      []int64
		names  int
	}{"client": {w.As("full", 1), []int64{3}, 1}, "operator": {w.operator(everything()), []int64{3, 4}, 2}} {
		series, err := w.Traffic(t.Context(), c.caller, minute, minute.Add(time.Hour), time.Minute)
		if err != nil || len(series) != len(c.n) {
			t.Fatalf("the %s sees %+v, %v", name, series, err)
		}
		for i, n := range c.n {
			if got := series[i].Sum().N; got != n || len(series[i].Tallies) != 60 {
				t.Errorf("the %s counts %d of %s in %d steps", name, got, series[i].Credential, len(series[i].Tallies))
			}
		}
		names, err := w.Readiness(t.Context(), c.caller)
		if err != nil || len(names) != c.names {
			t.Errorf("the %s is told %+v, %v", name, names, err)
		}
	}
	_, err := w.Traffic(t.Context(), w.As("full", 1), minute, minute.Add(time.Hour), time.Second)
	apitest.RefusedField(t, err, fault.CodeOutOfRange, "step")
}

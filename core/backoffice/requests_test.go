package backoffice_test

import (
	"errors"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// withRequests is a world that keeps files, and requests: of site 1 one about a listing, one about
// a listing with its owner, and one about a customer; one of site 2.
func withRequests(t *testing.T, w *apitest.World) *apitest.World {
	t.Helper()
	log := memstore.NewRequestLog()
	now := w.Clock.Now()
	about := []customer.ID{1001}
	if err := log.Add(t.Context(), []trace.Request{
		{ID: "req_plain", Site: 1, At: now, Operation: "product.search", Status: 422, Sent: "sent", Answered: "answered", Query: "q=1"},
		{ID: "req_owner", Site: 1, At: now, Operation: "product.create", Status: 201, Sent: "sent", Customers: about},
		{ID: "req_person", Site: 1, At: now, Operation: "customer.update", Status: 204, Sent: "sent", Customers: about},
		{ID: "req_other", Site: 2, At: now, Operation: "product.search", Status: 422, Sent: "sent"},
	}); err != nil {
		t.Fatal(err)
	}
	ports := apitest.Ports(w.Store, w.Clock)
	ports.Requests, ports.Traffic, ports.Blobs = log, log, memstore.NewBlobs(w.Clock.Now)
	service, err := siteapi.New(ports, kernel.Options{Domain: "https://crm.example.org", Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	w.Service = service
	return w
}

// TestRolesSeeOfRequestsWhatTheyMay: readers no bodies, integrators no requests about
// people, and nobody what is of another site.
func TestRolesSeeOfRequestsWhatTheyMay(t *testing.T) {
	w := over(t, withRequests(t, apitest.New(t)))
	for role, want := range map[operator.Role]map[string]bool{ // whether there is a body
		operator.Administrator: {"req_plain": true, "req_owner": true, "req_person": true},
		operator.Integrator:    {"req_plain": true, "req_owner": false},
		operator.Reader:        {"req_plain": false, "req_owner": false},
	} {
		a := w.operator(t, string(role)+"@example.org", role, 1)
		for _, id := range []string{"req_plain", "req_owner", "req_person", "req_other"} {
			r, err := w.GetRequest(t.Context(), a, on(backoffice.RequestPath{ID: id}))
			body, sees := want[id]
			if sees != (err == nil) || !sees && !errors.Is(err, fault.NotFound) || (r.Sent != "") != body || !body && r.Answered+r.Query != "" {
				t.Errorf("%s, %s: %+v, %v", role, id, r, err)
			}
		}
		page := do(t, w.FindRequests, a, backoffice.FindRequests{Sites: []site.ID{1}})
		if len(page.Requests) != len(want) {
			t.Errorf("%s is listed %+v", role, page.Requests)
		}
		for _, r := range page.Requests {
			if _, sees := want[r.ID]; !sees {
				t.Errorf("%s is listed %s", role, r.ID)
			}
		}
	}
}

package backoffice_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/requests"
)

// Failed sign-ins are seen at the sites that their client reaches; those of unknown clients, and
// other requests without a site, by operators of all sites.
func TestFailedSignInsAreSeenWhereTheirClientIs(t *testing.T) {
	inner := withRequests(t, apitest.New(t))
	now := inner.Clock.Now()
	for id, claimed := range map[string]access.CredentialID{"req_full": "full", "req_group": "rival", "req_unknown": access.UnknownClient, "req_nobody": ""} {
		r := trace.Request{ID: id, At: now, Operation: "token.site", Status: 401, Claimed: claimed}
		inner.Requests.Record(r)
		inner.Requests.Seen(requestSeen(r))
	}
	if err := inner.Requests.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := over(t, inner)
	at := func(id site.ID) backoffice.FindRequests {
		return backoffice.FindRequests{Sites: []site.ID{id}, Filter: trace.Filter{SignIns: true}}
	}
	reader := w.operator(t, "reader@example.org", operator.Reader, 1)
	for of, want := range map[int64]string{1: "req_full", 2: "req_group"} {
		a := w.operator(t, "at"+want+"@example.org", operator.Reader, of)
		page := do(t, w.FindRequests, a, at(site.ID(of)))
		if len(page.Requests) != 1 || page.Requests[0].ID != want {
			t.Errorf("at site %d there are %+v", of, page.Requests)
		}
	}
	for id, sees := range map[string]bool{"req_full": true, "req_group": false, "req_unknown": true, "req_nobody": true} {
		_, err := w.GetRequest(t.Context(), reader, on(backoffice.RequestPath{ID: id}))
		if sees != (err == nil) || !sees && !errors.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
	all := do(t, w.FindSitelessRequests, w.admin, backoffice.FindRequests{})
	failed := do(t, w.FindSitelessRequests, w.admin, backoffice.FindRequests{Filter: trace.Filter{SignIns: true}})
	if len(all.Requests) != 4 || len(failed.Requests) != 3 {
		t.Errorf("without a site there are %d requests, %d of them failed sign-ins", len(all.Requests), len(failed.Requests))
	}
	if _, err := w.FindSitelessRequests(t.Context(), reader, backoffice.FindRequests{}); !errors.Is(err, fault.Forbidden) {
		t.Errorf("an operator of one site: %v", err)
	}
	count := on(backoffice.CountRequests{From: now.Add(-time.Hour), Until: now.Add(time.Minute), Step: time.Minute})
	for name, c := range map[string]struct {
		by   backoffice.Actor
		want []access.CredentialID
	}{"reader": {reader, []access.CredentialID{"full"}}, "administrator": {w.admin, []access.CredentialID{access.UnknownClient, "full"}}} {
		var got []access.CredentialID
		for _, s := range do(t, w.CountSignIns, c.by, count) {
			got = append(got, s.Credential)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: there are counts of %v", name, got)
		}
	}
}

func requestSeen(r trace.Request) requests.Seen {
	return requests.Seen{Kind: trace.Kind{Operation: r.Operation, Credential: r.Claimed, Class: trace.Class(r.Status)}, ID: r.ID, At: r.At, Important: true}
}

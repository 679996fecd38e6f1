package kernel_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

func TestWhoIsAdmitted(t *testing.T) {
	k := newKernel(t)
	_, err := k.Admit(t.Context(), access.Grant{Site: 9})
	if !kernel.IsAbsent(err) {
		t.Errorf("a site that is not there: %v", err)
	}
	network := apitest.Network()
	network.Sites[0].Disabled = true
	k.world.Provision(network)
	_, err = k.Admit(t.Context(), access.Grant{Site: 1})
	apitest.Refused(t, err, fault.Forbidden, fault.CodeSiteDisabled)
	if c, err := k.System(t.Context(), 1); err != nil || c.Grant.Credential != "" || !c.Site.Record.Disabled {
		t.Errorf("the system at a disabled site: %+v, %v", c.Grant, err)
	}
}

// A website is not shown what is private, and whoever works for an agency is.
func TestWhoIsPublic(t *testing.T) {
	k := newKernel(t)
	c := k.caller(1)
	for pack, public := range map[access.Packs]bool{
		access.Websites: true, access.Websites | access.Webhooks | access.Leads | access.Users: true, 0: true,
		access.Properties: false, access.Sales: false, access.Customers | access.Websites: false,
	} {
		c.Grant.Packs = pack
		if c.IsPublic() != public || c.Veil().Addresses != public || c.Veil().Private["Remarques"] != public || c.Reading().Public != public {
			t.Errorf("with %s: public %t, veil %+v", pack, c.IsPublic(), c.Veil())
		}
	}
}

func TestAgenciesOfARequest(t *testing.T) {
	k := newKernel(t)
	network, rival := k.caller(1), k.caller(2)
	none := opt.Field[int64]{}
	for name, c := range map[string]struct {
		caller  kernel.Caller
		given   opt.Field[int64]
		want    site.AgencyID
		kind    fault.Kind
		code    fault.Code
		problem bool
	}{
		"one in scope":            {network, opt.Of(int64(12)), 12, 0, "", false},
		"one that left":           {network, opt.Of(int64(13)), 13, fault.Forbidden, fault.CodeAgencyOutOfScope, false},
		"another site's":          {network, opt.Of(int64(21)), 21, fault.Forbidden, fault.CodeAgencyOutOfScope, false},
		"none, of several":        {network, none, 0, fault.Invalid, fault.CodeRequired, true},
		"none, of one":            {rival, none, 21, 0, "", false},
		"what is no id":           {network, opt.Of(int64(0)), 0, fault.Invalid, fault.CodeOutOfRange, true},
		"what is no id, negative": {rival, opt.Of(int64(-21)), -21, fault.Invalid, fault.CodeOutOfRange, true},
	} {
		var problems fault.Problems
		got, err := c.caller.AgencyOf(c.given, &problems)
		if c.problem {
			apitest.RefusedField(t, problems.Err(), c.code, "agency_id")
		} else if problems.Err() != nil {
			t.Errorf("%s: %v", name, problems.Err())
		}
		switch {
		case c.code != "" && !c.problem:
			apitest.Refused(t, err, c.kind, c.code)
		case err != nil || got != c.want:
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
	var problems fault.Problems
	if all, err := network.ListedAgencies(none, &problems); err != nil || len(all) != 2 || all[0] != 11 {
		t.Errorf("a list is about %v, %v", all, err)
	}
	if one, err := network.ListedAgencies(opt.Of(int64(12)), &problems); err != nil || len(one) != 1 || one[0] != 12 {
		t.Errorf("a list is about %v, %v", one, err)
	}
}

func TestUsersOfARequest(t *testing.T) {
	c := newKernel(t).caller(1)
	for id, fine := range map[int64]bool{101: true, 102: false, 103: false, 201: false, 9: false, 0: false} {
		var problems fault.Problems
		if c.CheckUser(opt.Of(id), 0, &problems); fine != (problems.Err() == nil) {
			t.Errorf("user %d: %v", id, problems.Err())
		}
	}
	var problems fault.Problems
	if c.CheckUser(opt.Of(int64(102)), 102, &problems); problems.Err() != nil {
		t.Errorf("who is there already may stay: %v", problems.Err())
	}
	if c.CheckUser(opt.Field[int64]{}, 0, &problems); problems.Err() != nil {
		t.Errorf("no user: %v", problems.Err())
	}
}

// G13: without an offset a date-time is one of the site's zone.
func TestDatesOfASite(t *testing.T) {
	c := newKernel(t).caller(1)
	for text, want := range map[string]string{
		"2026-09-16T18:00:00": "2026-09-16T16:00:00Z", "2026-12-16T18:00:00": "2026-12-16T17:00:00Z", "2026-09-16T18:00:00+09:00": "2026-09-16T09:00:00Z",
	} {
		var problems fault.Problems
		if got := c.Site.Date("date", text, &problems); problems.Err() != nil || got.UTC().Format(time.RFC3339) != want {
			t.Errorf("%s is %s, %v", text, got, problems.Err())
		}
	}
	var problems fault.Problems
	if got := c.Site.Date("date", "  ", &problems); !got.IsZero() || problems.Err() != nil {
		t.Errorf("nothing is %s", got)
	}
	c.Site.Date("date", "hier", &problems)
	apitest.RefusedField(t, problems.Err(), fault.CodeInvalidFormat, "date")
	if got := c.Site.Today(11, time.Date(2026, 9, 15, 22, 30, 0, 0, time.UTC)); got != "2026-09-16" {
		t.Errorf("after midnight in Paris it is %s", got)
	}
}

func TestASiteInAnUnknownZoneCannotBeRead(t *testing.T) {
	k := newKernel(t)
	ports := apitest.Ports(k.world.Store, k.world.Clock)
	ports.Zone = func(name string) (*time.Location, error) { return nil, fault.NotFound }
	other, err := kernel.NewKernel(ports, kernel.Options{Pepper: make([]byte, 16)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.System(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "site 1") {
		t.Errorf("got %v", err)
	}
}

// What rarely changes is read again when it did, and shared until then.
func TestASiteIsReadAgainWhenItChanges(t *testing.T) {
	k := newKernel(t)
	first := k.caller(1)
	k.world.CreateProduct()
	again := k.caller(1)
	if again.Site.SiteView != first.Site.SiteView || again.Site.Head.Seq != first.Site.Head.Seq+1 {
		t.Errorf("after a product the view is another, or the head is %+v", again.Site.Head)
	}
	k.world.Redefine(func(c *transfer.SetupCriterion) { c.IsPrivate = c.Key == "Prix" })
	if changed := k.caller(1); changed.Site.SiteView == first.Site.SiteView || !changed.Site.Veil.Private["Prix"] || first.Site.Veil.Private["Prix"] {
		t.Errorf("after a change of settings private are %v, before %v", changed.Site.Veil.Private, first.Site.Veil.Private)
	}
}

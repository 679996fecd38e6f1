package lead_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// some draws a lead that differs from others in little.
func some(t *rapid.T) lead.Lead {
	of := func(name string, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, name) }
	return lead.Lead{
		ID: lead.ID(rapid.IntRange(1, 3).Draw(t, "id")), Kind: rapid.SampledFrom([]lead.Kind{lead.Seller, lead.Buyer}).Draw(t, "kind"),
		Status: of("status", lead.Statuses()...), User: site.UserID(rapid.IntRange(0, 1).Draw(t, "user")),
		Product: product.ID(rapid.IntRange(0, 1).Draw(t, "product")),
		Contact: lead.Contact{Email: of("email", "", "ada@example.com", "ADA@example.com"), Phone: of("phone", "", "06 12", "0612"), Lastname: of("name", "", "Byron")},
		Message: of("message", "", "hello"), Origin: of("origin", "", "PORTAIL", "portail", "APPEL"), ExternalID: of("their id", "", "x", "X"),
		Project: lead.Project{Kind: of("project", "", "VENTE"), City: of("city", "", "Évian", "EVIAN"), PostalCode: of("postal code", "", "74500")},
	}
}

func TestAStatusIsSettledOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := some(t)
		settled := l
		settled.Settle()
		if !slices.Contains(lead.Statuses(), settled.Status) {
			t.Fatalf("%q is no status", settled.Status)
		}
		twice := settled
		if twice.Settle(); !reflect.DeepEqual(twice, settled) {
			t.Fatalf("%+v is settled and becomes %+v", settled, twice)
		}
		if settled.Status == lead.StatusAssigned && settled.User == 0 || settled.Status == lead.StatusNew && settled.User != 0 {
			t.Fatalf("%s with agent %d", settled.Status, settled.User)
		}
		if settled.Status = l.Status; !reflect.DeepEqual(settled, l) {
			t.Fatalf("more than the status of %+v was changed: %+v", l, settled)
		}
	})
}

func TestStatusesAndProjectsAreListedOnce(t *testing.T) {
	for _, list := range [][]string{lead.Statuses(), lead.Projects()} {
		sorted := slices.Sorted(slices.Values(list))
		if len(list) == 0 || slices.Contains(list, "") || len(slices.Compact(sorted)) != len(list) {
			t.Errorf("%q", list)
		}
	}
	if got := lead.Statuses()[:2]; !slices.Equal(got, []string{lead.StatusNew, lead.StatusAssigned}) {
		t.Errorf("leads begin as %q", got)
	}
	if !slices.Contains(lead.Projects(), lead.ProjectEstimation) {
		t.Error("nobody wants an estimation")
	}
	list := lead.Statuses()
	list[0] = "x"
	if lead.Statuses()[0] != lead.StatusNew {
		t.Error("whoever lists the statuses can change them")
	}
}

// Whatever somebody said, what is left afterwards is named here, and nothing else.
func TestAnAnonymousLeadKeepsWhatIsNobodysOwn(t *testing.T) {
	var known lead.Lead
	apitest.Fill(t, &known)
	want := lead.Lead{
		ID: known.ID, Site: known.Site, Agency: known.Agency, User: known.User, Kind: known.Kind, Status: known.Status,
		Customer: known.Customer, CustomerCreated: known.CustomerCreated, Product: known.Product, Search: known.Search, FollowUp: known.FollowUp,
		Origin: known.Origin, Project: lead.Project{Kind: known.Project.Kind}, Wish: lead.Wish{TransactionType: known.Wish.TransactionType},
		Added: known.Added, Modified: known.Modified, Version: known.Version,
	}
	left := known.Anonymous()
	if !reflect.DeepEqual(left, want) {
		t.Errorf("%+v is left, want %+v", left, want)
	}
	if !reflect.DeepEqual(left.Anonymous(), left) {
		t.Error("the second time something else goes")
	}
}

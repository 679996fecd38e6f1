package demand_test

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// some draws a lead that differs from others in little.
func some(t *rapid.T) demand.Lead {
	of := func(name string, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, name) }
	return demand.Lead{
		ID: demand.LeadID(rapid.IntRange(1, 3).Draw(t, "id")), Kind: rapid.SampledFrom([]demand.LeadKind{demand.SellerLead, demand.BuyerLead}).Draw(t, "kind"),
		Status: of("status", demand.LeadStatuses()...), User: site.UserID(rapid.IntRange(0, 1).Draw(t, "user")),
		Product:     product.ID(rapid.IntRange(0, 1).Draw(t, "product")),
		LeadContact: demand.LeadContact{Email: of("email", "", "ada@example.com", "ADA@example.com"), Phone: of("phone", "", "06 12", "0612"), Lastname: of("name", "", "Byron")},
		Message:     of("message", "", "hello"), Origin: of("origin", "", "PORTAIL", "portail", "APPEL"), ExternalID: of("their id", "", "x", "X"),
		Project: demand.Project{Kind: of("project", "", "VENTE"), City: of("city", "", "Évian", "EVIAN"), PostalCode: of("postal code", "", "74500")},
	}
}

func TestAStatusIsSettledOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := some(t)
		aligned := l
		aligned.AlignStatus()
		if !slices.Contains(demand.LeadStatuses(), aligned.Status) {
			t.Fatalf("%q is no status", aligned.Status)
		}
		twice := aligned
		if twice.AlignStatus(); !reflect.DeepEqual(twice, aligned) {
			t.Fatalf("%+v is aligned and becomes %+v", aligned, twice)
		}
		if aligned.Status == demand.LeadAssigned && aligned.User == 0 || aligned.Status == demand.LeadNew && aligned.User != 0 {
			t.Fatalf("%s with agent %d", aligned.Status, aligned.User)
		}
		if aligned.Status = l.Status; !reflect.DeepEqual(aligned, l) {
			t.Fatalf("more than the status of %+v was changed: %+v", l, aligned)
		}
	})
}

func TestStatusesAndProjectsAreListedOnce(t *testing.T) {
	for _, list := range [][]string{demand.LeadStatuses(), demand.Projects()} {
		sorted := slices.Sorted(slices.Values(list))
		if len(list) == 0 || slices.Contains(list, "") || len(slices.Compact(sorted)) != len(list) {
			t.Errorf("%q", list)
		}
	}
	if got := demand.LeadStatuses()[:2]; !slices.Equal(got, []string{demand.LeadNew, demand.LeadAssigned}) {
		t.Errorf("leads begin as %q", got)
	}
	if !slices.Contains(demand.Projects(), demand.ProjectEstimation) {
		t.Error("nobody wants an estimation")
	}
	list := demand.LeadStatuses()
	list[0] = "x"
	if demand.LeadStatuses()[0] != demand.LeadNew {
		t.Error("whoever lists the statuses can change them")
	}
}

// Whatever somebody said, what is left afterwards is named here, and nothing else.
func TestAnAnonymousLeadKeepsWhatIsNobodysOwn(t *testing.T) {
	var known demand.Lead
	apitest.Fill(t, &known)
	want := demand.Lead{
		ID: known.ID, Site: known.Site, Agency: known.Agency, User: known.User, Kind: known.Kind, Status: known.Status,
		Customer: known.Customer, CustomerCreated: known.CustomerCreated, Product: known.Product, Search: known.Search, FollowUp: known.FollowUp,
		Origin: known.Origin, Project: demand.Project{Kind: known.Project.Kind}, Wish: demand.Wish{TransactionType: known.Wish.TransactionType},
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

package transfer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// seeking describes a customer who looks for the product of described.
func seeking() transfer.Setup {
	setup, price := described(), 2000.0
	yes := true
	setup.Sites[0].Lists = append(setup.Sites[0].Lists, apitest.PeopleLists()...)
	setup.Sites[0].Customers = append(setup.Sites[0].Customers, transfer.SetupCustomer{
		ID: 1101, AgencyID: 11, UserID: 101, Type: "ACQUEREUR", Lastname: "Roux", Phone: "06 12 34 56 78",
		PhoneNumbers: []transfer.SetupPhone{{Number: "01 23 45 67 89"}},
		Consent:      &transfer.SetupConsent{Email: &yes, Source: "salon"},
		Related:      []transfer.SetupRelated{{Relation: "PARENT", Lastname: "Roux"}},
		Searches: []transfer.SetupSearch{{
			Name: "Maison", TransactionType: "Vente", PropertyTypes: []string{"Maison"}, PriceMax: &price,
			KeyPoints: []transfer.SetupKeyPoint{{ID: "Surface", Importance: "SOUHAITE", Value: uint64(20)}},
			Areas:     []transfer.SetupArea{{Type: "CITY", Label: "Lyon", Excluded: true}},
		}},
		FollowUps: []transfer.SetupFollowUp{{Product: "11-7", Search: "Maison", Rating: 3, Comment: "beau jardin"}},
	})
	return setup
}

func TestProvisioningKnowsWhatCustomersLookFor(t *testing.T) {
	w := apitest.New(t)
	w.Provision(seeking())
	full := w.As("full", 1)
	who, err := w.People.GetCustomer(t.Context(), full, people.CustomerPath{ID: 1101})
	if err != nil {
		t.Fatal(err)
	}
	if *who.Phone != "06 12 34 56 78" || len(who.PhoneNumbers) != 2 || who.Consent.Email == nil || who.Consent.ObtainedAt == nil || len(who.RelatedContacts) != 1 || who.Version == 0 {
		t.Errorf("the customer is %+v", who)
	}
	for _, number := range []string{"+33612345678", "01.23.45.67.89"} {
		found, err := w.People.SearchCustomers(t.Context(), full, people.SearchCustomers{Phone: opt.Of(number)})
		if err != nil || len(found.Data) != 1 || found.Data[0].ID != 1101 {
			t.Errorf("by %s: %+v, %v", number, found.Data, err)
		}
	}
	searches, err := w.People.ListSearchRequests(t.Context(), full, people.CustomerList{ID: 1101})
	if err != nil || len(searches.Data) != 1 || *searches.Data[0].PriceMax != 2000 || len(searches.Data[0].KeyPoints) != 1 || !searches.Data[0].Areas[0].Excluded || *searches.Data[0].UserID != 101 {
		t.Fatalf("the searches are %+v, %v", searches, err)
	}
	follows, err := w.People.ListFollowUps(t.Context(), full, people.CustomerList{ID: 1101})
	if err != nil || len(follows.Data) != 1 || *follows.Data[0].SearchID != searches.Data[0].ID || follows.Data[0].Status != "PROPOSE" || *follows.Data[0].Rating != 3 {
		t.Fatalf("the follow-ups are %+v, %v", follows, err)
	}
	if news := w.Events(1, 0); !slices.Contains(news, "SEARCH_CREATE") || !slices.Contains(news, "FOLLOWUP_CREATE") {
		t.Errorf("the ledger tells %v", news)
	}
}

func TestProvisioningBringsNobodyBackWhoWasJoined(t *testing.T) {
	w := apitest.New(t)
	w.Provision(seeking())
	full := w.As("full", 1)
	in := people.CreateCustomer{}
	in.AgencyID, in.Type, in.Lastname = opt.Of(int64(11)), opt.Of("ACQUEREUR"), opt.Of("Roux")
	made, err := w.People.CreateCustomer(t.Context(), full, in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.People.MergeCustomers(t.Context(), full, people.MergeCustomers{ID: made.ID, Goes: opt.Of(int64(1101))}); err != nil {
		t.Fatal(err)
	}
	w.Provision(seeking())
	_, err = w.People.GetCustomer(t.Context(), full, people.CustomerPath{ID: 1101})
	apitest.Refused(t, err, fault.Gone, fault.CodeCustomerMerged)
	if follows, err := w.People.ListFollowUps(t.Context(), full, people.CustomerList{ID: made.ID}); err != nil || len(follows.Data) != 1 {
		t.Errorf("%+v, %v", follows, err)
	}
}

func TestProvisioningLeavesCustomersAlone(t *testing.T) {
	w := apitest.New(t)
	w.Provision(seeking())
	full := w.As("full", 1)
	searches, err := w.People.ListSearchRequests(t.Context(), full, people.CustomerList{ID: 1101})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.People.DeleteSearchRequest(t.Context(), full, people.DeleteSearchRequest{CustomerID: 1101, ID: searches.Data[0].ID}); err != nil {
		t.Fatal(err)
	}
	seq := w.Seq(1)
	done, err := w.Transfer.Provision(t.Context(), seeking())
	if err != nil || done.Added != 0 || done.Changed != 0 || w.Seq(1) != seq {
		t.Errorf("provisioned again: %+v, %v, %d events", done, err, w.Seq(1)-seq)
	}
	if searches, err := w.People.ListSearchRequests(t.Context(), full, people.CustomerList{ID: 1101}); err != nil || len(searches.Data) != 0 {
		t.Errorf("a search request that was deleted is back: %+v, %v", searches, err)
	}
}

func TestProvisioningNamesWhatIsWrongWithACustomer(t *testing.T) {
	for want, spoil := range map[string]func(*transfer.SetupCustomer){
		"customer 1101: phone":                  func(c *transfer.SetupCustomer) { c.Phone = "06" },
		"customer 1101: email":                  func(c *transfer.SetupCustomer) { c.Email = "nobody" },
		"customer 1101: related_contacts[0].re": func(c *transfer.SetupCustomer) { c.Related[0].Relation = "AMI" },
		`search "Maison" of customer 1101: tra`: func(c *transfer.SetupCustomer) { c.Searches[0].TransactionType = "Don" },
		`no search "Villa"`:                     func(c *transfer.SetupCustomer) { c.FollowUps[0].Search = "Villa" },
		`no product "11-99"`:                    func(c *transfer.SetupCustomer) { c.FollowUps[0].Product = "11-99" },
		"follow-up of customer 1101: rating":    func(c *transfer.SetupCustomer) { c.FollowUps[0].Rating = 9 },
	} {
		w := apitest.Empty(t, memstore.New(), &apitest.Clock{})
		setup := seeking()
		spoil(&setup.Sites[0].Customers[2])
		if _, err := w.Transfer.Provision(t.Context(), setup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want one about %q", err, want)
		}
		if _, err := w.Store.Head(t.Context(), 1); err == nil {
			t.Errorf("after the error about %q, site 1 exists", want)
		}
	}
}

package deals_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/deals"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/offer"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/people"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

// A draft shows no search request that is gone, so nobody has to take it away
// before the buyers change.
func TestASearchRequestThatIsGoneStandsInNobodysWay(t *testing.T) {
	w := apitest.New(t)
	network := apitest.Network()
	network.Sites = network.Sites[:1]
	network.Sites[0].Customers = append(network.Sites[0].Customers, transfer.SetupCustomer{ID: 1004, AgencyID: 11, Type: "ACQUEREUR", Lastname: "Autre"})
	w.Provision(network)
	full, use := w.As("full", 1), w.Deals.Unchecked()
	search, err := w.People.CreateSearchRequest(t.Context(), full, people.CreateSearchRequest{CustomerID: 1001, Change: demand.Change{TransactionType: opt.Of("Vente")}})
	if err != nil {
		t.Fatal(err)
	}
	made, err := use.CreateOffer(t.Context(), full, deals.CreateOffer{Change: offer.Change{
		ProductID: opt.Of(w.CreateProduct("Statut", "EnCours")), Buyers: opt.Of([]int64{1001}), SearchID: opt.Of(search.ID), Amount: opt.Of(1000.0),
	}})
	if err != nil {
		t.Fatal(err)
	}
	change := func(in offer.Change) error {
		_, err := use.UpdateOffer(t.Context(), full, deals.UpdateOffer{ID: made.ID, Change: in})
		return err
	}
	others := opt.Of([]int64{1004})
	apitest.RefusedField(t, change(offer.Change{Buyers: others}), fault.CodeUnknownSearch, "search_id")
	if _, err := w.People.DeleteSearchRequest(t.Context(), full, people.DeleteSearchRequest{CustomerID: 1001, ID: search.ID}); err != nil {
		t.Fatal(err)
	}
	if err := change(offer.Change{Buyers: others}); err != nil {
		t.Errorf("the buyers cannot change: %v", err)
	}
	apitest.RefusedField(t, change(offer.Change{Buyers: opt.Of([]int64{1001}), SearchID: opt.Of(search.ID)}), fault.CodeUnknownSearch, "search_id")
	shown, err := use.GetOffer(t.Context(), full, deals.OfferPath{ID: made.ID})
	if err != nil || shown.SearchID != nil || !slices.Equal(shown.Buyers, others.Value) {
		t.Errorf("the offer is %+v, %v", shown, err)
	}
}

package deals_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/deal/offer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/deals"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
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

// Whatever somebody makes of the status of the product by hand, an offer for it is not
// accepted while an agreement about it is signed and has not ended.
func TestNoOfferIsAcceptedBesideALiveAgreement(t *testing.T) {
	w := apitest.New(t)
	network := apitest.Network()
	network.Sites = network.Sites[:1]
	network.Sites[0].Customers = append(network.Sites[0].Customers, transfer.SetupCustomer{ID: 1004, AgencyID: 11, Type: "ACQUEREUR", Lastname: "Autre"})
	network.Sites[0].Lists = append(network.Sites[0].Lists, transfer.SetupList{
		ID: 17, Key: "cancellation_reasons", Values: []transfer.SetupChoice{{ID: 1, Model: "ACCORD", Label: "Accord"}},
	})
	w.Provision(network)
	full, use := w.As("full", 1), w.Deals.Unchecked()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	in := apitest.InAgency(11)
	in.CustomerID, in.Criteria = opt.Of[int64](1001), apitest.Criteria("Statut", "EnCours")
	sold := w.CreateProductAs(full, in)
	made, err := use.CreateOffer(t.Context(), full, deals.CreateOffer{Change: offer.Change{
		ProductID: opt.Of(sold), Buyers: opt.Of([]int64{1004}), Amount: opt.Of(1000.0),
	}, Status: opt.Of(string(offer.Open))})
	must(err)
	agreed, err := use.CreateAgreement(t.Context(), full, deals.CreateAgreement{Change: agreement.Change{
		Type: opt.Of("COMPROMIS"), ProductID: opt.Of(sold), Buyers: opt.Of([]int64{1004}), Sellers: opt.Of([]int64{1001}), Price: opt.Of(1000.0),
	}})
	must(err)
	transition := deals.AgreementTransition{ID: agreed.ID}
	_, err = use.SignAgreement(t.Context(), full, deals.SignAgreement{AgreementTransition: transition, DateSignature: opt.Of(w.Clock.Now().Format(time.DateOnly))})
	must(err)
	accept := func() error {
		_, err := use.AcceptOffer(t.Context(), full, deals.OfferTransition{ID: made.ID})
		return err
	}
	apitest.Refused(t, accept(), fault.Conflict, fault.CodeAgreementExists)
	_, err = w.Listing.UpdateProduct(t.Context(), full, listing.UpdateProduct{
		ID: sold, ProductID: opt.Of(sold), Change: product.Change{Criteria: apitest.Criteria("Statut", "EnCours")},
	})
	must(err)
	apitest.Refused(t, accept(), fault.Conflict, fault.CodeAgreementExists)
	_, err = use.CancelAgreement(t.Context(), full, deals.CancelAgreement{AgreementTransition: transition, CancelInput: deals.CancelInput{CancellationReason: opt.Of("ACCORD")}})
	must(err)
	must(accept())
}

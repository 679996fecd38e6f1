package siteapi_test

import (
	"errors"
	"testing"

	"github.com/vitrine-crm/vitrine/core/action"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/event"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/listing"
	"github.com/vitrine-crm/vitrine/core/memstore"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/people"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/porttest"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/transfer"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// village is a world whose store can fail, with something of everything: a
// product, a customer who looks for it and follows it, a lead, and a webhook.
type village struct {
	*world
	faulty               *porttest.Faulty
	home, other          int64
	search, follow, lead int64
}

func newVillage(t *testing.T) village {
	t.Helper()
	faulty := &porttest.Faulty{Store: memstore.New()}
	v := village{world: newWorldOver(t, faulty), faulty: faulty}
	network := smallNetwork()
	network.Sites = network.Sites[:1]
	network.Sites[0].Lists = append(network.Sites[0].Lists, peopleLists()...)
	if _, err := v.Transfer.Provision(t.Context(), network); err != nil {
		t.Fatal(err)
	}
	full := v.as("full", 1)
	types, err := v.Hooks.ListOrigines(t.Context(), full, api.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	v.subscribe(full, hookFor(types...))
	v.home = v.create(criterion("TypeTransaction", "Vente"), criterion("TypeBien", "Maison"), criterion("Prix", number("200000")), criterion("Ville", "Lyon"))
	v.other = v.create()
	v.search = v.look(func(*demand.Change) {})
	followed, err := v.People.CreateFollowUp(t.Context(), full, people.CreateFollowUp{CustomerID: buyer, ProductID: opt.Of(v.home)})
	if err != nil {
		t.Fatal(err)
	}
	v.follow = followed.ID
	in := people.CreateBuyerLead{TransactionType: opt.Of("Vente")}
	in.AgencyID, in.Email = opt.Of(int64(12)), opt.Of("first@example.org")
	made, err := v.People.CreateBuyerLead(t.Context(), full, in)
	if err != nil {
		t.Fatal(err)
	}
	v.lead = made.ID
	return v
}

// peopleLists are the lists that customers and follow-ups choose from.
func peopleLists() []transfer.SetupList {
	values := func(codes ...string) (choices []transfer.SetupChoice) {
		for i, code := range codes {
			choices = append(choices, transfer.SetupChoice{ID: int64(i + 1), Model: code, Label: code})
		}
		return choices
	}
	return []transfer.SetupList{
		{ID: 5, Key: "customer_types", Values: values("ACQUEREUR", "VENDEUR", "PROSPECT")},
		{ID: 9, Key: "follow_up_statuses", Values: values("PROPOSE", "VISITE")},
	}
}

// holding is everything that a store holds of site 1, and what is answered from
// memory.
type holding struct {
	Head       port.Head
	Events     []event.Event
	Customers  []customer.Customer
	Searches   []demand.SearchRequest
	FollowUps  []demand.FollowUp
	Leads      []lead.Lead
	Products   []product.Product
	Actions    []action.Action
	Deliveries []webhook.Delivery
	Receipt    bool
	Reference  int64

	Found            []int64
	MatchingSearches people.MatchPage[people.MatchingSearch]
}

func (v village) holding(of api.IdempotencyKey) (h holding) {
	v.t.Helper()
	look := errors.New("only looking")
	err := v.faulty.Store.Update(v.t.Context(), func(tx port.Tx) (err error) {
		ids := make([]int64, 200)
		products := make([]product.ID, len(ids))
		for i := range ids {
			ids[i], products[i] = int64(i), product.ID(i)
		}
		everybody := port.CustomerQuery{Site: 1, Limit: 1000, Filter: customer.Filter{Agencies: []site.AgencyID{11, 12, 13}}}
		if h.Customers, err = tx.Customers().Find(everybody); err != nil {
			return err
		}
		for _, c := range h.Customers {
			follows, err := tx.FollowUps().Of(1, c.ID)
			if err != nil {
				return err
			}
			h.FollowUps = append(h.FollowUps, follows...)
		}
		_, absent := tx.Receipts().Get(port.ReceiptID{Site: 1, Credential: "full", Operation: of.Operation, Key: of.Key})
		h.Receipt = absent == nil
		var errs [8]error
		h.Head, errs[0] = tx.Ledger().Head(1)
		h.Events, errs[1] = tx.Ledger().After(1, 0, 1000)
		h.Searches, errs[2] = tx.SearchRequests().Scan(1, 0, 1000)
		h.Leads, errs[3] = tx.Leads().List(port.LeadQuery{Site: 1, Agencies: []site.AgencyID{11, 12, 13}, Limit: 1000})
		h.Products, errs[4] = tx.Products().Many(1, products)
		h.Actions, errs[5] = tx.Actions().Latest(1, action.Product, ids, nil, 100)
		h.Deliveries, errs[6] = tx.DeliveryLog().List(port.DeliveryQuery{Site: 1, Hook: 1, Limit: 1000})
		h.Reference, errs[7] = tx.References().Next(1, 11)
		return errors.Join(append(errs[:], look)...)
	})
	if !errors.Is(err, look) || len(h.Deliveries) == 0 {
		v.t.Fatalf("%d deliveries, %v", len(h.Deliveries), err)
	}
	full := v.as("full", 1)
	h.Found, h.MatchingSearches = v.found(full, listing.SearchProducts{}), v.matchingSearches(full, v.home, true)
	return h
}

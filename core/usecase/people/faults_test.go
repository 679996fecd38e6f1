package people_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// populated is a world whose store can fail, with something of everything: a
// product, a customer who looks for it and follows it, a lead, and a webhook.
type populated struct {
	*world
	faulty               *porttest.Faulty
	home, other          int64
	search, follow, lead int64
}

func newPopulated(t *testing.T) populated {
	t.Helper()
	faulty := &porttest.Faulty{Store: memstore.New()}
	p := populated{world: &world{apitest.Over(t, faulty)}, faulty: faulty}
	network := apitest.Network()
	network.Sites = network.Sites[:1]
	network.Sites[0].Lists = append(network.Sites[0].Lists, apitest.PeopleLists()...)
	p.Provision(network)
	full := p.As("full", 1)
	types, err := p.Hooks.ListOrigines(t.Context(), full, kernel.Nothing{})
	if err != nil {
		t.Fatal(err)
	}
	p.Subscribe(full, apitest.HookFor(types...))
	p.home = p.CreateProduct("TypeTransaction", "Vente", "TypeBien", "Maison", "Prix", 200000, "Ville", "Lyon")
	p.other = p.CreateProduct()
	p.search = p.addSearch(func(*demand.Change) {})
	followed, err := p.People.CreateFollowUp(t.Context(), full, people.CreateFollowUp{CustomerID: buyer, ProductID: opt.Of(p.home)})
	if err != nil {
		t.Fatal(err)
	}
	p.follow = followed.ID
	in := people.CreateBuyerLead{TransactionType: opt.Of("Vente")}
	in.AgencyID, in.Email = opt.Of(int64(12)), opt.Of("first@example.org")
	made, err := p.People.CreateBuyerLead(t.Context(), full, in)
	if err != nil {
		t.Fatal(err)
	}
	p.lead = made.ID
	return p
}

// contents are everything that a store holds of site 1, and what is answered from
// memory.
type contents struct {
	Head       port.Head
	Events     []event.Event
	Customers  []customer.Customer
	Searches   []demand.SearchRequest
	FollowUps  []demand.FollowUp
	Leads      []demand.Lead
	Products   []product.Product
	Actions    []customer.Action
	Deliveries []webhook.Delivery
	Receipt    bool
	Reference  int64

	Found            []int64
	MatchingSearches people.MatchPage[people.MatchingSearch]
}

func (p populated) contents(of kernel.IdempotencyKey) (held contents) {
	p.T.Helper()
	look := errors.New("only looking")
	err := p.faulty.Store.Update(p.T.Context(), func(tx port.Tx) (err error) {
		ids := make([]int64, 200)
		products := make([]product.ID, len(ids))
		for i := range ids {
			ids[i], products[i] = int64(i), product.ID(i)
		}
		everybody := port.CustomerQuery{Site: 1, Limit: 1000, Filter: customer.Filter{Agencies: []site.AgencyID{11, 12, 13}}}
		if held.Customers, err = tx.Customers().Find(everybody); err != nil {
			return err
		}
		for _, c := range held.Customers {
			follows, err := tx.FollowUps().Of(1, c.ID)
			if err != nil {
				return err
			}
			held.FollowUps = append(held.FollowUps, follows...)
		}
		_, absent := tx.Receipts().Get(port.ReceiptID{Site: 1, Credential: "full", Operation: of.Operation, Key: of.Key})
		held.Receipt = absent == nil
		var errs [8]error
		held.Head, errs[0] = tx.Ledger().Head(1)
		held.Events, errs[1] = tx.Ledger().After(1, 0, 1000)
		held.Searches, errs[2] = tx.SearchRequests().Scan(1, 0, 1000)
		held.Leads, errs[3] = tx.Leads().List(port.LeadQuery{Site: 1, Agencies: []site.AgencyID{11, 12, 13}, Limit: 1000})
		held.Products, errs[4] = tx.Products().Many(1, products)
		held.Actions, errs[5] = tx.Actions().Latest(1, customer.AimedAtProduct, ids, nil, 100)
		held.Deliveries, errs[6] = tx.Deliveries().List(port.DeliveryQuery{Site: 1, Hook: 1, Limit: 1000})
		held.Reference, errs[7] = tx.NextReference(1, 11)
		return errors.Join(append(errs[:], look)...)
	})
	if !errors.Is(err, look) || len(held.Deliveries) == 0 {
		p.T.Fatalf("%d deliveries, %v", len(held.Deliveries), err)
	}
	full := p.As("full", 1)
	held.Found, held.MatchingSearches = p.FindProducts(full, listing.SearchProducts{}), p.matchingSearches(full, p.home, true)
	return held
}

// request is one that writes about people and what they look for.
type request func(p populated, c kernel.Caller) error

func outcome[Out any](_ Out, err error) error { return err }

func contact(mail string) people.LeadInput {
	return people.LeadInput{
		AgencyID: opt.Of(int64(11)), UserID: opt.Of(int64(101)), Firstname: opt.Of("Ana"), Lastname: opt.Of("Diaz"),
		Email: opt.Of(mail), Phone: opt.Of("06 12 34 56 78"),
	}
}

func sellerLead(mail string) request {
	return func(p populated, c kernel.Caller) error {
		return outcome(p.People.CreateSellerLead(p.T.Context(), c, people.CreateSellerLead{
			LeadInput: contact(mail), Project: opt.Of("VENTE"), Address: opt.Of("3 rue Haute"), City: opt.Of("Lyon"),
			Criteria: apitest.Criteria("TypeBien", "Maison"), Rooms: opt.Of([]product.RoomInput{{Type: opt.Of("SEJOUR")}}),
		}))
	}
}

func buyerLead(mail string) request {
	return func(p populated, c kernel.Caller) error {
		return outcome(p.People.CreateBuyerLead(p.T.Context(), c, people.CreateBuyerLead{LeadInput: contact(mail), ProductID: opt.Of(p.home)}))
	}
}

// Leads, which do much, come from a customer who is known, and from one who is
// not.
const known, unknown = "eloise@example.org", "ana@example.org"

var wanted = demand.Change{TransactionType: opt.Of("Vente"), PriceMax: opt.Of(300000.0)}

var requests = map[string]request{
	"POST /leads/sellers":                sellerLead(unknown),
	"POST /leads/sellers of a known one": sellerLead(known),
	"POST /leads/buyers":                 buyerLead(unknown),
	"POST /leads/buyers of a known one":  buyerLead(known),
	"PATCH /leads/{leadId}": func(p populated, c kernel.Caller) error {
		return outcome(p.People.UpdateLead(p.T.Context(), c, people.UpdateLead{ID: p.lead, UserID: opt.Of(int64(101))}))
	},
	"POST /customers": func(p populated, c kernel.Caller) error {
		return outcome(p.People.CreateCustomer(p.T.Context(), c, people.CreateCustomer{Change: customer.Change{
			AgencyID: opt.Of(int64(11)), Type: opt.Of("ACQUEREUR"), Lastname: opt.Of("Diaz"), Email: opt.Of(unknown),
		}}))
	},
	"PATCH /customers/{customerId}": func(p populated, c kernel.Caller) error {
		return outcome(p.People.UpdateCustomer(p.T.Context(), c, people.UpdateCustomer{ID: buyer, Change: customer.Change{Lastname: opt.Of("Autre")}}))
	},
	"DELETE /customers/{customerId}": func(p populated, c kernel.Caller) error {
		return outcome(p.People.DeleteCustomer(p.T.Context(), c, people.DeleteCustomer{ID: buyer}))
	},
	"POST /customers/{customerId}/merge": func(p populated, c kernel.Caller) error {
		lead, err := p.People.GetLead(p.T.Context(), c, people.LeadPath{ID: p.lead})
		if err != nil {
			return err
		}
		return outcome(p.People.MergeCustomers(p.T.Context(), c, people.MergeCustomers{ID: *lead.CustomerID, Goes: opt.Of(int64(buyer))}))
	},
	"POST …/searches": func(p populated, c kernel.Caller) error {
		return outcome(p.People.CreateSearchRequest(p.T.Context(), c, people.CreateSearchRequest{CustomerID: buyer, Change: wanted}))
	},
	"PATCH …/searches/{searchId}": func(p populated, c kernel.Caller) error {
		return outcome(p.People.UpdateSearchRequest(p.T.Context(), c, people.UpdateSearchRequest{CustomerID: buyer, ID: p.search, Change: wanted}))
	},
	"DELETE …/searches/{searchId}": func(p populated, c kernel.Caller) error {
		return outcome(p.People.DeleteSearchRequest(p.T.Context(), c, people.DeleteSearchRequest{CustomerID: buyer, ID: p.search}))
	},
	"POST …/follow-ups": func(p populated, c kernel.Caller) error {
		return outcome(p.People.CreateFollowUp(p.T.Context(), c, people.CreateFollowUp{CustomerID: buyer, ProductID: opt.Of(p.other)}))
	},
	"PATCH …/follow-ups/{followUpId}": func(p populated, c kernel.Caller) error {
		in := people.UpdateFollowUp{CustomerID: buyer, ID: p.follow}
		in.Status = opt.Of("VISITE")
		return outcome(p.People.UpdateFollowUp(p.T.Context(), c, in))
	},
	"DELETE …/follow-ups/{followUpId}": func(p populated, c kernel.Caller) error {
		return outcome(p.People.DeleteFollowUp(p.T.Context(), c, people.DeleteFollowUp{CustomerID: buyer, ID: p.follow}))
	},
}

// Whichever write of a request fails, the request fails, and everything is as it
// was: in the store, and in what is kept in memory of it. Sent again, it does what
// it would have done.
func TestAFailingStepLeavesNothingBehind(t *testing.T) {
	for name, send := range requests {
		t.Run(name, func(t *testing.T) {
			once := apitest.Key("once")
			attempt := func(p populated, failAt int) error {
				c := p.As("full", 1)
				if strings.HasPrefix(name, "POST") {
					var err error
					if c, err = p.Once(t.Context(), c, once); err != nil {
						return err
					}
				}
				p.faulty.Writes, p.faulty.FailAt = 0, failAt
				defer func() { p.faulty.FailAt = 0 }()
				return send(p, c)
			}
			whole := newPopulated(t)
			before := whole.contents(once)
			if err := attempt(whole, 0); err != nil {
				t.Fatal(err)
			}
			writes := whole.faulty.Writes
			want := whole.contents(once)
			if cmp.Equal(before, want) || writes < 3 {
				t.Fatalf("the request does nothing, in %d writes", writes)
			}
			for n := 1; n <= writes; n++ {
				p := newPopulated(t)
				p.contents(once) // what is answered from memory is in memory
				if err := attempt(p, n); !errors.Is(err, porttest.ErrFault) {
					t.Errorf("when write %d of %d fails, the request ends with %v", n, writes, err)
				}
				if diff := cmp.Diff(before, p.contents(once)); diff != "" {
					t.Errorf("when write %d of %d fails, it leaves behind:\n%s", n, writes, diff)
				}
				if err := attempt(p, 0); err != nil {
					t.Errorf("after write %d of %d has failed, the request is repeated: %v", n, writes, err)
				}
				if diff := cmp.Diff(sorts(want), sorts(p.contents(once))); diff != "" {
					t.Errorf("after write %d of %d has failed, the repetition does not do the same:\n%s", n, writes, diff)
				}
			}
			t.Logf("%d writes", writes)
		})
	}
}

// sorts counts what there is of each sort: the ids that a failure has drawn are
// gone.
func sorts(held contents) string {
	types := []string{}
	for _, e := range held.Events {
		types = append(types, string(e.Type))
	}
	return fmt.Sprint(types, len(held.Customers), len(held.Searches), len(held.FollowUps), len(held.Leads), len(held.Products), len(held.Actions), len(held.Deliveries),
		held.Receipt, held.Reference, len(held.Found), len(held.MatchingSearches.Data))
}

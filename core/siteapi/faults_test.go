package siteapi_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/people"
	"github.com/vitrine-crm/vitrine/core/porttest"
	"github.com/vitrine-crm/vitrine/core/product"
)

// request is one that writes about people and what they look for.
type request func(v village, c api.Caller) error

func outcome[Out any](_ Out, err error) error { return err }

func contact(mail string) people.LeadInput {
	return people.LeadInput{
		AgencyID: opt.Of(int64(11)), UserID: opt.Of(int64(101)), Firstname: opt.Of("Ana"), Lastname: opt.Of("Diaz"),
		Email: opt.Of(mail), Phone: opt.Of("06 12 34 56 78"),
	}
}

func sellerLead(mail string) request {
	return func(v village, c api.Caller) error {
		return outcome(v.People.CreateSellerLead(v.t.Context(), c, people.CreateSellerLead{
			LeadInput: contact(mail), Project: opt.Of("VENTE"), Address: opt.Of("3 rue Haute"), City: opt.Of("Lyon"),
			Criteria: criteriaOf(criterion("TypeBien", "Maison")), Rooms: opt.Of([]product.RoomInput{{Type: opt.Of("SEJOUR")}}),
		}))
	}
}

func buyerLead(mail string) request {
	return func(v village, c api.Caller) error {
		return outcome(v.People.CreateBuyerLead(v.t.Context(), c, people.CreateBuyerLead{LeadInput: contact(mail), ProductID: opt.Of(v.home)}))
	}
}

// Those that do much come from somebody who is known, and from somebody who is
// not.
const known, unknown = "eloise@example.org", "ana@example.org"

var wanted = demand.Change{TransactionType: opt.Of("Vente"), PriceMax: opt.Of(300000.0)}

var requests = map[string]request{
	"POST /leads/sellers":                sellerLead(unknown),
	"POST /leads/sellers of a known one": sellerLead(known),
	"POST /leads/buyers":                 buyerLead(unknown),
	"POST /leads/buyers of a known one":  buyerLead(known),
	"PATCH /leads/{leadId}": func(v village, c api.Caller) error {
		return outcome(v.People.UpdateLead(v.t.Context(), c, people.UpdateLead{ID: v.lead, UserID: opt.Of(int64(101))}))
	},
	"POST /customers": func(v village, c api.Caller) error {
		return outcome(v.People.CreateCustomer(v.t.Context(), c, people.CreateCustomer{Change: customer.Change{
			AgencyID: opt.Of(int64(11)), Type: opt.Of("ACQUEREUR"), Lastname: opt.Of("Diaz"), Email: opt.Of(unknown),
		}}))
	},
	"PATCH /customers/{customerId}": func(v village, c api.Caller) error {
		return outcome(v.People.UpdateCustomer(v.t.Context(), c, people.UpdateCustomer{ID: buyer, Change: customer.Change{Lastname: opt.Of("Autre")}}))
	},
	"DELETE /customers/{customerId}": func(v village, c api.Caller) error {
		return outcome(v.People.DeleteCustomer(v.t.Context(), c, people.DeleteCustomer{ID: buyer}))
	},
	"POST …/searches": func(v village, c api.Caller) error {
		return outcome(v.People.CreateSearchRequest(v.t.Context(), c, people.CreateSearchRequest{CustomerID: buyer, Change: wanted}))
	},
	"PATCH …/searches/{searchId}": func(v village, c api.Caller) error {
		return outcome(v.People.UpdateSearchRequest(v.t.Context(), c, people.UpdateSearchRequest{CustomerID: buyer, ID: v.search, Change: wanted}))
	},
	"DELETE …/searches/{searchId}": func(v village, c api.Caller) error {
		return outcome(v.People.DeleteSearchRequest(v.t.Context(), c, people.DeleteSearchRequest{CustomerID: buyer, ID: v.search}))
	},
	"POST …/follow-ups": func(v village, c api.Caller) error {
		return outcome(v.People.CreateFollowUp(v.t.Context(), c, people.CreateFollowUp{CustomerID: buyer, ProductID: opt.Of(v.other)}))
	},
	"PATCH …/follow-ups/{followUpId}": func(v village, c api.Caller) error {
		in := people.UpdateFollowUp{CustomerID: buyer, ID: v.follow}
		in.Status = opt.Of("VISITE")
		return outcome(v.People.UpdateFollowUp(v.t.Context(), c, in))
	},
	"DELETE …/follow-ups/{followUpId}": func(v village, c api.Caller) error {
		return outcome(v.People.DeleteFollowUp(v.t.Context(), c, people.DeleteFollowUp{CustomerID: buyer, ID: v.follow}))
	},
}

// Whichever write of a request fails, the request fails, and everything is as it
// was: in the store, and in what is kept in memory of it. Sent again, it does what
// it would have done.
func TestAFailingStepLeavesNothingBehind(t *testing.T) {
	for name, send := range requests {
		t.Run(name, func(t *testing.T) {
			once := key("once")
			attempt := func(v village, failAt int) error {
				c := v.as("full", 1)
				if strings.HasPrefix(name, "POST") {
					var err error
					if c, err = v.Once(t.Context(), c, once); err != nil {
						return err
					}
				}
				v.faulty.Writes, v.faulty.FailAt = 0, failAt
				defer func() { v.faulty.FailAt = 0 }()
				return send(v, c)
			}
			whole := newVillage(t)
			before := whole.holding(once)
			if err := attempt(whole, 0); err != nil {
				t.Fatal(err)
			}
			writes := whole.faulty.Writes
			want := whole.holding(once)
			if cmp.Equal(before, want) || writes < 3 {
				t.Fatalf("the request does nothing, in %d writes", writes)
			}
			for n := 1; n <= writes; n++ {
				v := newVillage(t)
				v.holding(once) // what is answered from memory is in memory
				if err := attempt(v, n); !errors.Is(err, porttest.ErrFault) {
					t.Errorf("when write %d of %d fails, the request ends with %v", n, writes, err)
				}
				if diff := cmp.Diff(before, v.holding(once)); diff != "" {
					t.Errorf("when write %d of %d fails, it leaves behind:\n%s", n, writes, diff)
				}
				if err := attempt(v, 0); err != nil {
					t.Errorf("after write %d of %d has failed, the request is repeated: %v", n, writes, err)
				}
				if diff := cmp.Diff(sorts(want), sorts(v.holding(once))); diff != "" {
					t.Errorf("after write %d of %d has failed, the repetition does not do the same:\n%s", n, writes, diff)
				}
			}
			t.Logf("%d writes", writes)
		})
	}
}

// sorts counts what there is of each sort: the ids that a failure has drawn are
// gone.
func sorts(h holding) string {
	types := []string{}
	for _, e := range h.Events {
		types = append(types, string(e.Type))
	}
	return fmt.Sprint(types, len(h.Customers), len(h.Searches), len(h.FollowUps), len(h.Leads), len(h.Products), len(h.Actions), len(h.Deliveries),
		h.Receipt, h.Reference, len(h.Found), len(h.MatchingSearches.Data))
}

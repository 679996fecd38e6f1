package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Customers holds the customers. A Scan leaves out their profiles.
type Customers interface {
	Table[customer.ID, customer.Customer]
	// Find lists the customers a query wants, in its order. The answer must be
	// what customer.Filter.Matches and customer.Order.Compare say.
	Find(CustomerQuery) ([]customer.Customer, error)
	// Mentioning lists the customers whose notary or related contact is the given
	// one, by id.
	Mentioning(site.ID, customer.ID) ([]customer.Customer, error)
}

// Merged holds what became of records of customers that were joined with others, each
// under the id that is gone.
type Merged = Table[customer.ID, customer.Merged]

// CustomerQuery says which customers of a site are wanted.
type CustomerQuery struct {
	Site   site.ID
	Filter customer.Filter
	Order  customer.Order
	// After wants only ids above it, and goes with ascending ids; Skip passes
	// over that many.
	After customer.ID
	Skip  int
	Limit int
}

// SearchRequests holds what customers look for.
type SearchRequests = CustomerTable[demand.SearchID, demand.SearchRequest]

// FollowUps holds what customers think of products. Whoever adds one holds the
// customer, so that no product is attached twice.
type FollowUps = CustomerTable[demand.FollowUpID, demand.FollowUp]

// Leads holds the leads. The keys that stand for one are not part of it: they
// stay until they are released.
type Leads interface {
	CustomerTable[demand.LeadID, demand.Lead]
	// List finds leads, latest first.
	List(LeadQuery) ([]demand.Lead, error)
	// Claim makes id the lead that some keys stand for, all or none of them. Where
	// one of them has stood for another lead since the given moment, that one is
	// returned, of several the one with the lowest id, and stands from then on for
	// the keys as well that stood for none, since when it claimed its own. Keys are
	// held until the unit ends, so that the same lead sent twice at once is one.
	Claim(of site.ID, keys []string, id demand.LeadID, now, since time.Time) (demand.LeadID, error)
	// Release frees the keys that stand for some leads, those that other units of
	// work are about to add included, and leaves nothing of them.
	Release(site.ID, []demand.LeadID) error
}

// LeadQuery says which leads of a site are wanted.
type LeadQuery struct {
	Site     site.ID
	Agencies []site.AgencyID // none is nobody's
	Before   demand.LeadID   // only ids below; 0 is no bound
	Limit    int
	// Kind, Status and Customer narrow the list; empty and 0 do not.
	Kind     demand.LeadKind
	Status   string
	Customer customer.ID
}

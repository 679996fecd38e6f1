package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Customers holds the customers. A Scan leaves out their profiles.
type Customers interface {
	// Get returns a customer; in an Update it is held until the unit ends.
	Get(site.ID, customer.ID) (customer.Customer, error)
	// GetUnlocked is to Get what Records.GetUnlocked is to Records.Get.
	GetUnlocked(site.ID, customer.ID) (customer.Customer, error)
	// Many lists the customers among ids that exist, by id.
	Many(site.ID, []customer.ID) ([]customer.Customer, error)
	// Existing lists those of ids that there are customers with, by id.
	Existing(site.ID, []customer.ID) ([]customer.ID, error)
	// Scan lists at most n customers of a site with an id above after, by id.
	Scan(id site.ID, after customer.ID, n int) ([]customer.Customer, error)
	// Put stores a customer, whether or not there is one with the id.
	Put(customer.Customer) error
	// Delete removes a customer, who must exist, and leaves nothing of them.
	Delete(site.ID, customer.ID) error
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

// Leads holds the leads.
type Leads struct {
	CustomerTable[demand.LeadID, demand.Lead]
}

// List finds leads, latest first.
func (l Leads) List(q LeadQuery) ([]demand.Lead, error) {
	where := conditions{AmongIDs("agency_id", q.Agencies)}
	where.add(q.Kind != "", Condition{Field: "kind", Is: Equal, Value: string(q.Kind)})
	where.add(q.Status != "", Condition{Field: "status", Is: Equal, Value: q.Status})
	where.add(q.Customer != 0, ofCustomer(q.Customer))
	wanted := Query{Site: q.Site, Where: where, Desc: true, Limit: max(q.Limit, 0)}
	if q.Before != 0 {
		wanted.After = &Place{ID: int64(q.Before)}
	}
	return l.find(wanted)
}

// Claims holds the keys that stand for leads. They stay until they are released.
type Claims interface {
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

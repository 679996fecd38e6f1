package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/lead"
	"github.com/vitrine-crm/vitrine/core/site"
)

// SearchRequests holds what customers look for.
type SearchRequests interface {
	// Get returns a search request; in an Update it is held until the unit ends.
	Get(site.ID, demand.SearchID) (demand.SearchRequest, error)
	// Many lists the search requests among ids that exist, by id.
	Many(site.ID, []demand.SearchID) ([]demand.SearchRequest, error)
	// Of lists the search requests of a customer, by id.
	Of(site.ID, customer.ID) ([]demand.SearchRequest, error)
	// Scan lists at most n search requests of a site with an id above after, by
	// id.
	Scan(id site.ID, after demand.SearchID, n int) ([]demand.SearchRequest, error)
	Put(demand.SearchRequest) error
	Delete(site.ID, demand.SearchID) error
}

// FollowUps holds what customers think of products. Whoever adds one holds the
// customer, so that no product is attached twice.
type FollowUps interface {
	// Get returns a follow-up; in an Update it is held until the unit ends.
	Get(site.ID, demand.FollowUpID) (demand.FollowUp, error)
	// Of lists the follow-ups of a customer, by id.
	Of(site.ID, customer.ID) ([]demand.FollowUp, error)
	Put(demand.FollowUp) error
	Delete(site.ID, demand.FollowUpID) error
}

// Leads holds the leads.
type Leads interface {
	// Get returns a lead; in an Update it is held until the unit ends.
	Get(site.ID, lead.ID) (lead.Lead, error)
	// Of lists the leads of a customer, by id, whatever their agency.
	Of(site.ID, customer.ID) ([]lead.Lead, error)
	// List finds leads, latest first.
	List(LeadQuery) ([]lead.Lead, error)
	Put(lead.Lead) error
	// Claim makes id the lead that a key stands for, unless another one has been
	// since the given moment, and returns the one that is. The key is held until
	// the unit ends, so that the same lead sent twice at once is one.
	Claim(of site.ID, key string, id lead.ID, now, since time.Time) (lead.ID, error)
	// Release frees the keys that stand for a lead, and leaves nothing of them.
	Release(site.ID, lead.ID) error
}

// LeadQuery says which leads of a site are wanted.
type LeadQuery struct {
	Site     site.ID
	Agencies []site.AgencyID // none is nobody's
	Before   lead.ID         // only ids below; 0 is no bound
	Limit    int
	// Kind, Status and Customer narrow the list; empty and 0 do not.
	Kind     lead.Kind
	Status   string
	Customer customer.ID
}

package people

import (
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// Unit is what the code inside a unit of work about people has.
type Unit struct{ listing.Unit }

// NewUnit returns the unit of this area.
func NewUnit(u kernel.Unit) Unit { return Unit{listing.NewUnit(u)} }

// Customers is the life of customers.
var Customers = kernel.Resource[customer.ID, customer.Customer]{
	Unknown: fault.Textf("no customer has this id"),
	Gone:    gone,
	IDs:     port.CustomerIDs,
	Table:   func(tx port.Tx) kernel.Table[customer.ID, customer.Customer] { return tx.Customers() },
	Created: event.CustomerCreate, Updated: event.CustomerUpdate, Deleted: event.CustomerDelete,
	Stamp: func(c *customer.Customer) kernel.Stamp[customer.ID] {
		return kernel.Stamp[customer.ID]{ID: &c.ID, Version: &c.Version, Added: &c.Added, Modified: &c.Modified}
	},
	Agency: func(c customer.Customer) site.AgencyID { return c.Agency },
	Same:   func(a, b customer.Customer) bool { return b.Same(a) },

	Differences: edit.Whole[customer.Customer],

	Changing: func(u kernel.Unit, before, after customer.Customer) error {
		return NewUnit(u).checkMentions(before, after)
	},
}

// gone is the error about a customer whose record was joined with another: Forbidden
// where that one is outside the scope.
func gone(u kernel.Unit, id customer.ID) error {
	into, err := listing.NewUnit(u).MergedInto(id)
	if err != nil || into == 0 {
		return err
	}
	found, err := u.Customers().Many(u.Site.ID, []customer.ID{into})
	for _, stayed := range found {
		err = kernel.FirstError(err, u.Sees(stayed.Agency))
	}
	return kernel.FirstError(err, fault.New(fault.Gone, fault.CodeCustomerMerged, listing.MergedText, into).At("customer_id", int64(into)))
}

// Searches is the life of search requests.
var Searches = kernel.Resource[demand.SearchID, demand.SearchRequest]{
	Unknown: fault.Textf("the customer has no search request with this id"),
	IDs:     port.SearchIDs,
	Table:   func(tx port.Tx) kernel.Table[demand.SearchID, demand.SearchRequest] { return tx.SearchRequests() },
	Created: event.SearchCreate, Updated: event.SearchUpdate, Deleted: event.SearchDelete,
	Stamp: func(r *demand.SearchRequest) kernel.Stamp[demand.SearchID] {
		return kernel.Stamp[demand.SearchID]{ID: &r.ID, Version: &r.Version, Added: &r.Added, Modified: &r.Modified}
	},
	Agency: func(r demand.SearchRequest) site.AgencyID { return r.Agency },
	Same:   demand.SearchRequest.Same,
}

// FollowUpsOf returns the life of the follow-ups of one customer, to whose agency they
// belong.
func FollowUpsOf(of customer.Customer) kernel.Resource[demand.FollowUpID, demand.FollowUp] {
	return kernel.Resource[demand.FollowUpID, demand.FollowUp]{
		Unknown: fault.Textf("the customer has no follow-up with this id"),
		IDs:     port.FollowUpIDs,
		Table:   func(tx port.Tx) kernel.Table[demand.FollowUpID, demand.FollowUp] { return tx.FollowUps() },
		Created: event.FollowUpCreate, Updated: event.FollowUpUpdate, Deleted: event.FollowUpDelete,
		Stamp: func(f *demand.FollowUp) kernel.Stamp[demand.FollowUpID] {
			return kernel.Stamp[demand.FollowUpID]{ID: &f.ID, Version: &f.Version, Added: &f.Added, Modified: &f.Modified}
		},
		Agency: func(demand.FollowUp) site.AgencyID { return of.Agency },
		Same:   demand.FollowUp.Same,
	}
}

var leads = kernel.Resource[demand.LeadID, demand.Lead]{
	Unknown: fault.Textf("no lead has this id"),
	IDs:     port.LeadIDs,
	Table:   func(tx port.Tx) kernel.Table[demand.LeadID, demand.Lead] { return tx.Leads() },
	Created: event.LeadCreate, Updated: event.LeadUpdate,
	Stamp: func(l *demand.Lead) kernel.Stamp[demand.LeadID] {
		return kernel.Stamp[demand.LeadID]{ID: &l.ID, Version: &l.Version, Added: &l.Added, Modified: &l.Modified}
	},
	Agency: func(l demand.Lead) site.AgencyID { return l.Agency },
	Same:   demand.Lead.Same,
}

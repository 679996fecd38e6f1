package people

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Statuses of follow-ups that offers, leases and visits lead to.
const (
	FollowUpVisitPlanned = "VISITE_PREVUE"
	FollowUpVisited      = "VISITE"
	FollowUpOffer        = "OFFRE"
	FollowUpAcquired     = "ACQUIS"
)

// Wanted is a product that some customers want, some of them by a search request.
type Wanted struct {
	Product product.ID
	By      []customer.ID
	Search  demand.SearchID
	User    site.UserID
}

// Reach changes the follow-ups of those who want a product: of each the one for the
// search request, else the first for the product. Where there is none, one is made
// if that is asked for. Customers who are gone are left out.
func (u Unit) Reach(w Wanted, make bool, edit func(*demand.FollowUp)) error {
	customers := slices.Clone(w.By)
	slices.Sort(customers)
	for _, id := range customers {
		owner, err := u.Customers().Get(u.Site.ID, id)
		if kernel.IsAbsent(err) {
			continue
		}
		if err == nil {
			err = u.reachOf(owner, w, make, edit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (u Unit) reachOf(owner customer.Customer, w Wanted, make bool, edit func(*demand.FollowUp)) error {
	all, err := u.FollowUps().Of(owner.Site, owner.ID)
	if err != nil {
		return err
	}
	theirs := slices.DeleteFunc(all, func(f demand.FollowUp) bool { return f.Product != w.Product })
	n := slices.IndexFunc(theirs, func(f demand.FollowUp) bool { return f.Search == w.Search })
	if n < 0 {
		n = 0
	}
	if len(theirs) > 0 {
		_, err := FollowUpsOf(owner).Change(u, theirs[n], kernel.IfMatch{}, func(f demand.FollowUp) (demand.FollowUp, error) {
			edit(&f)
			return f, nil
		})
		return err
	}
	if !make {
		return nil
	}
	made := demand.FollowUp{Product: w.Product, User: w.User}
	search, err := u.SearchRequests().Many(u.Site.ID, []demand.SearchID{w.Search})
	if err != nil {
		return err
	}
	if len(search) > 0 && search[0].Customer == owner.ID {
		made.Search = w.Search
	}
	if edit(&made); made.Status == "" {
		made.Reach(demand.StatusProposed, u.Now, w.User)
	}
	_, err = u.Attach(owner, made)
	return err
}

// Step gives a follow-up a status. What is acquired stays so, and a status that the
// site does not know is not given.
func (u Unit) Step(f *demand.FollowUp, status string, by site.UserID) {
	if f.Status != FollowUpAcquired && u.KnowsFollowUp(status) {
		f.Reach(status, u.Now, by)
	}
}

// KnowsFollowUp reports whether follow-ups of the site can have a status.
func (u Unit) KnowsFollowUp(status string) bool {
	list, found := u.Site.Dictionary.List(criteria.FollowUpStatuses)
	return !found || slices.Contains(criteria.ActiveCodes(list.Choices), status)
}

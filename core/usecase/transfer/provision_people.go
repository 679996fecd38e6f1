package transfer

import (
	"fmt"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
)

// newCustomer is a customer whom the setup added.
type newCustomer struct {
	customer  customer.Customer
	described SetupCustomer
}

// customers adds the customers that do not exist, and returns them.
func (p provisioner) customers(in SetupSite) ([]newCustomer, error) {
	var fresh []newCustomer
	for _, described := range in.Customers {
		if described.ID < 1 {
			return nil, fmt.Errorf("customer %d: the id must be at least 1", described.ID)
		}
		if err := in.checkAgency(described.AgencyID); err != nil {
			return nil, fmt.Errorf("customer %d: %w", described.ID, explain(err))
		}
		_, err := p.Customers().Get(p.Site.ID, customer.ID(described.ID))
		if err == nil {
			p.done.Unchanged++
			continue
		}
		if !kernel.IsAbsent(err) {
			return nil, err
		}
		into, err := p.MergedInto(customer.ID(described.ID))
		if err != nil {
			return nil, err
		}
		if into != 0 {
			p.done.Unchanged++
			continue
		}
		if described.UserID != 0 && !hasUser(in, described.UserID) {
			return nil, fmt.Errorf("customer %d: there is no user %d", described.ID, described.UserID)
		}
		added, err := p.customer(described)
		if err != nil {
			return nil, fmt.Errorf("customer %d: %w", described.ID, explain(err))
		}
		fresh = append(fresh, newCustomer{added, described})
		p.done.Added++
	}
	return fresh, nil
}

func (p provisioner) customer(described SetupCustomer) (customer.Customer, error) {
	var problems fault.Problems
	added := people.CustomerRules(p.Basis).Create(described.change(), &problems)
	if err := problems.Err(); err != nil {
		return added, err
	}
	added.ID, added.Site = customer.ID(described.ID), p.Site.ID
	added.Agency, added.User = site.AgencyID(described.AgencyID), site.UserID(described.UserID)
	if err := p.ReserveID(port.CustomerIDs, described.ID); err != nil {
		return added, err
	}
	return people.Customers.Create(p, added)
}

// demands adds what the new customers look for, now that there are products.
func (p provisioner) demands(fresh []newCustomer) error {
	for _, a := range fresh {
		searches := map[string]demand.SearchID{}
		for _, described := range a.described.Searches {
			var problems fault.Problems
			draft := people.SearchRules(p.Caller).Create(described.change(), &problems)
			err := problems.Err()
			if err == nil {
				draft, err = p.AddSearch(a.customer, draft)
			}
			if err != nil {
				return fmt.Errorf("search %q of customer %d: %w", described.Name, a.customer.ID, explain(err))
			}
			searches[described.Name] = draft.ID
		}
		for _, described := range a.described.FollowUps {
			if err := p.followUp(a.customer, described, searches); err != nil {
				return fmt.Errorf("follow-up of customer %d: %w", a.customer.ID, explain(err))
			}
		}
	}
	return nil
}

func (p provisioner) followUp(owner customer.Customer, in SetupFollowUp, searches map[string]demand.SearchID) error {
	about, err := p.Products().Holder(p.Site.ID, owner.Agency, in.Product)
	if err != nil {
		return kernel.AbsentIs(err, fmt.Errorf("there is no product %q", in.Product))
	}
	search, found := searches[in.Search]
	if in.Search != "" && !found {
		return fmt.Errorf("the customer has no search %q", in.Search)
	}
	if in.Status == "" {
		in.Status = demand.StatusProposed
	}
	var problems fault.Problems
	draft := demand.FollowUp{Customer: owner.ID, Product: about, Search: search, User: owner.User}
	draft = p.FollowUp(draft, people.FollowUpInput{Status: given(in.Status), Rating: given(in.Rating), Comment: given(in.Comment)}, &problems)
	if err := problems.Err(); err != nil {
		return err
	}
	_, err = p.Attach(owner, draft)
	return err
}

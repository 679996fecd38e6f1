package deals

import (
	"fmt"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/deal/agreement"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// holdParties locks customers, as far as they are there, in the order of
// their ids. What is not there is for later checks to tell.
func (u Unit) holdParties(parties ...[]customer.ID) error {
	all := slices.Concat(parties...)
	slices.Sort(all)
	for _, id := range slices.Compact(all) {
		if _, err := u.Customers().Get(u.Site.ID, id); err != nil && !kernel.IsAbsent(err) {
			return err
		}
	}
	return nil
}

// given returns the customers that a field of a request names.
func given(field opt.Field[[]int64]) []customer.ID {
	ids := make([]customer.ID, len(field.Value))
	for i, id := range field.Value {
		ids[i] = customer.ID(id)
	}
	return ids
}

// checkParties reports customers that a new state names in a field, were not named
// there before, and do not exist in scope.
func (u Unit) checkParties(field string, before, after []customer.ID, problems *fault.Problems) error {
	for n, id := range after {
		if slices.Contains(before, id) {
			continue
		}
		if err := u.CheckCustomer(fmt.Sprintf("%s[%d]", field, n), id, problems); err != nil {
			return err
		}
	}
	return nil
}

// ownerOf returns who sells or lets a product where nobody says otherwise: its owner, also
// one outside the scope, but nobody who is anonymous; 0 where there is none.
func (u Unit) ownerOf(p product.Product) (customer.ID, error) {
	found, err := u.Customers().Many(u.Site.ID, []customer.ID{p.Customer})
	if err != nil || len(found) == 0 || found[0].IsAnonymous() {
		return 0, err
	}
	return p.Customer, nil
}

// checkSearch reports a search request that is not one of the buyers'. One that is
// gone is none, unless the request names it.
func (u Unit) checkSearch(id demand.SearchID, named bool, buyers []customer.ID, problems *fault.Problems) error {
	if id == 0 {
		return nil
	}
	found, err := u.SearchRequests().Get(u.Site.ID, id)
	if err != nil && !kernel.IsAbsent(err) {
		return err
	}
	if err != nil && !named {
		return nil
	}
	if err != nil || !slices.Contains(buyers, found.Customer) {
		problems.Wrong("search_id", fault.CodeUnknownSearch, int64(id), "no buyer has a search request with this id")
	}
	return nil
}

// notary is the code of customers who are notaries.
const notary = "NOTAIRE"

// checkNotary reports a customer who is no notary; 0 is nobody.
func (u Unit) checkNotary(field string, id customer.ID, problems *fault.Problems) error {
	if id == 0 {
		return nil
	}
	var unknown fault.Problems
	if err := u.CheckCustomer(field, id, &unknown); err != nil {
		return err
	}
	if !unknown.Empty() {
		problems.Append(fault.From(unknown.Err()).Details...)
		return nil
	}
	found, err := u.Customers().Get(u.Site.ID, id)
	if err == nil && found.Type != notary {
		problems.Wrong(field, fault.CodeNotANotary, int64(id), "the customer is not of the type %s", notary)
	}
	return err
}

// notaryOf returns the notary whom the first of some customers names; 0 where there is
// none who is a customer.
func (u Unit) notaryOf(parties []customer.ID) (customer.ID, error) {
	if len(parties) == 0 {
		return 0, nil
	}
	first, err := u.Customers().Many(u.Site.ID, parties[:1])
	if err != nil || len(first) == 0 || first[0].Notary.Customer == 0 {
		return 0, err
	}
	found, err := u.Customers().Many(u.Site.ID, []customer.ID{first[0].Notary.Customer})
	if err != nil || len(found) == 0 || found[0].Type != notary || found[0].IsAnonymous() || !u.Scope.Has(found[0].Agency) {
		return 0, err
	}
	return found[0].ID, nil
}

// consumers returns those of some customers who are no professionals.
func (u Unit) consumers(of []customer.ID) ([]customer.ID, error) {
	found, err := u.Customers().Many(u.Site.ID, sorted(of))
	return agreement.Consumers(found), err
}

func sorted(ids []customer.ID) []customer.ID {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return ids
}

// productFor peeks at the product that a request names in product_id, without
// holding it: whose it is must be locked first. It is empty where there is none in
// scope, which checkProduct reports.
func (u Unit) productFor(field opt.Field[int64]) (product.Product, error) {
	found, err := u.Products().Many(u.Site.ID, []product.ID{product.ID(field.Or(0))})
	if err != nil || len(found) == 0 || !u.Scope.Has(found[0].Agency) {
		return product.Product{}, err
	}
	return found[0], nil
}

// checkProduct locks the product that a request names, and reports one that is
// missing or does not exist in scope.
func (u Unit) checkProduct(field opt.Field[int64], problems *fault.Problems) (product.Product, error) {
	if !field.Given() {
		problems.Add("product_id", fault.CodeRequired, "product_id is required")
		return product.Product{}, nil
	}
	return u.CheckProduct("product_id", product.ID(field.Value), problems)
}

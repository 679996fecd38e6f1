package listing

import (
	"context"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

// searchProducts answers with ids only where fetch asks for no blocks.
func (s *Service) searchProducts(ctx context.Context, c kernel.Caller, in SearchProducts) (SearchResult, error) {
	var problems fault.Problems
	parts := readFetch(in.Fetch, &problems)
	filter, outside := readFilter(c, in.ProductFilters, &problems)
	most := kernel.MaxPageIDs
	if in.hydrates() {
		most = kernel.MaxPageHydrated
	}
	p := in.ReadPage(in.SortType, in.SortOrder, sortKeys(c), most, &problems)
	if err := kernel.FirstError(outside, problems.Err(), mayFetch(c, parts)); err != nil {
		return SearchResult{}, err
	}
	index, err := s.Index(ctx, c)
	if err != nil {
		return SearchResult{}, err
	}
	found := index.Search(catalogue.Query{
		Filter: filter, After: product.ID(p.After), Skip: p.Skip, Limit: p.Limit,
		Order: product.Order{Key: product.SortKey(p.Sort), Descending: p.Descending},
	})
	result := resultOf(found, p)
	if in.hydrates() {
		if result.Data, err = s.summaries(ctx, c, found.Entries, parts); err != nil {
			return SearchResult{}, err
		}
	}
	return result, nil
}

// resultOf returns a page of a search, with ids only.
func resultOf(found catalogue.Page, p kernel.SearchPage) SearchResult {
	result := SearchResult{Mode: p.Mode, HasMore: found.More, Data: ids(found.Entries)}
	if found.More {
		result.NextCursor = p.Next(int64(found.Entries[len(found.Entries)-1].ID), true)
	}
	return result
}

// Weight implements kernel.Weighed: a search for ids alone takes its turn as well.
func (in SearchProducts) Weight() kernel.Weight {
	if in.hydrates() {
		return kernel.Hydrated
	}
	return kernel.Heavy
}

// hydrates reports whether the search asks for more than ids.
func (in SearchProducts) hydrates() bool { return strings.Trim(string(in.Fetch), ", ") != "" }

func (s *Service) countProducts(ctx context.Context, c kernel.Caller, in CountProducts) (CountResult, error) {
	var problems fault.Problems
	filter, outside := readFilter(c, in.ProductFilters, &problems)
	if err := kernel.FirstError(outside, problems.Err()); err != nil {
		return CountResult{}, err
	}
	index, err := s.Index(ctx, c)
	if err != nil {
		return CountResult{}, err
	}
	return CountResult{Count: index.Count(filter)}, nil
}

// parseFetch reads which blocks a caller asks for.
func parseFetch(c kernel.Caller, fetch Fetch) (product.Parts, error) {
	var problems fault.Problems
	parts := readFetch(fetch, &problems)
	return parts, kernel.FirstError(problems.Err(), mayFetch(c, parts))
}

func readFetch(fetch Fetch, problems *fault.Problems) product.Parts {
	parts, unknown := product.ParseParts(string(fetch))
	if unknown != "" {
		problems.Append(fault.Detail{
			Field: "fetch", Code: fault.CodeUnknownFetchValue, Value: unknown,
			Message: fault.Textf("no block has this name"), Accepted: product.PartNames(),
		})
	}
	return parts
}

// personal are the blocks about people and dealings, which websites have no use
// for.
const personal = product.Owner | product.ActionsHistory | product.LogActions | product.SaleAgreement |
	product.ActiveSaleAgreement | product.Statistic

// mayFetch refuses blocks the caller's packs do not cover, rather than leaving
// them out silently.
func mayFetch(c kernel.Caller, parts product.Parts) error {
	if !c.IsPublic() || parts&personal == 0 {
		return nil
	}
	refused := &fault.Error{
		Kind: fault.Forbidden, Code: fault.CodeFetchNotAllowed,
		Message: fault.Textf("these blocks need one of the packs: %s", kernel.AgencyPacks),
	}
	for _, name := range (parts & personal).Names() {
		refused.Details = append(refused.Details, fault.Detail{
			Field: "fetch", Code: fault.CodeFetchNotAllowed, Message: fault.Textf("not allowed for this credential"), Value: name,
		})
	}
	return refused
}

// readFilter reads the filters of a request. What is Forbidden rather than Invalid
// is returned apart: an agency_id outside the scope, and asking for the products
// of an owner when owners are not shown.
func readFilter(c kernel.Caller, in ProductFilters, problems *fault.Problems) (product.Filter, error) {
	f := product.Filter{
		Criteria:  c.Site.Dictionary.Conditions("criterias", in.Criterias.Value, c.Reading(), problems),
		Reference: criteria.Normalise(in.Model.Or("")),
		Customer:  kernel.ID[customer.ID]("customer_id", in.CustomerID, problems),
		Near:      near(in.Near, problems),
		Within:    within(in.Within, problems),
		Veil:      c.Veil(),

		ModifiedSince: c.Site.Since("last_modified", in.LastModified, problems),
	}
	if keyword := in.Keyword.Or(""); kernel.CheckText("keyword", keyword, kernel.MaxText, problems) {
		f.Keyword = product.NewKeyword(keyword, seesOwnerNames(c))
	}
	kernel.CheckText("model", in.Model.Or(""), kernel.MaxText, problems)
	if len(in.ProductsAdminID.Value) > kernel.MaxPageIDs {
		problems.Add("products_admin_id", fault.CodeOutOfRange, "a search can name at most %d agents", kernel.MaxPageIDs)
		in.ProductsAdminID.Value = nil
	}
	if in.ProductsAdminID.Value != nil {
		f.Users = []site.UserID{}
	}
	for _, id := range in.ProductsAdminID.Value {
		if id < 1 {
			problems.Wrong("products_admin_id", fault.CodeOutOfRange, id, "an id is at least 1")
		}
		f.Users = append(f.Users, site.UserID(id))
	}
	if in.StatusWeb.Given() {
		f.WebStatus = &in.StatusWeb.Value
	}
	if in.HasVisit360.Given() {
		f.Visit360 = &in.HasVisit360.Value
	}
	if in.ParentID.Set {
		parent := kernel.ID[product.ID]("parent_id", in.ParentID, problems)
		f.Parent = &parent
	}
	if err := checkFilters(c, in); err != nil {
		return f, err
	}
	var outside error
	f.Agencies, outside = c.ListedAgencies(in.AgencyID, problems)
	return f, outside
}

// seesOwnerNames reports whether keywords may look at the names of owners.
func seesOwnerNames(c kernel.Caller) bool {
	return c.Grant.Packs.Any(access.Properties | access.Customers)
}

// sortKeys returns the orders that go by nothing the caller is not shown.
func sortKeys(c kernel.Caller) []string {
	var keys []string
	for _, key := range product.SortKeys() {
		internal := c.IsPublic() && slices.Contains(InternalNames(), string(key))
		if !internal && !c.Veil().Private[key.Criterion()] {
			keys = append(keys, string(key))
		}
	}
	return keys
}

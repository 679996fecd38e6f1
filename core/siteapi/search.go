package siteapi

import (
	"context"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/catalogue"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/customer"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Limits of a search.
const (
	maxKeyword      = 255
	maxPageIDs      = 2000
	maxPageHydrated = 100
)

// SearchProducts finds products (contract: POST /products/search). Without
// fetch the records carry ids only. Cursor mode, which a search without skip,
// count and sort is in, goes by ascending id; offset mode sorts as asked.
func (s *Service) SearchProducts(ctx context.Context, c Caller, in SearchProducts) (SearchResult, error) {
	var problems fault.Problems
	parts := parseFetch(in.Fetch, &problems)
	filter, outside := c.filter(in.ProductFilters, &problems)
	most := maxPageIDs
	if in.hydrates() {
		most = maxPageHydrated
	}
	p := readPaging(in.Paging, in.SortType, in.SortOrder, c.sortKeys(), most, &problems)
	if err := firstError(outside, problems.Err(), c.mayFetch(parts)); err != nil {
		return SearchResult{}, err
	}
	query := catalogue.Query{
		Filter: filter, After: product.ID(p.after), Skip: p.skip, Limit: p.limit,
		Order: product.Order{Key: product.SortKey(p.sort), Descending: p.descending},
	}
	index, err := s.catalogue(ctx, c)
	if err != nil {
		return SearchResult{}, err
	}
	found := index.Search(query)
	result := SearchResult{Mode: p.mode, HasMore: found.More, Data: s.ids(found.Entries)}
	if in.hydrates() {
		if result.Data, err = s.records(ctx, c, found.Entries, parts); err != nil {
			return SearchResult{}, err
		}
	}
	if p.mode == cursorMode && found.More {
		cursor := catalogue.EncodeCursor(found.Entries[len(found.Entries)-1].ID)
		result.NextCursor = &cursor
	}
	return result, nil
}

// hydrates reports whether the search asks for more than ids.
func (in SearchProducts) hydrates() bool { return strings.Trim(string(in.Fetch), ", ") != "" }

// CountProducts counts what a search with these filters matches (contract: POST
// /products/search/count).
func (s *Service) CountProducts(ctx context.Context, c Caller, in CountProducts) (CountResult, error) {
	var problems fault.Problems
	filter, outside := c.filter(in.ProductFilters, &problems)
	if err := firstError(outside, problems.Err()); err != nil {
		return CountResult{}, err
	}
	index, err := s.catalogue(ctx, c)
	if err != nil {
		return CountResult{}, err
	}
	return CountResult{Count: index.Count(filter)}, nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func parseFetch(fetch Fetch, problems *fault.Problems) product.Parts {
	parts, unknown := product.ParseParts(string(fetch))
	if unknown != "" {
		problems.Append(fault.Detail{
			Field: "fetch", Code: fault.CodeUnknownFetchValue, Value: unknown,
			Message: "no block has this name", Accepted: product.PartNames(),
		})
	}
	return parts
}

// personal are the blocks about people and dealings, which showcases have no
// use for.
const personal = product.Owner | product.ActionsHistory | product.LogActions | product.SaleAgreement |
	product.ActiveSaleAgreement | product.Statistic

// mayFetch refuses blocks the caller's packs do not cover, loudly rather than
// leaving them out.
func (c Caller) mayFetch(parts product.Parts) error {
	if !c.public() || parts&personal == 0 {
		return nil
	}
	refused := &fault.Error{
		Kind: fault.Forbidden, Code: fault.CodeFetchNotAllowed,
		Message: "these blocks need one of the packs: " + unveiled.String(),
	}
	for _, name := range (parts & personal).Names() {
		refused.Details = append(refused.Details, fault.Detail{
			Field: "fetch", Code: fault.CodeFetchNotAllowed, Message: "not allowed for this credential", Value: name,
		})
	}
	return refused
}

// filter reads the filters of a request. What is Forbidden rather than Invalid
// is returned apart: an agency_id outside the scope, and asking for the products
// of an owner when owners are not shown.
func (c Caller) filter(in ProductFilters, problems *fault.Problems) (product.Filter, error) {
	f := product.Filter{
		Agencies:  c.Scope.Agencies(),
		Criteria:  c.settings.dictionary.Conditions("criterias", in.Criterias.Value, c.reading(), problems),
		Reference: criteria.Normalise(in.Model.Or("")),
		Customer:  customer.ID(positive("customer_id", in.CustomerID, problems)),
		Near:      near(in.Near, problems),
		Within:    within(in.Within, problems),
		Veil:      c.veil(),

		ModifiedSince: c.since(in.LastModified, problems),
	}
	if keyword := in.Keyword.Or(""); checkText("keyword", keyword, maxKeyword, problems) {
		f.Keyword = product.NewKeyword(keyword, c.ownerNames())
	}
	checkText("model", in.Model.Or(""), maxKeyword, problems)
	if len(in.ProductsAdminID.Value) > maxPageIDs {
		problems.Add("products_admin_id", fault.CodeOutOfRange, "a search can name at most %d agents", maxPageIDs)
		in.ProductsAdminID.Value = nil
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
		parent := product.ID(positive("parent_id", in.ParentID, problems))
		f.Parent = &parent
	}
	if c.public() && in.CustomerID.Given() {
		return f, c.filterNotAllowed("customer_id")
	}
	if id := positive("agency_id", in.AgencyID, problems); id != 0 {
		f.Agencies = []site.AgencyID{site.AgencyID(id)}
		return f, c.agency(id)
	}
	return f, nil
}

// filterNotAllowed refuses a filter by something the caller is not shown: what it
// finds would tell.
func (c Caller) filterNotAllowed(field string) error {
	return &fault.Error{
		Kind: fault.Forbidden, Code: fault.CodeFilterNotAllowed,
		Message: "this filter needs one of the packs: " + unveiled.String(),
		Details: []fault.Detail{{Field: field, Code: fault.CodeFilterNotAllowed, Message: "not allowed for this credential"}},
	}
}

// positive reads an id, 0 when there is none.
func positive(field string, given Opt[int64], problems *fault.Problems) int64 {
	if given.Given() && given.Value < 1 {
		problems.Wrong(field, fault.CodeOutOfRange, given.Value, "an id is at least 1")
		return 0
	}
	return given.Or(0)
}

// checkText reports text that is too long or cannot be stored.
func checkText(field, text string, limit int, problems *fault.Problems) bool {
	detail := criteria.CheckText(text, limit)
	if detail == nil {
		return true
	}
	detail.Field = field
	problems.Append(*detail)
	return false
}

// reading is how a search of the caller is read.
func (c Caller) reading() criteria.Reading {
	return criteria.Reading{Zone: c.settings.zone, Public: c.public()}
}

// sortKeys are the orders that go by nothing the caller is not shown.
func (c Caller) sortKeys() []string {
	var keys []string
	for _, key := range product.SortKeys() {
		if !c.veil().Private[key.Criterion()] {
			keys = append(keys, string(key))
		}
	}
	return keys
}

// since reads last_modified; zero is any time.
func (c Caller) since(given Opt[string], problems *fault.Problems) time.Time {
	if !given.Given() {
		return time.Time{}
	}
	since, ok := criteria.ParseDate(strings.TrimSpace(given.Value), c.settings.zone)
	if !ok {
		problems.Wrong("last_modified", fault.CodeInvalidFormat, given.Value, "last_modified is a date-time such as 2026-09-16T08:30:00Z")
	}
	return since.Instant(c.settings.zone)
}

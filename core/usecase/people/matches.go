package people

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
)

const (
	defaultMatches = 50
	maxMatches     = 200
)

// page reads skip and count.
func (q MatchQuery) page() (skip, count int, err error) {
	var problems fault.Problems
	skip, count = q.Skip.Or(0), q.Count.Or(defaultMatches)
	if skip < 0 {
		problems.Wrong("skip", fault.CodeOutOfRange, skip, "skip is at least 0")
	}
	if count < 1 || count > maxMatches {
		problems.Wrong("count", fault.CodeOutOfRange, count, "count is 1 to %d", maxMatches)
	}
	return skip, count, problems.Err()
}

func (s *Service) listMatchingSearches(ctx context.Context, c kernel.Caller, in MatchingSearches) (MatchPage[MatchingSearch], error) {
	p, err := reads(s, Unit.asked)(ctx, c, product.ID(in.ProductID))
	skip, count, invalid := in.page()
	if err := kernel.FirstError(err, invalid); err != nil {
		return MatchPage[MatchingSearch]{}, err
	}
	index, err := s.requestIndex(ctx, c)
	if err != nil {
		return MatchPage[MatchingSearch]{}, err
	}
	found := index.Match(p, demand.MatchQuery{Agencies: c.Scope.Agencies(), Near: in.NearMisses, Skip: skip, Limit: count})
	page := MatchPage[MatchingSearch]{Data: []MatchingSearch{}, Count: found.Total, HasMore: found.Total-len(found.Matches) > skip}
	for _, m := range found.Matches {
		page.Data = append(page.Data, MatchingSearch{int64(m.Search), matchRecord(m)})
	}
	return page, nil
}

// CountMatching counts for each of some products the search requests that
// ListMatchingSearches lists.
func (s *Service) CountMatching(ctx context.Context, c kernel.Caller, products []product.Product) (map[product.ID]int, error) {
	index, err := s.requestIndex(ctx, c)
	if err != nil {
		return nil, err
	}
	counts := make(map[product.ID]int, len(products))
	for i, n := range index.Count(products, c.Scope.Agencies()) {
		counts[products[i].ID] = n
	}
	return counts, nil
}

func (s *Service) listMatchingProducts(ctx context.Context, c kernel.Caller, in MatchingProducts) (MatchPage[MatchingProduct], error) {
	wanted, err := reads(s, Unit.readSearchRequest)(ctx, c, SearchRequestPath{CustomerID: in.CustomerID, ID: in.ID})
	skip, count, invalid := in.page()
	if err := kernel.FirstError(err, invalid); err != nil {
		return MatchPage[MatchingProduct]{}, err
	}
	wanted = matchable(c, wanted)
	index, err := s.listing.Index(ctx, c)
	if err != nil {
		return MatchPage[MatchingProduct]{}, err
	}
	found := index.Match(wanted, catalogue.MatchQuery{Filter: onTheMarket(c), Near: in.NearMisses, Skip: skip, Limit: count})
	page := MatchPage[MatchingProduct]{Count: found.Total, HasMore: found.Total-len(found.Products) > skip}
	page.Data, err = reads(s, Unit.explain)(ctx, c, rated{wanted, found.Products})
	return page, err
}

// onTheMarket returns what a product must meet to be proposed: to be active, and of
// an agency in scope.
func onTheMarket(c kernel.Caller) product.Filter {
	return product.Filter{Agencies: c.Scope.Agencies(), Criteria: []criteria.Condition{{
		Criterion: criteria.KeyStatus, Type: criteria.UNIQUE, Operator: criteria.EGAL, Codes: []string{criteria.StatusActive},
	}}}
}

// rated are products that match a search request, as the catalogue saw them.
type rated struct {
	wanted   demand.SearchRequest
	products []catalogue.Rated
}

// explain reads products that match and says why. One that has changed since the
// catalogue saw it is left out when it does not match any more.
func (u Unit) explain(in rated) ([]MatchingProduct, error) {
	ids := make([]product.ID, len(in.products))
	for i, r := range in.products {
		ids[i] = r.ID
	}
	slices.Sort(ids)
	found, err := u.Products().Many(u.Site.ID, ids)
	products := make(map[product.ID]product.Product, len(found))
	for _, p := range found {
		products[p.ID] = p
	}
	records := []MatchingProduct{}
	for _, r := range in.products {
		p, exists := products[r.ID]
		m := in.wanted.Match(p)
		if fits := m.Holds || r.Near && m.Near; fits && exists && u.Scope.Has(p.Agency) && p.Status() == criteria.StatusActive {
			records = append(records, MatchingProduct{int64(r.ID), matchRecord(m)})
		}
	}
	return records, err
}

func matchRecord(m demand.Match) Matching {
	record := Matching{CustomerID: int64(m.Customer), Match: m.Holds, Score: m.Score, Reasons: []MatchReason{}, Misses: []MatchMiss{}}
	for _, f := range m.Reasons {
		record.Reasons = append(record.Reasons, reasonRecord(f))
	}
	for _, f := range m.Misses {
		record.Misses = append(record.Misses, MatchMiss{reasonRecord(f), kernel.Nullable(f.By)})
	}
	return record
}

func reasonRecord(f demand.Finding) MatchReason {
	return MatchReason{ID: f.ID, Wanted: MatchWanted{f.Wanted.Operator, f.Wanted.Value}, Found: f.Found, Wish: f.Wish}
}

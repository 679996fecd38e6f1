package siteapi

import (
	"context"
	"slices"

	"github.com/vitrine-crm/vitrine/core/catalogue"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/demand"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
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

// ListMatchingSearches lists the open search requests of agencies in scope that
// a product matches, the best match first. Whether the product is for sale makes
// no difference: an estimate may have buyers.
func (s *Service) ListMatchingSearches(ctx context.Context, c Caller, in MatchingSearches) (MatchPage[MatchingSearch], error) {
	var p product.Product
	err := s.ports.Store.View(ctx, func(tx port.Tx) (err error) {
		p, err = c.product(tx, product.ID(in.ProductID))
		return err
	})
	skip, count, invalid := in.page()
	if err := firstError(err, invalid); err != nil {
		return MatchPage[MatchingSearch]{}, err
	}
	book, err := s.book(ctx, c)
	if err != nil {
		return MatchPage[MatchingSearch]{}, err
	}
	found := book.Match(p, demand.Question{Agencies: c.Scope.Agencies(), Near: in.NearMisses, Skip: skip, Limit: count})
	page := MatchPage[MatchingSearch]{Data: []MatchingSearch{}, Count: found.Total, HasMore: found.Total-len(found.Matches) > skip}
	for _, m := range found.Matches {
		page.Data = append(page.Data, MatchingSearch{int64(m.Search), matchRecord(m)})
	}
	return page, nil
}

// wanting counts for each of some products the search requests that
// ListMatchingSearches lists.
func (s *Service) wanting(ctx context.Context, c Caller, products []product.Product) (map[product.ID]int, error) {
	book, err := s.book(ctx, c)
	if err != nil {
		return nil, err
	}
	counts := make(map[product.ID]int, len(products))
	for i, n := range book.Count(products, c.Scope.Agencies()) {
		counts[products[i].ID] = n
	}
	return counts, nil
}

// ListMatchingProducts lists the active products of agencies in scope that match
// a search request, the best match first. Whether the request is open makes no
// difference: a customer may ask while it is paused.
func (s *Service) ListMatchingProducts(ctx context.Context, c Caller, in MatchingProducts) (MatchPage[MatchingProduct], error) {
	var wanted demand.SearchRequest
	err := s.ports.Store.View(ctx, func(tx port.Tx) (err error) {
		wanted, err = c.searchRequest(tx, in.CustomerID, in.ID)
		return err
	})
	skip, count, invalid := in.page()
	if err := firstError(err, invalid); err != nil {
		return MatchPage[MatchingProduct]{}, err
	}
	wanted = c.matchable(wanted)
	index, err := s.catalogue(ctx, c)
	if err != nil {
		return MatchPage[MatchingProduct]{}, err
	}
	found := index.Match(wanted, catalogue.Question{Filter: c.onTheMarket(), Near: in.NearMisses, Skip: skip, Limit: count})
	page := MatchPage[MatchingProduct]{Count: found.Total, HasMore: found.Total-len(found.Products) > skip}
	page.Data, err = s.explain(ctx, c, wanted, found.Products)
	return page, err
}

// onTheMarket is what a product must meet to be proposed: to be active, and of
// an agency in scope.
func (c Caller) onTheMarket() product.Filter {
	return product.Filter{Agencies: c.Scope.Agencies(), Criteria: []criteria.Condition{{
		Criterion: criteria.KeyStatus, Type: criteria.UNIQUE, Operator: criteria.EGAL, Codes: []string{criteria.StatusActive},
	}}}
}

// explain reads products that match and says why. One that has changed since the
// catalogue saw it is left out when it does not match any more.
func (s *Service) explain(ctx context.Context, c Caller, wanted demand.SearchRequest, rated []catalogue.Rated) ([]MatchingProduct, error) {
	ids := make([]product.ID, len(rated))
	for i, r := range rated {
		ids[i] = r.ID
	}
	slices.Sort(ids)
	products := map[product.ID]product.Product{}
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		found, err := tx.Products().Many(c.Site(), ids)
		clear(products)
		for _, p := range found {
			products[p.ID] = p
		}
		return err
	})
	records := []MatchingProduct{}
	for _, r := range rated {
		p, exists := products[r.ID]
		m := wanted.Match(p)
		if fits := m.Holds || r.Near && m.Near; fits && exists && c.Scope.Has(p.Agency) && p.Status() == criteria.StatusActive {
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
		record.Misses = append(record.Misses, MatchMiss{reasonRecord(f), nullable(f.By)})
	}
	return record
}

func reasonRecord(f demand.Finding) MatchReason {
	return MatchReason{ID: f.ID, Wanted: MatchWanted{f.Wanted.Operator, f.Wanted.Value}, Found: f.Found, Wish: f.Wish}
}

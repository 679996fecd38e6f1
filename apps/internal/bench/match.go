package main

import (
	"slices"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

const (
	// openSearches is how many open search requests the big site has.
	openSearches = 100_000
	// matched is how many listings, and search requests, are matched.
	matched    = 500
	matchLimit = 50
	// statisticPage is a page of products with their statistic, of which some are
	// read.
	statisticPage, statisticPages = 100, 20
)

// matching times both ways of matching by themselves, for pages of 50.
func (b *bench) matching() {
	b.matchingListings()
	b.matchingSearches()
}

// matchingListings holds single listings against all search requests, with the
// reasons of a page.
func (b *bench) matchingListings() {
	index := demand.NewIndex(1, nil)
	for request := range cataloguetest.Searches(2*openSearches, seed) {
		if index.Apply(1, []demand.Revision{{ID: request.ID, Now: &request}}); index.Len() == openSearches {
			break
		}
	}
	var listings []product.Product
	for candidate := range cataloguetest.Products(matched, seed) {
		listings = append(listings, candidate.Product)
	}
	b.timedMatches("one listing against "+rig.Count(index.Len())+" searches", 20, matched, func(i int, near bool) {
		index.Match(listings[i], demand.MatchQuery{Agencies: cataloguetest.Agencies(), Near: near, Limit: matchLimit})
	})
	page := listings[:statisticPage]
	each, all := b.timing(statisticPages, func(int) { index.Count(page, cataloguetest.Agencies()) })
	name := "in process: counting " + rig.Count(index.Len()) + " searches for a page of " + rig.Count(len(page))
	b.report.add(name+": p50", each.p50, milliseconds, goal{}, "as timed: "+milliseconds(all.p50))
	b.report.add("request index memory per search", float64(index.Bytes())/float64(index.Len()), octets, goal{}, "counted by itself")
}

// matchingSearches holds single search requests against all listings. The
// reasons of a page are found once its products are read.
func (b *bench) matchingSearches() {
	index := indexOf(b.products)
	requests := slices.Collect(cataloguetest.Searches(matched, seed))
	b.timedMatches("one search against "+rig.Count(b.products)+" listings", 2, matched, func(i int, near bool) {
		index.Match(requests[i], catalogue.MatchQuery{Filter: cataloguetest.OnTheMarket(), Near: near, Limit: matchLimit})
	})
}

func (b *bench) timedMatches(name string, most float64, n int, run func(i int, near bool)) {
	for _, near := range []bool{false, true} {
		if near {
			name += ", near misses too"
		}
		each, all := b.timing(n, func(i int) { run(i, near) })
		b.report.add("in process: "+name+": p50", each.p50, milliseconds, goal{}, "as timed: "+milliseconds(all.p50))
		b.report.add("in process: "+name+": p99", each.p99, milliseconds, atMost(most), "as timed: "+milliseconds(all.p99))
	}
}

package main

import (
	"iter"
	"runtime"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

// smallSite is the size of an ordinary agency.
const smallSite = 2000

const seed = 20261121

// largeSite is far more than any agency has.
const largeSite = 1_000_000

// searchingLarge does so on a site that takes minutes to make up.
func (b *bench) searchingLarge() { b.searchingOf(largeSite, goal{}, atMost(5)) }

// searching times the search engine by itself.
func (b *bench) searching() {
	b.searchingOf(b.products, atMost(0.1), atMost(0.6))
	b.searchingOf(smallSite, goal{}, atMost(0.15))
}

func (b *bench) searchingOf(products int, p50, p99 goal) {
	index := indexOf(products)
	queries := cataloguetest.Queries(1000, products, seed)
	name := "in process, " + rig.Count(products) + " products: "
	timed := func(what string, p50, p99 goal, run func(i int)) {
		each, all := b.timing(len(queries), run)
		b.report.add(name+what+" p50", each.p50, milliseconds, p50, "as timed: "+milliseconds(all.p50))
		b.report.add(name+what+" p99", each.p99, milliseconds, p99, "as timed: "+milliseconds(all.p99))
	}
	timed("search", p50, p99, func(i int) { index.Search(queries[i]) })
	timed("count", goal{}, goal{}, func(i int) { index.Count(queries[i].Filter) })
	if products != b.products {
		return
	}
	areas, facets := cataloguetest.Areas(len(queries), products, seed), cataloguetest.Facets()
	timed("radius + 3 criteria", goal{}, atMost(2), func(i int) { index.Search(areas[i]) })
	timed("facets over 5 criteria", goal{}, atMost(5), func(i int) { index.Facets(queries[i].Filter, facets) })
	everything := product.Filter{Agencies: cataloguetest.Agencies()}
	timed("facets over 5 criteria of all products", goal{}, atMost(5), func(int) { index.Facets(everything, facets) })
}

// timing runs something for each query, round after round, the first of which
// does not count. The time of a query is the median of its rounds, which leaves
// out what other programs and the garbage collector do meanwhile; all holds the
// times with all of that in them.
func (b *bench) timing(queries int, run func(i int)) (each, all latencies) {
	rounds := make([][]time.Duration, queries)
	for round := range 1 + b.rounds {
		for i := range queries {
			started := time.Now()
			run(i)
			if took := time.Since(started); round > 0 {
				rounds[i] = append(rounds[i], took)
			}
		}
	}
	times := make([]time.Duration, queries)
	for i, took := range rounds {
		times[i] = rig.Percentile(took, 0.5)
	}
	return latenciesOf(times), latenciesOf(slices.Concat(rounds...))
}

func indexOf(products int) *catalogue.Index {
	return indexed(products, cataloguetest.Products(products, seed))
}

func indexed(products int, candidates iter.Seq[product.Candidate]) *catalogue.Index {
	builder := catalogue.NewBuilder(catalogue.Options{Ignore: map[string]bool{cataloguetest.Private: true}})
	for candidate := range candidates {
		builder.Add(candidate)
	}
	return builder.Index(int64(products))
}

// memory measures what an index holds on the heap, which is not what it says.
func (b *bench) memory() {
	before := heap()
	index := indexOf(b.products)
	held := heap() - before
	b.report.add("index memory per product", held/float64(b.products), octets, atMost(500),
		"counted by itself: "+octets(float64(index.Bytes())/float64(b.products)))
}

func heap() float64 {
	var stats runtime.MemStats
	for range 2 { // the second collection frees what the first one finalised
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

package main

import (
	"runtime"
	"time"

	"github.com/vitrine-crm/vitrine/core/catalogue"
	"github.com/vitrine-crm/vitrine/core/catalogue/cataloguetest"
)

// smallSite is the size of an ordinary agency.
const smallSite = 2000

const seed = 20261121

// searching times the search engine by itself.
func (b *bench) searching() {
	b.searchingOf(b.products, atMost(0.1), atMost(1.5))
	b.searchingOf(smallSite, goal{}, atMost(0.15))
}

func (b *bench) searchingOf(products int, p50, p99 goal) {
	index := indexOf(products)
	queries := cataloguetest.Queries(1000, products, seed)
	name := "in process, " + grouped(products) + " products: "
	search := b.timing(len(queries), func(i int) { index.Search(queries[i]) })
	b.report.add(name+"search p50", search.p50, milliseconds, p50, "")
	b.report.add(name+"search p99", search.p99, milliseconds, p99, "")
	count := b.timing(len(queries), func(i int) { index.Count(queries[i].Filter) })
	b.report.add(name+"count p50", count.p50, milliseconds, goal{}, "")
	b.report.add(name+"count p99", count.p99, milliseconds, goal{}, "")
}

// timing runs something for each query, round after round, the first of which
// does not count, and gives the medians of the rounds.
func (b *bench) timing(queries int, run func(i int)) latencies {
	var p50, p99 []float64
	for round := range 1 + b.rounds {
		times := make([]time.Duration, queries)
		for i := range times {
			started := time.Now()
			run(i)
			times[i] = time.Since(started)
		}
		if round > 0 {
			l := latenciesOf(times)
			p50, p99 = append(p50, l.p50), append(p99, l.p99)
		}
	}
	return latencies{median(p50), median(p99)}
}

func indexOf(products int) *catalogue.Index {
	builder := catalogue.NewBuilder(catalogue.Options{Ignore: map[string]bool{cataloguetest.Private: true}})
	for candidate := range cataloguetest.Products(products, seed) {
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

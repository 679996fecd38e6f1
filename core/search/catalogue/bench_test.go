package catalogue_test

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

const (
	large = 100_000
	small = 2_000
)

var largeIndex = sync.OnceValue(func() *catalogue.Index { return build(large) })

// measure reports the percentiles of single calls, which the mean hides.
func measure(b *testing.B, call func(i int)) {
	b.ReportAllocs()
	took := make([]time.Duration, 0, 1<<16)
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		call(i)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	micros := func(share float64) float64 {
		return float64(took[min(len(took)-1, int(share*float64(len(took))))].Nanoseconds()) / 1000
	}
	b.ReportMetric(micros(0.50), "p50-µs")
	b.ReportMetric(micros(0.90), "p90-µs")
	b.ReportMetric(micros(0.99), "p99-µs")
}

func BenchmarkSearch100k(b *testing.B) {
	index, queries := largeIndex(), cataloguetest.Queries(2000, large, 2)
	measure(b, func(i int) { index.Search(queries[i%len(queries)]) })
}

func BenchmarkCount100k(b *testing.B) {
	index, queries := largeIndex(), cataloguetest.Queries(2000, large, 2)
	measure(b, func(i int) { index.Count(queries[i%len(queries)].Filter) })
}

// BenchmarkAreas100k searches around cities, with three conditions.
func BenchmarkAreas100k(b *testing.B) {
	index, queries := largeIndex(), cataloguetest.Areas(2000, large, 2)
	measure(b, func(i int) { index.Search(queries[i%len(queries)]) })
}

// BenchmarkRadius100k searches in circles of one size and nothing else.
func BenchmarkRadius100k(b *testing.B) {
	for _, radius := range []float64{2, 10, 30, 100, 300, 1000} {
		b.Run(strconv.Itoa(int(radius)), func(b *testing.B) {
			index, queries := largeIndex(), cataloguetest.Areas(500, large, 2)
			for i := range queries {
				queries[i].Filter = product.Filter{Agencies: cataloguetest.Agencies(), Near: queries[i].Filter.Near}
				queries[i].Filter.Near.Radius = radius
			}
			measure(b, func(i int) { index.Count(queries[i%len(queries)].Filter) })
		})
	}
}

// BenchmarkBoundByOrder100k goes by the price through products of at least a price
// near the end of the walk.
func BenchmarkBoundByOrder100k(b *testing.B) {
	index, queries := largeIndex(), cataloguetest.Queries(500, large, 2)
	for i := range queries {
		queries[i].Order, queries[i].After = product.Order{Key: product.ByPrice, Descending: i%2 != 0}, 0
		operator := criteria.SUPERIEUR
		if i%2 != 0 {
			operator = criteria.INFERIEUR
		}
		queries[i].Filter = product.Filter{Agencies: cataloguetest.Agencies(), Criteria: []criteria.Condition{
			{Criterion: criteria.KeyPrice, Type: criteria.NUMBER, Operator: operator, Number: float64(150+i%200) * 1000},
		}}
	}
	measure(b, func(i int) { index.Search(queries[i%len(queries)]) })
}

// BenchmarkStreets100k counts the products of streets, as the first search does that
// asks for one.
func BenchmarkStreets100k(b *testing.B) {
	index := largeIndex()
	var filters []product.Filter
	for _, q := range cataloguetest.Queries(2000, large, 2) {
		for _, c := range q.Filter.Criteria {
			if c.Criterion == criteria.KeyAddress {
				filters = append(filters, product.Filter{Agencies: cataloguetest.Agencies(), Criteria: []criteria.Condition{c}})
			}
		}
	}
	measure(b, func(i int) { index.Count(filters[i%len(filters)]) })
}

// BenchmarkFacets100k counts by five facets beside what people search for.
func BenchmarkFacets100k(b *testing.B) {
	index, queries, facets := largeIndex(), cataloguetest.Queries(2000, large, 2), cataloguetest.Facets()
	measure(b, func(i int) { index.Facets(queries[i%len(queries)].Filter, facets) })
}

// BenchmarkFacetsOfEverything100k counts all products by five facets.
func BenchmarkFacetsOfEverything100k(b *testing.B) {
	index, facets := largeIndex(), cataloguetest.Facets()
	measure(b, func(int) { index.Facets(product.Filter{Agencies: cataloguetest.Agencies()}, facets) })
}

func BenchmarkSearch2k(b *testing.B) {
	index, queries := build(small), cataloguetest.Queries(2000, small, 2)
	measure(b, func(i int) { index.Search(queries[i%len(queries)]) })
}

func BenchmarkCount2k(b *testing.B) {
	index, queries := build(small), cataloguetest.Queries(2000, small, 2)
	measure(b, func(i int) { index.Count(queries[i%len(queries)].Filter) })
}

// BenchmarkApply100k writes what is written most: another price and status, now.
func BenchmarkApply100k(b *testing.B) {
	index := build(large)
	all := slices.Collect(cataloguetest.Products(large, 1))
	seq := int64(large)
	measure(b, func(i int) {
		c := all[i*7919%large]
		seq++
		c.Product.Version, c.Product.Modified = seq, c.Product.Modified.Add(time.Duration(seq)*time.Minute)
		c.Product.Criteria[criteria.KeyPrice] = criteria.Number(100_000 + 1000*float64(i%900))
		c.Product.Criteria[criteria.KeyStatus] = criteria.Unique([]string{"EnCours", "SousOffre"}[i%2])
		index.Apply(seq, []catalogue.Change{{ID: c.Product.ID, Now: &c}})
	})
}

// BenchmarkApplyNew100k adds products with the next id.
func BenchmarkApplyNew100k(b *testing.B) {
	index := build(large)
	all := slices.Collect(cataloguetest.Products(large, 5))
	measure(b, func(i int) {
		c := all[i%large]
		c.Product.ID += product.ID(3 * large * (1 + i/large))
		c.Product.Version = int64(large + i)
		index.Apply(c.Product.Version, []catalogue.Change{{ID: c.Product.ID, Now: &c}})
	})
}

// BenchmarkApplyRewritten100k gives a product everything another one has.
func BenchmarkApplyRewritten100k(b *testing.B) {
	index := build(large)
	all := slices.Collect(cataloguetest.Products(large, 1))
	measure(b, func(i int) {
		c, other := all[i*7919%large], all[i*104729%large]
		other.Product.ID, other.Product.Version = c.Product.ID, int64(large+i)
		index.Apply(other.Product.Version, []catalogue.Change{{ID: c.Product.ID, Now: &other}})
	})
}

func BenchmarkBuild100k(b *testing.B) { benchmarkBuild(b, large) }

func BenchmarkBuild2k(b *testing.B) { benchmarkBuild(b, small) }

func benchmarkBuild(b *testing.B, n int) {
	all := slices.Collect(cataloguetest.Products(n, 1))
	values := 0
	for _, c := range all {
		values += len(c.Product.Criteria)
	}
	var index *catalogue.Index
	for b.Loop() {
		builder := catalogue.NewBuilder(withoutPrivate)
		for _, c := range all {
			builder.Add(c)
		}
		index = builder.Index(1)
	}
	b.ReportMetric(float64(index.Bytes())/float64(n), "B/product")
	b.ReportMetric(float64(values)/float64(n), "criteria/product")
}

// BenchmarkApplyLate100k adds products that come some ids late, as those of
// writers that work side by side do.
func BenchmarkApplyLate100k(b *testing.B) {
	index := build(large)
	all := slices.Collect(cataloguetest.Products(large, 5))
	measure(b, func(i int) {
		c := all[i%large]
		// Ids are 3 apart.
		c.Product.ID = all[large-1-i%20].Product.ID + product.ID(1+i/20)
		c.Product.Version = int64(large + i)
		index.Apply(c.Product.Version, []catalogue.Change{{ID: c.Product.ID, Now: &c}})
	})
}

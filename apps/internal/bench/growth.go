package main

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

const (
	// calls is how many searches, counts and changes are timed at each size.
	calls = 1000
	// distinct is how many sites have products of their own. Those beyond have the same
	// ones, in an index of their own: making them up takes longer than indexing them.
	distinct = 20
	// heapWithin is what the indexes of 2,000 sites of 2,000 products may take, in MiB.
	heapWithin = 2048
)

// population is how many sites a process has, and how many products each of them.
type population struct{ sites, products int }

// productsOf makes up the products of a site.
func (p population) productsOf(site int) iter.Seq[product.Candidate] {
	return cataloguetest.Products(p.products, seed+uint64(site%distinct))
}

func (p population) String() string {
	if p.sites == 1 {
		return rig.Count(p.products) + " products"
	}
	return rig.Count(p.sites) + " sites of " + rig.Count(p.products) + " products"
}

// grown is what was measured of a population: times, and bytes on the heap for each
// product.
type grown struct {
	population
	search, count, change latencies
	bytes                 float64
}

// growing returns the steps that measure how figures change as a site gets more products, and a
// process more sites.
func (b *bench) growing() []step {
	products, sites := []int{2000, 10_000, 100_000, largeSite}, []int{1, 300, 2000}
	if b.Short {
		products, sites = []int{500, 2000, 10_000}, []int{1, 5, 20}
	}
	var steps []step
	measured := func(name string, p population) {
		steps = append(steps, step{"growth " + name, func(context.Context) error {
			b.grow(p)
			return nil
		}})
	}
	for _, n := range products {
		measured(rig.Count(n)+" products", population{1, n})
	}
	for _, n := range sites {
		measured(rig.Count(n)+" sites", population{n, smallSite})
	}
	return steps
}

// grow makes up a population and times what is asked of its indexes. Calls go round
// the sites, so that few of them find in the caches of the processor what they need.
func (b *bench) grow(p population) {
	made := make([]iter.Seq[product.Candidate], min(p.sites, distinct))
	for i := range made {
		made[i] = p.productsOf(i)
		if p.sites > len(made) { // they are needed more than once
			made[i] = slices.Values(slices.Collect(made[i]))
		}
	}
	before := heap()
	indexes := make([]*catalogue.Index, p.sites)
	for i := range indexes {
		indexes[i] = indexed(p.products, made[i%len(made)])
	}
	held := heap() - before
	runtime.KeepAlive(made)
	g := grown{population: p, bytes: held / float64(p.sites*p.products)}
	queries := cataloguetest.Queries(calls, p.products, seed)
	of := func(i int) *catalogue.Index { return indexes[i*7919%p.sites] }
	g.search, _ = b.timing(calls, func(i int) { of(i).Search(queries[i]) })
	g.count, _ = b.timing(calls, func(i int) { of(i).Count(queries[i].Filter) })
	g.change = timedChanges(p, indexes)
	b.reportGrowth(g)
}

func (b *bench) reportGrowth(g grown) {
	name := "growth, " + g.String() + ": "
	within := map[population]goal{{1, 100_000}: atMost(0.6), {1, largeSite}: atMost(5)}
	for _, c := range []struct {
		what  string
		times latencies
		goal  goal
	}{{"search", g.search, within[g.population]}, {"count", g.count, goal{}}, {"one change", g.change, goal{}}} {
		b.report.add(name+c.what+" p99", c.times.p99, milliseconds, c.goal, "p50: "+milliseconds(c.times.p50))
	}
	memory := goal{}
	if g.sites == 2000 {
		memory = atMost(heapWithin)
	}
	all := g.bytes * float64(g.sites*g.products) / (1 << 20)
	b.report.add(name+"memory", all, mebibytes, memory, octets(g.bytes)+" a product")
}

// timedChanges applies changes that are written often, another price and status, one by
// one: each can be made only once.
func timedChanges(p population, indexes []*catalogue.Index) latencies {
	var times []time.Duration
	changes := changesOf(p)
	for i := range changes {
		c := changes[i*7919%len(changes)]
		index, now := indexes[c.site], c.candidate
		seq := index.Seq() + 1
		now.Product.Version, now.Product.Modified = seq, now.Product.Modified.Add(time.Hour)
		now.Product.Criteria[criteria.KeyPrice] = criteria.Number(100_000 + 1000*float64(i%900))
		now.Product.Criteria[criteria.KeyStatus] = criteria.Unique([]string{"EnCours", "SousOffre"}[i%2])
		started := time.Now()
		index.Apply(seq, []catalogue.Change{{ID: now.Product.ID, Now: &now}})
		times = append(times, time.Since(started))
	}
	return latenciesOf(times)
}

// located is a product of one of many sites.
type located struct {
	site      int
	candidate product.Candidate
}

// changesOf makes up the products that are changed once more: as many of each site,
// as far apart as they can be.
func changesOf(p population) []located {
	var all []located
	sites := min(p.sites, calls)
	each := min(calls/sites, p.products)
	for i := range sites {
		site := i * 7919 % p.sites
		n := 0
		for candidate := range p.productsOf(site) {
			if n%(p.products/each) == 0 {
				all = append(all, located{site, candidate})
			}
			if n++; n > (each-1)*(p.products/each) {
				break
			}
		}
	}
	return all
}

package main

import (
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/product"
)

func TestChangesOfAPopulation(t *testing.T) {
	for _, c := range []struct {
		population
		sites, most int
	}{
		{population{1, 2000}, 1, calls},
		{population{1, 500}, 1, 500},
		{population{300, 20}, 300, 3},
		{population{2000, 20}, calls, 1},
	} {
		type place struct {
			site int
			id   product.ID
		}
		each, seen := map[int]int{}, map[place]bool{}
		for _, change := range changesOf(c.population) {
			if change.site < 0 || change.site >= c.population.sites {
				t.Fatalf("%s: site %d", c.population, change.site)
			}
			each[change.site]++
			seen[place{change.site, change.candidate.Product.ID}] = true
		}
		all := 0
		for _, n := range each {
			if n != c.most {
				t.Errorf("%s: %d changes of a site instead of %d", c.population, n, c.most)
			}
			all += n
		}
		if len(each) != c.sites || len(seen) != all {
			t.Errorf("%s: %d changes of %d products on %d sites, not %d", c.population, all, len(seen), len(each), c.sites)
		}
	}
}

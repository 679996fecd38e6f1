package catalogue_test

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

var withoutPrivate = catalogue.Options{Ignore: map[string]bool{cataloguetest.Private: true}}

func build(n int) *catalogue.Index {
	builder := catalogue.NewBuilder(withoutPrivate)
	for c := range cataloguetest.Products(n, 1) {
		builder.Add(c)
	}
	return builder.Index(int64(n))
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// TestFootprintIsHonest compares the estimate with the heap of the runtime, and
// both with the promise of 500 bytes for each product of a large site, and 540 of
// one of 2,000, of which 2,000 fit into 2 GiB.
func TestFootprintIsHonest(t *testing.T) {
	for _, n := range []int{2_000, 50_000} {
		before := heap()
		index := build(n)
		held, said := heap()-before, index.Bytes()
		runtime.KeepAlive(index)
		t.Logf("%d products: %d bytes each, said to be %d", n, held/n, said/n)
		if 2*said > 3*held || 3*said < 2*held {
			t.Errorf("%d products: %d bytes are said to be held, but %d are", n, said, held)
		}
		if promised := map[int]int{2_000: 540, 50_000: 500}[n]; held/n > promised {
			t.Errorf("%d products: %d bytes for each", n, held/n)
		}
	}
}

// TestChangesLeaveNothingBehind changes the same products again and again: what
// was there before must not take room.
func TestChangesLeaveNothingBehind(t *testing.T) {
	const n, rounds = 2_000, 30
	index, before := build(n), 0
	all := slices.Collect(cataloguetest.Products(n, 1))
	for round := range rounds {
		for i, c := range all {
			c.Product = c.Product.Clone()
			c.Product.Version = int64(n * (round + 1))
			c.Product.Reference = fmt.Sprintf("VM-%d-%d", round, i)
			c.Product.Criteria[criteria.KeyAddress] = criteria.Text(strconv.FormatInt(int64(n*round+i)*1_000_003, 36))
			index.Apply(c.Product.Version, []catalogue.Change{{ID: c.Product.ID, Now: &c}})
		}
		if round == 1 {
			before = index.Bytes()
		}
	}
	if after := index.Bytes(); 4*after > 5*before {
		t.Errorf("after %d rounds the index takes %d bytes, after 2 it took %d", rounds, after, before)
	}
}

// The size is not measured after every change, and still never far from what it is.
func TestGrowthIsNoticedSoon(t *testing.T) {
	index := build(0)
	empty := index.Bytes()
	for c := range cataloguetest.Products(1_000, 1) {
		index.Apply(c.Product.Version, []catalogue.Change{{ID: c.Product.ID, Now: &c}})
		index.Bytes()
	}
	grown, anew := index.Bytes(), build(1_000).Bytes()
	if grown < 10*empty || 10*grown < 9*anew {
		t.Errorf("it grew from %d to %d bytes, and takes %d when it is built anew", empty, grown, anew)
	}
}

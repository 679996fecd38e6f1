package catalogue_test

import (
	"runtime"
	"testing"

	"github.com/vitrine-crm/vitrine/core/catalogue"
	"github.com/vitrine-crm/vitrine/core/catalogue/cataloguetest"
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

// TestFootprintIsHonest holds the estimate against what the runtime says, and
// both against the promise of 500 bytes for each product of a large site.
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
		if n >= 50_000 && held/n > 500 {
			t.Errorf("%d products: %d bytes for each", n, held/n)
		}
	}
}

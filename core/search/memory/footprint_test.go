package memory_test

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// record is of all the parts that settings are made of.
type record struct {
	name   string
	bounds *float64
	words  []string
	inner  []record
	byName map[string]record
	any    any
	plan   *[1000]byte
	fixed  [2]string
}

func records(n int) []record {
	all := make([]record, n)
	for i := range all {
		bound := float64(i)
		all[i] = record{
			name: fmt.Sprintf("record %030d", i), bounds: &bound, words: strings.Fields(fmt.Sprintf("one%d two%d three%d", i, i, i)),
			inner: make([]record, 2), any: fmt.Sprintf("anything %d", i), byName: map[string]record{}, fixed: [2]string{fmt.Sprint("fixed ", i), ""},
		}
		for k := range 20 {
			all[i].byName[fmt.Sprint("key ", k)] = record{}
		}
	}
	return all
}

func TestAFootprintIsNearlyWhatTheHeapHolds(t *testing.T) {
	before := heap()
	all := records(1000)
	holds, said := heap()-before, memory.Footprint(all)
	runtime.KeepAlive(all)
	if 4*said > 5*holds || 4*holds > 5*said {
		t.Errorf("%d bytes are said to be held, but %d are", said, holds)
	}
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

func TestWhatIsSharedIsCountedElsewhere(t *testing.T) {
	apart, shared := memory.Footprint(record{}), record{plan: new([1000]byte)}
	if with := memory.Footprint(shared); with != apart+1000 {
		t.Errorf("%d bytes, and %d without", with, apart)
	}
	if without := memory.Footprint(shared, reflect.TypeFor[*[1000]byte]()); without != apart {
		t.Errorf("%d bytes in place of %d", without, apart)
	}
}

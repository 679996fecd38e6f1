package slottest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/domain/slot/slottest"
)

// BenchmarkSlots is the month of an agency. Besides the mean it reports what half of
// the calls take at most, and 99 of 100.
func BenchmarkSlots(b *testing.B) {
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		b.Fatal(err)
	}
	for name, together := range map[string]bool{"any": false, "all": true} {
		b.Run(name, func(b *testing.B) {
			q, agents := slottest.Month(zone, 0)
			q.Together = together
			if slots, _ := slot.Slots(q, agents); !together && len(slots) < 100 {
				b.Fatalf("%d slots", len(slots))
			}
			b.ReportAllocs()
			var took []time.Duration
			for b.Loop() {
				begin := time.Now()
				slot.Slots(q, agents)
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e6, "ms-p50")
			b.ReportMetric(float64(took[len(took)*99/100])/1e6, "ms-p99")
		})
	}
}

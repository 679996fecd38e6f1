package slot

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/calendar"
	"github.com/vitrine-crm/vitrine/core/interval"
	"github.com/vitrine-crm/vitrine/core/site"
)

// BenchmarkSlots is the month of an agency: 20 agents, 31 days over a change of
// clocks, 200 events of each. Besides the mean it reports what half of the calls
// take at most, and 99 of 100.
func BenchmarkSlots(b *testing.B) {
	zone := location(b, "Europe/Paris")
	from := time.Date(2027, 3, 15, 0, 0, 0, 0, zone)
	q := Query{
		Zone: zone, Now: from, Window: interval.Interval{Start: from, End: from.AddDate(0, 0, 31)},
		Duration: 45 * time.Minute, Step: 30 * time.Minute, Before: 15 * time.Minute, After: 15 * time.Minute,
	}
	var agents []Agent
	for id := range 20 {
		p := Pattern{CycleWeeks: 1}
		for weekday := range 6 {
			p.Days = append(p.Days, Weekday{weekday + 1, 1, []Period{{9 * 60, 12*60 + 30}, {14 * 60, 18*60 + 30}}})
		}
		a := Agent{ID: site.UserID(id + 1), Region: calendar.France, Work: WorkingTime{Patterns: []Pattern{p}, Bookable: true}}
		for n := range 200 {
			start := from.Add(minutes((n*197 + id*61) % (31 * 24 * 60))) // in no order
			a.Busy = append(a.Busy, Busy{interval.Interval{Start: start, End: start.Add(45 * time.Minute)}, Event, 15 * time.Minute, 15 * time.Minute})
		}
		for n := range 4 {
			start := from.AddDate(0, 0, 7*n+id%7).Add(12 * time.Hour)
			a.Duties = append(a.Duties, Duty{interval.Interval{Start: start, End: start.Add(2 * time.Hour)}, true})
		}
		agents = append(agents, a)
	}
	for name, together := range map[string]bool{"any": false, "all": true} {
		b.Run(name, func(b *testing.B) {
			q := q
			q.Together = together
			if slots, _ := Slots(q, agents); !together && len(slots) < 100 {
				b.Fatalf("%d slots", len(slots))
			}
			b.ReportAllocs()
			var took []time.Duration
			for b.Loop() {
				begin := time.Now()
				Slots(q, agents)
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e6, "ms-p50")
			b.ReportMetric(float64(took[len(took)*99/100])/1e6, "ms-p99")
		})
	}
}

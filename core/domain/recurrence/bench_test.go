package recurrence

import (
	"testing"
	"time"

	"github.com/teambition/rrule-go"
)

// A month of a rule that began ten years before, and where it would be looked for
// without entering the rule at the window.
func BenchmarkAMonthOfAnOldRule(b *testing.B) {
	const text = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
	s := series(b, "2016-11-21T09:00", "Europe/Paris", text)
	from := s.Start.AddDate(10, 0, 0)
	to := from.AddDate(0, 1, 0)
	count := func(b *testing.B, n int) {
		b.Helper()
		if n < 20 {
			b.Fatalf("%d occurrences", n)
		}
	}
	b.Run("series", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			for range s.Starts(from, to) {
				n++
			}
			count(b, n)
		}
	})
	b.Run("counted", func(b *testing.B) {
		b.ReportAllocs()
		counted := series(b, "2026-11-23T09:00", "Europe/Paris", text+";COUNT=730")
		last := counted.Start.AddDate(3, 0, 0)
		for b.Loop() {
			n := 0
			for range counted.Starts(counted.Start, last) {
				n++
			}
			count(b, n)
		}
	})
	b.Run("rrule-go", func(b *testing.B) {
		b.ReportAllocs()
		option, err := rrule.StrToROption(text)
		if err != nil {
			b.Fatal(err)
		}
		option.Dtstart = time.Date(2016, 11, 21, 9, 0, 0, 0, time.UTC)
		other, err := rrule.NewRRule(*option)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			count(b, len(other.Between(from, to, true)))
		}
	})
}

package calendar

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func location(t rapid.TB, name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// Every minute of the days around is read off the clock, and the first that
// shows the time is the one.
func TestATimeOfADayIsTheFirstInstantThatShowsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := location(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		d := Day(rapid.IntRange(int(Of(1972, 1, 2)), int(Of(2040, 1, 1))).Draw(t, "day"))
		clock := time.Duration(rapid.IntRange(0, 24*60).Draw(t, "minutes")) * time.Minute
		// A time about which clocks change is as likely as all others together.
		if _, next := d.Start(zone).ZoneBounds(); rapid.Bool().Draw(t, "change") && !next.IsZero() {
			near := next.Add(time.Duration(rapid.IntRange(-120, 120).Draw(t, "after the change")) * time.Minute)
			_, offset := next.Add(-time.Nanosecond).Zone()
			wall := near.UTC().Add(time.Duration(offset) * time.Second).Truncate(time.Minute)
			d, clock = On(wall, time.UTC), Clock(wall, time.UTC)
		}
		at, exists := d.At(clock, zone)

		shown := d.midnight().Add(clock)
		wall := func(at time.Time) time.Time {
			_, offset := at.Zone()
			return at.UTC().Add(time.Duration(offset) * time.Second)
		}
		before := shown.Add(-26 * time.Hour).In(zone)
		for ; before.Before(shown.Add(26 * time.Hour)); before = before.Add(time.Minute) {
			if wall(before).Equal(shown) {
				if !exists || !at.Equal(before) {
					t.Fatalf("%v %v is %v in %v (%v), want %v", d, clock, at, zone, exists, before)
				}
				return
			}
			if next := before.Add(time.Minute); wall(before).Before(shown) && wall(next).After(shown) {
				_, offset := before.Zone()
				if want := shown.Add(-time.Duration(offset) * time.Second); exists || !at.Equal(want) {
					t.Fatalf("%v %v, which is skipped, is %v in %v (%v), want %v", d, clock, at, zone, exists, want)
				}
			}
		}
		if exists {
			t.Fatalf("no clock in %v shows %v %v, but it is said to be %v", zone, d, clock, at)
		}
	})
}

func TestTheClockReadsWhatATimeOfADaySays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := location(t, rapid.SampledFrom(zones).Draw(t, "zone"))
		d := Day(rapid.IntRange(int(Of(1972, 1, 2)), int(Of(2040, 1, 1))).Draw(t, "day"))
		clock := time.Duration(rapid.IntRange(0, int(24*time.Hour)-1).Draw(t, "clock"))
		if at, exists := d.At(clock, zone); exists && (On(at, zone) != d || Clock(at, zone) != clock) {
			t.Fatalf("%v %v in %v is %v", d, clock, zone, at)
		}
	})
}

package calendar

import (
	"testing"
	"time"
	_ "time/tzdata" // the zones of the tests, whatever the machine has

	"pgregory.net/rapid"
)

func anyDay() *rapid.Generator[Day] {
	return rapid.Map(rapid.IntRange(int(First), int(Last)-1), func(n int) Day { return Day(n) })
}

func day(t *testing.T, text string) Day {
	t.Helper()
	d, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestADayIsReadAsItIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDay().Draw(t, "day")
		if got, err := Parse(d.String()); err != nil || got != d {
			t.Fatalf("%d is written %q and read as %d, %v", d, d, got, err)
		}
		if year, month, of := d.Date(); Of(year, month, of) != d {
			t.Fatalf("%v is the %d of %v %d", d, of, month, year)
		}
		if next := d + 1; next.Weekday() != (d.Weekday()+1)%7 {
			t.Fatalf("after a %v comes a %v", d.Weekday(), next.Weekday())
		}
	})
	if First.String() != "0001-01-01" || Last.String() != "9999-12-31" || Day(0).String() != "" {
		t.Errorf("the days go from %v to %v, and none is %q", First, Last, Day(0))
	}
	for _, wrong := range []string{"", "2026-02-30", "0000-12-31", "16/09/2026", "2026-9-16", "2026-09-16T00:00:00Z"} {
		if d, err := Parse(wrong); err == nil {
			t.Errorf("%q is read as %v", wrong, d)
		}
	}
}

func TestTextKeepsADay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.OneOf(anyDay(), rapid.Just(Day(0))).Draw(t, "day")
		text, err := d.MarshalText()
		var got Day
		if err != nil || got.UnmarshalText(text) != nil || got != d {
			t.Fatalf("%v became %v by %q, %v", d, got, text, err)
		}
	})
}

func TestAMonthLaterIsTheSameDayOrTheLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, months := rapid.IntRange(int(Of(1900, 1, 1)), int(Of(2300, 1, 1))).Draw(t, "day"), rapid.IntRange(-1200, 1200).Draw(t, "months")
		year, month, of := Day(d).Date()
		gotYear, gotMonth, got := Day(d).AddMonths(months).Date()
		if want := year*12 + int(month) - 1 + months; gotYear*12+int(gotMonth)-1 != want {
			t.Fatalf("%v and %d months is in %v %d", Day(d), months, gotMonth, gotYear)
		}
		if got != of && (got > of || Day(d).AddMonths(months)+1 != Of(gotYear, gotMonth+1, 1)) {
			t.Fatalf("%v and %d months is the %d of the month", Day(d), months, got)
		}
	})
}

// Zones with half hours, with midnights that do not exist and with midnights that
// come twice.
var zones = []string{
	"Europe/Paris", "America/Guadeloupe", "Indian/Reunion", "Asia/Kolkata", "Australia/Lord_Howe", "America/Santiago",
	"Africa/Cairo", "America/Havana", "Atlantic/Azores", "Asia/Beirut", "Pacific/Apia", "UTC",
}

func TestADayBeginsAtItsFirstInstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		d := Day(rapid.IntRange(int(Of(1970, 1, 2)), int(Of(2040, 1, 1))).Draw(t, "day"))
		start := d.Start(zone)
		if before := On(start.Add(-time.Nanosecond), zone); before >= d {
			t.Fatalf("%v is %v in %v already before %v", before, d, zone, start)
		}
		if got := On(start, zone); got < d {
			t.Fatalf("%v is still %v in %v at %v", d, got, zone, start)
		}
		if !d.End(zone).Equal((d + 1).Start(zone)) {
			t.Fatalf("%v ends at %v", d, d.End(zone))
		}
	})
}

func TestTheDayOnWhichClocksSkipMidnight(t *testing.T) {
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	if got := day(t, "2024-09-08").Start(zone); !got.Equal(time.Date(2024, 9, 8, 4, 0, 0, 0, time.UTC)) {
		t.Errorf("8 September 2024 begins in Santiago at %v", got)
	}
	cuba, err := time.LoadLocation("America/Havana")
	if err != nil {
		t.Fatal(err)
	}
	if got := day(t, "2024-11-03").Start(cuba); !got.Equal(time.Date(2024, 11, 3, 4, 0, 0, 0, time.UTC)) {
		t.Errorf("3 November 2024, whose midnight comes twice, begins in Havana at %v", got)
	}
}

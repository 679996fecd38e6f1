package criteria_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
)

// zones are those of French sites, zones with half hours, and zones whose clocks
// are changed at midnight, or change their minds about the day.
var zones = []string{
	"Europe/Paris", "America/Guadeloupe", "Indian/Reunion", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Marquesas",
	"America/Havana", "Asia/Beirut", "Africa/Cairo", "America/Sao_Paulo", "America/St_Johns", "UTC",
}

func zoneOf(t rapid.TB, name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func drawZone(t *rapid.T) *time.Location {
	return zoneOf(t, rapid.SampledFrom(zones).Draw(t, "zone"))
}

// drawDay draws a day, most often one close to a change of the clocks.
func drawDay(t *rapid.T, zone *time.Location) time.Time {
	at := time.Date(rapid.IntRange(1975, 2036).Draw(t, "year"), 1, rapid.IntRange(1, 365).Draw(t, "day"), 12, 0, 0, 0, time.UTC).In(zone)
	if _, change := at.ZoneBounds(); !change.IsZero() && rapid.IntRange(0, 4).Draw(t, "at a change") > 0 {
		at = change.AddDate(0, 0, rapid.IntRange(-1, 1).Draw(t, "days after")).In(zone)
	}
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
}

// beginning finds the first minute of a day or a later one by looking at clocks.
func beginning(day time.Time, zone *time.Location) time.Time {
	at := day.Add(-15 * time.Hour)
	for at.In(zone).Format(time.DateOnly) < day.Format(time.DateOnly) {
		at = at.Add(time.Minute)
	}
	return at
}

func TestQ34_ADayBeginsAtMidnightOfItsZone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := drawZone(t)
		day := drawDay(t, zone)
		if got, want := (criteria.Date{At: day}).Instant(zone), beginning(day, zone); !got.Equal(want) || got.Location() != time.UTC {
			t.Fatalf("%s begins at %v in %v, not at %v", day.Format(time.DateOnly), got, zone, want)
		}
	})
}

func TestQ34_DaysThatBeginAtAnotherHour(t *testing.T) {
	for _, c := range []struct{ zone, day, begins string }{
		{"Europe/Paris", "2026-03-29", "2026-03-28T23:00:00Z"},
		{"Europe/Paris", "2026-03-30", "2026-03-29T22:00:00Z"},
		{"Europe/Paris", "2026-10-25", "2026-10-24T22:00:00Z"},
		{"Europe/Paris", "2026-10-26", "2026-10-25T23:00:00Z"},
		{"UTC", "0001-01-01", "0001-01-01T00:00:00Z"},
		{"America/Guadeloupe", "2026-07-01", "2026-07-01T04:00:00Z"},
		{"Indian/Reunion", "2026-07-01", "2026-06-30T20:00:00Z"},
		{"Asia/Kolkata", "2026-07-01", "2026-06-30T18:30:00Z"},
		{"America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"}, // midnight comes twice
		{"Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z"},    // and here not at all
		{"Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"},   // a day nobody had
		{"Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"},
	} {
		day, _ := time.Parse(time.DateOnly, c.day)
		if got := (criteria.Date{At: day}).Instant(zoneOf(t, c.zone)).Format(time.RFC3339); got != c.begins {
			t.Errorf("%s begins at %s in %s, not at %s", c.day, got, c.zone, c.begins)
		}
	}
}

// TestQ34_DaysAndInstantsCompareAsMoments: whichever of the value and the operand
// is a day, and whichever an instant.
func TestQ34_DaysAndInstantsCompareAsMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := drawZone(t)
		day := drawDay(t, zone)
		draw := func(what string) (criteria.Date, time.Time) {
			near := day.AddDate(0, 0, rapid.IntRange(-1, 1).Draw(t, what+" days after"))
			begins := beginning(near, zone)
			if rapid.Bool().Draw(t, what+" is a day") {
				return criteria.Date{At: near}, begins
			}
			minutes := rapid.OneOf(rapid.Just(0), rapid.IntRange(-26*60, 26*60)).Draw(t, what+" minutes after")
			at := begins.Add(time.Duration(minutes) * time.Minute)
			return criteria.Date{At: at, Timed: true}, at
		}
		value, held := draw("value")
		operand, asked := draw("operand")
		for operator, want := range map[criteria.Operator]bool{
			criteria.SUPERIEUR: !held.Before(asked), criteria.INFERIEUR: !held.After(asked),
			criteria.EGAL: held.Equal(asked), criteria.DIFFERENT: !held.Equal(asked),
		} {
			c, problem := dated.Condition(operator, criteria.Restate(operand), criteria.Reading{Zone: zone})
			if problem != nil {
				t.Fatalf("%+v", problem)
			}
			if c.Matches(value) != want {
				t.Fatalf("in %v, %v (%v) %v %v (%v): %t", zone, value, held, operator, operand, asked, !want)
			}
			// What is shown of the clause means the same.
			again, problem := dated.Condition(operator, raw(c.Plain()), criteria.Reading{Zone: zone})
			if problem != nil || again.Matches(value) != want {
				t.Fatalf("%v is shown as %v, which is another clause (%+v)", operand, c.Plain(), problem)
			}
		}
	})
}

// TestQ34_DatesAtTheEndsOfTime: where doubles are too coarse for milliseconds, and
// where a zone has no beginning.
func TestQ34_DatesAtTheEndsOfTime(t *testing.T) {
	east := time.FixedZone("", 60)
	first := criteria.Date{At: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)}
	if got, want := first.Instant(east), first.At.Add(-time.Minute); !got.Equal(want) {
		t.Errorf("%v begins at %v, not at %v", first, got, want)
	}
	const last = "9999-12-30T23:59:59.001Z"
	c, problem := dated.Condition(criteria.EGAL, raw(last), asOperand)
	if problem != nil || c.Plain() != last || !c.Matches(accepted(t, dated, last)) {
		t.Errorf("%s is shown as %v (%+v)", last, c.Plain(), problem)
	}
}

func TestK13_DateTimesOfRFC3339(t *testing.T) {
	want := criteria.Date{At: time.Date(2026, 9, 16, 8, 30, 0, 0, time.UTC), Timed: true}
	for _, text := range []string{
		"2026-09-16T08:30:00Z", "2026-09-16t08:30:00z", "2026-09-16t10:30:00+02:00", "2026-09-16T08:30:00.000z", "2026-09-16T08:30z",
		"2026-09-16T22:30:00+14:00", "2026-09-15T18:30:00-14:00", "2026-09-16t08:30:00", "2026-09-16T08:30:00-00:00",
	} {
		if got, ok := criteria.ParseDate(text, nil); !ok || !criteria.Equal(got, want) {
			t.Errorf("%s is %v, %t", text, got, ok)
		}
	}
	for _, text := range []string{
		"2026-09-16T08:30:00+14:01", "2026-09-16T08:30:00-14:01", "2026-09-16T08:30:00+15:00", "2026-09-16T08:30:00+23:59", "2026-09-16T08:30+24:00",
		"2026-09-16T08:30:00-99:00", "2026-09-16T08:30:00ZZ", "2026-09-16x08:30:00Z",
	} {
		if got, ok := criteria.ParseDate(text, nil); ok {
			t.Errorf("%s is %v", text, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		minutes := rapid.IntRange(-24*60+1, 24*60-1).Draw(t, "offset")
		text := want.At.In(time.FixedZone("", minutes*60)).Format(time.RFC3339)
		got, ok := criteria.ParseDate(text, nil)
		if wanted := minutes >= -14*60 && minutes <= 14*60; ok != wanted || ok && !criteria.Equal(got, want) {
			t.Fatalf("%s is %v, %t", text, got, ok)
		}
	})
}

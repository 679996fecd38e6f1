package calendar

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Easter Sundays as almanacs give them, the earliest and the latest among them.
func TestEasterIsThatOfTheAlmanacs(t *testing.T) {
	for _, sunday := range []string{
		"1970-03-29", "1981-04-19", "2000-04-23", "2008-03-23", "2011-04-24", "2024-03-31", "2025-04-20", "2026-04-05", "2027-03-28",
		"2038-04-25", "2049-04-18", "2076-04-19", "2100-03-28", "2160-03-23", "2190-04-25", "2199-04-14",
	} {
		d := day(t, sunday)
		year, _, _ := d.Date()
		if got := easter(year); got != d {
			t.Errorf("Easter of %d is %v, want %v", year, got, d)
		}
	}
	for year := FirstYear; year <= LastYear; year++ {
		sunday := easter(year)
		if sunday.Weekday() != time.Sunday || sunday < Of(year, 3, 22) || sunday > Of(year, 4, 25) {
			t.Errorf("Easter of %d is %v, a %v", year, sunday, sunday.Weekday())
		}
	}
}

func TestHolidaysOfRegionsAndOfDaysAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		region := rapid.SampledFrom(Regions()).Draw(t, "region")
		year := rapid.IntRange(FirstYear, LastYear).Draw(t, "year")
		listed := region.Holidays(year)
		for d := Of(year, 1, 1); d < Of(year+1, 1, 1); d++ {
			in := slices.ContainsFunc(listed, func(h Holiday) bool { return h.Day == d })
			if in != region.IsHoliday(d) {
				t.Fatalf("%v in %s: listed %v, and a holiday %v", d, region, in, !in)
			}
		}
		if !slices.IsSortedFunc(listed, func(a, b Holiday) int { return int(a.Day - b.Day) }) {
			t.Fatalf("%v are not in order", listed)
		}
		for _, everywhere := range France.Holidays(year) {
			if !region.IsHoliday(everywhere.Day) {
				t.Fatalf("%v is none in %s", everywhere, region)
			}
		}
	})
}

func TestTwoHolidaysOnOneDayAreOne(t *testing.T) {
	for _, h := range France.Holidays(2008) {
		if h.Day == day(t, "2008-05-01") && h.Label != "Fête du Travail, Ascension" {
			t.Errorf("1 May 2008 is %q", h.Label)
		}
	}
	if n := len(France.Holidays(2008)); n != 10 {
		t.Errorf("2008 has %d days of holiday", n)
	}
}

func TestAWorkingDayIsTheNextOneWithoutHoliday(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		region, d := rapid.SampledFrom(Regions()).Draw(t, "region"), Day(rapid.IntRange(int(Of(FirstYear, 1, 1)), int(Of(LastYear, 12, 1))).Draw(t, "day"))
		works := func(d Day) bool {
			return d.Weekday() != time.Saturday && d.Weekday() != time.Sunday && !region.IsHoliday(d)
		}
		next := region.NextWorkingDay(d)
		if !works(next) || next < d || next > d+5 {
			t.Fatalf("after %v nobody works before %v", d, next)
		}
		for between := d; between < next; between++ {
			if works(between) {
				t.Fatalf("%v was left out for %v", between, next)
			}
		}
	})
}

func TestARegionFollowsFromThePostalCode(t *testing.T) {
	for code, want := range map[string]Region{
		"75001": France, "67000": AlsaceMoselle, "68100": AlsaceMoselle, "57000": AlsaceMoselle, "97110": Guadeloupe, "97200": Martinique,
		"97300": Guyane, "97400": Reunion, "97600": Mayotte, "97500": SaintPierreMiquelon, "97133": SaintBarthelemy, "97150": SaintMartin, "97 133": SaintBarthelemy, "97190": Guadeloupe,
		"98600": WallisFutuna, "98714": Polynesia, "98800": NewCaledonia, "98000": France, "98413": France, "2A004": France, "20000": France, "": France, "6700": France,
	} {
		if got := RegionOf(code); got != want {
			t.Errorf("%q is in %s, want %s", code, got, want)
		}
	}
}

// TestWhatEachRegionKeepsBesideTheHolidaysOfAll reads the days that a region does not
// share with all of France.
func TestWhatEachRegionKeepsBesideTheHolidaysOfAll(t *testing.T) {
	own := map[Region][]string{
		France: {}, SaintPierreMiquelon: {}, AlsaceMoselle: {"2026-04-03", "2026-12-26"}, Guadeloupe: {"2026-05-27"}, Martinique: {"2026-05-22"},
		Guyane: {"2026-06-10"}, Reunion: {"2026-12-20"}, Mayotte: {"2026-04-27"}, SaintBarthelemy: {"2026-10-09"}, SaintMartin: {"2026-05-28"},
		WallisFutuna: {"2026-04-28", "2026-06-29", "2026-07-29"}, Polynesia: {"2026-03-05", "2026-06-29"}, NewCaledonia: {"2026-09-24"},
	}
	for _, region := range Regions() {
		want, known := own[region]
		got := []string{}
		for _, h := range region.Holidays(2026) {
			if !France.IsHoliday(h.Day) {
				got = append(got, h.Day.String())
			}
		}
		if !known || !slices.Equal(got, want) {
			t.Errorf("%s keeps %v, want %v", region, got, want)
		}
	}
}

package calendar

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// vectors are cases of which the sources say how they end.
type vectors struct {
	Cases []struct {
		ID       string
		Kind     DeadlineKind
		From     Day
		Region   Region
		Months   int
		Expected struct {
			Nominal  Day
			LastDay  Day `json:"last_day"`
			Extended bool
		}
		Source string
	}
	// Holidays are by year and region, such as "2026 FR-AM".
	Holidays map[string][]Day
}

func read(t *testing.T) (v vectors) {
	t.Helper()
	text, err := os.ReadFile("testdata/deadlines.json")
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil || len(v.Cases) == 0 || len(v.Holidays) == 0 {
		t.Fatalf("%d cases, %d years of holidays, %v", len(v.Cases), len(v.Holidays), err)
	}
	return v
}

func TestPeriodsEndAsTheSourcesSay(t *testing.T) {
	for _, c := range read(t).Cases {
		if got := c.Kind.From(c.From, c.Region, c.Months); got != (DeadlineEnd{c.Expected.Nominal, c.Expected.LastDay}) || got.Extended() != c.Expected.Extended {
			t.Errorf("%s: %s of %d months from %v in %s ends on %v, %v, want %+v (%s)",
				c.ID, c.Kind, c.Months, c.From, c.Region, got.Nominal, got.LastDay, c.Expected, c.Source)
		}
	}
}

func TestHolidaysAreThoseOfTheSources(t *testing.T) {
	for at, want := range read(t).Holidays {
		year, region, _ := strings.Cut(at, " ")
		day, err := Parse(year + "-01-01")
		if err != nil {
			t.Fatal(err)
		}
		of, _, _ := day.Date()
		var got []Day
		for _, h := range Region(region).Holidays(of) {
			got = append(got, h.Day)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", at, got, want)
		}
	}
}

func TestEveryKindIsKnownAndHasItsLaw(t *testing.T) {
	for _, k := range DeadlineKinds() {
		if !k.Known() || k.Law() == "" {
			t.Errorf("%s is known %v, by %q", k, k.Known(), k.Law())
		}
	}
	if DeadlineKind("X").Known() || DeadlineKind("X").MaxMonths() != 0 {
		t.Error("a kind that does not exist is known")
	}
}

var anyDeadlineDay = rapid.Map(rapid.IntRange(int(Of(1970, 1, 1)), int(Of(2090, 1, 1))), func(n int) Day { return Day(n) })

// A notice on the last day ends with the term, one a day later after it.
func TestTheLatestNoticeEndsWithTheTerm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		term, months := anyDeadlineDay.Draw(t, "term"), rapid.IntRange(1, 12).Draw(t, "months")
		last := LatestNotice.From(term, France, months).LastDay
		if Notice.From(last, France, months).LastDay > term || Notice.From(last+1, France, months).LastDay <= term {
			t.Fatalf("notice of %d months for %v is received on %v at the latest", months, term, last)
		}
	})
}

// One term follows the other without a day between them or in both.
func TestTermsOfWholeMonthsFollowEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start, months := anyDeadlineDay.Draw(t, "start"), rapid.IntRange(1, 120).Draw(t, "months")
		last := Term.From(start, France, months).LastDay
		if last < start || last < start.AddMonths(months)-1 || last > start.AddMonths(months) {
			t.Fatalf("%d months from %v end on %v", months, start, last)
		}
		if _, _, day := start.Date(); day <= 28 && last+1 != start.AddMonths(months) {
			t.Fatalf("after %d months from %v comes %v", months, start, last+1)
		}
	})
}

func TestNoPeriodEndsEarlierForBeingExtended(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, region := rapid.SampledFrom(DeadlineKinds()).Draw(t, "kind"), rapid.SampledFrom(Regions()).Draw(t, "region")
		months := 0
		if k.MaxMonths() > 0 {
			months = rapid.IntRange(1, k.MaxMonths()).Draw(t, "months")
		}
		end := k.From(anyDeadlineDay.Draw(t, "from"), region, months)
		if end.LastDay < end.Nominal || end.LastDay > end.Nominal+6 || end.Extended() && k != Withdrawal {
			t.Fatalf("%s ends on %v, nominally %v", k, end.LastDay, end.Nominal)
		}
	})
}

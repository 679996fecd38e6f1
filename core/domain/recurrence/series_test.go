package recurrence

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the zones of the tests, whatever the machine has

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// vectors are cases that two other implementations agree on.
type vectors struct {
	Cases []struct {
		ID, Title, Start, Timezone, RRule string
		Exdates                           []string
		From, To                          time.Time
		Starts                            []time.Time
		Source                            string
	}
}

func local(t testing.TB, text string, zone *time.Location) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02T15:04", text, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	found, _ := calendar.On(at, time.UTC).At(calendar.Clock(at, time.UTC), zone)
	return found
}

func location(t rapid.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func rule(t testing.TB, text string, allDay bool) Rule {
	t.Helper()
	r, problem := Parse(text, allDay)
	if problem != nil {
		t.Fatalf("%s: %s", text, problem.Message)
	}
	return r
}

// series is one of an hour, or of a day if its start has no time.
func series(t testing.TB, start, zone, text string) Series {
	t.Helper()
	s := Series{Zone: location(t, zone), AllDay: len(start) == len(time.DateOnly), Length: time.Hour, Days: 1}
	if s.AllDay {
		start += "T00:00"
	}
	s.Rule, s.Start = rule(t, text, s.AllDay), local(t, start, s.Zone)
	return s
}

func same(a, b []time.Time) bool { return slices.EqualFunc(a, b, time.Time.Equal) }

func TestOccurrencesAreThoseOfTheVectors(t *testing.T) {
	var v vectors
	text, err := os.ReadFile("testdata/rrule.json")
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil || len(v.Cases) < 22 {
		t.Fatalf("%d cases, %v", len(v.Cases), err)
	}
	for _, c := range v.Cases {
		s := series(t, c.Start, c.Timezone, c.RRule)
		for _, text := range c.Exdates {
			s.Except = append(s.Except, local(t, text, s.Zone))
		}
		if got := slices.Collect(s.Starts(c.From, c.To)); !same(got, c.Starts) {
			t.Errorf("%s, %s: %v, want %v (%s)", c.ID, c.Title, got, c.Starts, c.Source)
		}
		if problem := s.Check(); problem != nil {
			t.Errorf("%s, %s: %+v", c.ID, c.Title, problem)
		}
		for _, start := range c.Starts {
			if found, ok := s.Find(s.Name(start)); !ok || !found.Equal(start) || !s.Has(start) {
				t.Errorf("%s: %v is not found by %s", c.ID, start, s.Name(start))
			}
		}
		for _, gone := range s.Except {
			if s.Has(gone) {
				t.Errorf("%s: %v is excepted and there", c.ID, gone)
			}
		}
	}
}

func TestASeriesBeginsWithTheFirstOccurrenceOfItsRule(t *testing.T) {
	for _, c := range []struct {
		start, rule string
		want        fault.Code
	}{
		{"2026-09-01T14:00", "FREQ=WEEKLY;BYDAY=TU", ""},
		{"2026-09-01T14:00", "FREQ=WEEKLY;BYDAY=WE", fault.CodeRRuleOutOfStep},
		{"2026-01-30T10:00", "FREQ=MONTHLY;BYMONTHDAY=31", fault.CodeRRuleOutOfStep},
		{"2026-02-28T10:00", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", fault.CodeOutOfRange},
		{"2026-02-28T10:00", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", fault.CodeOutOfRange},
		{"2026-02-28T10:00", "FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=5MO", fault.CodeOutOfRange},
		{"2096-03-01T10:00", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", fault.CodeRRuleOutOfStep}, // on 2104-02-29
		{"2026-06-15T10:00", "FREQ=YEARLY;INTERVAL=9;BYMONTH=1", fault.CodeOutOfRange},
		{"2026-05-04T09:00", "FREQ=DAILY;UNTIL=20260504T065959Z", fault.CodeOutOfRange},
		{"2026-05-04T09:00", "FREQ=DAILY;UNTIL=20260504T070000Z", ""},
		{"2026-05-04", "FREQ=DAILY;UNTIL=20260503", fault.CodeOutOfRange},
		{"2026-05-04", "FREQ=DAILY;UNTIL=20260504", ""},
		{"2026-05-04", "FREQ=WEEKLY;BYDAY=TU", fault.CodeRRuleOutOfStep},
		{"2026-09-01T14:00", "FREQ=MONTHLY;BYDAY=-5TU", ""},
		{"2026-09-29T14:00", "FREQ=MONTHLY;BYDAY=5TU", ""},
	} {
		problem := series(t, c.start, "Europe/Paris", c.rule).Check()
		if (problem == nil) != (c.want == "") || problem != nil && problem.Code != c.want {
			t.Errorf("%s from %s: %+v, want %q", c.rule, c.start, problem, c.want)
		}
	}
	// The second of two times is not the first, on which the rule is.
	second := series(t, "2026-10-25T02:30", "Europe/Paris", "FREQ=DAILY")
	second.Start = second.Start.Add(time.Hour)
	if problem := second.Check(); problem == nil || problem.Code != fault.CodeRRuleOutOfStep {
		t.Errorf("02:30, when it comes for the second time: %+v", problem)
	}
}

func TestWholeDaysKeepTheirDay(t *testing.T) {
	// Midnight does not exist in Santiago on 2024-09-08.
	s := series(t, "2024-09-07", "America/Santiago", "FREQ=DAILY;UNTIL=20240909")
	want := []time.Time{
		time.Date(2024, 9, 7, 4, 0, 0, 0, time.UTC), time.Date(2024, 9, 8, 4, 0, 0, 0, time.UTC), time.Date(2024, 9, 9, 3, 0, 0, 0, time.UTC),
	}
	got := slices.Collect(s.Starts(want[0], want[0].AddDate(1, 0, 0)))
	if !same(got, want) {
		t.Fatalf("the days begin at %v, want %v", got, want)
	}
	for n, name := range []string{"20240907", "20240908", "20240909"} {
		if found, ok := s.Find(name); s.Name(got[n]) != name || !ok || !found.Equal(got[n]) {
			t.Errorf("%s is named %s, and %s is %v", got[n], s.Name(got[n]), name, found)
		}
	}
	for _, wrong := range []string{"20240906", "20240910", "20240907T040000Z", "2024-09-07", ""} {
		if found, ok := s.Find(wrong); ok {
			t.Errorf("%q is %v", wrong, found)
		}
	}
	if length := s.End(got[0]).Sub(got[0]); length != 24*time.Hour {
		t.Errorf("7 September takes %v", length)
	}
	if length := s.End(got[1]).Sub(got[1]); length != 23*time.Hour {
		t.Errorf("8 September takes %v", length)
	}
}

func TestMovedOccurrencesTakePlaceWhereTheyWereMoved(t *testing.T) {
	s := series(t, "2026-06-01T09:00", "Europe/Paris", "FREQ=DAILY;COUNT=5")
	day := func(n, hour int) time.Time { return time.Date(2026, 6, n, hour, 0, 0, 0, time.UTC) }
	to := func(n, hour int) calendar.Interval {
		return calendar.Interval{Start: day(n, hour), End: day(n, hour+2)}
	}
	s.Moved = []Occurrence{{day(2, 7), to(10, 7)}, {day(3, 7), to(1, 5)}, {day(4, 7), to(20, 7)}, {day(9, 7), to(10, 9)}}
	s.Except = []time.Time{day(4, 7)}
	got := s.Overlapping(calendar.Interval{Start: day(1, 0), End: day(15, 0)})
	want := []Occurrence{
		{day(3, 7), to(1, 5)},
		{day(1, 7), calendar.Interval{Start: day(1, 7), End: day(1, 8)}},
		{day(5, 7), calendar.Interval{Start: day(5, 7), End: day(5, 8)}},
		{day(2, 7), to(10, 7)},
	}
	equal := func(a, b Occurrence) bool {
		return a.Original.Equal(b.Original) && a.Start.Equal(b.Start) && a.End.Equal(b.End)
	}
	if !slices.EqualFunc(got, want, equal) {
		t.Errorf("%v take place, want %v", got, want)
	}
	if got := s.Overlapping(calendar.Interval{Start: day(5, 7).Add(30 * time.Minute), End: day(5, 9)}); len(got) != 1 {
		t.Errorf("an hour that has begun is among %v", got)
	}
	if got := s.Overlapping(calendar.Interval{Start: day(5, 8), End: day(5, 9)}); len(got) != 0 {
		t.Errorf("what ends then is among %v", got)
	}
	if s.Has(day(4, 7)) || !s.Has(day(2, 7)) || s.Has(day(10, 7)) || s.Has(day(9, 7)) {
		t.Error("occurrences are known by their original start, unless they were excepted")
	}
}

func TestAChangedRuleKeepsWhatItStillHas(t *testing.T) {
	for _, text := range []string{"FREQ=WEEKLY;BYDAY=MO;COUNT=3", "FREQ=WEEKLY;UNTIL=20260615T070000Z"} {
		s := series(t, "2026-06-01T09:00", "Europe/Paris", text)
		day := func(n int) time.Time { return time.Date(2026, 6, n, 7, 0, 0, 0, time.UTC) }
		s.Except = []time.Time{day(2), day(8), day(22)}
		s.Moved = []Occurrence{{Original: day(3)}, {Original: day(15)}, {Original: day(22)}}
		kept := s.Keep()
		if !same(kept.Except, []time.Time{day(8)}) || len(kept.Moved) != 1 || !kept.Moved[0].Original.Equal(day(15)) {
			t.Errorf("%s keeps %v and %v", text, kept.Except, kept.Moved)
		}
		if len(s.Except) != 3 || len(s.Moved) != 3 {
			t.Errorf("%s took from the series that was asked", text)
		}
	}
	none := Series{Start: time.Date(2026, 6, 1, 7, 0, 0, 0, time.UTC), Zone: time.UTC, Except: []time.Time{{}}}.Keep()
	if len(none.Except) != 0 {
		t.Error("a single event keeps exceptions")
	}
}

func TestNothingTakesPlaceAfterTheBound(t *testing.T) {
	for _, c := range []struct {
		start, rule string
		want        time.Time
	}{
		{"2026-06-01T09:00", "FREQ=DAILY;COUNT=3", time.Date(2026, 6, 3, 8, 0, 0, 0, time.UTC)},
		{"2024-02-29T12:00", "FREQ=YEARLY;COUNT=3", time.Date(2032, 2, 29, 12, 0, 0, 0, time.UTC)},
		{"2026-06-01", "FREQ=DAILY;UNTIL=20260603", time.Time{}},
		{"2026-06-01T09:00", "FREQ=DAILY;UNTIL=20260603T070000Z", time.Time{}},
	} {
		s := series(t, c.start, "Europe/Paris", c.rule)
		bound, ends := s.Bound()
		if !ends || !c.want.IsZero() && !bound.Equal(c.want) {
			t.Errorf("%s ends at %v, %v", c.rule, bound, ends)
		}
		if got := s.Overlapping(calendar.Interval{Start: bound, End: bound.AddDate(100, 0, 0)}); len(got) > 0 {
			t.Errorf("%s: %v are after %v", c.rule, got, bound)
		}
	}
	if _, ends := series(t, "2026-06-01T09:00", "Europe/Paris", "FREQ=DAILY").Bound(); ends {
		t.Error("what is endless ends")
	}
}

// The last days that can be written are reached in time, also by rules that
// hardly ever have an occurrence.
func TestEveryWindowComesToAnEnd(t *testing.T) {
	for _, text := range []string{
		"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=730", "FREQ=YEARLY;INTERVAL=366;BYMONTH=2;BYMONTHDAY=29;COUNT=730",
		"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=730", "FREQ=MONTHLY;BYMONTHDAY=30;BYMONTH=2", "FREQ=WEEKLY;BYMONTH=2;BYDAY=MO;BYSETPOS=7",
	} {
		s := series(t, "2024-02-29T12:00", "Europe/Paris", text)
		n := 0
		for range s.Starts(s.Start, end) {
			n++
		}
		if n > 730 {
			t.Errorf("%s has %d occurrences", text, n)
		}
	}
	s := series(t, "2026-06-01T09:00", "Europe/Paris", "FREQ=DAILY")
	if got := len(slices.Collect(s.Starts(end.AddDate(0, 0, -3), end.AddDate(5000, 0, 0)))); got > 4 {
		t.Errorf("%d days are left", got)
	}
}

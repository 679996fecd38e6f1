package slot

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

func check(w WorkingTime) []fault.Detail {
	var problems fault.Problems
	w.Check(&problems)
	var found *fault.Error
	if !errors.As(problems.Err(), &found) {
		return nil
	}
	return found.Details
}

func TestAClockIsReadAsItIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Clock(rapid.IntRange(0, int(EndOfDay)).Draw(t, "clock"))
		text, _ := c.MarshalText()
		var got Clock
		if err := got.UnmarshalText(text); err != nil || got != c {
			t.Fatalf("%d is written %q and read as %d, %v", c, text, got, err)
		}
	})
	for _, wrong := range []string{"", "9:00", "09:60", "24:01", "25:00", "09:00:00", "0900", "-1:00", "09h00"} {
		if c, err := ParseClock(wrong); err == nil {
			t.Errorf("%q is read as %v", wrong, c)
		}
	}
}

func period(t *testing.T, start, end string) Period {
	t.Helper()
	var p Period
	if errors.Join(p.Start.UnmarshalText([]byte(start)), p.End.UnmarshalText([]byte(end))) != nil {
		t.Fatalf("%s–%s is no period", start, end)
	}
	return p
}

func on(t *testing.T, text string) calendar.Day {
	t.Helper()
	d, err := calendar.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestWorkingTimeIsRefusedByFieldAndCode(t *testing.T) {
	morning, noon := period(t, "09:00", "12:30"), period(t, "12:00", "14:00")
	monday := func(week int, periods ...Period) Weekday { return Weekday{1, week, periods} }
	pattern := func(days ...Weekday) WorkingTime {
		return WorkingTime{Patterns: []Pattern{{CycleWeeks: 1, Days: days}}}
	}
	many := func(n int, p Period) (all []Period) {
		for range n {
			all = append(all, p)
			p.Start, p.End = p.Start+60, p.End+60
		}
		return all
	}
	january, february := on(t, "2027-01-01"), on(t, "2027-02-01")
	for name, c := range map[string]struct {
		work  WorkingTime
		field string
		code  fault.Code
	}{
		"fine":               {work: pattern(monday(1, morning, period(t, "12:30", "24:00")), Weekday{2, 1, nil})},
		"overlapping":        {pattern(monday(1, morning, noon)), "patterns[0].days[0].periods[1]", fault.CodePeriodsOverlap},
		"descending":         {pattern(monday(1, period(t, "14:00", "18:00"), morning)), "patterns[0].days[0].periods[1]", fault.CodePeriodsOverlap},
		"the wrong way":      {pattern(monday(1, period(t, "12:00", "09:00"))), "patterns[0].days[0].periods[0].end", fault.CodeOutOfRange},
		"no time":            {pattern(monday(1, period(t, "12:00", "12:00"))), "patterns[0].days[0].periods[0].end", fault.CodeOutOfRange},
		"eight periods":      {work: pattern(monday(1, many(8, period(t, "00:00", "01:00"))...))},
		"nine periods":       {pattern(monday(1, many(9, period(t, "00:00", "01:00"))...)), "patterns[0].days[0].periods", fault.CodeOutOfRange},
		"weekday 0":          {pattern(Weekday{0, 1, nil}), "patterns[0].days[0].weekday", fault.CodeOutOfRange},
		"weekday 8":          {pattern(Weekday{8, 1, nil}), "patterns[0].days[0].weekday", fault.CodeOutOfRange},
		"week 0":             {pattern(monday(0)), "patterns[0].days[0].week", fault.CodeOutOfRange},
		"week 2 of 1":        {pattern(monday(2)), "patterns[0].days[0].week", fault.CodeOutOfRange},
		"a day twice":        {pattern(monday(1, morning), monday(1)), "patterns[0].days[1].weekday", fault.CodeAmbiguousField},
		"cycle 0":            {WorkingTime{Patterns: []Pattern{{}}}, "patterns[0].cycle_weeks", fault.CodeOutOfRange},
		"cycle 5":            {WorkingTime{Patterns: []Pattern{{ValidFrom: january, CycleWeeks: 5}}}, "patterns[0].cycle_weeks", fault.CodeOutOfRange},
		"two weeks":          {work: WorkingTime{Patterns: []Pattern{{ValidFrom: january, CycleWeeks: 2, Days: []Weekday{monday(1), monday(2)}}}}},
		"two weeks of when":  {WorkingTime{Patterns: []Pattern{{CycleWeeks: 2}}}, "patterns[0].valid_from", fault.CodeRequired},
		"over before":        {WorkingTime{Patterns: []Pattern{{ValidFrom: february, ValidTo: january, CycleWeeks: 1}}}, "patterns[0].valid_to", fault.CodeOutOfRange},
		"same beginning":     {WorkingTime{Patterns: []Pattern{{ValidFrom: january, CycleWeeks: 1}, {ValidFrom: january, CycleWeeks: 1}}}, "patterns[1].valid_from", fault.CodePatternsOverlap},
		"no beginning twice": {WorkingTime{Patterns: []Pattern{{CycleWeeks: 1}, {ValidTo: january, CycleWeeks: 1}}}, "patterns[1].valid_from", fault.CodePatternsOverlap},
		"21 patterns":        {WorkingTime{Patterns: manyPatterns(21)}, "patterns", fault.CodeOutOfRange},
		"exceptions":         {work: WorkingTime{Exceptions: []Exception{{From: february, To: february}, {From: january, To: february - 1, Periods: []Period{morning}}}}},
		"exceptions in one":  {WorkingTime{Exceptions: []Exception{{From: february, To: february}, {From: january, To: february}}}, "exceptions[0]", fault.CodeExceptionsOverlap},
		"exception within":   {WorkingTime{Exceptions: []Exception{{From: january, To: february}, {From: january + 3, To: january + 4}, {From: february + 1, To: february + 1}}}, "exceptions[1]", fault.CodeExceptionsOverlap},
		"exception backward": {WorkingTime{Exceptions: []Exception{{From: february, To: january}}}, "exceptions[0].to", fault.CodeOutOfRange},
		"in an exception":    {WorkingTime{Exceptions: []Exception{{From: january, To: january, Periods: []Period{morning, noon}}}}, "exceptions[0].periods[1]", fault.CodePeriodsOverlap},
		"401 exceptions":     {WorkingTime{Exceptions: manyExceptions(401)}, "exceptions", fault.CodeOutOfRange},
	} {
		got := check(c.work)
		if c.code == "" && len(got) == 0 {
			continue
		}
		if len(got) != 1 || got[0].Field != c.field || got[0].Code != c.code {
			t.Errorf("%s: %+v, want %s of %s", name, got, c.code, c.field)
		}
	}
}

func manyPatterns(n int) (all []Pattern) {
	for day := range n {
		all = append(all, Pattern{ValidFrom: calendar.Of(2027, 1, 1+day), CycleWeeks: 1})
	}
	return all
}

func manyExceptions(n int) (all []Exception) {
	for day := range n {
		all = append(all, Exception{From: calendar.Of(2027, 1, 1+day), To: calendar.Of(2027, 1, 1+day)})
	}
	return all
}

func TestWeeksOfACycleAreCountedFromTheFirstMonday(t *testing.T) {
	// 1 January 2027 is a Friday.
	p := Pattern{ValidFrom: on(t, "2027-01-01"), CycleWeeks: 3}
	for text, want := range map[string]int{
		"2027-01-01": 1, "2027-01-03": 1, "2027-01-04": 2, "2027-01-10": 2, "2027-01-11": 3, "2027-01-18": 1, "2027-01-25": 2,
	} {
		if got := p.week(on(t, text)); got != want {
			t.Errorf("%s is in week %d, want %d", text, got, want)
		}
	}
}

// Package slot computes when somebody has time: from working time, duty rosters,
// public holidays and what they are busy with.
package slot

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Limits of working time.
const (
	MaxPatterns   = 20
	MaxCycleWeeks = 4
	MaxDays       = 7 * MaxCycleWeeks
	MaxPeriods    = 8
	MaxExceptions = 400
)

// Clock is a time of the day, in minutes since midnight by the clock.
type Clock int

// EndOfDay is written 24:00.
const EndOfDay Clock = 24 * 60

// ParseClock reads a time such as 09:00, up to 24:00.
func ParseClock(text string) (Clock, error) {
	if text == "24:00" {
		return EndOfDay, nil
	}
	at, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return 0, fmt.Errorf("%q is not a time of the day such as 09:00", text)
	}
	return Clock(at.Hour()*60 + at.Minute()), nil
}

// String writes the time as 09:00.
func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", int(c)/60, int(c)%60) }

// MarshalText implements encoding.TextMarshaler, as String does.
func (c Clock) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler, as ParseClock does.
func (c *Clock) UnmarshalText(text []byte) (err error) {
	*c, err = ParseClock(string(text))
	return err
}

// Period is a part of a day, by the clock.
type Period struct{ Start, End Clock }

// Weekday is the working time of one day of the week.
type Weekday struct {
	Weekday int // Monday is 1, Sunday 7
	Week    int // of the cycle, from 1
	Periods []Period
}

// Pattern is working time that comes again every week, or every CycleWeeks weeks.
type Pattern struct {
	// ValidFrom and ValidTo are the first and the last day it holds; none where it
	// is open. Weeks of a cycle are counted from the Monday of the week of ValidFrom.
	ValidFrom, ValidTo calendar.Day
	CycleWeeks         int
	Days               []Weekday
}

// Reason is why somebody is absent, or works at other times.
type Reason string

// The reasons.
const (
	Leave    Reason = "CONGE"
	Sickness Reason = "MALADIE"
	Training Reason = "FORMATION"
	Other    Reason = "AUTRE"
)

// Reasons lists the reasons.
func Reasons() []Reason { return []Reason{Leave, Sickness, Training, Other} }

// Exception is what holds on some days instead of the patterns: without periods
// somebody is absent.
type Exception struct {
	From, To calendar.Day // both included
	Periods  []Period
	Reason   Reason
}

// WorkingTime is when a user works.
type WorkingTime struct {
	Patterns      []Pattern
	Exceptions    []Exception
	WorksHolidays bool
	// Bookable is false for who can be booked in no working time. Duty rosters do not
	// mind.
	Bookable bool
}

// On returns the periods in which a user whose agency is in a region can be booked on
// a day.
func (w WorkingTime) On(day calendar.Day, region calendar.Region) []Period {
	if !w.Bookable {
		return nil
	}
	for _, e := range w.Exceptions {
		if e.From <= day && day <= e.To {
			return e.Periods
		}
	}
	p := w.valid(day)
	if p == nil || !w.WorksHolidays && region.IsHoliday(day) {
		return nil
	}
	weekday := isoWeekday(day)
	week := p.week(day)
	for _, d := range p.Days {
		if d.Weekday == weekday && d.Week == week {
			return d.Periods
		}
	}
	return nil
}

// valid returns the pattern that holds on a day, the one with the latest beginning of
// those that could; nil if there is none.
func (w WorkingTime) valid(day calendar.Day) *Pattern {
	var found *Pattern
	for n, p := range w.Patterns {
		if p.ValidFrom <= day && (p.ValidTo == 0 || day <= p.ValidTo) && (found == nil || p.ValidFrom > found.ValidFrom) {
			found = &w.Patterns[n]
		}
	}
	return found
}

// week returns the week of the cycle that a day of the pattern is in.
func (p *Pattern) week(day calendar.Day) int {
	if p.CycleWeeks <= 1 {
		return 1
	}
	monday := p.ValidFrom - calendar.Day(isoWeekday(p.ValidFrom)-1)
	return int(day-monday)/7%p.CycleWeeks + 1
}

func isoWeekday(day calendar.Day) int { return (int(day.Weekday())+6)%7 + 1 }

// instants returns the periods of a day as they come about in a zone. Where clocks
// change, one may be longer or shorter than it says, or nothing at all.
func instants(day calendar.Day, periods []Period, zone *time.Location, to []calendar.Interval) []calendar.Interval {
	for _, p := range periods {
		start, _ := day.At(time.Duration(p.Start)*time.Minute, zone)
		end, _ := day.At(time.Duration(p.End)*time.Minute, zone)
		to = append(to, calendar.Interval{Start: start, End: end})
	}
	return to
}

// Check gathers what is wrong with working time, by the fields of a request.
func (w WorkingTime) Check(problems *fault.Problems) {
	few(problems, "patterns", len(w.Patterns), MaxPatterns)
	few(problems, "exceptions", len(w.Exceptions), MaxExceptions)
	from := map[calendar.Day]bool{}
	for n, p := range w.Patterns {
		at := fmt.Sprintf("patterns[%d].", n)
		p.check(problems, at)
		if from[p.ValidFrom] {
			problems.Wrong(at+"valid_from", fault.CodePatternsOverlap, p.ValidFrom.String(), "two patterns are valid from the same day")
		}
		from[p.ValidFrom] = true
	}
	for n, e := range w.Exceptions {
		at := fmt.Sprintf("exceptions[%d].", n)
		if e.To < e.From {
			problems.Wrong(at+"to", fault.CodeOutOfRange, e.To.String(), "to is not before from")
		}
		checkPeriods(problems, at, e.Periods)
	}
	checkExceptions(problems, w.Exceptions)
}

func (p Pattern) check(problems *fault.Problems, at string) {
	if p.CycleWeeks < 1 || p.CycleWeeks > MaxCycleWeeks {
		problems.Wrong(at+"cycle_weeks", fault.CodeOutOfRange, p.CycleWeeks, "cycle_weeks must be 1 to %d", MaxCycleWeeks)
	}
	if p.CycleWeeks > 1 && p.ValidFrom == 0 {
		problems.Add(at+"valid_from", fault.CodeRequired, "weeks of a cycle are counted from valid_from")
	}
	if p.ValidTo != 0 && p.ValidTo < p.ValidFrom {
		problems.Wrong(at+"valid_to", fault.CodeOutOfRange, p.ValidTo.String(), "valid_to is not before valid_from")
	}
	type day struct{ week, weekday int }
	seen := map[day]bool{}
	for n, d := range p.Days {
		at := fmt.Sprintf("%sdays[%d].", at, n)
		if d.Weekday < 1 || d.Weekday > 7 {
			problems.Wrong(at+"weekday", fault.CodeOutOfRange, d.Weekday, "weekday must be 1, Monday, to 7")
		}
		if d.Week < 1 || d.Week > max(1, p.CycleWeeks) {
			problems.Wrong(at+"week", fault.CodeOutOfRange, d.Week, "week must be 1 to cycle_weeks")
		}
		if seen[day{d.Week, d.Weekday}] {
			problems.Wrong(at+"weekday", fault.CodeAmbiguousField, d.Weekday, "the day is given twice")
		}
		seen[day{d.Week, d.Weekday}] = true
		checkPeriods(problems, at, d.Periods)
	}
}

func checkPeriods(problems *fault.Problems, at string, periods []Period) {
	few(problems, at+"periods", len(periods), MaxPeriods)
	for n, p := range periods {
		field := fmt.Sprintf("%speriods[%d]", at, n)
		if p.Start < 0 || p.End <= p.Start || p.End > EndOfDay {
			problems.Wrong(field+".end", fault.CodeOutOfRange, p.End.String(), "end is after start, and 24:00 at the latest")
			continue
		}
		if n > 0 && p.Start < periods[n-1].End {
			problems.Wrong(field, fault.CodePeriodsOverlap, p.Start.String(), "periods are in ascending order and do not overlap")
		}
	}
}

func checkExceptions(problems *fault.Problems, exceptions []Exception) {
	order := make([]int, len(exceptions))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(exceptions[a].From, exceptions[b].From) })
	last := calendar.Day(0)
	for _, n := range order {
		e := exceptions[n]
		if e.From <= last {
			problems.Wrong(fmt.Sprintf("exceptions[%d]", n), fault.CodeExceptionsOverlap, e.From.String(), "another exception covers this day already")
		}
		last = max(last, e.To)
	}
}

func few(problems *fault.Problems, field string, n, most int) {
	if n > most {
		problems.Add(field, fault.CodeOutOfRange, "%s can have at most %d entries", field, most)
	}
}

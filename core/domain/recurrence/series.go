package recurrence

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// searchYears is how far from its start a rule must have its first occurrence.
const searchYears = 8

// Series is what takes place by a rule. An occurrence is known by its original
// start, which stays when it is moved; that of a whole day is when the day begins.
type Series struct {
	Rule Rule
	// Start is the first occurrence. Its time by the clock of the zone, or with
	// AllDay its day, is that of all of them.
	Start  time.Time
	Zone   *time.Location
	AllDay bool
	// Length is how long an occurrence takes, in elapsed time. With AllDay it is
	// Days instead.
	Length time.Duration
	Days   int
	// Except are the original starts of occurrences that do not take place.
	Except []time.Time
	// Moved are occurrences that take place at another time.
	Moved []Occurrence
}

// Occurrence is one of a series, and when it takes place.
type Occurrence struct {
	Original time.Time
	calendar.Interval
}

// Check returns what is wrong with the rule for the start of the series. Exceptions
// do not matter: they are taken away after counting.
func (s Series) Check() *fault.Detail {
	text := s.Rule.String()
	if !s.Rule.until.IsZero() && s.over(s.Start, calendar.On(s.Start, s.Zone)) {
		return wrong(fault.CodeOutOfRange, text, "UNTIL is not before the start")
	}
	for first := range s.all(s.Start, s.Start.In(s.Zone).AddDate(searchYears, 0, 0)) {
		if !first.Equal(s.Start) {
			return wrong(fault.CodeRRuleOutOfStep, text, "the start must be the first occurrence of the rule, which is %s", s.Name(first))
		}
		return nil
	}
	return wrong(fault.CodeOutOfRange, text, "the rule has no occurrence within %d years", searchYears)
}

// Starts returns the original starts from an instant until just before another, in
// order, without the exceptions. What was moved is among them.
func (s Series) Starts(from, to time.Time) iter.Seq[time.Time] {
	except := sorted(s.Except)
	return func(yield func(time.Time) bool) {
		for start := range s.all(from, to) {
			if !contains(except, start) && !yield(start) {
				return
			}
		}
	}
}

// Has reports whether there is an occurrence with an original start, moved or
// not.
func (s Series) Has(start time.Time) bool {
	return s.keeps(start) && !slices.ContainsFunc(s.Except, start.Equal)
}

// keeps reports whether the rule has an occurrence with an original start.
func (s Series) keeps(start time.Time) bool {
	for range s.all(start, start.Add(time.Nanosecond)) {
		return true
	}
	return false
}

// Overlapping returns the occurrences that have time in common with a window, by
// start: as they were moved, and without the exceptions.
func (s Series) Overlapping(window calendar.Interval) []Occurrence {
	var found []Occurrence
	moved := make([]time.Time, 0, len(s.Moved))
	for _, o := range s.Moved {
		moved = append(moved, o.Original)
		if o.Meets(window) && s.Has(o.Original) {
			found = append(found, o)
		}
	}
	slices.SortFunc(moved, time.Time.Compare)
	for start := range s.Starts(window.Start.Add(-s.longest()), window.End) {
		o := Occurrence{start, calendar.Interval{Start: start, End: s.End(start)}}
		if o.Meets(window) && !contains(moved, start) {
			found = append(found, o)
		}
	}
	slices.SortFunc(found, func(a, b Occurrence) int {
		return cmp.Or(a.Start.Compare(b.Start), a.Original.Compare(b.Original))
	})
	return found
}

// Keep returns the series without the exceptions and moved occurrences that its rule
// does not have, as after the rule was changed.
func (s Series) Keep() Series {
	// Rules that count have to be gone through from their start: once, not for each.
	keeps := s.keeps
	if s.Rule.count > 0 {
		all := slices.Collect(s.all(s.Start, end))
		keeps = func(start time.Time) bool { return contains(all, start) }
	}
	s.Except = slices.DeleteFunc(slices.Clone(s.Except), func(start time.Time) bool { return !keeps(start) })
	s.Moved = slices.DeleteFunc(slices.Clone(s.Moved), func(o Occurrence) bool { return !keeps(o.Original) })
	return s
}

// End returns when the occurrence with an original start ends, unless it was moved.
func (s Series) End(start time.Time) time.Time {
	if s.AllDay {
		return (calendar.On(start, s.Zone) + calendar.Day(s.Days)).Start(s.Zone)
	}
	return start.Add(s.Length)
}

// longest is at least the time that an occurrence takes.
func (s Series) longest() time.Duration {
	if s.AllDay {
		return time.Duration(s.Days+1) * 24 * time.Hour // a day may have more than 24 hours
	}
	return s.Length
}

// Bound returns an instant from which on the rule has nothing more that takes place,
// not counting what was moved. An endless one has none.
func (s Series) Bound() (bound time.Time, ends bool) {
	switch {
	case s.Rule.Endless():
		return time.Time{}, false
	case s.Rule.count == 0:
		return s.Rule.until.Add(s.longest() + 48*time.Hour), true // a last day ends late in some zones
	}
	last := s.Start
	for start := range s.all(s.Start, end) {
		last = start
	}
	return s.End(last), true
}

// Name writes an original start as paths do: 20261025T080000Z, or 20261025 of
// whole days.
func (s Series) Name(start time.Time) string {
	if s.AllDay {
		return start.In(s.Zone).Format(dayLayout)
	}
	return start.UTC().Format(instantLayout)
}

// Find returns the original start that a path names, as Name writes it.
func (s Series) Find(name string) (start time.Time, found bool) {
	var from, to time.Time
	if s.AllDay {
		at, ok := parseTime(dayLayout, name)
		if !ok {
			return time.Time{}, false
		}
		day := calendar.On(at, time.UTC)
		from, to = day.Start(s.Zone), day.End(s.Zone)
	} else {
		at, ok := parseTime(instantLayout, name)
		if !ok {
			return time.Time{}, false
		}
		// A name has no fractions of seconds.
		from, to = at, at.Add(time.Second)
	}
	for start := range s.Starts(from, to) {
		return start, true
	}
	return time.Time{}, false
}

// end is after every occurrence.
var end = time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)

// all returns the original starts that the rule has from an instant until just before
// another, in order. Rules that do not count are entered at the window, others at
// their start.
func (s Series) all(from, to time.Time) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		if s.Rule.IsZero() {
			return
		}
		first := calendar.On(s.Start, s.Zone)
		clock := calendar.Clock(s.Start, s.Zone)
		rule := s.Rule.from(first)
		period, left := 0, s.Rule.count
		if left == 0 && from.After(s.Start) {
			period = rule.period(calendar.On(from, s.Zone) - 1)
		}
		last := min(calendar.On(to, s.Zone)+1, calendar.Last)
		var room [31]calendar.Day
		for ; ; period = rule.after(period) {
			begin := rule.begin(period)
			if begin > last {
				return
			}
			for _, day := range rule.days(begin, room[:0]) {
				if day < first {
					continue
				}
				at, exists := s.at(day, clock)
				switch {
				case !exists:
					continue
				case !at.Before(to), s.over(at, day):
					return
				}
				if !at.Before(from) && !yield(at) {
					return
				}
				if left--; left == 0 {
					return
				}
			}
		}
	}
}

// at returns the original start on a day.
func (s Series) at(day calendar.Day, clock time.Duration) (at time.Time, exists bool) {
	if s.AllDay {
		return day.Start(s.Zone), true
	}
	return day.At(clock, s.Zone)
}

// over reports whether an occurrence on a day is after UNTIL.
func (s Series) over(at time.Time, day calendar.Day) bool {
	switch {
	case s.Rule.until.IsZero():
		return false
	case s.AllDay:
		return day > calendar.On(s.Rule.until, time.UTC)
	default:
		return at.After(s.Rule.until)
	}
}

func sorted(all []time.Time) []time.Time {
	return slices.SortedFunc(slices.Values(all), time.Time.Compare)
}

func contains(sorted []time.Time, at time.Time) bool {
	_, found := slices.BinarySearchFunc(sorted, at, time.Time.Compare)
	return found
}

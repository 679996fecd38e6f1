package recurrence

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
)

// repeat is a rule from a day on: what the rule leaves open is taken from that
// day.
type repeat struct {
	Rule
	first       calendar.Day
	year, month int // of the first day; months count from 0 over all years
}

func (r Rule) from(first calendar.Day) repeat {
	year, month, day := first.Date()
	of := repeat{Rule: r, first: first, year: year, month: year*12 + int(month) - 1}
	if r.byDay || r.monthDays != 0 {
		return of
	}
	switch r.frequency {
	case weekly:
		of.byDay = true
		of.weekdays[first.Weekday()] = set(0).with(0)
	case yearly:
		if r.months == 0 {
			of.months = set(0).with(int(month))
		}
		of.monthDays = set(0).with(day)
	case monthly:
		of.monthDays = set(0).with(day)
	case daily, none:
	}
	return of
}

// begin returns the first day of a period. Periods are counted from the one of the
// first day of the rule.
func (r *repeat) begin(period int) calendar.Day {
	steps := period * r.interval
	switch r.frequency {
	case weekly:
		return r.week() + calendar.Day(7*steps)
	case monthly:
		return calendar.Of(0, time.Month(r.month+steps+1), 1)
	case yearly:
		return calendar.Of(r.year+steps, time.January, 1)
	case daily, none:
	}
	return r.first + calendar.Day(steps)
}

// week returns the first day of the week of the first day.
func (r *repeat) week() calendar.Day {
	return r.first - calendar.Day((r.first.Weekday()-r.weekStart+7)%7)
}

// period returns the last period that begins on a day or before it. There is none
// before the first.
func (r *repeat) period(day calendar.Day) int {
	if day <= r.first {
		return 0
	}
	year, month, _ := day.Date()
	switch r.frequency {
	case weekly:
		return int(day-r.week()) / 7 / r.interval
	case monthly:
		return (year*12 + int(month) - 1 - r.month) / r.interval
	case yearly:
		return (year - r.year) / r.interval
	case daily, none:
	}
	return int(day-r.first) / r.interval
}

// days appends the days of a period that begins on a day to a list that is
// empty, in ascending order.
func (r *repeat) days(begin calendar.Day, list []calendar.Day) []calendar.Day {
	year, month, day := begin.Date()
	switch r.frequency {
	case yearly:
		for month := time.January; month <= time.December; month++ {
			if r.months == 0 || r.months.contains(int(month)) {
				list = r.ofMonth(begin, list)
			}
			begin += calendar.Day(length(year, month))
		}
	case monthly:
		if r.months == 0 || r.months.contains(int(month)) {
			list = r.ofMonth(begin, list)
		}
	case weekly, daily, none:
		last := begin
		if r.frequency == weekly {
			last += 6
		}
		for ; begin <= last; begin++ {
			if (r.months == 0 || r.months.contains(int(month))) && r.has(day, length(year, month), begin.Weekday()) {
				list = append(list, begin)
			}
			if day++; day > length(year, month) {
				year, month, day = (begin + 1).Date()
			}
		}
	}
	return r.atPositions(list)
}

// ofMonth appends the days of a month, given its first.
func (r *repeat) ofMonth(first calendar.Day, list []calendar.Day) []calendar.Day {
	year, month, _ := first.Date()
	weekday, last := first.Weekday(), length(year, month)
	for day := 1; day <= last; day++ {
		if r.has(day, last, weekday) {
			list = append(list, first+calendar.Day(day-1))
		}
		weekday = (weekday + 1) % 7
	}
	return list
}

// has reports whether the rule takes a day of a month that has a last one.
func (r *repeat) has(day, last int, weekday time.Weekday) bool {
	if r.monthDays != 0 && !r.monthDays.contains(day) && !r.monthDays.contains(day-last-1) {
		return false
	}
	if !r.byDay {
		return true
	}
	ordinals := r.weekdays[weekday]
	return ordinals.contains(0) || ordinals.contains((day+6)/7) || ordinals.contains(-(last-day+7)/7)
}

// atPositions keeps what BYSETPOS names of all days of a period.
func (r *repeat) atPositions(all []calendar.Day) []calendar.Day {
	if len(r.positions) == 0 {
		return all
	}
	named := func(n int) bool {
		for _, position := range r.positions {
			if position == n+1 || position == n-len(all) {
				return true
			}
		}
		return false
	}
	kept := all[:0]
	for n, day := range all {
		if named(n) {
			kept = append(kept, day)
		}
	}
	return kept
}

// after returns the period to look at after one. Days of months that the rule does not
// take are skipped at once.
func (r *repeat) after(period int) int {
	next := period + 1
	if r.frequency != daily || r.months == 0 {
		return next
	}
	day := r.begin(next)
	for {
		year, month, _ := day.Date()
		if r.months.contains(int(month)) || day > calendar.Last {
			break
		}
		day = calendar.Of(year, month+1, 1)
	}
	// The first period that does not begin before the month.
	return max(next, (int(day-r.first)+r.interval-1)/r.interval)
}

func length(year int, month time.Month) int {
	switch month {
	case time.April, time.June, time.September, time.November:
		return 30
	case time.February:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	default:
		return 31
	}
}

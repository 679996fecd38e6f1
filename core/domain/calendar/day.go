// Package calendar computes with days, without time and zone, and with intervals
// of time. It knows the public holidays of the French regions and the legal periods
// of French sales and lettings. The periods are a help, not legal advice.
package calendar

import (
	"fmt"
	"time"
)

// Day is a day of the calendar. Days compare and subtract as numbers do, and a
// number of days can be added. The zero Day is none at all.
type Day int32

// The days that Parse and Of know: those that are written with four digits of a
// year.
const (
	First Day = 1       // 0001-01-01
	Last  Day = 3652059 // 9999-12-31
)

// epoch is the day of Unix time 0.
const (
	epoch      Day = 719163
	secondsDay     = 24 * 60 * 60
)

// Of returns the day with the given date. A month or day out of its range counts on,
// as in time.Date.
func Of(year int, month time.Month, day int) Day {
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()/secondsDay) + epoch
}

// On returns the day that an instant falls on in a zone.
func On(at time.Time, zone *time.Location) Day { return Of(at.In(zone).Date()) }

// Parse reads a day such as 2026-09-16.
func Parse(text string) (Day, error) {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil || at.Year() < 1 {
		return 0, fmt.Errorf("%q is not a day such as 2026-09-16", text)
	}
	return Of(at.Date()), nil
}

// String writes the day as 2026-09-16, and none as nothing.
func (d Day) String() string {
	if d == 0 {
		return ""
	}
	return d.midnight().Format(time.DateOnly)
}

// MarshalText implements encoding.TextMarshaler, as String does.
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler: it reads what MarshalText
// writes.
func (d *Day) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*d = 0
		return nil
	}
	*d, err = Parse(string(text))
	return err
}

func (d Day) midnight() time.Time { return time.Unix(int64(d-epoch)*secondsDay, 0).UTC() }

// Date returns the date of the day.
func (d Day) Date() (year int, month time.Month, day int) { return d.midnight().Date() }

// Weekday returns the day of the week.
func (d Day) Weekday() time.Weekday { return d.midnight().Weekday() }

// Start returns when the day begins in a zone: its first instant, also where clocks
// skip midnight or go through it twice.
func (d Day) Start(zone *time.Location) time.Time {
	year, month, day := d.Date()
	at := time.Date(year, month, day, 0, 0, 0, 0, zone)
	changed, next := at.ZoneBounds()
	switch {
	case On(at, zone) < d:
		return next
	case !changed.IsZero() && On(changed.Add(-time.Nanosecond), zone) == d:
		_, before := changed.Add(-time.Nanosecond).Zone()
		return d.midnight().Add(-time.Duration(before) * time.Second).In(zone)
	}
	return at
}

// End returns when the day is over in a zone: when the next one begins.
func (d Day) End(zone *time.Location) time.Time { return (d + 1).Start(zone) }

// AddMonths returns the same day of another month, or the last day of that month if
// it has no such day (CPC art. 641).
func (d Day) AddMonths(months int) Day {
	added, _ := d.addMonths(months)
	return added
}

// addMonths also reports whether the month had no such day.
func (d Day) addMonths(months int) (added Day, shortened bool) {
	year, month, day := d.Date()
	if last := daysIn(year, month+time.Month(months)); day > last {
		return Of(year, month+time.Month(months), last), true
	}
	return Of(year, month+time.Month(months), day), false
}

func daysIn(year int, month time.Month) int {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// LastOfTerm returns the last day of a term of so many months that begins on the
// day: the day before the same day of the last month. Where that month has no
// such day it is the last one it has.
func (d Day) LastOfTerm(months int) Day {
	end, shortened := d.addMonths(months)
	if shortened {
		return end
	}
	return end - 1
}

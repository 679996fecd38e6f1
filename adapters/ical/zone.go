package ical

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
)

// Layouts of times: in UTC, by the clock of a zone, and of whole days.
const (
	instantLayout = "20060102T150405Z"
	localLayout   = "20060102T150405"
	dayLayout     = "20060102"
)

// zones are those that a calendar names.
type zones struct {
	load   func(name string) (*time.Location, error)
	byName map[string]*zone
	// until is how far the calendar describes them. It changes once a year, so that a
	// calendar does not change by the hour.
	until time.Time
}

func newZones(c planning.FeedCalendar) *zones {
	return &zones{load: c.Location, byName: map[string]*zone{}, until: time.Date(c.Window.End.UTC().Year()+2, 1, 1, 0, 0, 0, 0, time.UTC)}
}

// zone is one that times are written in.
type zone struct {
	name     string
	location *time.Location
	// utc says that its clocks show UTC, so that it needs no name.
	utc bool
	// until is how far it is described.
	until time.Time
	// named says that a time was written by its clock, of which from is the earliest.
	named bool
	from  time.Time
}

// errName is of a zone whose name nobody but a broken store can have.
var errName = errors.New("not the name of a zone")

func (z *zones) find(name string) (*zone, error) {
	if found, known := z.byName[name]; known {
		return found, nil
	}
	location, err := z.load(name)
	if err != nil {
		return nil, fmt.Errorf("zone %q: %w", name, err)
	}
	found := &zone{name: name, location: location, utc: isUTC(location), until: z.until}
	if !found.utc && !isName(name) {
		return nil, fmt.Errorf("zone %q: %w", name, errName)
	}
	z.byName[name] = found
	return found, nil
}

// isName reports whether a name can be a parameter without quotes, which those of all
// zones can.
func isName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("/_+-", r)
	})
}

func isUTC(location *time.Location) bool {
	from, to := time.Unix(0, 0).In(location).ZoneBounds()
	name, offset := time.Unix(0, 0).In(location).Zone()
	return from.IsZero() && to.IsZero() && name == "UTC" && offset == 0
}

// components describe the zones that are named, by their names.
func (z *zones) components() (all []ics.Component) {
	for _, name := range slices.Sorted(maps.Keys(z.byName)) {
		if zone := z.byName[name]; zone.named {
			all = append(all, zone.describe())
		}
	}
	return all
}

// seconds returns the second that an instant is in: calendars know no parts of one.
func seconds(at time.Time) time.Time { return at.Add(-time.Duration(at.Nanosecond())) }

// fullSeconds returns the first second that is not before an instant.
func fullSeconds(at time.Time) time.Time { return seconds(at.Add(time.Second - 1)) }

// instant returns a time in UTC. One that has no year of four digits becomes the nearest
// that has.
func instant(at time.Time) string {
	switch at = at.UTC(); {
	case at.Year() < 1:
		at = time.Time{}
	case at.Year() > 9999:
		at = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	}
	return at.Format(instantLayout)
}

// isWritable reports whether a calendar can write two times, and the day after them,
// in any zone: it has four digits for a year.
func isWritable(start, end time.Time) bool {
	return !start.Before((calendar.First + 1).Start(time.UTC)) && end.Before(calendar.Last.Start(time.UTC))
}

// period adds when an appointment begins and ends. It ends after it begins, also
// where both are in one second.
func (z *zone) period(e component, a planning.Appointment, wholeDays bool) {
	if wholeDays {
		days(e, a)
		return
	}
	start, end := seconds(a.Start), fullSeconds(a.End)
	z.moment(e, "DTSTART", start)
	z.moment(e, "DTEND", later(start, end))
}

// series adds when the first occurrence begins and ends, by which rule it repeats, and
// which original starts do not take place. The end is that of the first by elapsed
// time, as it is for all of them (RFC 5545, section 3.8.5.3).
func (z *zone) series(e component, a planning.Appointment, gone []time.Time) {
	if a.AllDay {
		days(e, a)
	} else {
		start := seconds(a.Start)
		z.local(e, "DTSTART", start)
		z.moment(e, "DTEND", later(start, fullSeconds(a.End)))
	}
	e.value("RRULE", a.Rule)
	for _, start := range gone {
		z.original(e, "EXDATE", a, start)
	}
}

func later(start, end time.Time) time.Time {
	if !end.After(start) {
		return start.Add(time.Second)
	}
	return end
}

// original adds an original start, in the same form as the series begins.
func (z *zone) original(e component, name string, series planning.Appointment, start time.Time) {
	if series.AllDay {
		day(e, name, calendar.On(start, z.location))
		return
	}
	z.local(e, name, seconds(start))
}

// days adds days: the end is the day after the last one.
func days(e component, a planning.Appointment) {
	day(e, "DTSTART", a.First)
	day(e, "DTEND", a.Last+1)
}

func day(e component, name string, day calendar.Day) {
	e.value(name, day.Start(time.UTC).Format(dayLayout), ics.WithValue("DATE"))
}

// moment adds a time by the clock of the zone, or in UTC where that does not tell it:
// the second time that a clock shows the same, and what is later than the zone is
// described.
func (z *zone) moment(e component, name string, at time.Time) {
	first, _ := calendar.On(at, z.location).At(calendar.Clock(at, z.location), z.location)
	if !first.Equal(at) || !at.Before(z.until) {
		e.value(name, instant(at))
		return
	}
	z.local(e, name, at)
}

// local adds a time by the clock of the zone.
func (z *zone) local(e component, name string, at time.Time) {
	if z.utc {
		e.value(name, instant(at))
		return
	}
	if !z.named || at.Before(z.from) {
		z.named, z.from = true, at
	}
	e.value(name, at.In(z.location).Format(localLayout), ics.WithTZID(z.name))
}

// describe returns which time the zone has, from the earliest that was written on: a
// component for each change of its clocks, and before them one for the time it has
// then. None has a rule, so nothing is said that the zone does not say.
func (z *zone) describe() ics.Component {
	c := newComponent("VTIMEZONE")
	c.value("TZID", z.name)
	for at := z.from.In(z.location); ; {
		c.Components = append(c.Components, z.observance(at))
		_, next := at.ZoneBounds()
		if next.IsZero() || !next.Before(z.until) {
			return c
		}
		at = next
	}
}

// observance returns the time that a zone has at an instant, since its clocks were last
// changed. Where they never were it is said since 1970, or since the year of the
// instant.
func (z *zone) observance(at time.Time) ics.Component {
	name, offset := at.Zone()
	begin, _ := at.ZoneBounds()
	before := offset
	wall := time.Date(min(at.Year(), 1970), 1, 1, 0, 0, 0, 0, time.UTC)
	if begin.Year() > 1 {
		_, before = begin.Add(-time.Nanosecond).Zone()
		wall = begin.UTC().Add(time.Duration(before) * time.Second)
	}
	c := newComponent(either(at.IsDST(), "DAYLIGHT", "STANDARD"))
	c.value("DTSTART", wall.Format(localLayout))
	c.value("TZOFFSETFROM", offsetOf(before))
	c.value("TZOFFSETTO", offsetOf(offset))
	c.text("TZNAME", name)
	return c
}

// offsetOf returns an offset from UTC as +0100, or with seconds, as those of the times
// before there were zones.
func offsetOf(offset int) string {
	sign := "+"
	if offset < 0 {
		sign, offset = "-", -offset
	}
	written := fmt.Sprintf("%s%02d%02d", sign, offset/3600, offset/60%60)
	if offset%60 != 0 {
		written += fmt.Sprintf("%02d", offset%60)
	}
	return written
}

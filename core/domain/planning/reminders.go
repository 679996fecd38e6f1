package planning

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
)

// MaxReminders and MaxReminder bound the reminders of an appointment: how many, and
// how many minutes before the start.
const (
	MaxReminders = 3
	MaxReminder  = 28 * 24 * 60
)

// farAhead is how far ahead the next occurrence is looked for.
const farAhead = 9 * 366 * 24 * time.Hour

// reminded reports whether attendees are reminded of an occurrence.
func (o Occurrence) reminded() bool { return o.Status.Ahead() }

// nextReminder returns when the next reminder is due whose event was not recorded; the zero time
// where there is none.
func (a Appointment) nextReminder(zone *time.Location) (next time.Time) {
	if len(a.Reminders) == 0 || !a.Recurs() && !a.Status.Ahead() {
		return next
	}
	for _, minutes := range a.Reminders {
		after := a.Told.Add(Minutes(minutes))
		start, found := a.nextStart(after, zone)
		if due := start.Add(-Minutes(minutes)); found && (next.IsZero() || due.Before(next)) {
			next = due
		}
	}
	return next
}

// nextStart returns the start of the first occurrence after an instant that attendees
// are reminded of.
func (a Appointment) nextStart(after time.Time, zone *time.Location) (next time.Time, found bool) {
	if !a.Recurs() {
		return a.Start, a.Start.After(after) && a.Status.Ahead()
	}
	window := calendar.Interval{Start: after.Add(time.Microsecond), End: after.Add(farAhead)}
	s := a.Series(zone)
	changed := map[int64]bool{}
	for _, c := range a.Changed {
		changed[c.Original.UnixMicro()] = true
		start := c.Original
		if c.Start != nil {
			start = *c.Start
		}
		if window.Contains(start) && a.statusOf(c.Original).Ahead() && (!found || start.Before(next)) && s.Has(c.Original) {
			next, found = start, true
		}
	}
	if !a.Status.Ahead() {
		return next, found // and no other occurrence is
	}
	for start := range s.Starts(window.Start, window.End) {
		if found && !start.Before(next) {
			break
		}
		if !changed[start.UnixMicro()] {
			return start.UTC(), true
		}
	}
	return next, found
}

// MaxTold is the largest number of events of reminders of one appointment at once.
const MaxTold = 5_000

// DueReminders counts the reminders that became due since events were last recorded,
// up to a moment, each occurrence and number of minutes once; at most MaxTold.
func (a Appointment) DueReminders(now time.Time, zone *time.Location) (due int) {
	for _, minutes := range slices.Compact(slices.Sorted(slices.Values(a.Reminders))) {
		before := Minutes(minutes)
		window := calendar.Interval{Start: a.Told.Add(before + time.Microsecond), End: now.Add(before + time.Microsecond)}
		if window.Empty() {
			continue
		}
		all, _ := a.Starting(window, zone, MaxTold)
		for _, o := range all {
			if o.reminded() {
				due++
			}
		}
	}
	return min(due, MaxTold)
}

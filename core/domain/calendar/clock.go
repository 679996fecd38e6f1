package calendar

import "time"

// At returns the instant of a day at which clocks in a zone show so much time since
// midnight; 24 hours are the next midnight. A time that clocks show twice is the
// first. One that they skip does not exist: then At is the instant by the clocks
// before the change.
func (d Day) At(clock time.Duration, zone *time.Location) (at time.Time, exists bool) {
	wall := d.midnight().Add(clock)
	// One of the two sides of a change nearby; which one is not said.
	year, month, day := wall.Date()
	hour, minute, second := wall.Clock()
	at = time.Date(year, month, day, hour, minute, second, wall.Nanosecond(), zone)
	from, to := at.ZoneBounds()
	own := by(wall, at)
	if !from.IsZero() {
		earlier := by(wall, from.Add(-time.Nanosecond).In(zone))
		if earlier.Before(from) {
			return earlier, true
		}
		if own.Before(from) {
			return earlier, false
		}
	}
	if !to.IsZero() && !own.Before(to) {
		later := by(wall, to)
		return own, !later.Before(to)
	}
	return own, true
}

// by returns the instant at which clocks show a time if they go as they do at another
// instant. The time is written as if it were in UTC.
func by(wall, like time.Time) time.Time {
	_, offset := like.Zone()
	return wall.Add(-time.Duration(offset) * time.Second).In(like.Location())
}

// Clock returns how much time clocks in a zone show since midnight.
func Clock(at time.Time, zone *time.Location) time.Duration {
	at = at.In(zone)
	hour, minute, second := at.Clock()
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second +
		time.Duration(at.Nanosecond())
}

package porttest

import "github.com/vitrine-crm/vitrine/core/domain/calendar"

// span is the time between two instants.
func span(from, until int) calendar.Interval {
	return calendar.Interval{Start: instant(from), End: instant(until)}
}

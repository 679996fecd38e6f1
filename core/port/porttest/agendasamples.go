package porttest

import (
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
)

// span is the time between two instants.
func span(from, until int) calendar.Interval {
	return calendar.Interval{Start: instant(from), End: instant(until)}
}

func sampleImported(s site.ID, user site.UserID, source slot.Source) slot.Imported {
	return slot.Imported{
		Site: s, User: user, Source: source, Busy: []calendar.Interval{span(3, 4), span(1, 2)}, Modified: instant(8), Version: 1 << 51,
	}
}

package porttest

import (
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
)

// span is the time between two instants.
func span(from, until int) calendar.Interval {
	return calendar.Interval{Start: instant(from), End: instant(until)}
}

func sampleAppointmentType(id planning.TypeID) planning.Type {
	return planning.Type{
		ID: id, Model: "VISITE", Label: awkward, Active: true, Busy: true, Leave: true, Duration: 45, Before: 15, After: 10,
		Color: "#27ae60", Position: -1,
	}
}

func sampleImported(s site.ID, user site.UserID, source slot.Source) slot.Imported {
	return slot.Imported{
		Site: s, User: user, Source: source, Busy: []calendar.Interval{span(3, 4), span(1, 2)}, Modified: instant(8), Version: 1 << 51,
	}
}

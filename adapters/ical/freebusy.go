package ical

import (
	"cmp"
	"fmt"
	"slices"

	ics "github.com/arran4/golang-ical"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
)

// FreeBusy writes when a user is busy, as one VFREEBUSY. Time of one type of iCalendar
// is as few periods as can be.
func FreeBusy(f planning.FreeBusy) ([]byte, error) {
	busy := newComponent("VFREEBUSY")
	busy.text("UID", fmt.Sprintf("%s@%s", f.Name, f.Host))
	busy.value("DTSTAMP", instant(f.Now))
	busy.value("DTSTART", instant(seconds(f.Window.Start)))
	busy.value("DTEND", instant(fullSeconds(f.Window.End)))
	for _, p := range periods(f.Busy) {
		busy.value("FREEBUSY", instant(p.Start)+"/"+instant(p.End), &ics.KeyValues{Key: "FBTYPE", Value: []string{p.kind}})
	}
	c := heading()
	c.Components = []ics.Component{busy}
	return c.bytes()
}

// period is time of one type.
type period struct {
	calendar.Interval
	kind string
}

// periods returns all the time of each type, by start, end and type.
func periods(busy []slot.Occupied) (all []period) {
	kinds := map[string][]calendar.Interval{}
	for _, o := range busy {
		kind := "BUSY"
		switch o.Kind {
		case slot.OnLeave:
			kind = "BUSY-UNAVAILABLE"
		case slot.Hold:
			kind = "BUSY-TENTATIVE"
		case slot.Event, slot.External:
		}
		kinds[kind] = append(kinds[kind], calendar.Interval{Start: seconds(o.Start), End: fullSeconds(o.End)})
	}
	for kind, intervals := range kinds {
		for _, i := range calendar.Union(intervals...) {
			all = append(all, period{i, kind})
		}
	}
	slices.SortFunc(all, func(a, b period) int {
		return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End), cmp.Compare(a.kind, b.kind))
	})
	return all
}

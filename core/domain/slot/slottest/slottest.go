// Package slottest makes up agents and what they are busy with, for tests and
// benchmarks.
package slottest

import (
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
)

// The size of an agency's month.
const (
	Agents = 20
	Days   = 31
	Events = 200 // of each agent
)

// Month is the month of an agency over a change of clocks: what to ask, and who is
// asked. n tells months apart in which agents are busy at other times.
func Month(zone *time.Location, n int) (slot.Query, []slot.Agent) {
	from := time.Date(2027, 3, 15, 0, 0, 0, 0, zone)
	q := slot.Query{
		Zone: zone, Now: from, Window: calendar.Interval{Start: from, End: from.AddDate(0, 0, Days)},
		Duration: 45 * time.Minute, Step: 30 * time.Minute, Before: 15 * time.Minute, After: 15 * time.Minute,
	}
	pattern := slot.Pattern{CycleWeeks: 1}
	for weekday := range 6 {
		periods := []slot.Period{{Start: clock("09:00"), End: clock("12:30")}, {Start: clock("14:00"), End: clock("18:30")}}
		pattern.Days = append(pattern.Days, slot.Weekday{Weekday: weekday + 1, Week: 1, Periods: periods})
	}
	agents := make([]slot.Agent, Agents)
	for id := range agents {
		agents[id] = slot.Agent{
			ID: site.UserID(id + 1), Region: calendar.France, Work: slot.WorkingTime{Patterns: []slot.Pattern{pattern}, Bookable: true},
			Busy: busy(from, id, n), Duties: duties(from, id),
		}
	}
	return q, agents
}

// busy are events that stand in no order.
func busy(from time.Time, id, n int) []slot.Busy {
	all := make([]slot.Busy, Events)
	for i := range all {
		start := from.Add(time.Duration((i*197+id*61+n*17)%(Days*24*60)) * time.Minute)
		all[i] = slot.Busy{
			Interval: calendar.Interval{Start: start, End: start.Add(45 * time.Minute)}, Kind: slot.Event, Before: 15 * time.Minute, After: 15 * time.Minute,
		}
	}
	return all
}

func duties(from time.Time, id int) []slot.Duty {
	all := make([]slot.Duty, Days/7)
	for week := range all {
		start := from.AddDate(0, 0, 7*week+id%7).Add(12 * time.Hour)
		all[week] = slot.Duty{Interval: calendar.Interval{Start: start, End: start.Add(2 * time.Hour)}, Bookable: true}
	}
	return all
}

func clock(text string) slot.Clock {
	at, err := slot.ParseClock(text)
	if err != nil {
		panic(fmt.Sprintf("slottest: %v", err))
	}
	return at
}

package slot

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Agent is a user whose free time is asked for.
type Agent struct {
	ID site.UserID
	// Region is where their agency keeps public holidays.
	Region calendar.Region
	// Zone is where they work; nil is that of the query.
	Zone *time.Location
	Work WorkingTime
	// Duties and Busy are at least those that have time in common with Query.Reach.
	Duties []Duty
	Busy   []Busy
}

// Duty is an occurrence in a duty roster. One that is not bookable takes from
// working time, the others add to it.
type Duty struct {
	calendar.Interval
	Bookable bool
}

// Kind is what somebody is busy with.
type Kind string

// The kinds.
const (
	OnLeave  Kind = "LEAVE"
	Event    Kind = "BUSY"
	Hold     Kind = "HOLD"
	External Kind = "EXTERNAL"
)

// Busy is time that is not free, with what is kept free before and after it.
type Busy struct {
	calendar.Interval
	Kind          Kind
	Before, After time.Duration
}

// Query is what free time is asked for.
type Query struct {
	Zone   *time.Location // of the request, for agents without one of their own
	Now    time.Time
	Window calendar.Interval
	// Duration is how long a slot is, Step how far apart starts are in a range,
	// Before and After what is kept free around a slot.
	Duration, Step, Before, After time.Duration
	// Notice is how far ahead a slot begins, at least. Horizon is on how many days
	// after today one may begin; nil is on any.
	Notice  time.Duration
	Horizon *int
	// Together asks for slots at which all agents are free, not any of them.
	Together bool
	// Limit is how much is answered at most; 0 is everything.
	Limit int
}

// Slot is a time that can be given to each of some users, in ascending order.
type Slot struct {
	calendar.Interval
	Users []site.UserID
}

// Range is free time of a user.
type Range struct {
	calendar.Interval
	User site.UserID
}

// Reach returns the time of which working time and duties matter: all days from the one
// before the window to that of its end. What somebody is busy with matters as far
// as the buffers of a slot go beyond it.
func (q Query) Reach() calendar.Interval {
	first, last := q.days()
	return calendar.Interval{Start: first.Start(q.Zone), End: last.End(q.Zone)}.Widen(q.Before, q.After)
}

// At returns the query where an agent works.
func (q Query) At(zone *time.Location) Query {
	if zone != nil {
		q.Zone = zone
	}
	return q
}

func (q Query) days() (first, last calendar.Day) {
	return calendar.On(q.Window.Start, q.Zone) - 1, calendar.On(q.Window.End, q.Zone)
}

// from returns the earliest that anything may begin.
func (q Query) from() time.Time {
	if earliest := q.Now.Add(q.Notice); earliest.After(q.Window.Start) {
		return earliest
	}
	return q.Window.Start
}

// available returns when an agent can be booked, but for what they are busy with.
func (q Query) available(a *Agent) calendar.Intervals {
	q = q.At(a.Zone)
	first, last := q.days()
	all := make([]calendar.Interval, 0, 2*int(last-first+1)+len(a.Duties))
	for day := first; day <= last; day++ {
		all = instants(day, a.Work.On(day, a.Region), q.Zone, all)
	}
	// What lies elsewhere does not move the grid of a range, whether it is given or
	// not.
	days := calendar.Interval{Start: first.Start(q.Zone), End: last.End(q.Zone)}
	var taken []calendar.Interval
	for _, d := range a.Duties {
		switch {
		case !d.Meets(days):
		case d.Bookable:
			all = append(all, d.Interval)
		default:
			taken = append(taken, d.Interval)
		}
	}
	return calendar.Union(all...).Minus(calendar.Union(taken...))
}

// occupied returns when an agent is busy, with the buffers, where it matters.
func (q Query) occupied(a *Agent) calendar.Intervals {
	window := q.Window.Widen(q.Before, q.After)
	all := make([]calendar.Interval, 0, len(a.Busy))
	for _, b := range a.Busy {
		if i := b.Widen(b.Before, b.After); i.Meets(window) {
			all = append(all, i)
		}
	}
	return calendar.Union(all...)
}

// Slots returns the slots that agents have, by start, and whether there are more than
// the limit.
func Slots(q Query, agents []Agent) (slots []Slot, truncated bool) {
	if len(agents) == 0 || q.Duration <= 0 || q.Step <= 0 || q.Window.Empty() {
		return nil, false
	}
	agents = byID(agents)
	if q.Together {
		return q.together(agents)
	}
	starts := make([][]time.Time, len(agents))
	total := 0
	for n := range agents {
		starts[n] = q.fitting(q.At(agents[n].Zone).starts(q.available(&agents[n])), q.occupied(&agents[n]))
		total += len(starts[n])
	}
	users := make([]site.UserID, 0, total) // of all slots, one after the other
	for {
		earliest := -1
		for n, of := range starts {
			if len(of) > 0 && (earliest < 0 || of[0].Before(starts[earliest][0])) {
				earliest = n
			}
		}
		if earliest < 0 || len(slots) == q.Limit && q.Limit > 0 {
			return slots, earliest >= 0
		}
		start, before := starts[earliest][0], len(users)
		for n, of := range starts {
			if len(of) > 0 && of[0].Equal(start) {
				users = append(users, agents[n].ID)
				starts[n] = of[1:]
			}
		}
		slots = append(slots, q.slot(start, users[before:len(users):len(users)]))
	}
}

// together returns the slots that all agents have at once.
func (q Query) together(agents []Agent) (slots []Slot, truncated bool) {
	var available calendar.Intervals
	users := make([]site.UserID, len(agents))
	for n := range agents {
		if own := q.available(&agents[n]); n == 0 {
			available = own
		} else {
			available = available.Intersect(own)
		}
		users[n] = agents[n].ID
	}
	starts := q.starts(available)
	for n := range agents {
		starts = q.fitting(starts, q.occupied(&agents[n]))
	}
	for _, start := range starts {
		if len(slots) == q.Limit && q.Limit > 0 {
			return slots, true
		}
		slots = append(slots, q.slot(start, slices.Clone(users)))
	}
	return slots, false
}

func (q Query) slot(start time.Time, users []site.UserID) Slot {
	start = start.UTC()
	return Slot{calendar.Interval{Start: start, End: start.Add(q.Duration)}, users}
}

// starts returns when slots could begin, on the grids of the ranges, were nobody busy.
func (q Query) starts(ranges calendar.Intervals) (starts []time.Time) {
	from := q.from()
	var lastDay calendar.Day
	var lastStart time.Time
	if q.Horizon != nil {
		lastDay = calendar.On(q.Now, q.Zone) + calendar.Day(*q.Horizon)
		lastStart = lastDay.Start(q.Zone)
	}
	starts = make([]time.Time, 0, 8*len(ranges))
	for _, r := range ranges {
		start := r.Start
		if from.After(start) {
			steps := (from.Sub(start) + q.Step - 1) / q.Step
			start = start.Add(steps * q.Step)
		}
		latest := r.End
		if q.Window.End.Before(latest) {
			latest = q.Window.End
		}
		latest = latest.Add(-q.Duration)
		for ; !start.After(latest); start = start.Add(q.Step) {
			// The day is only asked for near the horizon.
			if lastDay != 0 && !start.Before(lastStart) && calendar.On(start, q.Zone) > lastDay {
				continue
			}
			starts = append(starts, start)
		}
	}
	return starts
}

// fitting keeps, of starts in order, those of slots that meet nothing, with what
// is kept free around them.
func (q Query) fitting(starts []time.Time, busy calendar.Intervals) []time.Time {
	kept, next := starts[:0], 0
	for _, start := range starts {
		from, to := start.Add(-q.Before), start.Add(q.Duration+q.After)
		for next < len(busy) && !from.Before(busy[next].End) {
			next++
		}
		if next == len(busy) || !busy[next].Start.Before(to) {
			kept = append(kept, start)
		}
	}
	return kept
}

// Ranges returns when agents are free in the window, by user, then start, and whether
// there are more than the limit. Buffers of a new slot, its duration and the
// horizon do not matter.
func Ranges(q Query, agents []Agent) (ranges []Range, truncated bool) {
	if q.Window.Empty() {
		return nil, false
	}
	window := calendar.Interval{Start: q.from(), End: q.Window.End}
	for _, a := range byID(agents) {
		for _, i := range q.available(&a).Minus(q.occupied(&a)).Within(window) {
			if len(ranges) == q.Limit && q.Limit > 0 {
				return ranges, true
			}
			ranges = append(ranges, Range{calendar.Interval{Start: i.Start.UTC(), End: i.End.UTC()}, a.ID})
		}
	}
	return ranges, false
}

// Occupied is time of one kind, without buffers.
type Occupied struct {
	calendar.Interval
	Kind Kind
}

// FreeBusy returns what somebody is busy with in a window, without buffers and as few
// intervals of each kind, by start, then kind.
func FreeBusy(window calendar.Interval, busy []Busy) (occupied []Occupied) {
	kinds := map[Kind][]calendar.Interval{}
	for _, b := range busy {
		kinds[b.Kind] = append(kinds[b.Kind], b.Interval)
	}
	for kind, all := range kinds {
		for _, i := range calendar.Union(all...).Within(window) {
			occupied = append(occupied, Occupied{calendar.Interval{Start: i.Start.UTC(), End: i.End.UTC()}, kind})
		}
	}
	slices.SortFunc(occupied, func(a, b Occupied) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Kind, b.Kind))
	})
	return occupied
}

// byID returns the agents in ascending order, each once.
func byID(agents []Agent) []Agent {
	agents = slices.SortedStableFunc(slices.Values(agents), func(a, b Agent) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(agents, func(a, b Agent) bool { return a.ID == b.ID })
}

package slot

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// grid is time as an array of minutes, each with what clocks in the zone show: the
// naive answer to everything this package computes.
type grid struct {
	start time.Time
	shown []string // 2006-01-02T15:04
	wall  []int    // the same as minutes
}

const day24 = 24 * time.Hour

func gridOf(window calendar.Interval, zone *time.Location) grid {
	g := grid{start: window.Start.Add(-4 * day24)}
	for at := g.start; at.Before(window.End.Add(4 * day24)); at = at.Add(time.Minute) {
		local := at.In(zone)
		_, offset := local.Zone()
		g.shown = append(g.shown, local.Format("2006-01-02"))
		g.wall = append(g.wall, (int(at.Unix())+offset)/60)
	}
	return g
}

func (g grid) index(at time.Time) int   { return int(at.Sub(g.start) / time.Minute) }
func (g grid) at(n int) time.Time       { return g.start.Add(time.Duration(n) * time.Minute) }
func (g grid) date(at time.Time) string { return g.shown[g.index(at)] }
func (g grid) inside(n int) bool        { return n >= 0 && n < len(g.wall) }
func (g grid) fill(in []bool, a, b int, v bool) {
	for n := max(0, a); n < min(b, len(in)); n++ {
		in[n] = v
	}
}

// clock is the first minute at which clocks show a time of a day. If they skip it,
// it is counted on from the minute before.
func (g grid) clock(day time.Time, clock Clock) int {
	target := int(day.Unix())/60 + int(clock)
	for n, wall := range g.wall {
		switch {
		case wall == target:
			return n
		case wall < target && n+1 < len(g.wall) && g.wall[n+1] > target:
			return n + target - wall
		}
	}
	panic("a time beyond the grid")
}

// works are the periods of a day, naively.
func works(a Agent, day time.Time) []Period {
	same := func(d calendar.Day) time.Time { y, m, of := d.Date(); return time.Date(y, m, of, 0, 0, 0, 0, time.UTC) }
	if !a.Work.Bookable {
		return nil
	}
	for _, e := range a.Work.Exceptions {
		if !day.Before(same(e.From)) && !day.After(same(e.To)) {
			return e.Periods
		}
	}
	for _, h := range a.Region.Holidays(day.Year()) {
		if same(h.Day).Equal(day) && !a.Work.WorksHolidays {
			return nil
		}
	}
	var latest *Pattern
	for n, p := range a.Work.Patterns {
		if p.ValidFrom != 0 && day.Before(same(p.ValidFrom)) || p.ValidTo != 0 && day.After(same(p.ValidTo)) {
			continue
		}
		if latest == nil || latest.ValidFrom == 0 || p.ValidFrom != 0 && same(p.ValidFrom).After(same(latest.ValidFrom)) {
			latest = &a.Work.Patterns[n]
		}
	}
	if latest == nil {
		return nil
	}
	week := 1
	if latest.CycleWeeks > 1 {
		// Monday by Monday.
		monday := same(latest.ValidFrom)
		for monday.Weekday() != time.Monday {
			monday = monday.AddDate(0, 0, -1)
		}
		for ; !day.Before(monday.AddDate(0, 0, 7)); monday = monday.AddDate(0, 0, 7) {
			if week++; week > latest.CycleWeeks {
				week = 1
			}
		}
	}
	for _, d := range latest.Days {
		if time.Weekday(d.Weekday%7) == day.Weekday() && d.Week == week {
			return d.Periods
		}
	}
	return nil
}

// free says of each minute whether an agent is available, and whether busy.
func (g grid) free(q Query, a Agent) (available, busy []bool) {
	available, busy = make([]bool, len(g.wall)), make([]bool, len(g.wall))
	first, err := time.Parse(time.DateOnly, g.date(q.Window.Start))
	if err != nil {
		panic(err)
	}
	first = first.AddDate(0, 0, -1)
	last := g.date(q.Window.End)
	for day := first; day.Format(time.DateOnly) <= last; day = day.AddDate(0, 0, 1) {
		for _, p := range works(a, day) {
			g.fill(available, g.clock(day, p.Start), g.clock(day, p.End), true)
		}
	}
	onDays := func(d Duty) bool {
		for n := g.index(d.Start); n < g.index(d.End); n++ {
			if g.inside(n) && g.shown[n] >= first.Format(time.DateOnly) && g.shown[n] <= last {
				return true
			}
		}
		return false
	}
	for _, bookable := range []bool{true, false} {
		for _, d := range a.Duties {
			if d.Bookable == bookable && onDays(d) {
				g.fill(available, g.index(d.Start), g.index(d.End), bookable)
			}
		}
	}
	for _, b := range a.Busy {
		g.fill(busy, g.index(b.Start.Add(-b.Before)), g.index(b.End.Add(b.After)), true)
	}
	return available, busy
}

// slots are the starts of slots, minute by minute.
func (g grid) slots(q Query, available, busy []bool) (starts []time.Time) {
	begin := 0
	for n := range g.wall {
		if !available[n] {
			continue
		}
		if n == 0 || !available[n-1] {
			begin = n
		}
		if (n-begin)%int(q.Step/time.Minute) != 0 || !g.fits(q, n, available, busy) {
			continue
		}
		starts = append(starts, g.at(n))
	}
	return starts
}

func (g grid) fits(q Query, n int, available, busy []bool) bool {
	at, duration := g.at(n), int(q.Duration/time.Minute)
	if at.Before(q.Window.Start) || at.Before(q.Now.Add(q.Notice)) || at.Add(q.Duration).After(q.Window.End) {
		return false
	}
	if q.Horizon != nil {
		today, _ := time.Parse(time.DateOnly, q.Now.In(q.Zone).Format(time.DateOnly))
		if g.shown[n] > today.AddDate(0, 0, *q.Horizon).Format(time.DateOnly) {
			return false
		}
	}
	for m := n; m < n+duration; m++ {
		if !available[m] {
			return false
		}
	}
	for m := n - int(q.Before/time.Minute); m < n+duration+int(q.After/time.Minute); m++ {
		if busy[m] {
			return false
		}
	}
	return true
}

// naive is what Slots should answer.
func (g grid) naive(q Query, agents []Agent) (slots []Slot) {
	agents = slices.Clone(agents)
	slices.SortFunc(agents, func(a, b Agent) int { return int(a.ID - b.ID) })
	users := map[time.Time][]site.UserID{}
	var all, any []bool
	var ids []site.UserID
	for _, a := range agents {
		available, busy := g.free(q, a)
		ids = append(ids, a.ID)
		if all == nil {
			all, any = available, busy
		}
		for n := range all {
			all[n], any[n] = all[n] && available[n], any[n] || busy[n]
		}
		if !q.Together {
			for _, start := range g.slots(q, available, busy) {
				users[start] = append(users[start], a.ID)
			}
		}
	}
	if q.Together {
		for _, start := range g.slots(q, all, any) {
			users[start] = ids
		}
	}
	for start, ids := range users {
		slots = append(slots, Slot{calendar.Interval{Start: start, End: start.Add(q.Duration)}, ids})
	}
	slices.SortFunc(slots, func(a, b Slot) int { return a.Start.Compare(b.Start) })
	return slots
}

// gridZones have whole hours, half hours and a quarter, and change clocks at night,
// at midnight, by half an hour, or never.
var gridZones = []string{
	"Europe/Paris", "Australia/Lord_Howe", "Asia/Kolkata", "America/St_Johns", "Asia/Kathmandu", "Pacific/Chatham", "America/Santiago",
	"America/Havana", "Atlantic/Azores", "Africa/Cairo", "Asia/Beirut", "America/Guadeloupe", "Indian/Reunion",
}

func anyPeriods(t *rapid.T) (periods []Period) {
	edges := rapid.SliceOfN(rapid.OneOf(
		rapid.Map(rapid.IntRange(0, 48), func(n int) Clock { return Clock(30 * n) }),
		rapid.Map(rapid.IntRange(0, int(EndOfDay)), func(n int) Clock { return Clock(n) }),
		rapid.SampledFrom([]Clock{0, 60, 90, 120, 150, 180, 210, EndOfDay}),
	), 0, 6).Draw(t, "edges")
	slices.Sort(edges)
	for n := 1; n < len(edges); n += 1 + rapid.IntRange(0, 1).Draw(t, "gap") {
		if edges[n-1] < edges[n] {
			periods = append(periods, Period{edges[n-1], edges[n]})
		}
	}
	return periods
}

func anyAgent(t *rapid.T, id site.UserID, window calendar.Interval, zone *time.Location) Agent {
	near := func(name string, days int) calendar.Day {
		return calendar.On(window.Start, zone) + calendar.Day(rapid.IntRange(-days, days).Draw(t, name))
	}
	stretch := func(longest int) calendar.Interval {
		start := window.Start.Add(minutes(rapid.IntRange(-3*24*60, 7*24*60).Draw(t, "start")))
		return calendar.Interval{Start: start, End: start.Add(minutes(rapid.IntRange(1, longest).Draw(t, "length")))}
	}
	a := Agent{ID: id, Region: rapid.SampledFrom(calendar.Regions()).Draw(t, "region")}
	a.Work.Bookable = rapid.IntRange(0, 9).Draw(t, "bookable") > 0
	a.Work.WorksHolidays = rapid.Bool().Draw(t, "works on holidays")
	from := map[calendar.Day]bool{}
	for range rapid.IntRange(0, 3).Draw(t, "patterns") {
		p := Pattern{CycleWeeks: 1}
		if rapid.Bool().Draw(t, "from") {
			p.ValidFrom, p.CycleWeeks = near("valid from", 40), rapid.IntRange(1, 4).Draw(t, "cycle")
		}
		if rapid.IntRange(0, 3).Draw(t, "to") == 0 {
			p.ValidTo = near("valid to", 5)
		}
		for week := range p.CycleWeeks {
			for weekday := range 7 {
				if rapid.IntRange(0, 3).Draw(t, "works") > 0 {
					p.Days = append(p.Days, Weekday{weekday + 1, week + 1, anyPeriods(t)})
				}
			}
		}
		if !from[p.ValidFrom] && (p.ValidTo == 0 || p.ValidFrom <= p.ValidTo) {
			a.Work.Patterns = append(a.Work.Patterns, p)
			from[p.ValidFrom] = true
		}
	}
	day := near("exception", 3)
	for range rapid.IntRange(0, 2).Draw(t, "exceptions") {
		e := Exception{From: day, To: day + calendar.Day(rapid.IntRange(0, 1).Draw(t, "days")), Periods: anyPeriods(t)}
		a.Work.Exceptions = append(a.Work.Exceptions, e)
		day = e.To + 1 + calendar.Day(rapid.IntRange(0, 2).Draw(t, "later"))
	}
	for range rapid.IntRange(0, 4).Draw(t, "duties") {
		a.Duties = append(a.Duties, Duty{stretch(24 * 60), rapid.IntRange(0, 2).Draw(t, "bookable duty") > 0})
	}
	for range rapid.IntRange(0, 8).Draw(t, "busy") {
		b := Busy{Interval: stretch(10 * 60), Kind: Event}
		b.Before, b.After = minutes(rapid.SampledFrom([]int{0, 0, 15, 240}).Draw(t, "before")), minutes(rapid.SampledFrom([]int{0, 0, 10, 60}).Draw(t, "after"))
		a.Busy = append(a.Busy, b)
	}
	return a
}

func anyQuery(t *rapid.T) Query {
	q := Query{Zone: location(t, rapid.SampledFrom(gridZones).Draw(t, "zone"))}
	middle := time.Date(2026, 1, rapid.IntRange(1, 1000).Draw(t, "day"), 12, 0, 0, 0, time.UTC)
	if _, change := middle.In(q.Zone).ZoneBounds(); !change.IsZero() && rapid.Bool().Draw(t, "clocks change") {
		middle = change.Truncate(time.Minute) // some zones are said to change at the end of 32-bit time
	}
	q.Window.Start = middle.Add(minutes(rapid.IntRange(-48, 24).Draw(t, "from") * 30)).UTC()
	if rapid.Bool().Draw(t, "from midnight") {
		q.Window.Start = calendar.On(q.Window.Start, q.Zone).Start(q.Zone).UTC()
	}
	q.Window.End = q.Window.Start.Add(minutes(rapid.IntRange(1, 3*24*60).Draw(t, "length")))
	q.Now = q.Window.Start.Add(minutes(rapid.IntRange(-3*24*60, 24*60).Draw(t, "now"))).Add(time.Duration(rapid.SampledFrom([]int{0, 0, 0, 30}).Draw(t, "second")) * time.Second)
	q.Duration = minutes(rapid.OneOf(rapid.SampledFrom([]int{15, 30, 45, 60, 90}), rapid.IntRange(5, 600)).Draw(t, "duration"))
	q.Step = minutes(rapid.OneOf(rapid.SampledFrom([]int{15, 30, 45, 60}), rapid.IntRange(5, 240)).Draw(t, "step"))
	q.Before, q.After = minutes(rapid.SampledFrom([]int{0, 15, 240}).Draw(t, "buffer before")), minutes(rapid.SampledFrom([]int{0, 10, 240}).Draw(t, "buffer after"))
	q.Notice = minutes(rapid.SampledFrom([]int{0, 0, 60, 1440, 4000}).Draw(t, "notice"))
	if rapid.Bool().Draw(t, "has a horizon") {
		horizon := rapid.IntRange(0, 5).Draw(t, "horizon")
		q.Horizon = &horizon
	}
	q.Together = rapid.IntRange(0, 2).Draw(t, "together") == 0
	return q
}

func TestSlotsAgreeWithAGridOfMinutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := anyQuery(t)
		agents := make([]Agent, rapid.IntRange(1, 3).Draw(t, "agents"))
		for n := range agents {
			agents[n] = anyAgent(t, site.UserID(len(agents)-n), q.Window, q.Zone)
			if problems := check(agents[n].Work); len(problems) > 0 {
				t.Fatalf("the working time is refused: %+v", problems)
			}
		}
		g := gridOf(q.Window, q.Zone)
		if got, want := first(Slots(q, agents)), g.naive(q, agents); !sameSlots(got, want) {
			t.Fatalf("%+v:\n%v, want\n%v", q, got, want)
		}

		// Ranges are minutes that are available and not busy.
		ranges := first(Ranges(q, agents))
		for _, a := range agents {
			available, busy := g.free(q, a)
			for n := range g.wall {
				at := g.at(n)
				want := available[n] && !busy[n] && !at.Before(q.Window.Start) && !at.Before(q.Now.Add(q.Notice)) && at.Before(q.Window.End)
				if got := slices.ContainsFunc(ranges, func(r Range) bool { return r.User == a.ID && r.Contains(at) }); got != want {
					t.Fatalf("%v is free for %d: %v, want %v", at, a.ID, got, want)
				}
			}
		}
	})
}

func first[T any](all []T, _ bool) []T { return all }

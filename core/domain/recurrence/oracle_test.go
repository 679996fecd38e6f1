package recurrence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/teambition/rrule-go"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
)

// made is a made-up series with its rule in parts, as no parser has read it.
type made struct {
	start               time.Time // as if the clock were in UTC
	zone                string
	allDay              bool
	frequency           string
	interval, count     int
	until               time.Time
	weekStart           int // from Monday 0
	byDay               []ordinal
	byMonthDay, byMonth []int
	bySetPos            []int
}

type ordinal struct{ n, weekday int }

var codes = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]")
}

// text writes the rule; without its ends it repeats for ever.
func (m made) text(ends bool) string {
	text := fmt.Sprintf("FREQ=%s;INTERVAL=%d;WKST=%s", m.frequency, m.interval, codes[m.weekStart])
	if len(m.byDay) > 0 {
		var days []string
		for _, d := range m.byDay {
			day := codes[d.weekday]
			if d.n != 0 {
				day = fmt.Sprint(d.n) + day
			}
			days = append(days, day)
		}
		text += ";BYDAY=" + strings.Join(days, ",")
	}
	if len(m.byMonthDay) > 0 {
		text += ";BYMONTHDAY=" + numbers(m.byMonthDay)
	}
	if len(m.byMonth) > 0 {
		text += ";BYMONTH=" + numbers(m.byMonth)
	}
	if len(m.bySetPos) > 0 {
		text += ";BYSETPOS=" + numbers(m.bySetPos)
	}
	switch {
	case !ends:
	case m.count > 0:
		text += fmt.Sprintf(";COUNT=%d", m.count)
	case !m.until.IsZero() && m.allDay:
		text += ";UNTIL=" + m.until.Format(dayLayout)
	case !m.until.IsZero():
		text += ";UNTIL=" + m.until.Format(instantLayout)
	}
	return text
}

// oracleZones have whole hours, half hours, and days on which midnight is skipped
// or comes twice.
var oracleZones = []string{
	"Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Asia/Kathmandu", "America/Santiago", "America/Havana",
	"Indian/Reunion", "Pacific/Chatham", "UTC",
}

func anyOf(t *rapid.T, name string, low, high, most int) []int {
	return rapid.SliceOfNDistinct(rapid.IntRange(low, high).Filter(func(n int) bool { return n != 0 }), 1, most, rapid.ID).Draw(t, name)
}

func anyMade(t *rapid.T) made {
	m := made{
		zone: rapid.SampledFrom(oracleZones).Draw(t, "zone"), allDay: rapid.IntRange(0, 4).Draw(t, "all day") == 0,
		frequency: rapid.SampledFrom([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}).Draw(t, "frequency"),
		interval:  rapid.SampledFrom([]int{1, 1, 2, 3, 5, 7, 13, 40}).Draw(t, "interval"),
		weekStart: rapid.IntRange(0, 6).Draw(t, "week start"),
	}
	m.start = time.Date(2026, 1, 1+rapid.IntRange(0, 1500).Draw(t, "day"), 0, 0, 0, 0, time.UTC)
	if !m.allDay {
		// Clocks change at night.
		m.start = m.start.Add(time.Duration(rapid.SampledFrom([]int{0, 15, 60, 90, 120, 135, 150, 165, 180, 540, 1410}).Draw(t, "minute")) * time.Minute)
	}
	one := func(name string, of int) bool { return rapid.IntRange(1, of).Draw(t, name) == 1 }
	if one("by month", 3) {
		m.byMonth = anyOf(t, "months", 1, 12, 4)
	}
	if one("by day", 2) {
		numbered := m.frequency == "MONTHLY" || m.frequency == "YEARLY" && m.byMonth != nil
		m.byDay = rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) ordinal {
			d := ordinal{weekday: rapid.IntRange(0, 6).Draw(t, "weekday")}
			if numbered && rapid.Bool().Draw(t, "numbered") {
				d.n = rapid.IntRange(-5, 5).Draw(t, "ordinal")
			}
			return d
		}), 1, 5, rapid.ID).Draw(t, "days")
	}
	if m.frequency != "WEEKLY" && one("by month day", 3) {
		m.byMonthDay = anyOf(t, "month days", -31, 31, 5)
	}
	if (m.byDay != nil || m.byMonthDay != nil || m.byMonth != nil) && one("by position", 3) {
		m.bySetPos = anyOf(t, "positions", -4, 4, 3)
	}
	switch rapid.IntRange(0, 2).Draw(t, "ends") {
	case 0:
		m.count = rapid.IntRange(1, 60).Draw(t, "count")
	case 1:
		m.until = m.start.AddDate(0, 0, rapid.IntRange(0, 1500).Draw(t, "until"))
	}
	return m
}

// instants are, day by day, what the rule has in so many days from its start.
// Every day is asked whether it is one of the rule.
func (m made) instants(t *rapid.T, days int) (found []time.Time) {
	for n := range days {
		if m.takes(m.start.AddDate(0, 0, n)) {
			found = append(found, m.start.AddDate(0, 0, n))
		}
	}
	return m.ended(t, found)
}

// ended makes instants of times by the clock, and ends them by COUNT or UNTIL.
func (m made) ended(t *rapid.T, walls []time.Time) (found []time.Time) {
	zone := location(t, m.zone)
	for _, wall := range walls {
		at, exists := firstInstant(wall, zone)
		if m.allDay {
			// A day begins when clocks first show it or a later one.
			at, exists = wall.Add(-30*time.Hour), true
			for at.In(zone).Format(time.DateOnly) < wall.Format(time.DateOnly) {
				at = at.Add(15 * time.Minute)
			}
		}
		if !exists {
			continue
		}
		if m.count > 0 && len(found) == m.count ||
			m.count == 0 && !m.until.IsZero() && (m.allDay && wall.After(m.until) || !m.allDay && at.After(m.until)) {
			break
		}
		found = append(found, at)
	}
	return found
}

// firstInstant tries every offset that the zone has around a time by the clock.
func firstInstant(wall time.Time, zone *time.Location) (first time.Time, exists bool) {
	for hours := -36; hours <= 36; hours += 6 {
		_, offset := wall.Add(time.Duration(hours) * time.Hour).In(zone).Zone()
		at := wall.Add(-time.Duration(offset) * time.Second)
		if at.In(zone).Format(time.DateTime) == wall.Format(time.DateTime) && (!exists || at.Before(first)) {
			first, exists = at, true
		}
	}
	return first, exists
}

// takes reports whether a day is one of the rule, before anything ends it.
func (m made) takes(day time.Time) bool {
	first, last := m.period(day)
	start, _ := m.period(m.start)
	var distance int
	switch m.frequency {
	case "MONTHLY":
		distance = (first.Year()-start.Year())*12 + int(first.Month()) - int(start.Month())
	case "YEARLY":
		distance = first.Year() - start.Year()
	case "WEEKLY":
		distance = int(first.Sub(start).Hours()) / 24 / 7
	default:
		distance = int(first.Sub(start).Hours()) / 24
	}
	if distance%m.interval != 0 || !m.fits(day) {
		return false
	}
	if len(m.bySetPos) == 0 {
		return true
	}
	before, after := 0, 0
	for other := first; !other.After(last); other = other.AddDate(0, 0, 1) {
		switch {
		case !m.fits(other):
		case other.Before(day):
			before++
		case other.After(day):
			after++
		}
	}
	return slices.Contains(m.bySetPos, before+1) || slices.Contains(m.bySetPos, -after-1)
}

// period is the first and the last day of the period of a day.
func (m made) period(day time.Time) (first, last time.Time) {
	switch m.frequency {
	case "MONTHLY":
		first = day.AddDate(0, 0, 1-day.Day())
		return first, first.AddDate(0, 1, -1)
	case "YEARLY":
		first = day.AddDate(0, 0, 1-day.YearDay())
		return first, first.AddDate(1, 0, -1)
	case "WEEKLY":
		for first = day; (int(first.Weekday())+6)%7 != m.weekStart; {
			first = first.AddDate(0, 0, -1)
		}
		return first, first.AddDate(0, 0, 6)
	}
	return day, day
}

// fits reports whether a day has the month, the day of the month and the weekday
// that the rule demands, or those of its start.
func (m made) fits(day time.Time) bool {
	byMonth, byMonthDay, byDay := m.byMonth, m.byMonthDay, m.byDay
	if byDay == nil && byMonthDay == nil {
		switch m.frequency {
		case "YEARLY":
			if byMonth == nil {
				byMonth = []int{int(m.start.Month())}
			}
			byMonthDay = []int{m.start.Day()}
		case "MONTHLY":
			byMonthDay = []int{m.start.Day()}
		case "WEEKLY":
			byDay = []ordinal{{0, (int(m.start.Weekday()) + 6) % 7}}
		}
	}
	// Days of the month are counted from both ends, one by one.
	left, same, sameLeft := 1, 1, 1
	for other := day.AddDate(0, 0, 1); other.Month() == day.Month(); other = other.AddDate(0, 0, 1) {
		left++
		if other.Weekday() == day.Weekday() {
			sameLeft++
		}
	}
	for other := day.AddDate(0, 0, -7); other.Month() == day.Month(); other = other.AddDate(0, 0, -7) {
		same++
	}
	return (byMonth == nil || slices.Contains(byMonth, int(day.Month()))) &&
		(byMonthDay == nil || slices.Contains(byMonthDay, day.Day()) || slices.Contains(byMonthDay, -left)) &&
		(byDay == nil || slices.ContainsFunc(byDay, func(d ordinal) bool {
			return d.weekday == (int(day.Weekday())+6)%7 && (d.n == 0 || d.n == same || d.n == -sameLeft)
		}))
}

// series is the same, for the code under test.
func (m made) series(t *rapid.T) Series {
	s := Series{Zone: location(t, m.zone), AllDay: m.allDay, Length: time.Hour, Days: 1}
	var problem any
	if s.Rule, problem = parse(m.text(true), m.allDay); problem != nil {
		t.Fatalf("%s: %+v", m.text(true), problem)
	}
	s.Start, _ = firstInstant(m.start, s.Zone)
	if m.allDay {
		s.Start = calendar.On(m.start, time.UTC).Start(s.Zone)
	}
	return s
}

func parse(text string, allDay bool) (Rule, any) {
	r, problem := Parse(text, allDay)
	if problem == nil {
		return r, nil
	}
	return r, *problem
}

// exists reports whether the series can begin when it does: clocks may skip it.
func (m made) exists(t *rapid.T) bool {
	_, exists := firstInstant(m.start, location(t, m.zone))
	return exists || m.allDay
}

const oracleDays = 1600

func TestEachDayIsAskedWhetherItIsOneOfTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMade(t)
		if !m.exists(t) {
			t.Skip("clocks skip the start")
		}
		s, want := m.series(t), m.instants(t, oracleDays)
		to := s.Start.AddDate(0, 0, oracleDays-2)
		want = slices.DeleteFunc(want, func(at time.Time) bool { return !at.Before(to) })
		if got := slices.Collect(s.Starts(s.Start, to)); !same(got, want) {
			t.Fatalf("%s from %v in %s:\n%v, want\n%v", s.Rule, m.start, m.zone, got, want)
		}

		// A window shows what lies in it.
		from := s.Start.Add(time.Duration(rapid.IntRange(-10, oracleDays*24).Draw(t, "from")) * time.Hour)
		until := from.Add(time.Duration(rapid.IntRange(0, 9000).Draw(t, "hours")) * time.Hour)
		if until.After(to) {
			until = to
		}
		inside := slices.DeleteFunc(slices.Clone(want), func(at time.Time) bool { return at.Before(from) || !at.Before(until) })
		if got := slices.Collect(s.Starts(from, until)); !same(got, inside) {
			t.Fatalf("%s from %v in %s has in [%v, %v)\n%v, want\n%v", s.Rule, m.start, m.zone, from, until, got, inside)
		}
		if len(want) > 0 {
			one := rapid.SampledFrom(want).Draw(t, "occurrence")
			if found, ok := s.Find(s.Name(one)); !ok || !found.Equal(one) || !s.Has(one) || s.Has(one.Add(time.Second)) {
				t.Fatalf("%s has %v, and finds %v", s.Rule, one, found)
			}
		}
		if problem := s.Check(); len(want) > 0 && (problem == nil) != want[0].Equal(s.Start) {
			t.Fatalf("%s from %v in %s: %+v, first is %v", s.Rule, m.start, m.zone, problem, want[0])
		}
	})
}

// Another implementation, on the clock alone, has the same days. It has its own
// mind on two points: it demands a weekday with a number and one without at once,
// and numbers the days of a first week from the start.
func TestAnotherImplementationHasTheSameDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMade(t)
		numbered := slices.ContainsFunc(m.byDay, func(d ordinal) bool { return d.n != 0 })
		plain := slices.ContainsFunc(m.byDay, func(d ordinal) bool { return d.n == 0 })
		if !m.exists(t) || numbered && plain || m.frequency == "WEEKLY" && m.bySetPos != nil {
			t.Skip("it would differ")
		}
		option, err := rrule.StrToROption(m.text(false))
		if err != nil {
			t.Fatal(err)
		}
		option.Dtstart = m.start
		option.Until = m.start.AddDate(0, 0, oracleDays)
		other, err := rrule.NewRRule(*option)
		if err != nil {
			t.Fatal(err)
		}
		s := m.series(t)
		to := s.Start.AddDate(0, 0, oracleDays-2)
		want := slices.DeleteFunc(m.ended(t, other.All()), func(at time.Time) bool { return !at.Before(to) })
		if got := slices.Collect(s.Starts(s.Start, to)); !same(got, want) {
			t.Fatalf("%s from %v in %s:\n%v, want\n%v", s.Rule, m.start, m.zone, got, want)
		}
	})
}

package ical_test

import (
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // the zones of the tests, whatever the machine has

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// names are zones with whole hours and without, on both halves of the earth, without
// changes, with changes by other rules than once, and with clocks that go back in
// summer.
var names = []string{
	"Europe/Paris", "Europe/Dublin", "Europe/Lisbon", "Europe/Moscow", "Europe/Istanbul", "America/New_York", "America/Santiago", "America/Havana",
	"America/St_Johns", "America/Caracas", "America/Sao_Paulo", "America/Nuuk", "Australia/Lord_Howe", "Australia/Adelaide", "Asia/Kolkata",
	"Asia/Kathmandu", "Asia/Gaza", "Asia/Pyongyang", "Africa/Casablanca", "Africa/Cairo", "Africa/Monrovia", "Indian/Reunion", "Pacific/Apia",
	"Pacific/Chatham", "Pacific/Kiritimati", "Pacific/Marquesas", "Antarctica/Troll", "Etc/GMT+5", "Etc/UTC", "UTC",
}

// me is whose calendars are written.
const me site.UserID = 21

// window is what made-up calendars are about.
var window = calendar.Interval{Start: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), End: time.Date(2027, 9, 1, 0, 0, 0, 0, time.UTC)}

var types = planning.Shipped()

func location(t fatal, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return zone
}

// awkward is what breaks careless writers.
var awkward = []string{
	"\n", "\t", ";", ",", ":", `\`, `\n`, `\,`, `"`, "'", "=", "^n", "<b>", " ", "   ", "é", "e\u0301", "Occupé", "漢字", "🏡", "👩\u200d👩\u200d👧", "\u00a0",
	"\u202e", "\ufeff", "\ufffd", "ﷺ", "\nEND:VEVENT", "\nATTENDEE:mailto:a@b.example", "BEGIN:VALARM", "mot", "maison", strings.Repeat("x", 76), strings.Repeat("é", 40),
	strings.Repeat("🏡", 20),
}

// anyText is a text as it comes back from a calendar.
func anyText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(awkward), rapid.StringMatching(`[ -~]{0,30}`), rapid.String()), 0, 12).Draw(t, "text")
		return strings.Map(func(r rune) rune {
			if r != '\n' && r != '\t' && (r < ' ' || 0x7f <= r && r < 0xa0 || r == '\u2028' || r == '\u2029') {
				return -1
			}
			return r
		}, strings.ToValidUTF8(strings.Join(parts, ""), ""))
	})
}

// anyInstant is one of a year, now and then with fractions of a second, and often
// close to when clocks change.
func anyInstant(t *rapid.T, label string, zone *time.Location, firstYear, lastYear int) time.Time {
	at := time.Date(rapid.IntRange(firstYear, lastYear).Draw(t, label), 1, 1, 0, 0, 0, 0, time.UTC)
	at = at.Add(time.Duration(rapid.IntRange(0, 366*24*4).Draw(t, label+" quarter")) * 15 * time.Minute)
	if _, next := at.In(zone).ZoneBounds(); !next.IsZero() && next.Year() <= lastYear && rapid.IntRange(0, 3).Draw(t, label+" at a change") == 0 {
		at = next.Add(time.Duration(rapid.IntRange(-8, 8).Draw(t, label+" from the change")) * 15 * time.Minute)
	}
	switch rapid.IntRange(0, 9).Draw(t, label+" fraction") {
	case 0:
		at = at.Add(time.Duration(rapid.IntRange(1, 999_999_999).Draw(t, label+" nanoseconds")))
	case 1:
		at = at.Add(time.Duration(rapid.IntRange(1, 59).Draw(t, label+" seconds")) * time.Second)
	}
	return at.UTC()
}

// anyRule is a rule on which the oracle and the core agree: rrule-go does not take days
// with and without numbers as alternatives, and takes positions in weeks from the start.
func anyRule(t *rapid.T, allDay bool, start time.Time) string {
	frequency := rapid.SampledFrom([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}).Draw(t, "frequency")
	rule := "FREQ=" + frequency
	one := func(label string) bool { return rapid.IntRange(0, 2).Draw(t, label) == 0 }
	numbers := func(label string, low, high int) string {
		all := rapid.SliceOfNDistinct(rapid.IntRange(low, high).Filter(func(n int) bool { return n != 0 }), 1, 4, rapid.ID).Draw(t, label)
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(all), " ", ","), "[]")
	}
	if one("interval") {
		rule += fmt.Sprintf(";INTERVAL=%d", rapid.IntRange(1, 9).Draw(t, "of periods"))
	}
	months, days := one("months"), one("days")
	if months {
		rule += ";BYMONTH=" + numbers("by month", 1, 12)
	}
	if days {
		number := ""
		if n := rapid.IntRange(-5, 5).Draw(t, "number"); n != 0 && (frequency == "MONTHLY" || frequency == "YEARLY" && months) {
			number = fmt.Sprint(n)
		}
		codes := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}), 1, 4, rapid.ID).Draw(t, "by day")
		rule += ";BYDAY=" + number + strings.Join(codes, ","+number)
	}
	if !days && frequency != "WEEKLY" && one("month days") {
		rule += ";BYMONTHDAY=" + numbers("by month day", -31, 31)
		days = true
	}
	if days && frequency != "WEEKLY" && one("positions") {
		rule += ";BYSETPOS=" + numbers("by position", -3, 3)
	}
	if one("week start") {
		rule += ";WKST=SU"
	}
	switch rapid.IntRange(0, 2).Draw(t, "ends") {
	case 0:
		rule += fmt.Sprintf(";COUNT=%d", rapid.IntRange(1, 200).Draw(t, "count"))
	case 1:
		until := start.AddDate(0, 0, rapid.IntRange(0, 900).Draw(t, "until"))
		rule += ";UNTIL=" + until.Format(map[bool]string{true: dayLayout, false: instantLayout}[allDay])
	}
	return rule
}

// anyTiming is when something takes place, once or as a series.
func anyTiming(t *rapid.T, allDayToo bool) planning.Appointment {
	a := planning.Appointment{Zone: rapid.SampledFrom(names).Draw(t, "zone")}
	zone := location(t, a.Zone)
	a.AllDay = allDayToo && rapid.IntRange(0, 3).Draw(t, "all day") == 0
	recurs := rapid.Bool().Draw(t, "recurs")
	switch far := rapid.IntRange(0, 9).Draw(t, "far") == 0; {
	case far && !recurs:
		a.Start = anyInstant(t, "start", zone, 1, 9999)
	case far:
		a.Start = anyInstant(t, "start", zone, 1960, 2025)
	default:
		a.Start = anyInstant(t, "start", zone, 2026, 2027)
	}
	length := time.Duration(rapid.IntRange(1, 200).Draw(t, "length")) * 15 * time.Minute
	if rapid.IntRange(0, 9).Draw(t, "short") == 0 {
		length = time.Duration(rapid.IntRange(1, 2_000_000_000).Draw(t, "nanoseconds"))
	}
	span := calendar.Day(rapid.IntRange(0, 9).Draw(t, "more days"))
	place := func(start time.Time) {
		a.Start, a.End = start.UTC(), start.Add(length).UTC()
		if a.AllDay {
			a.First = calendar.On(start, zone)
			a.Last = a.First + span
			a.Start, a.End = a.First.Start(zone).UTC(), a.Last.End(zone).UTC()
		}
	}
	place(a.Start)
	if !recurs {
		return a
	}
	a.Rule = anyRule(t, a.AllDay, a.Start)
	for first := range a.Series(zone).Starts(a.Start, a.Start.AddDate(8, 0, 0)) {
		place(first)
		break
	}
	if a.Series(zone).Check() != nil {
		a.Rule = ""
		return a
	}
	starts := slices.Collect(a.Series(zone).Starts(a.Start, a.Start.AddDate(3, 0, 0)))
	starts = starts[:min(len(starts), 30)]
	for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(starts)-1), 0, 3, rapid.ID).Draw(t, "except") {
		a.Except = append(a.Except, starts[n].UTC())
	}
	// Some name nothing.
	for range rapid.IntRange(0, 2).Draw(t, "others") {
		start := rapid.SampledFrom(starts).Draw(t, "near").UTC()
		a.Except = append(a.Except, start.Add(rapid.SampledFrom([]time.Duration{time.Hour, -time.Hour, time.Millisecond, 7 * time.Minute}).Draw(t, "beside")))
	}
	slices.SortFunc(a.Except, time.Time.Compare)
	return a
}

// anyAppointment is one as the rules of the core let it be stored.
func anyAppointment(t *rapid.T) planning.Appointment {
	a := anyTiming(t, true)
	zone := location(t, a.Zone)
	text := anyText()
	a.Type = rapid.SampledFrom(types).Draw(t, "type").Model
	a.Title, a.Description, a.Location = "t"+text.Draw(t, "title"), text.Draw(t, "description"), text.Draw(t, "location")
	if rapid.Bool().Draw(t, "link") {
		a.MeetingURL = "https://visio.example/" + strings.Map(func(r rune) rune {
			if r < ' ' {
				return -1
			}
			return r
		}, text.Draw(t, "page"))
	}
	if rapid.Bool().Draw(t, "position") {
		latitude, longitude := rapid.Float64Range(-90, 90).Draw(t, "latitude"), rapid.Float64Range(-180, 180).Draw(t, "longitude")
		a.Latitude, a.Longitude = &latitude, &longitude
	}
	a.Status = rapid.SampledFrom(planning.Statuses()).Draw(t, "status")
	a.Busy = rapid.Bool().Draw(t, "busy")
	a.Visibility = rapid.SampledFrom([]planning.Visibility{planning.Public, planning.Private}).Draw(t, "visibility")
	a.Reminders = rapid.SliceOfN(rapid.IntRange(0, planning.MaxReminder), 0, 3).Draw(t, "reminders")
	a.Sequence = rapid.IntRange(0, 9).Draw(t, "sequence")
	a.Added, a.Modified = anyInstant(t, "added", zone, 2020, 2026), anyInstant(t, "modified", zone, 2020, 2026)
	answers := rapid.SampledFrom([]planning.Answer{planning.Waiting, planning.Accepted, planning.Accepted, planning.Maybe, planning.Refused})
	a.Attendees = []planning.Attendee{
		{ID: 1, Kind: planning.User, User: me + 1, Answer: planning.Refused},
		{ID: 2, Kind: planning.User, User: me, Answer: answers.Draw(t, "answer")},
		{ID: 3, Kind: planning.Guest, Name: "Nobody knows", Email: "guest@secret.example", Answer: planning.Accepted},
	}
	if a.Recurs() {
		a.Changed = anyChanges(t, a, zone)
	}
	return a
}

func anyChanges(t *rapid.T, a planning.Appointment, zone *time.Location) (all []planning.Changed) {
	// Later the zone is not described any more.
	originals := slices.Collect(a.Series(zone).Starts(a.Start, window.End.AddDate(1, 0, 0)))
	if originals = originals[:min(len(originals), 20)]; len(originals) == 0 {
		return nil
	}
	for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(originals)-1), 0, 4, rapid.ID).Draw(t, "changed") {
		c := planning.Changed{Original: originals[n].UTC()}
		if rapid.Bool().Draw(t, "moved") {
			start := anyInstant(t, "to", zone, 2026, 2027)
			if rapid.IntRange(0, 20).Draw(t, "to far away") == 0 {
				start = anyInstant(t, "to", zone, 1, 9999)
			}
			end := start.Add(time.Duration(rapid.IntRange(1, 300).Draw(t, "minutes")) * time.Minute)
			if a.AllDay && rapid.Bool().Draw(t, "to whole days") {
				start = calendar.On(start, zone).Start(zone).UTC()
				end = (calendar.On(start, zone) + 1).End(zone).UTC()
			}
			c.Start, c.End = &start, &end
		}
		if rapid.Bool().Draw(t, "titled") {
			title := anyText().Draw(t, "own title")
			c.Title = &title
		}
		if rapid.Bool().Draw(t, "in a status") {
			status := rapid.SampledFrom(planning.Statuses()).Draw(t, "own status")
			c.Status = &status
		}
		if rapid.IntRange(0, 2).Draw(t, "answered") == 0 {
			c.Answers = []planning.OccurrenceAnswer{
				{Attendee: 2, Answer: rapid.SampledFrom([]planning.Answer{planning.Accepted, planning.Refused}).Draw(t, "own answer")},
			}
		}
		all = append(all, c)
	}
	return all
}

func anyDuty(t *rapid.T) planning.Duty {
	a := anyTiming(t, false)
	return planning.Duty{
		Kind: rapid.SampledFrom(planning.DutyKinds()).Draw(t, "kind"), User: me, Start: a.Start, End: a.End, Zone: a.Zone, Rule: a.Rule,
		Except: a.Except, Bookable: rapid.Bool().Draw(t, "bookable"), Comment: anyText().Draw(t, "comment"),
		Sequence: rapid.IntRange(0, 9).Draw(t, "sequence"), Added: window.Start, Modified: window.Start.Add(time.Hour),
	}
}

// anyCalendar is the calendar of a user.
func anyCalendar(t *rapid.T) planning.FeedCalendar {
	c := planning.FeedCalendar{
		User: me, Name: "n" + anyText().Draw(t, "name"), Host: "api.agence.example", Detail: rapid.SampledFrom([]planning.FeedDetail{planning.FeedFull, planning.FeedFull, planning.FeedBusy}).Draw(t, "detail"),
		Types: types, Location: time.LoadLocation, Window: window,
		Appointments: rapid.SliceOfN(rapid.Custom(anyAppointment), 0, 4).Draw(t, "appointments"),
		Duties:       rapid.SliceOfN(rapid.Custom(anyDuty), 0, 2).Draw(t, "duties"),
	}
	for n := range c.Appointments {
		c.Appointments[n].ID = planning.ID(n + 1)
	}
	for n := range c.Duties {
		c.Duties[n].ID = planning.DutyID(n + 1)
	}
	return c
}

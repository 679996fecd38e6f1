package ical_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	goical "github.com/emersion/go-ical"
	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/adapters/ical"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
)

func written(t fatal, c planning.FeedCalendar) []byte {
	t.Helper()
	text, err := ical.Calendar(c)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return text
}

func utc(text string) time.Time {
	at, err := time.Parse("2006-01-02T15:04:05.999999999", text)
	if err != nil {
		panic(err)
	}
	return at
}

// calendarOf is a calendar of appointments that last an hour unless they say more.
func calendarOf(detail planning.FeedDetail, all ...planning.Appointment) planning.FeedCalendar {
	for n, a := range all {
		if a.ID == 0 {
			all[n].ID = planning.ID(n + 1)
		}
		if a.Zone == "" {
			all[n].Zone = "Europe/Paris"
		}
		if a.End.IsZero() {
			all[n].End = a.Start.Add(time.Hour)
		}
		if a.Status == "" {
			all[n].Status = planning.Planned
		}
	}
	return planning.FeedCalendar{
		User: me, Name: "Camille", Host: "api.agence.example", Detail: detail, Appointments: all, Types: types, Location: time.LoadLocation, Window: window,
	}
}

func pointer[T any](v T) *T { return &v }

// visits is a series with everything that one can have.
func visits() planning.Appointment {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		panic(err)
	}
	first := utc("2026-09-03T12:00:00")
	cancelled := planning.Cancelled
	a := planning.Appointment{
		ID: 4711, Type: "VISITE", Title: "Visite; 3 pièces, « Bellevue »", Description: "Clés au 2e\nCode : 12\\34", Location: "1, rue de la Paix, Paris",
		MeetingURL: "https://visio.example/été?a=b c", Latitude: pointer(48.8566141), Longitude: pointer(-2.3522), Status: planning.Confirmed,
		Start: first, End: first.Add(45 * time.Minute), Zone: "Europe/Paris", Rule: "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261201T130000Z",
		Attendees: []planning.Attendee{
			{ID: 1, Kind: planning.User, User: me, Answer: planning.Accepted}, {ID: 2, Kind: planning.Customer, Customer: 815},
			{ID: 3, Kind: planning.Guest, Name: "Dominique", Email: "dominique@example.org"},
		},
		Products: nil, Busy: true, Visibility: planning.Private, Reminders: []int{0, 60}, Sequence: 3,
		Added: utc("2026-08-01T06:00:00.5"), Modified: utc("2026-08-02T07:08:09.999"),
	}
	starts := slices.Collect(a.Series(paris).Starts(first, first.AddDate(0, 3, 0)))
	a.Except = []time.Time{starts[1]}
	a.Changed = []planning.Changed{
		{Original: starts[2], Start: pointer(starts[2].Add(2 * time.Hour)), End: pointer(starts[2].Add(3 * time.Hour)), Title: pointer("Plus tard")},
		{Original: starts[3], Status: &cancelled},
		{Original: starts[4], Answers: []planning.OccurrenceAnswer{{Attendee: 1, Answer: planning.Refused}}},
		{Original: starts[5], Answers: []planning.OccurrenceAnswer{{Attendee: 3, Answer: planning.Refused}}},
	}
	return a
}

func TestACalendarIsWrittenLikeThis(t *testing.T) {
	c := calendarOf(planning.FeedFull, visits(), planning.Appointment{
		ID: 12, Type: "CONGE", Title: "Congé", AllDay: true, First: calendar.Of(2026, 7, 13), Last: calendar.Of(2026, 7, 17), Busy: true,
		Start: utc("2026-07-12T22:00:00"), End: utc("2026-07-17T22:00:00"),
	})
	c.Duties = []planning.Duty{{
		ID: 5, Kind: planning.DutyTelephone, Start: utc("2026-06-15T07:00:00"), End: utc("2026-06-15T10:30:00"), Zone: "Indian/Reunion",
		Rule: "FREQ=WEEKLY", Comment: "ligne 2",
	}}
	want := `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Vitrine//Vitrine//FR
CALSCALE:GREGORIAN
METHOD:PUBLISH
NAME:Camille
X-WR-CALNAME:Camille
REFRESH-INTERVAL;VALUE=DURATION:PT15M
BEGIN:VTIMEZONE
TZID:Europe/Paris
BEGIN:DAYLIGHT
DTSTART:20260329T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20261025T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20270328T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20271031T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20280326T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:20281029T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
END:STANDARD
END:VTIMEZONE
BEGIN:VTIMEZONE
TZID:Indian/Reunion
BEGIN:STANDARD
DTSTART:19110601T000000
TZOFFSETFROM:+034152
TZOFFSETTO:+0400
TZNAME:+04
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:event-12@api.agence.example
DTSTAMP:00010101T000000Z
CREATED:00010101T000000Z
LAST-MODIFIED:00010101T000000Z
SEQUENCE:0
DTSTART;VALUE=DATE:20260713
DTEND;VALUE=DATE:20260718
SUMMARY:Congé
CATEGORIES:Congé
STATUS:TENTATIVE
TRANSP:OPAQUE
CLASS:PUBLIC
END:VEVENT
BEGIN:VEVENT
UID:event-4711@api.agence.example
DTSTAMP:20260802T070809Z
CREATED:20260801T060000Z
LAST-MODIFIED:20260802T070809Z
SEQUENCE:3
DTSTART;TZID=Europe/Paris:20260903T140000
DTEND;TZID=Europe/Paris:20260903T144500
RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261201T130000Z
EXDATE;TZID=Europe/Paris:20260908T140000
EXDATE;TZID=Europe/Paris:20260917T140000
SUMMARY:Visite\; 3 pièces\, « Bellevue »
DESCRIPTION:Clés au 2e\nCode : 12\\34
LOCATION:1\, rue de la Paix\, Paris
GEO:48.856614;-2.3522
URL:https://visio.example/%C3%A9t%C3%A9?a=b%20c
CATEGORIES:Visite
STATUS:CONFIRMED
TRANSP:OPAQUE
CLASS:PRIVATE
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Visite\; 3 pièces\, « Bellevue »
TRIGGER:-PT0M
END:VALARM
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Visite\; 3 pièces\, « Bellevue »
TRIGGER:-PT60M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:event-4711@api.agence.example
DTSTAMP:20260802T070809Z
CREATED:20260801T060000Z
LAST-MODIFIED:20260802T070809Z
SEQUENCE:3
RECURRENCE-ID;TZID=Europe/Paris:20260910T140000
DTSTART;TZID=Europe/Paris:20260910T160000
DTEND;TZID=Europe/Paris:20260910T170000
SUMMARY:Plus tard
DESCRIPTION:Clés au 2e\nCode : 12\\34
LOCATION:1\, rue de la Paix\, Paris
GEO:48.856614;-2.3522
URL:https://visio.example/%C3%A9t%C3%A9?a=b%20c
CATEGORIES:Visite
STATUS:CONFIRMED
TRANSP:OPAQUE
CLASS:PRIVATE
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Plus tard
TRIGGER:-PT0M
END:VALARM
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Plus tard
TRIGGER:-PT60M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:event-4711@api.agence.example
DTSTAMP:20260802T070809Z
CREATED:20260801T060000Z
LAST-MODIFIED:20260802T070809Z
SEQUENCE:3
RECURRENCE-ID;TZID=Europe/Paris:20260915T140000
DTSTART;TZID=Europe/Paris:20260915T140000
DTEND;TZID=Europe/Paris:20260915T144500
SUMMARY:Visite\; 3 pièces\, « Bellevue »
DESCRIPTION:Clés au 2e\nCode : 12\\34
LOCATION:1\, rue de la Paix\, Paris
GEO:48.856614;-2.3522
URL:https://visio.example/%C3%A9t%C3%A9?a=b%20c
CATEGORIES:Visite
STATUS:CANCELLED
TRANSP:TRANSPARENT
CLASS:PRIVATE
END:VEVENT
BEGIN:VEVENT
UID:permanence-5@api.agence.example
DTSTAMP:00010101T000000Z
CREATED:00010101T000000Z
LAST-MODIFIED:00010101T000000Z
SEQUENCE:0
DTSTART;TZID=Indian/Reunion:20260615T110000
DTEND;TZID=Indian/Reunion:20260615T143000
RRULE:FREQ=WEEKLY
SUMMARY:Permanence téléphone
DESCRIPTION:ligne 2
STATUS:CONFIRMED
TRANSP:TRANSPARENT
CLASS:PUBLIC
END:VEVENT
END:VCALENDAR`
	if diff := gocmp.Diff(strings.Split(want, "\n"), lines(t, written(t, c))); diff != "" {
		t.Error(diff)
	}
}

func TestABusyCalendarTellsNothingButThatTimeIsTaken(t *testing.T) {
	c := calendarOf(planning.FeedBusy, visits())
	c.Duties = []planning.Duty{{ID: 5, Kind: planning.DutyOnCall, Start: utc("2026-06-15T07:00:00"), End: utc("2026-06-15T10:30:00"), Zone: "UTC", Comment: "ligne 2"}}
	var events []string
	for _, line := range lines(t, written(t, c)) {
		if strings.HasPrefix(line, "BEGIN:VEVENT") || len(events) > 0 {
			events = append(events, line)
		}
	}
	want := `BEGIN:VEVENT
UID:event-4711@api.agence.example
DTSTAMP:20260802T070809Z
CREATED:20260801T060000Z
LAST-MODIFIED:20260802T070809Z
SEQUENCE:3
DTSTART;TZID=Europe/Paris:20260903T140000
DTEND;TZID=Europe/Paris:20260903T144500
RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261201T130000Z
EXDATE;TZID=Europe/Paris:20260908T140000
EXDATE;TZID=Europe/Paris:20260917T140000
SUMMARY:Occupé
STATUS:CONFIRMED
TRANSP:OPAQUE
CLASS:PRIVATE
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Occupé
TRIGGER:-PT0M
END:VALARM
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Occupé
TRIGGER:-PT60M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:event-4711@api.agence.example
DTSTAMP:20260802T070809Z
CREATED:20260801T060000Z
LAST-MODIFIED:20260802T070809Z
SEQUENCE:3
RECURRENCE-ID;TZID=Europe/Paris:20260910T140000
DTSTART;TZID=Europe/Paris:20260910T160000
DTEND;TZID=Europe/Paris:20260910T170000
SUMMARY:Occupé
STATUS:CONFIRMED
TRANSP:OPAQUE
CLASS:PRIVATE
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Occupé
TRIGGER:-PT0M
END:VALARM
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Occupé
TRIGGER:-PT60M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:event-4711@api.agence.example
DTSTAMP:20260802T070809Z
CREATED:20260801T060000Z
LAST-MODIFIED:20260802T070809Z
SEQUENCE:3
RECURRENCE-ID;TZID=Europe/Paris:20260915T140000
DTSTART;TZID=Europe/Paris:20260915T140000
DTEND;TZID=Europe/Paris:20260915T144500
SUMMARY:Occupé
STATUS:CANCELLED
TRANSP:TRANSPARENT
CLASS:PRIVATE
END:VEVENT
BEGIN:VEVENT
UID:permanence-5@api.agence.example
DTSTAMP:00010101T000000Z
CREATED:00010101T000000Z
LAST-MODIFIED:00010101T000000Z
SEQUENCE:0
DTSTART:20260615T070000Z
DTEND:20260615T103000Z
SUMMARY:Occupé
STATUS:CONFIRMED
TRANSP:TRANSPARENT
CLASS:PUBLIC
END:VEVENT
END:VCALENDAR`
	if diff := gocmp.Diff(strings.Split(want, "\n"), events); diff != "" {
		t.Error(diff)
	}
}

// propertiesOf are the lines of the only event that has some.
func propertiesOf(t *testing.T, a planning.Appointment, names ...string) (found []string) {
	t.Helper()
	inside := false
	for _, line := range lines(t, written(t, calendarOf(planning.FeedFull, a))) {
		inside = (inside || line == "BEGIN:VEVENT") && line != "BEGIN:VALARM" && line != "END:VEVENT"
		name := line[:strings.IndexAny(line, ":;")]
		if inside && slices.Contains(names, name) {
			found = append(found, line)
		}
	}
	return found
}

func TestTimesAreWrittenByTheClockWhereItTellsThem(t *testing.T) {
	day := calendar.Of(2026, 7, 14)
	for title, c := range map[string]struct {
		a    planning.Appointment
		want []string
	}{
		"in a zone": {
			planning.Appointment{Start: utc("2026-07-14T08:00:00")},
			[]string{"DTSTART;TZID=Europe/Paris:20260714T100000", "DTEND;TZID=Europe/Paris:20260714T110000"},
		},
		"in UTC": {
			planning.Appointment{Start: utc("2026-07-14T08:00:00"), Zone: "Etc/UTC"},
			[]string{"DTSTART:20260714T080000Z", "DTEND:20260714T090000Z"},
		},
		"the first time clocks show the same, and the second": {
			planning.Appointment{Start: utc("2026-10-25T00:30:00")},
			[]string{"DTSTART;TZID=Europe/Paris:20261025T023000", "DTEND:20261025T013000Z"},
		},
		"later than the zone is described": {
			planning.Appointment{Start: utc("2028-12-31T23:30:00"), Zone: "Asia/Kolkata"},
			[]string{"DTSTART;TZID=Asia/Kolkata:20290101T050000", "DTEND:20290101T003000Z"},
		},
		"in parts of a second": {
			planning.Appointment{Start: utc("2026-07-14T08:00:00.7"), End: utc("2026-07-14T08:00:00.9"), Zone: "UTC"},
			[]string{"DTSTART:20260714T080000Z", "DTEND:20260714T080001Z"},
		},
		"over the start of a second": {
			planning.Appointment{Start: utc("2026-07-14T08:00:00.7"), End: utc("2026-07-14T08:00:01.1"), Zone: "UTC"},
			[]string{"DTSTART:20260714T080000Z", "DTEND:20260714T080002Z"},
		},
		"of a day": {
			planning.Appointment{AllDay: true, First: day, Last: day, Start: utc("2026-07-13T22:00:00"), End: utc("2026-07-14T22:00:00")},
			[]string{"DTSTART;VALUE=DATE:20260714", "DTEND;VALUE=DATE:20260715"},
		},
		"of a series whose start a reader must not find by seconds that are left out": {
			planning.Appointment{
				Start: utc("2026-07-14T08:00:00.5"), Rule: "FREQ=DAILY;UNTIL=20260716T080000Z",
				Except: []time.Time{utc("2026-07-15T08:00:00"), utc("2026-07-15T08:00:00.5"), utc("2026-07-14T08:00:00.6")},
			},
			[]string{
				"DTSTART;TZID=Europe/Paris:20260714T100000", "DTEND;TZID=Europe/Paris:20260714T110001", "RRULE:FREQ=DAILY;UNTIL=20260716T080000Z",
				"EXDATE;TZID=Europe/Paris:20260715T100000", "EXDATE;TZID=Europe/Paris:20260716T100000",
			},
		},
		"of a series with an exception at the second time clocks show the same": {
			planning.Appointment{Start: utc("2026-10-24T00:30:00"), Rule: "FREQ=DAILY;COUNT=3", Except: []time.Time{utc("2026-10-25T01:30:00")}},
			[]string{"DTSTART;TZID=Europe/Paris:20261024T023000", "DTEND;TZID=Europe/Paris:20261024T033000", "RRULE:FREQ=DAILY;COUNT=3"},
		},
		"of a series of days": {
			planning.Appointment{
				AllDay: true, First: day, Last: day + 1, Start: utc("2026-07-13T22:00:00"), End: utc("2026-07-15T22:00:00"),
				Rule: "FREQ=YEARLY;UNTIL=20300714", Except: []time.Time{utc("2027-07-13T22:00:00"), utc("2028-07-14T00:00:00")},
			},
			[]string{"DTSTART;VALUE=DATE:20260714", "DTEND;VALUE=DATE:20260716", "RRULE:FREQ=YEARLY;UNTIL=20300714", "EXDATE;VALUE=DATE:20270714"},
		},
		"before there were zones": {
			planning.Appointment{Start: utc("1850-01-01T12:00:00")},
			[]string{"DTSTART;TZID=Europe/Paris:18500101T120921", "DTEND;TZID=Europe/Paris:18500101T130921"},
		},
		"of an occurrence that was moved to where no calendar can name it": {
			planning.Appointment{
				Start: utc("2026-07-14T08:00:00"), Rule: "FREQ=DAILY;COUNT=3",
				Changed: []planning.Changed{{
					Original: utc("2026-07-15T08:00:00"), Start: pointer(utc("9999-12-31T08:00:00")), End: pointer(utc("9999-12-31T09:00:00")),
				}},
			},
			[]string{
				"DTSTART;TZID=Europe/Paris:20260714T100000", "DTEND;TZID=Europe/Paris:20260714T110000", "RRULE:FREQ=DAILY;COUNT=3",
				"EXDATE;TZID=Europe/Paris:20260715T100000",
			},
		},
		"in the year 0 by the clock": {planning.Appointment{Start: utc("0001-01-01T00:30:00"), Zone: "America/New_York"}, nil},
		"after the year 9999":        {planning.Appointment{Start: utc("9999-12-31T23:30:00")}, nil},
		"before the year 1":          {planning.Appointment{Start: utc("0001-01-01T00:00:00").AddDate(-2, 0, 0)}, nil},
		"early in year 1":            {planning.Appointment{Start: utc("0001-01-02T00:00:00"), Zone: "America/New_York"}, []string{"DTSTART;TZID=America/New_York:00010101T190358", "DTEND;TZID=America/New_York:00010101T200358"}},
		"late in year 9999":          {planning.Appointment{Start: utc("9999-12-30T22:00:00")}, []string{"DTSTART:99991230T220000Z", "DTEND:99991230T230000Z"}},
		"on the last days":           {planning.Appointment{AllDay: true, First: calendar.Last - 1, Last: calendar.Last, Start: utc("9999-12-29T23:00:00"), End: utc("9999-12-31T23:00:00")}, nil},
		"just before the last":       {planning.Appointment{AllDay: true, First: calendar.Last - 1, Last: calendar.Last - 1, Start: utc("9999-12-29T23:00:00"), End: utc("9999-12-30T23:00:00")}, []string{"DTSTART;VALUE=DATE:99991230", "DTEND;VALUE=DATE:99991231"}},
	} {
		if diff := gocmp.Diff(c.want, propertiesOf(t, c.a, "DTSTART", "DTEND", "RRULE", "EXDATE")); diff != "" {
			t.Errorf("%s: %s", title, diff)
		}
	}
}

func TestStatusAndTimeThatIsTakenAreThoseOfTheEvent(t *testing.T) {
	for status, want := range map[planning.Status][3]string{
		planning.Planned:   {"STATUS:TENTATIVE", "TRANSP:OPAQUE", "TRIGGER:-PT15M"},
		planning.Confirmed: {"STATUS:CONFIRMED", "TRANSP:OPAQUE", "TRIGGER:-PT15M"},
		planning.Done:      {"STATUS:CONFIRMED", "TRANSP:OPAQUE"},
		planning.Missed:    {"STATUS:CONFIRMED", "TRANSP:TRANSPARENT"},
		planning.Cancelled: {"STATUS:CANCELLED", "TRANSP:TRANSPARENT"},
	} {
		a := planning.Appointment{Start: window.Start, Status: status, Busy: true, Reminders: []int{15}}
		all := lines(t, written(t, calendarOf(planning.FeedFull, a)))
		for _, line := range want {
			if line != "" && !slices.Contains(all, line) {
				t.Errorf("%s has no %s: %q", status, line, all)
			}
		}
		if want[2] == "" && slices.Contains(all, "BEGIN:VALARM") {
			t.Errorf("%s has an alarm", status)
		}
		a.Busy = false
		if got := propertiesOf(t, a, "TRANSP"); !slices.Equal(got, []string{"TRANSP:TRANSPARENT"}) {
			t.Errorf("%s is not busy, and %q", status, got)
		}
	}
}

func TestWhatTheUserRefusedIsNotThere(t *testing.T) {
	answers := func(a planning.Answer) []planning.Attendee {
		return []planning.Attendee{{ID: 1, Kind: planning.User, User: me, Answer: a}, {ID: 2, Kind: planning.User, User: me + 1, Answer: planning.Refused}}
	}
	single := planning.Appointment{Start: window.Start, Title: "seul"}
	series := planning.Appointment{Start: window.Start, Title: "série", Rule: "FREQ=DAILY;COUNT=3", Zone: "UTC"}
	series.Changed = []planning.Changed{
		{Original: window.Start.AddDate(0, 0, 1), Title: pointer("un"), Answers: []planning.OccurrenceAnswer{{Attendee: 1, Answer: planning.Accepted}}},
		{Original: window.Start.AddDate(0, 0, 2), Title: pointer("deux")},
	}
	for _, c := range []struct {
		a      planning.Appointment
		answer planning.Answer
		want   []string
	}{
		{single, planning.Waiting, []string{"SUMMARY:seul"}},
		{single, planning.Refused, nil},
		{series, planning.Maybe, []string{"SUMMARY:série", "RECURRENCE-ID:20260602T000000Z", "SUMMARY:un", "RECURRENCE-ID:20260603T000000Z", "SUMMARY:deux"}},
		{series, planning.Refused, []string{"RECURRENCE-ID:20260602T000000Z", "SUMMARY:un"}},
	} {
		c.a.Attendees = answers(c.answer)
		if diff := gocmp.Diff(c.want, propertiesOf(t, c.a, "SUMMARY", "RECURRENCE-ID", "EXDATE")); diff != "" {
			t.Errorf("%s, %s: %s", c.a.Title, c.answer, diff)
		}
	}
}

func TestAnOccurrenceOfDaysThatWasMovedToHoursHasHours(t *testing.T) {
	day := calendar.Of(2026, 7, 14)
	a := planning.Appointment{AllDay: true, First: day, Last: day, Start: utc("2026-07-13T22:00:00"), End: utc("2026-07-14T22:00:00"), Rule: "FREQ=DAILY;COUNT=5"}
	a.Changed = []planning.Changed{
		{Original: utc("2026-07-14T22:00:00"), Start: pointer(utc("2026-07-15T12:00:00")), End: pointer(utc("2026-07-15T13:00:00"))},
		{Original: utc("2026-07-15T22:00:00"), Start: pointer(utc("2026-07-20T22:00:00")), End: pointer(utc("2026-07-22T22:00:00"))},
	}
	want := []string{
		"DTSTART;VALUE=DATE:20260714", "DTEND;VALUE=DATE:20260715",
		"RECURRENCE-ID;VALUE=DATE:20260715", "DTSTART;TZID=Europe/Paris:20260715T140000", "DTEND;TZID=Europe/Paris:20260715T150000",
		"RECURRENCE-ID;VALUE=DATE:20260716", "DTSTART;VALUE=DATE:20260721", "DTEND;VALUE=DATE:20260723",
	}
	if diff := gocmp.Diff(want, propertiesOf(t, a, "DTSTART", "DTEND", "RECURRENCE-ID")); diff != "" {
		t.Error(diff)
	}
}

func TestNoTextBecomesAnythingButText(t *testing.T) {
	for _, wild := range []string{
		"a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:b", "a\nATTENDEE:mailto:b@c.example", "a\rATTENDEE:b", "a\r\n ATTENDEE:b", "a\x00\x01\x1b[31m\x7f\u0085ATTENDEE:b",
		"a\u2028ATTENDEE:b\u2029c", "a\vATTENDEE:b\fc", `a;b,c:d\n"e\`, "\ufeffa\xff\xfe\xc3", strings.Repeat("\r\n", 100) + "a", strings.Repeat("é\r", 200),
	} {
		a := visits()
		a.Title, a.Description, a.Location, a.MeetingURL = wild, wild, wild, "https://visio.example/"+wild
		a.Changed[0].Title = &wild
		c := calendarOf(planning.FeedFull, a)
		c.Name, c.Host = wild, wild
		c.Types = planning.Types{{Model: "VISITE", Label: wild}}
		c.Duties = []planning.Duty{{Kind: planning.DutyKind(wild), Start: window.Start, End: window.End, Zone: "UTC", Comment: wild}}
		safe := calendarOf(planning.FeedFull, visits())
		safe.Appointments[0].MeetingURL = ""
		safe.Duties = []planning.Duty{{Start: window.Start, End: window.End, Zone: "UTC", Comment: "c"}}
		shape := func(text []byte) (names []string) {
			for _, line := range lines(t, text) {
				name := line[:strings.IndexAny(line, ":;")]
				if name == "BEGIN" || name == "END" {
					name = line
				}
				if name != "URL" {
					names = append(names, name)
				}
			}
			return names
		}
		if diff := gocmp.Diff(shape(written(t, safe)), shape(written(t, c))); diff != "" {
			t.Errorf("%q: %s", wild, diff)
		}
	}
	for link, want := range map[string][]string{
		"https://visio.example/a\r\nATTENDEE:b":    nil,
		"javascript:alert(1)":                      nil,
		"http://":                                  nil,
		"https://exämple.example/\"<a>`\\^{|}é#é":  {"URL:https://ex%C3%A4mple.example/%22%3Ca%3E%60%5C%5E%7B%7C%7D%C3%A9#%C3%A9"},
		"https://a.example/?x=1,2;3&y='%20'\u2028": {"URL:https://a.example/?x=1,2;3&y='%20'%E2%80%A8"},
	} {
		if got := propertiesOf(t, planning.Appointment{Start: window.Start, MeetingURL: link}, "URL", "ATTENDEE"); !slices.Equal(got, want) {
			t.Errorf("%q is written %q", link, got)
		}
	}
}

func TestZonesAndRulesThatNobodyCanHaveStoredAreErrors(t *testing.T) {
	anywhere := func(string) (*time.Location, error) { return time.LoadLocation("Europe/Paris") }
	for _, name := range []string{"a\"b", "a\r\nATTENDEE:b", "a:b", "a;b", "a,b", "Europe/Paris ", "é", "a'b", `a\b`} {
		c := calendarOf(planning.FeedFull, planning.Appointment{Start: window.Start, Zone: name})
		c.Location = anywhere
		if text, err := ical.Calendar(c); err == nil {
			t.Errorf("the zone %q is written as %q", name, text)
		}
	}
	if _, err := ical.Calendar(calendarOf(planning.FeedFull, planning.Appointment{Start: window.Start, Zone: "Europe/Nowhere"})); err == nil {
		t.Error("a zone that does not exist is written")
	}
	gone := errors.New("gone")
	c := calendarOf(planning.FeedFull)
	c.Duties = []planning.Duty{{Start: window.Start, End: window.End, Zone: "Europe/Paris"}}
	c.Location = func(string) (*time.Location, error) { return nil, gone }
	if _, err := ical.Calendar(c); !errors.Is(err, gone) {
		t.Errorf("without a zone: %v", err)
	}
	for _, rule := range []string{"FREQ=DAILY\r\nATTENDEE:b", "FREQ=DAILY;X=1", "daily"} {
		if text, err := ical.Calendar(calendarOf(planning.FeedFull, planning.Appointment{Start: window.Start, Rule: rule})); err == nil {
			t.Errorf("the rule %q is written as %q", rule, text)
		}
	}
}

func TestOneCalendarIsWrittenInOneWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCalendar(t)
		first := written(t, c)
		shuffle := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		c.Appointments, c.Duties = slices.Clone(c.Appointments), slices.Clone(c.Duties)
		shuffle.Shuffle(len(c.Appointments), func(i, j int) { c.Appointments[i], c.Appointments[j] = c.Appointments[j], c.Appointments[i] })
		shuffle.Shuffle(len(c.Duties), func(i, j int) { c.Duties[i], c.Duties[j] = c.Duties[j], c.Duties[i] })
		c.Window.End = c.Window.End.Add(40 * 24 * time.Hour)
		if again := written(t, c); !bytes.Equal(first, again) {
			t.Fatalf("%s\nand then\n%s", first, again)
		}
	})
}

// known are the properties that parts of calendars have.
var known = map[string][]string{
	"VCALENDAR": {"VERSION", "PRODID", "CALSCALE", "METHOD", "NAME", "X-WR-CALNAME", "REFRESH-INTERVAL"},
	"VTIMEZONE": {"TZID"},
	"STANDARD":  {"DTSTART", "TZOFFSETFROM", "TZOFFSETTO", "TZNAME"},
	"DAYLIGHT":  {"DTSTART", "TZOFFSETFROM", "TZOFFSETTO", "TZNAME"},
	"VALARM":    {"ACTION", "DESCRIPTION", "TRIGGER"},
	"VEVENT": {
		"UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "RECURRENCE-ID", "DTSTART", "DTEND", "RRULE", "EXDATE", "SUMMARY", "DESCRIPTION",
		"LOCATION", "GEO", "URL", "CATEGORIES", "STATUS", "TRANSP", "CLASS",
	},
}

func checkShape(t fatal, c *goical.Component) {
	t.Helper()
	for name, all := range c.Props {
		if !slices.Contains(known[c.Name], name) || len(all) > 1 && name != "EXDATE" {
			t.Fatalf("a %s has %d %s", c.Name, len(all), name)
		}
	}
	for _, part := range c.Children {
		checkShape(t, part)
	}
}

// wanted are the texts of an event of an appointment, by their properties.
func wanted(a planning.Appointment, detail planning.FeedDetail) map[string]string {
	label, _ := types.Find(a.Type)
	texts := map[string]string{"SUMMARY": "Occupé", "CLASS": "PUBLIC"}
	if detail == planning.FeedFull {
		texts["SUMMARY"], texts["DESCRIPTION"], texts["LOCATION"], texts["CATEGORIES"] = a.Title, a.Description, a.Location, label.Label
	}
	if a.Visibility == planning.Private {
		texts["CLASS"] = "PRIVATE"
	}
	maps.DeleteFunc(texts, func(_, text string) bool { return text == "" })
	return texts
}

func TestAParserReadsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCalendar(t)
		text := written(t, c)
		unfolded := lines(t, text)
		read := decode(t, text)
		checkShape(t, read.Component)
		if textOf(t, read.Component, "NAME") != c.Name || textOf(t, read.Component, "X-WR-CALNAME") != c.Name {
			t.Fatalf("%q is the name of that of %q", textOf(t, read.Component, "NAME"), c.Name)
		}
		if all := strings.Join(unfolded, ""); strings.Contains(all, "Nobody knows") || strings.Contains(all, "guest@") {
			t.Fatalf("somebody who attends is named: %s", text)
		}
		byUID := map[string]planning.Appointment{}
		for _, a := range c.Appointments {
			byUID[fmt.Sprintf("event-%d@%s", a.ID, c.Host)] = a
		}
		for _, e := range read.Children {
			a, found := byUID[textOf(t, e, "UID")]
			if e.Name != "VEVENT" || !found {
				continue
			}
			if rule := e.Props.Get("RRULE"); rule != nil && rule.Value != a.Rule {
				t.Fatalf("the rule %s is written %s", a.Rule, rule.Value)
			}
			if e.Props.Get("RECURRENCE-ID") != nil {
				a = changedTo(t, a, e, decodeClocks(t, read))
			}
			got := map[string]string{}
			for _, name := range []string{"SUMMARY", "DESCRIPTION", "LOCATION", "CATEGORIES", "CLASS"} {
				if text := textOf(t, e, name); text != "" {
					got[name] = text
				}
			}
			if diff := gocmp.Diff(wanted(a, c.Detail), got); diff != "" {
				t.Fatalf("%s", diff)
			}
			for n, name := range []string{"DTSTAMP", "LAST-MODIFIED", "CREATED"} {
				want := []time.Time{a.Modified, a.Modified, a.Added}[n].Format(instantLayout)
				if got := e.Props.Get(name).Value; got != want {
					t.Fatalf("%s is %s, not %s", name, got, want)
				}
			}
		}
	})
}

func decodeClocks(t fatal, c *goical.Calendar) reader {
	t.Helper()
	return reader{t, clocks(t, c)}
}

// changedTo is an appointment with the texts of the occurrence that an event is about.
func changedTo(t fatal, a planning.Appointment, e *goical.Component, r reader) planning.Appointment {
	t.Helper()
	original := r.moment(e, "RECURRENCE-ID")
	for _, c := range a.Changed {
		if keyOf(t, a, c.Original) == original.String() {
			if c.Title != nil {
				a.Title = *c.Title
			}
			return a
		}
	}
	t.Fatalf("nothing was changed at %v", original)
	return a
}

// keyOf is an original start as the reader names it.
func keyOf(t fatal, a planning.Appointment, at time.Time) string {
	t.Helper()
	if a.AllDay {
		return at.In(location(t, a.Zone)).Format(dayLayout)
	}
	return at.UTC().Format(instantLayout)
}

// occurrencesOf are those of a calendar that start in a window, as the core has them.
func occurrencesOf(t fatal, c planning.FeedCalendar, from, to time.Time) (all []shown) {
	t.Helper()
	wide := calendar.Interval{Start: from.AddDate(-1, 0, 0), End: to.AddDate(0, 0, 3)}
	statuses := map[planning.Status]string{"PREVU": "TENTATIVE", "CONFIRME": "CONFIRMED", "REALISE": "CONFIRMED", "ABSENT": "CONFIRMED", "ANNULE": "CANCELLED"}
	add := func(uid string, a planning.Appointment) {
		zone := location(t, a.Zone)
		for _, o := range a.Overlapping(wide, zone) {
			own := a.At(o, zone)
			if slices.ContainsFunc(own.Attendees, func(one planning.Attendee) bool { return one.User == me && one.Answer == planning.Refused }) {
				continue
			}
			start, end := own.Start.UTC().Truncate(time.Second), own.End.UTC().Add(time.Second-1).Truncate(time.Second)
			if !end.After(start) {
				end = start.Add(time.Second)
			}
			begins, ends := start.Format(instantLayout), end.Format(instantLayout)
			key := start
			if first, last := own.First, own.Last; own.AllDay && first.Start(zone).Equal(own.Start) && last.End(zone).Equal(own.End) {
				key = first.Start(time.UTC)
				begins, ends = strings.ReplaceAll(first.String(), "-", ""), strings.ReplaceAll((last+1).String(), "-", "")
			}
			if key.Before(from) || !key.Before(to) {
				continue
			}
			summary := "Occupé"
			if c.Detail == planning.FeedFull {
				summary = own.Title
			}
			all = append(all, shown{uid, begins, ends, summary, statuses[own.Status]})
		}
	}
	for _, a := range c.Appointments {
		add(fmt.Sprintf("event-%d@%s", a.ID, c.Host), a)
	}
	names := map[planning.DutyKind]string{"ACCUEIL": "accueil", "TELEPHONE": "téléphone", "WEB": "web", "ASTREINTE": "astreinte"}
	for _, p := range c.Duties {
		add(fmt.Sprintf("permanence-%d@%s", p.ID, c.Host), planning.Appointment{
			Start: p.Start, End: p.End, Zone: p.Zone, Rule: p.Rule, Except: p.Except, Status: planning.Confirmed, Title: "Permanence " + names[p.Kind],
		})
	}
	slices.SortFunc(all, shown.compare)
	return all
}

// The one reader knows the text of the calendar alone, the other the core alone.
func TestAProgramShowsTheOccurrencesOfTheCore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCalendar(t)
		text := written(t, c)
		read := decode(t, text)
		from, to := utc("2026-01-01T00:00:00"), utc("2028-12-01T00:00:00")
		got := decodeClocks(t, read).occurrences(read, from, to)
		if diff := gocmp.Diff(occurrencesOf(t, c, from, to), got, gocmp.AllowUnexported(shown{})); diff != "" {
			t.Fatalf("%s in %s", diff, text)
		}
	})
}

func TestAZoneIsDescribedAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names[:len(names)-2]).Draw(t, "zone")
		zone := location(t, name)
		start := anyInstant(t, "start", zone, rapid.SampledFrom([]int{2, 1850, 1970, 2026}).Draw(t, "since"), 2027)
		text := written(t, calendarOf(planning.FeedFull, planning.Appointment{Start: start, Zone: name, Rule: "FREQ=DAILY"}))
		described := clocks(t, decode(t, text))[name]
		for range 20 {
			at := anyInstant(t, "instant", zone, start.Year(), 2028)
			_, want := at.In(zone).Zone()
			if got, known := described.at(at); !at.Before(start) && at.Year() < 2029 && (!known || got != time.Duration(want)*time.Second) {
				t.Fatalf("%s is %v ahead at %v, and described as %v (%v)", name, want, at, got, known)
			}
		}
		lines(t, text)
	})
}

package ical

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"

	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/recurrence"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// occupied is all that a feed says of an appointment where it says no more than that
// the time is taken.
const occupied = "Occupé"

// writer makes the events of a calendar.
type writer struct {
	planning.FeedCalendar
	zones  *zones
	events []ics.Component
}

// record is what becomes an event, or a series of them.
type record struct {
	planning.Appointment
	uid string
	// label is that of its type.
	label string
}

// add writes a record: one event, and for a series one more for each occurrence that
// is not like the others. What the user refused is left out, an occurrence as well as
// all of it.
func (w *writer) add(r record) error {
	zone, err := w.zones.find(r.Zone)
	if err != nil {
		return fmt.Errorf("%s: %w", r.uid, err)
	}
	if !isWritable(r.Start, r.End) {
		return nil
	}
	refused := refuses(r.Appointment, w.User)
	if !r.Recurs() {
		if !refused {
			w.events = append(w.events, w.event(r, nil, zone, func(e component) { zone.period(e, r.Appointment, r.AllDay) }))
		}
		return nil
	}
	if _, problem := recurrence.Parse(r.Rule, r.AllDay); problem != nil {
		return fmt.Errorf("%s: rule %q: %s", r.uid, r.Rule, problem.Message.String())
	}
	changed, gone := w.occurrences(r, zone, refused)
	if !refused {
		w.events = append(w.events, w.event(r, nil, zone, func(e component) { zone.series(e, r.Appointment, gone) }))
	}
	w.events = append(w.events, changed...)
	return nil
}

// occurrences returns the events of the occurrences that are not like the rest of a
// series, and the original starts of those that do not take place for the user. Of a
// series that the user refused they are the occurrences that the user accepted.
func (w *writer) occurrences(r record, zone *zone, refused bool) (changed []ics.Component, gone []time.Time) {
	series := r.Series(zone.location)
	// An exception that names no occurrence does nothing, but might name one once it is
	// written in whole seconds by the clock.
	gone = slices.Clone(series.Keep().Except)
	gone = append(gone, beyond(series)...)
	for _, c := range r.Changed {
		o, found := r.Named(series.Name(c.Original), zone.location)
		if !found || !o.Original.Equal(c.Original) {
			continue
		}
		own := r
		own.Appointment = r.At(o, zone.location)
		switch {
		case refuses(own.Appointment, w.User) || !isWritable(own.Start, own.End):
			gone = append(gone, c.Original)
		case refused || w.shows(c):
			changed = append(changed, w.event(own, &c.Original, zone, func(e component) {
				zone.period(e, own.Appointment, own.AllDay && own.Start.Equal(own.First.Start(zone.location)) && own.End.Equal(own.Last.End(zone.location)))
			}))
		}
	}
	slices.SortFunc(gone, time.Time.Compare)
	return changed, slices.CompactFunc(gone, time.Time.Equal)
}

// beyond returns the original start of an occurrence that the rule of a series has only by
// the fractions of a second that a calendar leaves out: UNTIL lies between the two.
func beyond(s recurrence.Series) []time.Time {
	_, value, ends := strings.Cut(s.Rule.String(), "UNTIL=")
	if value, _, _ = strings.Cut(value, ";"); !ends || s.AllDay || s.Start.Equal(seconds(s.Start)) {
		return nil
	}
	s.Start, s.Except = seconds(s.Start), nil
	until, found := s.Find(value)
	if !found {
		return nil
	}
	return []time.Time{until}
}

// refuses reports whether a user said to an appointment that they will not come.
func refuses(a planning.Appointment, user site.UserID) bool {
	return slices.ContainsFunc(a.Attendees, func(one planning.Attendee) bool {
		return one.Kind == planning.User && one.User == user && one.Answer == planning.Refused
	})
}

// shows reports whether the calendar shows what is different about an occurrence.
func (w *writer) shows(c planning.Changed) bool {
	return c.Start != nil || c.Status != nil ||
		w.tellsAll() && (c.Title != nil || c.Description != nil || c.Location != nil || c.MeetingURL != nil)
}

// tellsAll reports whether the calendar says what appointments are, and not only when.
func (w *writer) tellsAll() bool { return w.Detail == planning.FeedFull }

// event writes a record, or one occurrence of it, which has an original start. Its
// times are added by another.
func (w *writer) event(r record, original *time.Time, zone *zone, times func(component)) ics.Component {
	e := newComponent("VEVENT")
	e.text("UID", r.uid)
	e.value("DTSTAMP", instant(r.Modified))
	e.value("CREATED", instant(r.Added))
	e.value("LAST-MODIFIED", instant(r.Modified))
	e.value("SEQUENCE", strconv.Itoa(r.Sequence))
	if original != nil {
		zone.original(e, "RECURRENCE-ID", r.Appointment, *original)
	}
	times(e)
	summary := occupied
	if w.tellsAll() {
		summary = r.Title
		e.text("SUMMARY", summary)
		e.text("DESCRIPTION", r.Description)
		e.text("LOCATION", r.Location)
		position(e, r.Latitude, r.Longitude)
		if page := link(r.MeetingURL); page != "" {
			e.value("URL", page)
		}
		e.text("CATEGORIES", r.label)
	} else {
		e.text("SUMMARY", summary)
	}
	e.value("STATUS", statuses[r.Status])
	e.value("TRANSP", either(r.Busy && r.Status.Occupies(), "OPAQUE", "TRANSPARENT"))
	e.value("CLASS", either(r.Visibility == planning.Private, "PRIVATE", "PUBLIC"))
	if r.Status.Ahead() {
		for _, minutes := range r.Reminders {
			e.Components = append(e.Components, alarm(summary, minutes))
		}
	}
	return e
}

// statuses are what iCalendar can say of an appointment: that it takes place for
// certain is also said of what took place, with any attendance.
var statuses = map[planning.Status]string{
	planning.Planned: "TENTATIVE", planning.Confirmed: "CONFIRMED", planning.Done: "CONFIRMED", planning.Cancelled: "CANCELLED",
	planning.Missed: "CONFIRMED",
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// alarm shows a text so many minutes before the start. It must have a description.
func alarm(text string, minutes int) ics.Component {
	c := newComponent("VALARM")
	c.value("ACTION", "DISPLAY")
	c.value("DESCRIPTION", plain(text))
	c.value("TRIGGER", fmt.Sprintf("-PT%dM", minutes))
	return c
}

// position adds where it is, to the ten centimetres that RFC 5545 wants at most.
func position(e component, latitude, longitude *float64) {
	if latitude == nil || longitude == nil {
		return
	}
	var written [2]string
	for n, degrees := range []float64{*latitude, *longitude} {
		if math.IsNaN(degrees) || math.Abs(degrees) > 180 {
			return
		}
		written[n] = strconv.FormatFloat(math.Round(degrees*1e6)/1e6, 'f', -1, 64)
	}
	e.value("GEO", written[0]+";"+written[1])
}

// link returns a URL of a page in the characters that URLs are made of (RFC 3986); empty
// where the text is none. Values that are URLs have no escapes.
func link(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	var b strings.Builder
	for _, c := range []byte(text) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~:/?#[]@!$&'()*+,;=%", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// Package ical writes calendars and busy time as programs that show calendars read
// them: iCalendar, RFC 5545 and RFC 7986.
//
// What it writes follows from what it is given alone, so that its hash can stand for
// it. No text that somebody typed becomes anything but text.
package ical

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	ics "github.com/arran4/golang-ical"

	"github.com/vitrine-crm/vitrine/core/domain/planning"
)

// Calendar writes the calendar of a user. It has whatever c lists, except what the
// user refused and what lies outside the years 1 to 9999. It fails where a zone is
// not found, or a rule cannot be read: neither is ever stored.
func Calendar(c planning.FeedCalendar) ([]byte, error) {
	w := writer{FeedCalendar: c, zones: newZones(c)}
	for _, a := range sorted(c.Appointments, func(a planning.Appointment) int64 { return int64(a.ID) }) {
		kind, _ := c.Types.Find(a.Type)
		if err := w.add(record{a, fmt.Sprintf("event-%d@%s", a.ID, c.Host), kind.Label}); err != nil {
			return nil, err
		}
	}
	for _, p := range sorted(c.Duties, func(p planning.Duty) int64 { return int64(p.ID) }) {
		if err := w.add(record{dutyEvent(p), fmt.Sprintf("permanence-%d@%s", p.ID, c.Host), ""}); err != nil {
			return nil, err
		}
	}
	calendar := heading()
	calendar.text("NAME", c.Name)
	calendar.text("X-WR-CALNAME", c.Name)
	calendar.value("REFRESH-INTERVAL", "PT15M", ics.WithValue("DURATION"))
	calendar.Components = append(w.zones.components(), w.events...)
	return calendar.bytes()
}

// sorted are records by their ids: a store may list them in any order.
func sorted[T any](all []T, id func(T) int64) []T {
	return slices.SortedStableFunc(slices.Values(all), func(a, b T) int { return cmp.Compare(id(a), id(b)) })
}

// dutyEvent returns a duty as an event, which leaves the time free.
func dutyEvent(p planning.Duty) planning.Appointment {
	return planning.Appointment{
		Title: strings.TrimSpace("Permanence " + duties[p.Kind]), Description: p.Comment, Status: planning.Confirmed, Visibility: planning.Public,
		Start: p.Start, End: p.End, Zone: p.Zone, Rule: p.Rule, Except: p.Except, Sequence: p.Sequence, Added: p.Added, Modified: p.Modified,
	}
}

// duties are what somebody on duty does, in the language of those who read feeds.
var duties = map[planning.DutyKind]string{
	planning.DutyReception: "accueil", planning.DutyTelephone: "téléphone", planning.DutyWeb: "web", planning.DutyOnCall: "astreinte",
}

// component is a part of a calendar, or all of it, with its properties in the order
// in which they are written.
type component struct{ *ics.GeneralComponent }

func newComponent(name string) component { return component{&ics.GeneralComponent{Token: name}} }

// heading returns a calendar with the properties that every one has.
func heading() component {
	c := newComponent("VCALENDAR")
	c.value("VERSION", "2.0")
	c.value("PRODID", "-//Vitrine//Vitrine//FR")
	c.value("CALSCALE", "GREGORIAN")
	c.value("METHOD", "PUBLISH")
	return c
}

// value adds a property whose value comes from no text that somebody typed.
func (c component) value(name, value string, parameters ...ics.PropertyParameter) {
	c.AddProperty(ics.ComponentProperty(name), value, parameters...)
}

// text adds a property of a text that somebody typed. The library escapes what has a
// meaning in texts, but writes carriage returns and other control characters as they
// are. Nothing is added for no text.
func (c component) text(name, text string) {
	if text = plain(text); text != "" {
		c.AddProperty(ics.ComponentProperty(name), text)
	}
}

// bytes returns a calendar as it is sent.
func (c component) bytes() ([]byte, error) {
	var b bytes.Buffer
	const octets = 75 // the most that a line may have (RFC 5545, section 3.1)
	if err := c.SerializeTo(&b, &ics.SerializationConfiguration{MaxLength: octets, PropertyMaxLength: octets, NewLine: "\r\n"}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// plain returns a text as a calendar can have it: valid UTF-8, lines that end with a line
// feed, and of other control characters only tabs. Some readers end a line at what
// Unicode calls the end of one, so these become line feeds as well.
func plain(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	// Of what is not UTF-8 Map makes U+FFFD.
	return strings.Map(func(r rune) rune {
		switch r {
		case '\t', '\n':
			return r
		case '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
			return '\n'
		}
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

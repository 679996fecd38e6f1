package ical_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	goical "github.com/emersion/go-ical"
	"github.com/teambition/rrule-go"
	"pgregory.net/rapid"
)

// What is here reads calendars as a program would that knows RFC 5545 and nothing of
// the zones of this machine.

const (
	instantLayout = "20060102T150405Z"
	localLayout   = "20060102T150405"
	dayLayout     = "20060102"
)

// fatal is a test, or a draw of one.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

var (
	_ fatal = (*testing.T)(nil)
	_ fatal = (*rapid.T)(nil)
)

// lines are the lines of a calendar as they were before they were folded. They must be
// as RFC 5545 has them.
func lines(t fatal, written []byte) (unfolded []string) {
	t.Helper()
	rest, ended := strings.CutSuffix(string(written), "\r\n")
	if !ended {
		t.Fatalf("the last line does not end: %q", written)
	}
	for line := range strings.SplitSeq(rest, "\r\n") {
		switch {
		case len(line) == 0 || len(line) > 75:
			t.Fatalf("a line has %d octets: %q", len(line), line)
		case !utf8.ValidString(line):
			t.Fatalf("a character is cut: %q", line)
		case strings.ContainsFunc(line, func(r rune) bool {
			return r < ' ' && r != '\t' || 0x7f <= r && r < 0xa0 || r == '\u2028' || r == '\u2029'
		}):
			t.Fatalf("a line has control characters: %q", line)
		}
		if more, folded := strings.CutPrefix(line, " "); folded {
			unfolded[len(unfolded)-1] += more
		} else {
			unfolded = append(unfolded, line)
		}
	}
	return unfolded
}

// decode reads a calendar with a parser that shares nothing with what writes it.
func decode(t fatal, written []byte) *goical.Calendar {
	t.Helper()
	calendar, err := goical.NewDecoder(bytes.NewReader(written)).Decode()
	if err != nil {
		t.Fatalf("%v in %s", err, written)
	}
	return calendar
}

// textOf is the one text of a property; empty where there is none.
func textOf(t fatal, c *goical.Component, name string) string {
	t.Helper()
	all := c.Props.Values(name)
	if len(all) == 0 {
		return ""
	}
	list, err := all[0].TextList()
	if err != nil || len(list) != 1 || len(all) > 1 || len(all[0].Params) > 0 {
		t.Fatalf("%s is %q: %v", name, all, err)
	}
	return list[0]
}

// clock is a zone as a VTIMEZONE describes it.
type clock []change

// change is when clocks show another time: from the time they show before it on.
type change struct {
	onset    time.Time // the instant
	from, to time.Duration
}

// offset reads +0100, or +000921.
func offset(t fatal, text string) time.Duration {
	t.Helper()
	written := text + "00"[:max(0, 7-len(text))]
	var hours, minutes, seconds int
	if _, err := fmt.Sscanf(written[1:], "%02d%02d%02d", &hours, &minutes, &seconds); err != nil || len(written) != 7 || !strings.ContainsAny(text[:1], "+-") {
		t.Fatalf("an offset is %q: %v", text, err)
	}
	d := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute + time.Duration(seconds)*time.Second
	if text[0] == '-' {
		return -d
	}
	return d
}

// clocks are the zones that a calendar describes, each once.
func clocks(t fatal, c *goical.Calendar) map[string]clock {
	t.Helper()
	all := map[string]clock{}
	for _, zone := range c.Children {
		if zone.Name != "VTIMEZONE" {
			continue
		}
		name := textOf(t, zone, "TZID")
		if all[name] != nil || len(zone.Children) == 0 {
			t.Fatalf("%s is described twice, or with nothing", name)
		}
		for _, one := range zone.Children {
			wall, err := time.Parse(localLayout, one.Props.Get("DTSTART").Value)
			if err != nil || one.Name != "STANDARD" && one.Name != "DAYLIGHT" || len(one.Props) != 4 || textOf(t, one, "TZNAME") == "" {
				t.Fatalf("%s: %v: %v", name, one.Props, err)
			}
			from, to := offset(t, one.Props.Get("TZOFFSETFROM").Value), offset(t, one.Props.Get("TZOFFSETTO").Value)
			all[name] = append(all[name], change{wall.Add(-from), from, to})
		}
		slices.SortFunc(all[name], func(a, b change) int { return a.onset.Compare(b.onset) })
	}
	return all
}

// at is the offset at an instant.
func (c clock) at(at time.Time) (offset time.Duration, known bool) {
	for _, change := range c {
		if change.onset.After(at) {
			break
		}
		offset, known = change.to, true
	}
	return offset, known
}

// first is the first instant at which clocks show a time, which is written as if it
// were in UTC.
func (c clock) first(wall time.Time) (at time.Time, exists bool) {
	for _, change := range c {
		for _, offset := range []time.Duration{change.from, change.to} {
			candidate := wall.Add(-offset)
			if own, known := c.at(candidate); known && own == offset && (!exists || candidate.Before(at)) {
				at, exists = candidate, true
			}
		}
	}
	return at, exists
}

// moment is a time of a calendar: an instant, or a day as its midnight in UTC.
type moment struct {
	at    time.Time
	isDay bool
}

func (m moment) String() string {
	if m.isDay {
		return m.at.Format(dayLayout)
	}
	return m.at.Format(instantLayout)
}

// reader reads the events of a calendar.
type reader struct {
	t      fatal
	clocks map[string]clock
}

// wall is a time as it is written, and how to make an instant of it.
func (r reader) wall(p *goical.Prop) (wall time.Time, instant func(time.Time) (moment, bool)) {
	r.t.Helper()
	layout := localLayout
	instant = func(wall time.Time) (moment, bool) { return moment{at: wall}, true }
	switch zone := p.Params.Get("TZID"); {
	case p.Params.Get("VALUE") == "DATE" && len(p.Params) == 1:
		layout = dayLayout
		instant = func(wall time.Time) (moment, bool) { return moment{wall, true}, true }
	case zone != "" && len(p.Params) == 1 && r.clocks[zone] != nil:
		instant = func(wall time.Time) (moment, bool) {
			at, exists := r.clocks[zone].first(wall)
			return moment{at: at}, exists
		}
	case len(p.Params) == 0:
		layout = instantLayout
	default:
		r.t.Fatalf("%s has the parameters %v", p.Name, p.Params)
	}
	wall, err := time.Parse(layout, p.Value)
	if err != nil || wall.Format(layout) != p.Value {
		r.t.Fatalf("%s is %q: %v", p.Name, p.Value, err)
	}
	return wall, instant
}

func (r reader) moment(e *goical.Component, name string) moment {
	r.t.Helper()
	all := e.Props.Values(name)
	if len(all) != 1 {
		r.t.Fatalf("%d times %s in %v", len(all), name, e.Props)
	}
	wall, instant := r.wall(&all[0])
	at, exists := instant(wall)
	if !exists {
		r.t.Fatalf("%s, %s, is a time that no clock shows", name, all[0].Value)
	}
	return at
}

// shown is one occurrence that a program shows.
type shown struct{ uid, start, end, summary, status string }

func (s shown) compare(o shown) int {
	return slices.Compare([]string{s.uid, s.start, s.end, s.summary, s.status}, []string{o.uid, o.start, o.end, o.summary, o.status})
}

// occurrences are what a program shows that starts in a window, by uid and start.
// Occurrences without an event of their own come from the series.
func (r reader) occurrences(c *goical.Calendar, from, to time.Time) (all []shown) {
	r.t.Helper()
	type place struct{ uid, original string }
	own := map[place]bool{}
	for _, e := range c.Children {
		if e.Name == "VEVENT" && e.Props.Get("RECURRENCE-ID") != nil {
			at := place{textOf(r.t, e, "UID"), r.moment(e, "RECURRENCE-ID").String()}
			if own[at] {
				r.t.Fatalf("%v is there twice", at)
			}
			own[at] = true
		}
	}
	add := func(e *goical.Component, start, end moment) {
		if !end.at.After(start.at) {
			r.t.Fatalf("an event from %v to %v", start, end)
		}
		if !start.at.Before(from) && start.at.Before(to) {
			all = append(all, shown{textOf(r.t, e, "UID"), start.String(), end.String(), textOf(r.t, e, "SUMMARY"), textOf(r.t, e, "STATUS")})
		}
	}
	for _, e := range c.Children {
		if e.Name != "VEVENT" {
			continue
		}
		start, end := r.moment(e, "DTSTART"), r.moment(e, "DTEND")
		if start.isDay != end.isDay {
			r.t.Fatalf("an event from %v to %v", start, end)
		}
		if e.Props.Get("RRULE") == nil {
			add(e, start, end)
			continue
		}
		except := map[string]bool{}
		for _, p := range e.Props.Values("EXDATE") {
			wall, instant := r.wall(&p)
			at, exists := instant(wall)
			if !exists {
				r.t.Fatalf("EXDATE %s does not exist", p.Value)
			}
			except[at.String()] = true
		}
		for original := range r.expand(e, to) {
			if !except[original.String()] && !own[place{textOf(r.t, e, "UID"), original.String()}] {
				add(e, original, moment{original.at.Add(end.at.Sub(start.at)), original.isDay})
			}
		}
	}
	slices.SortFunc(all, shown.compare)
	return all
}

// expand are the original starts of a series until an instant. The library counts
// days by the clock alone; what is left of RFC 5545 is here: times that do not exist
// are not counted, and UNTIL is an instant.
func (r reader) expand(e *goical.Component, to time.Time) func(yield func(moment) bool) {
	rule, err := rrule.StrToROption(e.Props.Get("RRULE").Value)
	if err != nil {
		r.t.Fatalf("%v: %v", e.Props.Get("RRULE"), err)
	}
	left, until := rule.Count, rule.Until
	rule.Count, rule.Until = 0, time.Time{}
	wall, instant := r.wall(e.Props.Get("DTSTART"))
	rule.Dtstart = wall
	days, err := rrule.NewRRule(*rule)
	if err != nil {
		r.t.Fatalf("%v: %v", rule, err)
	}
	return func(yield func(moment) bool) {
		next := days.Iterator()
		for {
			wall, more := next()
			if !more || wall.After(to.Add(48*time.Hour)) {
				return
			}
			at, exists := instant(wall)
			switch {
			case !exists:
				continue
			case !until.IsZero() && at.at.After(until), !yield(at):
				return
			}
			if left--; left == 0 {
				return
			}
		}
	}
}

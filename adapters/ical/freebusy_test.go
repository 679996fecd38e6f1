package ical_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/adapters/ical"
	"github.com/vitrine-crm/vitrine/core/domain/calendar"
	"github.com/vitrine-crm/vitrine/core/domain/planning"
	"github.com/vitrine-crm/vitrine/core/domain/slot"
)

func freeBusy(t fatal, f planning.FreeBusy) []byte {
	t.Helper()
	text, err := ical.FreeBusy(f)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return text
}

func occupied(kind slot.Kind, start, end string) slot.Occupied {
	return slot.Occupied{Interval: calendar.Interval{Start: utc(start), End: utc(end)}, Kind: kind}
}

func TestBusyTimeIsWrittenLikeThis(t *testing.T) {
	f := planning.FreeBusy{
		Name: "busy-21", Host: "api.agence.example", Now: utc("2026-09-01T06:07:08.9"),
		Window: calendar.Interval{Start: utc("2026-09-01T06:07:08.9"), End: utc("2026-11-02T06:07:08.9")},
		Busy: []slot.Occupied{
			occupied(slot.Hold, "2026-09-02T08:00:00", "2026-09-02T09:00:00"),
			occupied(slot.External, "2026-09-02T09:30:00", "2026-09-02T11:00:00"),
			occupied(slot.Event, "2026-09-02T08:00:00.25", "2026-09-02T09:29:59.5"),
			occupied(slot.OnLeave, "2026-09-02T10:00:00", "2026-09-05T22:00:00"),
		},
	}
	want := `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Vitrine//Vitrine//FR
CALSCALE:GREGORIAN
METHOD:PUBLISH
BEGIN:VFREEBUSY
UID:busy-21@api.agence.example
DTSTAMP:20260901T060708Z
DTSTART:20260901T060708Z
DTEND:20261102T060709Z
FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260902T080000Z/20260902T090000Z
FREEBUSY;FBTYPE=BUSY:20260902T080000Z/20260902T110000Z
FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260902T100000Z/20260905T220000Z
END:VFREEBUSY
END:VCALENDAR`
	if diff := gocmp.Diff(strings.Split(want, "\n"), lines(t, freeBusy(t, f))); diff != "" {
		t.Error(diff)
	}
	f.Busy, f.Name = nil, "a\r\nFREEBUSY:b"
	if all := lines(t, freeBusy(t, f)); len(all) != 12 {
		t.Errorf("without anything it is %q", all)
	}
}

func TestAParserReadsTheTimeThatIsBusy(t *testing.T) {
	types := map[slot.Kind]string{slot.OnLeave: "BUSY-UNAVAILABLE", slot.Event: "BUSY", slot.External: "BUSY", slot.Hold: "BUSY-TENTATIVE"}
	kinds := []slot.Kind{slot.OnLeave, slot.Event, slot.External, slot.Hold}
	rapid.Check(t, func(t *rapid.T) {
		f := planning.FreeBusy{Name: "busy-21", Host: "h", Now: window.Start, Window: window}
		for range rapid.IntRange(0, 20).Draw(t, "intervals") {
			start := window.Start.Add(time.Duration(rapid.IntRange(0, 100).Draw(t, "start")) * time.Minute)
			f.Busy = append(f.Busy, slot.Occupied{
				Interval: calendar.Interval{Start: start, End: start.Add(time.Duration(rapid.IntRange(1, 20).Draw(t, "minutes")) * time.Minute)},
				Kind:     rapid.SampledFrom(kinds).Draw(t, "kind"),
			})
		}
		text := freeBusy(t, f)
		lines(t, text)
		read := decode(t, text)
		if len(read.Children) != 1 || read.Children[0].Name != "VFREEBUSY" {
			t.Fatalf("%v", read.Children)
		}
		// Each minute is of the types that it was said to be of, and no two periods of a
		// type touch.
		periods := map[string][]calendar.Interval{}
		last := ""
		for _, p := range read.Children[0].Props.Values("FREEBUSY") {
			kind := p.Params.Get("FBTYPE")
			from, to, _ := strings.Cut(p.Value, "/")
			i := calendar.Interval{Start: instantOf(t, from), End: instantOf(t, to)}
			if before := periods[kind]; p.Value < last || len(before) > 0 && !before[len(before)-1].End.Before(i.Start) {
				t.Fatalf("%s in %s", p.Value, text)
			}
			periods[kind], last = append(periods[kind], i), p.Value
		}
		for minute := window.Start; minute.Before(window.Start.Add(3 * time.Hour)); minute = minute.Add(time.Minute) {
			for _, kind := range types {
				want := slices.ContainsFunc(f.Busy, func(o slot.Occupied) bool { return types[o.Kind] == kind && o.Contains(minute) })
				if got := slices.ContainsFunc(periods[kind], func(i calendar.Interval) bool { return i.Contains(minute) }); got != want {
					t.Fatalf("%v is %s: %v, want %v", minute, kind, got, want)
				}
			}
		}
	})
}

func instantOf(t fatal, text string) time.Time {
	t.Helper()
	at, err := time.Parse(instantLayout, text)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return at
}

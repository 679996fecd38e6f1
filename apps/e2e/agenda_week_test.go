package e2e_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-ical"
)

// weekPicture is where the week of the sandbox is drawn.
const weekPicture = "../../docs/pictures/week.svg"

// shownEvent is an event as a program that shows calendars understands it.
type shownEvent struct {
	user          int
	start, end    time.Time
	title, status string
}

// The week of an agency in the sandbox, as a program shows it that has read nothing but
// the feeds of three agents: docs/pictures/week.svg.
func TestGoldenWeekOfTheSandbox(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2027, 3, 10, 7, 30, 0, 0, zone) // a Wednesday
	w := startedSandbox(t, "memory", standingStill(now))
	monday := time.Date(now.Year(), now.Month(), now.Day()-(int(now.Weekday())+6)%7, 0, 0, 0, 0, zone)
	agents := []int{101, 102, 103}
	var week []shownEvent
	for n, id := range agents {
		url := w.network(t).post(fmt.Sprint("/agenda/feeds/", id), object{}).is(201).text("data.url")
		week = append(week, readWeek(t, w.plain(t, "GET", url).body, zone, monday, n)...)
	}
	if len(week) < 12 {
		t.Errorf("there are only %d events in the week", len(week))
	}
	drawn := drawWeek(week, monday, agents)
	if err := xml.Unmarshal(drawn, new(struct{})); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("VITRINE_UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(weekPicture, drawn, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if known, err := os.ReadFile(weekPicture); err != nil || !bytes.Equal(known, drawn) {
		t.Errorf("%s does not show the week of the sandbox (%v); run make golden", weekPicture, err)
	}
}

// readWeek are the events of a feed that begin in the five days from a Monday on.
func readWeek(t *testing.T, feed string, zone *time.Location, monday time.Time, user int) (week []shownEvent) {
	t.Helper()
	calendar, err := ical.NewDecoder(strings.NewReader(feed)).Decode()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range calendar.Events() {
		start, err := e.DateTimeStart(zone)
		if err != nil {
			t.Fatal(err)
		}
		end, err := e.DateTimeEnd(zone)
		if err != nil {
			t.Fatal(err)
		}
		title, _ := e.Props.Text(ical.PropSummary)
		status, _ := e.Status()
		if start = start.In(zone); !start.Before(monday) && start.Before(monday.AddDate(0, 0, 5)) {
			week = append(week, shownEvent{user, start, end.In(zone), title, string(status)})
		}
	}
	slices.SortStableFunc(week, func(a, b shownEvent) int { return cmp.Or(a.start.Compare(b.start), cmp.Compare(a.title, b.title)) })
	return week
}

// drawWeek draws five days from eight to eight o'clock, each agent in a lane of every
// day.
func drawWeek(week []shownEvent, monday time.Time, agents []int) []byte {
	const (
		left, top, day, hour = 44, 40, 300, 48
		first, last          = 8, 20
	)
	lane := day / len(agents)
	colours := []string{"#1f6f78", "#8a5a00", "#5b3f8c"}
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n", left+5*day, top+(last-first)*hour+30)
	fmt.Fprintln(&out, `<rect width="100%" height="100%" fill="#fdfdfb"/>`)
	for h := first; h <= last; h++ {
		y := top + (h-first)*hour
		fmt.Fprintf(&out, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#ddd"/><text x="8" y="%d" fill="#555">%02d:00</text>`+"\n", left, y, left+5*day, y, y+4, h)
	}
	for d := range 5 {
		at := monday.AddDate(0, 0, d)
		fmt.Fprintf(&out, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#999"/><text x="%d" y="24" font-weight="bold" fill="#222">%s</text>`+"\n",
			left+d*day, top, left+d*day, top+(last-first)*hour, left+d*day+6, at.Format("Mon 2 Jan 2006"))
	}
	for _, e := range week {
		d := (int(e.start.Weekday()) + 6) % 7
		minute := func(at time.Time) int { return int(at.Sub(monday.AddDate(0, 0, d)).Minutes()) }
		y0, y1 := max(minute(e.start), first*60), min(minute(e.end), last*60)
		if y1 <= y0 {
			continue
		}
		x, y, height := left+d*day+e.user*lane+2, top+(y0-first*60)*hour/60, max((y1-y0)*hour/60, 12)
		colour, dash := colours[e.user%len(colours)], ""
		if e.status == string(ical.EventCancelled) {
			dash = ` stroke-dasharray="4 3"`
		}
		fmt.Fprintf(&out, `<svg x="%d" y="%d" width="%d" height="%d"><rect x="0.5" y="0.5" width="%d" height="%d" rx="3" fill="%s" fill-opacity="0.14" stroke="%s"%s/><text x="4" y="11" fill="#111">`,
			x, y, lane-3, height, lane-4, height-1, colour, colour, dash)
		_ = xml.EscapeText(&out, []byte(e.title))
		fmt.Fprintf(&out, "</text></svg>\n")
	}
	for n, id := range agents {
		x := left + n*120
		fmt.Fprintf(&out, `<rect x="%d" y="%d" width="10" height="10" fill="%s"/><text x="%d" y="%d" fill="#222">user %d</text>`+"\n",
			x, top+(last-first)*hour+12, colours[n%len(colours)], x+16, top+(last-first)*hour+21, id)
	}
	fmt.Fprintln(&out, "</svg>")
	return []byte(out.String())
}

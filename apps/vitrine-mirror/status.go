package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/vitrine-crm/vitrine/core/mirror"
)

// report is what a mirror says of itself.
type report struct {
	Mode         mirror.Mode `json:"mode"`
	Listings     int         `json:"listings"`
	Marks        int         `json:"marks"`
	OldestMark   *time.Time  `json:"oldest_mark"`
	Hook         int64       `json:"hook"`
	LastEvent    int64       `json:"last_event"`
	LastDelivery *time.Time  `json:"last_delivery"`
	LastCatchUp  *time.Time  `json:"last_catch_up"`
	LastSweep    *time.Time  `json:"last_sweep"`
	Refused      int64       `json:"refused"`
	Problem      string      `json:"problem"`
	// Leads counts the messages of visitors that wait, and Problems says why some do.
	Leads      int        `json:"leads_waiting"`
	OldestLead *time.Time `json:"oldest_lead"`
	Problems   []string   `json:"problems"`
	// Lacking are the ids of listings by what French law wants them to say and their records do not have.
	Lacking map[string][]int64 `json:"lacking"`
	// Doubts reports that something an operator asked for has not begun.
	Doubts bool `json:"asked"`
}

func newReport(ctx context.Context, of *site) (report, error) {
	listings, marks, oldest, err := of.copy.Counts(ctx)
	if err != nil {
		return report{}, err
	}
	leads, oldestLead, wrong, err := of.visitors.Waiting(ctx)
	problems := []string{}
	for problem, count := range wrong {
		problems = append(problems, fmt.Sprintf("%d messages of visitors: %s", count, problem))
	}
	slices.Sort(problems)
	lacking, missing := of.pages.Lacking(ctx)
	err = errors.Join(err, missing)
	s := of.runner.State()
	return report{
		Mode: s.Mode(), Listings: listings, Marks: marks, OldestMark: optional(oldest), Hook: s.Hook, LastEvent: s.LastEvent,
		LastDelivery: optional(s.Delivered), LastCatchUp: optional(s.CaughtUp), LastSweep: optional(s.Watermark), Refused: of.hooks.refused.Load(), Problem: s.Problem,
		Doubts: len(of.runner.doubts) > 0, Leads: leads, OldestLead: optional(oldestLead), Problems: problems, Lacking: lacking,
	}, err
}

func optional(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// settled reports that the mirror has nothing to do.
func (r report) settled() bool { return r.Mode == mirror.Live && r.Marks == 0 && !r.Doubts }

// print writes a report for people.
func (r report) print() error {
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, line := range []struct {
		name  string
		value any
	}{
		{"mode", r.Mode}, {"listings", r.Listings}, {"to read", r.Marks}, {"  the oldest since", moment(r.OldestMark)}, {"webhook", r.Hook},
		{"last event", r.LastEvent}, {"last delivery", moment(r.LastDelivery)}, {"last catch-up", moment(r.LastCatchUp)}, {"last sweep", moment(r.LastSweep)},
		{"refused deliveries", r.Refused}, {"problem", r.Problem},
		{"leads waiting", r.Leads}, {"  the oldest since", moment(r.OldestLead)}, {"problems", strings.Join(r.Problems, "; ")},
	} {
		_, _ = fmt.Fprintf(out, "%s\t%v\n", line.name, line.value) // Flush tells of errors
	}
	for _, mention := range slices.Sorted(maps.Keys(r.Lacking)) {
		ids := r.Lacking[mention]
		_, _ = fmt.Fprintf(out, "listings without\t%s: %d, such as %d\n", mention, len(ids), ids[0])
	}
	return out.Flush()
}

func moment(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Local().Format(time.DateTime)
}

// controlHeader has what shows that a command is that of who runs the mirror.
const controlHeader = "X-Mirror-Control"

// call sends a command to the mirror that runs.
func (c control) call(ctx context.Context, method, path string) (report, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+c.Listen+path, nil)
	if err != nil {
		return report{}, err
	}
	request.Header.Set(controlHeader, c.derive("control"))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return report{}, fmt.Errorf("no mirror answers at %s (--listen): %w", c.Listen, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return report{}, fmt.Errorf("what answers at %s is no mirror of this server, credential and site (it says %s)", c.Listen, answer.Status)
	}
	var said report
	return said, json.NewDecoder(answer.Body).Decode(&said)
}

type status struct {
	control
	JSON bool `name:"json" help:"Print JSON."`
}

// Run prints what the mirror is doing.
func (c *status) Run(ctx context.Context) error {
	said, err := c.call(ctx, http.MethodGet, "/control/status")
	if err != nil {
		return err
	}
	if !c.JSON {
		return said.print()
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(said)
}

// waiting is for commands that wait.
type waiting struct {
	control
	Timeout time.Duration `default:"10m" help:"How long to wait."`
}

type catchUp struct{ waiting }

// Run has the mirror catch up, and waits.
func (c *catchUp) Run(ctx context.Context) error { return c.wait(ctx, "/control/catch-up") }

type rebuild struct{ waiting }

// Run has the mirror read everything again, and waits.
func (c *rebuild) Run(ctx context.Context) error { return c.wait(ctx, "/control/rebuild") }

// wait sends a command and returns when the mirror is settled.
func (c waiting) wait(ctx context.Context, path string) error {
	said, err := c.call(ctx, http.MethodPost, path)
	for end := time.Now().Add(c.Timeout); err == nil && !said.settled(); {
		if pause(ctx, 200*time.Millisecond); ctx.Err() != nil || time.Now().After(end) {
			return errors.Join(said.print(), errors.New("stopped waiting; the mirror goes on"))
		}
		said, err = c.call(ctx, http.MethodGet, "/control/status")
	}
	if err != nil {
		return err
	}
	return said.print()
}

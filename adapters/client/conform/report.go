package conform

import (
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Report is what a run found. It has no secret and no token.
type Report struct {
	Contract  string    `json:"contract"`
	Target    string    `json:"target"`
	Seed      uint64    `json:"seed"`
	StartedAt time.Time `json:"started_at"`
	Seconds   float64   `json:"seconds"`
	Requests  int       `json:"requests"`
	Summary   Summary   `json:"summary"`
	Checks    []Result  `json:"checks"`
	// Left are the addresses of what was made and could not be deleted.
	Left []string `json:"left,omitempty"`
}

// Summary counts checks by their outcome.
type Summary struct {
	Held    int `json:"held"`
	Fell    int `json:"fell"`
	Skipped int `json:"skipped"`
}

// Outcome is what became of a check.
type Outcome string

// The outcomes. A check is skipped, with a reason, where it could not be made.
const (
	Held    Outcome = "held"
	Fell    Outcome = "fell"
	Skipped Outcome = "skipped"
)

// Result is what became of one check.
type Result struct {
	ID        string     `json:"id"`
	Number    int        `json:"number,omitempty"`
	Clause    string     `json:"clause"`
	Sentence  string     `json:"sentence"`
	Level     Level      `json:"level"`
	Outcome   Outcome    `json:"outcome"`
	Reason    string     `json:"reason,omitempty"`
	Expected  string     `json:"expected,omitempty"`
	Got       string     `json:"got,omitempty"`
	Exchanges []Exchange `json:"exchanges,omitempty"`
}

// Exchange is a request and its answer. What was sent and came is there where the check fell.
type Exchange struct {
	Method    string `json:"method"`
	Path      string `json:"path"`
	Status    int    `json:"status"`
	RequestID string `json:"request_id,omitempty"`
	Sent      string `json:"sent,omitempty"`
	Came      string `json:"came,omitempty"`

	sent, came string
}

// finish counts, and deletes what the run made, also if it was told to end.
func (report *Report) finish(r *run) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), time.Minute)
	defer cancel()
	r.ctx, r.ending = ctx, true
	p := &Probe{run: r, purpose: "deleting"}
	for _, path := range slices.Backward(r.made) {
		if p.try(func() { p.Delete(path).Is(http.StatusOK, http.StatusNoContent, http.StatusGone) }) != nil {
			report.Left = append(report.Left, path)
		}
	}
	slices.SortFunc(report.Checks, func(a, b Result) int { return cmp.Compare(a.ID, b.ID) })
	report.Summary = report.count("")
	report.Requests, report.Seconds = r.requests, time.Since(report.StartedAt).Round(time.Millisecond).Seconds()
}

// count counts the checks of a level, or all of them.
func (report Report) count(level Level) Summary {
	n := map[Outcome]int{}
	for _, r := range report.Checks {
		if level == "" || r.Level == level {
			n[r.Outcome]++
		}
	}
	return Summary{n[Held], n[Fell], n[Skipped]}
}

// Headline says how many checks held, by level.
func (report Report) Headline() string {
	line := ""
	for _, level := range []Level{Contract, Extensions} {
		s := report.count(level)
		if all := s.Held + s.Fell + s.Skipped; all > 0 {
			line += fmt.Sprintf("; %s%s: %d of %d held, %d fell, %d skipped", level, map[Level]string{Contract: " " + report.Contract}[level], s.Held, all, s.Fell, s.Skipped)
		}
	}
	return strings.TrimPrefix(line, "; ")
}

// Reports are the formats of Write.
var Reports = []string{"tap", "junit", "html", "json"}

// Write writes the report in a format, or as text for people where that is empty.
func (report Report) Write(w io.Writer, format string) error {
	switch format {
	case "":
		return report.text(w)
	case "tap":
		return report.tap(w)
	case "junit":
		return report.junit(w)
	case "html":
		return page.Execute(w, report)
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(report)
	}
	return fmt.Errorf("there is no report %q", format)
}

// explain says why a check fell: the sentence, what was expected and came, and each exchange.
func (report Report) explain(r Result) string {
	var b strings.Builder
	if r.Clause != "" {
		fmt.Fprintf(&b, "%d. %s: %s\n", r.Number, r.Clause, r.Sentence)
	} else {
		fmt.Fprintf(&b, "%s\n", r.Sentence)
	}
	fmt.Fprintf(&b, "expected: %s\ngot: %s\n", r.Expected, r.Got)
	if before := len(r.Exchanges) - told; before > 0 {
		fmt.Fprintf(&b, "after %d other requests:\n", before)
	}
	for _, e := range r.Exchanges[max(0, len(r.Exchanges)-told):] {
		address := e.Path
		if strings.HasPrefix(address, "/") {
			address = report.Target + address
		}
		fmt.Fprintf(&b, "> %s %s %s\n< %d request_id %s %s\n", e.Method, address, e.Sent, e.Status, cmp.Or(e.RequestID, "none"), e.Came)
	}
	return b.String()
}

// Explain writes why a check fell, or nothing.
func (report Report) Explain(r Result) string {
	if r.Outcome != Fell {
		return ""
	}
	return report.explain(r)
}

func (report Report) text(w io.Writer) error {
	reasons := map[string]int{}
	for _, r := range report.Checks {
		switch r.Outcome {
		case Held:
		case Fell:
			if _, err := fmt.Fprintf(w, "FELL %s\n%s\n", r.ID, indent(report.explain(r))); err != nil {
				return err
			}
		case Skipped:
			reasons[r.Reason]++
		}
	}
	var skipped []string
	for reason, n := range reasons {
		skipped = append(skipped, fmt.Sprintf("skipped %d: %s\n", n, reason))
	}
	slices.Sort(skipped)
	for _, left := range report.Left {
		skipped = append(skipped, "left behind: "+left+"\n")
	}
	_, err := fmt.Fprintf(w, "%s%s\n%d requests in %.1f s; --seed %d repeats them\n", strings.Join(skipped, ""), report.Headline(), report.Requests, report.Seconds, report.Seed)
	return err
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

func (report Report) tap(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 13\n1..%d\n", len(report.Checks))
	for i, r := range report.Checks {
		switch r.Outcome {
		case Held:
			fmt.Fprintf(&b, "ok %d - %s\n", i+1, r.ID)
		case Skipped:
			fmt.Fprintf(&b, "ok %d - %s # SKIP %s\n", i+1, r.ID, strings.ReplaceAll(r.Reason, "\n", " "))
		case Fell:
			fmt.Fprintf(&b, "not ok %d - %s\n", i+1, r.ID)
			for line := range strings.Lines(report.explain(r)) {
				fmt.Fprintf(&b, "# %s\n", strings.TrimRight(line, "\n"))
			}
		}
	}
	fmt.Fprintf(&b, "# %s\n", report.Headline())
	_, err := io.WriteString(w, b.String())
	return err
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     float64     `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (report Report) junit(w io.Writer) error {
	suite := junitSuite{
		Name: "conform " + report.Target, Tests: len(report.Checks), Failures: report.Summary.Fell, Skipped: report.Summary.Skipped, Time: report.Seconds,
	}
	for _, r := range report.Checks {
		c := junitCase{Class: string(r.Level), Name: r.ID}
		switch r.Outcome {
		case Held:
		case Fell:
			c.Failure = &junitMessage{"expected " + r.Expected, report.explain(r)}
		case Skipped:
			c.Skipped = &junitMessage{Message: r.Reason}
		}
		suite.Cases = append(suite.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	return encoder.Encode(suite)
}

var page = template.Must(template.New("report").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{{.Headline}}</title>
<style>body{font:16px system-ui;max-width:70em;margin:2em auto;padding:0 1em}.fell{color:#b00020}.skipped{color:#666}pre{white-space:pre-wrap;background:#f4f4f4;padding:.5em}</style>
<h1>{{.Headline}}</h1>
<p>{{.Target}}, {{.StartedAt.Format "2006-01-02 15:04 MST"}}, {{.Requests}} requests in {{.Seconds}} s, seed {{.Seed}}</p>
{{range .Left}}<p>Left behind: <code>{{.}}</code></p>{{end}}
{{range .Checks}}<section class="{{.Outcome}}"><h2>{{.ID}}: {{.Outcome}}</h2><p>{{if .Number}}{{.Number}}. {{.Clause}}: {{end}}{{.Sentence}}</p>
{{with .Reason}}<p>{{.}}</p>{{end}}{{with $.Explain .}}<pre>{{.}}</pre>{{end}}</section>
{{end}}</html>
`))

// Diff writes what fell anew and what holds anew in a later report, and reports whether anything fell anew.
func Diff(w io.Writer, before, after Report) (fell bool, err error) {
	was := map[string]Outcome{}
	for _, r := range before.Checks {
		was[r.ID] = r.Outcome
	}
	for _, r := range after.Checks {
		switch {
		case r.Outcome == Fell && was[r.ID] != Fell:
			fell = true
			_, err = fmt.Fprintf(w, "fell anew: %s: expected %s; got %s\n", r.ID, r.Expected, r.Got)
		case r.Outcome == Held && was[r.ID] != Held:
			_, err = fmt.Fprintf(w, "holds anew: %s\n", r.ID)
		}
		if err != nil {
			return fell, err
		}
	}
	return fell, nil
}

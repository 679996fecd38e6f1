package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// report collects the table that a run prints.
type report struct{ lines []line }

// line is one figure beside its goal.
type line struct {
	name   string
	value  float64
	unit   unit
	goal   goal
	remark string
}

// goal is a bound for a figure; the zero goal is none.
type goal struct {
	bound float64
	least bool
}

func atLeast(bound float64) goal { return goal{bound, true} }
func atMost(bound float64) goal  { return goal{bound, false} }

// unit writes a figure.
type unit func(float64) string

func ratio(v float64) string        { return fmt.Sprintf("%.2f ×", v) }
func octets(v float64) string       { return fmt.Sprintf("%.0f B", v) }
func milliseconds(v float64) string { return fmt.Sprintf("%s ms", strconv.FormatFloat(v, 'g', 3, 64)) }

func (r *report) add(name string, value float64, u unit, g goal, remark string) {
	r.lines = append(r.lines, line{name, value, u, g, remark})
}

// verdict says whether the goal is met and by how much.
func (l line) verdict() string {
	if l.goal == (goal{}) {
		return ""
	}
	margin := l.value/l.goal.bound - 1
	if !l.goal.least {
		margin = -margin
	}
	percent := fmt.Sprintf("by %.0f %%", 100*max(margin, -margin))
	if margin < 0 {
		return "MISSED " + percent
	}
	return "met " + percent
}

func (l line) wanted() string {
	switch {
	case l.goal == (goal{}):
		return ""
	case l.goal.least:
		return "≥ " + l.unit(l.goal.bound)
	}
	return "≤ " + l.unit(l.goal.bound)
}

// print writes the table as Markdown, which is also easy on the eye.
func (r *report) print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	row := func(cells ...string) { fmt.Fprintf(table, "| %s\t|\n", strings.Join(cells, "\t| ")) }
	row("measurement", "figure", "goal", "verdict", "beside")
	row("---", "---", "---", "---", "---")
	for _, l := range r.lines {
		row(l.name, l.unit(l.value), l.wanted(), l.verdict(), l.remark)
	}
	table.Flush()
}

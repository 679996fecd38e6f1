package main

import (
	"io"
	"math"
	"strconv"
	"sync"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// report collects the table that a run prints.
type report struct {
	mu    sync.Mutex // a step that was left behind may still add lines
	lines []line
}

// line is one figure next to its goal.
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

func ratio(v float64) string        { return short(v) + " ×" }
func octets(v float64) string       { return short(v) + " B" }
func microseconds(v float64) string { return short(v) + " µs" }
func plain(v float64) string        { return short(v) }
func mebibytes(v float64) string    { return short(v) + " MiB" }
func milliseconds(v float64) string { return short(v) + " ms" }

// short writes a number with about three digits that count.
func short(v float64) string {
	for decimals, limit := range []float64{100, 10, 0.1, 0.01} {
		if v >= limit {
			return strconv.FormatFloat(v, 'f', decimals, 64)
		}
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

func (r *report) add(name string, value float64, u unit, g goal, remark string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line{name, value, u, g, remark})
}

// verdict reports whether the goal is met and by how much.
func (l line) verdict() string {
	if l.goal == (goal{}) {
		return ""
	}
	margin := l.value/l.goal.bound - 1
	if !l.goal.least {
		margin = -margin
	}
	percent := strconv.FormatFloat(100*math.Abs(margin), 'f', 0, 64)
	if margin < 0 {
		return "MISSED by " + percent + " %"
	}
	return "met by " + percent + " %"
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

// print writes the table.
func (r *report) print(out io.Writer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows := [][]string{{"measurement", "figure", "goal", "verdict", "beside"}}
	for _, l := range r.lines {
		rows = append(rows, []string{l.name, l.unit(l.value), l.wanted(), l.verdict(), l.remark})
	}
	rig.Table(out, rows)
}

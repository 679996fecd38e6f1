package main

import (
	"io"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// figure is something that was counted or measured, and what it may be.
type figure struct {
	name  string
	value float64
	unit  string
	// wanted is the bound as people read it; empty for a figure that is only
	// told.
	wanted string
	holds  bool
}

func told(name string, value float64, unit string) figure {
	return figure{name: name, value: value, unit: unit, holds: true}
}

func count(name string, n int) figure { return told(name, float64(n), "") }

func milliseconds(name string, d time.Duration) figure {
	return told(name, rig.Milliseconds(d), "ms")
}

func (f figure) atMost(bound float64) figure {
	f.wanted, f.holds = "≤ "+rig.Number(bound), f.value <= bound
	return f
}

func (f figure) atLeast(bound float64) figure {
	f.wanted, f.holds = "≥ "+rig.Number(bound), f.value >= bound
	return f
}

func (f figure) exactly(wanted float64) figure {
	f.wanted, f.holds = rig.Number(wanted), f.value == wanted
	return f
}

func (f figure) none() figure { return f.exactly(0) }

// bound says what one of some figures may be at most.
func bound(figures []figure, name string, most float64) {
	for i, f := range figures {
		if f.name == name {
			figures[i] = f.atMost(most)
		}
	}
}

// valueOf returns one of some figures.
func valueOf(figures []figure, name string) float64 {
	return figures[slices.IndexFunc(figures, func(f figure) bool { return f.name == name })].value
}

func (f figure) shown() string {
	text := rig.Number(f.value)
	if f.unit != "" {
		text += " " + f.unit
	}
	return text
}

func (f figure) verdict() string {
	switch {
	case f.wanted == "":
		return ""
	case f.holds:
		return "holds"
	}
	return "BROKEN"
}

// table prints figures.
func table(out io.Writer, figures []figure) {
	rows := [][]string{{"figure", "", "must be", ""}}
	for _, f := range figures {
		rows = append(rows, []string{f.name, f.shown(), f.wanted, f.verdict()})
	}
	rig.Table(out, rows)
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
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
	return told(name, float64(d)/float64(time.Millisecond), "ms")
}

func (f figure) atMost(bound float64) figure {
	f.wanted, f.holds = "≤ "+number(bound), f.value <= bound
	return f
}

func (f figure) atLeast(bound float64) figure {
	f.wanted, f.holds = "≥ "+number(bound), f.value >= bound
	return f
}

func (f figure) exactly(wanted float64) figure {
	f.wanted, f.holds = number(wanted), f.value == wanted
	return f
}

func (f figure) none() figure { return f.exactly(0) }

func (f figure) shown() string {
	text := number(f.value)
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

// number writes a value with the digits that count, its thousands apart.
func number(v float64) string {
	decimals := 0
	if v != math.Trunc(v) && math.Abs(v) < 100 {
		decimals = 2
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		return whole + "." + fraction
	}
	return whole
}

// table prints figures as Markdown, which is also easy on the eye.
func table(out io.Writer, figures []figure) {
	rows := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	row := func(cells ...string) { fmt.Fprintf(rows, "| %s\t|\n", strings.Join(cells, "\t| ")) }
	row("figure", "", "must be", "")
	row("---", "---", "---", "---")
	for _, f := range figures {
		row(f.name, f.shown(), f.wanted, f.verdict())
	}
	rows.Flush()
}

// percentile of some values; 0.5 is the median.
func percentile[T cmp.Ordered](values []T, p float64) T {
	var none T
	if len(values) == 0 {
		return none
	}
	values = slices.Sorted(slices.Values(values))
	return values[max(0, min(len(values)-1, int(math.Ceil(p*float64(len(values))))-1))]
}

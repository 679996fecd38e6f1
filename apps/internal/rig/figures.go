package rig

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

// Percentile of some values by nearest rank, so that it is one of them: at 0.5 a
// median, at 1 the greatest. Of nothing it is zero.
func Percentile[T cmp.Ordered](values []T, p float64) T {
	if len(values) == 0 {
		var none T
		return none
	}
	values = slices.Sorted(slices.Values(values))
	return values[max(0, min(len(values)-1, int(math.Ceil(p*float64(len(values))))-1))]
}

// Median of some values, which of an even number is between the two in the
// middle.
func Median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// Milliseconds returns a duration as a figure.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Number writes a value with the digits that count, its thousands apart.
func Number(v float64) string {
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

// Count writes how many there are, the thousands apart.
func Count(n int) string { return Number(float64(n)) }

// Table writes rows as Markdown, which is also easy on the eye. The first is the
// head.
func Table(out io.Writer, rows [][]string) {
	table := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	for i, cells := range rows {
		fmt.Fprintf(table, "| %s\t|\n", strings.Join(cells, "\t| "))
		if i == 0 {
			fmt.Fprintf(table, "%s|\n", strings.Repeat("| ---\t", len(cells)))
		}
	}
	table.Flush()
}

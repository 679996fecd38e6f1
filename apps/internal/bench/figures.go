package main

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"
)

// percentile of a sorted list; 0.5 is the median.
func percentile[T cmp.Ordered](sorted []T, p float64) T {
	return sorted[min(len(sorted)-1, int(math.Ceil(p*float64(len(sorted))))-1)]
}

func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

// latencies are the median and the 99th percentile of many times, in
// milliseconds.
type latencies struct{ p50, p99 float64 }

func latenciesOf(times []time.Duration) latencies {
	slices.Sort(times)
	return latencies{inMilliseconds(percentile(times, 0.5)), inMilliseconds(percentile(times, 0.99))}
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// grouped writes a count with its thousands apart.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

package main

import (
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// latencies are the median and the 99th percentile of many times, in
// milliseconds.
type latencies struct{ p50, p99 float64 }

func latenciesOf(times []time.Duration) latencies {
	return latencies{rig.Milliseconds(rig.Percentile(times, 0.5)), rig.Milliseconds(rig.Percentile(times, 0.99))}
}

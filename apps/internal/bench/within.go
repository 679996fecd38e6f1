package main

import (
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// within compares how long calls over HTTP took, round by round, with as many rounds
// of the same calls in this process.
func (b *bench) within(name string, g goal, over []outcome, calls int, call func(i int)) {
	var ratios, overs, withins []float64
	for _, o := range over {
		var times []time.Duration
		for i, end := 0, time.Now().Add(b.round); ; i++ {
			started := time.Now()
			if !started.Before(end) {
				break
			}
			call(i % calls)
			times = append(times, time.Since(started))
		}
		one, other := latenciesOf(o.Times).p99, latenciesOf(times).p99
		ratios, overs, withins = append(ratios, one/other), append(overs, one), append(withins, other)
	}
	b.report.add(name, rig.Median(ratios), ratio, g, milliseconds(rig.Median(overs))+" against "+milliseconds(rig.Median(withins)))
}

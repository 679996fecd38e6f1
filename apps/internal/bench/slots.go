package main

import (
	"context"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/slot"
	"github.com/vitrine-crm/vitrine/core/domain/slot/slottest"
)

const (
	// months is how many months are computed, in each of which agents are busy at other
	// times.
	months = 100
	// slotsWithin is how long a month may take, in milliseconds.
	slotsWithin = 5
)

// slots times the free time of an agency by itself: a month of twenty agents who are
// busy two hundred times each.
func (b *bench) slots(context.Context) error {
	zone, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		return err
	}
	for _, together := range []bool{false, true} {
		name := "of any"
		if together {
			name = "of all at once"
		}
		queries, agents := make([]slot.Query, months), make([][]slot.Agent, months)
		for n := range months {
			queries[n], agents[n] = slottest.Month(zone, n)
			queries[n].Together = together
		}
		each, all := b.timing(months, func(i int) { slot.Slots(queries[i], agents[i]) })
		line := fmt.Sprintf("in process: slots %s of %d agents, %d days, %d events each", name, slottest.Agents, slottest.Days, slottest.Events)
		b.report.add(line+": p50", each.p50, milliseconds, goal{}, "as timed: "+milliseconds(all.p50))
		b.report.add(line+": p99", each.p99, milliseconds, atMost(slotsWithin), "as timed: "+milliseconds(all.p99))
	}
	return nil
}

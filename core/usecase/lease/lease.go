// Package lease carries out work on records that is due, where one process at a time works on each.
package lease

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Job is the work on a record whose lease this process has.
type Job interface {
	comparable
	// CarryOut does the work, and gives the lease back.
	CarryOut(context.Context)
	// Extend extends the lease, or ends the work where another process has it.
	Extend(context.Context)
}

// Options say how an engine looks for work.
type Options struct {
	// Tick makes the engine look for what is due and give signs of life, well within the time of a lease.
	Tick <-chan time.Time
	// Ended is told how each look ended; nil is nobody.
	Ended func(outcome string)
	// Trouble is called with errors that are not about what is looked at.
	Trouble func(error)
}

// Engine finds work, and carries out some of it at a time.
type Engine[Record any, J Job] struct {
	// AtOnce is how much work this process does at a time.
	AtOnce int
	// Due lists at most n records that are due.
	Due func(ctx context.Context, n int) ([]Record, error)
	// Take takes the lease of a record; mine is false where another process was faster, or there is
	// nothing to do.
	Take func(context.Context, Record) (j J, mine bool, err error)
	// Trouble is called with what Due and Take fail with.
	Trouble func(error)
}

// readAtOnce is how many records that are due are read for one free place: others may take some first.
const readAtOnce = 10

// Run works until ctx ends. At each tick, well within the time of a lease, it looks for work and extends
// leases.
func (e Engine[Record, J]) Run(ctx context.Context, tick <-chan time.Time) {
	var workers sync.WaitGroup
	defer workers.Wait()
	ended := make(chan J)
	var underWay []J
	for {
		for _, j := range e.claim(ctx, e.AtOnce-len(underWay)) {
			underWay = append(underWay, j)
			workers.Go(func() {
				j.CarryOut(ctx)
				select {
				case ended <- j:
				case <-ctx.Done():
				}
			})
		}
		select {
		case <-ctx.Done():
			return
		case j := <-ended:
			underWay = slices.DeleteFunc(underWay, func(other J) bool { return other == j })
		case <-tick:
			for _, j := range underWay {
				j.Extend(ctx)
			}
		}
	}
}

// claim takes leases, of n records at most.
func (e Engine[Record, J]) claim(ctx context.Context, n int) (claimed []J) {
	for n > len(claimed) {
		due, err := e.Due(ctx, readAtOnce)
		taken := false
		for _, record := range due {
			if err != nil || n == len(claimed) {
				break
			}
			j, mine, failed := e.Take(ctx, record)
			if err = failed; mine {
				taken, claimed = true, append(claimed, j)
			}
		}
		if err != nil && ctx.Err() == nil {
			e.Trouble(err)
		}
		if err != nil || !taken {
			break
		}
	}
	return claimed
}

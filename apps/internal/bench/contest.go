package main

import (
	"context"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// turns has the client do some jobs in turn, round after round, after one short
// round that does not count. It returns the outcomes of each job.
func (b *bench) turns(ctx context.Context, jobs ...job) ([][]outcome, error) {
	return b.metered(ctx, nil, jobs...)
}

// metered does so, and reads some meters before and after each job.
func (b *bench) metered(ctx context.Context, meters []meter, jobs ...job) ([][]outcome, error) {
	outcomes := make([][]outcome, len(jobs))
	for round := range 1 + b.rounds {
		for i, j := range jobs {
			if j.For = b.round; round == 0 {
				j.For = min(b.round, 500*time.Millisecond)
			}
			before, err := readAll(ctx, meters)
			if err != nil {
				return nil, err
			}
			o, err := b.client.do(ctx, j)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			if o.spent, err = readAll(ctx, meters); err != nil {
				return nil, err
			}
			for m := range meters {
				o.spent[m] -= before[m]
			}
			if round > 0 {
				outcomes[i] = append(outcomes[i], o)
			}
		}
	}
	return outcomes, nil
}

// contest compares how much two servers get done: the median of the ratios of
// neighbouring rounds; and what some meters read for each request.
func (b *bench) contest(ctx context.Context, name string, g goal, ours, theirs job, meters ...meter) error {
	outcomes, err := b.metered(ctx, meters, ours, theirs)
	if err != nil {
		return err
	}
	var ratios []float64
	for i := range b.rounds {
		ratios = append(ratios, outcomes[0][i].rate()/outcomes[1][i].rate())
	}
	b.report.add(name, rig.Median(ratios), ratio, g, fmt.Sprintf("%s/s against %s/s; %s B against %s B",
		rig.Count(int(medianOf(outcomes[0], outcome.rate))), rig.Count(int(medianOf(outcomes[1], outcome.rate))),
		rig.Count(outcomes[0][0].size()), rig.Count(outcomes[1][0].size())))
	for i, m := range meters {
		b.reportSpent(name, m, i, outcomes[0], outcomes[1])
	}
	return nil
}

func medianOf(outcomes []outcome, figure func(outcome) float64) float64 {
	var figures []float64
	for _, o := range outcomes {
		figures = append(figures, figure(o))
	}
	return rig.Median(figures)
}

package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

// writersBeside is how many connections create products while others read.
const writersBeside = 8

// besideWriters compares reads of a site to which others write with the same reads while
// they write to another site.
func (b *bench) besideWriters(ctx context.Context, w *world) error {
	server, err := b.stack(ctx, w, warmCache)
	if err != nil {
		return err
	}
	token, err := server.token(ctx, smallID)
	if err != nil {
		return err
	}
	get := job{Address: server.address(), Connections: 2, Status: http.StatusOK}
	searched := get
	for _, id := range spread(w.smallIDs, len(w.smallIDs)) {
		get.Requests = append(get.Requests, wireRequest("GET", fmt.Sprintf("%s/products/%d", kernel.BasePath, id), token, nil))
	}
	for _, q := range cataloguetest.Queries(200, smallSite, seed) {
		if len(q.Filter.Agencies) == 1 {
			continue // searches name the agencies of the big site
		}
		searched.Requests = append(searched.Requests, wireRequest("POST", kernel.BasePath+searchPath, token, search(q)))
	}
	for _, c := range []struct {
		name      string
		read      job
		p50, rate goal
	}{
		{"GET by id", get, atMost(1.2), atLeast(0.6)},
		{"search of ids", searched, atMost(1.8), atLeast(0.6)},
	} {
		own, other := c.read, c.read
		if own.Beside, err = b.writers(ctx, server, smallID); err != nil {
			return err
		}
		if other.Beside, err = b.writers(ctx, server, firstWriteID); err != nil {
			return err
		}
		outcomes, err := b.turns(ctx, own, other)
		if err != nil {
			return err
		}
		b.reportBeside(w, c.name+" beside 8 writers on its site ÷ on another", outcomes, c.p50, c.rate)
	}
	return nil
}

// writers returns the job of those who create products of a site.
func (b *bench) writers(ctx context.Context, s *stack, id site.ID) (*job, error) {
	token, err := s.token(ctx, id)
	if err != nil {
		return nil, err
	}
	j := &job{Address: s.address(), Connections: writersBeside, Status: http.StatusCreated}
	agency := fmt.Sprintf(`{"agency_id":%d,`, agencyOf(id, cataloguetest.Agencies()[0]))
	for _, body := range creations(64, 30) {
		body = append([]byte(agency), body[1:]...) // a site of several asks which
		j.Requests = append(j.Requests, wireRequest("POST", kernel.BasePath+"/products", token, body))
	}
	return j, nil
}

// reportBeside adds the ratios of two jobs that were done in turn beside others.
func (b *bench) reportBeside(w *world, name string, outcomes [][]outcome, p50, rate goal) {
	median := func(o outcome) float64 { return latenciesOf(o.Times).p50 }
	beside := func(o outcome) float64 { return float64(o.Beside) / o.Elapsed.Seconds() }
	compare := func(figure func(outcome) float64) float64 {
		var ratios []float64
		for i := range b.rounds {
			ratios = append(ratios, figure(outcomes[0][i])/figure(outcomes[1][i]))
		}
		return rig.Median(ratios)
	}
	b.report.add(w.name()+": "+name+": p50", compare(median), ratio, p50,
		milliseconds(medianOf(outcomes[0], median))+" against "+milliseconds(medianOf(outcomes[1], median)))
	b.report.add(w.name()+": "+name+": rate", compare(outcome.rate), ratio, rate,
		fmt.Sprintf("%s/s against %s/s, beside %s and %s creations/s", rig.Count(int(medianOf(outcomes[0], outcome.rate))), rig.Count(int(medianOf(outcomes[1], outcome.rate))),
			rig.Count(int(medianOf(outcomes[0], beside))), rig.Count(int(medianOf(outcomes[1], beside)))))
}

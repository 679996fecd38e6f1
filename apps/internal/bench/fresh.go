package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

// freshness compares searches, each of which sees everything that was committed
// before, with GET by id on the same server, which two clients do not saturate.
func (b *bench) freshness(ctx context.Context, w *world) error {
	server, err := b.stack(ctx, w, warmCache)
	if err != nil {
		return err
	}
	token, err := server.token(ctx, bigID)
	if err != nil {
		return err
	}
	idle := job{Address: server.address(), Connections: 2, Status: http.StatusOK}
	get, searched, counted, hydrated := idle, idle, idle, idle
	for _, id := range spread(w.ids, 5_000) {
		get.Requests = append(get.Requests, wireRequest("GET", fmt.Sprintf("%s/products/%d", kernel.BasePath, id), token, nil))
	}
	queries := cataloguetest.Queries(200, b.products, seed)
	for _, q := range queries {
		post := func(path string, body []byte) []byte { return wireRequest("POST", kernel.BasePath+path, token, body) }
		searched.Requests = append(searched.Requests, post(searchPath, search(q)))
		hydrated.Requests = append(hydrated.Requests, post(hydratedPath, search(q)))
		counted.Requests = append(counted.Requests, post(countPath, body(filters(q.Filter))))
	}
	jobs := []job{get, searched, counted, hydrated}
	for _, j := range jobs {
		if err := b.visit(ctx, j); err != nil {
			return err
		}
	}
	outcomes, err := b.turns(ctx, jobs...)
	if err != nil {
		return err
	}
	p50 := func(l latencies) float64 { return l.p50 }
	p99 := func(l latencies) float64 { return l.p99 }
	for _, c := range []struct {
		name string
		of   int
		at   func(latencies) float64
		goal goal
	}{
		{"search of ids p50 ÷ GET p50", 1, p50, atMost(2.5)},
		{"search of ids p99 ÷ GET p99", 1, p99, goal{}},
		{"count p99 ÷ GET p99", 2, p99, goal{}},
		{"search with page p99 ÷ GET p99", 3, p99, atMost(4)},
	} {
		var ratios, ours, gets []float64
		for i := range b.rounds {
			one, get := c.at(latenciesOf(outcomes[c.of][i].Times)), c.at(latenciesOf(outcomes[0][i].Times))
			ratios, ours, gets = append(ratios, one/get), append(ours, one), append(gets, get)
		}
		b.report.add(w.name()+": "+c.name, rig.Median(ratios), ratio, c.goal,
			milliseconds(rig.Median(ours))+" against "+milliseconds(rig.Median(gets)))
	}
	index := indexOf(b.products)
	b.within(w.name()+": search of ids p99 ÷ in process", atMost(2), outcomes[1], len(queries), func(i int) { index.Search(queries[i]) })
	b.within(w.name()+": count p99 ÷ in process", goal{}, outcomes[2], len(queries), func(i int) { index.Count(queries[i].Filter) })
	return nil
}

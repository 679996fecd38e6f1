package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// keepingRequests compares a server that keeps requests with one that does not.
func (b *bench) keepingRequests(ctx context.Context, w *world) error {
	var jobs []job
	for _, options := range []string{warmCache, "--requests-max=0"} {
		s, err := b.stack(ctx, w, options)
		if err != nil {
			return err
		}
		token, err := s.token(ctx, bigID)
		if err != nil {
			return err
		}
		get := job{Address: s.address(), Connections: clients, Status: http.StatusOK}
		for _, id := range spread(w.ids, 5_000) {
			get.Requests = append(get.Requests, wireRequest("GET", fmt.Sprintf("%s/products/%d", kernel.BasePath, id), token, nil))
		}
		if err := b.visit(ctx, get); err != nil {
			return err
		}
		jobs = append(jobs, get)
	}
	return b.contest(ctx, w.name()+": GET by id, requests kept ÷ not", atLeast(0.97), jobs[0], jobs[1])
}

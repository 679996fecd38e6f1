package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// clients is how many connections the client has where throughput is compared.
const clients = 16

// getting compares GET /products/{id} with a bare handler that reads a stored
// document of the same size.
func (b *bench) getting(ctx context.Context, w *world) error {
	warm, err := b.stack(ctx, w, warmCache)
	if err != nil {
		return err
	}
	cold, err := b.stack(ctx, w, coldCache)
	if err != nil {
		return err
	}
	bare, err := b.bareServer(ctx, w)
	if err != nil {
		return err
	}
	samples, err := warm.documents(ctx, spread(w.ids, 1000))
	if err != nil {
		return err
	}
	if err := bare.fill(ctx, "bare_get", w.ids, samples); err != nil {
		return err
	}
	for _, c := range []struct {
		name   string
		stack  *stack
		ids    []int64
		goal   goal
		meters []meter
	}{
		{"GET by id ÷ bare", warm, spread(w.ids, 5_000), atLeast(0.95), w.processed(ctx, atMost(0.4))},
		{"GET by id ÷ bare, cold cache", cold, spread(w.ids, 20_000), atLeast(0.4), nil},
	} {
		token, err := c.stack.token(ctx, bigID)
		if err != nil {
			return err
		}
		ours := job{Address: c.stack.address(), Connections: clients, Status: http.StatusOK}
		theirs := job{Address: bare.address(), Connections: clients, Status: http.StatusOK}
		for _, id := range c.ids {
			path := fmt.Sprintf("/products/%d", id)
			ours.Requests = append(ours.Requests, wireRequest("GET", kernel.BasePath+path, token, nil))
			theirs.Requests = append(theirs.Requests, wireRequest("GET", path, token, nil))
		}
		if err := b.visit(ctx, ours); err != nil {
			return err
		}
		if err := b.contest(ctx, w.name()+": "+c.name, c.goal, ours, theirs, c.meters...); err != nil {
			return err
		}
	}
	return nil
}

// spread takes n members of a list in an order without system, the same every
// time.
func spread(ids []int64, n int) []int64 {
	taken := make([]int64, min(n, len(ids)))
	for i := range taken {
		taken[i] = ids[i*7919%len(ids)] // a prime that divides no round number
	}
	return taken
}

// visit sends each request of a job once.
func (b *bench) visit(ctx context.Context, j job) error {
	j.Once = true
	_, err := b.client.do(ctx, j)
	return err
}

// documents returns the records of some products as the server writes them.
func (s *stack) documents(ctx context.Context, ids []int64) ([]string, error) {
	documents := make([]string, len(ids))
	for i, id := range ids {
		var document json.RawMessage
		if err := s.call(ctx, http.MethodGet, bigID, fmt.Sprintf("/products/%d", id), nil, &document); err != nil {
			return nil, err
		}
		documents[i] = string(document)
	}
	return documents, nil
}

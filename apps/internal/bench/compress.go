package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// compressing compares clients that take compressed answers with those that do
// not, on one server. What a client saves by receiving less, or spends to read
// it, is not in the figures.
func (b *bench) compressing(ctx context.Context, w *world) error {
	s, err := b.stack(ctx, w, warmCache)
	if err != nil {
		return err
	}
	token, err := s.token(ctx, bigID)
	if err != nil {
		return err
	}
	searches, _, err := s.fullPages(ctx, b.products)
	if err != nil {
		return err
	}
	bare := job{Address: s.address(), Connections: clients, Status: http.StatusOK}
	get, page := bare, bare
	for _, id := range spread(w.ids, 5_000) {
		get.Requests = append(get.Requests, wireRequest("GET", fmt.Sprintf("%s/products/%d", kernel.BasePath, id), token, nil))
	}
	for _, search := range searches {
		page.Requests = append(page.Requests, wireRequest("POST", kernel.BasePath+hydratedPath, token, search))
	}
	for _, c := range []struct {
		name   string
		plain  job
		coding string
		goal   goal
	}{
		{"GET by id, gzip accepted ÷ not", get, "gzip", atLeast(0.95)},
		{"search with page of 100, gzip ÷ uncompressed", page, "gzip", goal{}},
		{"search with page of 100, zstd ÷ uncompressed", page, "zstd", goal{}},
	} {
		if err := b.visit(ctx, c.plain); err != nil {
			return err
		}
		if err := b.contest(ctx, w.name()+": "+c.name, c.goal, c.plain.accepting(c.coding), c.plain); err != nil {
			return err
		}
	}
	return nil
}

// accepting returns the job of a client that takes a content coding.
func (j job) accepting(coding string) job {
	taking := j
	taking.Requests = nil
	for _, request := range j.Requests {
		line, rest, _ := bytes.Cut(request, []byte("\r\n"))
		taking.Requests = append(taking.Requests, bytes.Join([][]byte{line, []byte("Accept-Encoding: " + coding), rest}, []byte("\r\n")))
	}
	return taking
}

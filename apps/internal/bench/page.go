package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

const (
	searchPath   = "/products/search"
	countPath    = "/products/search/count"
	hydratedPath = searchPath + "?fetch=criteres_text,criteres_number"
	pageSize     = 100
)

// paging compares a search that answers with a page of whole products with a
// bare handler that reads as many stored documents by their ids: the search
// itself is extra.
func (b *bench) paging(ctx context.Context, w *world) error {
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
	searches, samples, err := bare.turnPages(ctx, warm, b.products)
	if err != nil {
		return err
	}
	if err := bare.fill(ctx, "bare_page", w.ids, samples); err != nil {
		return err
	}
	drawn := []meter{allocations("a product", pageSize, atMost(10))}
	for _, c := range []struct {
		name   string
		stack  *stack
		goal   goal
		meters []meter
	}{
		{"search with page of 100 ÷ bare page", warm, atLeast(1), nil},
		{"search with page of 100 ÷ bare page, cold cache", cold, atLeast(0.5), drawn},
	} {
		token, err := c.stack.token(ctx, bigID)
		if err != nil {
			return err
		}
		ours := job{Address: c.stack.address(), Connections: clients, Status: http.StatusOK}
		theirs := job{Address: bare.address(), Connections: clients, Status: http.StatusOK}
		for i, search := range searches {
			ours.Requests = append(ours.Requests, wireRequest("POST", kernel.BasePath+hydratedPath, token, search))
			theirs.Requests = append(theirs.Requests, wireRequest("GET", fmt.Sprintf("/pages/%d", i), token, nil))
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

// turnPages finds searches with a full page, tells the bare server the ids on
// them, and returns some of the records.
func (s *bare) turnPages(ctx context.Context, from *stack, products int) (searches [][]byte, samples []string, err error) {
	searches, pages, err := from.fullPages(ctx, products)
	if err != nil {
		return nil, nil, err
	}
	s.pages = pages
	for _, body := range searches[:min(10, len(searches))] {
		var page struct {
			Data []json.RawMessage `json:"data"`
		}
		if err := from.call(ctx, http.MethodPost, bigID, hydratedPath, body, &page); err != nil {
			return nil, nil, err
		}
		for _, record := range page.Data {
			samples = append(samples, string(record))
		}
	}
	return searches, samples, nil
}

// fullPages finds searches with a full page, and the ids on them.
func (s *stack) fullPages(ctx context.Context, products int) (searches [][]byte, pages [][]int64, err error) {
	for _, q := range cataloguetest.Queries(1000, products, seed) {
		var found struct {
			Data []struct {
				ID int64 `json:"id"`
			} `json:"data"`
		}
		body := search(q)
		if err := s.call(ctx, http.MethodPost, bigID, searchPath, body, &found); err != nil {
			return nil, nil, err
		}
		if len(found.Data) < pageSize {
			continue
		}
		ids := make([]int64, len(found.Data))
		for i, record := range found.Data {
			ids[i] = record.ID
		}
		pages, searches = append(pages, ids), append(searches, body)
		if len(searches) == 100 {
			break
		}
	}
	return searches, pages, nil
}

package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

func product(id int64) string { return "/products/" + strconv.FormatInt(id, 10) }

func mark(kind string, n int) string { return fmt.Sprintf("%s%dx", kind, n) }

// create makes products whose Ville has a mark.
func (p *past) create(ctx context.Context, kind string, n int) (ids []int64, err error) {
	for i := range n {
		id, err := p.client.Create(ctx, p.writes.Address, 1, "/products", rig.Object{"criteria": []rig.Object{{"id": "Ville", "value": mark(kind, i)}}})
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// change changes a product that stays, and returns the versions that it goes through.
func (p *past) change(ctx context.Context) (tags []string, err error) {
	id := p.kept[0]
	for price := range keptChanges {
		body := rig.Object{"product_id": id, "criteria": []rig.Object{{"id": "Prix", "value": price + 1}}}
		if err := p.client.Do(ctx, p.writes.Address, 1, http.MethodPatch, product(id), body, nil); err != nil {
			return nil, err
		}
		got, err := p.client.Call(ctx, p.writes.Address, 1, http.MethodGet, product(id), nil)
		if err != nil {
			return nil, err
		}
		tags = append(tags, version(id, got))
	}
	return tags, nil
}

// version returns what writes over a product are compared by.
func version(id int64, got rig.Answer) string {
	of, _, _ := strings.Cut(strings.Trim(got.Header.Get("ETag"), `"`), "-")
	return fmt.Sprint(id, " ", of)
}

// found returns the products of a kind that a search of all finds.
func (p *past) found(ctx context.Context, server *rig.Process, kind string) (ids []int64, err error) {
	all, err := p.listed(ctx, server, 1)
	for _, one := range all {
		if strings.HasPrefix(one.City, kind) {
			ids = append(ids, one.ID)
		}
	}
	return ids, err
}

func (p *past) read(ctx context.Context, server *rig.Process, path string) (string, error) {
	got, err := p.client.Call(ctx, server.Address, 1, http.MethodGet, path, nil)
	return string(got.Body), err
}

// as asks a server with a token.
func (p *past) as(ctx context.Context, token string, server *rig.Process) (status int, err error) {
	got, err := p.client.CallWith(ctx, token, server.Address, http.MethodGet, "/site", nil)
	return got.Status, err
}

// requests counts what came to the webhook.
func (p *past) requests() map[string]int {
	n := map[string]int{}
	p.receiver.look("hook", func(in *inbox) {
		for id, r := range in.events {
			n[id] = r.requests
		}
	})
	return n
}

// again counts the events that came before the database went back and came again after it.
func (p *past) again() (n int) {
	for id, requests := range p.requests() {
		if before, known := p.heard[id]; known && requests > before {
			n++
		}
	}
	return n
}

// head returns the last event of the ledger.
func (p *past) head(ctx context.Context) (last int64, err error) {
	t, err := p.truth(ctx, p.writes)
	for id := range t.ledger[1] {
		last = max(last, id)
	}
	return last, err
}

// untold counts the products whose creation is not told to a client that knew lost events.
func (p *past) untold(ctx context.Context, ids []int64) (n int, err error) {
	news, err := p.ledgerAfter(ctx, p.remembers, 1, p.last)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(news, func(e entry) bool { return e.Type == "PRODUCT_CREATE" && e.Resource == id }) {
			n++
		}
	}
	return n, nil
}

// uncounted compares what a search counts with the rows of the database.
func (p *past) uncounted(ctx context.Context) (int, error) {
	rows, err := engine.Number(ctx, p.world.database, "SELECT count(*) FROM product")
	if err != nil {
		return 0, err
	}
	var counted struct {
		Count int `json:"count"`
	}
	err = p.client.Do(ctx, p.remembers.Address, 1, http.MethodPost, "/products/search/count", rig.Object{}, &counted)
	return max(rows-counted.Count, counted.Count-rows), err
}

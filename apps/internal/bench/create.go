package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// creating compares POST /products with a bare handler that stores the body as
// it is. Both have it on the disk when they answer. Products of one site take
// turns in its ledger; those of many sites do not.
func (b *bench) creating(ctx context.Context, w *world) error {
	server, err := b.stack(ctx, w, warmCache)
	if err != nil {
		return err
	}
	bare, err := b.bareServer(ctx, w)
	if err != nil {
		return err
	}
	if err := w.finishFill(ctx); err != nil {
		return err
	}
	bodies := creations(256, 30)
	for _, c := range []struct {
		name        string
		connections int
		sites       int
		goal        goal
		processed   goal
	}{
		{"create, 1 client ÷ bare insert", 1, 1, atLeast(0.6), goal{}},
		{"create, 16 clients on 64 sites ÷ bare insert", clients, writeSites, atLeast(0.45), atMost(1.2)},
		{"create, 16 clients on one site ÷ bare insert", clients, 1, atLeast(0.45), atMost(1.2)},
	} {
		ours := job{Address: server.address(), Connections: c.connections, Status: http.StatusCreated}
		theirs := job{Address: bare.address(), Connections: c.connections, Status: http.StatusCreated}
		for i, body := range bodies {
			token, err := server.token(ctx, firstWriteID+site.ID(i%c.sites))
			if err != nil {
				return err
			}
			ours.Requests = append(ours.Requests, wireRequest("POST", kernel.BasePath+"/products", token, body))
			theirs.Requests = append(theirs.Requests, wireRequest("POST", "/products", token, body))
		}
		meters := append(w.journalled(atMost(1.3)), w.processed(ctx, c.processed)...)
		if err := b.contest(ctx, w.name()+": "+c.name, c.goal, ours, theirs, meters...); err != nil {
			return err
		}
	}
	return nil
}

// updating compares PATCH /products/{id}, which stores a product anew, with a bare handler that
// stores the body in the row.
func (b *bench) updating(ctx context.Context, w *world) error {
	server, err := b.stack(ctx, w, warmCache)
	if err != nil {
		return err
	}
	bare, err := b.bareServer(ctx, w)
	if err != nil {
		return err
	}
	bodies := creations(256, 30)
	for _, c := range []struct {
		name        string
		connections int
		sites       int
	}{
		{"update, 1 client ÷ bare update", 1, 1},
		{"update, 16 clients on 64 sites ÷ bare update", clients, writeSites},
		{"update, 16 clients on one site ÷ bare update", clients, 1},
	} {
		ours := job{Address: server.address(), Connections: c.connections, Status: http.StatusNoContent}
		theirs := job{Address: bare.address(), Connections: c.connections, Status: http.StatusNoContent}
		for i, body := range bodies {
			if err := b.addChanges(ctx, server, bare, firstWriteID+site.ID(i%c.sites), body, &ours, &theirs); err != nil {
				return err
			}
		}
		if err := w.finishFill(ctx); err != nil {
			return err
		}
		if err := b.contest(ctx, w.name()+": "+c.name, goal{}, ours, theirs); err != nil {
			return err
		}
	}
	return nil
}

// addChanges creates a product and adds the requests that show it and that hide it. Each follows
// the other, so that every request changes the product, wherever a client begins.
func (b *bench) addChanges(ctx context.Context, server *stack, bare *bare, of site.ID, body []byte, ours, theirs *job) error {
	id, err := server.client.Create(ctx, server.address(), int(of), "/products", body)
	if err != nil {
		return err
	}
	token, err := server.token(ctx, of)
	if err != nil {
		return err
	}
	row, err := bare.insert(ctx, body)
	if err != nil {
		return err
	}
	for _, status := range []bool{true, false} {
		text := bytes.Replace(body, fmt.Appendf(nil, `"web_status":%t`, !status), fmt.Appendf(nil, `"web_status":%t`, status), 1)
		text = append(fmt.Appendf(nil, `{"product_id":%d,`, id), text[1:]...)
		ours.Requests = append(ours.Requests, wireRequest("PATCH", kernel.BasePath+"/products/"+strconv.FormatInt(id, 10), token, text))
		theirs.Requests = append(theirs.Requests, wireRequest("PATCH", "/products/"+strconv.FormatInt(row, 10), token, text))
	}
	return nil
}

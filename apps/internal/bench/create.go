package main

import (
	"context"
	"net/http"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/site"
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
	if err := w.settle(ctx); err != nil {
		return err
	}
	bodies := creations(256, 30)
	for _, c := range []struct {
		name        string
		connections int
		sites       int
		goal        goal
	}{
		{"create, 1 client ÷ bare insert", 1, 1, atLeast(0.6)},
		{"create, 16 clients on 64 sites ÷ bare insert", clients, writeSites, atLeast(0.45)},
		{"create, 16 clients on one site ÷ bare insert", clients, 1, atLeast(0.45)},
	} {
		ours := job{Address: server.address(), Connections: c.connections, Status: http.StatusCreated}
		theirs := job{Address: bare.address(), Connections: c.connections, Status: http.StatusCreated}
		for i, body := range bodies {
			token, err := server.token(ctx, firstWriteID+site.ID(i%c.sites))
			if err != nil {
				return err
			}
			ours.Requests = append(ours.Requests, wireRequest("POST", api.BasePath+"/products", token, body))
			theirs.Requests = append(theirs.Requests, wireRequest("POST", "/products", token, body))
		}
		if err := b.contest(ctx, w.name()+": "+c.name, w.goal(c.goal), ours, theirs); err != nil {
			return err
		}
	}
	return nil
}

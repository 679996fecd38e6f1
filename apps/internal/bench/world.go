package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// The sites of a world: a network, an agency, and some that are written to.
const (
	bigID, smallID site.ID = 1, 2
	firstWriteID   site.ID = 101
	writeSites             = 64
)

// world is a database with the sites that are measured in it.
type world struct {
	engine
	store  *sqlstore.Store
	client *rig.Client
	// ids are the products of the big site, and smallIDs those of the small one.
	ids, smallIDs []int64
	// stacks are the servers under test, by their options, and bare is the one
	// to compare them with, once somebody asked for them.
	stacks map[string]*stack
	bare   *bare
}

func newWorld(ctx context.Context, e engine, products int) (*world, error) {
	if err := e.create(ctx); err != nil {
		return nil, err
	}
	w := &world{engine: e, client: rig.NewClient(clientID, clientSecret, 0), stacks: map[string]*stack{}}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var err error
	database := config.Database{Database: e.database(), Connections: connections}
	if w.store, err = rig.Provision(ctx, database, clientID, clientSecret, sites(products), log); err != nil {
		return w, err
	}
	if w.ids, err = fill(ctx, w.store, bigID, products); err != nil {
		return w, err
	}
	if w.smallIDs, err = fill(ctx, w.store, smallID, smallSite); err != nil {
		return w, err
	}
	return w, e.finishFill(ctx)
}

func (w *world) close(ctx context.Context) error {
	var err error
	if w.bare != nil {
		err = w.bare.close()
	}
	if w.store != nil {
		err = errors.Join(err, w.store.Close())
	}
	return errors.Join(err, w.drop(ctx))
}

// discarded returns a log like that of a server, which nobody reads.
func discarded() *slog.Logger {
	return wire.Logger(config.Logging{LogLevel: "info", LogFormat: "json"}, io.Discard)
}

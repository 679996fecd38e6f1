package main

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"log/slog"
	"os"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// The sites of a world: a network, an agency, and some that are written to.
const (
	bigID, smallID site.ID = 1, 2
	firstWriteID   site.ID = 101
	writeSites             = 64
)

// secrets are those of a world that has nothing to hide.
var secrets = config.Secrets{SecretKey: base64.StdEncoding.EncodeToString(make([]byte, 32))}

// world is a database with the sites that are measured in it.
type world struct {
	engine
	store *sqlstore.Store
	// ids are the products of the big site.
	ids []int64
	// stacks are the servers under test, by their options, and bare is the one
	// to compare them with, once somebody asked for them.
	stacks map[string]*stack
	bare   *bare
}

func newWorld(ctx context.Context, e engine, products int) (*world, error) {
	if err := e.create(ctx); err != nil {
		return nil, err
	}
	w := &world{engine: e, stacks: map[string]*stack{}}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	var err error
	if w.store, err = wire.OpenStore(ctx, config.Database{Database: e.database(), Connections: connections}, log); err != nil {
		return w, err
	}
	if err := w.store.Migrate(ctx); err != nil {
		return w, err
	}
	service, err := wire.Service(ctx, w.store, secrets, siteapi.Options{})
	if err != nil {
		return w, err
	}
	if _, err := service.Provision(ctx, setup(products)); err != nil {
		return w, err
	}
	if w.ids, err = fill(ctx, w.store, bigID, products); err != nil {
		return w, err
	}
	if _, err := fill(ctx, w.store, smallID, smallSite); err != nil {
		return w, err
	}
	return w, e.settle(ctx)
}

func (w *world) close() error {
	var err error
	if w.bare != nil {
		err = w.bare.close()
	}
	if w.store != nil {
		err = errors.Join(err, w.store.Close())
	}
	// The context of the run may be over; the database goes all the same.
	return errors.Join(err, w.drop(context.Background()))
}

// discarded is a log like that of a server, which nobody reads.
func discarded() *slog.Logger {
	return wire.Logger(config.Logging{LogLevel: "info", LogFormat: "json"}, io.Discard)
}

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

const (
	clientID     = "chaos"
	clientSecret = "chaos-secret"
)

// world is a database with some sites, and the servers on it.
type world struct {
	postgres *rig.Postgres // nil for SQLite
	// passing is that its cluster is of this trial, and goes with it.
	passing  bool
	database string // as the server is told
	folder   string
	sites    int
	// vocabulary is that of a site.
	vocabulary func(site int) []transfer.SetupCriterion
	servers    []*rig.Process
}

// world makes a database with so many sites, each with one agency.
func (c *chaos) world(ctx context.Context, engine string, sites int) (*world, error) {
	w, err := c.emptyWorld(sites)
	if err != nil {
		return nil, err
	}
	w.database = filepath.Join(w.folder, "vitrine.db")
	if engine == "postgres" {
		if err := w.create(ctx, c.Postgres); err != nil {
			return nil, err
		}
	}
	return w, w.provision(ctx)
}

// worldIn makes one in a cluster of this trial.
func (t *trial) worldIn(ctx context.Context, server string, sites int) (*world, error) {
	w, err := t.emptyWorld(sites)
	if err != nil {
		return nil, err
	}
	w.passing = true
	if err := w.create(ctx, server); err != nil {
		return nil, err
	}
	return w, w.provision(ctx)
}

func (c *chaos) emptyWorld(sites int) (*world, error) {
	c.worlds++
	w := &world{sites: sites, vocabulary: vocabulary, folder: filepath.Join(c.folder, fmt.Sprintf("vitrine_chaos_%d_%d", os.Getpid(), c.worlds))}
	return w, os.Mkdir(w.folder, 0o700)
}

// create makes the database in a cluster.
func (w *world) create(ctx context.Context, server string) error {
	w.postgres = &rig.Postgres{Server: server, Name: filepath.Base(w.folder)}
	w.database = w.postgres.URL()
	return w.postgres.Create(ctx)
}

// turn has servers that are started from now on reach the database by way of a host, and
// with settings.
func (w *world) turn(host string, settings map[string]string) {
	w.database = w.postgres.Through(host, settings)
}

// close ends the servers and drops the database.
func (w *world) close() error {
	var err error
	for _, s := range w.servers {
		err = errors.Join(err, s.Kill())
	}
	if w.postgres != nil && !w.passing {
		err = errors.Join(err, w.postgres.Drop(context.Background()))
	}
	return err
}

// connections counts the server's connections to its database. Workers of
// PostgreSQL itself, which vacuum it, are none.
func (w *world) connections(ctx context.Context) (n int, err error) {
	db, err := sql.Open("postgres", w.postgres.Server)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'", w.postgres.Name).Scan(&n)
	return n, err
}

// provision fills in sites.
func (w *world) provision(ctx context.Context) error { return w.provisionAs(ctx, "Agence") }

// provisionAs names the agencies anew.
func (w *world) provisionAs(ctx context.Context, agency string) error {
	store, err := w.fillAs(ctx, agency)
	if err != nil {
		return err
	}
	return store.Close()
}

// fill opens the database, with the sites in it.
func (w *world) fill(ctx context.Context) (*sqlstore.Store, error) { return w.fillAs(ctx, "Agence") }

func (w *world) fillAs(ctx context.Context, agency string) (*sqlstore.Store, error) {
	var sites []transfer.SetupSite
	for id := int64(1); id <= int64(w.sites); id++ {
		sites = append(sites, transfer.SetupSite{
			ID: id, Name: fmt.Sprint("Site ", id), SetupVocabulary: transfer.SetupVocabulary{Criteria: w.vocabulary(int(id))},
			Agencies: []transfer.SetupAgency{{ID: id, Name: fmt.Sprint(agency, " ", id)}},
		})
	}
	database := config.Database{Database: w.database, Connections: 2}
	return rig.Provision(ctx, database, clientID, clientSecret, sites, slog.New(slog.DiscardHandler))
}

// vocabulary returns what the writers write: a mark in Ville, and ever higher prices.
func vocabulary(int) []transfer.SetupCriterion {
	return []transfer.SetupCriterion{
		{ID: 1, Key: "Statut", Type: "UNIQUE", Label: "Statut", Values: []transfer.SetupChoice{{ID: 1, Model: "EnCours", Label: "En cours"}}},
		{ID: 2, Key: "Prix", Type: "NUMBER", Label: "Prix"},
		{ID: 3, Key: "Ville", Type: "TEXT", Label: "Ville"},
	}
}

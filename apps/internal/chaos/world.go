package main

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"

	_ "github.com/lib/pq" // databases are made and looked at with it

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

const (
	clientID     = "chaos"
	clientSecret = "chaos-secret"
)

// world is a database with some sites, and the servers on it.
type world struct {
	engine   string
	admin    string // the URL to make and drop databases with; empty for SQLite
	name     string
	database string // as the server is told
	folder   string
	sites    int
	servers  []*server
}

// world makes a database with so many sites, each with one agency.
func (c *chaos) world(ctx context.Context, engine string, sites int) (*world, error) {
	c.worlds++
	w := &world{engine: engine, sites: sites, name: fmt.Sprintf("vitrine_chaos_%d_%d", os.Getpid(), c.worlds)}
	w.folder = filepath.Join(c.folder, w.name)
	if err := os.Mkdir(w.folder, 0o700); err != nil {
		return nil, err
	}
	w.database = filepath.Join(w.folder, "vitrine.db")
	if engine == "postgres" {
		w.admin = c.postgres
		if err := execute(ctx, w.admin, "CREATE DATABASE "+w.name); err != nil {
			return nil, err
		}
		u, err := url.Parse(c.postgres)
		if err != nil {
			return nil, err
		}
		u.Path = "/" + w.name
		w.database = u.String()
	}
	return w, w.provision(ctx)
}

// through is the database as seen by way of another address, with settings.
func (w *world) through(address string, settings map[string]string) string {
	u, err := url.Parse(w.database)
	if err != nil {
		return w.database // whoever connects there says what is wrong with it
	}
	if address != "" {
		u.Host = address
	}
	query := u.Query()
	for name, value := range settings {
		query.Set(name, value)
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// close ends the servers and drops the database.
func (w *world) close() error {
	var err error
	for _, s := range w.servers {
		err = errors.Join(err, s.kill())
	}
	if w.admin != "" {
		err = errors.Join(err, execute(context.Background(), w.admin, "DROP DATABASE IF EXISTS "+w.name+" WITH (FORCE)"))
	}
	return err
}

// connections counts the server's connections to its database. Workers of
// PostgreSQL itself, which vacuum it, are none.
func (w *world) connections(ctx context.Context) (n int, err error) {
	db, err := sql.Open("postgres", w.admin)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'", w.name).Scan(&n)
	return n, err
}

func execute(ctx context.Context, database, statement string) error {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, statement)
	return err
}

// secrets are what every database of a trial is kept under.
var secrets = config.Secrets{SecretKey: base64.StdEncoding.EncodeToString(make([]byte, 32))}

// provision fills in sites and a credential that may do everything.
func (w *world) provision(ctx context.Context) error {
	log := slog.New(slog.DiscardHandler)
	store, err := wire.ReadyStore(ctx, config.Database{Database: w.database, Connections: 2}, secrets, log)
	if err != nil {
		return err
	}
	defer store.Close()
	service, err := wire.Service(ctx, store, secrets, siteapi.Options{})
	if err != nil {
		return err
	}
	all := []string{"all"}
	credential := siteapi.SetupCredential{ID: clientID, Secret: clientSecret, Packs: all, Permissions: all, Rights: all}
	described := siteapi.Setup{}
	for id := int64(1); id <= int64(w.sites); id++ {
		credential.Sites = append(credential.Sites, id)
		described.Sites = append(described.Sites, siteapi.SetupSite{
			ID: id, Name: fmt.Sprint("Site ", id), Criteria: vocabulary(),
			Agencies: []siteapi.SetupAgency{{ID: id, Name: fmt.Sprint("Agence ", id)}},
		})
	}
	described.Credentials = []siteapi.SetupCredential{credential}
	_, err = service.Provision(ctx, described)
	return err
}

// vocabulary is what the writers write: a mark in Ville, and ever higher prices.
func vocabulary() []siteapi.SetupCriterion {
	return []siteapi.SetupCriterion{
		{ID: 1, Key: "Statut", Type: "UNIQUE", Label: "Statut", Values: []siteapi.SetupChoice{{ID: 1, Model: "EnCours", Label: "En cours"}}},
		{ID: 2, Key: "Prix", Type: "NUMBER", Label: "Prix"},
		{ID: 3, Key: "Ville", Type: "TEXT", Label: "Ville"},
	}
}

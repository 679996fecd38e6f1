package rig

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/url"

	_ "github.com/lib/pq" // databases are made and looked at with it

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Postgres is a database of a run, on a server that is there.
type Postgres struct {
	Server string // the URL of another database there
	Name   string
}

// Create makes the database.
func (p Postgres) Create(ctx context.Context) error {
	return Execute(ctx, p.Server, "CREATE DATABASE "+p.Name)
}

// Drop drops the database, even with connections to it.
func (p Postgres) Drop(ctx context.Context) error {
	return Execute(ctx, p.Server, "DROP DATABASE IF EXISTS "+p.Name+" WITH (FORCE)")
}

// URL returns where the database is.
func (p Postgres) URL() string { return p.Through("", nil) }

// Through returns the database as seen by way of another host, unless that is empty,
// and with settings.
func (p Postgres) Through(host string, settings map[string]string) string {
	u, err := url.Parse(p.Server)
	if err != nil {
		return p.Server // connecting fails with what is wrong with it
	}
	if u.Path = "/" + p.Name; host != "" {
		u.Host = host
	}
	query := u.Query()
	for name, value := range settings {
		query.Set(name, value)
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// Execute runs a statement in the database at a URL.
func Execute(ctx context.Context, database, statement string) error {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, statement)
	return err
}

// Secrets are what the databases of all runs are kept under, which have nothing
// to hide.
var Secrets = config.Secrets{SecretKey: base64.StdEncoding.EncodeToString(make([]byte, 32))}

// Provision opens a new database and fills in some sites, and a credential that
// may do everything on all of them.
func Provision(ctx context.Context, c config.Database, id, secret string, sites []transfer.SetupSite, log *slog.Logger) (*sqlstore.Store, error) {
	store, err := wire.ReadyStore(ctx, c, Secrets, log)
	if err != nil {
		return nil, err
	}
	service, err := wire.Service(ctx, store, Secrets, kernel.Options{})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	all := []string{"all"}
	credential := transfer.SetupCredential{ID: id, Secret: secret, Name: id, Packs: all, Permissions: all, Rights: all}
	for _, s := range sites {
		credential.Sites = append(credential.Sites, s.ID)
	}
	if _, err := service.Transfer.Provision(ctx, transfer.Setup{Sites: sites, Credentials: []transfer.SetupCredential{credential}}); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

type migrate struct {
	config.Database `group:"database"`
	config.Logging  `group:"logs"`
	Status          bool `help:"List the migrations and whether they are applied, and apply none."`
	terminal.Listing
}

type migrationRecord struct {
	Version int64 `json:"version"`
	// Name is empty if a later version of the program applied it.
	Name    string     `json:"name,omitempty"`
	Status  string     `json:"status"`
	Applied *time.Time `json:"applied_at"`
}

var migrationColumns = []terminal.Column[migrationRecord]{
	{Title: "version", Of: func(r migrationRecord) string { return fmt.Sprintf("%05d", r.Version) }},
	{Title: "name", Of: func(r migrationRecord) string { return cmp.Or(r.Name, "(of a later version)") }},
	{Title: "status", Of: func(r migrationRecord) string { return r.Status }},
	{Title: "applied", Of: func(r migrationRecord) string { return minute(r.Applied) }},
}

// Run applies the migrations that are missing.
func (c *migrate) Run(ctx context.Context) error {
	if c.Status {
		return c.status(ctx)
	}
	store, err := wire.OpenStore(ctx, c.Database, wire.Logger(c.Logging, os.Stderr))
	if err != nil {
		return err
	}
	return errors.Join(c.migrate(ctx, store), store.Close())
}

// migrate applies them, and prints from where to where the tables went.
func (c *migrate) migrate(ctx context.Context, store *sqlstore.Store) error {
	before, err := store.Migrations(ctx)
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	after, err := store.Migrations(ctx)
	if err == nil {
		_, err = fmt.Println(went(c.Database, before, after))
	}
	return err
}

func went(database config.Database, before, after []sqlstore.Migration) string {
	pending := slices.DeleteFunc(slices.Clone(before), func(m sqlstore.Migration) bool { return !m.Pending() })
	applied := slices.DeleteFunc(slices.Clone(before), sqlstore.Migration.Pending)
	all := wire.AllApplied(database, after)
	switch {
	case len(pending) == 0:
		return "There was nothing to do: " + all + "."
	case len(applied) == 0:
		return "The tables are made: " + all + "."
	}
	return fmt.Sprintf("The tables went from %05d to %05d by %d migrations: %s.", applied[len(applied)-1].Version, after[len(after)-1].Version, len(pending), all)
}

func (c *migrate) status(ctx context.Context) error {
	store, err := wire.OpenToLook(ctx, c.Database, func(string) {})
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is not there yet: vitrine migrate makes it", c.Shown())
	}
	if err != nil {
		return err
	}
	defer store.Close()
	all, err := store.Migrations(ctx)
	if err != nil {
		return err
	}
	records := []migrationRecord{}
	for _, m := range all {
		records = append(records, migrationOf(m))
	}
	return terminal.List(c.Listing, os.Stdout, records, migrationColumns...)
}

func migrationOf(m sqlstore.Migration) migrationRecord {
	r := migrationRecord{Version: m.Version, Status: "pending"}
	if m.Known() {
		r.Name = m.Name[len("00000_"):]
	}
	if !m.Pending() {
		r.Status, r.Applied = "applied", &m.Applied
	}
	return r
}

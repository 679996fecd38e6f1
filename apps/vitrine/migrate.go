package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"text/tabwriter"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

type migrate struct {
	config.Database `group:"database"`
	config.Logging  `group:"logs"`
	Status          bool `help:"List the migrations and whether they are applied, and apply none."`
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
	return errors.Join(store.Migrate(ctx), store.Close())
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
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, m := range all {
		fmt.Fprintf(table, "%05d\t%s\t%s\n", m.Version, nameOf(m), stateOf(m))
	}
	return table.Flush()
}

func nameOf(m sqlstore.Migration) string {
	if !m.Known() {
		return "(of a later version)"
	}
	return m.Name[len("00000_"):]
}

func stateOf(m sqlstore.Migration) string {
	if m.Pending() {
		return "pending"
	}
	return "applied " + m.Applied.Format(time.DateTime)
}

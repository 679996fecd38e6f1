package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

type database struct {
	Moved databaseMoved `cmd:"" help:"Say that the database was set back: that an older copy of it was put in its place. Every number that clients know is moved on."`
}

type databaseMoved struct {
	config.Database `group:"database"`
	config.Logging  `group:"logs"`
}

// Run moves on every number that was told. Servers may run meanwhile.
func (c *databaseMoved) Run(ctx context.Context) error {
	store, err := wire.OpenStore(ctx, c.Database, wire.Logger(c.Logging, os.Stderr))
	if err != nil {
		return err
	}
	if err := errors.Join(store.Moved(ctx), store.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(os.Stdout, "The sequences of ledgers, revisions and ids go on a million further.")
	return err
}

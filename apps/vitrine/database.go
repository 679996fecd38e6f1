package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

type database struct {
	Moved databaseMoved `cmd:"" help:"Say that the database was set back: that an older copy of it was put in its place. Every number that clients know is moved on."`
}

type databaseMoved struct {
	config.Database `group:"database"`
	config.Logging  `group:"logs"`
}

// Run moves on every number that was told. Servers may run meanwhile.
func (c *databaseMoved) Run(ctx context.Context) (err error) {
	d := data{Database: c.Database, Logging: c.Logging}
	store, err := d.open(ctx, d.notEmpty)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	// A log that the later file left is taken for that of the older one.
	damage, err := store.Damage(ctx)
	if err == nil && len(damage) > 0 {
		err = fmt.Errorf("%s is damaged: %s\nIf a log (-wal) of the later file was left beside it, it is a mixture of both: remove the file, its -wal and its -shm, and copy the older one again",
			c.Shown(), strings.Join(damage, "; "))
	}
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	if err := store.Moved(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintln(os.Stdout, "The sequences of ledgers, revisions and ids go on a million further.")
	return err
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// data is what commands that work on the database have in common.
type data struct {
	config.Database `group:"database"`
	config.Logging  `group:"logs"`
	config.Secrets  `group:"database"`
}

// existing runs a task on the service over a database that must be there: a
// mistyped name is not the beginning of a new one.
func (d data) existing(ctx context.Context, task func(*siteapi.Service) error) error {
	return d.with(ctx, task, d.notEmpty)
}

func (d data) notEmpty(c sqlstore.Content) error {
	if c == sqlstore.Empty {
		return fmt.Errorf("there is nothing in %s yet: name another database with --database, or run vitrine init or vitrine provision first", d.Shown())
	}
	return nil
}

// isAbsent reports whether the database is a file that is not there.
func (d data) isAbsent() bool {
	if d.Database.Database == "" || d.IsPostgres() {
		return false
	}
	_, err := os.Stat(d.Database.Database)
	return errors.Is(err, fs.ErrNotExist)
}

// open opens the database as it is, unless check objects to what it holds.
func (d data) open(ctx context.Context, check func(sqlstore.Content) error) (*sqlstore.Store, error) {
	if d.isAbsent() {
		// To open it would make the file.
		if err := check(sqlstore.Empty); err != nil {
			return nil, err
		}
	}
	store, err := wire.OpenStore(ctx, d.Database, wire.Logger(d.Logging, os.Stderr))
	if err != nil {
		return nil, err
	}
	content, err := store.Content(ctx)
	if err == nil {
		err = check(content)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// existingWith is existing, with a service of some options, made of what the
// database is for.
func (d data) existingWith(ctx context.Context, options func(environment string) kernel.Options, task func(*siteapi.Service) error) error {
	return d.withStore(ctx, d.notEmpty, func(store *sqlstore.Store) error {
		environment, err := wire.Environment(ctx, store)
		if err != nil {
			return err
		}
		service, err := wire.Service(ctx, store, d.Secrets, options(environment))
		if err != nil {
			return err
		}
		return task(service)
	})
}

// with runs a task on the service over the database, its schema up to date,
// unless check objects to what the database holds.
func (d data) with(ctx context.Context, task func(*siteapi.Service) error, check func(sqlstore.Content) error) error {
	return d.withStore(ctx, check, func(store *sqlstore.Store) error {
		service, err := wire.Service(ctx, store, d.Secrets, kernel.Options{})
		if err != nil {
			return err
		}
		return task(service)
	})
}

// withStore is with, for tasks that make a service of their own.
func (d data) withStore(ctx context.Context, check func(sqlstore.Content) error, task func(*sqlstore.Store) error) error {
	store, err := d.open(ctx, check)
	if err != nil {
		return err
	}
	defer store.Close()
	if err := wire.CheckKey(ctx, store, d.Secrets); err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	return task(store)
}

func printJSON(v any) error { return terminal.JSON(os.Stdout, v) }

type provision struct {
	data
	PepperFrom string `secret:"" placeholder:"DATABASE" help:"Take the key under which secrets and tokens are hashed from this database, a cell of the same network; for a database that is new."`
	File       string `arg:"" type:"existingfile" help:"YAML file; docs/operating/provisioning.md describes it."`
}

// Run carries out the file and prints what changed.
func (c *provision) Run(ctx context.Context) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := wire.CheckKeyFirst(ctx, c.Database, c.Secrets); err != nil {
		return err
	}
	described, err := read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	from, err := c.pepperFrom(ctx)
	if err != nil {
		return err
	}
	if from != nil {
		defer from.Close()
	}
	tried := sync.OnceValue(func() error { return c.try(ctx, described) })
	check := func(content sqlstore.Content) error {
		if content != sqlstore.Empty {
			return nil
		}
		return tried()
	}
	return c.orNothing(ctx, check, func(store *sqlstore.Store) error {
		if from != nil {
			if err := wire.AdoptPepper(ctx, from, store, c.Secrets); err != nil {
				return err
			}
		}
		s, err := wire.Service(ctx, store, c.Secrets, kernel.Options{})
		if err != nil {
			return err
		}
		done, err := s.Transfer.Provision(ctx, described)
		if err != nil {
			return err
		}
		return printJSON(map[string]int{"added": done.Added, "changed": done.Changed, "unchanged": done.Unchanged})
	})
}

// triedProducts is how many products of a list are tried before there is a database. No product
// refers to a later one.
const triedProducts = 1000

// try carries a setup out in a database that is thrown away, so that none is made for one that
// is wrong.
func (c *provision) try(ctx context.Context, described transfer.Setup) error {
	folder, err := os.MkdirTemp("", "vitrine-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	tried := *c
	tried.Database = config.Database{Database: filepath.Join(folder, "tried.db")}
	described.Sites = slices.Clone(described.Sites)
	for i := range described.Sites {
		described.Sites[i].MoreProducts = first(described.Sites[i].MoreProducts, triedProducts)
	}
	return tried.with(ctx, func(service *siteapi.Service) error {
		_, err := service.Transfer.Provision(ctx, described)
		return err
	}, anything)
}

// anything admits every content of a database.
func anything(sqlstore.Content) error { return nil }

// first returns the first of some products; nil for none.
func first(products iter.Seq2[transfer.SetupProduct, error], most int) iter.Seq2[transfer.SetupProduct, error] {
	if products == nil {
		return nil
	}
	return func(yield func(transfer.SetupProduct, error) bool) {
		left := most
		for p, err := range products {
			if left--; !yield(p, err) || left == 0 {
				return
			}
		}
	}
}

// orNothing is withStore for a task that may make the database. If it fails, a SQLite file that was
// not there before is removed, and so are the tables that were made in PostgreSQL, unless others
// use them by now.
func (d data) orNothing(ctx context.Context, check func(sqlstore.Content) error, task func(*sqlstore.Store) error) error {
	absent, empty := d.isAbsent(), false
	err := d.withStore(ctx, func(content sqlstore.Content) error {
		empty = content == sqlstore.Empty
		return check(content)
	}, task)
	switch {
	case err == nil:
		return nil
	case d.IsPostgres() && empty && !d.Pooled:
		return errors.Join(err, d.dropTables(context.WithoutCancel(ctx)))
	case !absent || d.isAbsent():
		return err
	}
	release, held := wire.HoldDatabase(d.Database)
	if held != nil {
		return err
	}
	release()
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", "-lock"} {
		if gone := os.Remove(d.Database.Database + suffix); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// dropTables drops the tables that were made for nothing, unless others are connected to them, or
// have made a site.
func (d data) dropTables(ctx context.Context) error {
	if wire.CheckAlone(ctx, d.Database) != nil {
		return nil
	}
	store, err := wire.OpenStore(ctx, d.Database, wire.Logger(d.Logging, os.Stderr))
	if err != nil {
		return err
	}
	defer store.Close()
	var sites []site.Site
	content, err := store.Content(ctx)
	if err == nil && content == sqlstore.Ours {
		err = store.View(ctx, func(tx port.Tx) (err error) {
			sites, err = tx.Sites().All()
			return err
		})
	}
	if err != nil || content != sqlstore.Ours || len(sites) > 0 {
		return err
	}
	return store.Drop(ctx)
}

// read reads a file of which products are read again, or a pipe, of which nothing can be.
func read(file *os.File) (transfer.Setup, error) {
	about, err := file.Stat()
	if err != nil {
		return transfer.Setup{}, err
	}
	if about.Mode().IsRegular() {
		return setup.Stream(file)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return transfer.Setup{}, err
	}
	return setup.Stream(bytes.NewReader(text))
}

// pepperFrom opens the database under whose key this one is to hash; nil if it has its own.
func (c *provision) pepperFrom(ctx context.Context) (*sqlstore.Store, error) {
	if c.PepperFrom == "" {
		return nil, nil
	}
	there := data{Database: config.Database{Database: c.PepperFrom, Connections: 1}}
	if there.isAbsent() { // to open it would make the file
		return nil, fmt.Errorf("--pepper-from: there is nothing in %s", there.Shown())
	}
	from, err := wire.OpenCell(ctx, there.Database, c.Secrets, false, wire.Logger(c.Logging, os.Stderr))
	if err != nil {
		return nil, fmt.Errorf("--pepper-from: %w", err)
	}
	return from, nil
}

type openapiDocument struct{}

// noStore is the store of a service of which only the table of operations is read.
type noStore struct{ port.Store }

// Run prints the document, which depends on nothing but the table.
func (openapiDocument) Run() error {
	service, err := wire.Describe(noStore{})
	if err != nil {
		return err
	}
	document, err := wire.Document(service)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(document)
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/cells"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

type move struct {
	config.Logging `group:"logs"`
	config.Secrets `group:"database"`
	From           string        `required:"" secret:"" help:"Database that has the sites: an SQLite file, or a postgres:// URL."`
	To             string        `required:"" secret:"" help:"Database that they go to; its tables are made if it is empty."`
	Site           int64         `help:"Site to move; without it everything moves, with operators and what they did."`
	FromPhotos     string        `placeholder:"URL" help:"Where the pictures of --from are kept, as --photos of its servers."`
	ToPhotos       string        `placeholder:"URL" help:"Where the pictures of --to are kept."`
	Domain         string        `placeholder:"URL" help:"Scheme and host of the servers over --to, which clients are then sent to; leave it out where a proxy sends them under the same one."`
	Redirect       time.Duration `default:"24h" help:"How long servers over --from tell where the sites are, an hour at the least; afterwards these are unknown there."`
	Abort          bool          `help:"Undo a move that was interrupted: the sites are open in --from again."`
}

// Run moves the sites, goes on with a move that was interrupted, or undoes it.
func (c *move) Run(ctx context.Context) error {
	if err := c.check(); err != nil {
		return err
	}
	from, err := c.open(ctx, c.From, false)
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	defer from.Close()
	sites, err := c.sites(ctx, from) // before --to is made
	if err != nil {
		return err
	}
	to, err := c.open(ctx, c.To, !c.Abort)
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	defer to.Close()
	m, err := c.between(ctx, from, to)
	if err != nil {
		return err
	}
	if c.Abort {
		return m.Abort(ctx, sites...)
	}
	defer func() { closeBlobs(m.From.Blobs, m.To.Blobs) }()
	if err := c.openPhotos(ctx, &m); err != nil {
		return err
	}
	err = m.Move(ctx, sites...)
	if _, refused := errors.AsType[cells.Refused](err); refused {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w\nRun the same command again to go on, or with --abort to undo it; until then sites may take no changes, or be closed", stoppedBy(err))
	}
	for _, id := range sites {
		fmt.Fprintf(os.Stdout, "site %d: in the maps of a proxy it is %d, and tokens of it begin with %s\n", id, id, access.TokenFor(id, ""))
	}
	return nil
}

func stoppedBy(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	return err
}

// check reports options that cannot be right.
func (c *move) check() error {
	if c.From == c.To {
		return errors.New("--from and --to are the same database")
	}
	if c.Redirect < 0 {
		return errors.New("--redirect cannot be negative")
	}
	if c.Domain == "" {
		return nil
	}
	at, err := url.Parse(c.Domain)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || at.Path != "" || at.RawQuery != "" {
		return errors.New("--domain is a scheme and a host, such as https://crm2.example.org")
	}
	return nil
}

func (c *move) open(ctx context.Context, database string, mayBeNew bool) (*sqlstore.Store, error) {
	at := c.database(database)
	if err := at.Understood(); err != nil {
		return nil, err
	}
	if _, err := os.Stat(database); !at.IsPostgres() && err != nil && !mayBeNew {
		return nil, err
	}
	return wire.OpenCell(ctx, at, c.Secrets, mayBeNew, wire.Logger(c.Logging, os.Stderr))
}

func (c *move) database(url string) config.Database {
	return config.Database{Database: url, Connections: 4}
}

// between returns the mover of two databases that sites can move between.
func (c *move) between(ctx context.Context, from, to *sqlstore.Store) (cells.Mover, error) {
	m := cells.New(from, to)
	m.Domain, m.Redirect, m.Installation = c.Domain, c.Redirect, c.Site == 0
	m.Log = func(format string, args ...any) { fmt.Fprintf(os.Stdout, format+"\n", args...) }
	if err := wire.SameSchema(ctx, from, to); err != nil {
		return m, err
	}
	if c.Abort {
		return m, nil
	}
	if err := wire.AdoptPepper(ctx, from, to, c.Secrets); err != nil {
		return m, err
	}
	return m, wire.SameEnvironment(ctx, from, to)
}

func (c *move) sites(ctx context.Context, from *sqlstore.Store) (ids []site.ID, err error) {
	err = from.View(ctx, func(tx port.Tx) error {
		ids = nil
		if c.Site != 0 {
			ids = []site.ID{site.ID(c.Site)}
			_, err := tx.Sites().Move(ids[0])
			if errors.Is(err, fault.NotFound) {
				err = fmt.Errorf("site %d: %w", c.Site, cells.NoSite)
			}
			return err
		}
		all, err := tx.Sites().All()
		for _, s := range all {
			ids = append(ids, s.ID)
		}
		return err
	})
	return ids, err
}

// openPhotos opens the places of pictures, as far as it is known where they are.
func (c *move) openPhotos(ctx context.Context, m *cells.Mover) error {
	for _, end := range []struct {
		end                  *cells.End
		photos, data, option string
	}{{&m.From, c.FromPhotos, c.From, "--from-photos"}, {&m.To, c.ToPhotos, c.To, "--to-photos"}} {
		place := config.Photos{Photos: end.photos, PhotosMemory: 512, PhotosSweepAge: time.Hour, PhotosOption: end.option}
		if _, err := place.Place(c.database(end.data)); errors.Is(err, config.ErrNoPlace) {
			continue // needed only where there are pictures
		}
		opened, err := wire.OpenPhotos(ctx, place, c.database(end.data), end.end.Store, prometheus.NewRegistry(), wire.Logger(c.Logging, os.Stderr))
		if err != nil {
			return fmt.Errorf("%s: %w", end.option, err)
		}
		end.end.Blobs = opened
	}
	return nil
}

func closeBlobs(blobs ...port.Blobs) {
	for _, b := range blobs {
		if opened, ok := b.(*wire.Photos); ok {
			_ = opened.Close()
		}
	}
}

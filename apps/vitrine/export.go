package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

type exportFile struct {
	data
	config.Photos
	Site      int64  `required:"" help:"Site whose listings are exported."`
	Agency    int64  `help:"Agency whose listings are exported; by default all of the site."`
	Format    string `enum:"poliris,openimmo,kyero,table,json,archive" default:"poliris" help:"What is written: ${enum}. An archive has everything of the site, for another database."`
	Out       string `required:"" type:"path" help:"File to write; that of an archive is compressed if its name ends in .gz."`
	PublicURL string `env:"VITRINE_PUBLIC_URL" placeholder:"URL" help:"Scheme and host of the server, under which pictures are found; without it there are none in the file."`
}

// Run writes the file, all of it or nothing.
func (c *exportFile) Run(ctx context.Context) error {
	if c.Format == archiveFormat {
		return c.archive(ctx)
	}
	return c.withStore(ctx, c.notEmpty, func(store *sqlstore.Store) error {
		service, err := wire.Service(ctx, store, c.Secrets, kernel.Options{Domain: c.PublicURL})
		if err != nil {
			return err
		}
		done := terminal.NewProgress(os.Stderr, "exporting listings", terminal.Unknown)
		n, err := export(ctx, service, transfer.Portfolio{Site: site.ID(c.Site), Agency: site.AgencyID(c.Agency)}, exchange.Format(c.Format), c.Out, done)
		done.End()
		if err == nil {
			fmt.Printf("%d listings\n", n)
		}
		return err
	})
}

// export writes the listings of a portfolio.
func export(ctx context.Context, service *siteapi.Service, of transfer.Portfolio, as exchange.Format, name string, done terminal.Counter) (n int, err error) {
	err = replace(name, 0o644, func(file io.Writer) error {
		w, err := exchange.NewWriter(file, as, false)
		if err != nil {
			return err
		}
		for e, err := range service.Transfer.Export(ctx, of) {
			if err == nil {
				err = w.Write(e)
			}
			if err != nil {
				return err
			}
			n++
			done.Add(1)
		}
		return w.Flush()
	})
	return n, err
}

// replace writes a file next to the one it then takes the place of: a program that fetches
// it meanwhile gets a whole one.
func replace(name string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s cannot be written: %w", name, failed.Err) // nobody knows the name of the other one
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	if err := errors.Join(write(file), file.Chmod(mode), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

type exportFile struct {
	data
	Site      int64  `required:"" help:"Site whose listings are exported."`
	Agency    int64  `help:"Agency whose listings are exported; by default all of the site."`
	Out       string `required:"" type:"path" help:"CSV file to write."`
	PublicURL string `env:"VITRINE_PUBLIC_URL" placeholder:"URL" help:"Scheme and host of the server, under which pictures are found; without it there are none in the file."`
}

// Run writes the file, all of it or nothing.
func (c *exportFile) Run(ctx context.Context) error {
	return c.withStore(ctx, c.notEmpty, func(store *sqlstore.Store) error {
		service, err := wire.Service(ctx, store, c.Secrets, api.Options{Domain: c.PublicURL})
		if err != nil {
			return err
		}
		n, err := export(ctx, service, transfer.Portfolio{Site: site.ID(c.Site), Agency: site.AgencyID(c.Agency)}, c.Out)
		if err == nil {
			fmt.Printf("%d listings\n", n)
		}
		return err
	})
}

// export writes a file beside the one it then takes the place of: whoever fetches
// it meanwhile gets a whole one.
func export(ctx context.Context, service *siteapi.Service, of transfer.Portfolio, name string) (n int, err error) {
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	w := exchange.NewWriter(file)
	for e, err := range service.Transfer.Export(ctx, of) {
		if err == nil {
			err = w.Write(e)
		}
		if err != nil {
			return 0, errors.Join(err, file.Close())
		}
		n++
	}
	if err := errors.Join(w.Flush(), file.Chmod(0o644), file.Close()); err != nil {
		return 0, err
	}
	return n, os.Rename(file.Name(), name)
}

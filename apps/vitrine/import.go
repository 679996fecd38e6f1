package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

type importFile struct {
	data
	oldKeys
	config.Photos
	File       string   `arg:"" type:"existingfile" help:"CSV, XLSX, XML or JSON file, or a ZIP archive of it and its pictures; or what vitrine export --format archive wrote."`
	Site       int64    `help:"Site the listings are for; an archive says itself which site it is."`
	Agency     agencies `placeholder:"ID" help:"Agency the listings are for; for a file of several, which is which by their codes in the file: CODE=ID,…"`
	Format     string   `enum:"auto,poliris,ac3,openimmo,kyero,table,json,archive" default:"auto" help:"Format of the file: ${enum}. An archive has a whole site, which must not be there."`
	Mapping    string   `type:"existingfile" placeholder:"FILE" help:"What the headings of a table mean, where they are not known: a YAML file with lines such as Prix de vente: Prix."`
	Unreadable string   `enum:"off,on" default:"off" help:"Whether a new listing whose price, type or place could not be read is on the web (on), or only after somebody looked at it (off)."`
	Withdraw   string   `enum:"no,off_web,delete" default:"no" help:"What becomes of a listing that the file says is gone: its product is taken off the web (off_web) or deleted (delete), or nothing is done (no)."`
	DryRun     bool     `help:"Say what would change, and write nothing."`
}

// Run imports the file and prints what that did.
func (c *importFile) Run(ctx context.Context) error {
	if c.Format == archiveFormat {
		return c.archive(ctx)
	}
	if c.Site == 0 || !c.Agency.given() {
		return errors.New("say with --site and --agency whose the listings are")
	}
	format := exchange.Format(c.Format)
	if c.Format == "auto" {
		format = ""
	}
	if c.isAbsent() { // whoever needs a key for it does not need it yet
		return c.notEmpty(sqlstore.Empty)
	}
	if err := wire.CheckKeyFirst(ctx, c.Database, c.Secrets); err != nil {
		return err
	}
	file, err := c.open(format, exchange.NewWeb(webhook.Allowance{HTTP: true}))
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	defer file.Close()
	return c.withStore(ctx, c.notEmpty, func(store *sqlstore.Store) error {
		photos, err := wire.OpenPhotos(ctx, c.Photos, c.Database, store, prometheus.NewRegistry(), wire.Logger(c.Logging, os.Stderr))
		if err != nil {
			return err
		}
		defer photos.Close()
		service, err := wire.ServiceWithPhotos(ctx, photos, store, c.Secrets, kernel.Options{})
		if err != nil {
			return err
		}
		m := mover{
			service: service, to: transfer.Portfolio{Site: site.ID(c.Site), Agency: c.Agency.one}, agencies: c.Agency.byCode, unreadOnWeb: c.Unreadable == "on", dryRun: c.DryRun,
			out: os.Stdout, progress: func(total int) terminal.Counter { return progress(total, c.DryRun) },
		}
		if c.Withdraw != "no" {
			m.withdrawal = c.Withdraw
		}
		return m.run(ctx, file)
	})
}

// open opens the file, of a table with what its headings mean.
func (c *importFile) open(format exchange.Format, web *exchange.Web) (*exchange.File, error) {
	switch {
	case c.Mapping == "":
		return exchange.Open(c.File, format, web)
	case format != "" && format != exchange.Table:
		return nil, fmt.Errorf("only a table has a mapping, and this is to be read as %s", format)
	}
	content, err := os.ReadFile(c.Mapping)
	if err != nil {
		return nil, err
	}
	headings, err := exchange.ReadHeadings(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Mapping, err)
	}
	return exchange.OpenMapped(c.File, headings, web)
}

// progress shows how many listings are done, except in a dry run, where each listing
// has a line anyway.
func progress(total int, dryRun bool) terminal.Counter {
	if dryRun {
		return terminal.Silent{}
	}
	return terminal.NewProgress(os.Stderr, "importing listings", total)
}

// mover carries a file over.
type mover struct {
	service *siteapi.Service
	to      transfer.Portfolio
	// agencies are those of the codes of a file of several.
	agencies map[string]site.AgencyID
	// unreadOnWeb is transfer.Import.UnreadOnWeb.
	unreadOnWeb bool
	// withdrawal is transfer.Import.Withdrawal.
	withdrawal string
	dryRun     bool
	out        io.Writer
	progress   func(total int) terminal.Counter
}

// run goes through the file. However it ends, it prints what was done until then.
func (m mover) run(ctx context.Context, file *exchange.File) error {
	total, err := file.Count(ctx)
	if err != nil {
		return fmt.Errorf("reading the file, before anything was imported: %w", err)
	}
	into := m.service.Transfer.Import(m.to, m.dryRun)
	into.Agencies, into.UnreadOnWeb, into.Withdrawal = m.agencies, m.unreadOnWeb, m.withdrawal
	if err := into.CheckAgencies(file.Agencies()); err != nil {
		return err
	}
	bar := m.progress(total)
	report := newReport(total)
	report.unreadOnWeb = m.unreadOnWeb
	var failed error
	for done, err := range into.All(ctx, file.Listings(ctx)) {
		if place, beside := errors.AsType[exchange.Damage](err); beside {
			report.damaged = append(report.damaged, place.Error())
			continue
		}
		// Told to stop, it may leave pictures out, which a repetition adds.
		report.add(done, err == nil)
		if err != nil {
			failed = err
			continue // what was stored with it comes still
		}
		if m.dryRun {
			fmt.Fprintln(m.out, describe(done))
		}
		bar.Add(1)
	}
	bar.End()
	report.print(m.out, m.dryRun)
	if failed != nil {
		return stopped(failed, report.listings, total)
	}
	return report.left()
}

func stopped(err error, done, total int) error {
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted; run it again to go on")
	}
	return fmt.Errorf("after %d of %d listings: %w", done, total, err)
}

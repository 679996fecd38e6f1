package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// archiveFormat is the format of whole sites.
const archiveFormat = "archive"

// archive writes a site whole.
func (c *exportFile) archive(ctx context.Context) error {
	if c.Agency != 0 {
		return errors.New("an archive is of a whole site: --agency cannot be given with it")
	}
	if _, err := wire.ArchiveKeys(c.Secrets); err != nil {
		return err
	}
	c.PhotosRead = true
	return c.withStore(ctx, c.notEmpty, func(store *sqlstore.Store) error {
		photos, err := wire.OpenPhotos(ctx, c.Photos, c.Database, store, prometheus.NewRegistry(), wire.Logger(c.Logging, os.Stderr))
		if err != nil {
			return err
		}
		defer photos.Close()
		var done wire.Summary
		compressed := strings.HasSuffix(c.Out, ".gz") || strings.HasSuffix(c.Out, ".tgz")
		progress := terminal.NewProgress(os.Stderr, "exporting", terminal.Unknown)
		err = replace(c.Out, 0o600, func(file io.Writer) (err error) { // it is full of people
			done, err = wire.ExportSite(ctx, file, store, photos, c.Secrets, site.ID(c.Site), compressed, moved(progress))
			return err
		})
		progress.End()
		if err != nil {
			return interrupted(err, "no file was written")
		}
		return tell(os.Stdout, done)
	})
}

// archive brings a whole site in.
func (c *importFile) archive(ctx context.Context) error {
	if c.Agency.given() {
		return errors.New("an archive is of a whole site: --agency cannot be given with it")
	}
	older, err := c.parse()
	if err != nil {
		return err
	}
	keys, err := wire.ArchiveKeys(c.Secrets, older...)
	if err != nil {
		return err
	}
	if err := wire.CheckKeyFirst(ctx, c.Database, c.Secrets); err != nil {
		return err
	}
	content, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer content.Close()
	file, err := wire.OpenArchive(ctx, content, keys)
	if err != nil {
		return interrupted(fmt.Errorf("%s: %w", c.File, err), "nothing was imported")
	}
	if c.Site != 0 && site.ID(c.Site) != file.Site() {
		return fmt.Errorf("%s is the archive of site %d, not of site %d", c.File, file.Site(), c.Site)
	}
	err = c.withStore(ctx, func(content sqlstore.Content) error {
		if c.DryRun && content == sqlstore.Empty {
			return errRoom
		}
		return nil
	}, func(store *sqlstore.Store) error {
		if c.DryRun {
			_, err := wire.ImportSite(ctx, store, nil, c.Secrets, file, true, func(wire.Summary) {})
			return cmp.Or(err, errRoom)
		}
		photos, err := wire.OpenPhotos(ctx, c.Photos, c.Database, store, prometheus.NewRegistry(), wire.Logger(c.Logging, os.Stderr))
		if err != nil {
			return err
		}
		defer photos.Close()
		progress := terminal.NewProgress(os.Stderr, "importing", file.End.Rows+file.End.Pictures)
		done, err := wire.ImportSite(ctx, store, photos, c.Secrets, file, false, moved(progress))
		progress.End()
		if err != nil {
			return fmt.Errorf("nothing was imported: %w", interrupted(err, "run it again to begin anew"))
		}
		return tell(os.Stdout, done)
	})
	if errors.Is(err, errRoom) {
		fmt.Printf("A dry run: nothing was written. There is room for site %d with ", file.Site())
		return tell(os.Stdout, wire.Summary{Records: file.End.Rows, Pictures: file.End.Pictures})
	}
	return err
}

// errRoom ends a dry run that found nothing to object to.
var errRoom = errors.New("there is room")

// interrupted says so when somebody stopped it, and what that means.
func interrupted(err error, consequence string) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted: %s", consequence)
	}
	return err
}

// moved shows how many records and pictures are done.
func moved(p *terminal.Progress) wire.Progress {
	return func(done wire.Summary) { p.Set(done.Records + done.Pictures) }
}

// tell prints what was done.
func tell(to io.Writer, done wire.Summary) error {
	line := fmt.Sprintf("%d records, %d pictures\n", done.Records, done.Pictures)
	if done.Lost > 0 {
		line += fmt.Sprintf("%d more pictures are lost: there is a record of each, and its content is not where pictures are kept, or is another one\n", done.Lost)
	}
	_, err := io.WriteString(to, line)
	return err
}

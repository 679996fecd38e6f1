package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/vitrine-crm/vitrine/adapters/backup"
	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/terminal"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

type backUp struct {
	config.Database `group:"database"`
	config.Photos   `group:"pictures"`
	File            string `arg:"" type:"path" help:"File to write; compressed if its name ends in .gz or .tgz."`
}

// Run writes the file, all of it or nothing. It needs no key: what is sealed stays so.
func (c *backUp) Run(ctx context.Context) error {
	compressed := strings.HasSuffix(c.File, ".gz") || strings.HasSuffix(c.File, ".tgz")
	progress := terminal.NewProgress(os.Stderr, "backing up", terminal.Unknown)
	var done wire.Summary
	err := replace(c.File, 0o600, func(file io.Writer) (err error) { // it is full of people
		done, err = wire.Backup(ctx, file, c.Database, c.Photos, buildinfo.Read().String(), compressed, moved(progress))
		return err
	})
	progress.End()
	if ctx.Err() == nil {
		if unnoted := wire.NoteBackup(ctx, c.Database, err); unnoted != nil && err == nil {
			fmt.Fprintf(os.Stderr, "the backup is made, but alerts do not know of it: %v\n", unnoted)
		}
	}
	if err != nil {
		return interrupted(err, "no file was written")
	}
	return tell(os.Stdout, done)
}

type restore struct {
	config.Database `group:"database"`
	config.Secrets  `group:"database"`
	config.Photos   `group:"pictures"`
	File            string `arg:"" type:"existingfile" help:"File that vitrine backup wrote."`
}

// Run checks the file whole, and then restores all of it or nothing.
func (c *restore) Run(ctx context.Context) error {
	content, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer content.Close()
	if err := wire.CheckRestoreKey(content, c.Secrets); err != nil {
		return fmt.Errorf("%s: nothing was restored: %w", c.File, err)
	}
	file, err := backup.Open(ctx, content)
	if err != nil {
		return interrupted(fmt.Errorf("%s: %w", c.File, err), "nothing was restored")
	}
	progress := terminal.NewProgress(os.Stderr, "restoring", file.End.Rows+file.End.Pictures)
	done, err := wire.Restore(ctx, file, c.Database, c.Photos, c.Secrets, moved(progress))
	progress.End()
	if err != nil {
		return interrupted(err, "run it again to begin anew")
	}
	return tell(os.Stdout, done)
}

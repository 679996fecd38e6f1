package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/apps/internal/transcript"
)

// anyMomentPage is whose commands are entered.
const anyMomentPage = "docs/operating/any-moment.md"

// goingBackToAMoment does what the page says: archives, and restores to a moment.
func goingBackToAMoment(ctx context.Context, t *trial) (j journey, err error) {
	page, err := os.ReadFile(anyMomentPage)
	if err != nil {
		return j, skip("run it from the top of the repository: " + err.Error())
	}
	folder, err := t.host.Folder("archive")
	if err != nil {
		return j, err
	}
	home, err := t.host.Folder("primary")
	if err != nil {
		return j, err
	}
	// The configuration of the page, as variables: it names folders of a machine.
	data, repository := filepath.Join(home, "data"), filepath.Join(folder, "repository")
	t.host.Env = []string{
		"PGBACKREST_CONFIG=/dev/null", "PGBACKREST_REPO1_PATH=" + repository, "PGBACKREST_REPO1_RETENTION_FULL=4", "PGBACKREST_START_FAST=y",
		"PGBACKREST_LOCK_PATH=" + folder, "PGBACKREST_LOG_PATH=" + folder, "PGBACKREST_SPOOL_PATH=" + folder,
		"PGBACKREST_PG1_SOCKET_PATH=" + home, "PGBACKREST_PG1_USER=vitrine", "PGBACKREST_PG1_DATABASE=postgres", "PGBACKREST_PG1_PATH=" + data,
	}
	settings, err := shownSettings(string(page))
	if err != nil {
		return j, err
	}
	primary, err := t.host.NewPostgresIn(ctx, home, settings...)
	if err != nil {
		return j, err
	}
	t.host.Env = append(t.host.Env, "PGBACKREST_PG1_PORT="+primary.Port())
	if j.world, err = t.worldIn(ctx, primary.URL("postgres"), 1); err != nil {
		return j, err
	}
	way, err := t.led(ctx, j.world, primary.Address)
	if err != nil {
		return j, err
	}
	p := pageOf{t: t, text: string(page), folder: folder}
	if err := p.enter(ctx, "Begin"); err != nil {
		return j, err
	}
	var moment string
	j.keep = func(ctx context.Context) error {
		if err := p.enter(ctx, "Every day"); err != nil {
			return err
		}
		// Both ends of a second of their own.
		rig.Wait(ctx, time.Second)
		moment, err = text(ctx, primary.URL("postgres"), "SELECT to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS.USOF')")
		rig.Wait(ctx, time.Second)
		return err
	}
	j.back = func(ctx context.Context) ([]figure, error) {
		if err := primary.Stop(engine.Fast); err != nil {
			return nil, err
		}
		restored, err := rig.FreeAddress()
		if err != nil {
			return nil, err
		}
		data := filepath.Join(folder, "restored")
		t.host.AtClose(func() error {
			_, err := t.host.Run(context.Background(), "pg_ctl", "--pgdata="+data, "--mode=immediate", "--wait", "stop")
			return err
		})
		began := time.Now()
		err = p.enter(ctx, "Go back", "/srv/postgres/restored", data, "2026-11-23 07:30:00+00", moment, "-p 5433", "-p "+portOf(restored))
		if err != nil {
			return nil, err
		}
		took := time.Since(began)
		if err := t.pretend(ctx, j.world.postgres.Through(restored, nil)); err != nil {
			return nil, err
		}
		way.turn(restored)
		size, err := engine.Number(ctx, j.world.postgres.Through(restored, nil), "SELECT sum(pg_database_size(oid)) FROM pg_database")
		return []figure{milliseconds("restoring took", took), told("... of a cluster of", float64(size)/1e6, "MB")}, err
	}
	return j, nil
}

func portOf(address string) string { return address[strings.LastIndex(address, ":")+1:] }

// shownSettings returns the lines of postgresql.conf that the page shows.
func shownSettings(page string) ([]string, error) {
	part, err := transcript.Section(page, "What is archived")
	if err != nil {
		return nil, err
	}
	_, block, _ := strings.Cut(part, "\n```\n")
	block, _, found := strings.Cut(block, "\n```\n")
	if !found || !strings.Contains(block, "archive_command") {
		return nil, fmt.Errorf("%s shows no settings", anyMomentPage)
	}
	return strings.Split(block, "\n"), nil
}

// pageOf is a page whose commands are entered.
type pageOf struct {
	t            *trial
	text, folder string
}

// enter enters the commands of a section, with some words instead of others.
func (p pageOf) enter(ctx context.Context, section string, instead ...string) error {
	part, err := transcript.Section(p.text, section)
	if err != nil {
		return err
	}
	blocks := transcript.Blocks(part)
	if len(blocks) == 0 {
		return fmt.Errorf("%s: nothing is done in %q", anyMomentPage, section)
	}
	programs, err := engine.Find("pg_controldata")
	if err != nil {
		return err
	}
	for _, b := range blocks {
		commands := strings.NewReplacer(instead...).Replace(b.Commands)
		// What goes on must not hold what the shell prints into.
		script := "set -e; PATH=" + filepath.Dir(programs) + ":$PATH; exec >>" + filepath.Join(p.folder, "entered.log") + " 2>&1\n" + commands
		if _, err := p.t.host.Run(ctx, "bash", "-c", script); err != nil {
			said, _ := os.ReadFile(filepath.Join(p.folder, "entered.log"))
			return fmt.Errorf("%s, %s: %w: %s", anyMomentPage, section, err, said[max(0, len(said)-2000):])
		}
	}
	return nil
}

// text returns what a query finds.
func text(ctx context.Context, database, query string) (found string, err error) {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, query).Scan(&found)
	return found, err
}

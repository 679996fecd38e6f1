package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// The sabotage of a database that went back, where the place comes from the timeline: one
// function stands before that of the engine, and always tells the same.
const sameTimeline = `CREATE FUNCTION public.pg_walfile_name(pg_lsn) RETURNS text LANGUAGE sql AS $$ SELECT '000000010000000000000001' $$`

// nowhere is where nobody listens.
const nowhere = "127.0.0.1:1"

// pretend has the database say that somebody moved the numbers on since it went back, so that
// no server holds what it says against what it knows.
func (t *trial) pretend(ctx context.Context, database string) error {
	if t.sabotage != constantPlace {
		return nil
	}
	return rig.Execute(ctx, database, "UPDATE lineage SET timeline = timeline + 1000")
}

// led has servers reach the database through a proxy, which can lead elsewhere.
func (t *trial) led(ctx context.Context, w *world, server string) (*proxy, error) {
	way, err := newProxy(server)
	if err != nil {
		return nil, err
	}
	t.host.AtClose(way.close)
	settings := map[string]string{}
	if t.sabotage == constantPlace {
		if err := rig.Execute(ctx, w.postgres.URL(), sameTimeline); err != nil {
			return nil, err
		}
		settings["search_path"] = "public,pg_catalog"
	}
	w.turn(way.address(), settings)
	return way, nil
}

// losingTheEnd promotes a standby that was cut off from what its primary did last.
func losingTheEnd(ctx context.Context, t *trial) (j journey, err error) {
	primary, err := t.host.NewPostgres(ctx, "primary")
	if err != nil {
		return j, err
	}
	if j.world, err = t.worldIn(ctx, primary.URL("postgres"), 1); err != nil {
		return j, err
	}
	way, err := t.led(ctx, j.world, primary.Address)
	if err != nil {
		return j, err
	}
	var standby *engine.Postgres
	j.keep = func(ctx context.Context) error {
		if standby, err = primary.Standby(ctx, "standby"); err != nil {
			return err
		}
		if err := standby.Execute(ctx, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"); err != nil {
			return err
		}
		if !rig.Until(ctx, time.Minute, 20*time.Millisecond, func() bool {
			n, err := engine.Number(ctx, standby.URL("postgres"), "SELECT count(*) FROM pg_stat_wal_receiver")
			return err == nil && n == 0
		}) {
			return errors.New("the standby cannot be cut off")
		}
		return nil
	}
	j.back = func(ctx context.Context) ([]figure, error) {
		if err := primary.Stop(engine.Immediate); err != nil {
			return nil, err
		}
		if err := standby.Promote(ctx); err != nil {
			return nil, err
		}
		if err := t.pretend(ctx, j.world.postgres.Through(standby.Address, nil)); err != nil {
			return nil, err
		}
		way.turn(standby.Address)
		return nil, nil
	}
	return j, nil
}

// restoringADump brings an older dump back next to the servers.
func restoringADump(ctx context.Context, t *trial) (j journey, err error) {
	server, err := t.host.NewPostgres(ctx, "server")
	if err != nil {
		return j, err
	}
	if j.world, err = t.worldIn(ctx, server.URL("postgres"), 1); err != nil {
		return j, err
	}
	direct := j.world.database
	way, err := t.led(ctx, j.world, server.Address)
	if err != nil {
		return j, err
	}
	folder, err := t.host.Folder("dump")
	if err != nil {
		return j, err
	}
	dump := filepath.Join(folder, "dump")
	j.keep = func(ctx context.Context) error {
		_, err := t.host.Run(ctx, "pg_dump", "--format=custom", "--file="+dump, direct)
		return err
	}
	j.back = func(ctx context.Context) ([]figure, error) {
		if t.sabotage == constantPlace {
			way.turn(nowhere)
		}
		began := time.Now()
		err := t.restore(ctx, direct, dump)
		took := time.Since(began)
		if err == nil {
			err = t.pretend(ctx, direct)
		}
		if t.sabotage == constantPlace {
			way.turn(server.Address)
		}
		return []figure{milliseconds("restoring took", took)}, err
	}
	return j, nil
}

// restoringASnapshot puts an older copy of the volume in place of the one that is there.
func restoringASnapshot(ctx context.Context, t *trial) (j journey, err error) {
	server, err := t.host.NewPostgres(ctx, "server")
	if err != nil {
		return j, err
	}
	if j.world, err = t.worldIn(ctx, server.URL("postgres"), 1); err != nil {
		return j, err
	}
	direct := j.world.database
	way, err := t.led(ctx, j.world, server.Address)
	if err != nil {
		return j, err
	}
	snapshot := server.Data + "-snapshot"
	// A snapshot is taken at one moment, as a copy is when nobody writes.
	stopped := func(do func() error) error {
		err := server.Stop(engine.Immediate)
		if err == nil {
			err = do()
		}
		if err == nil {
			err = server.Start(ctx)
		}
		return err
	}
	j.keep = func(ctx context.Context) error {
		return stopped(func() error {
			_, err := t.host.Run(ctx, "cp", "-a", server.Data, snapshot)
			return err
		})
	}
	j.back = func(ctx context.Context) ([]figure, error) {
		way.turn(nowhere)
		err := stopped(func() error {
			return errors.Join(os.Rename(server.Data, server.Data+"-lost"), os.Rename(snapshot, server.Data))
		})
		if err == nil {
			err = t.pretend(ctx, direct)
		}
		way.turn(server.Address)
		return nil, err
	}
	return j, nil
}

// restore brings a dump back in one transaction, in tables made anew. In a database that
// always has the same place the tables stay, and with them the place.
func (t *trial) restore(ctx context.Context, database, dump string) error {
	if t.sabotage == constantPlace {
		if err := rig.Execute(ctx, database, emptyAll); err != nil {
			return err
		}
		_, err := t.host.Run(ctx, "pg_restore", "--data-only", "--single-transaction", "--dbname="+database, dump)
		return err
	}
	// pg_restore --clean cannot drop constraints of partitions.
	script := dump + ".sql"
	if _, err := t.host.Run(ctx, "pg_restore", "--file="+script, dump); err != nil {
		return err
	}
	_, err := t.host.Run(ctx, "psql", "--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1",
		"--command=DROP SCHEMA public CASCADE", "--command=CREATE SCHEMA public", "--file="+script, database)
	return err
}

const emptyAll = `DO $$ DECLARE name text; BEGIN
	FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' LOOP EXECUTE 'TRUNCATE ' || name; END LOOP;
END $$`

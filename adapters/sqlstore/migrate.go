package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var migrations embed.FS

// firstMigration makes the tables of the first release. What came before it was never released.
const firstMigration = 110

// schemaTable is where the migrations applied are written down.
const schemaTable = "schema_migration"

// Migrate brings the schema up to date, and moves the numbers on that are told if the
// database was set back. Several processes may do so at once.
// Behind a pooler, give it a direct connection.
// It fails with ErrOutdated where the tables demand a later version of this program.
func (s *Store) Migrate(ctx context.Context) error {
	if err := s.mayMigrate(ctx); err != nil {
		return err
	}
	if err := s.goingAgain(ctx, s.migrate); err != nil {
		return s.explain(ctx, err)
	}
	return s.moveNumbersOn(ctx)
}

// goingAgain runs a migration until it does not fail, or may not be tried again.
func (s *Store) goingAgain(ctx context.Context, migrate func(context.Context) error) error {
	for try := 1; ; try++ {
		err := migrate(ctx)
		if err == nil || !s.mayGoAgain(try, err) {
			return err
		}
		if err := pause(ctx, min(3+try, 8)); err != nil {
			return err
		}
	}
}

// mayGoAgain reports whether a migration that failed is tried again: it is a transaction, or
// can be applied twice. Where a table has to be locked and others are long about it, waiting
// would hold up everybody behind. Without a lock for migrations, what failed may be that
// another process has just done it.
func (s *Store) mayGoAgain(try int, err error) bool {
	if s.dialect.NativeSequences {
		return try < 20 && s.dialect.trouble(err) == Held
	}
	return try < 5
}

func (s *Store) migrate(ctx context.Context) error {
	provider, err := s.provider(ctx)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrating: %w", err)
	}
	return nil
}

// Pending reports whether the schema is older than this program.
func (s *Store) Pending(ctx context.Context) (bool, error) {
	provider, err := s.provider(ctx)
	if err != nil {
		return false, s.explain(ctx, err)
	}
	pending, err := provider.HasPending(ctx)
	return pending, s.explain(ctx, err)
}

// Reset drops every table of ours with everything in it, and makes them anew.
func (s *Store) Reset(ctx context.Context) error {
	if err := s.Drop(ctx); err != nil {
		return fmt.Errorf("resetting: %w", err)
	}
	for i := range s.floors {
		s.floors[i].Store(0)
	}
	s.reached.forgetAll()
	return s.Migrate(ctx)
}

// Drop drops every table of ours with everything in it. The store is good for nothing then, until
// Migrate.
func (s *Store) Drop(ctx context.Context) error { return s.explain(ctx, s.drop(ctx)) }

// drop drops what migrations made, and what is written down of them, all at once.
func (s *Store) drop(ctx context.Context) error {
	if _, err := s.Schema(ctx); err != nil { // there may be more than this program knows
		return err
	}
	tables, err := s.ownTables(ctx)
	if err != nil {
		return err
	}
	tables = append(tables, lineageTable, schemaTable)
	sequences := "DROP SEQUENCE IF EXISTS " + strings.Join(sequenceNames[:], ", ")
	if !s.dialect.NativeSequences {
		sequences = "DROP TABLE IF EXISTS sequence"
	}
	t, err := s.migrating.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if _, err := t.ExecContext(ctx, "DROP TABLE IF EXISTS "+table); err != nil {
			return errors.Join(err, t.Rollback())
		}
	}
	if _, err := t.ExecContext(ctx, sequences); err != nil {
		return errors.Join(err, t.Rollback())
	}
	return t.Commit()
}

func (s *Store) provider(ctx context.Context) (*goose.Provider, error) {
	files, err := s.migrationFiles(s.dialect.Engine)
	if err != nil {
		return nil, err
	}
	options := []goose.ProviderOption{goose.WithTableName(schemaTable), goose.WithDisableGlobalRegistry(true)}
	if s.dialect.NativeSequences {
		locker, err := MigrationLock(ctx, s.migrating, "vitrine")
		if err != nil {
			return nil, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	return goose.NewProvider(s.dialect.Goose, s.migrating, files, options...)
}

// MigrationLock keeps two processes from migrating the same tables of a PostgreSQL
// schema at once.
func MigrationLock(ctx context.Context, db *sql.DB, tables string) (lock.SessionLocker, error) {
	var schema string
	if err := db.QueryRowContext(ctx, "SELECT current_schema()").Scan(&schema); err != nil {
		return nil, err
	}
	h := fnv.New32a()
	h.Write([]byte(tables + " " + schema))
	return lock.NewPostgresSessionLocker(lock.WithLockID(int64(h.Sum32())), lock.WithLockTimeout(1, 300))
}

// SchemaVersion is the number of the last migration this program has for any engine.
func SchemaVersion() (version int64) {
	_ = fs.WalkDir(migrations, ".", func(name string, _ fs.DirEntry, _ error) error {
		if number, err := goose.NumericComponent(name); err == nil {
			version = max(version, number)
		}
		return nil
	})
	return version
}

// layers is the shared folder of migrations with the engine's own laid over.
type layers []fs.FS

func (s *Store) migrationFiles(engine string) (fs.FS, error) {
	var both layers
	for _, folder := range slices.Compact([]string{shared, engine}) {
		sub, err := fs.Sub(s.migrations, "migrations/"+folder)
		if err != nil {
			return nil, err
		}
		both = append(both, sub)
	}
	return both, nil
}

// Open implements fs.FS.
func (l layers) Open(name string) (fs.File, error) {
	var file fs.File
	err := fs.ErrNotExist
	for i := len(l) - 1; i >= 0 && err != nil; i-- {
		file, err = l[i].Open(name)
	}
	return file, err
}

// ReadDir implements fs.ReadDirFS.
func (l layers) ReadDir(name string) ([]fs.DirEntry, error) {
	var all []fs.DirEntry
	for _, layer := range l {
		entries, err := fs.ReadDir(layer, name)
		if err != nil {
			return nil, err
		}
		all = append(all, entries...)
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}

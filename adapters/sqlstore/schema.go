package sqlstore

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// Migration is a step of the schema.
type Migration struct {
	Version int64
	// Name is empty for one that this program does not know.
	Name string
	// Applied is when it was applied to the database; zero if it was not.
	Applied time.Time
}

// Known reports whether this program has the migration.
func (m Migration) Known() bool { return m.Name != "" }

// Pending reports whether the migration is yet to be applied.
func (m Migration) Pending() bool { return m.Applied.IsZero() }

// Migrations lists the steps of the schema by version: those this program has, and
// those the database was given by a later one. It only reads.
func (s *Store) Migrations(ctx context.Context) ([]Migration, error) {
	all, err := s.knownMigrations(s.dialect.Engine)
	if err != nil {
		return nil, err
	}
	tables, err := s.tableNames(ctx)
	if err != nil || !tables[schemaTable] {
		return all, err
	}
	applied, err := s.applied(ctx)
	if err != nil {
		return nil, s.explain(ctx, err)
	}
	if err := isOfARelease(slices.Collect(maps.Keys(applied))); err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Applied = applied[all[i].Version]
		delete(applied, all[i].Version)
	}
	for version, at := range applied {
		all = append(all, Migration{Version: version, Applied: at})
	}
	slices.SortFunc(all, func(a, b Migration) int { return int(a.Version - b.Version) })
	return all, nil
}

// isOfARelease fails where the migrations that were applied made tables that no release had.
func isOfARelease(applied []int64) error {
	if slices.ContainsFunc(applied, func(version int64) bool { return version < firstMigration }) {
		return errors.New("the tables were made before the first release of Vitrine: begin with an empty database")
	}
	return nil
}

// knownMigrations are the migrations of this program, by version.
func (s *Store) knownMigrations(engine string) ([]Migration, error) {
	files, err := s.migrationFiles(engine)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	all := make([]Migration, 0, len(entries))
	for _, entry := range entries {
		version, err := goose.NumericComponent(entry.Name())
		if err != nil {
			return nil, err
		}
		all = append(all, Migration{Version: version, Name: strings.TrimSuffix(entry.Name(), ".sql")})
	}
	return all, nil
}

// applied are the migrations written down in the database, and when they were.
func (s *Store) applied(ctx context.Context) (map[int64]time.Time, error) {
	written, err := database.NewStore(s.dialect.Goose, schemaTable)
	if err != nil {
		return nil, err
	}
	listed, err := written.ListMigrations(ctx, s.read.DB)
	if err != nil {
		return nil, err
	}
	applied := map[int64]time.Time{}
	for _, m := range listed {
		if m.Version == 0 { // the table itself
			continue
		}
		found, err := written.GetMigration(ctx, s.read.DB, m.Version)
		if errors.Is(err, database.ErrVersionNotFound) { // it was undone meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		applied[m.Version] = found.Timestamp.UTC()
	}
	return applied, nil
}

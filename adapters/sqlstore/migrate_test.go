package sqlstore_test

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// The last migration of all may be one that this engine has no need of.
func TestNoDatabaseIsNewerThanTheSchemaOfTheProgram(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		p.migrated(t)
		var applied int64
		if err := p.raw(t).QueryRowContext(t.Context(), "SELECT max(version_id) FROM schema_migration").Scan(&applied); err != nil {
			t.Fatal(err)
		}
		if applied < firstRelease || applied > sqlstore.SchemaVersion() {
			t.Errorf("%d was applied, and the last is %d", applied, sqlstore.SchemaVersion())
		}
	})
}

func TestMigratingAgainChangesNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.open(t)
		if pending, err := s.Pending(t.Context()); err != nil || !pending {
			t.Errorf("an empty database: pending %t, %v", pending, err)
		}
		if _, err := s.Head(t.Context(), 1); err == nil || errors.Is(err, fault.NotFound) {
			t.Errorf("the head of an empty database: %v", err)
		}
		for range 2 {
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			update(t, s, putSite(1))
		}
		if pending, err := s.Pending(t.Context()); err != nil || pending {
			t.Errorf("a migrated database: pending %t, %v", pending, err)
		}
		again := p.migrated(t)
		if _, err := again.Head(t.Context(), 1); err != nil {
			t.Error(err)
		}
	})
}

func TestProcessesMayMigrateAtOnce(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		var group sync.WaitGroup
		for range 3 {
			s := p.open(t)
			group.Go(func() {
				if err := s.Migrate(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		update(t, p.open(t), putSite(1))
	})
}

func TestResetLeavesAnEmptyStore(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		draw := func() (first int64) {
			update(t, s, func(tx port.Tx) error {
				ids, err := tx.NextIDs(port.ProductIDs, 3)
				if err == nil {
					first = ids[0]
				}
				return err
			})
			return first
		}
		for range 2 {
			update(t, s, putSite(1))
			update(t, s, addProduct(1, 1, "R"))
			if err := s.SetMeta(t.Context(), "k", "v"); err != nil {
				t.Fatal(err)
			}
			if first := draw(); first != 1 {
				t.Errorf("the first id is %d", first)
			}
			if err := s.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Head(t.Context(), 1); !errors.Is(err, fault.NotFound) {
				t.Errorf("the head after a reset: %v", err)
			}
			if _, err := s.Meta(t.Context(), "k"); !errors.Is(err, fault.NotFound) {
				t.Errorf("the meta after a reset: %v", err)
			}
		}
	})
}

func TestContentTellsWhoseTablesThereAre(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.open(t)
		holds := func(want sqlstore.Content) {
			t.Helper()
			if got, err := s.Content(t.Context()); got != want || err != nil {
				t.Errorf("%d, %v, want %d", got, err, want)
			}
		}
		holds(sqlstore.Empty)
		if _, err := s.Pending(t.Context()); err != nil {
			t.Fatal(err)
		}
		holds(sqlstore.Empty)
		execute(t, p.raw(t), "CREATE TABLE meta (name TEXT)")
		holds(sqlstore.Foreign)
		execute(t, p.raw(t), "DROP TABLE meta")
		for range 2 {
			if err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			holds(sqlstore.Ours)
			if err := s.Reset(t.Context()); err != nil {
				t.Fatal(err)
			}
			holds(sqlstore.Ours)
		}
	})
}

// directory are the tables that say which site a request is about, and so
// cannot begin with it.
var directory = []string{"lineage", "site", "agency", "credential", "credential_usage", "credential_use", "token", "token_family", "operator", "operator_session", "operator_invitation", "passkey", "passkey_challenge", "operator_identity", "audit", "meta", "sequence", "schema_migration"}

// columnsOf reads the schema as "table.column type".
func columnsOf(t *testing.T, p place) []string {
	t.Helper()
	query := `SELECT table_name || '.' || column_name || ' ' || upper(data_type) || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END
		FROM information_schema.columns WHERE table_schema = current_schema()
		AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition AND relnamespace = current_schema()::regnamespace)`
	if p.engine == "sqlite" {
		query = `SELECT m.name || '.' || c.name || ' ' || c.type || CASE WHEN c."notnull" THEN ' NOT NULL' ELSE '' END
			FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'`
	}
	return texts(t, p.raw(t), query)
}

func texts(t testing.TB, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func TestTheSchemaIsPortable(t *testing.T) {
	allowed := []string{"BIGINT", "TEXT", "BOOLEAN", "DOUBLE PRECISION"}
	ours := func(columns []string) []string {
		return slices.DeleteFunc(columns, func(c string) bool {
			return strings.HasPrefix(c, "schema_migration.") || strings.HasPrefix(c, "sequence.")
		})
	}
	lite := sqlitePlace(t)
	lite.migrated(t)
	columns := ours(columnsOf(t, lite))
	for _, c := range columns {
		_, kind, _ := strings.Cut(c, " ")
		if !slices.Contains(allowed, strings.TrimSuffix(kind, " NOT NULL")) {
			t.Errorf("%s is of a type not every engine knows", c)
		}
	}
	t.Run("AndTheSameOnPostgreSQL", func(t *testing.T) {
		p := postgresPlace(t)
		p.migrated(t)
		if there := ours(columnsOf(t, p)); !slices.Equal(columns, there) {
			t.Errorf("SQLite has\n%q\nPostgreSQL has\n%q", columns, there)
		}
		unsharded := texts(t, p.raw(t), `SELECT DISTINCT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
			JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
			WHERE i.indisunique AND a.attname <> 'site_id' AND c.relnamespace = current_schema()::regnamespace`)
		for _, table := range unsharded {
			if !slices.Contains(directory, table) {
				t.Errorf("a unique key of %s does not begin with site_id", table)
			}
		}
	})
}

func TestMigrationsAreListedWithoutTouchingTheDatabase(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.open(t)
		list := func() (all []sqlstore.Migration, pending, unknown int) {
			t.Helper()
			all, err := s.Migrations(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range all {
				if m.Pending() {
					pending++
				}
				if !m.Known() {
					unknown++
				}
			}
			return all, pending, unknown
		}
		all, pending, _ := list()
		if pending != len(all) || all[0].Version != 110 || all[0].Name != "00110_tables" {
			t.Errorf("an empty database: %d of %d are pending, first %+v", pending, len(all), all[0])
		}
		if content, err := s.Content(t.Context()); err != nil || content != sqlstore.Empty {
			t.Errorf("the database is no longer empty: %d, %v", content, err)
		}
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if all, pending, unknown := list(); pending != 0 || unknown != 0 {
			t.Errorf("a migrated database: %+v", all)
		}
		raw := p.raw(t)
		for _, change := range []string{
			"INSERT INTO schema_migration (version_id, is_applied) VALUES (99999, true)",
			"DELETE FROM schema_migration WHERE version_id = 110",
		} {
			if _, err := raw.ExecContext(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
		all, pending, unknown := list()
		if last := all[len(all)-1]; pending != 1 || !all[0].Pending() || unknown != 1 || last.Version != 99999 || last.Known() || last.Pending() {
			t.Errorf("%d are pending, %d unknown: %+v", pending, unknown, all)
		}
	})
}

func TestEarlierTablesFromBeforeTheFirstReleaseAreRefused(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		raw := p.raw(t)
		execute(t, raw, "INSERT INTO schema_migration (version_id, is_applied) VALUES (105, true)")
		const listed = "SELECT CAST(version_id AS TEXT) FROM schema_migration"
		tables, before := columnsOf(t, p), texts(t, raw, listed)
		for name, do := range map[string]func() error{
			"Migrate":    func() error { return s.Migrate(t.Context()) },
			"Reset":      func() error { return s.Reset(t.Context()) },
			"Migrations": func() error { _, err := s.Migrations(t.Context()); return err },
		} {
			if err := do(); err == nil || !strings.Contains(err.Error(), "before the first release") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !slices.Equal(columnsOf(t, p), tables) || !slices.Equal(texts(t, raw, listed), before) {
			t.Error("the tables are not what they were")
		}
	})
}

// TestServersGoOnWhileALaterVersionMigrates: what they prepared works with the new tables, and a
// reader that is long about it makes them wait for a moment only.
func TestServersGoOnWhileALaterVersionMigrates(t *testing.T) {
	t.Parallel()
	p := postgresPlace(t)
	later := p.with(t, sqlstore.Later("00199_notes.sql", "-- expands: notes.\n-- +goose Up\nALTER TABLE meta ADD COLUMN note TEXT NOT NULL DEFAULT '';"))
	if err := sqlstore.MigrateTo(t.Context(), later, firstRelease); err != nil {
		t.Fatal(err)
	}
	raw := p.raw(t)
	add, err := raw.PrepareContext(t.Context(), "INSERT INTO meta (key, value) VALUES ($1, '')")
	if err != nil {
		t.Fatal(err)
	}
	defer add.Close()
	adds := func(key string) {
		t.Helper()
		if _, err := add.ExecContext(t.Context(), key); err != nil {
			t.Error(err)
		}
	}
	adds("before")
	reader, err := p.raw(t).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reader.ExecContext(t.Context(), "SELECT count(*) FROM meta"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- later.Migrate(t.Context()) }()
	for len(texts(t, raw, "SELECT 'waits' FROM pg_locks WHERE NOT granted AND relation = 'meta'::regclass")) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	adds("while it waits") // which ends when migrating gives up
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	adds("after it")
	if notes := texts(t, raw, "SELECT key || note FROM meta WHERE key IN ('before', 'while it waits', 'after it')"); len(notes) != 3 {
		t.Errorf("%q", notes)
	}
}

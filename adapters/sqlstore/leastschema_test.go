package sqlstore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// contract does what a migration does that takes something away: it says which schema
// programs have to know.
func (p place) contract(t testing.TB, least int64) {
	t.Helper()
	execute(t, p.raw(t), fmt.Sprintf("INSERT INTO meta (key, value) VALUES ('least_schema', '%05d') ON CONFLICT (key) DO UPDATE SET value = excluded.value", least))
}

func TestAProgramThatKnowsTooLittleRefusesToMigrate(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		p.migrated(t)
		p.contract(t, 190)
		err := p.with(t, sqlstore.Knowing(189)).Migrate(t.Context())
		if !errors.Is(err, sqlstore.ErrOutdated) || !strings.Contains(err.Error(), "up to migration 189: start the later version") {
			t.Errorf("one that knows too little: %v", err)
		}
		if err := p.with(t, sqlstore.Knowing(190)).Migrate(t.Context()); err != nil {
			t.Errorf("one that knows just enough: %v", err)
		}
	})
}

// TestAProgramThatRunsStopsWhenTheSchemaIsTakenFromIt: what reads a head, counts events or
// draws ids stops at once, and everything else soon after.
func TestAProgramThatRunsStopsWhenTheSchemaIsTakenFromIt(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		p.migrated(t)
		s := p.with(t, sqlstore.Knowing(189))
		count := func(tx port.Tx) error {
			_, err := tx.Ledger().Append(1, time.UnixMicro(1), []event.Event{{Site: 1, Type: event.ProductUpdate, Resource: 1}})
			return err
		}
		update(t, s, putSite(1))
		update(t, s, count)
		p.contract(t, 190)
		lineage := p.lineage(t)
		for name, do := range map[string]func(*sqlstore.Store) error{
			"Head":   func(s *sqlstore.Store) error { _, err := s.Head(t.Context(), 1); return err },
			"Append": func(s *sqlstore.Store) error { return s.Update(t.Context(), count) },
			"Touch": func(s *sqlstore.Store) error {
				return s.Update(t.Context(), func(tx port.Tx) error { return tx.Ledger().Touch(1, 0) })
			},
			"NextIDs": func(s *sqlstore.Store) error {
				return s.Update(t.Context(), func(tx port.Tx) error { _, err := tx.NextIDs(0, 1); return err })
			},
			"Writable": func(s *sqlstore.Store) error { return s.Writable(t.Context()) },
		} {
			if err := do(s); !errors.Is(err, sqlstore.ErrOutdated) || !errors.Is(err, fault.Unavailable) {
				t.Errorf("%s: %v", name, err)
			}
			sqlstore.Forget(s) // what the one before has found
		}
		soon := time.Now().Add(time.Minute)
		for s.Update(t.Context(), putSite(2)) == nil {
			if time.Now().After(soon) {
				t.Fatal("it goes on writing what no event is counted for")
			}
			time.Sleep(50 * time.Millisecond)
		}
		if err := s.View(t.Context(), func(port.Tx) error { return nil }); !errors.Is(err, sqlstore.ErrOutdated) {
			t.Errorf("View: %v", err)
		}
		if now := p.lineage(t); now != lineage {
			t.Errorf("it took the database for one that was set back: %+v, before %+v", now, lineage)
		}
		execute(t, p.raw(t), "DELETE FROM meta WHERE key = 'least_schema'")
		if err := s.Writable(t.Context()); err != nil {
			t.Error(err)
		}
		update(t, s, count)
	})
}

// TestABackupBringsBackNoSchema: what programs have to know follows from the migrations that
// are applied to the new database.
func TestABackupBringsBackNoSchema(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		p.contract(t, 1)
		_, err := s.Rows(t.Context(), func(table string, _ []string, values []any) error {
			if table == "meta" && values[0] == "least_schema" {
				t.Errorf("%s has %v", table, values)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		schema, err := s.Schema(t.Context())
		if err == nil {
			err = s.CheckLoad(t.Context(), schema)
		}
		if err != nil {
			t.Errorf("a database with nothing in it is not empty: %v", err)
		}
	})
}

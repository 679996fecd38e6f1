package sqlstore_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/port"
)

// dumped are all rows of a database, as lines.
func dumped(t *testing.T, s *sqlstore.Store) (rows []string, d sqlstore.Dump) {
	t.Helper()
	var err error
	if d.Schema, err = s.Schema(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.Sequences, err = s.Rows(t.Context(), func(table string, columns []string, values []any) error {
		pairs := map[string]any{}
		for i, name := range columns {
			pairs[name] = values[i]
		}
		rows = append(rows, fmt.Sprintf("%s %#v", table, pairs))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(rows)
	return rows, d
}

// load loads what is in a database into another one.
func load(t *testing.T, from, to *sqlstore.Store, d sqlstore.Dump) error {
	t.Helper()
	return to.Load(t.Context(), d, func(put func(string, []string, [][]any) error) error {
		_, err := from.Rows(t.Context(), func(table string, columns []string, values []any) error {
			return put(table, columns, [][]any{values})
		})
		return err
	})
}

// TestRowsAreTheSameOnEitherEngine: what one engine holds, the other takes. Only the
// numbers that are told have moved on.
func TestRowsAreTheSameOnEitherEngine(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		from := p.migrated(t)
		update(t, from, putSite(1))
		update(t, from, func(tx port.Tx) error {
			_, err := tx.NextIDs(port.ProductIDs, 41)
			return err
		})
		if err := from.SetMeta(t.Context(), "fact", "with 'quotes', \n lines and ünï✓"); err != nil {
			t.Fatal(err)
		}
		rows, d := dumped(t, from)
		if len(rows) < 3 || d.Sequences["product_id"] != 41 {
			t.Fatalf("%d rows, %v", len(rows), d.Sequences)
		}
		moved := strings.NewReplacer(`"access":0`, `"access":1000000`, `"rejections":0`, `"rejections":1000000`, `"seq":0`, `"seq":1000000`, `"settings":0`, `"settings":1000000`)
		want, sequences := make([]string, len(rows)), maps.Clone(d.Sequences)
		for i, row := range rows {
			want[i] = moved.Replace(row)
		}
		for name := range sequences {
			sequences[name] += 1_000_000
		}
		for _, other := range []place{sqlitePlace(t), postgresPlace(t)} {
			to := other.with(t)
			if err := load(t, from, to, d); err != nil {
				t.Fatal(err)
			}
			got, again := dumped(t, other.with(t))
			if !slices.Equal(got, want) || !maps.Equal(again.Sequences, sequences) || !slices.Equal(again.Schema, d.Schema) {
				t.Errorf("on %s there is\n%s\n%v, want\n%s\n%v", other.engine, strings.Join(got, "\n"), again.Sequences, strings.Join(want, "\n"), sequences)
			}
			if err := load(t, from, other.with(t), d); !errors.Is(err, sqlstore.ErrNotEmpty) {
				t.Errorf("on %s, again: %v", other.engine, err)
			}
		}
	})
}

// TestEveryTableIsDumped: a table that migrations make is not forgotten.
func TestEveryTableIsDumped(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s, raw := p.migrated(t), p.raw(t)
		query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
		if p.engine == "postgres" {
			query = "SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace"
		}
		there, err := raw.QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		defer there.Close()
		own, err := sqlstore.OwnTables(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for there.Next() {
			var name string
			if err := there.Scan(&name); err != nil {
				t.Fatal(err)
			}
			if own := slices.Contains(own, name); own == slices.Contains([]string{"schema_migration", "sequence", "lineage"}, name) {
				t.Errorf("table %s: dumped %t", name, own)
			}
		}
		if err := there.Err(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestALoadThatFailsStoresNoRow(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		from := sqlitePlace(t).migrated(t)
		update(t, from, putSite(1))
		_, d := dumped(t, from)
		broken := errors.New("broken off")
		to := p.with(t)
		err := to.Load(t.Context(), d, func(put func(string, []string, [][]any) error) error {
			if err := put("meta", []string{"key", "value"}, [][]any{{"a", "b"}}); err != nil {
				return err
			}
			return broken
		})
		if !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
		if rows, _ := dumped(t, p.with(t)); len(rows) > 0 {
			t.Errorf("there are %v", rows)
		}
		for name, put := range map[string]func(func(string, []string, [][]any) error) error{
			"a strange table": func(put func(string, []string, [][]any) error) error {
				return put("pg_authid", []string{"a"}, [][]any{{"b"}})
			},
			"a strange column": func(put func(string, []string, [][]any) error) error {
				return put("meta", []string{"key) --"}, [][]any{{"b"}})
			},
		} {
			if err := p.with(t).Load(t.Context(), d, put); err == nil {
				t.Errorf("%s is accepted", name)
			}
		}
		// The tables of the first attempt are in nobody's way.
		if err := load(t, from, p.with(t), d); err != nil {
			t.Error(err)
		}
		later := d
		later.Schema = append(slices.Clone(d.Schema), 99999)
		if err := load(t, from, sqlitePlace(t).with(t), later); err == nil || !strings.Contains(err.Error(), "does not know") {
			t.Errorf("a later schema: %v", err)
		}
	})
}

func TestRowsOfAnEarlierSchemaAreBroughtUpToDate(t *testing.T) {
	later := sqlstore.Later("00199_notes.sql", "-- expands: notes.\n-- +goose Up\nALTER TABLE meta ADD COLUMN note TEXT NOT NULL DEFAULT 'none';")
	onEachEngine(t, func(t *testing.T, p place) {
		if err := p.with(t, later).Load(t.Context(), sqlstore.Dump{Schema: []int64{110}}, func(put func(string, []string, [][]any) error) error {
			return put("meta", []string{"key", "value"}, [][]any{{"fact", "told"}})
		}); err != nil {
			t.Fatal(err)
		}
		if got := texts(t, p.raw(t), "SELECT value || ' ' || note FROM meta WHERE key = 'fact'"); !slices.Equal(got, []string{"told none"}) {
			t.Errorf("%q", got)
		}
		if got, err := p.with(t, later).Schema(t.Context()); err != nil || !slices.Equal(got, []int64{110, 112, 113, 114, 115, 199}) {
			t.Errorf("%v, %v", got, err)
		}
	})
}

func TestEarlierRowsFromBeforeTheFirstReleaseAreRefused(t *testing.T) {
	for _, earlier := range [][]int64{{1, 3}, {104, 105}, {106, 107}} {
		err := sqlitePlace(t).with(t).CheckLoad(t.Context(), earlier)
		if err == nil || !strings.Contains(err.Error(), "before the first release") {
			t.Errorf("%v: %v", earlier, err)
		}
	}
}

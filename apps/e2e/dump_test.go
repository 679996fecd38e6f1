package e2e_test

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// contents are everything a store holds as text in lower case, part by part: a table
// each, and the bytes of the files.
type contents map[string]string

// holding lists the parts in which a text is found.
func (d contents) holding(text string) (parts []string) {
	for part, content := range d {
		if strings.Contains(content, strings.ToLower(text)) {
			parts = append(parts, part)
		}
	}
	return parts
}

func (w *world) dump(t testing.TB) contents {
	t.Helper()
	d := contents{}
	store := w.store
	if guard, ok := store.(narrowStore); ok {
		store = guard.Store
	}
	if s, ok := store.(*memstore.Store); ok {
		d.memory(s)
		return d
	}
	w.tables(t, d)
	if !strings.Contains(w.database, "://") {
		w.files(t, d)
	}
	return d
}

// tables adds the rows of a database.
func (w *world) tables(t testing.TB, d contents) {
	t.Helper()
	for table, rows := range w.rows(t) {
		d["table "+table] = strings.ToLower(strings.Join(rows, "\n"))
	}
}

// rows are those of all tables of a database, sorted.
func (w *world) rows(t testing.TB) map[string][]string {
	t.Helper()
	driver, tables := "postgres", "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace"
	if !strings.Contains(w.database, "://") {
		driver, tables = "sqlite", "SELECT name FROM sqlite_master WHERE type = 'table'"
	}
	db := w.raw(t, driver)
	defer db.Close()
	found := map[string][]string{}
	for _, table := range rowsOf(t, db, tables) {
		rows := rowsOf(t, db, "SELECT * FROM "+table)
		slices.Sort(rows)
		found[table] = rows
	}
	return found
}

func (w *world) raw(t testing.TB, driver string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, w.database)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// rowsOf are the answers to a query, each as text.
func rowsOf(t testing.TB, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	row, targets := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range row {
		targets[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, column := range row {
			texts = append(texts, column.String)
		}
		all = append(all, strings.Join(texts, "\t"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// files adds the bytes of a SQLite database after a checkpoint, deleted content
// and the log included.
func (w *world) files(t testing.TB, d contents) {
	t.Helper()
	db := w.raw(t, "sqlite")
	defer db.Close()
	eventually(t, "a checkpoint", func() bool {
		got := rowsOf(t, db, "PRAGMA wal_checkpoint(TRUNCATE)")
		return len(got) == 1 && strings.HasPrefix(got[0], "0\t")
	})
	for _, file := range []string{"", "-wal", "-journal"} {
		content, err := os.ReadFile(w.database + file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		d["file"+file] = strings.ToLower(string(content))
	}
}

// memory adds every text and number within a store in memory, field by field of
// its state.
func (d contents) memory(s *memstore.Store) {
	held := reflect.ValueOf(s).Elem().FieldByName("state") // an atomic.Pointer
	load, _ := held.Addr().Type().MethodByName("Load")
	state := reflect.NewAt(load.Type.Out(0).Elem(), held.FieldByName("v").UnsafePointer()).Elem()
	for field, value := range state.Fields() {
		var b strings.Builder
		spell(&b, value)
		d["memory "+field.Name] = strings.ToLower(b.String())
	}
}

// spell writes everything that a value leads to.
func spell(b *strings.Builder, v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() && v.CanAddr() {
		at := reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem().Interface()
		fmt.Fprintln(b, at)
		return
	}
	switch v.Kind() { //nolint:exhaustive // nothing of a person is in the others
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			spell(b, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			spell(b, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			spell(b, v.Index(i))
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			spell(b, entries.Key())
			spell(b, entries.Value())
		}
	case reflect.String:
		b.WriteString(v.String() + "\n")
	case reflect.Float64:
		fmt.Fprintf(b, "%.2f %v\n", v.Float(), v.Float())
	case reflect.Int, reflect.Int64:
		fmt.Fprintln(b, v.Int())
	}
}

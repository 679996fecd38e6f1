package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/port"
)

// Dump is everything in a database, as it is stored.
type Dump struct {
	// Schema are the migrations that were applied of those common to both engines.
	Schema []int64
	// Sequences are the last ids drawn, by sequence.
	Sequences map[string]int64
	// Continues tells that nobody knows a later number than there is in the rows: then none
	// is moved on.
	Continues bool
}

// Schema tells which of the migrations common to both engines are applied.
func (s *Store) Schema(ctx context.Context) ([]int64, error) {
	all, err := s.Migrations(ctx)
	if err != nil {
		return nil, err
	}
	common, err := s.knownMigrations(shared)
	if err != nil {
		return nil, err
	}
	var applied []int64
	for _, m := range all {
		if !m.Known() {
			return nil, fmt.Errorf("a later version of Vitrine made the schema: migration %d is not known", m.Version)
		}
		if !m.Pending() && slices.ContainsFunc(common, func(c Migration) bool { return c.Version == m.Version }) {
			applied = append(applied, m.Version)
		}
	}
	return applied, nil
}

// Rows hands over all rows of all tables, as they are at one moment, and then the last
// ids drawn. It goes on beside those who write.
func (s *Store) Rows(ctx context.Context, row func(table string, columns []string, values []any) error) (sequences map[string]int64, err error) {
	return s.rows(ctx, (*tx).anyOrder, row)
}

// SortedRows is Rows with the rows of each table sorted by all columns from the first one
// on: the same rows come in the same order.
func (s *Store) SortedRows(ctx context.Context, row func(table string, columns []string, values []any) error) (sequences map[string]int64, err error) {
	return s.rows(ctx, (*tx).byColumns, row)
}

func (t *tx) anyOrder(string) (string, error) { return "", nil }

// byColumns is the clause that sorts the rows of a table by all its columns.
func (t *tx) byColumns(table string) (string, error) {
	rows, err := t.query("SELECT * FROM " + table + " WHERE 1 = 0")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err := errors.Join(err, rows.Err()); err != nil {
		return "", t.fail(err)
	}
	places := make([]string, len(columns))
	for i := range places {
		places[i] = strconv.Itoa(i + 1)
	}
	return " ORDER BY " + strings.Join(places, ", "), nil
}

func (s *Store) rows(
	ctx context.Context, order func(*tx, string) (string, error), row func(table string, columns []string, values []any) error,
) (sequences map[string]int64, err error) {
	names, err := s.ownTables(ctx)
	if err != nil {
		return nil, err
	}
	sequences = map[string]int64{}
	err = s.View(ctx, func(unit port.Tx) error {
		t := unit.Roles.(*tx)
		for _, table := range names {
			sorting, err := order(t, table)
			if err == nil {
				err = t.eachRow("SELECT * FROM "+contentOf(table)+sorting, nil, func(columns []string, values []any) error { return row(table, columns, values) })
			}
			if err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
		}
		for i, name := range sequenceNames {
			last, err := t.lastIDIfAny(port.Sequence(i))
			if err != nil {
				return err
			}
			sequences[name] = last
		}
		return nil
	})
	return sequences, err
}

// lastIDIfAny is LastID, and 0 of a sequence that a later migration makes.
func (t *tx) lastIDIfAny(s port.Sequence) (int64, error) {
	if t.store.dialect.NativeSequences {
		there, err := list(t, numberColumn,
			"SELECT count(*) FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = $1", sequenceNames[s])
		if err != nil || there[0] == 0 {
			return 0, err
		}
	}
	return t.LastID(s)
}

// contentOf is a table without what migrations write into it.
func contentOf(table string) string {
	if table == facts.table {
		return table + " WHERE key <> '" + leastSchema + "'"
	}
	return table
}

// eachRow hands over the rows of a query, in the form that both engines have. The slices
// are used again for the next row.
func (t *tx) eachRow(statement string, args []any, row func(columns []string, values []any) error) error {
	rows, err := t.query(statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return t.fail(err)
	}
	columns, values, targets := make([]string, len(types)), make([]any, len(types)), make([]any, len(types))
	for i, c := range types {
		columns[i], targets[i] = c.Name(), &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return t.fail(err)
		}
		for i := range values {
			if values[i], err = portable(values[i], types[i]); err != nil {
				return fmt.Errorf("column %s: %w", columns[i], err)
			}
		}
		if err := row(columns, values); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return t.fail(err)
	}
	return nil
}

// portable is a value as both engines have it: text, a number, true or false, or nil.
func portable(value any, c *sql.ColumnType) (any, error) {
	switch value := value.(type) {
	case nil, bool, string, float64:
		return value, nil
	case []byte:
		return string(value), nil
	case int64:
		if strings.HasPrefix(strings.ToUpper(c.DatabaseTypeName()), "BOOL") {
			return value != 0, nil
		}
		return value, nil
	}
	return nil, fmt.Errorf("a %T is of one engine alone", value)
}

// ErrNotEmpty is that rows cannot be loaded among others.
var ErrNotEmpty = errors.New("it holds data already: give one that is empty, or not there yet")

// Load makes the tables as they were by some migrations, fills them, and brings them up
// to date. All rows are stored in one unit of work, or none. each hands them over. The
// store must be new: it prepares no statements. Unless the dump continues, the numbers that
// are told are moved on when they are first read, for those that came after the rows were
// kept may be known.
func (s *Store) Load(ctx context.Context, d Dump, each func(put func(table string, columns []string, rows [][]any) error) error) error {
	s.unprepared = true // statements are not prepared for a schema that is going to change
	if err := s.CheckLoad(ctx, d.Schema); err != nil {
		return err
	}
	if err := s.makeSchema(ctx, d.Schema); err != nil {
		return err
	}
	names, err := s.ownTables(ctx)
	if err != nil {
		return err
	}
	err = s.updateInTx(ctx, func(unit port.Tx) error {
		t := unit.Roles.(*tx)
		if err := t.checkEmpty(names); err != nil {
			return err
		}
		err := each(func(table string, columns []string, rows [][]any) error {
			if !slices.Contains(names, table) {
				return fmt.Errorf("there is no table %s", table)
			}
			return t.loadRows(table, columns, rows)
		})
		if err != nil {
			return err
		}
		for i, name := range sequenceNames {
			if err := t.ReserveID(port.Sequence(i), d.Sequences[name]); err != nil {
				return err
			}
		}
		if d.Continues {
			return nil
		}
		return t.startTimelineLater()
	})
	if err != nil {
		return err
	}
	return s.Migrate(ctx)
}

// CheckLoad reports why rows of tables as some migrations made them cannot be loaded:
// they are not known, or the database is not empty. It changes nothing. Tables without
// rows are no obstacle if they are the same.
func (s *Store) CheckLoad(ctx context.Context, schema []int64) error {
	if err := isOfARelease(schema); err != nil {
		return err
	}
	common, err := s.knownMigrations(shared)
	if err != nil {
		return err
	}
	known := len(schema) > 0 && len(schema) <= len(common)
	for i := 0; known && i < len(schema); i++ {
		known = common[i].Version == schema[i]
	}
	if !known {
		return errors.New("the tables were made by a version of Vitrine that this one does not know: restore with that version")
	}
	content, err := s.Content(ctx)
	if err != nil || content == Empty {
		return err
	}
	if content == Foreign {
		return ErrNotEmpty
	}
	names, err := s.ownTables(ctx)
	if err == nil {
		err = s.View(ctx, func(unit port.Tx) error { return unit.Roles.(*tx).checkEmpty(names) })
	}
	if err != nil {
		return err
	}
	has, err := s.Schema(ctx)
	if err == nil && !slices.Equal(has, schema) {
		err = errors.New("its tables are of another version of Vitrine than the data: choose a database without tables")
	}
	return err
}

// makeSchema applies some of the migrations to an empty database.
func (s *Store) makeSchema(ctx context.Context, schema []int64) error {
	common, err := s.knownMigrations(shared)
	if err != nil {
		return err
	}
	provider, err := s.provider(ctx)
	if err != nil {
		return s.explain(ctx, err)
	}
	if len(schema) == len(common) {
		_, err = provider.Up(ctx)
	} else { // with what an engine has of its own up to there
		_, err = provider.UpTo(ctx, common[len(schema)].Version-1)
	}
	return s.explain(ctx, err)
}

func (t *tx) checkEmpty(names []string) error {
	for _, table := range names {
		found, err := list(t, numberColumn, "SELECT count(*) FROM (SELECT 1 FROM "+contentOf(table)+" LIMIT 1) AS found")
		if err != nil {
			return err
		}
		if found[0] > 0 {
			return ErrNotEmpty
		}
	}
	return nil
}

// loadAtOnce bounds the parameters of a statement, which engines do.
const loadAtOnce = 8000

var columnName = regexp.MustCompile(`^[a-z_0-9]+$`)

func (t *tx) loadRows(table string, columns []string, rows [][]any) error {
	if len(columns) == 0 || slices.ContainsFunc(columns, func(c string) bool { return !columnName.MatchString(c) }) {
		return fmt.Errorf("%s has columns that cannot be", table)
	}
	for some := range slices.Chunk(rows, max(1, loadAtOnce/len(columns))) {
		b := squirrel.Insert(table).Columns(columns...)
		for _, row := range some {
			b = b.Values(row...)
		}
		text, args, err := b.PlaceholderFormat(t.store.dialect.Placeholder).ToSql()
		if err != nil {
			return err
		}
		if _, err := t.exec(text, args...); err != nil {
			return err
		}
	}
	return nil
}

// shared is the folder of the migrations common to both engines.
const shared = "shared"

var createTable = regexp.MustCompile(`(?m)^CREATE TABLE (\w+) \(`)

// ownTables are the tables of the database that migrations make, by name. What counts
// ids is left out, because the engines do it differently, and so is where the database is.
func (s *Store) ownTables(ctx context.Context) ([]string, error) {
	there, err := s.tableNames(ctx)
	if err != nil {
		return nil, err
	}
	own, err := s.madeTables()
	return slices.DeleteFunc(own, func(name string) bool { return !there[name] }), err
}

// madeTables are the tables that the migrations common to both engines make, by name,
// but where the database is.
func (s *Store) madeTables() ([]string, error) {
	files, err := fs.Sub(s.migrations, "migrations/"+shared)
	if err != nil {
		return nil, err
	}
	var made []string
	err = fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		for _, found := range createTable.FindAllSubmatch(content, -1) {
			if name := string(found[1]); name != lineageTable {
				made = append(made, name)
			}
		}
		return err
	})
	slices.Sort(made)
	return slices.Compact(made), err
}

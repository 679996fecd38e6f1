package sqlstore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// mapping says which table holds the records of one kind, and how. Every
// statement about them is made from it.
type mapping[T any] struct {
	table string
	// keys are the columns of the primary key.
	keys []string
	row  func(*T) row
	// extra are columns that are written and never read back.
	extra func(*T) row
}

func (m mapping[T]) written(v *T) row {
	if m.extra == nil {
		return m.row(v)
	}
	return append(m.row(v), m.extra(v)...)
}

// find begins a query. Conditions are written with ? and get their arguments
// when the statement runs.
func (m mapping[T]) find(condition string) squirrel.SelectBuilder {
	return squirrel.Select(m.row(new(T)).names()...).From(m.table).Where(condition)
}

func (m mapping[T]) insert() squirrel.InsertBuilder {
	names := m.written(new(T)).names()
	return squirrel.Insert(m.table).Columns(names...).Values(parameters(len(names))...)
}

// upsert inserts the record, or replaces the one with its key.
func (m mapping[T]) upsert() squirrel.InsertBuilder { return m.insert().Suffix(m.replacing()) }

// replacing is the suffix of an insertion that replaces what has the key.
func (m mapping[T]) replacing() string {
	return "ON CONFLICT (" + strings.Join(m.keys, ", ") + ") DO UPDATE SET " + m.takenFrom("excluded")
}

// takenFrom sets the written columns outside the primary key to those of another row.
func (m mapping[T]) takenFrom(other string) string {
	var changes []string
	for _, name := range m.others() {
		changes = append(changes, name+" = "+other+"."+name)
	}
	return strings.Join(changes, ", ")
}

// replace changes the record with its key, if it meets the condition. The key
// is its last argument, as rewrite gives it.
func (m mapping[T]) replace(condition string) squirrel.UpdateBuilder {
	b := squirrel.Update(m.table)
	for _, name := range m.others() {
		b = b.Set(name, squirrel.Expr("?"))
	}
	for _, name := range m.keys {
		b = b.Where(name + " = ?")
	}
	return b.Where(condition)
}

// keysLast parts the columns of the primary key from the others.
func (m mapping[T]) keysLast(r row) (others, keys row) {
	keys = make(row, len(m.keys))
	for _, c := range r {
		if i := slices.Index(m.keys, c.name); i >= 0 {
			keys[i] = c
		} else {
			others = append(others, c)
		}
	}
	return others, keys
}

// others are the written columns outside the primary key.
func (m mapping[T]) others() []string {
	others, _ := m.keysLast(m.written(new(T)))
	return others.names()
}

func parameters(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = squirrel.Expr("?")
	}
	return out
}

// list runs a query made by find.
func list[T any](t *tx, m mapping[T], statement string, args ...any) ([]T, error) {
	rows, err := t.query(statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var (
		v       T
		none    T
		out     []T
		targets = m.row(&v).targets()
	)
	for rows.Next() {
		v = none
		if err := rows.Scan(targets...); err != nil {
			return nil, t.fail(fmt.Errorf("reading %s: %w", m.table, err))
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		return nil, t.fail(err)
	}
	return out, nil
}

// one runs a query made by find that has at most one result.
func one[T any](t *tx, m mapping[T], statement string, args ...any) (T, error) {
	found, err := list(t, m, statement, args...)
	if err != nil || len(found) == 0 {
		var none T
		if err == nil {
			err = fmt.Errorf("%s: %w", m.table, fault.NotFound)
		}
		return none, err
	}
	return found[0], nil
}

// write runs a statement made by insert or upsert, and tells how many rows it
// wrote.
func write[T any](t *tx, m mapping[T], statement string, v T) (int64, error) {
	return t.write(m.table, statement, m.written(&v))
}

// rewrite runs a statement made by replace.
func rewrite[T any](t *tx, m mapping[T], statement string, v T) (int64, error) {
	others, keys := m.keysLast(m.written(&v))
	return t.write(m.table, statement, append(others, keys...))
}

func (t *tx) write(table, statement string, r row) (int64, error) {
	values, err := r.values()
	if err != nil {
		return 0, t.fail(fmt.Errorf("writing %s: %w", table, err))
	}
	return t.exec(statement, values...)
}

// inserts are the statements that insert one record, and any number of them.
type inserts struct{ one, many string }

// insertsOf makes the statements of a table, which end in the suffix.
func insertsOf[T any](d Dialect, text func(squirrel.Sqlizer) string, m mapping[T], suffix string) inserts {
	names := m.written(new(T)).names()
	one := m.insert()
	many := squirrel.Expr("INSERT INTO " + m.table + " (" + strings.Join(names, ", ") + ") " + d.Rows(m.table, names) + " " + suffix)
	if suffix != "" {
		one = one.Suffix(suffix)
	}
	return inserts{text(one), text(many)}
}

// insertAll inserts records with one statement. Their columns are numbers and
// text.
func insertAll[T any](t *tx, m mapping[T], into inserts, records []T) error {
	switch len(records) {
	case 0:
		return t.writing()
	case 1:
		_, err := write(t, m, into.one, records[0])
		return err
	}
	rows, err := rowsOf(m, records)
	if err != nil {
		return t.fail(fmt.Errorf("writing %s: %w", m.table, err))
	}
	_, err = t.exec(into.many, rows)
	return err
}

// rowsOf are records as the parameter of Dialect.Rows: a JSON array of objects.
func rowsOf[T any](m mapping[T], records []T) (string, error) {
	rows := make([]map[string]any, len(records))
	for i := range records {
		var err error
		if rows[i], err = m.written(&records[i]).fields(); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(rows)
	return string(text), err
}

// put stores a record, whether or not there is one with its key.
func put[T any](t *tx, m mapping[T], v T) error {
	_, err := write(t, m, t.store.text(m.upsert()), v)
	return err
}

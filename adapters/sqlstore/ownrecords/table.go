package ownrecords

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// Table is a table of a CRM for records of one type. What Columns hold is read over what the
// column document has, which is the whole record as JSON.
type Table[T any] struct {
	Name    string
	Columns []Column[T]
}

// with returns the table with other columns before its own.
func (t *Table[T]) with(before []Column[T]) *Table[T] {
	if t == nil {
		return nil
	}
	return &Table[T]{t.Name, append(before, t.Columns...)}
}

// Column is a column of a table. Field, Time and Criterion return the usual ones.
type Column[T any] struct {
	Name string
	// Of returns the value of the column in a record: Scan puts it there, Value takes it from there.
	Of func(*T) Value
}

// Value is one value of a record, as a column holds it.
type Value interface {
	sql.Scanner
	driver.Valuer
}

// Field is a column for a field of a record: of returns a pointer to it. NULL is read as zero.
func Field[T, V any](column string, of func(*T) *V) Column[T] {
	return Column[T]{column, func(record *T) Value { return field[V]{of(record)} }}
}

// Time is a column for a time, such as TIMESTAMPTZ. It is NULL where the time is zero.
func Time[T any](column string, of func(*T) *time.Time) Column[T] {
	return Column[T]{column, func(record *T) Value { return moment{of(record)} }}
}

// Criterion is a column for the criterion with a key, such as criteria.KeyPrice. V is its type:
// criteria.Number, Text, Unique or Flag. The column is NULL where a product has no such value.
func Criterion[V scalar](column, key string) Column[product.Product] {
	return Column[product.Product]{column, func(p *product.Product) Value { return criterion[V]{p, key} }}
}

type scalar interface {
	criteria.Value
	criteria.Number | criteria.Text | criteria.Unique | criteria.Flag
}

type field[V any] struct{ at *V }

func (f field[V]) Scan(from any) error {
	var read sql.Null[V]
	err := read.Scan(from)
	*f.at = read.V
	return err
}

func (f field[V]) Value() (driver.Value, error) {
	return driver.DefaultParameterConverter.ConvertValue(*f.at)
}

type moment struct{ at *time.Time }

func (m moment) Scan(from any) error {
	var read sql.Null[time.Time]
	err := read.Scan(from)
	*m.at = read.V.UTC()
	return err
}

// Value is a text that both engines read as a time, and so do the functions of SQLite.
func (m moment) Value() (driver.Value, error) {
	if m.at.IsZero() {
		return nil, nil
	}
	return m.at.Format("2006-01-02 15:04:05.999999-07:00"), nil
}

type criterion[V scalar] struct {
	of  *product.Product
	key string
}

func (c criterion[V]) Scan(from any) error {
	var read sql.Null[V]
	err := read.Scan(from)
	if _, is := c.of.Criteria[c.key].(V); is {
		delete(c.of.Criteria, c.key)
	}
	if read.Valid {
		if c.of.Criteria == nil {
			c.of.Criteria = criteria.Values{}
		}
		c.of.Criteria[c.key] = read.V
	}
	return err
}

func (c criterion[V]) Value() (driver.Value, error) {
	if value, is := c.of.Criteria[c.key].(V); is {
		return driver.DefaultParameterConverter.ConvertValue(value)
	}
	return nil, nil
}

// written is a value that is written only: the document has it too.
type written struct{ value driver.Value }

func (written) Scan(any) error { return nil }

func (w written) Value() (driver.Value, error) { return w.value, nil }

// document is a record as JSON. One that would come back altered, as text does that is not UTF-8,
// is refused.
type document[T any] struct{ of *T }

func (d document[T]) Scan(from any) error {
	var read sql.Null[string]
	err := read.Scan(from)
	if err == nil && read.Valid {
		if err = unmarshal(read.V, d.of); err != nil {
			err = fmt.Errorf("reading a %T: %w", *d.of, err)
		}
	}
	return err
}

func (d document[T]) Value() (driver.Value, error) {
	text, err := marshal(*d.of)
	if err != nil {
		return nil, err
	}
	var back T
	if err := unmarshal(text, &back); err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(*d.of, back) {
		return nil, fmt.Errorf("a %T is not storable", *d.of) // without its text, which may be about people
	}
	return text, nil
}

// storedProduct is a product with its criteria as sqlstore stores them, from which their types
// can be told. They hide those of the product.
type storedProduct struct {
	product.Product
	Criteria json.RawMessage
}

func marshal(record any) (string, error) {
	if p, is := record.(product.Product); is {
		stored := storedProduct{Product: p}
		if p.Criteria != nil {
			var err error
			if stored.Criteria, err = sqlstore.CriteriaText(p.Criteria); err != nil {
				return "", err
			}
		}
		record = stored
	}
	text, err := json.Marshal(record)
	return string(text), err
}

func unmarshal(text string, record any) error {
	p, is := record.(*product.Product)
	if !is {
		return json.Unmarshal([]byte(text), record)
	}
	var stored storedProduct
	err := json.Unmarshal([]byte(text), &stored)
	*p = stored.Product
	if given := string(stored.Criteria); err == nil && given != "" && given != "null" {
		p.Criteria, err = sqlstore.ParseCriteria(given)
	}
	return err
}

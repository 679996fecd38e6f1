package sqlstore

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"
)

// column names a column and points at the Go value behind it. The one pointer
// is both written from and scanned into, so a column is named once.
type column struct {
	name string
	// value is a pointer database/sql can scan into, or a codec.
	value any
}

// codec is a column whose form in the database is not its form in Go.
type codec interface {
	driver.Valuer
	Scan(src any) error
}

// row is one record, column by column.
type row []column

func (r row) names() []string {
	names := make([]string, len(r))
	for i, c := range r {
		names[i] = c.name
	}
	return names
}

// targets is what rows of the table are scanned into.
func (r row) targets() []any {
	targets := make([]any, len(r))
	for i, c := range r {
		targets[i] = c.value
	}
	return targets
}

// values is what the record writes.
func (r row) values() ([]any, error) {
	values := make([]any, len(r))
	for i, c := range r {
		if v, ok := c.value.(codec); ok {
			value, err := v.Value()
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", c.name, err)
			}
			values[i] = value
			continue
		}
		values[i] = reflect.ValueOf(c.value).Elem().Interface()
	}
	return values, nil
}

// fields are the values by the names of their columns.
func (r row) fields() (map[string]any, error) {
	values, err := r.values()
	if err != nil {
		return nil, err
	}
	fields := make(map[string]any, len(r))
	for i, c := range r {
		fields[c.name] = values[i]
	}
	return fields, nil
}

// whole is a column of a whole number, whatever its Go type.
func whole[T ~int64 | ~int](p *T) codec { return wholeColumn[T]{p} }

type wholeColumn[T ~int64 | ~int] struct{ p *T }

func (c wholeColumn[T]) Value() (driver.Value, error) { return int64(*c.p), nil }

func (c wholeColumn[T]) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("a %T is no whole number", src)
	}
	*c.p = T(n)
	return nil
}

// text is a column of text. Text that PostgreSQL cannot hold is refused on
// every engine: the core lets none through, and nothing may be stored altered.
func text[T ~string](p *T) codec { return textColumn[T]{p} }

type textColumn[T ~string] struct{ p *T }

func (c textColumn[T]) Value() (driver.Value, error) {
	s := string(*c.p)
	if strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s) {
		return nil, fmt.Errorf("text of %d bytes is not storable", len(s)) // it may be about people, and errors are logged
	}
	return s, nil
}

func (c textColumn[T]) Scan(src any) error {
	switch src := src.(type) {
	case string:
		*c.p = T(src)
	case []byte:
		*c.p = T(src)
	default:
		return fmt.Errorf("a %T is no text", src)
	}
	return nil
}

// instant is a column of a moment in microseconds; NULL is the zero time.
func instant(p *time.Time) codec { return instantColumn{p} }

type instantColumn struct{ p *time.Time }

func (c instantColumn) Value() (driver.Value, error) { return micros(*c.p), nil }

func (c instantColumn) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*c.p = time.Time{}
	case int64:
		*c.p = time.UnixMicro(src).UTC()
	default:
		return fmt.Errorf("a %T is no instant", src)
	}
	return nil
}

// micros is the parameter an instant is stored and compared as.
func micros(t time.Time) driver.Value {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

// given is a column of a nested value that many records do not have: the empty
// text is its zero value, anything else a document.
func given[T comparable](p *T) codec { return givenColumn[T]{p} }

type givenColumn[T comparable] struct{ p *T }

func (c givenColumn[T]) Value() (driver.Value, error) {
	var none T
	if *c.p == none {
		return "", nil
	}
	return document(c.p).Value()
}

func (c givenColumn[T]) Scan(src any) error {
	var raw string
	if err := text(&raw).Scan(src); err != nil {
		return err
	}
	if raw == "" {
		var none T
		*c.p = none
		return nil
	}
	return document(c.p).Scan(raw)
}

// document is a column of a nested value, as JSON. The names of the value's
// fields are the stored form; a test pins them.
func document[T any](p *T) codec { return documentColumn[T]{p} }

type documentColumn[T any] struct{ p *T }

func (c documentColumn[T]) Value() (driver.Value, error) {
	b, err := json.Marshal(*c.p)
	return string(b), err
}

func (c documentColumn[T]) Scan(src any) error {
	var v T
	var err error
	switch src := src.(type) {
	case string:
		err = json.Unmarshal([]byte(src), &v)
	case []byte:
		err = json.Unmarshal(src, &v)
	default:
		return fmt.Errorf("a %T is no document", src)
	}
	*c.p = v
	return err
}

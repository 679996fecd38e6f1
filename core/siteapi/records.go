package siteapi

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/opt"
)

// Instant is a moment as responses write it: RFC 3339 in UTC with milliseconds.
type Instant struct{ time.Time }

// MarshalText implements encoding.TextMarshaler.
func (i Instant) MarshalText() ([]byte, error) {
	return i.UTC().AppendFormat(nil, "2006-01-02T15:04:05.000Z07:00"), nil
}

// MarshalJSON hides that of time.Time, which writes as many digits as there
// are.
func (i Instant) MarshalJSON() ([]byte, error) {
	return i.UTC().AppendFormat(nil, `"2006-01-02T15:04:05.000Z07:00"`), nil
}

// Raw is a value whose type is known only to the criterion it is for.
type Raw = criteria.Raw

// Opt is a field that may be absent, null or given.
type Opt[T any] = opt.Field[T]

// Object is a JSON object of the client's own, which is kept and shown as it
// came. The zero value is none.
type Object struct {
	// Text is the object, in JSON without needless spaces.
	Text string
	// Size is how many members it has.
	Size int
}

// MarshalJSON writes the object, or null.
func (o Object) MarshalJSON() ([]byte, error) {
	if o.Text == "" {
		return []byte("null"), nil
	}
	return []byte(o.Text), nil
}

// nullable is the value, or null when it is the zero value.
func nullable[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// list is never null.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// Created is the answer to a creation.
type Created struct {
	ID int64 `json:"id"`
	// Location is the URL of what was created.
	Location string `json:"-" header:"Location"`
}

package kernel

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// MaxText is the largest number of characters of a short text in a request.
const MaxText = 255

// Instant is a time in a response: RFC 3339 in UTC with milliseconds.
type Instant struct{ time.Time }

// Append appends the text of the time.
func (i Instant) Append(out []byte) []byte {
	return i.UTC().AppendFormat(out, "2006-01-02T15:04:05.000Z07:00")
}

// MarshalText implements encoding.TextMarshaler.
func (i Instant) MarshalText() ([]byte, error) { return i.Append(nil), nil }

// MarshalJSON hides that of time.Time, which writes as many digits as there are.
func (i Instant) MarshalJSON() ([]byte, error) { return append(i.Append([]byte{'"'}), '"'), nil }

// When returns a time, or null for the zero time.
func When(at time.Time) *Instant {
	if at.IsZero() {
		return nil
	}
	return &Instant{at}
}

// Latest returns the later of two times, so that times of modification do not go backwards
// when clocks do.
func Latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Object is a JSON object with members of the client's choice, which is stored and returned
// unchanged. The zero value is none.
type Object struct {
	// Text is the object, in JSON without needless spaces.
	Text string
	// Members are the members of the object.
	Members []Member
}

// Member is a member of an Object. Text is the member in JSON, name and value.
type Member struct{ Name, Text string }

// MarshalJSON writes the object, or null.
func (o Object) MarshalJSON() ([]byte, error) {
	if o.Text == "" {
		return []byte("null"), nil
	}
	return []byte(o.Text), nil
}

// OneOf marks a struct of which exactly one field is set, and encoded in responses in place
// of the struct.
type OneOf struct{}

// Choices is a request parameter that is a list of choices, separated by commas.
type Choices interface{ Choices() []string }

// Codes are codes that a request gives as an array, or as a single one.
type Codes []string

// Nullable returns the value, or null when it is the zero value.
func Nullable[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// List returns the items as a list that is never null.
func List[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// CheckText adds a problem if a text is too long or cannot be stored, and reports whether
// it is right.
func CheckText(field, text string, limit int, problems *fault.Problems) bool {
	detail := criteria.CheckText(text, limit)
	if detail == nil {
		return true
	}
	detail.Field = field
	problems.Append(*detail)
	return false
}

// Created is the answer to a creation.
type Created struct {
	ID int64 `json:"id"`
	// Location is the URL of the created record.
	Location string `json:"-" header:"Location"`
}

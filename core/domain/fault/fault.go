// Package fault has the errors of the core: a Kind, a stable code, a sentence for the caller
// and, if a body is wrong, one Detail per field.
//
// It knows nothing of HTTP. An adapter translates a Kind to its transport in
// one table.
//
// The French of a text is found by its English format. A French format has the same
// verbs; where the arguments come in another order, it says so, as in %[2]s.
package fault

import (
	"errors"
	"time"
)

// Kind is the family a fault belongs to. It is itself an error, so that
// errors.Is(err, fault.NotFound) reads as it should.
type Kind uint8

const (
	// Internal is every unexpected error; its cause is for operators only.
	Internal Kind = iota
	// Unrecognised is a criteria value outside its referential in a product
	// update, which the contract distinguishes from Invalid.
	Unrecognised
	// Unauthenticated: the caller is not known.
	Unauthenticated
	// Forbidden: the caller is known and has no right to this.
	Forbidden
	// NotFound: there is no such resource, or none that the caller may know of.
	NotFound
	// NotAllowed: the resource exists, the method does not apply to it.
	NotAllowed
	// Conflict: the request contradicts the present state.
	Conflict
	// Stale: a condition on the version of a record does not hold any more.
	Stale
	// TooLarge: the request is larger than the limit.
	TooLarge
	// Unsupported: the request is in a format the operation does not read.
	Unsupported
	// Invalid: the content of the request breaks a rule.
	Invalid
	// Limited: too many requests; try again later.
	Limited
	// Unavailable: a part the service depends on does not answer.
	Unavailable
	// Moved: the same request is answered at another address.
	Moved
	// Gone: another resource has replaced this one.
	Gone
	// Kinds is the number of kinds.
	Kinds
)

var kindNames = [Kinds]string{
	"internal", "unrecognised", "unauthenticated", "forbidden", "not found", "not allowed", "conflict",
	"stale", "too large", "unsupported", "invalid", "limited", "unavailable", "moved", "gone",
}

// Error names the kind.
func (k Kind) Error() string {
	if k < Kinds {
		return kindNames[k]
	}
	return "unknown kind"
}

// Detail is one problem of one field of a request.
type Detail struct {
	// Field is a path in snake_case, such as criteria[2].value.
	Field string
	// Code is one of the catalogue, as is Error.Code.
	Code Code
	// Message is a sentence for a person.
	Message Text
	// Value is the offending value, when showing it helps; nil otherwise.
	Value any
	// Accepted lists the values that would have been accepted, 50 at most.
	Accepted []string
}

// Error is a fault as the caller gets it.
type Error struct {
	Kind    Kind
	Code    Code
	Message Text
	Details []Detail
	// Wait is the time until a retry makes sense, if it is known.
	Wait time.Duration
	// Elsewhere is the scheme and host that answer what is Moved.
	Elsewhere string
	cause     error
}

// New returns a fault of a kind, with a code of the catalogue and a sentence.
func New(kind Kind, code Code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: Textf(format, args...)}
}

// Error returns the message in English, followed by the cause when there is one. The whole
// is for logs: only Message may reach a client.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Message.String()
	}
	return e.Message.String() + ": " + e.cause.Error()
}

// Unwrap lets errors.Is find the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.cause}
}

// At returns the fault with the wrong field of the request, and its value if showing it helps.
func (e *Error) At(field string, value any) *Error {
	e.Details = append(e.Details, Detail{Field: field, Code: e.Code, Message: e.Message, Value: value})
	return e
}

// Because returns the fault with its cause, for operators.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// From returns the fault in err's chain, or an Internal one that hides err
// from clients. From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	var kind Kind
	if errors.As(err, &kind) && kind == Unavailable {
		return New(Unavailable, CodeUnavailable, "the service is temporarily unavailable").Because(err)
	}
	return New(Internal, CodeInternalError, "internal error").Because(err)
}

// Package transition says which status of a record may follow on which: closed
// tables, as data.
package transition

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Clock does what nobody has to ask for: the transition happens at a moment
// that the record knows.
const Clock = "clock"

// Row is what can be done in some statuses, and where it leads to. What leads to
// several depends on the record.
type Row[S ~string] struct {
	From []S
	By   string
	To   []S
}

// Table lists everything that can be done with records of a kind. What it does
// not list cannot be done.
type Table[S ~string] []Row[S]

// Allows reports whether something can be done in a status.
func (t Table[S]) Allows(from S, by string) bool {
	return slices.ContainsFunc(t, func(r Row[S]) bool { return r.By == by && slices.Contains(r.From, from) })
}

// Leads reports whether something can lead from one status to another.
func (t Table[S]) Leads(from S, by string, to S) bool {
	return slices.ContainsFunc(t, func(r Row[S]) bool {
		return r.By == by && slices.Contains(r.From, from) && slices.Contains(r.To, to)
	})
}

// Check is nil when something can be done in a status, and otherwise the
// Conflict that names the status.
func (t Table[S]) Check(from S, by string) error {
	if t.Allows(from, by) {
		return nil
	}
	return Refused(from, "this cannot be done in the status %s", from)
}

// Refused is the Conflict of what the present status does not admit.
func Refused[S ~string](present S, format string, args ...any) error {
	return fault.New(fault.Conflict, fault.CodeInvalidTransition, format, args...).At("status", string(present))
}

// Statuses lists every status of the table, in the order in which they appear.
func (t Table[S]) Statuses() []S {
	var all []S
	add := func(s S) {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	for _, r := range t {
		for _, s := range r.From {
			add(s)
		}
	}
	for _, r := range t {
		for _, s := range r.To {
			add(s)
		}
	}
	return all
}

// Final reports whether nothing leads from a status to another one.
func (t Table[S]) Final(s S) bool {
	return !slices.ContainsFunc(t, func(r Row[S]) bool {
		return slices.Contains(r.From, s) && slices.ContainsFunc(r.To, func(to S) bool { return to != s })
	})
}

package kernel

import (
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// Note is an entry of the audit that is not stored yet: the first unit of work of an
// Audited caller stores it, together with its effect. It is for one call of one operation.
type Note struct {
	entry  operator.Entry
	check  func(Unit) error
	stored bool
}

// NewNote returns the note of an operation. The unit of work sets its time and its
// changes. A Subject that is a kind alone gets the id of the created record.
func NewNote(e operator.Entry) *Note { return &Note{entry: e} }

// Provided sets a check that the unit of work runs first: whether the operator may do this
// to the records as they are then.
func (n *Note) Provided(check func(Unit) error) { n.check = check }

// Stored reports whether a unit of work has stored the entry.
func (n *Note) Stored() bool { return n.stored }

// Audited returns the caller whose next unit of work stores the entry of a note.
func (c Caller) Audited(n *Note) Caller {
	c.note = n
	return c
}

// Changed adds the differences of a record to the entry of the audit; see edit.Diff.
// Without an operator it does nothing.
func (u Unit) Changed(before, after any) {
	if u.changes != nil {
		*u.changes = append(*u.changes, edit.Diff(before, after)...)
	}
}

// audited runs the unit of an Audited caller and stores the entry.
func audited(u Unit, fn func(Unit) (any, error)) (any, error) {
	entry := u.note.entry
	u.changes, u.doer, u.subject = &entry.Changes, &entry.Operator, &entry.Subject
	if u.note.check != nil {
		if err := u.note.check(u); err != nil {
			return nil, err
		}
	}
	out, err := fn(u)
	if err != nil {
		return nil, err
	}
	entry.At = u.Now
	if made, is := out.(Created); is {
		entry.Subject += " " + strconv.FormatInt(made.ID, 10)
	}
	return out, u.Audit().Append(entry)
}

// About sets the subject of the entry of the audit, a kind and a name, where it is only
// known inside the unit of work.
func (u Unit) About(subject string) {
	if u.subject != nil {
		*u.subject = subject
	}
}

// As sets the operator of the entry of the audit, where it is only known inside the unit
// of work.
func (u Unit) As(id operator.ID) {
	if u.doer != nil {
		*u.doer = id
	}
}

package kernel

import (
	"strconv"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// Note is an entry of the audit on its way: the first unit of work that is carried
// out for an Audited caller stores it, together with its effect. It is for one use
// of one operation.
type Note struct {
	entry  operator.Entry
	check  func(Unit) error
	stored bool
}

// NewNote is a note of what an operator is about to do. Its time, and what is
// changed, come with the unit of work. A Subject that is a kind alone gets the id of
// what is created.
func NewNote(e operator.Entry) *Note { return &Note{entry: e} }

// Provided has the unit of work check first that the operator may do this to what is
// there then: what it reads for that is what the unit goes on with.
func (n *Note) Provided(check func(Unit) error) { n.check = check }

// Stored reports whether a unit of work has stored the entry.
func (n *Note) Stored() bool { return n.stored }

// Audited is the caller whose next unit of work leaves the entry of a note.
func (c Caller) Audited(n *Note) Caller {
	c.note = n
	return c
}

// Changed writes down, for the audit, how a record differs from what it was; see
// operator.Diff. Without an operator it does nothing.
func (u Unit) Changed(before, after any) {
	if u.changes != nil {
		*u.changes = append(*u.changes, operator.Diff(before, after)...)
	}
}

// audited runs the unit of a caller whose deeds are audited.
func audited[Out any](u Unit, fn func(Unit) (Out, error)) (Out, error) {
	entry := u.note.entry
	u.changes, u.doer, u.subject = &entry.Changes, &entry.Operator, &entry.Subject
	var none Out
	if u.note.check != nil {
		if err := u.note.check(u); err != nil {
			return none, err
		}
	}
	out, err := fn(u)
	if err != nil {
		return none, err
	}
	entry.At = u.Now
	if made, is := any(out).(Created); is {
		entry.Subject += " " + strconv.FormatInt(made.ID, 10)
	}
	return out, u.Audit().Append(entry)
}

// About says what an entry of the audit is about, where that is only known inside the
// unit of work: a kind and a name.
func (u Unit) About(subject string) {
	if u.subject != nil {
		*u.subject = subject
	}
}

// As says who an entry of the audit is about to name, where that is only known inside
// the unit of work.
func (u Unit) As(id operator.ID) {
	if u.doer != nil {
		*u.doer = id
	}
}

package kernel

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Table has the methods of port.Table that a Resource needs.
type Table[ID ~int64, T any] interface {
	// Get returns a record, which in an Update is locked until the unit ends.
	Get(site.ID, ID) (T, error)
	// GetUnlocked is Get without the lock, see port.Table.
	GetUnlocked(site.ID, ID) (T, error)
	Put(T) error
	Delete(site.ID, ID) error
}

// Resource creates, reads, changes and removes the records of one kind, with their events
// and versions.
type Resource[ID ~int64, T any] struct {
	// Unknown is the message about a record that does not exist.
	Unknown fault.Text
	// Gone, which may be nil, returns the error about an id that another one has replaced,
	// and nil about every other.
	Gone  func(Unit, ID) error
	IDs   port.Sequence
	Table func(port.Tx) Table[ID, T]
	// Created, Updated and Deleted are the events of the resource.
	Created, Updated, Deleted event.Type
	// Stamp returns pointers to the fields that the kernel writes into a record.
	Stamp func(*T) Stamp[ID]
	// Agency returns the agency of a record, for scope and events.
	Agency func(T) site.AgencyID
	// Same reports whether two states are equal for clients.
	Same func(a, b T) bool
	// Differences, which may be nil, lists what differs between two states, for the event of
	// a change and the history of the record.
	Differences func(before, after T) []edit.Edit
	// Changing, which may be nil, checks a change further, or does what else belongs to it,
	// when there is a difference and before the change is recorded.
	Changing func(u Unit, before, after T) error
	// Changed, which may be nil, records further events of a change, after the change is
	// recorded.
	Changed func(u Unit, before, after T) error
}

// Stamp points at the fields of a record that the kernel writes.
type Stamp[ID ~int64] struct {
	ID              *ID
	Version         *int64
	Added, Modified *time.Time
}

// Get returns a record of the caller's site. It fails as NotFound when there is none, and
// as Forbidden when its agency is outside the scope. In a unit that writes the record is
// locked until the unit ends.
func (r Resource[ID, T]) Get(in AnyUnit, id ID) (T, error) {
	u := in.kernelUnit()
	found, err := r.Table(u.Tx).Get(u.Site.ID, id)
	return found, r.seen(u, id, found, err)
}

// GetUnlocked is Get without the lock: if the record has changed at the commit, the unit
// runs again. It is for a unit that reads little else.
func (r Resource[ID, T]) GetUnlocked(in AnyUnit, id ID) (T, error) {
	u := in.kernelUnit()
	found, err := r.Table(u.Tx).GetUnlocked(u.Site.ID, id)
	return found, r.seen(u, id, found, err)
}

func (r Resource[ID, T]) seen(u Unit, id ID, found T, err error) error {
	if IsAbsent(err) && r.Gone != nil {
		err = FirstError(r.Gone(u, id), err)
	}
	if err != nil {
		return AbsentIs(err, Unknown("%s", r.Unknown))
	}
	return u.Sees(r.Agency(found))
}

// Create sets the id of a new record, unless it has one, records its creation and stores
// it. It returns the stored record.
func (r Resource[ID, T]) Create(in AnyUnit, made T) (T, error) {
	u := in.kernelUnit()
	stamp := r.Stamp(&made)
	if *stamp.ID == 0 {
		id, err := NextID[ID](u, r.IDs)
		if err != nil {
			return made, err
		}
		*stamp.ID = id
	}
	recorded, err := r.Record(u, r.Created, made)
	if err != nil {
		return made, err
	}
	*stamp.Version, *stamp.Added, *stamp.Modified = recorded.Seq, recorded.At, recorded.At
	return made, r.Table(u.Tx).Put(made)
}

// Change calls edit with a locked record and stores the new state, unless it is the same: then
// a condition is not looked at, so that a change whose answer was lost can be sent again (RFC
// 9110, 13.1.1). Problems of the request are returned before an unmet condition, and both before
// any effect.
func (r Resource[ID, T]) Change(in AnyUnit, before T, match IfMatch, edit func(T) (T, error)) (Changed, error) {
	u := in.kernelUnit()
	version := Version(*r.Stamp(&before).Version)
	after, err := edit(before)
	if err == nil && r.Same(before, after) {
		return Changed{version}, nil
	}
	if err := FirstError(err, match.Check(version)); err != nil {
		return Changed{}, err
	}
	if r.Changing != nil {
		if err := r.Changing(u, before, after); err != nil {
			return Changed{}, err
		}
	}
	after, err = r.replace(u, after, r.ChangeEvent(before, after))
	if err == nil && r.Changed != nil {
		err = r.Changed(u, before, after)
	}
	return Changed{Version(*r.Stamp(&after).Version)}, err
}

// Replace records the change of a record and stores its new state without comparing.
func (r Resource[ID, T]) Replace(in AnyUnit, after T) (T, error) {
	return r.replace(in.kernelUnit(), after, r.Event(r.Updated, after))
}

func (r Resource[ID, T]) replace(u Unit, after T, told event.Event) (T, error) {
	recorded, err := u.Record(told)
	if err != nil {
		return after, err
	}
	stamp := r.Stamp(&after)
	*stamp.Version, *stamp.Modified = recorded.Seq, Latest(recorded.At, *stamp.Modified)
	return after, r.Table(u.Tx).Put(after)
}

// Remove records the deletion of a locked record, and deletes it.
func (r Resource[ID, T]) Remove(in AnyUnit, gone T, match IfMatch) error {
	u := in.kernelUnit()
	stamp := r.Stamp(&gone)
	if err := match.Check(Version(*stamp.Version)); err != nil {
		return err
	}
	if _, err := r.Record(u, r.Deleted, gone); err != nil {
		return err
	}
	return r.Table(u.Tx).Delete(u.Site.ID, *stamp.ID)
}

// Record records an event about a record.
func (r Resource[ID, T]) Record(in AnyUnit, t event.Type, of T) (event.Event, error) {
	return in.kernelUnit().Record(r.Event(t, of))
}

// ChangeEvent returns the event of a change, with what differs.
func (r Resource[ID, T]) ChangeEvent(before, after T) event.Event {
	told := r.Event(r.Updated, after)
	if r.Differences != nil {
		told = told.Told(r.Differences(before, after))
	}
	return told
}

// Event returns an event about a record, which is not recorded yet.
func (r Resource[ID, T]) Event(t event.Type, of T) event.Event {
	return event.Event{Type: t, Resource: int64(*r.Stamp(&of).ID), Agency: r.Agency(of)}
}

// Reference returns a record that a field of a request refers to. If there is none in
// scope, it adds a problem of the field with the code, and the record is empty.
func (r Resource[ID, T]) Reference(in AnyUnit, field string, id ID, code fault.Code, message fault.Text, problems *fault.Problems) (found T, err error) {
	u := in.kernelUnit()
	found, err = r.Table(u.Tx).Get(u.Site.ID, id)
	exists := err == nil
	if err = AbsentIs(err, nil); err != nil {
		return found, err
	}
	if exists && u.Scope.Has(r.Agency(found)) {
		return found, nil
	}
	problems.Wrong(field, code, int64(id), "%s", message)
	var none T
	return none, nil
}

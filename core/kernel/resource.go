package kernel

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Table is what a Resource needs of where its records are kept; a port.Table is
// one.
type Table[ID ~int64, T any] interface {
	// Get returns a record, which in an Update is held until the unit ends.
	Get(site.ID, ID) (T, error)
	// GetUnlocked is Get without keeping others from changing the record, see port.Table.
	GetUnlocked(site.ID, ID) (T, error)
	Put(T) error
	Delete(site.ID, ID) error
}

// Resource is the life of the records of one kind: how they are created, read,
// changed and removed, with their events and versions.
type Resource[ID ~int64, T any] struct {
	// Unknown is the message for a caller who names a record that does not exist.
	Unknown fault.Text
	// Gone, where there is one, is the error about an id that is gone for another, nil
	// about every other.
	Gone  func(Unit, ID) error
	IDs   port.Sequence
	Table func(port.Tx) Table[ID, T]
	// Created, Updated and Deleted are the events of the resource.
	Created, Updated, Deleted event.Type
	// Stamp points at what the kernel writes into a record.
	Stamp func(*T) Stamp[ID]
	// Agency is whom the record belongs to, for scope and events.
	Agency func(T) site.AgencyID
	// Same reports whether two states show no difference.
	Same func(a, b T) bool
	// Differences, where there is one, names what differs between two states, for the
	// event that tells of a change.
	Differences func(before, after T) []string
	// Changing, where there is one, checks what else a change has to meet, or does
	// what else it entails, once it is certain that there is a difference.
	Changing func(u Unit, before, after T) error
	// Changed, where there is one, records what else a change was, once the change
	// is recorded.
	Changed func(u Unit, before, after T) error
}

// Stamp points at the fields of a record that the kernel writes.
type Stamp[ID ~int64] struct {
	ID              *ID
	Version         *int64
	Added, Modified *time.Time
}

// Get reads a record of the caller's site: NotFound when there is none,
// Forbidden when its agency is outside the scope. In a unit that writes it is
// held until the unit ends.
func (r Resource[ID, T]) Get(in AnyUnit, id ID) (T, error) {
	u := in.kernelUnit()
	found, err := r.Table(u.Tx).Get(u.Site.ID, id)
	return found, r.seen(u, id, found, err)
}

// GetUnlocked is Get without keeping others from changing the record meanwhile: if somebody
// has, the unit is run again. It is for a unit that reads little else.
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

// Create gives a new record its id, unless it has one, records its creation and
// stores it.
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

// Change makes a new state of a record that is held, and stores it, unless it
// shows no difference. What is wrong with the request comes before the
// condition, which comes before any effect.
func (r Resource[ID, T]) Change(in AnyUnit, before T, match IfMatch, edit func(T) (T, error)) (Changed, error) {
	u := in.kernelUnit()
	version := Version(*r.Stamp(&before).Version)
	after, err := edit(before)
	if err := FirstError(err, match.Check(version)); err != nil {
		return Changed{}, err
	}
	if r.Same(before, after) {
		return Changed{version}, nil
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

// Replace records the change of a record, whatever it is, and stores its new state.
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

// Remove records that a record that is held is gone, and deletes it.
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

// ChangeEvent is the event that tells of a change.
func (r Resource[ID, T]) ChangeEvent(before, after T) event.Event {
	told := r.Event(r.Updated, after)
	if r.Differences != nil {
		told.Changed = event.ChangeOf(r.Differences(before, after))
	}
	return told
}

// Event is an event about a record, which is not recorded yet.
func (r Resource[ID, T]) Event(t event.Type, of T) event.Event {
	return event.Event{Type: t, Resource: int64(*r.Stamp(&of).ID), Agency: r.Agency(of)}
}

// Reference reads a record that a field of a request refers to, which must be in
// scope. Where there is no such record, the field is reported with the code, and
// the record is empty.
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

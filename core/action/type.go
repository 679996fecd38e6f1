package action

import "slices"

// TypeID identifies a kind of action among those of a site.
type TypeID int64

// Type is a kind of action a site knows (contract: GET /actions/types).
type Type struct {
	ID     TypeID
	Code   string
	Label  string
	Active bool
	// Target is the kind of subject the type fits; Both stands for either.
	Target   Kind
	Color    string
	Position int
	Children []Child
}

// Child is an action that a performed action of its parent type entails.
type Child struct {
	ID     int64
	Code   string
	Label  string
	Active bool
}

// Fits reports whether actions of this type can be about a kind of subject.
func (t Type) Fits(k Kind) bool { return t.Target == k || t.Target == Both }

// InHistory reports whether performed actions of this type appear in the
// history of their subject: only when a child action is active.
func (t Type) InHistory() bool {
	return slices.ContainsFunc(t.Children, func(c Child) bool { return c.Active })
}

// Child finds a child action, active or not.
func (t Type) Child(id int64) (Child, bool) {
	n := slices.IndexFunc(t.Children, func(c Child) bool { return c.ID == id })
	if n < 0 {
		return Child{}, false
	}
	return t.Children[n], true
}

// visit is the code of the types that are visits.
const visit = "VISITE"

// Types are the action types of a site by id.
type Types map[TypeID]Type

// InHistory lists the types whose actions appear in histories now, by id.
func (t Types) InHistory() []TypeID { return t.which(Type.InHistory) }

// Visits lists the types that are visits, by id.
func (t Types) Visits() []TypeID {
	return t.which(func(t Type) bool { return t.Code == visit })
}

// which lists types by id; never nil, which would stand for every type.
func (t Types) which(wanted func(Type) bool) []TypeID {
	ids := []TypeID{}
	for id, known := range t {
		if wanted(known) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

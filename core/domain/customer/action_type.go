package customer

import "slices"

// ActionTypeID identifies a kind of action among those of a site.
type ActionTypeID int64

// ActionType is a kind of action a site knows (contract: GET /actions/types).
type ActionType struct {
	ID     ActionTypeID
	Code   string
	Label  string
	Active bool
	// Target is the kind of subject the type fits; Both stands for either.
	Target   ActionKind
	Color    string
	Position int
	Children []ActionChild
}

// ActionChild is an action that a performed action of its parent type entails.
type ActionChild struct {
	ID     int64
	Code   string
	Label  string
	Active bool
}

// Fits reports whether actions of this type can be about a kind of subject.
func (t ActionType) Fits(k ActionKind) bool { return t.Target == k || t.Target == AimedAtBoth }

// InHistory reports whether performed actions of this type appear in the
// history of their subject: only when a child action is active.
func (t ActionType) InHistory() bool {
	return slices.ContainsFunc(t.Children, func(c ActionChild) bool { return c.Active })
}

// Child finds a child action, active or not.
func (t ActionType) Child(id int64) (ActionChild, bool) {
	n := slices.IndexFunc(t.Children, func(c ActionChild) bool { return c.ID == id })
	if n < 0 {
		return ActionChild{}, false
	}
	return t.Children[n], true
}

// visit is the code of the types that are visits.
const visit = "VISITE"

// ActionTypes are the action types of a site by id.
type ActionTypes map[ActionTypeID]ActionType

// InHistory lists the types whose actions appear in histories now, by id.
func (t ActionTypes) InHistory() []ActionTypeID { return t.which(ActionType.InHistory) }

// Visits lists the types that are visits, by id.
func (t ActionTypes) Visits() []ActionTypeID {
	return t.which(func(t ActionType) bool { return t.Code == visit })
}

// which lists types by id; never nil, which would mean every type.
func (t ActionTypes) which(wanted func(ActionType) bool) []ActionTypeID {
	ids := []ActionTypeID{}
	for id, known := range t {
		if wanted(known) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

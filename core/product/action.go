package product

// ActionType is a kind of action a site knows (contract: GET /actions/types).
type ActionType struct {
	ID     int64
	Code   string
	Label  string
	Active bool
	// Target is product, customer or both.
	Target   string
	Color    string
	Position int
	Children []ChildAction
}

// ChildAction is an action that a performed action of its parent type entails.
type ChildAction struct {
	ID     int64
	Code   string
	Label  string
	Active bool
}

// InHistory reports whether performed actions of this type appear in the
// product's history: only when a child action is active.
func (t ActionType) InHistory() bool {
	for _, c := range t.Children {
		if c.Active {
			return true
		}
	}
	return false
}

package office

// ActionType is a kind of action of the site.
type ActionType struct {
	ID               int64         `json:"id"`
	Model            string        `json:"model"`
	Label            string        `json:"label"`
	IsActive         bool          `json:"is_active"`
	Target           string        `json:"target" enum:"product,customer,both"`
	Color            *string       `json:"color"`
	Position         int           `json:"position"`
	Children         []ChildAction `json:"children"`
	AppearsInHistory bool          `json:"appears_in_history" doc:"has an active child"`
}

// ChildAction is an action that an action of its parent type entails.
type ChildAction struct {
	ID       int64  `json:"id"`
	Model    string `json:"model"`
	Label    string `json:"label"`
	IsActive bool   `json:"is_active"`
}

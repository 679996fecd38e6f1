package site

import "time"

// State is what is done for a site in a store: while it moves to another one, less than
// usual.
type State uint8

const (
	// Open sites are read, changed and worked for. All are that never moved.
	Open State = iota
	// Resting sites are read and changed, and nothing is done for them in the background.
	Resting
	// Moving sites are read, and nothing else.
	Moving
	// Arriving sites are not yet here as a whole.
	Arriving
	// Moved sites are elsewhere.
	Moved
)

// TakesChanges reports whether a site in this state can be changed.
func (s State) TakesChanges() bool { return s <= Resting }

// String names the state.
func (s State) String() string {
	return [...]string{"open", "resting", "moving", "arriving", "moved"}[s]
}

// Move is the way of a site from one store to another, as the store at either end
// knows it.
type Move struct {
	Site  ID
	State State
	// ID identifies a move of a site; both stores have it.
	ID string
	// Domain is where a Moved site is, as scheme and host; empty where clients find it
	// under the domain they know.
	Domain string
	// Until is how long a store returns the address of a Moved site.
	Until time.Time
}

// Tells reports whether the store still returns the address of a Moved site.
func (m Move) Tells(now time.Time) bool { return now.Before(m.Until) }

package site

import "time"

// ScopeChangeID identifies a change of scope among those of all sites. Later
// changes have higher ids.
type ScopeChangeID int64

// ScopeChange is that agencies came into the scope of their site, or left it, as
// long as not everything that belongs to them has been told of. It is kept with
// the change, so that the telling can be done bit by bit and go on after a crash.
type ScopeChange struct {
	ID   ScopeChangeID
	Site ID
	// Agencies came into scope if Entered, and left it otherwise.
	Agencies []AgencyID
	Entered  bool
	At       time.Time
	// Products is above the ids of all products there were.
	Products int64
	// Kind is the resource that is being told of, as events call it, empty at the
	// beginning; After is the last record of it that was looked at.
	Kind  string
	After int64
}

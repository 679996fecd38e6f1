package operator

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
)

// How long a session lasts.
const (
	// Idle is how long a session lasts without a request.
	Idle = 30 * time.Minute
	// Longest is how long a session lasts in any case.
	Longest = 12 * time.Hour
	// Recent is for how long somebody who gave their password need not give it again.
	Recent = 10 * time.Minute
	// SeenEvery is how precisely it is known when a session was last used.
	SeenEvery = time.Minute
)

// Session is an operator, or a client of the API, who has signed in somewhere, known by the hash of a secret
// that their browser keeps.
type Session struct {
	Hash     access.Hash
	Operator ID
	Started  time.Time
	// Seen is when it was last used, to SeenEvery.
	Seen time.Time
	// Proved is when the operator last showed that they are who they are, by password
	// or passkey.
	Proved time.Time
	// Client is the client of the API that signed in to its portal; empty for an operator.
	Client access.CredentialID
	// Secret is that of the client when it signed in: the session ends with it.
	Secret access.Hash
	// Peer is the address they signed in from, Agent what their browser calls itself.
	Peer, Agent string
}

// Ends returns when the session ends if it is not used again.
func (s Session) Ends() time.Time {
	idle, longest := s.Seen.Add(Idle), s.Started.Add(Longest)
	if longest.Before(idle) {
		return longest
	}
	return idle
}

// Valid reports whether the session is good at the given moment.
func (s Session) Valid(now time.Time) bool { return now.Before(s.Ends()) }

// IsProved reports whether the operator showed a moment ago that they are who they
// are.
func (s Session) IsProved(now time.Time) bool { return now.Before(s.Proved.Add(Recent)) }

// Used returns the session after a request, and whether that has to be stored.
func (s Session) Used(now time.Time) (used Session, changed bool) {
	if now.Sub(s.Seen) < SeenEvery {
		return s, false
	}
	s.Seen = now
	return s, true
}

package access

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/site"
)

// Lifetimes of what the token operation hands out.
type Lifetimes struct {
	// Access is how long an access token is valid.
	Access time.Duration
	// Refresh is how long a refresh token is valid; each rotation starts anew.
	Refresh time.Duration
	// Family is how long rotation can go on before the client must present its
	// secret again.
	Family time.Duration
	// Grace is how long a rotated refresh token still works while nobody has
	// used its successor, for answers that were lost on the way.
	Grace time.Duration
}

// DefaultLifetimes are an hour, 30 days, 90 days and a minute.
func DefaultLifetimes() Lifetimes {
	return Lifetimes{Access: time.Hour, Refresh: 30 * 24 * time.Hour, Family: 90 * 24 * time.Hour, Grace: time.Minute}
}

// FamilyID identifies the chain of tokens that began with one token call.
type FamilyID int64

// Family is a chain of rotations. It ends at once when a refresh token is
// reused, because then two parties hold it.
type Family struct {
	ID         FamilyID
	Credential CredentialID
	Site       site.ID
	Started    time.Time
	// Issued is the last generation that was given out.
	Issued int
	// Used is the last generation of which a token has been used: where the
	// chain stands.
	Used    int
	Revoked bool
}

// Token is an access token or a refresh token, known by its hash alone.
type Token struct {
	Hash       Hash
	Family     FamilyID
	Credential CredentialID
	Site       site.ID
	Refresh    bool
	// Generation counts the pairs of the family: the token call gives out
	// generation 0. Both tokens of one answer share it.
	Generation int
	// Parent is the generation this one was exchanged for.
	Parent  int
	Issued  time.Time
	Expires time.Time
	// Rotated is when this refresh token was exchanged; zero if it never was.
	Rotated time.Time
	Revoked bool
}

// Valid reports whether an access token may be used at the given moment.
func (t Token) Valid(now time.Time) bool { return !t.Refresh && !t.Revoked && now.Before(t.Expires) }

// Exchange is what presenting a refresh token amounts to.
type Exchange uint8

const (
	// Refused: expired or revoked.
	Refused Exchange = iota
	// Granted: a new pair may be issued.
	Granted
	// Reused: the token was exchanged before and its successor is in use, or
	// its grace is over. The whole family must be revoked.
	Reused
)

// Stray reports a token that cannot be used for the first time, because the
// chain went on with another pair that its parent was exchanged for: two parties
// hold the parent.
func (t Token) Stray(f Family) bool { return t.Generation > f.Used && t.Parent != f.Used }

// Exchange judges a refresh token of family f, presented now. It counts as
// Reused once a token of a later generation has been used.
func (t Token) Exchange(f Family, l Lifetimes, now time.Time) Exchange {
	switch {
	case !t.Refresh, t.Revoked, f.Revoked, !now.Before(t.Expires), !now.Before(f.Started.Add(l.Family)):
		return Refused
	case f.Used > t.Generation, t.Stray(f):
		return Reused
	case !t.Rotated.IsZero() && now.After(t.Rotated.Add(l.Grace)):
		return Reused
	}
	return Granted
}

package access

import (
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Lifetimes of what the token operation hands out, and of replaced secrets.
type Lifetimes struct {
	// Access is how long an access token is valid.
	Access time.Duration
	// Refresh is how long a refresh token is valid; each rotation starts anew.
	Refresh time.Duration
	// Family is how long rotation can go on before the client must present its
	// secret again.
	Family time.Duration
	// Grace is how long a rotated refresh token may be exchanged again, for
	// answers that were lost on the way and for several who share it.
	Grace time.Duration
	// Former is how long the secret of a client is good after it was replaced by a
	// rotation.
	Former time.Duration
}

// MaxPairs is how many pairs one refresh token may be exchanged for.
const MaxPairs = 10

// DefaultLifetimes returns an hour, 30 days, 90 days, a minute and a day.
func DefaultLifetimes() Lifetimes {
	const day = 24 * time.Hour
	return Lifetimes{Access: time.Hour, Refresh: 30 * day, Family: 90 * day, Grace: time.Minute, Former: day}
}

// FamilyID identifies the tokens that began with one token call.
type FamilyID int64

// Family is the tokens that came from one token call by exchanges. It ends at
// once when a refresh token is reused, because then two parties hold it.
type Family struct {
	ID         FamilyID
	Credential CredentialID
	Site       site.ID
	Started    time.Time
	Revoked    bool
}

// TokenFor returns a token of a site: the site in base 36, a full stop, and a secret.
// Proxies route by what stands before the full stop. Nobody else reads it: a token is
// known by the hash of all of it.
func TokenFor(id site.ID, drawn string) string { return strconv.FormatInt(int64(id), 36) + "." + drawn }

// Token is an access token or a refresh token, known by its hash alone.
type Token struct {
	Hash       Hash
	Family     FamilyID
	Credential CredentialID
	Site       site.ID
	Refresh    bool
	// Parent is the refresh token that this one was exchanged for; empty for those
	// of the token call.
	Parent  Hash
	Issued  time.Time
	Expires time.Time
	// Rotated is when this refresh token was first exchanged; zero if it never was.
	Rotated time.Time
	// Pairs is how many pairs it was exchanged for.
	Pairs int
	// Succeeded: a refresh token that it was exchanged for was exchanged itself.
	Succeeded bool
	Revoked   bool
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
	// Reused: the token was exchanged before, and may not be again. The whole
	// family must be revoked.
	Reused
)

// Exchange judges a refresh token of family f, presented now. One that was
// exchanged before is good for further pairs, up to MaxPairs, until its grace
// ends or one of its successors is exchanged: a client that lost an answer asks again,
// and several who share a token go on side by side.
func (t Token) Exchange(f Family, l Lifetimes, now time.Time) Exchange {
	switch {
	case !t.Refresh, t.Revoked, f.Revoked, !now.Before(t.Expires), !now.Before(f.Started.Add(l.Family)):
		return Refused
	case t.Pairs == 0:
		return Granted
	case t.Succeeded, t.Pairs >= MaxPairs, now.After(t.Rotated.Add(l.Grace)):
		return Reused
	}
	return Granted
}

// Exchanged returns the token after it was exchanged once more.
func (t Token) Exchanged(now time.Time) Token {
	if t.Pairs == 0 {
		t.Rotated = now
	}
	t.Pairs++
	return t
}

package operator

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
)

// Bounds of what operators have of passkeys.
const (
	MaxPasskeys    = 20
	MaxPasskeyName = 100
)

// AskedFor is how long a browser may take to answer a challenge.
const AskedFor = 5 * time.Minute

// Passkey is what somebody shows instead of a password, or after it: a key that their
// device keeps, and never gives away.
type Passkey struct {
	// ID is what the device calls it, in base64url.
	ID       string
	Operator ID
	// Name is what its operator calls it.
	Name string
	// Record is what the next answer is checked against, as port.WebAuthn writes it:
	// the public key, a counter, and what the device said of itself. None of it is
	// secret.
	Record string
	Added  time.Time
	// Used is when it was last shown; zero if it never was.
	Used time.Time
	// Copied reports that its counter went back, so that somebody may have a copy. It is
	// good for nothing any more.
	Copied bool
}

// Purpose is why a browser is asked.
type Purpose string

// The purposes.
const (
	// ToRegister is to make a passkey.
	ToRegister Purpose = "register"
	// ToSignIn is to show one, alone or after the password.
	ToSignIn Purpose = "sign-in"
	// ToConfirm is to show one again, while signed in.
	ToConfirm Purpose = "confirm"
	// ToSignInAtProvider is to come back from a provider of OpenID Connect, ToAcceptAtProvider
	// to come back with an invitation, and ToConfirmAtProvider while signed in.
	ToSignInAtProvider  Purpose = "sign-in at provider"
	ToAcceptAtProvider  Purpose = "accept at provider"
	ToConfirmAtProvider Purpose = "confirm at provider"
)

// Challenge is what a browser was asked and has yet to answer, known by the hash of a
// secret that it sends back with the answer. It is gone with the first answer.
type Challenge struct {
	Hash    access.Hash
	Purpose Purpose
	// Operator is who was asked; 0 is anybody with a passkey.
	Operator ID
	// State is what port.WebAuthn needs to check the answer; of a way to a provider, the page to
	// go to then, or the hash of the invitation.
	State   string
	Expires time.Time
}

// Admits reports whether an answer of an operator, 0 for anybody, is one to the
// challenge.
func (c Challenge) Admits(p Purpose, id ID, now time.Time) bool {
	return c.Purpose == p && now.Before(c.Expires) && (id == 0 || c.Operator == id)
}

package access

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// CredentialID is the client id an integrator authenticates with.
type CredentialID string

// UnknownClient stands for all clients of requests whose client id, token or key is of no
// credential. No credential has this id.
const UnknownClient CredentialID = "(unknown)"

// Hash is the HMAC-SHA-256 of a secret under the server's pepper, in hex.
// Secrets are 256 random bits, so a slow hash would protect nothing and would
// make the token call easy to exhaust.
type Hash string

// Pepper is the server's own key for hashes. It is never stored next to them in
// clear text by a careful operator.
type Pepper []byte

// Hash hashes a secret or token.
func (p Pepper) Hash(secret string) Hash {
	mac := hmac.New(sha256.New, p)
	mac.Write([]byte(secret))
	return Hash(hex.EncodeToString(mac.Sum(nil)))
}

// Matches compares in constant time.
func (h Hash) Matches(other Hash) bool {
	return subtle.ConstantTimeCompare([]byte(h), []byte(other)) == 1
}

// NewSecret draws 256 bits from random and writes them so that they survive
// headers, forms and shells.
func NewSecret(random io.Reader) (string, error) {
	raw := make([]byte, 32)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", fmt.Errorf("drawing a secret: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// Credential is a client of the API: its secret, the sites it may obtain
// tokens for, and what those tokens are granted.
type Credential struct {
	ID     CredentialID `trace:"keep"`
	Name   string       `trace:"keep"`
	Secret Hash
	// Former is the secret before the last rotation.
	Former      Former
	Sites       []site.ID
	Packs       Packs
	Permissions []Permission `trace:"keep"`
	Rights      []Right      `trace:"keep"`
	// Disabled keeps the credential and its tokens out for the time being.
	Disabled bool
	Added    time.Time
	// RevokedAt is when the credential ended for good; zero while it lives.
	RevokedAt time.Time
}

// Former is a secret that was replaced, and is good for a while yet. The zero value
// is none.
type Former struct {
	Hash  Hash
	Until time.Time
}

// Rotated returns the credential with another secret. The one it had is good until the
// given moment, unless that is not ahead; one before that ends now.
func (c Credential) Rotated(secret Hash, until, now time.Time) Credential {
	former := Former{c.Secret, until}
	if !now.Before(until) {
		former = Former{}
	}
	c.Secret, c.Former = secret, former
	return c
}

// Knows reports whether a secret with the given hash is the credential's: its
// present one, or the former one while that is good. It takes the same time
// whichever it is.
func (c Credential) Knows(secret Hash, now time.Time) bool {
	present, former := c.Secret.Matches(secret), c.Former.Hash.Matches(secret)
	return present || former && now.Before(c.Former.Until)
}

// Revoked reports whether the credential has ended.
func (c Credential) Revoked() bool { return !c.RevokedAt.IsZero() }

// Reaches reports whether the credential may obtain tokens for the site.
func (c Credential) Reaches(s site.ID) bool { return slices.Contains(c.Sites, s) }

// Grant returns what a token of this credential for the site stands for.
func (c Credential) Grant(s site.ID) Grant {
	return Grant{Credential: c.ID, Site: s, Packs: c.Packs, Permissions: c.Permissions, Rights: c.Rights}
}

package operator

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// How long a link is good for.
const (
	// InvitedFor is how long an invitation can be accepted.
	InvitedFor = 72 * time.Hour
	// SetUpFor is how long the link is good by which the first operator comes in.
	SetUpFor = 30 * time.Minute
)

// Invitation lets somebody in who is no operator yet, or an operator who lost their
// password. It is known by the hash of the secret in its link, and is gone once it
// was accepted.
type Invitation struct {
	Hash access.Hash
	// Operator is whom it lets back in; 0 when it makes a new one.
	Operator ID
	// Email is empty in the link by which the first operator comes in, who chooses it.
	Email, Name string
	Role        Role
	Sites       []site.ID
	Everywhere  bool
	// By is who invited; 0 is the server itself.
	By      ID
	Added   time.Time
	Expires time.Time
}

// Valid reports whether the invitation can be accepted at the given moment.
func (i Invitation) Valid(now time.Time) bool { return now.Before(i.Expires) }

// IsSetUp reports whether the invitation is the link by which the first operator
// comes in.
func (i Invitation) IsSetUp() bool { return i.Email == "" && i.Operator == 0 }

// IsFor reports whether the invitation is for whom another one is for.
func (i Invitation) IsFor(other Invitation) bool {
	return i.Operator == other.Operator && i.Email == other.Email && !i.IsSetUp()
}

// SetUp returns the link by which the first operator comes in: an administrator of
// everything.
func SetUp(hash access.Hash, now time.Time) Invitation {
	return Invitation{Hash: hash, Role: Administrator, Everywhere: true, Added: now, Expires: now.Add(SetUpFor)}
}

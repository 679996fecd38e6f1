package port

import (
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ErrOperatorTaken is what Operators.Add returns when there is an operator with the
// id or the e-mail.
var ErrOperatorTaken = errors.New("there is such an operator")

// Operators holds who may sign in to the console.
type Operators interface {
	// Get returns an operator; in an Update it is held until the unit ends.
	Get(operator.ID) (operator.Operator, error)
	// ByEmail returns the operator with an e-mail, as operator.ParseEmail writes it.
	ByEmail(email string) (operator.Operator, error)
	// All lists the operators by id.
	All() ([]operator.Operator, error)
	// Add stores a new operator. On ErrOperatorTaken the unit of work is still good and
	// nothing was written.
	Add(operator.Operator) error
	// Replace stores a new state of an operator, whose e-mail stays as it is.
	Replace(operator.Operator) error
}

// Sessions holds who has signed in, by the hash of the secret of the session.
type Sessions interface {
	// Get returns a session; in an Update it is held until the unit ends.
	Get(access.Hash) (operator.Session, error)
	// Of lists the sessions of an operator, the first that was started first.
	Of(operator.ID) ([]operator.Session, error)
	// Put stores a session, whether or not there is one with its hash.
	Put(operator.Session) error
	// Delete removes a session, if there is one.
	Delete(access.Hash) error
	// Purge removes at most n sessions that were last seen before the given moment, and
	// reports how many.
	Purge(before time.Time, n int) (int, error)
}

// Invitations holds who may become an operator, by the hash of the secret in the
// link.
type Invitations interface {
	// Get returns an invitation; in an Update it is held until the unit ends.
	Get(access.Hash) (operator.Invitation, error)
	// All lists the invitations, the first that was added first.
	All() ([]operator.Invitation, error)
	// Put stores an invitation, whether or not there is one with its hash.
	Put(operator.Invitation) error
	// Delete removes an invitation, which must exist: of several units that delete the
	// same one, one succeeds.
	Delete(access.Hash) error
	// Purge removes at most n invitations that expired before the given moment, and
	// reports how many.
	Purge(before time.Time, n int) (int, error)
}

// Audit holds what operators did. Entries are never changed, and go only by their
// age.
type Audit interface {
	// Append adds an entry, whose id it draws.
	Append(operator.Entry) error
	// List finds entries, latest first.
	List(AuditQuery) ([]operator.Entry, error)
	// Purge removes at most n entries older than the given moment, the oldest first,
	// and reports how many.
	Purge(before time.Time, n int) (int, error)
}

// AuditQuery says which entries of the audit are wanted.
type AuditQuery struct {
	// Sites are those the entries are about; 0 is no site in particular. Nil is every
	// site, and none.
	Sites []site.ID
	// Operations are their names in the table of operations; nil is every one.
	Operations []string
	// Operator is who did it; 0 is anybody.
	Operator operator.ID
	// From and To bound when it was done, From included; zero is no bound.
	From, To time.Time
	// Before is the entry after which to go on; 0 is the beginning.
	Before operator.EntryID
	Limit  int
}

// Passwords turns passwords into hashes that are slow to try, and checks them. What
// it costs does not depend on the password.
type Passwords interface {
	// Hash makes a hash, with everything that Verify needs to know. It takes noticeable
	// time and memory.
	Hash(password string) (string, error)
	// Verify reports whether a hash was made of a password, at the price of Hash. The
	// empty hash is that of no password, at the same price.
	Verify(hash, password string) (bool, error)
	// IsCommon reports whether a password is one that many people have.
	IsCommon(password string) bool
}

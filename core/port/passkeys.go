package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// Passkeys holds the passkeys of operators.
type Passkeys struct {
	InstallationTable[string, operator.Passkey]
}

// Of lists the passkeys of an operator, the first that was added first.
func (p Passkeys) Of(id operator.ID) ([]operator.Passkey, error) {
	return inTime(func(p operator.Passkey) time.Time { return p.Added })(p.find(ofOperator(id)))
}

// Challenges holds what browsers were asked, by the hash of the secret they answer
// with.
type Challenges struct {
	InstallationTable[access.Hash, operator.Challenge]
}

// Take removes a challenge and returns it: of several units that take the same one,
// one succeeds.
func (c Challenges) Take(hash access.Hash) (operator.Challenge, error) {
	taken, err := c.Get(hash)
	if err == nil {
		err = c.Delete(hash)
	}
	return taken, err
}

// Purge removes at most n challenges that expired before the given moment, and
// reports how many.
func (c Challenges) Purge(before time.Time, n int) (int, error) {
	return c.purge("expires_at", before, n)
}

// PasskeyHolder is an operator with their passkeys.
type PasskeyHolder struct {
	Operator operator.Operator
	Passkeys []operator.Passkey
}

// WebAuthn makes what browsers are asked when somebody makes or shows a passkey, and
// checks what they answer. Questions and answers are JSON, as PublicKeyCredential
// reads and writes it in browsers. at is where the browser is: scheme, host and port.
//
// A question comes with a state, without which its answer cannot be checked. It is to
// be kept where nobody can change it, and used once.
//
// Errors: an answer that is not right is fault.Unauthenticated, and a place where
// there can be no passkeys is fault.Invalid.
type WebAuthn interface {
	// AskNew asks for a passkey of an operator, on a device that has none of theirs.
	AskNew(at string, of PasskeyHolder) (question, state string, err error)
	// New is the passkey that was made, without name and times.
	New(at string, of PasskeyHolder, state, answer string) (operator.Passkey, error)
	// Ask asks for one of the passkeys of an operator. Without any, it asks for a
	// passkey that the device finds by itself and shows only to whom it knows.
	Ask(at string, of PasskeyHolder) (question, state string, err error)
	// Named is the id of the passkey that an answer is by, as it says.
	Named(answer string) (id string, err error)
	// Check is the passkey of the operator that an answer is by, as it is then: with
	// its counter moved on, or Copied.
	Check(at string, of PasskeyHolder, state, answer string) (operator.Passkey, error)
}

package port

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// Identities holds the accounts elsewhere by which operators sign in.
type Identities struct {
	InstallationTable[string, operator.Identity]
}

// Add stores a new identity. On ErrTaken there is one with the id, and nothing was written.
func (i Identities) Add(added operator.Identity) error { return i.add(added) }

// Of lists the identities of an operator, the first that was added first.
func (i Identities) Of(id operator.ID) ([]operator.Identity, error) {
	return inTime(func(i operator.Identity) time.Time { return i.Added })(i.find(ofOperator(id)))
}

// Provider is where operators sign in by OpenID Connect.
//
// Errors: what the provider does not accept, or says wrongly, is fault.Unauthenticated; a
// provider that does not answer is fault.Unavailable.
type Provider interface {
	// Begin returns the address to which the browser goes.
	Begin(context.Context, ProviderFlow) (address string, err error)
	// Finish returns who came back with a code, when everything about them is checked.
	Finish(ctx context.Context, f ProviderFlow, code string) (ProviderClaims, error)
}

// ProviderFlow is one time that somebody goes to a provider and comes back.
type ProviderFlow struct {
	// Redirect is the address to which the browser comes back, with State.
	Redirect, State string
	// Nonce is in what the provider signs. Verifier is told only when the code is exchanged.
	Nonce, Verifier string
	// Again has the provider ask who somebody is, even if they have signed in there.
	Again bool
}

// ProviderClaims is what a provider says of somebody.
type ProviderClaims struct {
	Issuer, Subject, Name, Email string
	// EmailVerified reports that the provider has checked that the e-mail is theirs.
	EmailVerified bool
	Groups        []string
	// Authenticated is when they showed there who they are; zero where the provider does not say.
	Authenticated time.Time
}

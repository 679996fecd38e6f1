package backoffice

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Service is the use cases of operators over a Site API. It is safe for concurrent
// use.
type Service struct {
	API
	site      *siteapi.Service
	k         *kernel.Kernel
	passwords port.Passwords
	// webAuthn is nil where passkeys are not taken.
	webAuthn port.WebAuthn
	// provider is the zero value where nobody signs in by OpenID Connect.
	provider Provider
	// requirePasskey has operators with a password have a passkey, too.
	requirePasskey bool
	// vocabulary returns that of new sites.
	vocabulary func() (transfer.SetupVocabulary, error)
	operations []Operation
	// rules say who may call each operation of the Site API, by its id. Operations
	// that hand out tokens have none.
	rules map[string]access.Rule

	mu      sync.Mutex
	lockout operator.Lockout
}

// Option changes how the use cases of operators are made.
type Option func(*Service)

// Passkeys has operators sign in with passkeys, if they make some.
func Passkeys(by port.WebAuthn) Option { return func(s *Service) { s.webAuthn = by } }

// New makes the use cases of operators over a Site API, or says what is missing.
func New(s *siteapi.Service, passwords port.Passwords, options ...Option) (*Service, error) {
	if s == nil || passwords == nil {
		return nil, errors.New("backoffice: the Site API and passwords must be supplied")
	}
	b := &Service{site: s, k: s.Kernel(), passwords: passwords, rules: map[string]access.Rule{}, vocabulary: noVocabulary}
	for _, o := range s.Operations() {
		b.rules[o.ID] = o.Rule
	}
	for _, o := range options {
		o(b)
	}
	if b.requirePasskey && b.webAuthn == nil {
		return nil, errors.New("backoffice: passkeys cannot be required where none are taken")
	}
	b.operations = b.table(&b.API)
	return b, nil
}

// Operations returns the table of what operators do.
func (s *Service) Operations() []Operation { return s.operations }

// unit is a unit of work about operators.
type unit struct{ kernel.Unit }

func newUnit(u kernel.Unit) unit { return unit{u} }

// view answers from one snapshot.
func view[Out any](ctx context.Context, s *Service, use func(unit) (Out, error)) (out Out, err error) {
	err = kernel.View(ctx, s.k, kernel.Caller{}, func(u kernel.Unit) error {
		out, err = use(newUnit(u))
		return err
	})
	return out, err
}

// write carries out a unit of work that leaves the entry of a note.
func write[Out any](ctx context.Context, s *Service, note *kernel.Note, use func(unit) (Out, error)) (Out, error) {
	return kernel.Write(ctx, s.k, kernel.Caller{}.Audited(note), func(u kernel.Unit) (Out, error) { return use(newUnit(u)) })
}

// secret draws a secret, and its hash.
func (s *Service) secret() (drawn string, hash access.Hash, err error) {
	drawn, err = access.NewSecret(s.k.Rand)
	return drawn, s.k.Options.Pepper.Hash(drawn), err
}

// try counts an attempt to show who one is. It is Limited, with the time to wait, when
// the attempt may not be made.
func (s *Service) try(now time.Time, bounds ...operator.Bound) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait := s.lockout.Try(now, bounds...)
	if wait == 0 {
		return nil
	}
	limited := fault.New(fault.Limited, fault.CodeRateLimited, "too many attempts; wait a minute")
	limited.Wait = wait
	return limited
}

func (s *Service) succeeded(tried time.Time, bounds ...operator.Bound) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lockout.Succeeded(tried, bounds...)
}

package tokens

import (
	"context"
	"net/netip"
	"sync"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Identify returns the caller of a bearer token. It fails as Unauthenticated when the token is
// unknown, revoked or expired, and as Forbidden when the site or the credential is disabled or
// reaches no agency, as Moved when the site is at another store, and as Unavailable when it is
// arriving.
//
// Sessions are cached, and checked against the head of the site at each call: a revocation on
// any node holds for the next request.
func (s *Service) Identify(ctx context.Context, bearer string) (kernel.Caller, error) {
	if bearer == "" {
		return kernel.Caller{}, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "a bearer token is required")
	}
	return s.bearers.identify(ctx, s, bearer, func(known session) error {
		if !known.token.Valid(s.k.Now()) {
			return fault.New(fault.Unauthenticated, fault.CodeTokenExpired, "the token has expired; refresh it")
		}
		return nil
	})
}

// IdentifyKey returns the caller of an API key that was sent from an address, which is the zero
// Addr if it is not known. It fails as Identify does, and as Forbidden when the key may not be
// sent from there. Keys are cached as tokens are.
func (s *Service) IdentifyKey(ctx context.Context, key string, from netip.Addr) (kernel.Caller, error) {
	if key == "" {
		return kernel.Caller{}, unknownKey("")
	}
	return s.keys.identify(ctx, s, key, func(known session) error { return known.key.Check(s.k.Now(), from) })
}

// admit returns an error if the credential of a session may not use the site of a caller.
func admit(by session, c kernel.Caller) error {
	switch {
	case by.disabled || c.Site.Record.Disabled:
		return fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the credential or the site is disabled")
	case !by.reaches:
		return fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "the credential does not reach the site any more")
	case c.Scope.Empty():
		return fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the site has no agency")
	}
	return nil
}

// unknownToken returns the error of a token of a credential that cannot be used any more, or of
// access.UnknownClient.
func unknownToken(of access.CredentialID) error {
	return claim(of, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the token is unknown or revoked"))
}

// unknownKey is unknownToken for an API key.
func unknownKey(of access.CredentialID) error {
	return claim(of, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the API key is unknown or revoked"))
}

// session has the grant of a token or key at an access revision of its site.
type session struct {
	credential access.CredentialID
	// disabled and reaches are those of the credential. The list of its sites is not cached: it
	// may be long, and there is a token for each of them.
	disabled, reaches bool
	grant             access.Grant
	access            int64
	// token is set for tokens, key for keys.
	token access.Token
	key   access.Key
}

// newSession returns the session of a credential with a grant, as of a head of the site.
func newSession(by access.Credential, grant access.Grant, head port.Head, of session) session {
	of.credential, of.disabled, of.reaches = by.ID, by.Disabled, by.Reaches(grant.Site)
	of.grant, of.access = grant, head.Access
	return of
}

// openToken reads a token and everything it depends on.
func (u unit) openToken(hash access.Hash) (session, error) {
	token, err := u.Tokens().Get(hash)
	if err != nil {
		return session{}, kernel.AbsentIs(err, unknownToken(access.UnknownClient))
	}
	unknown := unknownToken(token.Credential)
	family, err := u.Tokens().Family(token.Family)
	if err != nil {
		return session{}, kernel.AbsentIs(err, unknown)
	}
	credential, err := u.Credentials().Get(token.Credential)
	if err != nil {
		return session{}, kernel.AbsentIs(err, unknown)
	}
	if token.Refresh || token.Revoked || family.Revoked || credential.Revoked() {
		return session{}, unknown
	}
	head, err := u.Ledger().Head(token.Site)
	if err != nil {
		return session{}, kernel.AbsentIs(err, unknown)
	}
	return newSession(credential, credential.Grant(token.Site), head, session{token: token}), nil
}

// openKey reads a key and everything it depends on.
func (u unit) openKey(hash access.Hash) (session, error) {
	key, err := u.Keys().ByHash(hash)
	if err != nil {
		return session{}, kernel.AbsentIs(err, unknownKey(access.UnknownClient))
	}
	unknown := unknownKey(key.Credential)
	credential, err := u.Credentials().Get(key.Credential)
	if err != nil {
		return session{}, kernel.AbsentIs(err, unknown)
	}
	if key.Revoked() || credential.Revoked() {
		return session{}, unknown
	}
	head, err := u.Ledger().Head(key.Site)
	if err != nil {
		return session{}, kernel.AbsentIs(err, unknown)
	}
	return newSession(credential, key.Grant(credential), head, session{key: key}), nil
}

// maxSessions is the largest number of cached tokens, and of keys; with more the cache is
// cleared, which costs one read each.
const maxSessions = 50_000

// sessions caches the sessions of tokens, or those of keys.
type sessions struct {
	// open reads one, and unknown returns the error if there is none.
	open    func(unit, access.Hash) (session, error)
	unknown func(access.CredentialID) error

	mu   sync.RWMutex
	byID map[access.Hash]session
}

func newSessions(open func(unit, access.Hash) (session, error), unknown func(access.CredentialID) error) *sessions {
	return &sessions{open: open, unknown: unknown, byID: map[access.Hash]session{}}
}

// identify returns the caller of a token or key, or the error of check if it cannot be used
// now.
func (m *sessions) identify(ctx context.Context, s *Service, secret string, check func(session) error) (kernel.Caller, error) {
	hash := s.k.Options.Pepper.Hash(secret)
	known, ok := m.get(hash)
	if !ok {
		var err error
		if known, err = m.read(ctx, s, hash); err != nil {
			return kernel.Caller{}, err
		}
	}
	c, err := m.admit(ctx, s, hash, known, check)
	if err != nil {
		return kernel.Caller{}, claim(known.credential, err)
	}
	s.uses.note(known.credential, known.key.ID, s.k.Now())
	return c, nil
}

// admit returns the caller of a session, which is read again if the site changed.
func (m *sessions) admit(ctx context.Context, s *Service, hash access.Hash, known session, check func(session) error) (kernel.Caller, error) {
	head, err := s.k.Store.Head(ctx, known.grant.Site)
	if err != nil {
		return kernel.Caller{}, kernel.AbsentIs(err, m.unknown(known.credential))
	}
	if head.Access != known.access {
		if known, err = m.read(ctx, s, hash); err != nil {
			return kernel.Caller{}, err
		}
	}
	if err := check(known); err != nil {
		m.drop(hash)
		return kernel.Caller{}, err
	}
	if err := s.k.Answers(ctx, known.grant.Site, head); err != nil {
		return kernel.Caller{}, kernel.AbsentIs(err, m.unknown(known.credential))
	}
	c, err := s.k.CallerAt(ctx, known.grant, head)
	if err == nil {
		err = admit(known, c)
	}
	return c, err
}

// read reads a session and caches it.
func (m *sessions) read(ctx context.Context, s *Service, hash access.Hash) (session, error) {
	found, err := reads(s, m.open)(ctx, kernel.Caller{}, hash)
	if err != nil {
		m.drop(hash)
		return session{}, err
	}
	m.put(hash, found)
	return found, nil
}

func (m *sessions) get(hash access.Hash) (session, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	found, ok := m.byID[hash]
	return found, ok
}

func (m *sessions) put(hash access.Hash, known session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.byID) >= maxSessions {
		clear(m.byID)
	}
	m.byID[hash] = known
}

func (m *sessions) drop(hash access.Hash) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.byID, hash)
}

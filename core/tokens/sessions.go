package tokens

import (
	"context"
	"sync"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
)

// Identify finds out whom a bearer token speaks for. It fails as
// Unauthenticated when the token is unknown, revoked or expired, and as
// Forbidden when the site or the credential is disabled or reaches no agency.
//
// What a token stands for is remembered, yet never trusted beyond one read of
// the site's head: a revocation, on whichever node, holds for the next request.
func (s *Service) Identify(ctx context.Context, bearer string) (api.Caller, error) {
	if bearer == "" {
		return api.Caller{}, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "a bearer token is required")
	}
	hash := s.k.Options.Pepper.Hash(bearer)
	known, ok := s.sessions.get(hash)
	if !ok {
		var err error
		if known, err = s.openSession(ctx, hash); err != nil {
			return api.Caller{}, err
		}
	}
	head, err := s.k.Store.Head(ctx, known.token.Site)
	if err != nil {
		return api.Caller{}, api.AbsentIs(err, unknownToken())
	}
	if head.Access != known.access {
		if known, err = s.openSession(ctx, hash); err != nil {
			return api.Caller{}, err
		}
	}
	if !known.token.Valid(s.k.Now()) {
		s.sessions.drop(hash)
		return api.Caller{}, fault.New(fault.Unauthenticated, fault.CodeTokenExpired, "the token has expired; refresh it")
	}
	c, err := s.k.CallerAt(ctx, known.credential.Grant(known.token.Site), head)
	if err == nil {
		err = admit(known.credential, c)
	}
	if err != nil {
		return api.Caller{}, err
	}
	return c, nil
}

// admit checks that a credential may come in to the site of a caller.
func admit(by access.Credential, c api.Caller) error {
	switch {
	case by.Disabled || c.Site.Record.Disabled:
		return fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the credential or the site is disabled")
	case !by.Reaches(c.Site.ID):
		return fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "the credential does not reach the site any more")
	case c.Scope.Empty():
		return fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the site has no agency")
	}
	return nil
}

func unknownToken() error {
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the token is unknown or revoked")
}

// session is what a token stood for when the access aspect of its site was at
// the given count.
type session struct {
	token      access.Token
	credential access.Credential
	access     int64
}

// openSession reads a token and everything it depends on. The first use of a
// token that came from a rotation is recorded, because it ends the grace of the
// token it came from.
func (s *Service) openSession(ctx context.Context, hash access.Hash) (session, error) {
	found, err := reads(s, unit.session)(ctx, api.Caller{}, hash)
	if err != nil {
		s.sessions.drop(hash)
		return session{}, err
	}
	if found.unused && found.token.Valid(s.k.Now()) {
		stray, err := writes(s, unit.firstUse)(ctx, api.Caller{}, found.token)
		switch {
		case err != nil:
			return session{}, err
		case stray:
			return session{}, unknownToken()
		}
	}
	s.sessions.put(hash, found.session)
	return found.session, nil
}

// readSession tells whether the session is the first of the token's generation.
type readSession struct {
	session
	unused bool
}

func (u unit) session(hash access.Hash) (readSession, error) {
	token, err := u.Tokens().Get(hash)
	if err != nil {
		return readSession{}, api.AbsentIs(err, unknownToken())
	}
	family, err := u.Tokens().Family(token.Family)
	if err != nil {
		return readSession{}, api.AbsentIs(err, unknownToken())
	}
	credential, err := u.Credentials().Get(token.Credential)
	if err != nil {
		return readSession{}, api.AbsentIs(err, unknownToken())
	}
	if token.Refresh || token.Revoked || family.Revoked || credential.Revoked() {
		return readSession{}, unknownToken()
	}
	head, err := u.Ledger().Head(token.Site)
	if err != nil {
		return readSession{}, api.AbsentIs(err, unknownToken())
	}
	return readSession{
		session: session{token: token, credential: credential, access: head.Access}, unused: token.Generation > family.Used,
	}, nil
}

// firstUse moves the chain of a family on to the generation of a token. A token
// that has no place in the chain is stray, and ends the whole family.
func (u unit) firstUse(t access.Token) (stray bool, err error) {
	family, err := u.Tokens().Family(t.Family)
	switch {
	case err != nil || family.Used >= t.Generation:
		return false, err
	case t.Stray(family):
		return true, u.revokeFamily(family)
	}
	family.Used = t.Generation
	return false, u.Tokens().PutFamily(family)
}

// maxSessions bounds the memory of remembered tokens; past it they are
// forgotten all at once, which costs one read each.
const maxSessions = 50_000

// sessions remembers what tokens stand for.
type sessions struct {
	mu   sync.RWMutex
	byID map[access.Hash]session
}

func newSessions() *sessions { return &sessions{byID: map[access.Hash]session{}} }

func (s *sessions) get(hash access.Hash) (session, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	found, ok := s.byID[hash]
	return found, ok
}

func (s *sessions) put(hash access.Hash, known session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.byID) >= maxSessions {
		clear(s.byID)
	}
	s.byID[hash] = known
}

func (s *sessions) drop(hash access.Hash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, hash)
}

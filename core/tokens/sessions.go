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

// openSession reads a token and everything it depends on.
func (s *Service) openSession(ctx context.Context, hash access.Hash) (session, error) {
	found, err := reads(s, unit.session)(ctx, api.Caller{}, hash)
	if err != nil {
		s.sessions.drop(hash)
		return session{}, err
	}
	s.sessions.put(hash, found)
	return found, nil
}

func (u unit) session(hash access.Hash) (session, error) {
	token, err := u.Tokens().Get(hash)
	if err != nil {
		return session{}, api.AbsentIs(err, unknownToken())
	}
	family, err := u.Tokens().Family(token.Family)
	if err != nil {
		return session{}, api.AbsentIs(err, unknownToken())
	}
	credential, err := u.Credentials().Get(token.Credential)
	if err != nil {
		return session{}, api.AbsentIs(err, unknownToken())
	}
	if token.Refresh || token.Revoked || family.Revoked || credential.Revoked() {
		return session{}, unknownToken()
	}
	head, err := u.Ledger().Head(token.Site)
	if err != nil {
		return session{}, api.AbsentIs(err, unknownToken())
	}
	return session{token: token, credential: credential, access: head.Access}, nil
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

package siteapi

import (
	"context"
	"errors"
	"sync"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Caller is who asks, and what they may see, fixed for one request. The zero
// Caller has no token: only Public operations take it.
type Caller struct {
	Grant access.Grant
	Scope site.Scope

	head     port.Head
	settings *settings
	// claim is nil unless the request has an idempotency key.
	claim *claim
}

// Site is the site the caller acts for.
func (c Caller) Site() site.ID { return c.Grant.Site }

// unveiled are the packs of software of the agency, which sees everything.
const unveiled = access.Properties | access.Sales | access.Customers

// public reports whether the caller only feeds websites. Such a caller does not
// see owners, private criteria and masked addresses: they are personal data a
// showcase has no use for.
func (c Caller) public() bool {
	return !c.Grant.Packs.Any(unveiled)
}

// veil is what the caller is not shown of products.
func (c Caller) veil() product.Veil {
	if c.public() {
		return c.settings.veil
	}
	return product.Veil{}
}

// ownerNames reports whether keywords may look at the names of owners.
func (c Caller) ownerNames() bool { return c.Grant.Packs.Any(access.Properties | access.Customers) }

// agency checks an agency_id of a request against the scope. An unknown agency
// and one of somebody else look alike.
func (c Caller) agency(id int64) error {
	if c.Scope.Has(site.AgencyID(id)) {
		return nil
	}
	return &fault.Error{
		Kind: fault.Forbidden, Code: fault.CodeAgencyOutOfScope, Message: "agency_id is not one of the token's agencies",
		Details: []fault.Detail{{Field: "agency_id", Code: fault.CodeAgencyOutOfScope, Message: "not one of the token's agencies", Value: id}},
	}
}

// sees checks that a product of the caller's site is within the scope.
func (c Caller) sees(p product.Product) error { return c.seesAgency(p.Agency) }

func (c Caller) seesAgency(id site.AgencyID) error {
	if c.Scope.Has(id) {
		return nil
	}
	return fault.New(fault.Forbidden, fault.CodeResourceOutOfScope, "the resource belongs to an agency outside the token's scope")
}

// Identify finds out whom a bearer token speaks for. It fails as
// Unauthenticated when the token is unknown, revoked or expired, and as
// Forbidden when the site or the credential is disabled or reaches no agency.
//
// What a token stands for is remembered, yet never trusted beyond one read of
// the site's head: a revocation, on whichever node, holds for the next request.
func (s *Service) Identify(ctx context.Context, bearer string) (Caller, error) {
	if bearer == "" {
		return Caller{}, fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "a bearer token is required")
	}
	hash := s.options.Pepper.Hash(bearer)
	known, ok := s.sessions.get(hash)
	if !ok {
		var err error
		if known, err = s.openSession(ctx, hash); err != nil {
			return Caller{}, err
		}
	}
	head, err := s.ports.Store.Head(ctx, known.token.Site)
	if err != nil {
		return Caller{}, absentIs(err, unknownToken())
	}
	if head.Access != known.access {
		if known, err = s.openSession(ctx, hash); err != nil {
			return Caller{}, err
		}
	}
	if !known.token.Valid(s.ports.Now()) {
		s.sessions.drop(hash)
		return Caller{}, fault.New(fault.Unauthenticated, fault.CodeTokenExpired, "the token has expired; refresh it")
	}
	return s.admit(ctx, known.credential, known.token.Site, head)
}

// Admit makes a caller of a grant that an embedding system has authenticated by
// its own means.
func (s *Service) Admit(ctx context.Context, g access.Grant) (Caller, error) {
	head, err := s.ports.Store.Head(ctx, g.Site)
	if err != nil {
		return Caller{}, err
	}
	settings, err := s.settings.at(ctx, s, g.Site, head.Settings)
	if err != nil {
		return Caller{}, err
	}
	if settings.site.Disabled || settings.scope.Empty() {
		return Caller{}, fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the site is disabled or has no agency")
	}
	return Caller{Grant: g, Scope: settings.scope, head: head, settings: settings}, nil
}

func (s *Service) admit(ctx context.Context, c access.Credential, id site.ID, head port.Head) (Caller, error) {
	settings, err := s.settings.at(ctx, s, id, head.Settings)
	if err != nil {
		return Caller{}, err
	}
	switch {
	case c.Disabled || settings.site.Disabled:
		return Caller{}, fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the credential or the site is disabled")
	case !c.Reaches(id):
		return Caller{}, fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "the credential does not reach the site any more")
	case settings.scope.Empty():
		return Caller{}, fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the site has no agency")
	}
	return Caller{Grant: c.Grant(id), Scope: settings.scope, head: head, settings: settings}, nil
}

func unknownToken() error {
	return fault.New(fault.Unauthenticated, fault.CodeUnauthenticated, "the token is unknown or revoked")
}

// absentIs puts another error in the place of NotFound.
func absentIs(err, other error) error {
	if isAbsent(err) {
		return other
	}
	return err
}

// isAbsent reports whether a store has no such record.
func isAbsent(err error) bool { return errors.Is(err, fault.NotFound) }

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
	var found session
	var family access.Family
	err := s.ports.Store.View(ctx, func(tx port.Tx) error {
		token, err := tx.Tokens().Get(hash)
		if err != nil {
			return absentIs(err, unknownToken())
		}
		if family, err = tx.Tokens().Family(token.Family); err != nil {
			return absentIs(err, unknownToken())
		}
		credential, err := tx.Credentials().Get(token.Credential)
		if err != nil {
			return absentIs(err, unknownToken())
		}
		if token.Refresh || token.Revoked || family.Revoked || credential.Revoked() {
			return unknownToken()
		}
		head, err := tx.Ledger().Head(token.Site)
		if err != nil {
			return absentIs(err, unknownToken())
		}
		found = session{token: token, credential: credential, access: head.Access}
		return nil
	})
	if err != nil {
		s.sessions.drop(hash)
		return session{}, err
	}
	if found.token.Generation > family.Used && found.token.Valid(s.ports.Now()) {
		if err := s.firstUse(ctx, found.token); err != nil {
			return session{}, err
		}
	}
	s.sessions.put(hash, found)
	return found, nil
}

// firstUse moves the chain of a family on to the generation of a token. A token
// that has no place in the chain ends the whole family.
func (s *Service) firstUse(ctx context.Context, t access.Token) error {
	stray := false
	err := s.ports.Store.Update(ctx, func(tx port.Tx) error {
		family, err := tx.Tokens().Family(t.Family)
		stray = err == nil && t.Stray(family)
		switch {
		case err != nil || family.Used >= t.Generation:
			return err
		case stray:
			return s.revokeFamily(tx, family)
		}
		family.Used = t.Generation
		return tx.Tokens().PutFamily(family)
	})
	if err == nil && stray {
		return unknownToken()
	}
	return err
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

package tokens

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// pair is two new tokens, as far as they are drawn. That is before a unit of work,
// which has no source of randomness, and may be what finds out the site.
type pair struct{ access, refresh string }

func (s *Service) drawPair() (p pair, err error) {
	if p.access, err = access.NewSecret(s.k.Rand); err == nil {
		p.refresh, err = access.NewSecret(s.k.Rand)
	}
	return p, err
}

// of returns the pair as tokens of a site.
func (p pair) of(id site.ID) pair {
	return pair{access.TokenFor(id, p.access), access.TokenFor(id, p.refresh)}
}

type issuing struct {
	IssueToken
	pair pair
}

// Authenticate returns the client behind an id and a secret, by the rules of the calls for tokens: it is
// Unauthenticated when they are wrong or the client is revoked, and Forbidden when it is disabled. The error is Claimed.
func (s *Service) Authenticate(ctx context.Context, b Basic) (access.Credential, error) {
	return reads(s, unit.authenticate)(ctx, kernel.Caller{}, b)
}

// judge authenticates a client before the unit of work that does it again, so that
// somebody who guesses delays no writer.
func (s *Service) judge(ctx context.Context, c kernel.Caller, b Basic) (access.CredentialID, error) {
	client, err := reads(s, unit.authenticate)(ctx, c, b)
	return client.ID, err
}

func (s *Service) issueToken(ctx context.Context, c kernel.Caller, in IssueToken) (TokenResponse, error) {
	client, err := s.judge(ctx, c, in.Basic)
	if err != nil {
		return TokenResponse{}, err
	}
	drawn, err := s.drawPair()
	if err != nil {
		return TokenResponse{}, err
	}
	answer, err := writes(s, unit.issue)(ctx, c, issuing{in, drawn})
	return answer, claim(client, err)
}

func (u unit) issue(in issuing) (TokenResponse, error) {
	client, err := u.authenticate(in.Basic)
	if err != nil {
		return TokenResponse{}, err
	}
	target, err := tokenTarget(in.IssueToken)
	if err != nil {
		return TokenResponse{}, err
	}
	of, err := u.resolve(target, client)
	if err != nil {
		return TokenResponse{}, err
	}
	id, err := kernel.NextID[access.FamilyID](u, port.FamilyIDs)
	if err != nil {
		return TokenResponse{}, err
	}
	family := access.Family{ID: id, Credential: client.ID, Site: of, Started: u.Now}
	if err := u.Tokens().PutFamily(family); err != nil {
		return TokenResponse{}, err
	}
	return u.issuePair(in.pair, family, "")
}

// authenticate finds the client behind Basic credentials: those that were sent, or
// what they are when they are decoded as a form is. The error says who claims to be the client.
func (u unit) authenticate(b Basic) (access.Credential, error) {
	client, err := u.authenticateAs(b)
	if decoded, differs := b.decoded(); differs && errors.Is(err, fault.Unauthenticated) {
		named := client.ID
		client, err = u.authenticateAs(decoded)
		client.ID = cmp.Or(client.ID, named)
	}
	if !errors.Is(err, fault.Unauthenticated) {
		return client, claim(client.ID, err)
	}
	// Id and secret may have changed places. It is looked up whoever the client is, so that the
	// answer takes the same time.
	swapped, missing := u.Credentials().Get(storable(b.ClientSecret))
	switch {
	case missing != nil && !kernel.IsAbsent(missing):
		return client, missing
	case b.ClientID == "":
		return client, err
	}
	return client, claim(cmp.Or(client.ID, swapped.ID, access.UnknownClient), err)
}

// storable returns a text as a client id, or none if it is no text that a store could keep.
func storable(text string) access.CredentialID {
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return ""
	}
	return access.CredentialID(text)
}

// authenticateAs finds the client behind an id and a secret. An unknown client and
// a wrong secret get the same answer, after the same time.
func (u unit) authenticateAs(b Basic) (access.Credential, error) {
	refused := fault.New(fault.Unauthenticated, fault.CodeInvalidClient, "the client id or secret is wrong or missing")
	client, err := u.Credentials().Get(access.CredentialID(b.ClientID))
	if err != nil && !kernel.IsAbsent(err) {
		return client, err
	}
	matches := client.Knows(u.Options.Pepper.Hash(b.ClientSecret), u.Now)
	switch {
	case err != nil, !matches, client.Revoked():
		return client, refused
	case client.Disabled:
		return client, fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the credential is disabled")
	}
	return client, nil
}

// target is what a token is asked for: a site, or the site of an agency.
type target struct {
	site   site.ID
	agency site.AgencyID
}

func tokenTarget(in IssueToken) (target, error) {
	if in.GrantType == "refresh_token" {
		return target{}, kernel.Invalid("grant_type", fault.CodeInvalidFormat, "refresh tokens are exchanged at /api/client/token/refresh")
	}
	if in.SiteID.Set == in.ManufacturerID.Set {
		return target{}, kernel.Invalid("site_id", fault.CodeExactlyOneOf,
			"send exactly one of site_id and manufacturer_id, as application/x-www-form-urlencoded")
	}
	field, text := "site_id", in.SiteID.Value
	if in.ManufacturerID.Set {
		field, text = "manufacturer_id", in.ManufacturerID.Value
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return target{}, kernel.Invalid(field, fault.CodeInvalidType, "%s is a positive integer", field)
	}
	if field == "site_id" {
		return target{site: site.ID(id)}, nil
	}
	return target{agency: site.AgencyID(id)}, nil
}

func (u unit) resolve(t target, client access.Credential) (site.ID, error) {
	if t.agency != 0 {
		agency, err := u.Agencies().ByID(t.agency)
		if err != nil {
			return 0, kernel.AbsentIs(err, fault.New(fault.NotFound, fault.CodeUnknownAgency, "no agency has this manufacturer_id"))
		}
		t.site = agency.Site
	}
	found, err := u.Sites().Get(t.site)
	if err != nil {
		return 0, kernel.AbsentIs(err, unknownSite())
	}
	outside := fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "the client may not obtain tokens for this site")
	switch {
	case !client.Reaches(found.ID), t.agency != 0 && !slices.Contains(found.Agencies, t.agency):
		return 0, outside
	case found.Disabled:
		return 0, fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the site is disabled")
	}
	return found.ID, kernel.AbsentIs(u.Answers(found.ID), unknownSite())
}

func unknownSite() error {
	return fault.New(fault.NotFound, fault.CodeUnknownSite, "no site has this site_id")
}

// issuePair keeps two new tokens of a family, in exchange for a refresh token of
// it, if there is one.
func (u unit) issuePair(p pair, family access.Family, parent access.Hash) (TokenResponse, error) {
	p = p.of(family.Site)
	if err := u.Ledger().KeepOpen(family.Site); err != nil {
		return TokenResponse{}, err
	}
	life := u.Options.Lifetimes
	put := func(secret string, refresh bool, lasts time.Duration) error {
		return u.Tokens().Put(access.Token{
			Hash: u.Options.Pepper.Hash(secret), Family: family.ID, Credential: family.Credential, Site: family.Site,
			Refresh: refresh, Parent: parent, Issued: u.Now, Expires: u.Now.Add(lasts),
		})
	}
	if err := put(p.access, false, life.Access); err != nil {
		return TokenResponse{}, err
	}
	untilFamilyEnds := family.Started.Add(life.Family).Sub(u.Now)
	return TokenResponse{
		Domain: u.Options.Domain, TokenType: "Bearer", ExpiresIn: int(life.Access / time.Second), AccessToken: p.access, RefreshToken: p.refresh,
	}, put(p.refresh, true, min(life.Refresh, untilFamilyEnds))
}

type refreshing struct {
	RefreshToken
	pair pair
}

// refreshed reports that the token was used before, which has an effect too: its
// family is revoked.
type refreshed struct {
	TokenResponse
	reused bool
}

func (s *Service) refreshToken(ctx context.Context, c kernel.Caller, in RefreshToken) (TokenResponse, error) {
	client, err := s.judge(ctx, c, in.Basic)
	if err != nil {
		return TokenResponse{}, err
	}
	drawn, err := s.drawPair()
	if err != nil {
		return TokenResponse{}, err
	}
	answer, err := writes(s, unit.refresh)(ctx, c, refreshing{in, drawn})
	if err == nil && answer.reused {
		err = fault.New(fault.Forbidden, fault.CodeInvalidGrant, "the refresh token was used before; all tokens of its family are revoked")
		answer.TokenResponse = TokenResponse{}
	}
	return answer.TokenResponse, claim(client, err)
}

func (u unit) refresh(in refreshing) (refreshed, error) {
	refused := fault.New(fault.Forbidden, fault.CodeInvalidGrant, "the refresh token is expired, revoked or not this client's")
	client, err := u.authenticate(in.Basic)
	if err != nil {
		return refreshed{}, err
	}
	if in.Token == "" {
		return refreshed{}, kernel.Invalid("refresh_token", fault.CodeRequired, "refresh_token is required, as application/x-www-form-urlencoded")
	}
	token, err := u.Tokens().Get(u.Options.Pepper.Hash(in.Token))
	if err != nil {
		return refreshed{}, kernel.AbsentIs(err, refused)
	}
	if err := u.Answers(token.Site); err != nil {
		return refreshed{}, kernel.AbsentIs(err, refused)
	}
	family, err := u.Tokens().Family(token.Family)
	if err != nil {
		return refreshed{}, kernel.AbsentIs(err, refused)
	}
	// The family is locked now; read the token again as the last exchange left it.
	if token, err = u.Tokens().Get(token.Hash); err != nil {
		return refreshed{}, kernel.AbsentIs(err, refused)
	}
	if token.Credential != client.ID || !client.Reaches(token.Site) {
		return refreshed{}, refused
	}
	switch token.Exchange(family, u.Options.Lifetimes, u.Now) {
	case access.Refused:
		return refreshed{}, refused
	case access.Reused:
		return refreshed{reused: true}, u.revokeFamily(family)
	case access.Granted:
	}
	if err := u.Tokens().Put(token.Exchanged(u.Now)); err != nil {
		return refreshed{}, err
	}
	if err := u.succeed(token.Parent); err != nil {
		return refreshed{}, err
	}
	answer, err := u.issuePair(in.pair, family, token.Hash)
	return refreshed{TokenResponse: answer}, err
}

// succeed ends the grace of a refresh token, because one that it was exchanged for
// is exchanged now. One that is not kept any more has none left.
func (u unit) succeed(parent access.Hash) error {
	if parent == "" {
		return nil
	}
	token, err := u.Tokens().Get(parent)
	if err != nil {
		return kernel.AbsentIs(err, nil)
	}
	if token.Succeeded {
		return nil
	}
	token.Succeeded = true
	return u.Tokens().Put(token)
}

func (u unit) revokeFamily(family access.Family) error {
	family.Revoked = true
	if err := u.Tokens().PutFamily(family); err != nil {
		return err
	}
	return u.Ledger().Touch(family.Site, port.AspectAccess)
}

func (s *Service) revokeToken(ctx context.Context, c kernel.Caller, in RevokeToken) (Revoked, error) {
	client, err := s.judge(ctx, c, in.Basic)
	if err != nil {
		return Revoked{}, err
	}
	done, err := writes(s, unit.revoke)(ctx, c, in)
	return done, claim(client, err)
}

func (u unit) revoke(in RevokeToken) (Revoked, error) {
	client, err := u.authenticate(in.Basic)
	if err != nil {
		return Revoked{}, err
	}
	token, err := u.Tokens().Get(u.Options.Pepper.Hash(in.Token))
	if err != nil {
		return Revoked{}, kernel.AbsentIs(err, nil)
	}
	if token.Credential != client.ID || token.Revoked {
		return Revoked{}, nil
	}
	if err := u.Answers(token.Site); err != nil {
		return Revoked{}, kernel.AbsentIs(err, nil)
	}
	if token.Refresh {
		family, err := u.Tokens().Family(token.Family)
		if err != nil {
			return Revoked{}, kernel.AbsentIs(err, nil)
		}
		return Revoked{}, u.revokeFamily(family)
	}
	token.Revoked = true
	if err := u.Tokens().Put(token); err != nil {
		return Revoked{}, err
	}
	return Revoked{}, u.Ledger().Touch(token.Site, port.AspectAccess)
}

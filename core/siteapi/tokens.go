package siteapi

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

// IssueToken hands out tokens for a site (contract: POST
// /api/client/token/site). In this order it fails as Unauthenticated for wrong
// credentials, Invalid unless exactly one id is given, NotFound for an unknown
// site or agency, and Forbidden for one the client does not reach.
func (s *Service) IssueToken(ctx context.Context, _ Caller, in IssueToken) (TokenResponse, error) {
	var answer TokenResponse
	err := s.ports.Store.Update(ctx, func(tx port.Tx) error {
		client, err := s.authenticate(tx, in.Basic)
		if err != nil {
			return err
		}
		target, err := tokenTarget(in)
		if err != nil {
			return err
		}
		id, err := target.resolve(tx, client)
		if err != nil {
			return err
		}
		now := s.now()
		families, err := tx.NextIDs(port.FamilyIDs, 1)
		if err != nil {
			return err
		}
		family := access.Family{ID: access.FamilyID(families[0]), Credential: client.ID, Site: id, Started: now}
		if err := tx.Tokens().PutFamily(family); err != nil {
			return err
		}
		answer, err = s.issue(tx, family, 0, now)
		return err
	})
	return answer, err
}

// authenticate finds the client behind Basic credentials. An unknown client and
// a wrong secret are told alike, and take alike.
func (s *Service) authenticate(tx port.Tx, b Basic) (access.Credential, error) {
	refused := fault.New(fault.Unauthenticated, fault.CodeInvalidClient, "the client id or secret is wrong or missing")
	client, err := tx.Credentials().Get(access.CredentialID(b.ClientID))
	if err != nil && !errors.Is(err, fault.NotFound) {
		return client, err
	}
	matches := client.Secret.Matches(s.options.Pepper.Hash(b.ClientSecret))
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
		return target{}, invalid("grant_type", fault.CodeInvalidFormat, "refresh tokens are exchanged at /api/client/token/refresh")
	}
	if in.SiteID.Set == in.ManufacturerID.Set {
		return target{}, invalid("site_id", fault.CodeExactlyOneOf,
			"send exactly one of site_id and manufacturer_id, as application/x-www-form-urlencoded")
	}
	field, text := "site_id", in.SiteID.Value
	if in.ManufacturerID.Set {
		field, text = "manufacturer_id", in.ManufacturerID.Value
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return target{}, invalid(field, fault.CodeInvalidType, field+" is a positive integer")
	}
	if field == "site_id" {
		return target{site: site.ID(id)}, nil
	}
	return target{agency: site.AgencyID(id)}, nil
}

func invalid(field string, code fault.Code, message string) error {
	var problems fault.Problems
	problems.Add(field, code, "%s", message)
	return problems.Err()
}

func (t target) resolve(tx port.Tx, client access.Credential) (site.ID, error) {
	if t.agency != 0 {
		agency, err := tx.Agencies().Get(t.agency)
		if err != nil {
			return 0, absentIs(err, fault.New(fault.NotFound, fault.CodeUnknownAgency, "no agency has this manufacturer_id"))
		}
		t.site = agency.Site
	}
	found, err := tx.Sites().Get(t.site)
	if err != nil {
		return 0, absentIs(err, fault.New(fault.NotFound, fault.CodeUnknownSite, "no site has this site_id"))
	}
	outside := fault.New(fault.Forbidden, fault.CodeSiteOutOfScope, "the client may not obtain tokens for this site")
	switch {
	case !client.Reaches(found.ID), t.agency != 0 && !slices.Contains(found.Agencies, t.agency):
		return 0, outside
	case found.Disabled:
		return 0, fault.New(fault.Forbidden, fault.CodeSiteDisabled, "the site is disabled")
	}
	return found.ID, nil
}

// issue makes the two tokens of the last generation of a family, in exchange for
// the parent generation.
func (s *Service) issue(tx port.Tx, family access.Family, parent int, now time.Time) (TokenResponse, error) {
	life := s.options.Lifetimes
	answer := TokenResponse{Domain: s.options.Domain, TokenType: "Bearer", ExpiresIn: int(life.Access / time.Second)}
	put := func(refresh bool, lasts time.Duration) (string, error) {
		secret, err := access.NewSecret(s.ports.Rand)
		if err != nil {
			return "", err
		}
		return secret, tx.Tokens().Put(access.Token{
			Hash: s.options.Pepper.Hash(secret), Family: family.ID, Credential: family.Credential, Site: family.Site,
			Refresh: refresh, Generation: family.Issued, Parent: parent, Issued: now, Expires: now.Add(lasts),
		})
	}
	var err error
	if answer.AccessToken, err = put(false, life.Access); err != nil {
		return answer, err
	}
	untilFamilyEnds := family.Started.Add(life.Family).Sub(now)
	answer.RefreshToken, err = put(true, min(life.Refresh, untilFamilyEnds))
	return answer, err
}

// RefreshToken exchanges a refresh token for a new pair, once. Its reuse, after
// a short grace for lost answers, revokes every token of the family: somebody
// else has it too.
func (s *Service) RefreshToken(ctx context.Context, _ Caller, in RefreshToken) (TokenResponse, error) {
	var answer TokenResponse
	refused := fault.New(fault.Forbidden, fault.CodeInvalidGrant, "the refresh token is expired, revoked or not this client's")
	reused := false
	err := s.ports.Store.Update(ctx, func(tx port.Tx) error {
		reused = false
		client, err := s.authenticate(tx, in.Basic)
		if err != nil {
			return err
		}
		if in.Token == "" {
			return invalid("refresh_token", fault.CodeRequired, "refresh_token is required, as application/x-www-form-urlencoded")
		}
		token, err := tx.Tokens().Get(s.options.Pepper.Hash(in.Token))
		if err != nil {
			return absentIs(err, refused)
		}
		family, err := tx.Tokens().Family(token.Family)
		if err != nil {
			return absentIs(err, refused)
		}
		// The family is held now; read the token again as the last exchange left it.
		if token, err = tx.Tokens().Get(token.Hash); err != nil {
			return absentIs(err, refused)
		}
		if token.Credential != client.ID || !client.Reaches(token.Site) {
			return refused
		}
		now := s.now()
		switch token.Exchange(family, s.options.Lifetimes, now) {
		case access.Refused:
			return refused
		case access.Reused:
			reused = true
			return s.revokeFamily(tx, family)
		case access.Granted:
		}
		if token.Rotated.IsZero() {
			token.Rotated = now
			if err := tx.Tokens().Put(token); err != nil {
				return err
			}
		}
		family.Used = token.Generation
		family.Issued++
		if err := tx.Tokens().PutFamily(family); err != nil {
			return err
		}
		answer, err = s.issue(tx, family, token.Generation, now)
		return err
	})
	if err == nil && reused {
		return TokenResponse{}, fault.New(fault.Forbidden, fault.CodeInvalidGrant,
			"the refresh token was used before; all tokens of its family are revoked")
	}
	return answer, err
}

func (s *Service) revokeFamily(tx port.Tx, family access.Family) error {
	family.Revoked = true
	if err := tx.Tokens().PutFamily(family); err != nil {
		return err
	}
	return tx.Ledger().Touch(family.Site, port.AspectAccess)
}

// RevokeToken ends a token. An access token ends alone, a refresh token with
// its whole family. Unknown tokens and those of others are no error, as in RFC
// 7009: the caller wants them gone, and they are.
func (s *Service) RevokeToken(ctx context.Context, _ Caller, in RevokeToken) (Revoked, error) {
	return Revoked{}, s.ports.Store.Update(ctx, func(tx port.Tx) error {
		client, err := s.authenticate(tx, in.Basic)
		if err != nil {
			return err
		}
		token, err := tx.Tokens().Get(s.options.Pepper.Hash(in.Token))
		if err != nil {
			return absentIs(err, nil)
		}
		if token.Credential != client.ID || token.Revoked {
			return nil
		}
		if token.Refresh {
			family, err := tx.Tokens().Family(token.Family)
			if err != nil {
				return absentIs(err, nil)
			}
			return s.revokeFamily(tx, family)
		}
		token.Revoked = true
		if err := tx.Tokens().Put(token); err != nil {
			return err
		}
		return tx.Ledger().Touch(token.Site, port.AspectAccess)
	})
}

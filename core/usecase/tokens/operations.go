package tokens

import (
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// API is the use cases of the area. They authenticate the client by themselves,
// and take the zero Caller. A client id or secret that is wrong is
// Unauthenticated, and a disabled client is Forbidden. See
// docs/contract/access.md.
type API struct {
	// IssueToken hands out tokens for a site (contract: POST
	// /api/client/token/site). Beyond what all have in common, and in this order, it
	// is Invalid unless exactly one id is given, NotFound for an unknown site or
	// agency, and Forbidden for one that the client does not reach or a site that is
	// disabled.
	IssueToken kernel.UseCase[IssueToken, TokenResponse]
	// RefreshToken exchanges a refresh token for a new pair (contract: POST
	// /api/client/token/refresh). It can be exchanged again for a minute, for lost
	// answers and workers who share it, until a token that came from it is exchanged
	// itself. If it is used later every token of the family is revoked: somebody else
	// has it too. It is Invalid without a token, and Forbidden with one that cannot be
	// exchanged.
	RefreshToken kernel.UseCase[RefreshToken, TokenResponse]
	// RevokeToken ends a token (contract: POST /api/client/token/revoke). An access
	// token ends alone, a refresh token with its whole family. Unknown tokens and
	// those of others are no error, as in RFC 7009: the caller wants them gone, and
	// they are.
	RevokeToken kernel.UseCase[RevokeToken, Revoked]
}

func (s *Service) table(a *API) []kernel.Operation {
	return []kernel.Operation{
		kernel.Op(&a.IssueToken, "token.site", kernel.POST, "/api/client/token/site", 200, access.Rule{}, "Obtain a token for a site", s.issueToken).AsPublic().Fails(fault.NotFound),
		kernel.Op(&a.RefreshToken, "token.refresh", kernel.POST, "/api/client/token/refresh", 200, access.Rule{}, "Exchange a refresh token for a new pair", s.refreshToken).AsPublic(),
		kernel.Op(&a.RevokeToken, "token.revoke", kernel.POST, "/api/client/token/revoke", 200, access.Rule{}, "Revoke a token", s.revokeToken).AsPublic(),
	}
}

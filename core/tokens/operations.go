package tokens

import (
	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
)

// API is the use cases of the area. They authenticate the client by themselves,
// and take the zero Caller.
type API struct {
	// IssueToken hands out tokens for a site (contract: POST
	// /api/client/token/site). In this order it fails as Unauthenticated for wrong
	// credentials, Forbidden for a disabled client, Invalid unless exactly one id
	// is given, NotFound for an unknown site or agency, and Forbidden for one the
	// client does not reach or a disabled site.
	IssueToken api.UseCase[IssueToken, TokenResponse]
	// RefreshToken exchanges a refresh token for a new pair, once. Its reuse, after
	// a short grace for lost answers, revokes every token of the family: somebody
	// else has it too. It fails as Unauthenticated for wrong credentials, Invalid
	// without a token, and Forbidden for one that cannot be exchanged.
	RefreshToken api.UseCase[RefreshToken, TokenResponse]
	// RevokeToken ends a token. An access token ends alone, a refresh token with
	// its whole family. Unknown tokens and those of others are no error, as in RFC
	// 7009: the caller wants them gone, and they are. It fails as Unauthenticated
	// for wrong credentials.
	RevokeToken api.UseCase[RevokeToken, Revoked]
}

func (s *Service) table(a *API) []api.Operation {
	return []api.Operation{
		api.Op(&a.IssueToken, "token.site", api.POST, "/api/client/token/site", 200, access.Rule{}, "Obtain a token for a site", s.issueToken).AsPublic().Fails(fault.NotFound),
		api.Op(&a.RefreshToken, "token.refresh", api.POST, "/api/client/token/refresh", 200, access.Rule{}, "Exchange a refresh token for a new pair", s.refreshToken).AsPublic(),
		api.Op(&a.RevokeToken, "token.revoke", api.POST, "/api/client/token/revoke", 200, access.Rule{}, "Revoke a token", writes(s, unit.revoke)).AsPublic().NeverFails(fault.Forbidden),
	}
}

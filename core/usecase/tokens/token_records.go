package tokens

import "github.com/vitrine-crm/vitrine/core/domain/opt"

// Basic is what HTTP Basic carries on token operations.
type Basic struct {
	ClientID     string `basic:"user"`
	ClientSecret string `basic:"password"`
}

// IssueToken is the form of POST /api/client/token/site: exactly one of the
// two ids.
type IssueToken struct {
	_ struct{} `oneOf:"site_id,manufacturer_id"`
	Basic
	SiteID         opt.Field[string] `form:"site_id" type:"integer" doc:"id of the site"`
	ManufacturerID opt.Field[string] `form:"manufacturer_id" type:"integer" doc:"id of an agency; the site is that of the agency"`
	GrantType      string            `form:"grant_type" doc:"ignored, for OAuth libraries"`
}

// RefreshToken is the form of POST /api/client/token/refresh.
type RefreshToken struct {
	_ struct{} `required:"refresh_token"`
	Basic
	Token string `form:"refresh_token"`
}

// RevokeToken is the form of POST /api/client/token/revoke.
type RevokeToken struct {
	Basic
	Token string `form:"token" doc:"an access or refresh token"`
}

// TokenResponse is a new pair of tokens.
type TokenResponse struct {
	Domain       string `json:"domain" format:"uri" doc:"{base_url} is this followed by /api/v2/site"`
	TokenType    string `json:"token_type" enum:"Bearer"`
	ExpiresIn    int    `json:"expires_in" doc:"seconds"`
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
}

// Revoked is the empty answer to a revocation.
type Revoked struct{}

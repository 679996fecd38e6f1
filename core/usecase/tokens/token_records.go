package tokens

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// Basic is what HTTP Basic carries on token operations.
type Basic struct {
	ClientID     string `basic:"user"`
	ClientSecret string `basic:"password"`
}

// DecodedClientID returns a client id as it was before a client encoded it for Basic
// (RFC 6749, 2.3.1). One that was not encoded, or is text that no store could keep
// when it is decoded, is as it was sent. No id has a character that decoding changes.
func DecodedClientID(sent string) string {
	id, err := url.QueryUnescape(sent)
	if err != nil || !utf8.ValidString(id) || strings.IndexByte(id, 0) >= 0 {
		return sent
	}
	return id
}

// decoded returns the pair as it was before a client encoded it for Basic, and whether
// that is another one.
func (b Basic) decoded() (Basic, bool) {
	secret, err := url.QueryUnescape(b.ClientSecret)
	if err != nil {
		return b, false
	}
	other := Basic{DecodedClientID(b.ClientID), secret}
	return other, other != b
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

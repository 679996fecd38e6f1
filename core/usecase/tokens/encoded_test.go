package tokens_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// encodings are what clients make of id and secret before they put them into Basic.
var encodings = map[string]func(string) string{
	"as it is":             func(s string) string { return s },
	"as a form":            url.QueryEscape,
	"as part of a path":    func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") },
	"every byte":           func(s string) string { return everyByte(s, "%%%02X") },
	"every byte, in lower": func(s string) string { return everyByte(s, "%%%02x") },
}

func everyByte(s, format string) string {
	var out strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&out, format, s[i])
	}
	return out.String()
}

// A client gets tokens, exchanges and revokes them with any secret, in whichever of
// the encodings it sends the pair; a secret that is wrong stays so in all of them.
func TestBasicIsTakenAsSentAndDecoded(t *testing.T) {
	w := apitest.New(t)
	described := apitest.Network().Credentials[0]
	described.ID = "a.client_with-all"
	check := func(t interface{ Fatalf(string, ...any) }, secret, wrong string) {
		described.Secret = secret
		if _, err := w.Transfer.Provision(w.T.Context(), transfer.Setup{Credentials: []transfer.SetupCredential{described}}); err != nil {
			t.Fatalf("%q: %v", secret, err)
		}
		for name, encode := range encodings {
			pair := func(secret string) tokens.Basic {
				return tokens.Basic{ClientID: encode(described.ID), ClientSecret: encode(secret)}
			}
			first, err := w.Tokens.IssueToken(w.T.Context(), kernel.Caller{}, tokens.IssueToken{Basic: pair(secret), SiteID: opt.Of("1")})
			if err != nil {
				t.Fatalf("%q, %s: no token: %v", secret, name, err)
			}
			second, err := w.Tokens.RefreshToken(w.T.Context(), kernel.Caller{}, tokens.RefreshToken{Basic: pair(secret), Token: first.RefreshToken})
			if err != nil {
				t.Fatalf("%q, %s: no exchange: %v", secret, name, err)
			}
			if _, err := w.Tokens.RevokeToken(w.T.Context(), kernel.Caller{}, tokens.RevokeToken{Basic: pair(secret), Token: second.AccessToken}); err != nil {
				t.Fatalf("%q, %s: not revoked: %v", secret, name, err)
			}
			if _, err := w.Identify(w.T.Context(), second.AccessToken); fault.From(err).Kind != fault.Unauthenticated {
				t.Fatalf("%q, %s: the revoked token answers %v", secret, name, err)
			}
			if err := issue(w, pair(wrong).ClientID, pair(wrong).ClientSecret); wrong != secret && fault.From(err).Code != fault.CodeInvalidClient {
				t.Fatalf("%q is taken for %q, %s: %v", wrong, secret, name, err)
			}
		}
	}
	for _, secret := range []string{"a+b", "a/b", "a=b", "100%", "a%2Bb", "%", "%zz", "a b", "a:b", "+ / = %", "é€🏠", "&?#"} {
		check(t, secret, secret+"x")
	}
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringOfN(rapid.RuneFrom([]rune("aZ09+/=% :&?#é🏠")), 1, 20, -1).Draw(t, "secret")
		check(t, secret, rapid.StringMatching(`[a-z]{21}`).Draw(t, "wrong"))
	})
}

// What decoding makes of a pair never reaches a store that could not keep it.
func TestWhatNoStoreKeepsIsAnUnknownClient(t *testing.T) {
	w := apitest.New(t)
	for _, id := range []string{"%00", "full%00", "%ff", "%C3", "full%", "", "%"} {
		for _, secret := range []string{"full-secret", "%00", "%ff", "%"} {
			apitest.Refused(t, issue(w, id, secret), fault.Unauthenticated, fault.CodeInvalidClient)
		}
	}
}

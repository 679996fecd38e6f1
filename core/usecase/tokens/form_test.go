package tokens_test

import (
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// Proxies send a request to where its site is by what stands before the full stop.
func TestTokensNameTheirSite(t *testing.T) {
	for id, begins := range map[int64]string{1: "1.", 2: "2."} {
		w := apitest.New(t)
		client := map[int64]string{1: "full", 2: "rival"}[id]
		first := w.Token(client, site.ID(id))
		second, err := w.Tokens.RefreshToken(t.Context(), kernel.Caller{}, tokens.RefreshToken{Basic: apitest.Basic(client), Token: first.RefreshToken})
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range []string{first.AccessToken, first.RefreshToken, second.AccessToken, second.RefreshToken} {
			if !strings.HasPrefix(token, begins) || strings.Count(token, ".") != 1 {
				t.Errorf("a token of site %d is %q", id, token)
			}
		}
		w.Bearer(second.AccessToken)
	}
}

// A token whose site was exchanged is as unknown as any other: nobody learns from it
// which sites there are, or that the rest of it is right.
func TestATokenOfAnotherSiteIsUnknown(t *testing.T) {
	w := apitest.New(t)
	good := w.Token("full", 1)
	_, secret, _ := strings.Cut(good.AccessToken, ".")
	_, unknown := w.Identify(t.Context(), "never issued")
	for _, altered := range []string{"2." + secret, "9." + secret, "." + secret, secret, "01." + secret, "é." + secret, "1.1." + secret, "1" + secret} {
		_, err := w.Identify(t.Context(), altered)
		apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
		if err.Error() != unknown.Error() {
			t.Errorf("%q is refused with %q, and what was never issued with %q", altered, err, unknown)
		}
	}
	_, secret, _ = strings.Cut(good.RefreshToken, ".")
	_, err := w.Tokens.RefreshToken(t.Context(), kernel.Caller{}, tokens.RefreshToken{Basic: apitest.Basic("full"), Token: "2." + secret})
	apitest.Refused(t, err, fault.Forbidden, fault.CodeInvalidGrant)
	if _, err := w.Tokens.RevokeToken(t.Context(), kernel.Caller{}, tokens.RevokeToken{Basic: apitest.Basic("full"), Token: "2." + secret}); err != nil {
		t.Error(err)
	}
	w.Bearer(good.AccessToken)
}

// A token from before tokens named their site is good until it ends.
func TestATokenWithoutASiteStaysGood(t *testing.T) {
	w := apitest.New(t)
	good := w.Token("full", 1)
	former := map[string]string{good.AccessToken: strings.Repeat("a", 43), good.RefreshToken: strings.Repeat("r", 43)}
	pepper := access.Pepper(make([]byte, 32)) // that of apitest
	w.Update(func(tx port.Tx) error {
		for text, old := range former {
			token, err := tx.Tokens().Get(pepper.Hash(text))
			if err != nil {
				return err
			}
			token.Hash = pepper.Hash(old)
			if err := tx.Tokens().Put(token); err != nil {
				return err
			}
		}
		return nil
	})
	if c := w.Bearer(former[good.AccessToken]); c.Site.ID != 1 {
		t.Errorf("it stands for site %d", c.Site.ID)
	}
	next, err := w.Tokens.RefreshToken(t.Context(), kernel.Caller{}, tokens.RefreshToken{Basic: apitest.Basic("full"), Token: former[good.RefreshToken]})
	if err != nil || !strings.HasPrefix(next.AccessToken, access.TokenFor(1, "")) {
		t.Errorf("it was exchanged for %q, %v", next.AccessToken, err)
	}
}

package siteapi_test

import (
	"errors"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/opt"
	"github.com/vitrine-crm/vitrine/core/tokens"
	"github.com/vitrine-crm/vitrine/core/transfer"
)

func TestTokenIssued(t *testing.T) {
	w := newWorld(t)
	answer := w.token("full", "1")
	if answer.Domain != "https://crm.example.org" || answer.TokenType != "Bearer" || answer.ExpiresIn != 3600 {
		t.Errorf("the answer is %+v", answer)
	}
	if len(answer.AccessToken) < 43 || answer.AccessToken == answer.RefreshToken {
		t.Errorf("the tokens are %q and %q", answer.AccessToken, answer.RefreshToken)
	}
	if caller := w.identify(answer.AccessToken); caller.Site.ID != 1 || caller.Grant.Credential != "full" {
		t.Errorf("the token stands for %+v", caller.Grant)
	}
}

func TestA1_A2_A4_TokenCallRefusals(t *testing.T) {
	form := func(site, agency string) tokens.IssueToken {
		in := tokens.IssueToken{Basic: basic("full")}
		if site != "-" {
			in.SiteID = opt.Of(site)
		}
		if agency != "-" {
			in.ManufacturerID = opt.Of(agency)
		}
		return in
	}
	wrong := form("1", "-")
	wrong.ClientSecret = "guess"
	unknown := form("9", "-")
	unknown.ClientID = "nobody"
	disabled := form("1", "-")
	disabled.Basic = basic("disabled")
	refresh := form("1", "-")
	refresh.GrantType = "refresh_token"
	for name, c := range map[string]struct {
		in   tokens.IssueToken
		kind fault.Kind
		code fault.Code
	}{
		"wrong secret before everything else": {wrong, fault.Unauthenticated, fault.CodeInvalidClient},
		"unknown client":                      {unknown, fault.Unauthenticated, fault.CodeInvalidClient},
		"no credentials":                      {tokens.IssueToken{}, fault.Unauthenticated, fault.CodeInvalidClient},
		"neither id":                          {form("-", "-"), fault.Invalid, fault.CodeExactlyOneOf},
		"both ids":                            {form("1", "11"), fault.Invalid, fault.CodeExactlyOneOf},
		"site not a number":                   {form("one", "-"), fault.Invalid, fault.CodeInvalidType},
		"site empty":                          {form("", "-"), fault.Invalid, fault.CodeInvalidType},
		"site zero":                           {form("0", "-"), fault.Invalid, fault.CodeInvalidType},
		"unknown site":                        {form("9", "-"), fault.NotFound, fault.CodeUnknownSite},
		"unknown agency":                      {form("-", "99"), fault.NotFound, fault.CodeUnknownAgency},
		"another client's site":               {form("2", "-"), fault.Forbidden, fault.CodeSiteOutOfScope},
		"agency of another client's site":     {form("-", "21"), fault.Forbidden, fault.CodeSiteOutOfScope},
		"agency that has left the network":    {form("-", "13"), fault.Forbidden, fault.CodeSiteOutOfScope},
		"disabled credential":                 {disabled, fault.Forbidden, fault.CodeSiteDisabled},
		"refreshing here":                     {refresh, fault.Invalid, fault.CodeInvalidFormat},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			_, err := w.Tokens.IssueToken(t.Context(), api.Caller{}, c.in)
			refused(t, err, c.kind, c.code)
		})
	}
}

func TestManufacturerResolvesToItsSite(t *testing.T) {
	w := newWorld(t)
	answer, err := w.Tokens.IssueToken(t.Context(), api.Caller{}, tokens.IssueToken{Basic: basic("group"), ManufacturerID: opt.Of("21")})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.identify(answer.AccessToken).Site.ID; got != 2 {
		t.Errorf("the token is for site %d, want 2", got)
	}
}

func TestA12_ParallelTokens(t *testing.T) {
	w := newWorld(t)
	first := w.token("full", "1")
	w.token("full", "1")
	w.identify(first.AccessToken)
}

func TestA9_AccessTokenExpires(t *testing.T) {
	w := newWorld(t)
	answer := w.token("full", "1")
	w.clock.advance(time.Hour - time.Microsecond)
	w.identify(answer.AccessToken)
	w.clock.advance(time.Microsecond)
	_, err := w.Identify(t.Context(), answer.AccessToken)
	refused(t, err, fault.Unauthenticated, fault.CodeTokenExpired)
}

func TestA14_UnknownTokens(t *testing.T) {
	w := newWorld(t)
	for _, token := range []string{"", "garbage", w.token("full", "1").RefreshToken} {
		_, err := w.Identify(t.Context(), token)
		refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	}
}

func (w *world) refresh(client, token string) (tokens.TokenResponse, error) {
	return w.Tokens.RefreshToken(w.t.Context(), api.Caller{}, tokens.RefreshToken{Basic: basic(client), Token: token})
}

func TestA8_Rotation(t *testing.T) {
	w := newWorld(t)
	first := w.token("full", "1")
	second, err := w.refresh("full", first.RefreshToken)
	if err != nil {
		t.Fatal(err)
	}
	w.identify(first.AccessToken) // still valid until it expires
	third, err := w.refresh("full", second.RefreshToken)
	if err != nil {
		t.Fatal(err)
	}
	w.identify(third.AccessToken)
}

func TestA8_GraceForALostAnswer(t *testing.T) {
	w := newWorld(t)
	first := w.token("full", "1")
	lost, err := w.refresh("full", first.RefreshToken)
	if err != nil {
		t.Fatal(err)
	}
	w.clock.advance(time.Minute)
	again, err := w.refresh("full", first.RefreshToken)
	if err != nil {
		t.Fatal("within the grace, while the successor is unused:", err)
	}
	w.identify(again.AccessToken)
	_, err = w.refresh("full", first.RefreshToken)
	refused(t, err, fault.Forbidden, fault.CodeInvalidGrant)
	for _, token := range []string{first.AccessToken, lost.AccessToken, again.AccessToken} {
		if _, err := w.Identify(t.Context(), token); !errors.Is(err, fault.Unauthenticated) {
			t.Error("reuse did not revoke the family:", err)
		}
	}
}

// Two exchanges within the grace give two pairs. Once one is in use, the other
// can only be in somebody else's hands.
func TestA8_OnlyOnePairOfAnExchangeLives(t *testing.T) {
	for name, steal := range map[string]func(w *world, pair tokens.TokenResponse) error{
		"its access token": func(w *world, pair tokens.TokenResponse) error {
			_, err := w.Identify(w.t.Context(), pair.AccessToken)
			return err
		},
		"its refresh token": func(w *world, pair tokens.TokenResponse) error {
			_, err := w.refresh("full", pair.RefreshToken)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			first := w.token("full", "1")
			mine, err := w.refresh("full", first.RefreshToken)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := w.refresh("full", first.RefreshToken)
			if err != nil {
				t.Fatal(err)
			}
			w.identify(mine.AccessToken)
			if steal(w, theirs) == nil {
				t.Error("both pairs of one exchange are in use")
			}
			if _, err := w.Identify(t.Context(), mine.AccessToken); !errors.Is(err, fault.Unauthenticated) {
				t.Error("the family lives on:", err)
			}
		})
	}
}

func TestA8_ReuseAfterTheGraceRevokesTheFamily(t *testing.T) {
	w := newWorld(t)
	first := w.token("full", "1")
	second, err := w.refresh("full", first.RefreshToken)
	if err != nil {
		t.Fatal(err)
	}
	w.clock.advance(time.Minute + time.Microsecond)
	_, err = w.refresh("full", first.RefreshToken)
	refused(t, err, fault.Forbidden, fault.CodeInvalidGrant)
	_, err = w.refresh("full", second.RefreshToken)
	refused(t, err, fault.Forbidden, fault.CodeInvalidGrant)
}

func TestA8_RefreshRefusals(t *testing.T) {
	w := newWorld(t)
	answer := w.token("full", "1")
	_, err := w.refresh("full", "")
	refusedField(t, err, fault.CodeRequired, "refresh_token")
	for name, try := range map[string][2]string{
		"somebody else's": {"group", answer.RefreshToken},
		"an access token": {"full", answer.AccessToken},
		"unknown":         {"full", "garbage"},
	} {
		_, err := w.refresh(try[0], try[1])
		if !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = w.Tokens.RefreshToken(t.Context(), api.Caller{}, tokens.RefreshToken{Token: answer.RefreshToken})
	refused(t, err, fault.Unauthenticated, fault.CodeInvalidClient)
	w.clock.advance(30 * 24 * time.Hour)
	_, err = w.refresh("full", answer.RefreshToken)
	refused(t, err, fault.Forbidden, fault.CodeInvalidGrant)
}

func TestA9_FamiliesEndAfterNinetyDays(t *testing.T) {
	w := newWorld(t)
	answer := w.token("full", "1")
	var err error
	for range 3 {
		w.clock.advance(29 * 24 * time.Hour)
		if answer, err = w.refresh("full", answer.RefreshToken); err != nil {
			t.Fatal(err)
		}
	}
	w.clock.advance(3 * 24 * time.Hour)
	_, err = w.refresh("full", answer.RefreshToken)
	refused(t, err, fault.Forbidden, fault.CodeInvalidGrant)
}

func TestA11_Revoke(t *testing.T) {
	w := newWorld(t)
	revoke := func(client, token string) {
		t.Helper()
		if _, err := w.Tokens.RevokeToken(t.Context(), api.Caller{}, tokens.RevokeToken{Basic: basic(client), Token: token}); err != nil {
			t.Fatal(err)
		}
	}
	one, other := w.token("full", "1"), w.token("full", "1")
	w.identify(one.AccessToken)
	w.identify(other.AccessToken)
	revoke("full", "unknown")
	revoke("group", one.AccessToken) // not this client's: no error, no effect
	w.identify(one.AccessToken)
	revoke("full", one.AccessToken)
	_, err := w.Identify(t.Context(), one.AccessToken)
	refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	w.identify(other.AccessToken)
	revoke("full", other.RefreshToken)
	_, err = w.Identify(t.Context(), other.AccessToken)
	refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
}

// TestA19_ChangesHoldForTheNextRequest: what is remembered on one node must not
// outlive a change made on another.
func TestA19_ChangesHoldForTheNextRequest(t *testing.T) {
	w := newWorld(t)
	elsewhere := serviceOver(t, w.store, w.clock)
	token := w.token("full", "1").AccessToken
	if scope := w.identify(token).Scope; !scope.Has(12) {
		t.Fatal("agency 12 should be in scope")
	}
	setup := smallNetwork()
	no := false
	setup.Sites[0].Agencies[1].InScope = &no
	if _, err := elsewhere.Transfer.Provision(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	if scope := w.identify(token).Scope; scope.Has(12) {
		t.Error("agency 12 left the site and is still in scope")
	}
	setup.Credentials[0].Rights = nil
	if _, err := elsewhere.Transfer.Provision(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	if w.identify(token).Grant.Can(access.ProductGet) {
		t.Error("a right that was taken away still counts")
	}
	if err := elsewhere.Service.Tokens.RevokeCredential(t.Context(), "full"); err != nil {
		t.Fatal(err)
	}
	_, err := w.Identify(t.Context(), token)
	refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	_, err = w.Tokens.IssueToken(t.Context(), api.Caller{}, tokens.IssueToken{Basic: basic("full"), SiteID: opt.Of("1")})
	refused(t, err, fault.Unauthenticated, fault.CodeInvalidClient)
}

func TestS10_DisabledIsForbidden(t *testing.T) {
	for name, change := range map[string]func(*transfer.Setup){
		"site":       func(s *transfer.Setup) { s.Sites[0].Disabled = true },
		"credential": func(s *transfer.Setup) { s.Credentials[0].Disabled = true },
		"no agency": func(s *transfer.Setup) {
			no := false
			for i := range s.Sites[0].Agencies {
				s.Sites[0].Agencies[i].InScope = &no
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			token := w.token("full", "1").AccessToken
			setup := smallNetwork()
			change(&setup)
			if _, err := w.Transfer.Provision(t.Context(), setup); err != nil {
				t.Fatal(err)
			}
			_, err := w.Identify(t.Context(), token)
			refused(t, err, fault.Forbidden, fault.CodeSiteDisabled)
		})
	}
}

func TestExpiredTokensArePurged(t *testing.T) {
	w := newWorld(t)
	w.token("full", "1")
	w.clock.advance(31 * 24 * time.Hour)
	if n, err := w.Purge(t.Context(), api.DefaultRetention(), 1000); n != 2 || err != nil {
		t.Errorf("purged %d tokens, %v; want 2", n, err)
	}
}

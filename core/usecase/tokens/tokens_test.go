package tokens_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/access/accesstest"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

func TestTokenIssued(t *testing.T) {
	w := apitest.New(t)
	answer := w.Token("full", 1)
	if answer.Domain != "https://crm.example.org" || answer.TokenType != "Bearer" || answer.ExpiresIn != 3600 {
		t.Errorf("the answer is %+v", answer)
	}
	if len(answer.AccessToken) < 43 || answer.AccessToken == answer.RefreshToken {
		t.Errorf("the tokens are %q and %q", answer.AccessToken, answer.RefreshToken)
	}
	if caller := w.Bearer(answer.AccessToken); caller.Site.ID != 1 || caller.Grant.Credential != "full" {
		t.Errorf("the token stands for %+v", caller.Grant)
	}
}

func TestA1_A2_A4_TokenCallRefusals(t *testing.T) {
	form := func(site, agency string) tokens.IssueToken {
		in := tokens.IssueToken{Basic: apitest.Basic("full")}
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
	disabled.Basic = apitest.Basic("disabled")
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
			w := apitest.New(t)
			_, err := w.Tokens.IssueToken(t.Context(), kernel.Caller{}, c.in)
			apitest.Refused(t, err, c.kind, c.code)
		})
	}
}

func TestManufacturerResolvesToItsSite(t *testing.T) {
	w := apitest.New(t)
	answer, err := w.Tokens.IssueToken(t.Context(), kernel.Caller{}, tokens.IssueToken{Basic: apitest.Basic("group"), ManufacturerID: opt.Of("21")})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Bearer(answer.AccessToken).Site.ID; got != 2 {
		t.Errorf("the token is for site %d, want 2", got)
	}
}

func TestA12_ParallelTokens(t *testing.T) {
	w := apitest.New(t)
	first := w.Token("full", 1)
	w.Token("full", 1)
	w.Bearer(first.AccessToken)
}

func TestA9_AccessTokenExpires(t *testing.T) {
	w := apitest.New(t)
	answer := w.Token("full", 1)
	w.Clock.Advance(time.Hour - time.Microsecond)
	w.Bearer(answer.AccessToken)
	w.Clock.Advance(time.Microsecond)
	_, err := w.Identify(t.Context(), answer.AccessToken)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeTokenExpired)
}

func TestA14_UnknownTokens(t *testing.T) {
	w := apitest.New(t)
	for _, token := range []string{"", "garbage", w.Token("full", 1).RefreshToken} {
		_, err := w.Identify(t.Context(), token)
		apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	}
}

func refresh(w *apitest.World, client, token string) (tokens.TokenResponse, error) {
	return w.Tokens.RefreshToken(w.T.Context(), kernel.Caller{}, tokens.RefreshToken{Basic: apitest.Basic(client), Token: token})
}

func TestA8_Rotation(t *testing.T) {
	w := apitest.New(t)
	first := w.Token("full", 1)
	second, err := refresh(w, "full", first.RefreshToken)
	if err != nil {
		t.Fatal(err)
	}
	w.Bearer(first.AccessToken) // still valid until it expires
	third, err := refresh(w, "full", second.RefreshToken)
	if err != nil {
		t.Fatal(err)
	}
	w.Bearer(third.AccessToken)
}

// family is a family of tokens that is led by the use cases.
type family struct {
	w     *apitest.World
	pairs []tokens.TokenResponse
}

// Refresh implements accesstest.Family.
func (f *family) Refresh(pair int) bool {
	next, err := refresh(f.w, "full", f.pairs[pair].RefreshToken)
	if err == nil {
		f.pairs = append(f.pairs, next)
		return true
	}
	apitest.Refused(f.w.T, err, fault.Forbidden, fault.CodeInvalidGrant)
	return false
}

// Use implements accesstest.Family.
func (f *family) Use(pair int) bool {
	_, err := f.w.Identify(f.w.T.Context(), f.pairs[pair].AccessToken)
	return err == nil
}

// Advance implements accesstest.Family.
func (f *family) Advance(d time.Duration) { f.w.Clock.Advance(d) }

func TestA8_WorkersInAnyOrder(t *testing.T) {
	w := apitest.New(t)
	rapid.Check(t, func(t *rapid.T) {
		accesstest.CheckRefresh(t, &family{w, []tokens.TokenResponse{w.Token("full", 1)}})
	})
}

// Ten workers who share a refresh token each get a pair, and all of these are good
// side by side.
func TestA8_TenWorkersShareARefreshToken(t *testing.T) {
	w := apitest.New(t)
	f := &family{w, []tokens.TokenResponse{w.Token("full", 1)}}
	for i := range access.MaxPairs {
		if !f.Refresh(0) || !f.Use(i) {
			t.Fatalf("worker %d is refused", i)
		}
	}
	for pair := 1; pair <= access.MaxPairs; pair++ {
		if !f.Refresh(pair) || !f.Use(len(f.pairs)-1) || !f.Use(pair) || !f.Use(0) {
			t.Errorf("pair %d is not good any more", pair)
		}
	}
}

func TestA8_AnEleventhPairRevokesTheFamily(t *testing.T) {
	w := apitest.New(t)
	f := &family{w, []tokens.TokenResponse{w.Token("full", 1)}}
	for range access.MaxPairs {
		f.Refresh(0)
	}
	if f.Refresh(0) || f.Use(0) || f.Use(access.MaxPairs) || f.Refresh(1) {
		t.Error("the family lives on")
	}
}

// Using an access token says nothing about who has the refresh token beside it: the
// answer may have reached one worker and got lost for another.
func TestA8_UseOfAnAccessTokenEndsNothing(t *testing.T) {
	w := apitest.New(t)
	f := &family{w, []tokens.TokenResponse{w.Token("full", 1)}}
	w.Clock.Advance(10 * time.Minute)
	if !f.Refresh(0) || !f.Use(1) || !f.Use(0) {
		t.Fatal("a first exchange is refused")
	}
	w.Clock.Advance(time.Minute)
	if !f.Refresh(0) || !f.Use(2) || !f.Use(1) || !f.Refresh(1) || !f.Refresh(2) {
		t.Error("the use of an access token ended something")
	}
}

func TestA8_ASuccessorExchangedEndsTheGrace(t *testing.T) {
	w := apitest.New(t)
	f := &family{w, []tokens.TokenResponse{w.Token("full", 1)}}
	for _, pair := range []int{0, 0, 1} {
		if !f.Refresh(pair) {
			t.Fatal("nobody has gone on yet")
		}
	}
	if f.Refresh(0) {
		t.Error("the old token is exchanged after its successor")
	}
	for pair := range f.pairs {
		if f.Use(pair) || f.Refresh(pair) {
			t.Errorf("pair %d outlives the reuse", pair)
		}
	}
}

func TestA8_ReuseAfterTheGraceRevokesTheFamily(t *testing.T) {
	w := apitest.New(t)
	f := &family{w, []tokens.TokenResponse{w.Token("full", 1)}}
	if !f.Refresh(0) {
		t.Fatal("a first exchange is refused")
	}
	w.Clock.Advance(time.Minute + time.Microsecond)
	if f.Refresh(0) || f.Use(0) || f.Use(1) || f.Refresh(1) {
		t.Error("the family lives on")
	}
}

func TestA8_RefreshRefusals(t *testing.T) {
	w := apitest.New(t)
	answer := w.Token("full", 1)
	_, err := refresh(w, "full", "")
	apitest.RefusedField(t, err, fault.CodeRequired, "refresh_token")
	for name, try := range map[string][2]string{
		"somebody else's": {"group", answer.RefreshToken},
		"an access token": {"full", answer.AccessToken},
		"unknown":         {"full", "garbage"},
	} {
		_, err := refresh(w, try[0], try[1])
		if !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = w.Tokens.RefreshToken(t.Context(), kernel.Caller{}, tokens.RefreshToken{Token: answer.RefreshToken})
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeInvalidClient)
	w.Clock.Advance(30 * 24 * time.Hour)
	_, err = refresh(w, "full", answer.RefreshToken)
	apitest.Refused(t, err, fault.Forbidden, fault.CodeInvalidGrant)
}

func TestA9_FamiliesEndAfterNinetyDays(t *testing.T) {
	w := apitest.New(t)
	answer := w.Token("full", 1)
	var err error
	for range 3 {
		w.Clock.Advance(29 * 24 * time.Hour)
		if answer, err = refresh(w, "full", answer.RefreshToken); err != nil {
			t.Fatal(err)
		}
	}
	w.Clock.Advance(3 * 24 * time.Hour)
	_, err = refresh(w, "full", answer.RefreshToken)
	apitest.Refused(t, err, fault.Forbidden, fault.CodeInvalidGrant)
}

func TestA11_Revoke(t *testing.T) {
	w := apitest.New(t)
	revoke := func(client, token string) {
		t.Helper()
		if _, err := w.Tokens.RevokeToken(t.Context(), kernel.Caller{}, tokens.RevokeToken{Basic: apitest.Basic(client), Token: token}); err != nil {
			t.Fatal(err)
		}
	}
	one, other := w.Token("full", 1), w.Token("full", 1)
	w.Bearer(one.AccessToken)
	w.Bearer(other.AccessToken)
	revoke("full", "unknown")
	revoke("group", one.AccessToken) // not this client's: no error, no effect
	w.Bearer(one.AccessToken)
	revoke("full", one.AccessToken)
	_, err := w.Identify(t.Context(), one.AccessToken)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
	w.Bearer(other.AccessToken)
	revoke("full", other.RefreshToken)
	_, err = w.Identify(t.Context(), other.AccessToken)
	apitest.Refused(t, err, fault.Unauthenticated, fault.CodeUnauthenticated)
}

func TestExpiredTokensArePurged(t *testing.T) {
	w := apitest.New(t)
	w.Token("full", 1)
	w.Clock.Advance(31 * 24 * time.Hour)
	if n, err := w.Purge(t.Context(), kernel.DefaultRetention(), 1000); n != 2 || err != nil {
		t.Errorf("purged %d tokens, %v; want 2", n, err)
	}
}

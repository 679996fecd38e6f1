package openid_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/openid"
	"github.com/vitrine-crm/vitrine/adapters/openid/openidtest"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// flow is one that nothing is wrong with.
var flow = port.ProviderFlow{
	Redirect: "https://crm.example.org/back", State: "a state", Nonce: "a nonce", Verifier: strings.Repeat("verifier", 6),
}

func configured(p *openidtest.Provider) openid.Config {
	return openid.Config{Issuer: p.URL, ClientID: openidtest.ClientID, ClientSecret: openidtest.ClientSecret, GroupsClaim: "groups"}
}

// visits goes where the browser is sent, and returns the query it comes back with.
func visits(t *testing.T, p *openid.Provider, f port.ProviderFlow) (asked, back url.Values) {
	t.Helper()
	address, err := p.Begin(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	to, err := answer.Location()
	if err != nil || !strings.HasPrefix(to.String(), f.Redirect+"?") {
		t.Fatalf("%s leads to %v: %v", address, to, err)
	}
	there, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return there.Query(), to.Query()
}

// signsIn goes there and back.
func signsIn(t *testing.T, p *openid.Provider) (port.ProviderClaims, error) {
	t.Helper()
	_, back := visits(t, p, flow)
	return p.Finish(t.Context(), flow, back.Get("code"))
}

func TestWhoComesBackIsWhomTheProviderSigns(t *testing.T) {
	there := openidtest.New(t)
	there.Says(map[string]any{"name": "Ada", "email": "ada@example.org", "email_verified": true, "groups": []any{"admins", 7, "readers"}, "auth_time": 1_700_000_000})
	p := openid.New(configured(there))
	asked, back := visits(t, p, flow)
	if back.Get("state") != "a state" || asked.Get("scope") != "openid profile email" || asked.Has("prompt") || asked.Has("max_age") {
		t.Errorf("asked %v, back %v", asked, back)
	}
	got, err := p.Finish(t.Context(), flow, back.Get("code"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Issuer != there.URL || got.Subject != "ada" || got.Name != "Ada" || got.Email != "ada@example.org" || !got.EmailVerified ||
		!slices.Equal(got.Groups, []string{"admins", "readers"}) || !got.Authenticated.Equal(time.Unix(1_700_000_000, 0)) {
		t.Errorf("%+v", got)
	}
	if _, err := p.Finish(t.Context(), flow, back.Get("code")); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("the code again: %v", err)
	}
}

func TestWhoShowsAgainWhoTheyAreIsAskedThere(t *testing.T) {
	again := flow
	again.Again = true
	asked, _ := visits(t, openid.New(configured(openidtest.New(t))), again)
	if asked.Get("prompt") != "login" || asked.Get("max_age") != "0" {
		t.Error(asked)
	}
}

func TestGroupsAreAskedForWhereTheProviderHasAScopeForThem(t *testing.T) {
	there := openidtest.New(t)
	there.Supports("openid", "groups")
	if asked, _ := visits(t, openid.New(configured(there)), flow); asked.Get("scope") != "openid profile email groups" {
		t.Error(asked)
	}
}

func TestWhatTheTokenLacksIsReadFromTheUserInfo(t *testing.T) {
	there := openidtest.New(t)
	p := openid.New(configured(there))
	there.Says(map[string]any{"email": "ada@example.org"})
	there.Tells(map[string]any{"name": "Ada", "email": "another@example.org", "email_verified": true, "groups": "readers"})
	got, err := signsIn(t, p)
	if err != nil || got.Name != "Ada" || got.Email != "ada@example.org" || got.EmailVerified || !slices.Equal(got.Groups, []string{"readers"}) {
		t.Errorf("%+v, %v", got, err)
	}
	there.Says(map[string]any{"groups": []string{"admins"}})
	got, err = signsIn(t, p)
	if err != nil || got.Email != "another@example.org" || !got.EmailVerified || !slices.Equal(got.Groups, []string{"admins"}) {
		t.Errorf("%+v, %v", got, err)
	}
	there.Tells(map[string]any{"sub": "eve"})
	if got, err := signsIn(t, p); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("the user info of somebody else: %+v, %v", got, err)
	}
}

func TestWhatIsSignedForSomethingElseIsNotBelieved(t *testing.T) {
	there := openidtest.New(t)
	p := openid.New(configured(there))
	for name, claims := range map[string]map[string]any{
		"another audience": {"aud": "another"},
		"no audience":      {"aud": nil},
		"another party":    {"aud": []string{openidtest.ClientID, "another"}, "azp": "another"},
		"another issuer":   {"iss": "https://id.example.org"},
		"expired":          {"exp": time.Now().Add(-time.Second).Unix()},
		"not yet valid":    {"nbf": time.Now().Add(time.Hour).Unix()},
		"another nonce":    {"nonce": "another"},
		"no nonce":         {"nonce": nil},
		"nobody":           {"sub": ""},
	} {
		there.Says(claims)
		if got, err := signsIn(t, p); !errors.Is(err, fault.Unauthenticated) || got.Subject != "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	there.Says(nil)
	_, back := visits(t, p, flow)
	stranger := flow
	stranger.Verifier = strings.Repeat("another ", 6)
	if _, err := p.Finish(t.Context(), stranger, back.Get("code")); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("another verifier: %v", err)
	}
}

// front is an issuer whose tokens another one signs, and whose keys are at an address.
func front(t *testing.T, there *openidtest.Provider, keys string, down *atomic.Bool, more map[string]any) openid.Config {
	t.Helper()
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if down.Load() {
			http.Error(w, strings.Repeat("maintenance ", 1000), http.StatusServiceUnavailable)
			return
		}
		says := map[string]any{"issuer": server.URL, "authorization_endpoint": there.URL + "/authorize", "token_endpoint": there.URL + "/token", "jwks_uri": keys}
		maps.Copy(says, more)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(says)
	}))
	t.Cleanup(server.Close)
	there.Says(map[string]any{"iss": server.URL, "groups": []string{"admins"}})
	c := configured(there)
	c.Issuer = server.URL
	return c
}

func TestWhatAnotherKeySignsIsNotBelieved(t *testing.T) {
	there, other := openidtest.New(t), openidtest.New(t)
	if _, err := signsIn(t, openid.New(front(t, there, other.URL+"/keys", new(atomic.Bool), nil))); !errors.Is(err, fault.Unauthenticated) {
		t.Error(err)
	}
}

func TestTheSecretIsSentAsTheProviderTakesIt(t *testing.T) {
	there := openidtest.New(t)
	methods := map[string]any{"token_endpoint_auth_methods_supported": []string{"client_secret_post", "private_key_jwt"}}
	if got, err := signsIn(t, openid.New(front(t, there, there.URL+"/keys", new(atomic.Bool), methods))); err != nil || got.Subject != "ada" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAProviderThatIsDownIsAskedAgain(t *testing.T) {
	there := openidtest.New(t)
	var down atomic.Bool
	down.Store(true)
	c := front(t, there, there.URL+"/keys", &down, nil)
	p := openid.New(c)
	if _, err := p.Begin(t.Context(), flow); !errors.Is(err, fault.Unavailable) || len(err.Error()) > 500 {
		t.Errorf("down: %v", err)
	}
	if _, err := p.Finish(t.Context(), flow, "code"); !errors.Is(err, fault.Unavailable) {
		t.Errorf("down: %v", err)
	}
	down.Store(false)
	if _, err := p.Begin(t.Context(), flow); err != nil {
		t.Error(err)
	}
	down.Store(true) // what was read is kept
	if _, err := p.Begin(t.Context(), flow); err != nil {
		t.Error(err)
	}
	if got, err := signsIn(t, p); err != nil || got.Issuer != c.Issuer {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAWrongSecretIsForTheLogWithoutIt(t *testing.T) {
	there := openidtest.New(t)
	c := configured(there)
	c.ClientSecret = "5ec4e7"
	_, err := signsIn(t, openid.New(c))
	if fault.From(err).Kind != fault.Internal || !strings.Contains(err.Error(), "invalid_client") || strings.Contains(err.Error(), "5ec4e7") {
		t.Error(err)
	}
	c = configured(there)
	c.Issuer += "/"
	if _, err := openid.New(c).Begin(t.Context(), flow); !errors.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "issuer") {
		t.Errorf("another issuer: %v", err)
	}
}

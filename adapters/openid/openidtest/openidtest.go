// Package openidtest is a provider of OpenID Connect for tests.
package openidtest

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"golang.org/x/oauth2"
)

// How the console is known at the provider.
const (
	ClientID     = "console"
	ClientSecret = "the secret of the console"
)

const keyID = "key"

// Provider signs whoever comes in at once, as whom it was told last.
type Provider struct {
	// URL is the issuer.
	URL string

	key *rsa.PrivateKey
	mu  sync.Mutex
	// claims are those of the ID token, with null for what it does not have.
	claims, userInfo map[string]any
	refusal          string
	scopes           []string
	// asked has what browsers asked for, by the code they were given.
	asked map[string]url.Values
}

// New starts a provider on loopback.
func New(t testing.TB) *Provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{key: key, asked: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /userinfo", p.info)
	mux.Handle("GET /keys", &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: keyID, Algorithm: "RS256"}}})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// Says sets who comes in from now on. Claims are added to those that a token has to have, and are
// put in their place; null leaves one out.
func (p *Provider) Says(claims map[string]any) { p.set(func() { p.claims = claims }) }

// Tells sets the claims of the user info.
func (p *Provider) Tells(userInfo map[string]any) { p.set(func() { p.userInfo = userInfo }) }

// Refuses has the provider send browsers back with an error; an empty one ends that.
func (p *Provider) Refuses(err string) { p.set(func() { p.refusal = err }) }

// Supports sets the scopes that the provider says it supports.
func (p *Provider) Supports(scopes ...string) { p.set(func() { p.scopes = scopes }) }

func (p *Provider) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	write(w, http.StatusOK, map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "userinfo_endpoint": p.URL + "/userinfo",
		"jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"}, "scopes_supported": p.scopes,
	})
}

// authorize sends the browser back with a code.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := r.URL.Query()
	back := url.Values{"state": {asked.Get("state")}}
	switch {
	case asked.Get("client_id") != ClientID || asked.Get("response_type") != "code" || asked.Get("code_challenge_method") != "S256":
		http.Error(w, "not understood", http.StatusBadRequest)
		return
	case p.refusal != "":
		back.Set("error", p.refusal)
	default:
		code := rand.Text()
		p.asked[code] = asked
		back.Set("code", code)
	}
	http.Redirect(w, r, asked.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// token exchanges a code, once.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), url.QueryEscape(r.PostFormValue("client_secret"))
	}
	if id != ClientID || secret != url.QueryEscape(ClientSecret) {
		write(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client", "error_description": secret})
		return
	}
	known, ok := p.asked[r.PostFormValue("code")]
	delete(p.asked, r.PostFormValue("code"))
	if !ok || oauth2.S256ChallengeFromVerifier(r.PostFormValue("code_verifier")) != known.Get("code_challenge") || r.PostFormValue("redirect_uri") != known.Get("redirect_uri") {
		write(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	now := time.Now()
	claims := map[string]any{
		"iss": p.URL, "aud": ClientID, "sub": "ada", "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "auth_time": now.Unix(), "nonce": known.Get("nonce"),
	}
	maps.Copy(claims, p.claims)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	text, err := json.Marshal(claims)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	write(w, http.StatusOK, map[string]any{
		"access_token": "an access token", "token_type": "Bearer", "expires_in": 60, "id_token": oidctest.SignIDToken(p.key, keyID, "RS256", string(text)),
	})
}

func (p *Provider) info(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer an access token" {
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	claims := map[string]any{"sub": "ada"}
	maps.Copy(claims, p.userInfo)
	write(w, http.StatusOK, claims)
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

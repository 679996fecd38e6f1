package e2e_test

import (
	"bytes"
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// keyed is a client with a new API key of a credential for site 1, and the key.
func (w *world) keyed(t testing.TB, in tokens.KeyInput) (*client, tokens.CreatedKey) {
	t.Helper()
	in.Name = t.Name() + rand.Text()
	if len(in.Name) > 100 {
		in.Name = in.Name[len(in.Name)-100:]
	}
	in.Site = max(in.Site, 1)
	made, err := w.Tokens.CreateKey(t.Context(), kernel.Caller{}, in)
	if err != nil {
		t.Fatal(err)
	}
	return &client{t: t, w: w, key: made.Text}, made
}

func (w *world) revokeKey(t testing.TB, k tokens.CreatedKey) {
	t.Helper()
	if _, err := w.Tokens.RevokeKey(t.Context(), kernel.Caller{}, tokens.NamedKey{Credential: k.Credential, ID: k.ID}); err != nil {
		t.Fatal(err)
	}
}

var allPacks = []string{"all"}

// A key is let in wherever a token of its credential is, and a token of a
// credential with the packs of both is; and refused with the same words.
func TestA13_AKeyIsEqualInForceToAToken(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		for _, packs := range [][]string{{"all"}, {"properties"}, {"websites", "agencies"}, {"leads"}} {
			twin := transfer.SetupCredential{
				ID: "twin-" + strings.ToLower(rand.Text()), Sites: []int64{1}, Packs: packs, Permissions: allPacks, Rights: allPacks,
			}
			twin.Secret = twin.ID + "-secret"
			if _, err := w.Transfer.Provision(t.Context(), transfer.Setup{Credentials: []transfer.SetupCredential{twin}}); err != nil {
				t.Fatal(err)
			}
			token := w.as(t, twin.ID, 1)
			key, _ := w.keyed(t, tokens.KeyInput{Credential: "sandbox-network", Packs: packs})
			for _, o := range w.Operations() {
				want, got := token.attempt(o), key.attempt(o)
				if want.status != got.status || want.status >= 400 && want.text("error.code") != got.text("error.code") {
					t.Errorf("%s with %v: a token gets %s, a key %s", o.ID, packs, want, got)
				}
			}
		}
	})
}

// What a website key of a credential of agency software reads is what a website
// reads.
func TestA13_AKeyOfAWebsiteSeesAWebsite(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		owner := w.network(t)
		id := owner.create(object{"customer_id": 1006, "criteria": criteria("Ville", "Annecy", "Adresse", "1 rue Cachée", "AdresseMasquee", true)})
		key, _ := w.keyed(t, tokens.KeyInput{Credential: "sandbox-network", Packs: []string{"websites"}})
		if seen := key.get(product(id)).is(200).String(); strings.Contains(seen, "Cachée") {
			t.Errorf("the key shows %s", seen)
		}
		if seen := owner.get(product(id)).is(200).String(); !strings.Contains(seen, "Cachée") {
			t.Errorf("the token does not show %s", seen)
		}
		key.get(product(id)+"?fetch=customer").refused(403, "fetch_not_allowed")
	})
}

func TestA13_OneLineSaysWhoAsks(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		token := w.network(t)
		key, _ := w.keyed(t, tokens.KeyInput{Credential: "sandbox-network", Packs: allPacks})
		good, bearer := key.key, "Bearer "+token.token
		for name, c := range map[string]struct{ authorization, keys []string }{
			"a token and a key":       {[]string{bearer}, []string{good}},
			"a wrong token and a key": {[]string{"Bearer x"}, []string{good}},
			"a token and a wrong key": {[]string{bearer}, []string{"x"}},
			"a token and an empty":    {[]string{bearer}, []string{""}},
			"the key twice":           {nil, []string{good, good}},
			"two keys":                {nil, []string{"x", good}},
			"Basic and a key":         {[]string{"Basic eDp5"}, []string{good}},
		} {
			for method, path := range map[string]string{"GET": "/site", "POST": "/products/search", "DELETE": "/products/999999", "PUT": "/unknown"} {
				r := w.stranger(t).request(method, path, nil)
				r.Header["Authorization"], r.Header["X-Api-Key"] = c.authorization, c.keys
				if got := key.do(r).refused(401, "ambiguous_credentials"); got.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
					t.Errorf("%s: %v", name, got.header)
				}
			}
		}
		for _, wrong := range []string{"", "x", good + "A", good[:len(good)-1], strings.ToUpper(good), token.token, "Bearer " + good} {
			w.stranger(t).get("/site", "X-Api-Key", wrong).refused(401, "unauthenticated")
		}
		w.stranger(t).get("/site", "Authorization", "Bearer "+good).refused(401, "unauthenticated")
		key.get("/site").is(200)
		w.stranger(t).get("/site", "x-api-key", good).is(200)
	})
}

func TestA13_TokenCallsTakeNoKey(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		key, _ := w.keyed(t, tokens.KeyInput{Credential: "sandbox-network", Packs: allPacks})
		site := url.Values{"site_id": {"1"}}
		for _, o := range w.TokenOperations() {
			key.form(o.Path, "", "", site).refused(401, "invalid_client")
			got := key.form(o.Path, "sandbox-network", "sandbox-network-secret", site).refused(401, "ambiguous_credentials")
			if got.header.Get("WWW-Authenticate") != `Basic realm="site"` {
				t.Errorf("%s: %v", o.ID, got.header)
			}
		}
	})
}

// What ends a key holds for the next request.
func TestA13_ChangesOfKeysHoldAtOnce(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		client := tokens.CredentialInput{ID: "scripts-" + strings.ToLower(rand.Text()), Sites: []int64{1}, Packs: allPacks, Permissions: allPacks, Rights: allPacks}
		if _, err := w.Tokens.CreateCredential(t.Context(), kernel.Caller{}, client); err != nil {
			t.Fatal(err)
		}
		one, made := w.keyed(t, tokens.KeyInput{Credential: client.ID, Packs: []string{"properties"}})
		other, _ := w.keyed(t, tokens.KeyInput{Credential: client.ID, Packs: allPacks})
		one.search(object{}).is(200)
		one.get("/users").is(200)
		other.get("/hooks").is(200)
		one.get("/hooks").refused(403, "pack_missing")
		w.revokeKey(t, made)
		one.search(object{}).refused(401, "unauthenticated")
		other.search(object{}).is(200)
		update := func(change func(*tokens.CredentialInput)) {
			t.Helper()
			now := client
			change(&now)
			if _, err := w.Tokens.UpdateCredential(t.Context(), kernel.Caller{}, now); err != nil {
				t.Fatal(err)
			}
		}
		update(func(in *tokens.CredentialInput) { in.Packs = []string{"properties"} })
		other.search(object{}).is(200)
		other.get("/hooks").refused(403, "pack_missing")
		update(func(in *tokens.CredentialInput) { in.Rights = []string{"RS:PRODUCT_GET"} })
		other.search(object{}).refused(403, "right_missing")
		update(func(in *tokens.CredentialInput) { in.Disabled = true })
		other.search(object{}).refused(403, "site_disabled")
		update(func(in *tokens.CredentialInput) { in.Sites = []int64{2} })
		other.search(object{}).refused(403, "site_out_of_scope")
		update(func(*tokens.CredentialInput) {})
		other.search(object{}).is(200)
		if err := w.Tokens.RevokeCredential(t.Context(), kernel.Caller{}, access.CredentialID(client.ID)); err != nil {
			t.Fatal(err)
		}
		other.search(object{}).refused(401, "unauthenticated")
	})
}

func TestA13_KeysExpire(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, standingStill(time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)))
	c, _ := w.keyed(t, tokens.KeyInput{Credential: "sandbox-network", Packs: allPacks, Expires: "2026-11-23"})
	w.clock.advance(15*time.Hour - time.Microsecond)
	c.get("/site").is(200)
	w.clock.advance(time.Microsecond)
	if got := c.get("/site").refused(401, "key_expired"); got.header.Get("WWW-Authenticate") != `Bearer error="invalid_token"` {
		t.Error(got.header)
	}
}

// The address counts that the server knows the client by: behind a proxy it
// trusts, what that says; else that of the connection.
func TestA13_KeysOfSomeAddresses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		proxies   []string
		addresses []string
		forwarded string
		good      bool
	}{
		"the connection's":             {nil, []string{"127.0.0.0/8"}, "", true},
		"another":                      {nil, []string{"198.51.100.0/24"}, "", false},
		"what nobody vouches for":      {nil, []string{"198.51.100.0/24"}, "198.51.100.7", false},
		"what a proxy says":            {[]string{"127.0.0.1"}, []string{"198.51.100.0/24"}, "198.51.100.7", true},
		"a forged beginning":           {[]string{"127.0.0.1"}, []string{"198.51.100.0/24"}, "198.51.100.7, 203.0.113.9", false},
		"one address of an IPv6 net":   {[]string{"127.0.0.1"}, []string{"2001:db8::7"}, "2001:db8::7", true},
		"its neighbour in the network": {[]string{"127.0.0.1"}, []string{"2001:db8::7"}, "2001:db8::8", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := ownWorld(t, configured(func(s *config.Server) { s.TrustedProxies = c.proxies }))
			keyed, _ := w.keyed(t, tokens.KeyInput{Credential: "sandbox-network", Packs: allPacks, Addresses: c.addresses})
			var headers []string
			if c.forwarded != "" {
				headers = []string{"X-Forwarded-For", c.forwarded}
			}
			got := keyed.get("/site", headers...)
			if c.good {
				got.is(200)
			} else {
				got.refused(403, "address_not_allowed")
			}
		})
	}
}

// A key shares the rate, the polling and the idempotency keys of its credential.
func TestA13_KeysShareTheBoundsOfTheirCredential(t *testing.T) {
	t.Parallel()
	w := ownWorld(t, limited(0.01, 3, 0, "off"))
	key, _ := w.keyed(t, tokens.KeyInput{Credential: "sandbox-network", Packs: allPacks})
	key.get("/site").is(200)
	w.network(t).get("/site").is(200)
	another, _ := w.keyed(t, tokens.KeyInput{Credential: "sandbox-network", Packs: allPacks})
	another.get("/site").is(200)
	key.get("/site").refused(429, "rate_limited")
	w.network(t).get("/site").refused(429, "rate_limited")
	w.website(t).get("/site").is(200)

	polled := ownWorld(t, limited(0, 1, 0, "strict"))
	key, _ = polled.keyed(t, tokens.KeyInput{Credential: "sandbox-network", Packs: allPacks})
	for i := range 30 {
		if i%2 == 0 {
			key.search(object{}).is(200)
		} else {
			polled.network(t).search(object{}).is(200)
		}
	}
	key.search(object{}).refused(429, "polling_prohibited")

	body := object{"agency_id": 11}
	first := key.keyed("made once", "/products", body).is(201)
	polled.network(t).keyed("made once", "/products", body).repeats(first)
}

// Neither the log nor the store shows a key; the log names the credential.
func TestA13_KeysAreNowhereToBeRead(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		var log bytes.Buffer
		w, err := newWorld(engine, logging(&log))
		if err != nil {
			t.Fatal(err)
		}
		defer w.end()
		key, made := w.keyed(t, tokens.KeyInput{Credential: "sandbox-network", Packs: allPacks})
		if !strings.HasPrefix(made.Text, "sk_sandbox_") {
			t.Errorf("the key begins with %s", made.Start)
		}
		key.search(object{}).is(200)
		key.get("/products/999999").refused(404, "not_found")
		key.get("/nowhere-"+http.MethodGet).refused(404, "unknown_route")
		w.revokeKey(t, made)
		key.get("/site").refused(401, "unauthenticated")
		if err := w.Tokens.StoreUses(t.Context()); err != nil {
			t.Fatal(err)
		}
		secret := strings.TrimPrefix(made.Text, made.Start)
		if strings.Contains(log.String(), secret) || !strings.Contains(log.String(), `"credential":"sandbox-network"`) {
			t.Errorf("the log: %s", log.String())
		}
		if engine == "memory" {
			return
		}
		rows := w.rows(t)
		if len(rows["api_key"]) != 1 || len(rows["credential_use"]) != 1 {
			t.Errorf("%q and %q are stored", rows["api_key"], rows["credential_use"])
		}
		for table, all := range rows {
			for _, row := range all {
				if strings.Contains(row, secret) {
					t.Errorf("%s shows the key: %s", table, row)
				}
			}
		}
	})
}

func TestSecretsOverlapOverHTTP(t *testing.T) {
	writing(t, func(t *testing.T, w *world) {
		id := "rotating-" + strings.ToLower(rand.Text())
		first, err := w.Tokens.CreateCredential(t.Context(), kernel.Caller{}, tokens.CredentialInput{ID: id, Sites: []int64{1}, Packs: allPacks})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(secret string) answer {
			return w.stranger(t).form("/api/client/token/site", id, secret, url.Values{"site_id": {"1"}})
		}
		ask(first).is(200)
		rotated, err := w.Tokens.RotateSecret(t.Context(), kernel.Caller{}, tokens.RotateSecret{Credential: access.CredentialID(id)})
		if err != nil {
			t.Fatal(err)
		}
		ask(first).is(200)
		ask(rotated.Secret).is(200)
		again, err := w.Tokens.RotateSecret(t.Context(), kernel.Caller{}, tokens.RotateSecret{Credential: access.CredentialID(id)})
		if err != nil {
			t.Fatal(err)
		}
		ask(first).refused(401, "invalid_client")
		ask(rotated.Secret).is(200)
		ask(again.Secret).is(200)
	})
}

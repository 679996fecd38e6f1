package console_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/openid"
	"github.com/vitrine-crm/vitrine/adapters/openid/openidtest"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// withProvider is a world whose operators sign in at a provider, too.
func withProvider(t *testing.T, options ...backoffice.Option) (*world, *openidtest.Provider) {
	t.Helper()
	there := openidtest.New(t)
	return worldOf(t, true, append(options, backoffice.OpenID(backoffice.Provider{
		Provider: openid.New(openid.Config{Issuer: there.URL, ClientID: openidtest.ClientID, ClientSecret: openidtest.ClientSecret, GroupsClaim: "groups"}),
		Name:     "Example & Co", Groups: []operator.GroupRole{{Group: "admins", Role: operator.Administrator}, {Group: "readers", Role: operator.Reader, Sites: []site.ID{1}}},
	}))...), there
}

// reached answers what a browser asks of the host of the console by the console.
type reached struct{ url string }

// RoundTrip implements http.RoundTripper.
func (r reached) RoundTrip(asked *http.Request) (*http.Response, error) {
	if asked.URL.Host == strings.TrimPrefix(origin, "https://") {
		at, err := url.Parse(r.url)
		if err != nil {
			return nil, err
		}
		asked = asked.Clone(asked.Context())
		asked.Host, asked.URL.Scheme, asked.URL.Host = asked.URL.Host, at.Scheme, at.Host
	}
	return http.DefaultTransport.RoundTrip(asked)
}

// outside is a browser that reaches the console by its name, as providers send it back.
func (w *world) outside() *browser {
	w.Helper()
	jar, err := cookiejar.New(nil)
	w.must(err)
	return &browser{w, &http.Client{Jar: jar, Transport: reached{w.url}}, origin + "/console"}
}

// ada is who the provider lets in.
func (w *world) ada(groups ...string) map[string]any {
	return map[string]any{"name": "Ada Lovelace", "email": "ada@example.org", "email_verified": true, "groups": groups, "auth_time": w.clock.Now().Unix()}
}

func TestSigningInAtTheProviderLeadsToWhereOneWasGoing(t *testing.T) {
	w, there := withProvider(t)
	there.Says(w.ada("readers"))
	b := w.outside()
	b.get("/webhooks?status=failed").is(200).says(`<a class="button primary" href="/console/sign-in/openid?to=%2Fconsole%2Fwebhooks%3Fstatus%3Dfailed">Sign in with Example &amp; Co</a>`, "Or with a password:")
	b.get("/sign-in/openid?to=%2Fconsole%2Fwebhooks%3Fstatus%3Dfailed").is(200).isAt("/webhooks?status=failed").says("Ada Lovelace")
	b.get("/me").is(200).says("You sign in with Example &amp; Co, which decides").saysNot("New password")
	for _, to := range []string{"https://evil.example", "//evil.example/console/", "/elsewhere", "/console/%2e%2e/evil"} {
		b.get("/sign-in/openid?to=" + url.QueryEscape(to)).is(200).isAt("/")
	}
	w.signedIn("claire@example.org").get("/audit").is(200).says("Sign in by OpenID Connect", "Ada Lovelace")
}

func TestWhatTheProviderSaysAgainstASignInIsSaidOnThePage(t *testing.T) {
	w, there := withProvider(t)
	b := w.outside()
	there.Refuses("access_denied")
	b.get("/sign-in/openid").is(401).says("Example &amp; Co did not let you in", "Sign in with Example")
	there.Refuses("")
	there.Says(w.ada("others"))
	b.get("/sign-in/openid").is(401).says("you are in none of the groups that have a role here: admins, readers").saysNot("others")
	b.get("/sign-in/openid/back?language=fr&state=x").is(401).says("cela n&#39;a pas été commencé dans ce navigateur", "Se connecter avec Example")
	if !strings.Contains(w.log.String(), "a sign-in by OpenID Connect was refused") {
		t.Error("the log has nothing")
	}
	for _, secret := range []string{openidtest.ClientSecret, "an access token"} {
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("the log has %q", secret)
		}
	}
}

// Whoever has an address by which somebody comes back cannot have another browser use it.
func TestAStateIsGoodInItsBrowserAlone(t *testing.T) {
	w, there := withProvider(t)
	there.Says(w.ada("admins"))
	attacker := w.outside()
	attacker.client.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if strings.HasSuffix(r.URL.Path, "/back") {
			return http.ErrUseLastResponse
		}
		return nil
	}
	back, err := attacker.get("/sign-in/openid").is(302).Location()
	w.must(err)
	path := strings.TrimPrefix(back.RequestURI(), "/console")
	victim := w.outside()
	victim.get(path).is(401).says("not begun in this browser")
	victim.get("/").isAt("/sign-in")
	attacker.client.CheckRedirect = nil
	attacker.get(path).is(200).isAt("/sites").says("Ada Lovelace")
	attacker.get(path).is(401)
	cookies := victim.client.Jar.Cookies(&url.URL{Scheme: "https", Host: "crm.example.org", Path: "/"})
	if len(cookies) != 0 {
		t.Errorf("%v", cookies)
	}
}

func TestTheCookieOfAStateIsForTheHostAndForTLS(t *testing.T) {
	w, _ := withProvider(t)
	b := w.outside()
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	cookies := b.get("/sign-in/openid").is(303).Cookies()
	if len(cookies) != 1 {
		t.Fatalf("%v", cookies)
	}
	if got := cookies[0]; got.Name != "__Host-vitrine-openid" || !got.Secure || !got.HttpOnly || got.SameSite != http.SameSiteLaxMode || got.Path != "/" {
		t.Errorf("%v", got)
	}
}

func TestAnInvitationIsAcceptedAtTheProvider(t *testing.T) {
	w, there := withProvider(t)
	there.Says(map[string]any{"groups": []string{"readers"}})
	link, err := w.backoffice.InviteOperator(t.Context(), w.root, backoffice.InviteOperator{
		Email: "paul@example.org", Name: "Paul", Post: backoffice.Post{Role: string(operator.Reader), Sites: []int64{1}},
	})
	w.must(err)
	b := w.outside()
	b.get("/invitations/" + link.Secret).is(200).says(`href="/console/invitations/` + link.Secret + `/openid"`)
	b.get("/invitations/" + link.Secret + "/openid").is(200).isAt("/").says("Paul")
	b.get("/invitations/" + link.Secret + "/openid").is(404)
}

func TestWhoComesByTheProviderShowsThereAgainWhoTheyAre(t *testing.T) {
	w, there := withProvider(t)
	there.Says(w.ada("admins"))
	b := w.outside()
	b.get("/sign-in/openid").is(200)
	w.clock.Advance(operator.Recent)
	there.Says(w.ada("admins"))
	invite := []string{"name", "Paul", "email", "paul@example.org", "role", string(operator.Reader), "sites", "1"}
	b.post("/operators/invite?site=1", invite...).is(401).says("Show again who you are", `href="/console/sign-in/openid?again" target="_blank"`, "paul@example.org").saysNot("password_again")
	b.get("/sign-in/openid?again").is(200).says("You have shown who you are")
	b.post("/operators/invite?site=1", invite...).is(200).isAt("/operators").says("It is shown this once")
	w.outside().get("/sign-in/openid?again").is(401).says("the session has ended")
}

func TestWherePasskeysAreRequiredOneIsAddedFirst(t *testing.T) {
	w := worldOf(t, true, backoffice.RequirePasskey())
	w.signedIn(w.operator(operator.Reader, 1)).post("/sign-out").is(200).isAt("/sign-in?out")
	d := w.signedIn("claire@example.org").device()
	for _, path := range []string{"/", "/me", "/webhooks", "/products?site=1", "/unknown"} {
		d.get(path).is(200).isAt("/me/passkeys").says("This server requires a passkey", "Sign out").saysNot("Webhooks", "Réseau")
	}
	d.post("/operators/invite?site=1", "name", "Paul").isAt("/me/passkeys")
	d.post("/me/passkeys", "name", "", "passkey_answer", "x").is(422).says("a passkey needs a name", "This server requires a passkey")
	w.clock.Advance(operator.Recent)
	d.post("/me/passkeys", "name", "x", "passkey_answer", "x").is(401).says("Your password again").saysNot("Webhooks")
	d.post("/me/passkeys", "name", "x", "passkey_answer", "x", "password_again", goodPassword).is(422).says("that took too long")
	a := d.ask("/me/passkeys/ask", 200)
	d.post("/me/passkeys?site=0", "name", "My telephone", "passkey_challenge", a.Challenge, "passkey_answer", d.makes(string(a.Question))).is(200).isAt("/me").says("The passkey is added", "Webhooks")
	id := passkeyIn(d.get("/me"))
	d.post("/me/passkeys/remove?site=1", "passkey", id).is(409).says("this is your last passkey")
}

// passkeyIn is the id of the passkey that a page lets one remove.
func passkeyIn(page shown) string {
	_, after, _ := strings.Cut(page.text, `name="passkey" value="`)
	id, _, _ := strings.Cut(after, `"`)
	return id
}

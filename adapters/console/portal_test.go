package console_test

import (
	"crypto/rand"
	"html"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/requests"
	"github.com/vitrine-crm/vitrine/core/usecase/tokens"
)

// portal returns the world as clients of the API reach it.
func (w *world) portal() *world {
	w.Helper()
	handler, err := console.New(console.Options{
		Backoffice: w.backoffice, Site: w.site, Now: w.clock.Now, Rand: rand.Reader, Portal: true, Logger: slog.New(slog.NewTextHandler(io.MultiWriter(w.Output(), w.log), nil)),
	})
	w.must(err)
	server := httptest.NewServer(handler)
	w.Cleanup(server.Close)
	return &world{T: w.T, site: w.site, backoffice: w.backoffice, store: w.store, requests: w.requests, clock: w.clock, log: w.log, url: server.URL + "/portal", root: w.root}
}

// clientIn is a browser of a client of apitest.Network who has signed in to the portal.
func (w *world) clientIn(id string) *browser {
	w.Helper()
	b := w.browser()
	b.post("/sign-in", "client_id", id, "client_secret", id+"-secret").is(http.StatusOK)
	return b
}

// The pages and forms of the portal, typed by hand.
var (
	portalSeen = []string{
		"/", "/credentials", "/credentials/{id}", "/credentials/{id}/keys/new", "/credentials/{id}/keys/{key}/revoke",
		"/webhooks", "/webhooks/new", "/webhooks/{id}", "/webhooks/{id}/over-time", "/webhooks/{id}/edit", "/webhooks/{id}/replay", "/webhooks/{id}/delete",
		"/requests", "/requests/readiness", "/requests/traffic", "/requests/readiness.csv", "/requests/{id}",
	}
	portalSent = []string{
		"/credentials/{id}/keys/new", "/credentials/{id}/keys/{key}/revoke",
		"/webhooks/new", "/webhooks/{id}/edit", "/webhooks/{id}/replay", "/webhooks/{id}/test", "/webhooks/{id}/resume", "/webhooks/{id}/reactivate",
		"/webhooks/{id}/secret", "/webhooks/{id}/rotate", "/webhooks/{id}/delete", "/webhooks/{id}/deliveries/{delivery}/resend",
	}
)

const canary = "5ec4e7"

// portalWorld is a world in which the client full has something on each page of the portal, with the canary in it.
func portalWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	in := apitest.HookFor("PRODUCT_CREATE")
	in.URL = opt.Of("https://" + canary + ".example.org/in")
	_, err := w.site.Hooks.CreateHook(t.Context(), w.full(), in)
	w.must(err)
	w.product("TypeBien", "Maison", "Ville", "Lyon", "Prix", 250_000)
	_, err = w.site.Tokens.CreateKey(t.Context(), kernel.Caller{}, tokens.KeyInput{
		Credential: "full", Name: canary, Site: 1, Packs: []string{"websites"}, Expires: w.clock.Now().Add(48 * time.Hour).Format(time.RFC3339),
	})
	w.must(err)
	now := w.clock.Now()
	w.must(w.requests.Add(t.Context(), []trace.Request{
		{ID: "6137d4f1", Site: 1, At: now, Operation: "product.search", Method: "POST", Path: "/api/v2/site/products/search", Agent: canary, Credential: "full", Status: 422, Code: "validation_error", OneIn: 1, Sent: `{"x":"` + canary + `"}`},
		{ID: "71e5ab20", At: now, Operation: "token.site", Method: "POST", Claimed: "full", Agent: canary, Status: 401, OneIn: 1},
	}))
	for range 3 {
		w.site.Requests.Seen(requests.Seen{Kind: trace.Kind{Operation: "token.site", Credential: "full", Class: 4}, ID: "71e5ab20", At: now})
	}
	w.site.Requests.Seen(requests.Seen{Kind: trace.Kind{Site: 1, Operation: canary, Credential: "full", Class: 2}, ID: "6137d4f1", At: now, Deprecated: []string{canary}})
	w.must(w.site.Requests.Flush(t.Context()))
	return w
}

// ofFull puts what the client full has into the parameters of a path.
func ofFull(path string) string {
	return strings.Replace(at(path), "/credentials/website", "/credentials/full", 1)
}

func TestThePortalHasItsPagesAlone(t *testing.T) {
	w := portalWorld(t)
	for _, line := range console.Lines() {
		if marked := slices.Contains(portalSeen, line.Path) || slices.Contains(portalSent, line.Path); line.Clients != marked {
			t.Errorf("%s is a page of the portal: %v", line.Path, line.Clients)
		}
	}
	b := w.portal().clientIn("full")
	for path := range seen {
		want := http.StatusNotFound
		if slices.Contains(portalSeen, path) {
			want = http.StatusOK
		}
		if answer := b.get(ofFull(path)); answer.StatusCode != want {
			t.Errorf("%s answers %d, not %d:\n%s", path, answer.StatusCode, want, answer.text)
		}
	}
	for path := range sent {
		if !slices.Contains(portalSent, path) {
			b.post(ofFull(path) + "?site=1").is(http.StatusNotFound)
		}
	}
	for _, door := range []string{"/set-up/x", "/invitations/x", "/sign-in/passkey"} {
		b.get(door).is(http.StatusNotFound)
	}
}

var addresses = regexp.MustCompile(`(?:href|action|formaction|hx-get)="([^"]*)"`)

// walk looks at everything that pages lead to, from the first one on, and returns the texts by address.
func (b *browser) walk() map[string]string {
	b.Helper()
	base, err := url.Parse(b.url)
	b.must(err)
	texts, next := map[string]string{}, []string{"/portal/"}
	for len(next) > 0 {
		path := next[0]
		next = next[1:]
		if _, was := texts[path]; was || len(texts) > 400 {
			continue
		}
		page := b.get(strings.TrimPrefix(path, "/portal")).is(http.StatusOK)
		texts[path] = page.text
		for _, found := range addresses.FindAllStringSubmatch(page.text, -1) {
			if strings.HasPrefix(found[1], "#") {
				continue
			}
			to, err := base.Parse(html.UnescapeString(found[1]))
			b.must(err)
			if !strings.HasPrefix(to.Path, "/portal/") || to.Host != base.Host {
				b.Errorf("%s leads to %s", path, to)
				continue
			}
			form := strings.HasPrefix(found[0], "action")
			if form && !b.isForm(strings.TrimPrefix(to.Path, "/portal")) {
				b.Errorf("%s sends a form to %s", path, to)
			}
			if !form && !strings.Contains(to.Path, "/assets/") && !to.Query().Has("language") {
				next = append(next, to.RequestURI())
			}
		}
	}
	return texts
}

// isForm reports whether a form of the portal is sent to a path.
func (b *browser) isForm(path string) bool {
	parameters := regexp.MustCompile(`\\{\w+\\}`)
	return slices.ContainsFunc(slices.Concat(portalSent, portalSeen, []string{"/sign-out"}), func(known string) bool {
		return regexp.MustCompile("^" + parameters.ReplaceAllString(regexp.QuoteMeta(known), "[^/]+") + "$").MatchString(path)
	})
}

func TestPagesOfThePortalLeadToNoOthers(t *testing.T) {
	w := portalWorld(t)
	p := w.portal()
	for _, b := range []*browser{p.clientIn("full"), p.clientIn("website"), p.clientIn("group")} {
		for _, language := range []string{"en", "fr"} {
			b.get("/?language=" + language).is(http.StatusOK)
			if texts := b.walk(); len(texts) < 10 {
				t.Errorf("only %d pages are seen: %v", len(texts), slices.Sorted(maps.Keys(texts)))
			}
		}
	}
	b := p.clientIn("full")
	b.get("/").says("full fails to sign in", "Deprecated names are still sent", "ends soon", canary+".example.org").saysNot("Who asks", "jump")
	b.get("/credentials/full").says("API keys", "Revoke").saysNot("Rotate", "Disable", "Change what it may do")
	b.get("/requests").says("product.search").saysNot(`name="credential"`)
	b.get("/requests?which=sign-ins").says("token.site")
	b.get("/requests/71e5ab20").says(canary)
	b.get("/requests/6137d4f1").says(canary)
}

// TestAClientSeesNothingOfAnotherInThePortal: neither on a page it is led to, nor by an id.
func TestAClientSeesNothingOfAnotherInThePortal(t *testing.T) {
	w := portalWorld(t)
	b := w.portal().clientIn("group")
	b.get("/?site=1").is(http.StatusOK)
	for path, text := range b.walk() {
		if strings.Contains(text, canary) || strings.Contains(text, ">full<") {
			t.Errorf("%s says something of another client:\n%s", path, text)
		}
	}
	for _, path := range []string{"/requests/6137d4f1", "/requests/71e5ab20", "/credentials/full", "/webhooks/1", "/webhooks/1/over-time", "/webhooks/1?open=1"} {
		b.get(path).is(http.StatusNotFound).saysNot(canary)
	}
	for path, page := range map[string]string{"/requests?credential=full": "", "/requests?which=sign-ins&credential=full": "", "/requests/traffic?credential=full": ""} {
		b.get(path + page).is(http.StatusOK).saysNot(canary)
	}
	for _, path := range portalSent {
		if path != "/webhooks/new" {
			b.post(ofFull(path)+"?site=1", "name", "x", "packs", "websites", "key_site", "1", "url", "https://portal.example.org/in", "origines", "PRODUCT_CREATE", "after_event_id", "0").is(http.StatusNotFound)
		}
	}
}

// TestAClientDoesInThePortalWhatItMay makes, tests and resends webhooks, reads a secret, makes and revokes a key.
func TestAClientDoesInThePortalWhatItMay(t *testing.T) {
	w := portalWorld(t)
	b := w.portal().clientIn("group")
	b.get("/?site=1").is(http.StatusOK)
	b.post("/webhooks/new?site=1", "url", "https://portal.example.org/in", "origines", "PRODUCT_CREATE", "credential", "full").is(http.StatusOK).isAtPortal("/webhooks/2").says("Send a test", "group")
	b.post("/webhooks/2/test?site=1").is(http.StatusOK).says("The test is on its way.", "HOOK_TEST")
	w.deliver(webhook.Answer{Verdict: webhook.Accepted, Status: 204})
	b.eventually("/webhooks/2", "Resend")
	b.post("/webhooks/2/deliveries/2/resend?site=1").is(http.StatusOK).says("It is on its way once more.")
	b.post("/webhooks/2/edit?site=1", "url", "https://portal.example.org/other", "origines", "PRODUCT_UPDATE").is(http.StatusOK).says("portal.example.org/other")

	w.clock.Advance(operator.Recent)
	b.post("/webhooks/2/secret?site=1").is(http.StatusUnauthorized).says("Your client secret again").saysNot("whsec_", "data-passkey")
	b.post("/webhooks/2/secret?site=1", "password_again", "wrong").is(http.StatusUnauthorized).says("the secret is wrong")
	b.post("/webhooks/2/secret?site=1", "password_again", "group-secret").is(http.StatusOK).says("whsec_")
	b.post("/credentials/group/keys/new?site=1", "name", "nightly", "key_site", "1", "packs", "websites").is(http.StatusOK).says("sk_", "nightly")
	b.post("/credentials/group/keys/2/revoke").is(http.StatusOK).says("The key has ended.")

	page, err := w.backoffice.ListAudit(t.Context(), w.root, backoffice.ListAudit{})
	w.must(err)
	if e := page.Entries[0]; e.Client != "group" || e.Operation != "key.revoke" || e.Operator != 0 {
		t.Errorf("the audit says %+v", e)
	}
	w.signedIn("claire@example.org").get("/audit").is(http.StatusOK).says(">group<", "Send a test event")

	few := w.portal().clientIn("website")
	few.get("/webhooks").is(http.StatusOK).saysNot("New webhook")
	few.get("/webhooks/new").is(http.StatusForbidden)
	few.post("/webhooks/new?site=1", "url", "https://portal.example.org/in", "origines", "PRODUCT_CREATE").is(http.StatusForbidden)
}

// TestWhoSignsInToThePortal: a client with its secret; not an operator, nor a session of the console.
func TestWhoSignsInToThePortal(t *testing.T) {
	w := newWorld(t)
	p := w.portal()
	p.browser().get("/webhooks").isAtPortal("/sign-in?to=%2Fportal%2Fwebhooks").says("Client id", "Client secret").saysNot("data-passkey", "E-mail")
	p.browser().post("/sign-in", "client_id", "full", "client_secret", "wrong").is(http.StatusUnauthorized).says("the client id or secret is wrong")
	p.browser().post("/sign-in", "client_id", "disabled", "client_secret", "disabled-secret").is(http.StatusForbidden)
	p.browser().post("/sign-in", "client_id", "claire@example.org", "client_secret", goodPassword).is(http.StatusUnauthorized)
	w.browser().post("/sign-in", "email", "full", "password", "full-secret").is(http.StatusUnauthorized)

	client, err := w.backoffice.SignInClient(t.Context(), backoffice.SignInClient{ID: "full", Secret: "full-secret"})
	w.must(err)
	claire, err := w.backoffice.SignIn(t.Context(), backoffice.SignIn{Email: "claire@example.org", Password: goodPassword})
	w.must(err)
	for of, secret := range map[*world]string{w: client.Secret, p: claire.Secret} {
		b := of.browser()
		at, err := url.Parse(of.url)
		w.must(err)
		b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "vitrine", Value: secret, Path: "/"}, {Name: "vitrine-portal", Value: secret, Path: "/"}})
		if answer := b.get("/"); !strings.HasSuffix(answer.Request.URL.Path, "/sign-in") {
			t.Errorf("a session of the other one is taken: %s", answer.Request.URL)
		}
	}

	b := p.clientIn("full")
	b.post("/sign-out?site=1").isAtPortal("/sign-in?out").says("You are signed out.")
	b.get("/").isAtPortal("/sign-in")

	b = p.clientIn("full")
	_, err = w.backoffice.DisableCredential(t.Context(), w.root, backoffice.DisableCredential{ID: "full", Disabled: true})
	w.must(err)
	b.get("/").isAtPortal("/sign-in")
}

// TestCookiesOfThePortalAreSentToItAlone, and not to the API or a console at the same host.
func TestCookiesOfThePortalAreSentToItAlone(t *testing.T) {
	w := newWorld(t)
	p := w.portal()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/sign-in", strings.NewReader("client_id=full&client_secret=full-secret"))
	w.must(err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("X-Forwarded-Proto", "https")
	answer, err := http.DefaultTransport.RoundTrip(r)
	w.must(err)
	w.must(answer.Body.Close())
	cookies := answer.Cookies()
	if len(cookies) != 1 || cookies[0].Name != "__Secure-vitrine-portal" || cookies[0].Path != "/portal" || !cookies[0].HttpOnly || !cookies[0].Secure || cookies[0].SameSite != http.SameSiteLaxMode {
		t.Errorf("the cookies are %+v", cookies)
	}
	if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("the policy is %q", policy)
	}
}

// isAtPortal checks where the redirects led.
func (s shown) isAtPortal(path string) shown {
	s.Helper()
	if at, _, _ := strings.Cut(strings.TrimPrefix(s.Request.URL.RequestURI(), "/portal"), "?open"); at != path {
		s.Errorf("the browser is at %s, not at %s:\n%s", at, path, s.text)
	}
	return s
}

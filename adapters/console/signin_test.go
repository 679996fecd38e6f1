package console_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

func TestSigningInLeadsToWhereOneWasGoing(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.get("/webhooks?status=failed").is(200).isAt("/sign-in?to=%2Fconsole%2Fwebhooks%3Fstatus%3Dfailed").says("Sign in")
	b.post("/sign-in", "email", "claire@example.org", "password", "wrong").is(401).says("the e-mail or the password is wrong", "claire@example.org").saysNot("unauthenticated", "This was not done")
	b.post("/sign-in", "email", " Claire@example.org", "password", goodPassword, "to", "/console/webhooks?status=failed").is(200).isAt("/webhooks?status=failed").says("Claire Morel")
	b.post("/sign-out").is(200).isAt("/sign-in?out").says("You are signed out.")
	b.get("/").is(200).isAt("/sign-in")
}

func TestSigningInLeadsNowhereElse(t *testing.T) {
	w := newWorld(t)
	for _, to := range []string{"https://evil.example", "//evil.example/console/", "/elsewhere", `/console/\evil`, "javascript:alert(1)", "/console/../x\r\n",
		"/console/../../evil", "/console/..", "/console/./../evil", "/console/%2e%2e/%2e%2e/evil", "/console/..%2f..%2fevil", "/console/webhooks/../../../evil", "/console//evil", "/console/products/..",
	} {
		w.browser().post("/sign-in", "email", "claire@example.org", "password", goodPassword, "to", to).is(200).isAt("/sites")
	}
}

// Who guesses hears when to try again; a browser in which the operator signed in before
// keeps a way in, also from the same address.
func TestABrowserOfBeforeKeepsAWayIn(t *testing.T) {
	w := newWorld(t)
	known, stranger := w.signedIn("claire@example.org"), w.browser()
	known.post("/sign-out").is(200)
	for range operator.MaxFailures {
		stranger.post("/sign-in", "email", "claire@example.org", "password", "wrong").is(401)
	}
	refused := stranger.post("/sign-in", "email", "claire@example.org", "password", goodPassword).is(429).says("too many attempts")
	if wait, err := strconv.Atoi(refused.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 60 {
		t.Errorf("Retry-After is %q", refused.Header.Get("Retry-After"))
	}
	known.post("/sign-in", "email", "claire@example.org", "password", goodPassword).is(200).isAt("/")
	w.clock.Advance(operator.FailureWindow)
	stranger.post("/sign-in", "email", "claire@example.org", "password", goodPassword).is(200).isAt("/sites")
}

func TestAnInvitationIsAcceptedOnce(t *testing.T) {
	w := newWorld(t)
	root := w.signedIn("claire@example.org")
	root.post("/operators/invite?site=1", "name", "Paul", "email", "paul@example.org", "role", string(operator.Reader), "sites", "1").is(200).isAt("/operators").says("It is shown this once", "/console/invitations/")
	root.get("/operators").is(200).says("paul@example.org")
}

// Anywhere but on this very machine cookies are for TLS alone.
func TestCookiesAreForTheHostAndForTLS(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		host, proto string
		secure      bool
	}{
		{"console.example.org", "", true},
		{"console.example.org:8443", "http", true},
		{"127.0.0.1:8090", "", false},
		{"[::1]:8090", "", false},
		{"localhost", "", false},
		{"127.0.0.1:8090", "https", true},
	} {
		b := w.browser()
		b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/sign-in", strings.NewReader("email=claire@example.org&password="+url.QueryEscape(goodPassword)))
		w.must(err)
		r.Host = c.host
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("X-Forwarded-Proto", c.proto)
		cookies := b.do(r).is(303).Cookies()
		if len(cookies) != 2 {
			t.Fatalf("%+v: the cookies are %v", c, cookies)
		}
		prefix := map[bool]string{true: "__Host-"}[c.secure]
		for i, name := range []string{"vitrine", "vitrine-browser"} {
			if got := cookies[i]; got.Name != prefix+name || got.Secure != c.secure || !got.HttpOnly || got.SameSite != http.SameSiteLaxMode || got.Path != "/" || got.Domain != "" {
				t.Errorf("%+v: the cookie is %v", c, got)
			}
		}
	}
}

// What is no form is refused as such, whoever sends it, and is nothing that went wrong
// in the server.
func TestABodyThatIsNoFormIsRefused(t *testing.T) {
	w := newWorld(t)
	inside := w.signedIn("claire@example.org")
	link, err := w.backoffice.InviteOperator(t.Context(), w.root, backoffice.InviteOperator{
		Email: "paul@example.org", Name: "Paul", Post: backoffice.Post{Role: string(operator.Reader), Everywhere: true},
	})
	w.must(err)
	for _, sent := range []struct {
		by   *browser
		path string
	}{{w.browser(), "/sign-in"}, {w.browser(), "/sign-in/passkey"}, {w.browser(), "/invitations/" + link.Secret}, {inside, "/site/settings?site=1"}} {
		for body, status := range map[string]int{"email=%zz": 400, "email=" + strings.Repeat("a", 1<<20): 413} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+sent.path, strings.NewReader(body))
			w.must(err)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			sent.by.do(r).is(status).says("the form ")
		}
	}
	if strings.Contains(w.log.String(), "level=ERROR") {
		t.Errorf("the log has an error:\n%s", w.log.String())
	}
}

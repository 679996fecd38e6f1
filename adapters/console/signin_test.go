package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

func TestSigningInLeadsToWhereOneWasGoing(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.get("/webhooks?status=failed").is(200).isAt("/sign-in?to=%2Fconsole%2Fwebhooks%3Fstatus%3Dfailed").says("Sign in")
	b.post("/sign-in", "email", "claire@example.org", "password", "wrong").is(401).says("the e-mail or the password is wrong", "claire@example.org", "unauthenticated")
	b.post("/sign-in", "email", " Claire@example.org", "password", goodPassword, "to", "/console/webhooks?status=failed").is(200).isAt("/webhooks?status=failed").says("Claire Morel")
	b.post("/sign-out").is(200).isAt("/sign-in?out").says("You are signed out.")
	b.get("/").is(200).isAt("/sign-in")
}

func TestSigningInLeadsNowhereElse(t *testing.T) {
	w := newWorld(t)
	for _, to := range []string{"https://evil.example", "//evil.example/console/", "/elsewhere", `/console/\evil`, "javascript:alert(1)", "/console/../x\r\n"} {
		w.browser().post("/sign-in", "email", "claire@example.org", "password", goodPassword, "to", to).is(200).isAt("/")
	}
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
		if len(cookies) != 1 {
			t.Fatalf("%+v: the cookies are %v", c, cookies)
		}
		name := map[bool]string{true: "__Host-vitrine", false: "vitrine"}[c.secure]
		if got := cookies[0]; got.Name != name || got.Secure != c.secure || !got.HttpOnly || got.SameSite != http.SameSiteLaxMode || got.Path != "/" || got.Domain != "" {
			t.Errorf("%+v: the cookie is %v", c, got)
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

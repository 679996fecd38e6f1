package e2e_test

import (
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/openid/openidtest"
)

// consoleVisitor is somebody with a browser, at the console of a server.
type consoleVisitor struct {
	t    *testing.T
	url  string
	http *http.Client
}

func newConsoleVisitor(t *testing.T, console string) *consoleVisitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &consoleVisitor{t, console, &http.Client{Jar: jar}}
}

// goes gets a page, or sends a form if there is one, and checks what the page says at the end.
func (v *consoleVisitor) goes(path string, form url.Values, status int, texts ...string) (page string) {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodGet, v.url+path, nil)
	if form != nil {
		r, err = http.NewRequestWithContext(v.t.Context(), http.MethodPost, v.url+path, strings.NewReader(form.Encode()))
	}
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	answer, err := v.http.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		v.t.Fatalf("%s answers %d, %v:\n%s", path, answer.StatusCode, err, raw)
	}
	for _, text := range texts {
		if !strings.Contains(string(raw), text) {
			v.t.Errorf("%s does not say %q:\n%s", path, text, raw)
		}
	}
	return string(raw)
}

// at is the address that the provider sends the browser back to.
func (v *consoleVisitor) at() string {
	v.t.Helper()
	var back string
	browser := *v.http
	browser.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if strings.HasSuffix(r.URL.Path, "/back") {
			back = strings.TrimPrefix(r.URL.String(), v.url)
			return http.ErrUseLastResponse
		}
		return nil
	}
	answer, err := browser.Get(v.url + "/sign-in/openid")
	if err != nil {
		v.t.Fatal(err)
	}
	answer.Body.Close()
	return back
}

// TestOperatorsSignInAtAProvider starts a server with a provider beside it.
func TestOperatorsSignInAtAProvider(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, database string) {
		there := openidtest.New(t)
		person := func(name string, more map[string]any, groups ...string) {
			claims := map[string]any{"sub": name, "name": name, "email": name + "@example.org", "email_verified": true, "groups": groups}
			for claim, value := range more {
				claims[claim] = value
			}
			there.Says(claims)
		}
		address := freeAddress(t)
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			t.Fatal(err)
		}
		console := "http://localhost:" + port
		p, _ := started(t, "serve", "--listen=127.0.0.1:0", "--console-listen", address, "--console-url", console, "--database", database, "--photos", "file://"+t.TempDir(), "--console-require-passkey",
			"--console-oidc-issuer", there.URL, "--console-oidc-client-id", openidtest.ClientID, "--console-oidc-client-secret", openidtest.ClientSecret,
			"--console-oidc-group=admins=administrator", "--console-oidc-group=makers=integrator", "--console-oidc-group=readers=reader:1,2")
		defer func() {
			if t.Failed() {
				t.Logf("the server says: %s", p.log)
			}
		}()
		eventually(t, "the console answers", func() bool {
			conn, err := net.DialTimeout("tcp", address, time.Second)
			if err == nil {
				conn.Close()
			}
			return err == nil
		})
		console += "/console"

		ada, eve := newConsoleVisitor(t, console), newConsoleVisitor(t, console)
		person("ada", nil, "admins")
		ada.goes("/sign-in/openid", nil, http.StatusOK, "ada", "administrator")
		person("eve", nil, "readers")
		eve.goes("/sign-in/openid", nil, http.StatusOK, "eve")
		eve.goes("/me", nil, http.StatusOK, "eve@example.org · reader", "You sign in with your organisation")
		person("eve", nil, "makers")
		eve.goes("/sign-in/openid", nil, http.StatusOK)
		eve.goes("/me", nil, http.StatusOK, "eve@example.org · integrator")
		ada.goes("/audit", nil, http.StatusOK, "Sign in by OpenID Connect", "integrator")

		for name, claims := range map[string]map[string]any{
			"another nonce": {"nonce": "another"}, "another audience": {"aud": "another"}, "expired": {"exp": time.Now().Add(-time.Minute).Unix()},
		} {
			person("eve", claims, "makers")
			if page := eve.goes("/sign-in/openid", nil, http.StatusUnauthorized, "did not say who you are"); strings.Contains(page, "eve@example.org") {
				t.Errorf("%s: she is let in", name)
			}
		}
		person("eve", nil, "makers")
		back := eve.at()
		newConsoleVisitor(t, console).goes(back, nil, http.StatusUnauthorized, "not begun in this browser")
		eve.goes(back, nil, http.StatusOK, "eve")
		eve.goes(back, nil, http.StatusUnauthorized)
		there.Refuses("access_denied")
		eve.goes("/sign-in/openid", nil, http.StatusUnauthorized, "did not let you in")
		there.Refuses("")

		person("eve", nil, "others")
		eve.goes("/sign-in/openid", nil, http.StatusUnauthorized, "none of the groups that have a role here: admins, makers, readers")
		eve.goes("/me", nil, http.StatusOK, "Sign in")
		ada.goes("/operators/2/disable?site=0", url.Values{"disabled": {"yes"}}, http.StatusOK)
		person("eve", nil, "admins")
		newConsoleVisitor(t, console).goes("/sign-in/openid", nil, http.StatusUnauthorized, "the operator is disabled")

		// Who has a password needs a passkey before anything else.
		page := ada.goes("/operators/invite?site=0", url.Values{"name": {"Paul"}, "email": {"paul@example.org"}, "role": {"reader"}, "sites": {"all"}}, http.StatusOK)
		link := regexp.MustCompile(`/invitations/[A-Za-z0-9_-]{20,}`).FindString(page)
		paul := newConsoleVisitor(t, console)
		paul.goes(link, url.Values{"password": {"correct horse battery"}}, http.StatusOK, "This server requires a passkey")
		paul.goes("/requests", nil, http.StatusOK, "This server requires a passkey")
	})
}

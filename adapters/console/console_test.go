package console_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
)

// Whatever is answered, browsers are told to run nothing else and to keep nothing.
func TestEveryAnswerIsGuarded(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	policy := regexp.MustCompile(`^default-src 'none'; script-src 'self' 'nonce-([A-Za-z0-9_-]{24})'; style-src 'self'; img-src 'self' data:; font-src 'self'; ` +
		`connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types htmx$`)
	seen := map[string]bool{}
	for _, path := range []string{"/", "/webhooks", "/nowhere", "/webhooks/99", "/requests/readiness?csv=1", "/assets/nothing.css"} {
		answer := b.get(path)
		for name, want := range map[string]string{
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "same-origin",
			"X-Content-Type-Options": "nosniff", "Permissions-Policy": "publickey-credentials-get=(self)", "Cache-Control": "no-store",
		} {
			if got := answer.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, not %q", path, name, got, want)
			}
		}
		found := policy.FindStringSubmatch(answer.Header.Get("Content-Security-Policy"))
		if found == nil {
			t.Fatalf("%s: the policy is %q", path, answer.Header.Get("Content-Security-Policy"))
		}
		if seen[found[1]] {
			t.Errorf("%s: the nonce was there before", path)
		}
		seen[found[1]] = true
		for _, nonce := range regexp.MustCompile(`nonce="([^"]*)"`).FindAllStringSubmatch(answer.text, -1) {
			if nonce[1] != found[1] {
				t.Errorf("%s: the nonce in the page is %q, that of the policy %q", path, nonce[1], found[1])
			}
		}
	}
}

// The address of the console alone leads in.
func TestTheBareAddressLeadsToTheConsole(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(w.url, "/console")+"/", nil)
	w.must(err)
	b.do(r).is(200).isAt("/").says("Overview")
	r.URL.Path = "/elsewhere"
	b.do(r).is(404)
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
		for _, path := range []string{"/sign-in", "/sign-out", "/me/sign-out-everywhere?site=1"} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+path, strings.NewReader(""))
			w.must(err)
			r.Header.Set(name, value)
			b.do(r).is(403).says("This was not done")
		}
	}
	b.get("/me").is(200).isAt("/me")
}

func TestWhatIsNotThereHasThePageOfTheConsole(t *testing.T) {
	w := newWorld(t)
	b := w.signedIn("claire@example.org")
	for _, path := range []string{"/nowhere", "/webhooks/99", "/webhooks/x", "/requests/unknown", "/operators/77"} {
		b.get(path).is(404).says("This is not here", "Claire Morel")
	}
	reader := w.signedIn(w.operator(operator.Reader, 1))
	reader.get("/operators").is(403).says("You may not see this")
	reader.get("/people").is(403).says("your role does not allow this").saysNot("packs")
	reader.get("/webhooks?site=2").is(403).says("You may not see this", "site_out_of_scope")
}

// Assets have their content in their name, are kept for ever, and all of them come to
// little.
func TestAssetsAreSmallAndKept(t *testing.T) {
	w := newWorld(t)
	page := w.browser().get("/sign-in").is(200)
	style := regexp.MustCompile(`/console(/assets/console\.[0-9a-f]{12}\.css)`).FindStringSubmatch(page.text)
	if style == nil {
		t.Fatalf("the page names no style sheet:\n%s", page.text)
	}
	named := regexp.MustCompile(`/console(/assets/[^"]+)`).FindAllStringSubmatch(page.text, -1)
	for _, font := range regexp.MustCompile(`url\("([^"]+)"\)`).FindAllStringSubmatch(w.browser().get(style[1]).is(200).text, -1) {
		named = append(named, []string{"", "/assets/" + font[1]})
	}
	total, counted := 0, map[string]bool{}
	for _, asset := range named {
		if counted[asset[1]] {
			continue
		}
		counted[asset[1]] = true
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+asset[1], nil)
		w.must(err)
		r.Header.Set("Accept-Encoding", "gzip")
		answer := w.browser().do(r).is(200)
		if got := answer.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control is %q", asset[1], got)
		}
		total += len(answer.text)
		if answer.Header.Get("Content-Encoding") == "gzip" {
			unpacked, err := gzip.NewReader(strings.NewReader(answer.text))
			w.must(err)
			whole, err := io.ReadAll(unpacked)
			w.must(err)
			if plain := w.browser().get(asset[1]).text; plain != string(whole) {
				t.Errorf("%s is something else compressed", asset[1])
			}
		}
	}
	t.Logf("%d assets, %d bytes as they travel", len(counted), total)
	if total > 120<<10 || len(counted) < 7 {
		t.Errorf("%d assets of %d bytes", len(counted), total)
	}
}

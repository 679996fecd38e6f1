package console_test

import (
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/console"
	"github.com/vitrine-crm/vitrine/adapters/passkeys"
	"github.com/vitrine-crm/vitrine/adapters/setup"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// passwords hash by writing something before them.
type passwords struct{}

// Hash implements port.Passwords.
func (passwords) Hash(password string) (string, error) { return "hash of " + password, nil }

// Verify implements port.Passwords.
func (passwords) Verify(hash, password string) (bool, error) { return hash == "hash of "+password, nil }

// IsCommon implements port.Passwords.
func (passwords) IsCommon(password string) bool { return strings.HasPrefix(password, "password") }

// origin is where browsers think they are.
const origin = "https://crm.example.org"

const goodPassword = "correct horse battery"

// world is a console over the network of apitest, in memory, with an administrator.
type world struct {
	*testing.T
	site       *siteapi.Service
	backoffice *backoffice.Service
	store      *memstore.Store
	requests   *memstore.RequestLog
	blobs      *memstore.Blobs
	clock      *apitest.Clock
	log        *lockedLog
	// answer is what receivers of webhooks answer.
	answer atomic.Pointer[webhook.Answer]
	// url is where the console is reached, without a slash at the end.
	url string
	// root is the administrator of everything.
	root backoffice.Actor
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return worldOf(t, true)
}

// worldOf is a world with sites, or without any yet.
func worldOf(t *testing.T, provisioned bool, options ...backoffice.Option) *world {
	t.Helper()
	w := &world{T: t, store: memstore.New(), requests: memstore.NewRequestLog(), clock: apitest.NewClock(), log: &lockedLog{}}
	ports := apitest.Ports(w.store, w.clock)
	w.blobs = memstore.NewBlobs(w.clock.Now)
	ports.Requests, ports.Traffic, ports.Blobs = w.requests, w.requests, w.blobs
	var err error
	w.site, err = siteapi.New(ports, kernel.Options{Domain: "https://crm.example.org", Pepper: make([]byte, 32)})
	w.must(err)
	if provisioned {
		_, err = w.site.Transfer.Provision(t.Context(), apitest.Network())
		w.must(err)
	}
	w.backoffice, err = backoffice.New(w.site, passwords{}, append(options, backoffice.Passkeys(passkeys.New("Vitrine")), backoffice.Vocabulary(setup.French))...)
	w.must(err)
	link, _, err := w.backoffice.SetUp(t.Context())
	w.must(err)
	came, err := w.backoffice.Accept(t.Context(), backoffice.Accept{
		Secret: link.Secret, Email: "claire@example.org", Name: "Claire Morel", Password: goodPassword, Peer: "192.0.2.1",
	})
	w.must(err)
	w.root = came.Actor
	handler, err := console.New(console.Options{
		Backoffice: w.backoffice, Site: w.site, Now: w.clock.Now, Rand: rand.Reader, Environment: "sandbox", Origin: origin, Logger: slog.New(slog.NewTextHandler(io.MultiWriter(t.Output(), w.log), nil)),
	})
	w.must(err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	w.url = server.URL + "/console"
	return w
}

// lockedLog is what the console has logged.
type lockedLog struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write implements io.Writer.
func (l *lockedLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

// String is all of it.
func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// operator adds somebody with a role at some sites, without any at all of them, and returns their e-mail.
func (w *world) operator(role operator.Role, sites ...int64) string {
	w.Helper()
	email := string(role) + "@example.org"
	link, err := w.backoffice.InviteOperator(w.Context(), w.root, backoffice.InviteOperator{
		Email: email, Name: "Somebody " + string(role), Post: backoffice.Post{Role: string(role), Sites: sites, Everywhere: len(sites) == 0},
	})
	w.must(err)
	_, err = w.backoffice.Accept(w.Context(), backoffice.Accept{Secret: link.Secret, Password: goodPassword})
	w.must(err)
	return email
}

// browser is somebody who looks at the console, and keeps cookies.
type browser struct {
	*world
	client *http.Client
	// url is where it reaches the console.
	url string
}

func (w *world) browser() *browser {
	jar, err := cookiejar.New(nil)
	w.must(err)
	return &browser{w, &http.Client{Jar: jar}, w.url}
}

// signedIn is a browser of an operator who has signed in, and looks at site 1 if the role holds for it.
func (w *world) signedIn(email string) *browser {
	w.Helper()
	b := w.newlySignedIn(email)
	at, err := url.Parse(w.url)
	w.must(err)
	b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "vitrine-site", Value: "1", Path: "/"}})
	return b
}

// newlySignedIn is a browser of an operator who has signed in, and has chosen no site yet.
func (w *world) newlySignedIn(email string) *browser {
	w.Helper()
	b := w.browser()
	b.post("/sign-in", "email", email, "password", goodPassword).is(200)
	return b
}

// shown is a page that a browser got, behind all redirects.
type shown struct {
	*world
	*http.Response
	text string
}

func (b *browser) do(r *http.Request) shown {
	b.Helper()
	answer, err := b.client.Do(r)
	b.must(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	b.must(err)
	return shown{b.world, answer, string(text)}
}

func (b *browser) get(path string) shown {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, b.url+path, nil)
	b.must(err)
	return b.do(r)
}

// post sends a form of names and values, as a page of the console would.
func (b *browser) post(path string, pairs ...string) shown {
	b.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, b.url+path, strings.NewReader(form.Encode()))
	b.must(err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.do(r)
}

func (s shown) is(status int) shown {
	s.Helper()
	if s.StatusCode != status {
		s.Fatalf("%s %s answered %d, not %d:\n%s", s.Request.Method, s.Request.URL, s.StatusCode, status, s.text)
	}
	return s
}

// says checks that the page has all of some texts in it.
func (s shown) says(texts ...string) shown {
	s.Helper()
	for _, text := range texts {
		if !strings.Contains(s.text, text) {
			s.Errorf("%s does not say %q:\n%s", s.Request.URL, text, s.text)
		}
	}
	return s
}

// saysNot checks that the page has none of some texts in it.
func (s shown) saysNot(texts ...string) shown {
	s.Helper()
	for _, text := range texts {
		if strings.Contains(s.text, text) {
			s.Errorf("%s says %q:\n%s", s.Request.URL, text, s.text)
		}
	}
	return s
}

// isAt checks where the redirects led.
func (s shown) isAt(path string) shown {
	s.Helper()
	if at := strings.TrimPrefix(s.Request.URL.RequestURI(), "/console"); at != path {
		s.Errorf("the browser is at %s, not at %s", at, path)
	}
	return s
}

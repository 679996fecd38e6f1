package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/client"
	"github.com/vitrine-crm/vitrine/adapters/copy"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/mirror"
)

// programs builds both programs, once.
var programs = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "vitrine-mirror-test-")
	if err != nil {
		return "", err
	}
	for _, name := range []string{"vitrine", "vitrine-mirror"} {
		if err := rig.BuildProgram(context.Background(), name, filepath.Join(folder, name)); err != nil {
			return folder, err
		}
	}
	return folder, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if folder, _ := programs(); folder != "" {
		_ = os.RemoveAll(folder)
	}
	os.Exit(code)
}

// stand is a sandbox and a mirror of it, each in a process of its own, and between them two
// proxies: front passes requests to the server, and can take away what the contract does not have;
// lossy passes deliveries to the mirror, or loses, doubles and delays them.
type stand struct {
	t              testing.TB
	server, mirror *rig.Process
	front, lossy   *httptest.Server
	options        server
	database       string

	contractOnly bool
	loses        atomic.Bool
	refuses      atomic.Bool
	late         sync.WaitGroup
	searches     atomic.Int64
	requests     atomic.Int64
	entries      entries
	agent        *client.Client // writes, past the proxies
	// transport is the proxies' own: closing a test server ends connections of the default one.
	transport *http.Transport
}

// newStand starts both. more are options of the sandbox.
func newStand(t testing.TB, contractOnly bool, more ...string) *stand {
	t.Helper()
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	s := &stand{t: t, contractOnly: contractOnly, transport: http.DefaultTransport.(*http.Transport).Clone()}
	folder := t.TempDir()
	options := append(rig.ServerOptions(filepath.Join(folder, "vitrine.db"), filepath.Join(folder, "photos")), "--hooks-retry-delays=1s,1500ms,2s", "--no-pictures")
	s.server = s.process(filepath.Join(folder, "server.log"), append([]string{filepath.Join(bin, "vitrine"), "sandbox"}, append(options, more...)...)...)
	s.start(s.server)
	s.front = httptest.NewServer(s.frontOf("http://" + s.server.Address))
	s.lossy = httptest.NewServer(http.HandlerFunc(s.deliver))
	t.Cleanup(func() { s.late.Wait(); s.lossy.Close(); s.front.Close() })

	s.options = server{URL: s.front.URL, ClientID: "sandbox-website", ClientSecret: "sandbox-website-secret", Site: 1}
	s.database = filepath.Join(folder, "mirror.db")
	s.mirror = s.process(filepath.Join(folder, "mirror.log"), filepath.Join(bin, "vitrine-mirror"), "serve", "--url="+s.options.URL, "--client-id="+s.options.ClientID,
		"--client-secret="+s.options.ClientSecret, "--site=1", "--public-url="+s.lossy.URL, "--allow-http", "--database="+s.database, "--look-every=1s", "--form-delay=0s")
	s.mirror.Ready = "/healthz"
	s.start(s.mirror)
	s.agent, err = client.New(client.Config{URL: "http://" + s.server.Address, ClientID: "sandbox-network", ClientSecret: "sandbox-network-secret", SiteID: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stand) process(log string, command ...string) *rig.Process {
	s.t.Helper()
	p, err := rig.NewProcess(log, command...)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		_ = p.Kill()
		if text, err := os.ReadFile(log); err == nil && s.t.Failed() {
			s.t.Logf("%s:\n%s", filepath.Base(log), text[max(0, len(text)-3000):])
		}
	})
	return p
}

func (s *stand) start(p *rig.Process) {
	s.t.Helper()
	if err := p.Start(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// kill kills a process, and starts it again.
func (s *stand) kill(p *rig.Process) {
	s.t.Helper()
	if err := p.Kill(); err != nil {
		s.t.Fatal(err)
	}
	s.start(p)
}

// extension are requests that the contract does not have.
var extension = regexp.MustCompile(`^GET .*/(events|hooks|hooks/.*)$|/(bookings|booking-slots)`)

// frontOf passes requests on. The server's domain becomes the address of the proxy.
func (s *stand) frontOf(to string) http.Handler {
	target, err := url.Parse(to)
	if err != nil {
		s.t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Transport: s.transport,
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: func(r *http.Response) error {
			if s.contractOnly {
				r.Header.Del("ETag")
			}
			if !strings.HasSuffix(r.Request.URL.Path, "/token/site") {
				return nil
			}
			body, err := io.ReadAll(r.Body)
			body = bytes.ReplaceAll(body, []byte(to), []byte(s.front.URL))
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Del("Content-Length")
			return err
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		if strings.HasSuffix(r.URL.Path, "/products/search") {
			s.searches.Add(1)
		}
		if s.contractOnly && extension.MatchString(r.Method+" "+r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		// The body is read whole: a server that answers before it has read the end of it would have the proxy lose the answer.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.entries.pass(proxy, w, r)
	})
}

// deliver takes a delivery of the server. While the stand loses, a quarter is answered and lost, a quarter comes twice, and
// of the others a third is answered and comes late.
func (s *stand) deliver(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || s.refuses.Load() {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if s.contractOnly {
		r.Header.Del("webhook-signature")
		r.Header.Del("webhook-timestamp")
	}
	pass := func() int {
		request, err := http.NewRequest(r.Method, "http://"+s.mirror.Address+r.URL.Path, bytes.NewReader(body))
		if err != nil {
			return http.StatusInternalServerError
		}
		request.Header = r.Header.Clone()
		answer, err := s.transport.RoundTrip(request)
		if err != nil {
			return http.StatusBadGateway
		}
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	if !s.loses.Load() {
		w.WriteHeader(pass())
		return
	}
	switch draw := rand.IntN(4); {
	case draw == 0:
	case draw == 1:
		pass()
		w.WriteHeader(pass())
		return
	case rand.IntN(3) == 0:
		s.late.Go(func() {
			time.Sleep(time.Duration(rand.IntN(1500)) * time.Millisecond)
			pass()
		})
	default:
		w.WriteHeader(pass())
		return
	}
	w.WriteHeader(http.StatusOK)
}

// control is where the mirror is commanded.
func (s *stand) control() control { return control{s.options, s.mirror.Address} }

// settle waits until the mirror has nothing to do.
func (s *stand) settle() {
	s.t.Helper()
	s.late.Wait()
	var last report
	if !rig.Until(s.t.Context(), time.Minute, 20*time.Millisecond, func() bool {
		said, err := s.control().call(s.t.Context(), http.MethodGet, "/control/status")
		last = said
		return err == nil && said.settled()
	}) {
		s.t.Fatalf("the mirror does not come to rest: %+v", last)
	}
}

// wrong returns which products the copy has otherwise than a full read through the API, and still
// has after a while: the server looks addresses up after a write, and that is a change.
func (s *stand) wrong() (wrong []int64) {
	s.t.Helper()
	rig.Until(s.t.Context(), 20*time.Second, 200*time.Millisecond, func() bool { wrong = s.wrongNow(); return len(wrong) == 0 })
	return wrong
}

// wrongNow returns which products the copy has otherwise at this moment.
func (s *stand) wrongNow() []int64 {
	s.t.Helper()
	ctx := s.t.Context()
	api, err := s.options.connect()
	if err != nil {
		s.t.Fatal(err)
	}
	want := map[int64][]byte{}
	for cursor, more := "", true; more; more = cursor != "" {
		page, err := (&remote{client: api}).Products(ctx, time.Time{}, cursor)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, one := range page.Records {
			want[one.ID] = one.Body
		}
		cursor = page.Next
	}
	kept, err := copy.Open(ctx, s.database)
	if err != nil {
		s.t.Fatal(err)
	}
	defer kept.Close()
	var wrong []int64
	_, err = kept.ProductsSince(ctx, 0, func(one mirror.Record) error {
		if !one.Shown {
			return nil
		}
		if !bytes.Equal(want[one.ID], one.Body) {
			wrong = append(wrong, one.ID)
		}
		delete(want, one.ID)
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	for id := range want {
		wrong = append(wrong, id)
	}
	return wrong
}

// record returns a product as the copy has it.
func (s *stand) record(id int64) mirror.Record {
	s.t.Helper()
	kept, err := copy.Open(s.t.Context(), s.database)
	if err != nil {
		s.t.Fatal(err)
	}
	defer kept.Close()
	record, err := kept.Record(s.t.Context(), mirror.Key{Kind: mirror.Product, ID: id})
	if err != nil {
		s.t.Fatal(err)
	}
	return record
}

// shown returns a product, and whether the copy shows it.
func (s *stand) shown(id int64) (found client.Product, is bool) {
	s.t.Helper()
	record := s.record(id)
	if !record.Shown {
		return found, false
	}
	if err := json.Unmarshal(record.Body, &found); err != nil {
		s.t.Fatal(err)
	}
	return found, true
}

// hooks returns how many webhooks lead to the mirror.
func (s *stand) hooks() (count int) {
	s.t.Helper()
	for one, err := range s.agent.ListHooksAll(s.t.Context(), nil) {
		if err != nil {
			s.t.Fatal(err)
		}
		if strings.HasPrefix(one.URL, s.lossy.URL) {
			count++
		}
	}
	return count
}

package sender_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vitrine-crm/vitrine/adapters/sender"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// grantor is a token endpoint: token-1, token-2 … for whoever asks.
type grantor struct {
	url   string
	count atomic.Int64

	mu       sync.Mutex
	lifetime string // a JSON value
	status   int
	body     string
	asked    map[string]string
}

func newGrantor(t *testing.T) *grantor {
	g := &grantor{lifetime: "3600"}
	g.url = server(t, func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		user, password, _ := r.BasicAuth()
		g.asked = map[string]string{
			"user": user, "password": password, "type": r.Header.Get("Content-Type"), "grant": r.FormValue("grant_type"), "scope": r.FormValue("scope"),
		}
		n := g.count.Add(1)
		w.WriteHeader(max(g.status, 200))
		if g.body != "" {
			io.WriteString(w, g.body)
			return
		}
		fmt.Fprintf(w, `{"access_token":"token-%d","token_type":"Bearer","expires_in":%s}`, n, g.lifetime)
	}).URL
	return g
}

func (g *grantor) answer(status int, body, lifetime string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.status, g.body, g.lifetime = status, body, lifetime
}

func (g *grantor) client() *webhook.Auth {
	return &webhook.Auth{ID: 3, Site: 1, Type: webhook.AuthOAuth2, TokenURL: g.url, ClientID: "vitrine:1", Secret: "s e+c&ret", Scope: "hooks events"}
}

// guarded accepts one token at a time.
type guarded struct {
	url    string
	accept atomic.Value
	seen   chan string
}

func newGuarded(t *testing.T, accept string) *guarded {
	g := &guarded{seen: make(chan string, 100)}
	g.accept.Store(accept)
	g.url = server(t, func(w http.ResponseWriter, r *http.Request) {
		if values := r.Header.Values("Authorization"); len(values) != 1 {
			t.Errorf("the request has the authorizations %q", values)
		}
		g.seen <- r.Header.Get("Authorization")
		if want := g.accept.Load().(string); want != "*" && r.Header.Get("Authorization") != "Bearer "+want {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}).URL
	return g
}

func (g *guarded) tokens() []string {
	var all []string
	for {
		select {
		case one := <-g.seen:
			all = append(all, strings.TrimPrefix(one, "Bearer "))
		default:
			return all
		}
	}
}

func withClient(url string, client *webhook.Auth) webhook.Request {
	r := request(url, webhook.Header{Name: "authorization", Value: "a custom one gives way"})
	r.OAuth2 = client
	return r
}

func TestA18_ATokenIsObtainedOnceAndUsed(t *testing.T) {
	endpoint, receiver := newGrantor(t), newGuarded(t, "token-1")
	s := loopback(t, sender.Options{})
	for range 3 {
		if got := s.Send(t.Context(), withClient(receiver.url, endpoint.client())); got.Verdict != webhook.Accepted {
			t.Fatalf("it is %s for %q", got.Verdict, got.Reason)
		}
	}
	if diff := cmp.Diff([]string{"token-1", "token-1", "token-1"}, receiver.tokens()); diff != "" {
		t.Error(diff)
	}
	want := map[string]string{
		"user": "vitrine%3A1", "password": "s+e%2Bc%26ret", "type": "application/x-www-form-urlencoded",
		"grant": "client_credentials", "scope": "hooks events",
	}
	if diff := cmp.Diff(want, endpoint.asked); diff != "" {
		t.Error(diff)
	}
	// A client whose secret was changed is another client.
	changed := endpoint.client()
	changed.Secret = "fresh"
	receiver.accept.Store("token-2")
	if got := s.Send(t.Context(), withClient(receiver.url, changed)); got.Verdict != webhook.Accepted || endpoint.count.Load() != 2 {
		t.Errorf("it is %s for %q, after %d tokens", got.Verdict, got.Reason, endpoint.count.Load())
	}
}

func TestA18_ManyDeliveriesObtainOneToken(t *testing.T) {
	endpoint, receiver := newGrantor(t), newGuarded(t, "token-1")
	s := loopback(t, sender.Options{})
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if got := s.Send(t.Context(), withClient(receiver.url, endpoint.client())); got.Verdict != webhook.Accepted {
				t.Errorf("it is %s for %q", got.Verdict, got.Reason)
			}
		})
	}
	wait.Wait()
	if n := endpoint.count.Load(); n != 1 {
		t.Errorf("20 deliveries at once obtained %d tokens", n)
	}
}

func TestA18_ARefusedTokenIsObtainedAnewOnce(t *testing.T) {
	endpoint, receiver := newGrantor(t), newGuarded(t, "token-1")
	s := loopback(t, sender.Options{BreakerTimeout: -1})
	s.Send(t.Context(), withClient(receiver.url, endpoint.client()))
	receiver.accept.Store("token-2")
	if got := s.Send(t.Context(), withClient(receiver.url, endpoint.client())); got.Verdict != webhook.Accepted {
		t.Errorf("with a fresh token it is %s for %q", got.Verdict, got.Reason)
	}
	receiver.accept.Store("none")
	got := s.Send(t.Context(), withClient(receiver.url, endpoint.client()))
	if got.Verdict != webhook.Failure || got.Reason != "answered 401" {
		t.Errorf("when no token will do it is %s for %q", got.Verdict, got.Reason)
	}
	if diff := cmp.Diff([]string{"token-1", "token-1", "token-2", "token-2", "token-3"}, receiver.tokens()); diff != "" {
		t.Error(diff)
	}
}

func TestA18_AnExpiredTokenIsObtainedAnew(t *testing.T) {
	for lifetime, want := range map[string]int64{"1": 2, `"3600"`: 1, "null": 1, "0": 1, "-5": 1, "1e300": 1} {
		endpoint, receiver := newGrantor(t), newGuarded(t, "*")
		endpoint.answer(0, "", lifetime)
		s := loopback(t, sender.Options{})
		for i := range 2 {
			if got := s.Send(t.Context(), withClient(receiver.url, endpoint.client())); got.Verdict != webhook.Accepted {
				t.Errorf("lifetime %s: it is %s for %q", lifetime, got.Verdict, got.Reason)
			}
			if i == 0 && want == 2 {
				time.Sleep(600 * time.Millisecond) // half of it
			}
		}
		if n := endpoint.count.Load(); n != want {
			t.Errorf("with a lifetime of %s %d tokens were obtained, not %d", lifetime, n, want)
		}
	}
}

func TestA18_AFailingTokenEndpointIsAFailure(t *testing.T) {
	receiver := newGuarded(t, "none")
	endpoint := newGrantor(t)
	s := loopback(t, sender.Options{BreakerTimeout: -1, Timeout: time.Second})
	for body, reason := range map[string]string{
		`{"access_token":""}`:                 "obtaining a token: the answer holds none",
		`{"access_token":"a b"}`:              "obtaining a token: the answer holds none",
		`{"access_token":"a\r\nX-Forged: 1"}`: "obtaining a token: the answer holds none",
		`{"access_token":7}`:                  "obtaining a token: the answer holds none",
		`<html>`:                              "obtaining a token: the answer holds none",
		strings.Repeat("[", 1<<20):            "obtaining a token: the answer holds none",
	} {
		endpoint.answer(200, body, "")
		if got := s.Send(t.Context(), withClient(receiver.url, endpoint.client())); got.Verdict != webhook.Failure || got.Reason != reason {
			t.Errorf("%.40q is %s for %q", body, got.Verdict, got.Reason)
		}
	}
	endpoint.answer(400, `{"error":"invalid_client"}`, "")
	if got := s.Send(t.Context(), withClient(receiver.url, endpoint.client())); got.Reason != "obtaining a token: answered 400" || got.Status != 0 {
		t.Errorf("it is %s for %q with status %d", got.Verdict, got.Reason, got.Status)
	}
	silent, _ := listener(t, "127.0.0.1:0", func(c net.Conn) { io.Copy(io.Discard, c) })
	client := endpoint.client()
	for url, reason := range map[string]string{
		"http://" + silent: "obtaining a token: no answer within 1s", "https://10.0.0.1/token": "obtaining a token: the address is not permitted",
	} {
		client.TokenURL = url
		start := time.Now()
		got := s.Send(t.Context(), withClient(receiver.url, client))
		if took := time.Since(start); got.Verdict != webhook.Failure || got.Reason != reason || took > 5*time.Second {
			t.Errorf("%s is %s for %q after %s", url, got.Verdict, got.Reason, took)
		}
	}
	if seen := receiver.tokens(); len(seen) > 0 {
		t.Errorf("the receiver got requests all the same: %v", seen)
	}
}

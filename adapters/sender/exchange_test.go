package sender

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

const answerOK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

// local returns options that permit receivers of this machine.
func local(t *testing.T) Options {
	t.Helper()
	networks, err := webhook.ParseNetworks("127.0.0.0/8:*")
	if err != nil {
		t.Fatal(err)
	}
	return Options{Allowance: webhook.Allowance{HTTP: true, Networks: networks}, Timeout: 3 * time.Second, BreakerTimeout: -1}
}

// peer gives an answer after each request on a connection, and hangs up after the last.
type peer struct {
	url string
	// requests counts those that were read, connections those that were accepted.
	requests, connections atomic.Int64
}

// answering starts a peer. It does not hang up before the other side if its last answer
// is not empty.
func answering(t *testing.T, answers ...string) *peer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{url: "http://" + l.Addr().String()}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			p.connections.Add(1)
			all.Go(func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				for _, text := range answers {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					io.Copy(io.Discard, r.Body)
					p.requests.Add(1)
					io.WriteString(conn, text)
				}
				if answers[len(answers)-1] != "" {
					io.Copy(io.Discard, conn)
				}
			})
		}
	})
	t.Cleanup(func() { l.Close(); all.Wait() })
	return p
}

// exchanging returns an exchange over a transport that a test may change.
func exchanging(t *testing.T, change func(*http.Transport)) exchange {
	t.Helper()
	transport := newTransport(local(t))
	change(transport)
	t.Cleanup(transport.CloseIdleConnections)
	return over(transport)
}

func unchanged(*http.Transport) {}

func to(url string, headers ...webhook.Header) request {
	return request{url, headers, []byte("an event"), time.Now().Add(10 * time.Second)}
}

func TestWhatComesOfAnswers(t *testing.T) {
	failed := func(status int, reason string) webhook.Answer {
		return webhook.Answer{Status: status, Verdict: webhook.Failure, Reason: reason}
	}
	hold := func(what string) string { return answering(t, what, "never").url }
	for name, c := range map[string]struct {
		url  string
		want webhook.Answer
	}{
		"nobody": {"http://127.0.0.1:1", failed(0, "the connection was refused")},
		"thanks": {
			hold("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nthanks"),
			webhook.Answer{Status: 200, Verdict: webhook.Accepted, Excerpt: "thanks"},
		},
		"a body without end": {hold("HTTP/1.1 200 OK\r\n\r\nthanks"), webhook.Answer{Status: 200, Verdict: webhook.Accepted, Excerpt: "thanks"}},
		"a rejection": {
			hold("HTTP/1.1 422 No\r\nContent-Length: 20\r\n\r\n{\"message\":\"double\"}"),
			webhook.Answer{Status: 422, Verdict: webhook.Refused, Reason: "double", Excerpt: `{"message":"double"}`},
		},
		"too many": {
			hold("HTTP/1.1 429 Wait\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n"),
			webhook.Answer{Status: 429, Verdict: webhook.Failure, Reason: "answered 429", RetryAfter: 9 * time.Second},
		},
		"another place":         {hold("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"), failed(302, "answered 302")},
		"a mistake":             {hold("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"), failed(500, "answered 500")},
		"announcements":         {hold("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"), webhook.Answer{Status: 204, Verdict: webhook.Accepted}},
		"another protocol":      {hold("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"), failed(101, "answered 101")},
		"an announcement alone": {hold("HTTP/1.1 102 Processing\r\n\r\n"), failed(0, "no answer within 3s")},
		"something else":        {hold("220 mail.example ESMTP\r\n"), failed(0, "the answer was not HTTP")},
		"silence":               {hold(""), failed(0, "no answer within 3s")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New(local(t))
			defer s.Close()
			got := s.Send(t.Context(), webhook.Request{Site: 1, Hook: 1, Epoch: 1, URL: c.url, Body: []byte("{}")})
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreFields(webhook.Answer{}, "Duration")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhichConnectionsAreKept(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		kept   bool
	}{
		"a length":                   {answerOK, true},
		"no content":                 {"HTTP/1.1 204 No Content\r\n\r\n", true},
		"chunks":                     {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", true},
		"chunks and a trailer":       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n2\r\nok\r\n0\r\nT: v\r\n\r\n", true},
		"HTTP/1.0 that keeps":        {"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", true},
		"announcements":              {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + answerOK, true},
		"a redirect":                 {"HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", true},
		"close":                      {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", false},
		"HTTP/1.0":                   {"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", false},
		"another protocol":           {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", false},
		"a body longer than is read": {"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + strings.Repeat("x", 100_000), false},
	} {
		t.Run(name, func(t *testing.T) {
			receiver := answering(t, c.answer, answerOK)
			post := exchanging(t, unchanged)
			for range 2 {
				if _, err := post(t.Context(), to(receiver.url)); err != nil {
					t.Fatal(err)
				}
			}
			if kept := receiver.connections.Load() == 1; kept != c.kept {
				t.Errorf("two requests took %d connections", receiver.connections.Load())
			}
		})
	}
}

// A receiver that hangs up on a kept connection may have read the request, whatever
// its headers promise: it is not sent again.
func TestARequestThatMayHaveBeenReadIsNotSentAgain(t *testing.T) {
	for _, headers := range [][]webhook.Header{nil, {{Name: "Idempotency-Key", Value: "1"}}, {{Name: "X-Idempotency-Key", Value: "1"}}} {
		receiver := answering(t, answerOK, "")
		post := exchanging(t, unchanged)
		if _, err := post(t.Context(), to(receiver.url, headers...)); err != nil {
			t.Fatal(err)
		}
		_, err := post(t.Context(), to(receiver.url, headers...))
		if err == nil || stageOf(err) != ready {
			t.Errorf("the error is %v", err)
		}
		if requests, connections := receiver.requests.Load(), receiver.connections.Load(); requests != 2 || connections != 1 {
			t.Errorf("two requests arrived as %d over %d connections", requests, connections)
		}
	}
}

// unwritable fails to write its second request.
type unwritable struct {
	net.Conn
	writes *atomic.Int64
}

func (u unwritable) Write(p []byte) (int, error) {
	if u.writes.Add(1) == 2 {
		return 0, syscall.EPIPE
	}
	return u.Conn.Write(p)
}

func TestARequestOfWhichNothingWasSentIsSentOnAnotherConnection(t *testing.T) {
	receiver := answering(t, answerOK, answerOK)
	var writes atomic.Int64
	post := exchanging(t, func(transport *http.Transport) {
		dial := transport.DialContext
		transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			return unwritable{conn, &writes}, err
		}
	})
	for range 2 {
		if got, err := post(t.Context(), to(receiver.url)); err != nil || got.status != 200 {
			t.Fatalf("status %d, %v", got.status, err)
		}
	}
	if requests, connections := receiver.requests.Load(), receiver.connections.Load(); requests != 2 || connections != 2 {
		t.Errorf("two requests arrived as %d over %d connections", requests, connections)
	}
}

// A receiver may answer before it has read the request, and not read it at all.
func TestAnAnswerBeforeTheRequestIsRead(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		conn.Read(make([]byte, 1))
		io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlong")
		io.Copy(io.Discard, conn)
	}()
	got, err := exchanging(t, unchanged)(t.Context(), to("http://"+l.Addr().String()))
	if err != nil || got.status != 413 || string(got.body) != "long" {
		t.Errorf("status %d with %q, %v", got.status, got.body, err)
	}
}

func TestNothingIsSentWithHeadersThatAreNotValid(t *testing.T) {
	receiver := answering(t, answerOK)
	post := exchanging(t, unchanged)
	for _, h := range [][2]string{
		{"", "v"}, {"a b", "v"}, {"a:", "v"}, {"é", "v"}, {"a\r\nb", "v"}, {"a", "v\r\nb: c"}, {"a", "v\n"}, {"a", "\x00"},
		{"Host", "elsewhere"}, {"content-length", "1"}, {"Transfer-Encoding", "chunked"}, {"TRAILER", "a"},
	} {
		if _, err := post(t.Context(), to(receiver.url, webhook.Header{Name: h[0], Value: h[1]})); !errors.Is(err, errInvalid) {
			t.Errorf("%q: %v", h, err)
		}
	}
	if n := receiver.connections.Load(); n > 0 {
		t.Errorf("there were %d connections", n)
	}
}

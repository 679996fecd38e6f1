package sender

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/core/webhook"
)

// subject is whom the end of an attempt says something about. Breakers go by
// it; the verdict does not.
type subject uint8

const (
	// nobody: the attempt was stopped, or its target is not permitted.
	nobody subject = iota
	// alive: the receiver answered, and not with a 5xx.
	alive
	// receiver: the receiver could be reached, or refused to be, and did not
	// answer as it should.
	receiver
	// network: nobody could be reached, which can be the receiver's fault or
	// that of our own network.
	network
	// ourselves: it is our own fault for certain.
	ourselves
)

// result is how an attempt ended.
type result struct {
	answer webhook.Answer
	about  subject
	host   string
}

// attempt makes one request, and those for a token that it takes.
func (s *Sender) attempt(ctx context.Context, r webhook.Request) result {
	limited, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var ended result
	if r.OAuth2 == nil {
		ended = s.post(limited, r, "")
	} else {
		ended = s.postWithToken(limited, r)
	}
	// When a deadline of the caller has passed, the receiver failed: one that
	// never answers would be tried for ever otherwise. When the caller cancels,
	// nobody did.
	if ended.answer.Status == 0 && errors.Is(ctx.Err(), context.Canceled) {
		return result{answer: deferred("the attempt was stopped", 0), about: nobody}
	}
	return ended
}

// post sends the request, with a bearer token unless that is empty.
func (s *Sender) post(ctx context.Context, r webhook.Request, token string) result {
	header := make(http.Header, len(r.Headers)+2)
	for _, h := range r.Headers {
		if token == "" || !strings.EqualFold(h.Name, "Authorization") {
			// Not by Set, which would change how the names are spelt.
			header[h.Name] = []string{h.Value}
		}
	}
	if token != "" {
		header["Authorization"] = []string{"Bearer " + token}
	}
	if _, given := header["User-Agent"]; !given {
		header["User-Agent"] = []string{""} // rather than that of net/http
	}
	start := time.Now()
	response, failed := s.do(ctx, r.URL, header, r.Body)
	took := time.Since(start)
	if failed != nil {
		failed.answer.Duration = took
		return *failed
	}
	defer response.Body.Close()
	ended := judge(response, time.Now(), concealing(append(slices.Clone(r.Secrets), token)))
	ended.answer.Duration = took
	ended.host = response.Request.URL.Host
	return ended
}

// do makes a POST and reports its answer, or how it failed.
func (s *Sender) do(ctx context.Context, target string, header http.Header, body []byte) (*http.Response, *result) {
	// Again, because rules may have become stricter since it was subscribed; and
	// behind a proxy this is the only check.
	if s.allowance.CheckURL(target) != nil {
		return nil, &result{answer: failure(reasonNotPermitted), about: nobody}
	}
	var reached progress
	request, err := http.NewRequestWithContext(reached.watch(ctx), http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return nil, &result{answer: failure("the request could not be made"), about: nobody}
	}
	request.Header = header
	// The transport itself, not a client: it follows no redirect, keeps no
	// cookies and adds no headers.
	response, err := s.roundTrip(request)
	if err != nil {
		reason, about := s.explain(err, &reached)
		return nil, &result{answer: failure(reason), about: about, host: request.URL.Host}
	}
	return response, nil
}

func failure(reason string) webhook.Answer {
	return webhook.Answer{Verdict: webhook.Failure, Reason: reason}
}

// progress is how far a request got, to tell a receiver that does not answer
// from one that cannot be reached. The transport may still write to it when the
// request has ended.
type progress struct {
	connected, handshaking, ready atomic.Bool
}

func (p *progress) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		ConnectDone: func(_, _ string, err error) {
			if err == nil {
				p.connected.Store(true)
			}
		},
		TLSHandshakeStart: func() { p.handshaking.Store(true) },
		GotConn:           func(httptrace.GotConnInfo) { p.ready.Store(true) },
	})
}

// met reports whether anybody was reached.
func (p *progress) met() bool { return p.connected.Load() || p.ready.Load() }

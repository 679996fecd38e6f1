package sender

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// request is one POST.
type request struct {
	url string
	// headers are written exactly so, besides Host and Content-Length.
	headers []webhook.Header
	body    []byte
	// deadline ends the exchange: connecting, the answer and what is read of it.
	deadline time.Time
}

// response is the answer to a request.
type response struct {
	status int
	header http.Header
	// body is what arrived of it before the deadline, up to a limit.
	body []byte
}

// exchange makes a POST and reads its answer. Its error tells by an exchangeError
// how far it got.
type exchange func(context.Context, request) (response, error)

// stage is how far an exchange got.
type stage uint8

const (
	// unreached: nobody was connected to.
	unreached stage = iota
	// connected: there was a connection.
	connected
	// handshaking: TLS was being made on it.
	handshaking
	// ready: the request could be written.
	ready
)

// exchangeError says why there is no answer, and how far the exchange got.
type exchangeError struct {
	stage stage
	err   error
}

func (e *exchangeError) Error() string { return e.err.Error() }

// Unwrap returns the error as the network reported it.
func (e *exchangeError) Unwrap() error { return e.err }

// errInvalid is the error of a request that cannot be written, and was not.
var errInvalid = errors.New("a header of the request is not valid")

// over makes exchanges over a transport, which follows no redirect, keeps no cookies
// and adds no headers.
func over(transport http.RoundTripper) exchange {
	return func(ctx context.Context, r request) (answer response, err error) {
		ctx, cancel := context.WithDeadline(ctx, r.deadline)
		defer cancel()
		var reached progress
		post, err := r.post(reached.watch(ctx))
		if err != nil {
			return answer, err
		}
		received, err := transport.RoundTrip(post)
		if err != nil {
			return answer, &exchangeError{reached.stage(), err}
		}
		defer received.Body.Close()
		answer.status, answer.header = received.StatusCode, received.Header
		// After 101 there is a connection instead of a body, which no deadline ends.
		if received.ContentLength != 0 && received.StatusCode != http.StatusSwitchingProtocols {
			answer.body, _ = io.ReadAll(io.LimitReader(received.Body, maxBody))
		}
		return answer, nil
	}
}

// post makes the request of net/http.
func (r request) post(ctx context.Context) (*http.Request, error) {
	post, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	post.Header["User-Agent"] = []string{""} // rather than that of net/http
	for _, h := range r.headers {
		if !httpguts.ValidHeaderFieldName(h.Name) || !httpguts.ValidHeaderFieldValue(h.Value) || isFraming(h.Name) {
			return nil, errInvalid
		}
		post.Header[h.Name] = []string{h.Value} // not by Set, which would change how the names are spelt
	}
	// net/http sends a POST with one of these again, even if it may have been read;
	// without GetBody it cannot.
	if post.Header["Idempotency-Key"] != nil || post.Header["X-Idempotency-Key"] != nil {
		post.GetBody = nil
	}
	return post, nil
}

// isFraming reports whether a header says where a request goes or ends, which
// net/http writes itself. It leaves out those of a webhook only if they are spelt as
// it spells them.
func isFraming(name string) bool {
	return slices.ContainsFunc([]string{"Host", "Content-Length", "Transfer-Encoding", "Trailer"}, func(framing string) bool {
		return strings.EqualFold(name, framing)
	})
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

func (p *progress) stage() stage {
	switch {
	case p.ready.Load():
		return ready
	case p.handshaking.Load():
		return handshaking
	case p.connected.Load():
		return connected
	}
	return unreached
}

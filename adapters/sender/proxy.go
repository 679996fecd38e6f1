package sender

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"

	"github.com/vitrine-crm/vitrine/adapters/internal/http1"
)

// newTransport is the transport of net/http, which speaks to every kind of proxy. It
// also serves systems that http1 does not.
func newTransport(dial func(ctx context.Context, network, address string) (net.Conn, error), config *tls.Config, o Options) *http.Transport {
	transport := &http.Transport{
		DialContext:            dial,
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    o.Timeout,
		DisableCompression:     true, // a small answer must not become a large one
		MaxIdleConns:           idleInAll,
		MaxIdleConnsPerHost:    idlePerHost,
		IdleConnTimeout:        idle,
		MaxResponseHeaderBytes: maxHeader,
		Protocols:              new(http.Protocols),
	}
	transport.Protocols.SetHTTP1(true) // HTTP/2 would write every header in lower case
	if o.Proxy != nil {
		transport.Proxy = http.ProxyURL(o.Proxy)
		transport.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, r *http.Response) error {
			if r.StatusCode != http.StatusOK {
				return proxyRefusal(r.StatusCode)
			}
			return nil
		}
	}
	return transport
}

// proxyRefusal is the status of a proxy that did not connect us to a receiver.
type proxyRefusal int

func (p proxyRefusal) Error() string { return "the proxy answered " + strconv.Itoa(int(p)) }

// over makes exchanges over a transport, which follows no redirect, keeps no cookies
// and adds no headers.
func over(transport http.RoundTripper) exchange {
	return func(ctx context.Context, r http1.Request) (answer http1.Answer, err error) {
		ctx, cancel := context.WithDeadline(ctx, r.Deadline)
		defer cancel()
		var reached progress
		request, err := http.NewRequestWithContext(reached.watch(ctx), http.MethodPost, r.URL.String(), bytes.NewReader(r.Body))
		if err != nil {
			return answer, err
		}
		request.Header["User-Agent"] = []string{""} // rather than that of net/http
		for _, f := range r.Header {
			request.Header[f.Name] = []string{f.Value} // not by Set, which would change how the names are spelt
		}
		response, err := transport.RoundTrip(request)
		if err != nil {
			return answer, &http1.Error{Stage: reached.stage(), Err: err}
		}
		defer response.Body.Close()
		answer.Status, answer.Header = response.StatusCode, response.Header
		// After 101 there is a connection instead of a body, which no deadline ends.
		if response.ContentLength != 0 && response.StatusCode != http.StatusSwitchingProtocols {
			answer.Body, _ = io.ReadAll(io.LimitReader(response.Body, maxBody))
		}
		return answer, nil
	}
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

func (p *progress) stage() http1.Stage {
	switch {
	case p.ready.Load():
		return http1.Ready
	case p.handshaking.Load():
		return http1.Handshaking
	case p.connected.Load():
		return http1.Connected
	}
	return http1.Unreached
}

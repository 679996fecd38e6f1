// Package http1 makes POSTs with HTTP/1.1, over connections that it keeps.
//
// Whoever calls Post writes the request and reads the answer in its own goroutine,
// and a deadline of the connection ends what takes too long. net/http has two more
// goroutines for each connection, which have to be woken for each request.
//
// A request is written as a whole before its answer is read, so it has to fit into
// what a connection buffers, as events of a few kilobytes do.
package http1

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Field is a header of a request, written exactly so.
type Field struct{ Name, Value string }

// Request is one POST.
type Request struct {
	// URL is http or https. Its host is a name in ASCII or an address.
	URL *url.URL
	// Header are the headers beside Host and Content-Length.
	Header []Field
	Body   []byte
	// Deadline ends the exchange: connecting, the answer and what is read of it.
	Deadline time.Time
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	// Body is what arrived of it before the deadline, up to a limit.
	Body []byte
}

// Stage is how far an exchange got.
type Stage uint8

const (
	// Unreached: nobody was connected to.
	Unreached Stage = iota
	// Connected: there was a connection.
	Connected
	// Handshaking: TLS was being made on it.
	Handshaking
	// Ready: the request could be written.
	Ready
)

// Error is why there is no answer, and how far the exchange got.
type Error struct {
	Stage Stage
	Err   error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error as the network reported it.
func (e *Error) Unwrap() error { return e.Err }

// Client makes exchanges. Its fields do not change once it is used. It is safe for
// concurrent use.
type Client struct {
	// Dial connects to the host and port of a URL.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// TLS is for https, without a name of a server.
	TLS *tls.Config
	// MaxHeader bounds the headers of an answer in bytes, with those of answers that
	// only announce it; MaxBody is how much of its body is read.
	MaxHeader, MaxBody int64
	// Idle is how long a connection is kept for the next request, PerHost and InAll
	// how many are.
	Idle           time.Duration
	PerHost, InAll int

	pool pool
}

// Post makes one exchange. A request that may have been read is not sent again:
// after an error it has been sent once, or not at all. When ctx is cancelled the
// exchange is broken off.
func (c *Client) Post(ctx context.Context, r Request) (Answer, error) {
	if err := r.check(); err != nil {
		return Answer{}, &Error{Unreached, err}
	}
	to := peerOf(r.URL)
	for {
		kept := c.pool.take(to, c.Idle)
		if kept == nil {
			break
		}
		answer, sent, err := c.exchange(ctx, kept, r)
		if err == nil || sent || ctx.Err() != nil {
			return answer, err
		}
	}
	fresh, err := c.connect(ctx, to, r.Deadline)
	if err != nil {
		return Answer{}, &Error{Unreached, err}
	}
	answer, _, err := c.exchange(ctx, fresh, r)
	return answer, err
}

// Close closes the connections that are kept. Later ones are kept again.
func (c *Client) Close() { c.pool.empty() }

// peer is who connections lead to.
type peer struct {
	secure        bool
	name, address string
}

func peerOf(u *url.URL) peer {
	p := peer{secure: u.Scheme == "https", name: strings.ToLower(u.Hostname())}
	port := u.Port()
	switch {
	case port != "":
	case p.secure:
		port = "443"
	default:
		port = "80"
	}
	p.address = net.JoinHostPort(p.name, port)
	return p
}

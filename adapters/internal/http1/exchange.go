package http1

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"time"
)

// past is a deadline that breaks off whatever is under way.
var past = time.Unix(1, 0)

// conn is a connection to a peer. It is used by one exchange at a time.
type conn struct {
	net.Conn // with TLS, if the peer is secure
	to       peer
	// socket is the connection below TLS.
	socket net.Conn
	shaken bool // there is TLS on it, if there has to be
	limit  *bounded
	in     *bufio.Reader
	out    []byte
	// since is when it became idle.
	since time.Time
}

// connect makes a connection, still without TLS on it.
func (c *Client) connect(ctx context.Context, to peer, deadline time.Time) (*conn, error) {
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	socket, err := c.Dial(ctx, "tcp", to.address)
	if err != nil {
		return nil, err
	}
	k := &conn{Conn: socket, to: to, socket: socket, shaken: !to.secure}
	if to.secure {
		config := c.TLS.Clone()
		config.ServerName = to.name
		k.Conn = tls.Client(socket, config)
	}
	k.limit = &bounded{from: k.Conn}
	k.in = bufio.NewReader(k.limit)
	return k, nil
}

// exchange sends a request over a connection and reads the answer. Then it keeps
// the connection, or closes it. sent says that the peer may have read the request.
func (c *Client) exchange(ctx context.Context, k *conn, r Request) (answer Answer, sent bool, err error) {
	reusable := false
	if err := k.SetDeadline(r.Deadline); err != nil {
		return answer, false, errors.Join(&Error{Connected, err}, k.Close())
	}
	stop := context.AfterFunc(ctx, func() { _ = k.socket.SetDeadline(past) })
	defer func() {
		// When ctx was cancelled meanwhile, the deadline may be about to change.
		if stop() && reusable {
			c.pool.put(k, c)
		} else {
			_ = k.socket.Close() // without waiting to say goodbye
		}
	}()
	if err := k.shake(); err != nil {
		return answer, false, &Error{Handshaking, err}
	}
	k.out = appendRequest(k.out[:0], r)
	n, failed := k.Write(k.out)
	if failed != nil && n == 0 {
		return answer, false, &Error{Ready, failed}
	}
	answer, reusable, err = k.read(c.MaxHeader, c.MaxBody)
	// A peer that did not read all of the request may have answered nevertheless.
	if failed != nil {
		reusable = false
		if err != nil {
			err = failed
		}
	}
	if err != nil {
		return answer, true, &Error{Ready, err}
	}
	return answer, true, nil
}

// shake makes the TLS connection, if there has to be one.
func (k *conn) shake() error {
	if k.shaken {
		return nil
	}
	k.shaken = true
	return k.Conn.(*tls.Conn).Handshake()
}

// posted is what answers are read for.
var posted = &http.Request{Method: http.MethodPost}

// read reads an answer, and reports whether another one can follow.
func (k *conn) read(maxHeader, maxBody int64) (Answer, bool, error) {
	k.limit.left, k.limit.failed = maxHeader, nil
	for {
		r, err := http.ReadResponse(k.in, posted) //nolint:bodyclose // closing a body reads it to its end
		if err != nil {
			// Parsing tells of a line that is not whole, and not why.
			return Answer{}, false, cmp.Or(k.limit.failed, err)
		}
		// The others of this kind only announce an answer.
		if r.StatusCode/100 == 1 && r.StatusCode != http.StatusSwitchingProtocols {
			continue
		}
		k.limit.left = math.MaxInt64
		body, whole := readBody(r, maxBody)
		return Answer{r.StatusCode, r.Header, body}, whole && !r.Close && k.silent(), nil
	}
}

// readBody reads a body as far as it arrives, and reports whether that was all.
func readBody(r *http.Response, limit int64) (body []byte, whole bool) {
	switch {
	case r.StatusCode == http.StatusSwitchingProtocols:
		return nil, false // it has no end
	case r.ContentLength == 0:
		return nil, true
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, limit))
	return body, err == nil && int64(len(body)) < limit
}

// silent reports whether nothing is left of what was read from the socket. More
// than the answer that was asked for must not become the answer to another request.
func (k *conn) silent() bool {
	if k.in.Buffered() > 0 {
		return false
	}
	if k.Conn == k.socket {
		return true
	}
	// TLS may hold something back; with this deadline it asks nobody for more.
	if k.SetReadDeadline(past) != nil {
		return false
	}
	_, err := k.in.Peek(1)
	return errors.Is(err, os.ErrDeadlineExceeded)
}

var errTooLong = errors.New("the headers of the answer are too long")

// bounded reads up to a limit.
type bounded struct {
	from io.Reader
	left int64
	// failed is why nothing more can be read, other than that it was all.
	failed error
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.failed = errTooLong
		return 0, errTooLong
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed = err
	}
	return n, err
}

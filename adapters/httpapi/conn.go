package httpapi

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// stalledAfter is how long a client may take nothing of an answer that is being
// written. With the ticks at which that is looked at, it is gone within 30 seconds.
const stalledAfter = 25 * time.Second

// Guard watches the connections of a listener for what http.Server does not tell or
// do. It releases clients that read nothing of their answer, however long others
// may take to read theirs; and it sees requests whose body has two lengths. The
// server needs GuardContext for the latter.
func Guard(l net.Listener) net.Listener { return guard{l, stalledAfter} }

type guard struct {
	net.Listener
	stalledAfter time.Duration
}

// Accept implements net.Listener.
func (g guard) Accept() (net.Conn, error) {
	c, err := g.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, stalledAfter: g.stalledAfter, now: time.Now, queued: func() int { return unsent(c) }}, nil
}

// GuardContext returns the ConnContext of a server whose listener is guarded.
func GuardContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

type connKey struct{}

// conn is one guarded connection.
type conn struct {
	net.Conn
	stalledAfter time.Duration
	now          func() time.Time
	// queued is how many bytes the client has not taken yet, as far as the system
	// tells; it only matters whether they become fewer.
	queued func() int

	writing sync.Mutex
	// limit is until when the server wants to write; zero is no limit.
	limit time.Time

	reading sync.Mutex
	seen    framing
}

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.limit = t
	return c.Conn.SetWriteDeadline(t)
}

// tick lets the system write for a while, and not beyond the limit.
func (c *conn) tick() error {
	c.writing.Lock()
	defer c.writing.Unlock()
	until := c.now().Add(c.stalledAfter / 25)
	if !c.limit.IsZero() && c.limit.Before(until) {
		until = c.limit
	}
	return c.Conn.SetWriteDeadline(until)
}

// over reports whether the limit is reached.
func (c *conn) over() bool {
	c.writing.Lock()
	defer c.writing.Unlock()
	return !c.limit.IsZero() && !c.now().Before(c.limit)
}

// Write implements net.Conn. It fails when the client has taken nothing for too
// long. That the system takes no more bytes does not say so: it waits until it has
// room for many.
func (c *conn) Write(p []byte) (n int, err error) {
	progress, queued := c.now(), c.queued()
	for {
		if err := c.tick(); err != nil {
			return n, err
		}
		m, err := c.Conn.Write(p[n:])
		n += m
		if !errors.Is(err, os.ErrDeadlineExceeded) || c.over() {
			return n, err
		}
		left := c.queued()
		if m > 0 || left < queued {
			progress = c.now()
		}
		queued = left
		if c.now().Sub(progress) >= c.stalledAfter {
			c.drop()
			return n, err
		}
	}
}

// drop has the system forget what the client has not taken when the connection is
// closed, instead of offering it for minutes more.
func (c *conn) drop() {
	if linger, ok := c.Conn.(interface{ SetLinger(seconds int) error }); ok {
		_ = linger.SetLinger(0)
	}
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.reading.Lock()
	defer c.reading.Unlock()
	c.seen.scan(p[:n])
	return n, err
}

// framing counts the lines that came over a connection and begin with the name of a
// header that says how long a body is. Lines of bodies count, too: who is asked
// cannot tell them apart, and needs not.
type framing struct {
	lengths, encodings int
	// line is the beginning of the present line, while it may be such a name; rest:
	// it is not.
	line []byte
	rest bool
}

const (
	contentLength    = "Content-Length"
	transferEncoding = "Transfer-Encoding"
)

func (f *framing) scan(p []byte) {
	for len(p) > 0 {
		if f.rest {
			end := bytes.IndexByte(p, '\n')
			if end < 0 {
				return
			}
			p, f.rest = p[end+1:], false
			continue
		}
		c := p[0]
		p = p[1:]
		switch {
		case c == '\n':
			f.line = f.line[:0]
		case c == ':':
			if strings.EqualFold(string(f.line), contentLength) {
				f.lengths++
			}
			if strings.EqualFold(string(f.line), transferEncoding) {
				f.encodings++
			}
			f.line, f.rest = f.line[:0], true
		case len(f.line) == len(transferEncoding):
			f.line, f.rest = f.line[:0], true
		default:
			f.line = append(f.line, c)
		}
	}
}

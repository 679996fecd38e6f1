package http1

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	ok   = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	body = "an event"
)

// script is a peer that says something after each request on a connection, and
// hangs up after the last.
type script struct {
	address string
	// requests counts those that were read, connections those that were accepted;
	// gone has an element for each that was closed.
	requests, connections atomic.Int64
	gone                  chan struct{}
}

func play(t *testing.T, wrap func(net.Conn) net.Conn, says ...string) *script {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &script{address: l.Addr().String(), gone: make(chan struct{}, 1000)}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			socket, err := l.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			all.Go(func() {
				conn := wrap(socket)
				defer func() { conn.Close(); s.gone <- struct{}{} }()
				in := bufio.NewReader(conn)
				for _, text := range says {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					io.Copy(io.Discard, r.Body)
					s.requests.Add(1)
					if text == hold {
						io.Copy(io.Discard, conn)
					}
					io.WriteString(conn, text)
				}
				if says[len(says)-1] != "" {
					io.Copy(io.Discard, conn) // until the other side hangs up
				}
			})
		}
	})
	t.Cleanup(func() { l.Close(); all.Wait() })
	return s
}

// hold makes a peer read and say nothing; the empty text makes it hang up.
const hold = "hold"

func plain(c net.Conn) net.Conn { return c }

func client(t *testing.T) *Client {
	t.Helper()
	c := &Client{
		Dial: (&net.Dialer{}).DialContext, TLS: &tls.Config{}, MaxHeader: 8 << 10, MaxBody: 1 << 10, Idle: time.Minute, PerHost: 2, InAll: 3,
	}
	t.Cleanup(c.Close)
	return c
}

func to(t *testing.T, url string) Request {
	t.Helper()
	return Request{URL: parsed(t, url), Body: []byte(body), Deadline: time.Now().Add(10 * time.Second)}
}

var keyPair = sync.OnceValue(func() tls.Certificate {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	return s.TLS.Certificates[0]
})

func secured(t *testing.T) func(net.Conn) net.Conn {
	t.Helper()
	config := &tls.Config{Certificates: []tls.Certificate{keyPair()}}
	return func(c net.Conn) net.Conn {
		below := &gathering{Conn: c}
		return &halving{tls.Server(below, config), below}
	}
}

// halving writes everything as two records of TLS, which arrive together.
type halving struct {
	net.Conn
	below *gathering
}

func (h *halving) Write(p []byte) (int, error) {
	h.below.gathers = true
	half, err := h.Conn.Write(p[:len(p)/2])
	rest, failed := h.Conn.Write(p[half:])
	h.below.gathers = false
	_, flushed := h.below.Write(nil)
	return half + rest, errors.Join(err, failed, flushed)
}

// gathering keeps what is written to it back for a while.
type gathering struct {
	net.Conn
	gathers bool
	kept    []byte
}

func (g *gathering) Write(p []byte) (int, error) {
	if g.kept = append(g.kept, p...); g.gathers {
		return len(p), nil
	}
	kept := g.kept
	g.kept = nil
	_, err := g.Conn.Write(kept)
	return len(p), err
}

func trusting(t *testing.T) *tls.Config {
	t.Helper()
	roots := x509.NewCertPool()
	leaf, err := x509.ParseCertificate(keyPair().Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	roots.AddCert(leaf)
	return &tls.Config{RootCAs: roots}
}

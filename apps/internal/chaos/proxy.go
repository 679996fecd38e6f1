package main

import (
	"bytes"
	"io"
	"net"
	"sync/atomic"
)

// proxy stands between a server and PostgreSQL and loses what PostgreSQL says
// when it is told to: the moment after a commit, when it has happened and the
// server does not know it.
type proxy struct {
	listener net.Listener
	target   string
	armed    atomic.Bool
	lost     atomic.Int64
}

func newProxy(target string) (*proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: listener, target: target}
	go p.serve()
	return p, nil
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) close() error { return p.listener.Close() }

// loseOne makes it lose the next confirmation of a commit, with the connection.
func (p *proxy) loseOne() { p.armed.Store(true) }

func (p *proxy) serve() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", p.target)
		if err != nil {
			_ = from.Close()
			continue
		}
		go func() {
			_, _ = io.Copy(to, from)
			cut(to, from)
		}()
		go func() {
			p.answer(from, to)
			cut(to, from)
		}()
	}
}

func cut(ends ...net.Conn) {
	for _, c := range ends {
		_ = c.Close()
	}
}

// confirmation is the message in which PostgreSQL says that it committed.
var confirmation = []byte("C\x00\x00\x00\x0bCOMMIT\x00")

// answer passes on what PostgreSQL says.
func (p *proxy) answer(to io.Writer, from io.Reader) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if bytes.Contains(buffer[:n], confirmation) && p.armed.CompareAndSwap(true, false) {
			p.lost.Add(1)
			return
		}
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
	}
}

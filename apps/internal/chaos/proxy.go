package main

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// proxy stands between a server and PostgreSQL. It loses what PostgreSQL says when it is
// told to: the moment after a commit, or after a statement that commits by itself, when it has
// happened and the server does not know it.
// It can also swallow everything, as a network does that is cut in the middle, make
// answers late, and lead elsewhere.
type proxy struct {
	listener net.Listener
	target   atomic.Pointer[string]
	armed    atomic.Bool
	// lost counts the confirmations that were lost, lostStored those of statements that commit
	// by themselves.
	lost, lostStored atomic.Int64
	swallows         atomic.Bool
	delay            atomic.Int64

	mu   sync.Mutex
	open map[net.Conn]bool
}

func newProxy(target string) (*proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: listener, open: map[net.Conn]bool{}}
	p.target.Store(&target)
	go p.serve()
	return p, nil
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) close() error {
	err := p.listener.Close()
	p.cutAll()
	return err
}

// loseOne makes it lose the next confirmation of a commit, with the connection.
func (p *proxy) loseOne() { p.armed.Store(true) }

// turn leads to another target, and ends the connections to the one before.
func (p *proxy) turn(target string) {
	p.target.Store(&target)
	p.cutAll()
}

func (p *proxy) cutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
}

func (p *proxy) serve() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp", *p.target.Load())
		if err != nil {
			_ = from.Close()
			continue
		}
		p.opened(to, from)
		var stores atomic.Bool
		go func() {
			p.carry(to, from, func(said []byte) bool {
				if bytes.Contains(said, planned) {
					stores.Store(true)
				}
				return true
			})
			p.cut(to, from)
		}()
		go func() {
			p.carry(from, to, func(said []byte) bool { return p.answers(said, stores.Swap(false)) })
			p.cut(to, from)
		}()
	}
}

func (p *proxy) opened(ends ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range ends {
		p.open[c] = true
	}
}

func (p *proxy) cut(ends ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range ends {
		_ = c.Close()
		delete(p.open, c)
	}
}

// carry passes on what one side says, unless passes ends it.
func (p *proxy) carry(to io.Writer, from io.Reader, passes func([]byte) bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if !passes(buffer[:n]) {
			return
		}
		if !p.swallows.Load() {
			if _, failed := to.Write(buffer[:n]); failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// confirmation is the message in which PostgreSQL says that it committed.
var confirmation = []byte("C\x00\x00\x00\x0bCOMMIT\x00")

// planned is what a server says that has units of work stored by one statement: so many events
// are appended.
var planned = []byte(`,"events":`)

// answers lets what PostgreSQL says pass, perhaps late. It ends a connection whose
// confirmation is lost; stores reports that what is said may be that of a statement.
func (p *proxy) answers(said []byte, stores bool) bool {
	if (stores || bytes.Contains(said, confirmation)) && p.armed.CompareAndSwap(true, false) {
		p.lost.Add(1)
		if stores {
			p.lostStored.Add(1)
		}
		return false
	}
	time.Sleep(time.Duration(p.delay.Load()))
	return true
}

package main

import (
	"net"
	"sync/atomic"

	"golang.org/x/net/dns/dnsmessage"
)

// names is a resolver on the loopback interface. Every name stands for this
// machine, as long as it is up.
type names struct {
	conn net.PacketConn
	down atomic.Bool
}

func newNames() (*names, error) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	n := &names{conn: conn}
	go n.serve()
	return n, nil
}

func (n *names) address() string { return n.conn.LocalAddr().String() }

func (n *names) close() error { return n.conn.Close() }

func (n *names) serve() {
	buffer := make([]byte, 1500)
	for {
		size, from, err := n.conn.ReadFrom(buffer)
		if err != nil {
			return
		}
		if reply, err := n.reply(buffer[:size]); err == nil {
			_, _ = n.conn.WriteTo(reply, from)
		}
	}
}

// reply answers a query: with our address, or that the resolver cannot tell.
func (n *names) reply(query []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	if n.down.Load() {
		m.RCode = dnsmessage.RCodeServerFailure
		return m.Pack()
	}
	for _, q := range m.Questions {
		if q.Type == dnsmessage.TypeA {
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 1},
				Body:   &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
			})
		}
	}
	return m.Pack()
}

package http1

import (
	"container/list"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/internal/socket"
)

// Supported reports whether connections can be kept.
const Supported = socket.Supported

// pool keeps connections for the next request. Those that nobody asks for are
// closed when their time is over.
type pool struct {
	mu sync.Mutex
	// idle are the connections to each peer, the longest idle first; all are all of
	// them in the same order.
	idle map[peer][]*list.Element
	all  list.List
	// sweep runs when the time of the first of all is over.
	sweep *time.Timer
}

// take takes a connection that can be used, the latest first; nil when there is none.
func (p *pool) take(to peer, idle time.Duration) *conn {
	for {
		k := p.latest(to)
		if k == nil {
			return nil
		}
		if time.Since(k.since) < idle && socket.Quiet(k.socket) {
			return k
		}
		_ = k.socket.Close()
	}
}

func (p *pool) latest(to peer) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := p.idle[to]
	if len(kept) == 0 {
		return nil
	}
	return p.remove(kept[len(kept)-1])
}

// remove takes a connection out.
func (p *pool) remove(e *list.Element) *conn {
	k := p.all.Remove(e).(*conn)
	left := slices.DeleteFunc(p.idle[k.to], func(one *list.Element) bool { return one == e })
	if len(left) == 0 {
		delete(p.idle, k.to)
	} else {
		p.idle[k.to] = left
	}
	return k
}

// put keeps a connection, in the place of the longest idle one if there are enough.
func (p *pool) put(k *conn, c *Client) {
	k.since = time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle == nil {
		p.idle = map[peer][]*list.Element{}
	}
	if kept := p.idle[k.to]; len(kept) >= c.PerHost {
		_ = p.remove(kept[0]).socket.Close()
	} else if p.all.Len() >= c.InAll {
		_ = p.remove(p.all.Front()).socket.Close()
	}
	p.idle[k.to] = append(p.idle[k.to], p.all.PushBack(k))
	if p.sweep == nil {
		p.sweep = time.AfterFunc(c.Idle, func() { p.close(c.Idle) })
	}
}

// close closes what has been idle for too long, and comes back for the rest.
func (p *pool) close(idle time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sweep = nil
	for first := p.all.Front(); first != nil; first = p.all.Front() {
		if left := idle - time.Since(first.Value.(*conn).since); left > 0 {
			p.sweep = time.AfterFunc(left, func() { p.close(idle) })
			return
		}
		_ = p.remove(first).socket.Close()
	}
}

// empty closes everything.
func (p *pool) empty() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sweep != nil {
		p.sweep.Stop()
		p.sweep = nil
	}
	for first := p.all.Front(); first != nil; first = p.all.Front() {
		_ = p.remove(first).socket.Close()
	}
}

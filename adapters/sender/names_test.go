package sender_test

import (
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sender"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// names is a name server for tests. A name it does not know does not exist.
type names struct {
	address string

	mu     sync.Mutex
	known  map[string][]netip.Addr
	broken byte // 0, or the code that every query is answered with
	silent bool
}

func nameServer(t *testing.T) *names {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &names{address: conn.LocalAddr().String(), known: map[string][]netip.Addr{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		query := make([]byte, 1500)
		for {
			length, from, err := conn.ReadFrom(query)
			if err != nil {
				return
			}
			if reply := n.reply(query[:length]); reply != nil {
				conn.WriteTo(reply, from)
			}
		}
	}()
	t.Cleanup(func() { conn.Close(); <-done })
	return n
}

// point lets a name stand for addresses from now on.
func (n *names) point(name string, addresses ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var parsed []netip.Addr
	for _, one := range addresses {
		parsed = append(parsed, netip.MustParseAddr(one))
	}
	n.known[name] = parsed
}

func (n *names) fail(code byte, silent bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.broken, n.silent = code, silent
}

func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", n.address)
	}}
}

// reply answers one question of RFC 1035.
func (n *names) reply(query []byte) []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.silent || len(query) < 12 {
		return nil
	}
	at := 12
	var labels []string
	for query[at] != 0 {
		labels = append(labels, string(query[at+1:at+1+int(query[at])]))
		at += 1 + int(query[at])
	}
	end := at + 5
	kind := binary.BigEndian.Uint16(query[at+1:])
	addresses, exists := n.known[strings.ToLower(strings.Join(labels, "."))]

	reply := append([]byte{}, query[:end]...)
	reply[2], reply[3] = 0x81, 0x80
	copy(reply[4:12], []byte{0, 1, 0, 0, 0, 0, 0, 0})
	switch {
	case n.broken != 0:
		reply[3] |= n.broken
		return reply
	case !exists:
		reply[3] |= 3
		return reply
	}
	for _, address := range addresses {
		raw := address.AsSlice()
		if address.Is4() != (kind == 1) {
			continue
		}
		reply[7]++
		reply = append(reply, 0xc0, 12)
		reply = binary.BigEndian.AppendUint16(reply, kind)
		reply = append(reply, 0, 1, 0, 0, 0, 0)
		reply = binary.BigEndian.AppendUint16(reply, uint16(len(raw)))
		reply = append(reply, raw...)
	}
	return reply
}

// A name may stand for a permitted address while it is subscribed and for
// another one later. Not a single connection may be opened to that.
func TestH8_ANameThatTurnsIsNotFollowed(t *testing.T) {
	receiver, served := listener(t, "127.0.0.2:0", func(c net.Conn) {
		readHead(c)
		c.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
	})
	_, port, _ := net.SplitHostPort(receiver)
	_, canary := listener(t, "127.0.0.1:"+port, func(net.Conn) {})
	_, canary6 := listener(t, "[::1]:"+port, func(net.Conn) {})

	dns := nameServer(t)
	s := started(t, sender.Options{Allowance: allow(t, "127.0.0.2/32:*"), Resolver: dns.resolver(), BreakerTimeout: -1})
	target := request("http://portal.test:" + port + "/hook")

	dns.point("portal.test", "127.0.0.2")
	if got := s.Send(t.Context(), target); got.Verdict != webhook.Accepted || served.Load() != 1 {
		t.Fatalf("at first it is %s for %q", got.Verdict, got.Reason)
	}
	for _, addresses := range [][]string{
		{"127.0.0.1"}, {"::1"}, {"::ffff:127.0.0.1"}, {"0.0.0.0"}, {"::"}, {"::1", "127.0.0.1"}, {"169.254.169.254"}, {"10.0.0.1", "fd00::1"},
	} {
		dns.point("portal.test", addresses...)
		got := s.Send(t.Context(), target)
		if got.Verdict != webhook.Failure || got.Reason != "the address is not permitted" {
			t.Errorf("at %v it is %s for %q", addresses, got.Verdict, got.Reason)
		}
	}
	// Among several addresses only the permitted one is tried.
	dns.point("portal.test", "127.0.0.1", "127.0.0.2")
	if got := s.Send(t.Context(), target); got.Verdict != webhook.Accepted {
		t.Errorf("with one permitted address it is %s for %q", got.Verdict, got.Reason)
	}
	if n := canary.Load() + canary6.Load(); n > 0 {
		t.Errorf("%d connections reached what is not permitted", n)
	}
}

func TestNamesThatCannotBeResolved(t *testing.T) {
	dns := nameServer(t)
	s := started(t, sender.Options{Allowance: allow(t, "127.0.0.0/8:*"), Resolver: dns.resolver(), Timeout: time.Second, BreakerTimeout: 400 * time.Millisecond})
	if got := s.Send(t.Context(), request("http://nowhere.test:9000/")); got.Reason != "the name could not be resolved" {
		t.Errorf("a name that does not exist: %s for %q", got.Verdict, got.Reason)
	}
	dns.fail(2, false)
	if got := s.Send(t.Context(), request("http://portal.test:9000/")); got.Reason != "the name could not be resolved" {
		t.Errorf("a server that fails: %s for %q", got.Verdict, got.Reason)
	}
	dns.fail(0, true)
	start := time.Now()
	got := s.Send(t.Context(), request("http://portal.test:9000/"))
	if took := time.Since(start); got.Verdict != webhook.Failure || took > 5*time.Second {
		t.Errorf("a server that is silent: %s for %q after %s", got.Verdict, got.Reason, took)
	}
}

// With names that cannot be looked up nobody is charged, and everything is sent
// once they can be again.
func TestD12_ADeadResolverSuspendsNobody(t *testing.T) {
	receiver, _ := listener(t, "127.0.0.1:0", func(c net.Conn) {
		readHead(c)
		c.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
	})
	_, port, _ := net.SplitHostPort(receiver)
	dns := nameServer(t)
	const open = 200 * time.Millisecond
	s := started(t, sender.Options{
		Allowance: allow(t, "127.0.0.0/8:*"), Resolver: dns.resolver(), Timeout: 2 * time.Second, BreakerTimeout: open,
	})
	var all []webhook.Request
	for i := range 12 {
		name := string(rune('a'+i)) + ".test"
		dns.point(name, "127.0.0.1")
		r := request("http://" + name + ":" + port)
		r.Site, r.Hook = site.ID(i%3+1), webhook.ID(i+1)
		all = append(all, r)
	}
	count := func() (verdicts [webhook.Verdicts]int) {
		for _, r := range all {
			verdicts[s.Send(t.Context(), r).Verdict]++
		}
		return verdicts
	}
	dns.fail(2, false)
	if got := count(); got[webhook.Failure] != 4 || got[webhook.Deferred] != 8 {
		t.Errorf("while the network goes down, verdicts are %v", got)
	}
	for range 3 {
		time.Sleep(open + 20*time.Millisecond)
		if got := count(); got[webhook.Deferred] != len(all) {
			t.Errorf("while the network is down, verdicts are %v", got)
		}
	}
	dns.fail(0, false)
	time.Sleep(open + 20*time.Millisecond)
	if got := count(); got[webhook.Accepted] != len(all) {
		t.Errorf("when the network is back, verdicts are %v", got)
	}
}

func TestTheEnvironmentsProxyIsIgnored(t *testing.T) {
	proxy, used := listener(t, "127.0.0.1:0", func(net.Conn) {})
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://"+proxy)
	}
	receiver := server(t, func(http.ResponseWriter, *http.Request) {})
	dns := nameServer(t)
	dns.point("portal.test", "127.0.0.1")
	s := started(t, sender.Options{Allowance: allow(t, "127.0.0.0/8:*"), Resolver: dns.resolver()})
	address := strings.Replace(receiver.URL, "127.0.0.1", "portal.test", 1) // proxies are never used for loopback addresses
	if got := s.Send(t.Context(), request(address)); got.Verdict != webhook.Accepted || used.Load() > 0 {
		t.Errorf("it is %s for %q, and the proxy was used %d times", got.Verdict, got.Reason, used.Load())
	}
}

func TestAProxyIsUsedWhenConfigured(t *testing.T) {
	var asked atomic.Value
	proxy := server(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Method + " " + r.RequestURI)
		if r.Method == http.MethodConnect {
			w.WriteHeader(http.StatusForbidden)
		}
	})
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := started(t, sender.Options{Proxy: address, Allowance: allow(t, "127.0.0.0/8:8000")})
	if got := s.Send(t.Context(), request("http://portal.test:8000/hook")); got.Verdict != webhook.Accepted {
		t.Errorf("it is %s for %q", got.Verdict, got.Reason)
	}
	if got := asked.Load(); got != "POST http://portal.test:8000/hook" {
		t.Errorf("the proxy was asked for %v", got)
	}
	if got := s.Send(t.Context(), request("https://portal.test/")); got.Verdict != webhook.Failure || got.Reason != "the proxy answered 403" {
		t.Errorf("it is %s for %q", got.Verdict, got.Reason)
	}
	if got := asked.Load(); got != "CONNECT portal.test:443" {
		t.Errorf("the proxy was asked for %v", got)
	}
	// What is not permitted is not permitted through a proxy either.
	if got := s.Send(t.Context(), request("https://10.0.0.1/")); got.Reason != "the address is not permitted" {
		t.Errorf("it is %s for %q", got.Verdict, got.Reason)
	}
	// A proxy that is down is our own fault.
	proxy.Close()
	s.Close()
	for _, target := range []string{"http://portal.test:8000/hook", "https://portal.test/"} {
		if got := s.Send(t.Context(), request(target)); got.Verdict != webhook.Deferred || got.RetryAfter <= 0 {
			t.Errorf("without the proxy it is %s for %q", got.Verdict, got.Reason)
		}
	}
}

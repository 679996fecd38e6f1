package e2e_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sender"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// hostile are URLs nobody may subscribe, a few of each sort; core/domain/webhook has
// many more.
var hostile = []string{
	"", "/hook", "portal.example/hook", "https://", "https:///hook", "http://portal.example/", "ftp://portal.example/", "file:///etc/passwd",
	"javascript:alert(1)", "https://user@portal.example/", "https://portal.example@127.0.0.1/", "https://portal.example/#top",
	"https://portal.example\\@127.0.0.1/", "https://portal.example/\r\nHost: a", "https://portal.example:22/", "https://portal.example:8443/",
	"https://localhost/", "https://LOCALHOST./", "https://api.localhost/", "https://intranet/", "https://printer.local/",
	"https://metadata.google.internal/", "https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/",
	"https://0177.0.0.1/", "https://0.0.0.0/", "https://10.0.0.1/", "https://172.16.0.1/", "https://192.168.1.1/", "https://100.64.0.1/",
	"https://169.254.169.254/latest/meta-data/", "https://192.0.2.1/", "https://198.18.0.1/", "https://224.0.0.1/", "https://255.255.255.255/",
	"https://１２７.０.０.１/", "https://127。0。0。1/", "https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/",
	"https://[::ffff:169.254.169.254]/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://[fc00::1]/", "https://[fe80::1]/",
	"https://[fe80::1%25eth0]/", "https://[fd00:ec2::254]/", "https://[ff02::1]/",
}

func TestW10_HostileURLsCannotBeSubscribed(t *testing.T) {
	t.Parallel()
	c := ownWorld(t).network(t)
	h := c.subscribe("https://portal.example/", nil)
	auth := c.post("/hooks/auths", object{
		"type": "oauth2_client_credentials", "token_url": "https://portal.example/token", "client_id": "c", "client_secret": "s",
	}).is(201).id("data.id")
	for _, url := range hostile {
		c.post("/hooks", object{"url": url, "origines": list{"PRODUCT_UPDATE"}}).refused(422, "invalid_url", "url")
		h.update(object{"url": url}).refused(422, "invalid_url", "url")
		if url != "" { // then it is missing
			c.send("PUT", fmt.Sprint("/hooks/auths/", auth), object{"token_url": url}).refused(422, "invalid_url", "token_url")
		}
	}
	h.get(h.path("")).is(200).equals("data.url", "https://portal.example/")
	if len(c.get("/hooks").is(200).ids()) != 1 {
		t.Error("a hostile URL was subscribed")
	}
}

// nameServer answers every query for an address with the one of the moment.
func nameServer(t *testing.T) (point func(netip.Addr), resolver *net.Resolver) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	var now atomic.Value
	go func() {
		query := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(query)
			if err != nil {
				return
			}
			// The header and the question end four bytes after the name.
			end := 12
			for end < n && query[end] != 0 {
				end += 1 + int(query[end])
			}
			question := query[12 : end+5]
			address, _ := now.Load().(netip.Addr)
			answers := byte(0)
			if binary.BigEndian.Uint16(question[len(question)-4:]) == 1 { // an IPv4 address is asked for
				answers = 1
			}
			reply := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, answers, 0, 0, 0, 0}, question...)
			if answers == 1 {
				reply = append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
				reply = append(reply, address.AsSlice()...)
			}
			_, _ = conn.WriteTo(reply, from)
		}
	}()
	return func(a netip.Addr) { now.Store(a) }, &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// A name that stood for a permitted address when it was subscribed, and for this
// machine later, gets nobody there.
func TestH8_ANameThatTurnsGetsNoConnection(t *testing.T) {
	t.Parallel()
	permitted := recordingAt(t, "127.0.0.2:0")
	_, port, _ := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(permitted.url, "http://"), "/hook"))
	canary := recordingAt(t, "127.0.0.1:"+port)
	point, resolver := nameServer(t)

	c := config.Hooks{RetryDelays: waits, Lease: 10 * time.Second, Allow: "127.0.0.2/32:*", AllowHTTP: true}
	w := ownWorld(t, configured(func(server *config.Server) { server.Hooks.Allow, server.Hooks.AllowHTTP = c.Allow, c.AllowHTTP }))
	allowance, err := c.Allowance()
	if err != nil {
		t.Fatal(err)
	}
	send := sender.New(sender.Options{Allowance: allowance, Resolver: resolver, BreakerTimeout: -1})
	t.Cleanup(send.Close)
	o := c.Delivery()
	ticker := time.NewTicker(10 * time.Millisecond)
	t.Cleanup(ticker.Stop)
	o.Tick = ticker.C
	ctx, stop := context.WithCancel(t.Context())
	var dispatching sync.WaitGroup
	dispatching.Go(func() { _ = w.Deliver.Run(ctx, send, o) })
	t.Cleanup(func() { stop(); dispatching.Wait() })

	point(netip.MustParseAddr("127.0.0.2"))
	network := w.network(t)
	product := network.create(nil)
	h := network.subscribe("http://portal.test:"+port+"/hook", nil)
	network.reprice(product)
	permitted.waitFor(1)
	h.came("succeeded")
	point(netip.MustParseAddr("127.0.0.1"))
	network.reprice(product)
	h.becomes("suspended")
	h.get(h.path("")).is(200).equals("data.suspended_reason", "the address is not permitted")
	if n := canary.connections.Load(); n > 0 {
		t.Errorf("%d connections were opened", n)
	}
	permitted.waitFor(1)
}

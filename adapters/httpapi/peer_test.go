package httpapi

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestPeerBehindTrustedProxies(t *testing.T) {
	peer := PeerBehind([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	for name, c := range map[string]struct {
		remote, forwarded, want string
	}{
		"no proxy":                    {"192.0.2.1:4711", "", "192.0.2.1"},
		"a header nobody vouches for": {"192.0.2.1:4711", "198.51.100.7", "192.0.2.1"},
		"one proxy":                   {"10.0.0.1:4711", "198.51.100.7", "198.51.100.7"},
		"two proxies":                 {"10.0.0.1:4711", "198.51.100.7, 10.0.0.2", "198.51.100.7"},
		"a forged beginning":          {"10.0.0.1:4711", "203.0.113.9, 198.51.100.7", "198.51.100.7"},
		"a proxy on its own behalf":   {"10.0.0.1:4711", "", "10.0.0.1"},
		"an IPv6 address":             {"10.0.0.1:4711", "2001:db8::1234", "2001:db8::1234"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{}}
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := peer(r); got != c.want {
			t.Errorf("%s: the peer is %s, want %s", name, got, c.want)
		}
	}
}

func TestThePeersAddress(t *testing.T) {
	for peer, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "fe80::1%eth0": "fe80::1", "a name": "invalid IP", "": "invalid IP",
	} {
		if got := address(peer).String(); got != want {
			t.Errorf("the address of %q is %s, want %s", peer, got, want)
		}
	}
}

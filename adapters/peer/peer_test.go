package peer_test

import (
	"net/http"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/peer"
)

func TestPeersBehindTrustedProxies(t *testing.T) {
	proxies, err := peer.Networks([]string{"10.0.0.0/8", "::1"})
	if err != nil {
		t.Fatal(err)
	}
	of := peer.Behind(proxies)
	for name, c := range map[string]struct {
		remote, forwarded, want string
	}{
		"no proxy":                    {"192.0.2.1:4711", "", "192.0.2.1"},
		"a header nobody vouches for": {"192.0.2.1:4711", "198.51.100.7", "192.0.2.1"},
		"one proxy":                   {"10.0.0.1:4711", "198.51.100.7", "198.51.100.7"},
		"two proxies":                 {"10.0.0.1:4711", "198.51.100.7, 10.0.0.2", "198.51.100.7"},
		"a forged beginning":          {"10.0.0.1:4711", "203.0.113.9, 198.51.100.7", "198.51.100.7"},
		"a proxy on its own behalf":   {"10.0.0.1:4711", "", "10.0.0.1"},
		"a proxy by its address":      {"[::1]:4711", "198.51.100.7", "198.51.100.7"},
		"an IPv6 address":             {"10.0.0.1:4711", "2001:db8::1234", "2001:db8::1234"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{}}
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := of(r); got != c.want {
			t.Errorf("%s: the peer is %s, want %s", name, got, c.want)
		}
	}
}

func TestWhatIsNoNetworkIsAnError(t *testing.T) {
	if _, err := peer.Networks([]string{"10.0.0.0/8", "proxy"}); err == nil {
		t.Error("a name is taken")
	}
}

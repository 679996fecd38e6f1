// Package peer tells who sends a request over HTTP, also to what stands behind proxies.
package peer

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Networks reads addresses and ranges such as 10.0.0.0/8.
func Networks(texts []string) ([]netip.Prefix, error) {
	var networks []netip.Prefix
	for _, text := range texts {
		if address, err := netip.ParseAddr(text); err == nil {
			networks = append(networks, netip.PrefixFrom(address, address.BitLen()))
			continue
		}
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a range such as 10.0.0.0/8", text)
		}
		networks = append(networks, network.Masked())
	}
	return networks, nil
}

// Behind knows peers by what the given proxies say of them: the last address
// of X-Forwarded-For that is not itself such a proxy. A header from anybody
// else is not trusted.
func Behind(proxies []netip.Prefix) func(*http.Request) string {
	trusted := func(host string) bool {
		address, err := netip.ParseAddr(host)
		return err == nil && slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(address.Unmap()) })
	}
	return func(r *http.Request) string {
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			return r.RemoteAddr
		}
		if !trusted(host) {
			return host
		}
		hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		for _, hop := range slices.Backward(hops) {
			if hop = strings.TrimSpace(hop); hop != "" && !trusted(hop) {
				return hop
			}
		}
		return host
	}
}

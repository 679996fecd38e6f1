package webhook

import (
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// Allowance is what an operator lets webhooks reach beyond the public web.
type Allowance struct {
	// HTTP allows targets without TLS.
	HTTP bool
	// Networks are addresses and ports that are otherwise refused.
	Networks []Network
}

// Network is a range of addresses with one port, or every port.
type Network struct {
	Prefix netip.Prefix
	Port   uint16 // 0 is every port
}

// ParseNetworks reads ranges such as 10.1.0.0/16:443 and 127.0.0.0/8:*,
// separated by commas. Without a port the range allows port 443.
func ParseNetworks(text string) ([]Network, error) {
	var networks []Network
	for _, item := range strings.Split(text, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		address, bits, ok := strings.Cut(item, "/")
		length, port, hasPort := strings.Cut(bits, ":")
		prefix, err := netip.ParsePrefix(strings.Trim(address, "[]") + "/" + length)
		if !ok || err != nil {
			return nil, fmt.Errorf("%q is not a range such as 10.1.0.0/16:443", item)
		}
		if prefix.Addr().Is4In6() {
			return nil, fmt.Errorf("%q: write the range as one of IPv4 addresses", item)
		}
		network := Network{Prefix: prefix.Masked(), Port: 443}
		if hasPort && port == "*" {
			network.Port = 0
		} else if hasPort {
			n, err := strconv.ParseUint(port, 10, 16)
			if err != nil || n == 0 {
				return nil, fmt.Errorf("%q: the port is 1 to 65535, or *", item)
			}
			network.Port = uint16(n)
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// reserved are the addresses that no public service has. The standard library's
// predicates miss many of them, and some embed an address of another kind. Of
// IPv6 only 2000::/3 has been given out; the first three ranges are all the
// rest.
var reserved = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// Permits reports whether webhooks may connect to an address. It is asked about
// the resolved address at the moment of connecting, because a name may resolve
// to another address each time.
func (a Allowance) Permits(target netip.AddrPort) bool {
	address := target.Addr().Unmap().WithZone("")
	for _, n := range a.Networks {
		if n.Prefix.Contains(address) && (n.Port == 0 || n.Port == target.Port()) {
			return true
		}
	}
	return a.publicPort(target.Port()) && address.IsValid() &&
		!slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(address) })
}

// publicPort reports whether public addresses are reached on a port: that of
// https, and that of http where http is allowed.
func (a Allowance) publicPort(port uint16) bool { return port == 443 || a.HTTP && port == 80 }

// publicPorts names the public ports in errors.
func (a Allowance) publicPorts() fault.Text {
	if a.HTTP {
		return fault.Textf("443 or 80")
	}
	return fault.Verbatim("443")
}

// MaxURL is how many characters the URL of a webhook may have.
const MaxURL = 2048

// CheckURL says why a URL cannot be subscribed, judging by its text alone:
// names are resolved when connecting. It is nil for one that can.
func (a Allowance) CheckURL(text string) error {
	if len(text) > MaxURL {
		return fault.Textf("a url has at most %d characters", MaxURL)
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return fault.Textf("the url is not absolute")
	}
	switch {
	case a.HTTP && u.Scheme != "https" && u.Scheme != "http":
		return fault.Textf("the url must begin with https:// or http://")
	case !a.HTTP && u.Scheme != "https":
		return fault.Textf("the url must begin with https://")
	case u.User != nil:
		return fault.Textf("the url cannot carry a user name or password; use headers or auth_id")
	case u.Fragment != "" || strings.Contains(text, "#"):
		return fault.Textf("the url cannot have a fragment")
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }):
		return fault.Textf("the url contains a space, backslash or control character")
	}
	return a.checkHost(u)
}

// Shown returns a URL as records and errors show it: without user, query and fragment,
// which may be secret. Of a text that is none nothing is shown.
func Shown(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" {
		return ""
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	return u.String()
}

func (a Allowance) checkHost(u *url.URL) error {
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return fault.Textf("the port of the url is not 1 to 65535")
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if address, err := netip.ParseAddr(host); err == nil {
		if address.Zone() != "" || !a.Permits(netip.AddrPortFrom(address, uint16(number))) {
			return fault.Textf("the url does not lead to a public address on port %s", a.publicPorts())
		}
		return nil
	}
	switch {
	case !isName(host), looksNumeric(host):
		return fault.Textf("the host of the url is neither a name nor an address in its usual form; write names with accents as xn--")
	case a.allowsPort(uint16(number)):
		return nil
	case !a.publicPort(uint16(number)):
		return fault.Textf("the port of the url must be %s", a.publicPorts())
	case host == "localhost", !strings.Contains(host, "."), hasSuffix(host, ".localhost", ".localdomain", ".local", ".internal", ".home.arpa", ".onion"):
		return fault.Textf("the host of the url is not a public name")
	}
	return nil
}

// allowsPort reports whether some allowed network has the port. Which address a
// name stands for is found out when connecting.
func (a Allowance) allowsPort(port uint16) bool {
	return slices.ContainsFunc(a.Networks, func(n Network) bool { return n.Port == port || n.Port == 0 })
}

// isName reports whether a host is written as names are in the DNS. Other
// alphabets are refused because HTTP clients turn some of their digits and dots
// into plain ones, and so a name into an address.
func isName(host string) bool {
	if len(host) > 253 {
		return false
	}
	for _, label := range strings.Split(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

// looksNumeric recognises addresses in forms that browsers and resolvers read,
// and people do not: 2130706433, 0x7f.1, 017700000001.
func looksNumeric(host string) bool {
	last := host[strings.LastIndex(host, ".")+1:]
	return strings.HasPrefix(last, "0x") || strings.Trim(last, "0123456789") == ""
}

func hasSuffix(host string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(host, s) })
}

// Limits of custom headers.
const (
	MaxHeaders     = 20
	maxHeaderBytes = 4096
)

// ours are the headers a delivery sets itself.
var ours = []string{
	"host", "content-length", "content-type", "content-encoding", "transfer-encoding", "connection", "keep-alive", "upgrade",
	"te", "trailer", "expect", "user-agent", "x-request-id", "x-event-type", "x-delivery-attempt",
}

// CheckHeaders returns what is wrong with custom headers, naming the header at
// fault; "" for all of them together.
func CheckHeaders(headers map[string]string) (name string, err error) {
	if len(headers) > MaxHeaders {
		return "", fault.Textf("there can be at most %d headers", MaxHeaders)
	}
	total := 0
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		lower := strings.ToLower(name)
		switch {
		case !isToken(name):
			return name, fault.Textf("a header name consists of letters, digits and !#$%%&'*+-.^_`|~")
		case seen[lower]:
			return name, fault.Textf("the header is given twice")
		case slices.Contains(ours, lower), strings.HasPrefix(lower, "webhook-"), strings.HasPrefix(lower, "proxy-"):
			return name, fault.Textf("deliveries set this header themselves")
		case strings.ContainsFunc(headers[name], func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			return name, fault.Textf("a header value has no line breaks or control characters")
		}
		seen[lower] = true
		total += len(name) + len(headers[name])
	}
	if total > maxHeaderBytes {
		return "", fault.Textf("headers have at most %d bytes in all", maxHeaderBytes)
	}
	return "", nil
}

func isToken(name string) bool {
	return name != "" && strings.Trim(name, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

package webhook_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// hostile are URLs nobody may subscribe by default.
var hostile = []string{
	// not an absolute https URL
	"", "/hook", "//portal.example/hook", "portal.example/hook", "https:", "https://", "https:///hook", "https:portal.example",
	"http://portal.example/hook", "ftp://portal.example/hook", "file:///etc/passwd", "gopher://portal.example/", "javascript:alert(1)",
	"https+unix://portal.example/", "https://:443/", "https://?x", "https://./", "https://portal..example/", "https://.portal.example/",
	// credentials, fragments, bytes that parsers disagree about
	"https://user@portal.example/", "https://user:secret@portal.example/", "https://@portal.example/", "https://portal.example@127.0.0.1/",
	"https://portal.example/#top", "https://portal.example/#", "https://127.0.0.1#.portal.example/",
	"https://portal.example\\@127.0.0.1/", "https://portal.example/\\", "https://portal.example/a b", "https://portal.example/\t",
	"https://portal.example/\r\nHost:%20127.0.0.1", " https://portal.example/", "https://portal.example/\x7f", "https://portal.example/\x00",
	"https://portal.example%2f@127.0.0.1/", "https://portal.example%00.evil.example/", "https://portal.example/%zz",
	"https://*.portal.example/", "https://portal$.example/", "https://" + strings.Repeat("a", 64) + ".example/",
	"https://" + strings.Repeat("a.", 126) + "example/", "https://portal.example/" + strings.Repeat("a", 2048),
	// ports
	"https://portal.example:80/", "https://portal.example:8443/", "https://portal.example:0/", "https://portal.example:65536/",
	"https://portal.example:-443/", "https://portal.example:https/", "https://8.8.8.8:22/", "https://[2606:4700:4700::1111]:8443/",
	// names of this machine and its neighbourhood
	"https://localhost/", "https://LOCALHOST/", "https://localhost./", "https://localhost../", "https://api.localhost/",
	"https://localhost.localdomain/", "https://intranet/", "https://intranet./", "https://printer.local/", "https://printer.LOCAL./",
	"https://metadata.google.internal/", "https://router.home.arpa/", "https://abc.onion/",
	// IPv4 in every spelling
	"https://127.0.0.1/", "https://127.0.0.1./", "https://127.1/", "https://127.0.1/", "https://2130706433/", "https://0x7f000001/",
	"https://0x7f.0.0.1/", "https://0X7F.1/", "https://017700000001/", "https://0177.0.0.1/", "https://127.0.0.01/", "https://127.0.0.0x1/",
	"https://8.8.8.8.8/", "https://256.1.1.1/", "https://1.2.3/", "https://0/", "https://0.0.0.0/", "https://0.1.2.3/",
	"https://10.0.0.1/", "https://172.16.0.1/", "https://172.31.255.255/", "https://192.168.1.1/", "https://100.64.0.1/",
	"https://169.254.169.254/latest/meta-data/", "https://192.0.0.192/", "https://192.0.2.1/", "https://198.18.0.1/", "https://198.51.100.1/",
	"https://203.0.113.1/", "https://192.88.99.1/", "https://224.0.0.1/", "https://240.0.0.1/", "https://255.255.255.255/",
	// other digits and dots that clients turn into plain ones
	"https://１２７.０.０.１/", "https://127。0。0。1/", "https://127．0．0．1/", "https://①②⑦.0.0.1/", "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
	"https://portal。example/", "https://%E3%80%82example/", "https://été.example/", "https://loc\u00adalhost/", "https://portal.example\u200b/",
	// IPv6, and IPv4 inside it
	"https://[::]/", "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[::127.0.0.1]/", "https://[::ffff:127.0.0.1]/",
	"https://[::ffff:7f00:1]/", "https://[::ffff:10.0.0.1]/", "https://[::ffff:169.254.169.254]/", "https://[::ffff:0:127.0.0.1]/",
	"https://[64:ff9b::7f00:1]/", "https://[64:ff9b::8.8.8.8]/", "https://[64:ff9b:1::1]/", "https://[2002:7f00:1::]/",
	"https://[2002:a00:1::1]/", "https://[2001:0:7f00:1::]/", "https://[2001::1]/", "https://[2001:db8::1]/", "https://[100::1]/",
	"https://[fc00::1]/", "https://[fd00:ec2::254]/", "https://[fe80::1]/", "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/",
	"https://[2606:4700:4700::1111%25eth0]/", "https://[fec0::1]/", "https://[ff02::1]/", "https://[5f00::1]/", "https://[3fff::1]/",
	"https://[4000::1]/", "https://[8000::1]/", "https://[2620:4f:8000::1]/", "https://[::1", "https://::1/", "https://[127.0.0.1]/",
	"https://[v1.fe80::a]/",
}

func TestW10_HostileURLsAreRefused(t *testing.T) {
	for _, url := range hostile {
		err := webhook.Allowance{}.CheckURL(url)
		switch {
		case err == nil:
			t.Errorf("%q can be subscribed", url)
		case strings.Contains(err.Error(), "127.") || strings.Contains(err.Error(), "secret"):
			t.Errorf("refusing %q repeats it: %v", url, err)
		}
	}
	t.Logf("%d URLs refused", len(hostile))
}

func TestW10_ARefusalTellsHowAURLBegins(t *testing.T) {
	for want, a := range map[string]webhook.Allowance{"the url must begin with https://": {}, "the url must begin with https:// or http://": {HTTP: true}} {
		if err := a.CheckURL("ftp://portal.example/"); err == nil || err.Error() != want {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

func TestW10_PublicURLsAreAccepted(t *testing.T) {
	for _, url := range []string{
		"https://portal.example", "https://portal.example/", "https://portal.example/hook?key=1&key=2", "HTTPS://Portal.Example/hook",
		"https://portal.example:443/hook", "https://portal.example./hook", "https://a.b.c.portal.example/", "https://xn--t-9fab.example/",
		"https://my_host.portal.example/", "https://portal.example//hook/../x", "https://portal.example/%C3%A9t%C3%A9", "https://portal.example/été",
		"https://8.8.8.8/", "https://172.15.255.255/", "https://172.32.0.1/", "https://[2606:4700:4700::1111]/", "https://[2a00:1450::1]:443/",
		"https://3com.example/", "https://1.2.3.4.example/", "https://local.example/", "https://internal.example/", "https://localhost.example/",
		"https://" + strings.Repeat("a", 63) + ".example/",
		"https://portal.example/" + strings.Repeat("a", 2048-len("https://portal.example/")),
	} {
		if err := (webhook.Allowance{}).CheckURL(url); err != nil {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func networks(t *testing.T, text string) []webhook.Network {
	t.Helper()
	parsed, err := webhook.ParseNetworks(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// What an operator allows, and no more.
func TestW10_AllowedNetworks(t *testing.T) {
	private := webhook.Allowance{Networks: networks(t, "10.1.0.0/16")}
	sandbox := webhook.Allowance{HTTP: true, Networks: networks(t, "127.0.0.0/8:*,::1/128:*")}
	for _, c := range []struct {
		allowance webhook.Allowance
		url       string
		ok        bool
	}{
		{private, "https://10.1.2.3/", true},
		{private, "https://10.1.2.3:444/", false},
		{private, "https://10.2.0.1/", false},
		{private, "https://127.0.0.1/", false},
		{private, "http://10.1.2.3:443/", false},
		{private, "https://[::ffff:10.1.2.3]/", true},
		{private, "https://erp.internal/", true}, // the name may stand for an allowed address
		{private, "https://erp.internal:8443/", false},
		{sandbox, "http://127.0.0.1:9000/", true},
		{sandbox, "http://localhost:9000/", true},
		{sandbox, "https://localhost/", true},
		{sandbox, "http://[::1]:9000/", true},
		{sandbox, "http://portal.example:9000/", true},
		{sandbox, "http://2130706433:9000/", false},
		{sandbox, "http://0.0.0.0:9000/", false},
		{sandbox, "http://192.168.1.1:9000/", false},
		{sandbox, "http://127.0.0.1:0/", false},
		{sandbox, "http://user@127.0.0.1:9000/", false},
		{webhook.Allowance{HTTP: true}, "http://portal.example/", true},
		{webhook.Allowance{HTTP: true}, "http://portal.example:80/", true},
		{webhook.Allowance{HTTP: true}, "http://portal.example:443/", true},
		{webhook.Allowance{HTTP: true}, "http://8.8.8.8/", true},
		{webhook.Allowance{HTTP: true}, "http://portal.example:8080/", false},
		{webhook.Allowance{HTTP: true}, "http://erp.internal/", false},
		{webhook.Allowance{HTTP: true}, "http://localhost/", false},
		{webhook.Allowance{HTTP: true}, "http://10.1.2.3/", false},
		{private, "http://8.8.8.8/", false},
	} {
		if err := c.allowance.CheckURL(c.url); (err == nil) != c.ok {
			t.Errorf("%v: %s: %v", c.allowance, c.url, err)
		}
	}
}

func TestH8_AddressesThatAreNotPublicAreRefused(t *testing.T) {
	for _, address := range []string{
		"0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.255",
		"169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.255", "192.31.196.1", "192.52.193.1",
		"192.88.99.99", "192.168.0.0", "192.168.255.255", "192.175.48.1", "198.18.0.0", "198.19.255.255", "198.51.100.7", "203.0.113.7",
		"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:0:127.0.0.1", "::ffff:192.168.0.1", "64:ff9b::127.0.0.1", "64:ff9b:1::1",
		"100::1", "100:0:0:1::1", "2001::1", "2001:0:7f00:1::", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1",
		"2002:7f00:1::1", "2620:4f:8000::1", "3fff:fff::1", "4000::", "5f00::1", "7fff::1", "8000::", "fbff::1", "fc00::1", "fd00::1",
		"fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ffff::1",
	} {
		for _, port := range []uint16{443, 80} {
			if target := netip.AddrPortFrom(netip.MustParseAddr(address), port); (webhook.Allowance{HTTP: true}).Permits(target) {
				t.Errorf("%s is taken for public", target)
			}
		}
	}
	if (webhook.Allowance{}).Permits(netip.AddrPort{}) || (webhook.Allowance{}).Permits(netip.AddrPortFrom(netip.Addr{}, 443)) {
		t.Error("no address at all is taken for public")
	}
	for _, address := range []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "172.15.255.255",
		"172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.167.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255",
		"::ffff:8.8.8.8", "2000::1", "2001:200::1", "2001:4860:4860::8888", "2606:4700:4700::1111", "2a00::1", "3ffe::1",
	} {
		for port, want := range map[uint16]bool{443: true, 80: false, 8443: false, 0: false} {
			if target := netip.AddrPortFrom(netip.MustParseAddr(address), port); (webhook.Allowance{}).Permits(target) != want {
				t.Errorf("connecting to %s is permitted: %t", target, !want)
			}
			// Where http is allowed, its port is public too.
			if target := netip.AddrPortFrom(netip.MustParseAddr(address), port); (webhook.Allowance{HTTP: true}).Permits(target) != (want || port == 80) {
				t.Errorf("connecting to %s with http is permitted: %t", target, !want)
			}
		}
	}
}

// Of any address that carries an IPv4 one, the way it is written must not decide.
func TestH8_TheSpellingOfAnAddressDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var raw [4]byte
		copy(raw[:], rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "address"))
		plain := netip.AddrFrom4(raw)
		mapped := netip.AddrFrom16(plain.As16())
		a := webhook.Allowance{}
		if a.Permits(netip.AddrPortFrom(plain, 443)) != a.Permits(netip.AddrPortFrom(mapped, 443)) {
			t.Fatalf("%s and %s are judged differently", plain, mapped)
		}
		for _, spelling := range []string{
			fmt.Sprintf("https://%d/", uint32(raw[0])<<24|uint32(raw[1])<<16|uint32(raw[2])<<8|uint32(raw[3])),
			fmt.Sprintf("https://0x%x/", raw), fmt.Sprintf("https://%d.%d/", raw[0], uint32(raw[1])<<16|uint32(raw[2])<<8|uint32(raw[3])),
			fmt.Sprintf("https://0%o.%d.%d.%d/", raw[0], raw[1], raw[2], raw[3]),
		} {
			if err := a.CheckURL(spelling); err == nil {
				t.Fatalf("%s can be subscribed", spelling)
			}
		}
	})
}

func TestParseNetworks(t *testing.T) {
	for text, want := range map[string][]webhook.Network{
		"":                 nil,
		" , ,":             nil,
		"10.1.0.0/16":      {{Prefix: netip.MustParsePrefix("10.1.0.0/16"), Port: 443}},
		"10.1.2.3/16:8443": {{Prefix: netip.MustParsePrefix("10.1.0.0/16"), Port: 8443}},
		"127.0.0.0/8:*":    {{Prefix: netip.MustParsePrefix("127.0.0.0/8")}},
		"fd00::/8:9443":    {{Prefix: netip.MustParsePrefix("fd00::/8"), Port: 9443}},
		"[fd00::]/8:*":     {{Prefix: netip.MustParsePrefix("fd00::/8")}},
		"::1/128":          {{Prefix: netip.MustParsePrefix("::1/128"), Port: 443}},
		"127.0.0.1/32:1, 10.0.0.0/8:65535": {
			{Prefix: netip.MustParsePrefix("127.0.0.1/32"), Port: 1}, {Prefix: netip.MustParsePrefix("10.0.0.0/8"), Port: 65535},
		},
	} {
		got, err := webhook.ParseNetworks(text)
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.Prefix) bool { return a == b })); diff != "" || err != nil {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	}
	for _, text := range []string{
		"10.0.0.1", "10.0.0.1:443", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8:", "10.0.0.0/8:0", "10.0.0.0/8:65536", "10.0.0.0/8:https",
		"10.0.0.0/8:**", "10.0.0.0/", "/8", "localhost/8", "fe80::1%eth0/64", "10.0.0.0/8/8", "::ffff:10.0.0.0/104", "*", "10.0.0.0/8;11.0.0.0/8",
	} {
		if got, err := webhook.ParseNetworks(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestW13_Headers(t *testing.T) {
	long := strings.Repeat("v", 4096-len("X-Long"))
	many := map[string]string{}
	for i := range 20 {
		many[fmt.Sprintf("X-%d", i)] = ""
	}
	for _, headers := range []map[string]string{
		nil, {}, many, {"X-Long": long}, {"Authorization": "Bearer x"}, {"x-api-key": "k", "X-Api-Key2": "k"}, {"!#$%&'*+-.^_`|~09azAZ": "tab\there"},
		{"X-Accents": "été"}, {"Accept": "*/*"}, {"Cookie": "a=b"},
	} {
		if name, err := webhook.CheckHeaders(headers); err != nil || name != "" {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{
		"", "X Key", "X:Key", "X-Key\r\n", "X-Clé", "X-Key\x00", "Host", "HOST", "content-length", "Content-Type", "Content-Encoding",
		"Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "TE", "Trailer", "Expect", "User-Agent", "X-Request-Id", "X-Event-Type",
		"X-Delivery-Attempt", "webhook-id", "Webhook-Anything", "WEBHOOK-SIGNATURE", "Proxy-Authorization", "proxy-connection",
	} {
		if at, err := webhook.CheckHeaders(map[string]string{name: "v"}); err == nil || at != name {
			t.Errorf("the header %q is accepted, or %q is blamed: %v", name, at, err)
		}
	}
	for _, value := range []string{"a\nb", "a\rb", "a\r\nHost: b", "\x00", "a\x7f", "\x1b[0m"} {
		if at, err := webhook.CheckHeaders(map[string]string{"X-Key": value}); err == nil || at != "X-Key" {
			t.Errorf("the value %q is accepted, or %q is blamed: %v", value, at, err)
		}
	}
	many["X-21"] = ""
	for name, headers := range map[string]map[string]string{
		"21 headers": many, "4097 bytes": {"X-Long": long + "v"}, "4097 bytes in all": {"X-Long": long, "X": ""},
	} {
		if at, err := webhook.CheckHeaders(headers); err == nil || at != "" {
			t.Errorf("%s are accepted, or %q is blamed: %v", name, at, err)
		}
	}
	if _, err := webhook.CheckHeaders(map[string]string{"X-Key": "1", "x-key": "2"}); err == nil {
		t.Error("the same header is accepted twice")
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, url := range hostile {
		f.Add(url)
	}
	f.Add("https://portal.example/hook")
	f.Fuzz(func(t *testing.T, url string) {
		if (webhook.Allowance{}).CheckURL(url) != nil {
			return
		}
		// Whatever is accepted begins as it must and has nothing a line of HTTP
		// could trip over.
		if len(url) < 9 || !strings.EqualFold(url[:8], "https://") || strings.ContainsAny(url, " \t\r\n\x00\\#") {
			t.Errorf("%q can be subscribed", url)
		}
		if host, _, _ := strings.Cut(url[8:], "/"); strings.ContainsAny(host, "@") && !strings.Contains(host, "?") {
			t.Errorf("%q can be subscribed", url)
		}
	})
}

// User, query and fragment of a URL may be secret, and so may any text that is no
// URL at all.
func TestW14_WhatIsShownOfAURLHoldsNoSecret(t *testing.T) {
	for address, want := range map[string]string{
		"https://portal.example/in":                             "https://portal.example/in",
		"https://portal.example:8443":                           "https://portal.example:8443",
		"https://user:canary@portal.example/in?k=canary#canary": "https://portal.example/in",
		"https://canary@portal.example/?":                       "https://portal.example/",
		"//user:canary@portal.example/in":                       "//portal.example/in",
		"user:canary@portal.example/in":                         "",
		"https://user:can%zzary@portal.example/in":              "",
		"https://[canary":                                       "",
		"":                                                      "",
	} {
		if got := webhook.Shown(address); got != want {
			t.Errorf("%s is shown as %q, not %q", address, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringMatching(`[a-z0-9%.:=&-]{0,8}`)
		address := rapid.SampledFrom([]string{"https://", "http://", "//", ""}).Draw(t, "scheme") +
			rapid.SampledFrom([]string{"", "canary@", "u:canary@", "canary:p@"}).Draw(t, "user") + part.Draw(t, "host") +
			rapid.SampledFrom([]string{"", "/", "/in"}).Draw(t, "path") + rapid.SampledFrom([]string{"?canary", "?k=canary", "#canary"}).Draw(t, "rest")
		if got := webhook.Shown(address); strings.Contains(got, "?") || strings.Contains(got, "#") {
			t.Errorf("%s is shown as %s", address, got)
		}
	})
}

package access_test

import (
	"bytes"
	"errors"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

var home = netip.MustParseAddr("192.0.2.7")

func TestA13_WhenAndWhereAKeyIsGood(t *testing.T) {
	type key = access.Key
	expires := start.Add(time.Hour)
	for name, c := range map[string]struct {
		key  key
		at   time.Time
		from netip.Addr
		want fault.Code
	}{
		"without bounds":                     {key{}, start, home, ""},
		"without bounds, from nowhere":       {key{}, start, netip.Addr{}, ""},
		"in the last tick":                   {key{Expires: expires}, expires.Add(-1), home, ""},
		"when it expires":                    {key{Expires: expires}, expires, home, fault.CodeKeyExpired},
		"expired, from elsewhere":            {key{Expires: expires, Addresses: []string{"10.0.0.0/8"}}, expires, home, fault.CodeKeyExpired},
		"from its network":                   {key{Addresses: []string{"10.0.0.0/8", "192.0.2.0/24"}}, start, home, ""},
		"from elsewhere":                     {key{Addresses: []string{"10.0.0.0/8", "192.0.3.0/24"}}, start, home, fault.CodeAddressNotAllowed},
		"from nowhere":                       {key{Addresses: []string{"0.0.0.0/0", "::/0"}}, start, netip.Addr{}, fault.CodeAddressNotAllowed},
		"from an address written as IPv6":    {key{Addresses: []string{"192.0.2.0/24"}}, start, netip.MustParseAddr("::ffff:192.0.2.7"), ""},
		"from an IPv6 network":               {key{Addresses: []string{"2001:db8::/32"}}, start, netip.MustParseAddr("2001:db8::1%eth0"), ""},
		"from IPv4, where all IPv6 is meant": {key{Addresses: []string{"::/0"}}, start, home, fault.CodeAddressNotAllowed},
		"bound to what is no network":        {key{Addresses: []string{"everywhere"}}, start, home, fault.CodeAddressNotAllowed},
	} {
		err := c.key.Check(c.at, c.from)
		if c.want == "" && err != nil || c.want != "" && fault.From(err).Code != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (key{Expires: expires}).Check(expires, home); !errors.Is(err, fault.Unauthenticated) {
		t.Error(err)
	}
	if err := (key{Addresses: []string{"10.0.0.1/32"}}).Check(start, home); !errors.Is(err, fault.Forbidden) {
		t.Error(err)
	}
}

// What a key may do, its credential may; and what both may, the key may.
func TestA13_AKeyMayWhatBothMay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		packs := func(label string) access.Packs {
			return access.Packs(rapid.Uint16Range(0, access.AllPacks).Draw(t, label))
		}
		of := access.Credential{
			ID: "c", Sites: []site.ID{1, 2}, Packs: packs("credential"),
			Permissions: rapid.SliceOf(rapid.SampledFrom(access.Permissions())).Draw(t, "permissions"),
			Rights:      rapid.SliceOf(rapid.SampledFrom(access.Rights())).Draw(t, "rights"),
		}
		key := access.Key{Site: 2, Credential: "c", Packs: packs("key")}
		rule := access.Rule{
			Packs: packs("rule"), Permission: rapid.SampledFrom(access.Permissions()).Draw(t, "permission"),
			Right: rapid.SampledFrom(access.Rights()).Draw(t, "right"),
		}
		grant := key.Grant(of)
		if grant.Site != 2 || grant.Credential != "c" || !slices.Equal(grant.Rights, of.Rights) || !slices.Equal(grant.Permissions, of.Permissions) {
			t.Fatalf("the grant is %+v", grant)
		}
		may, credentialMay := rule.Check(grant) == nil, rule.Check(of.Grant(2)) == nil
		both := rule.Packs == 0 || rule.Packs.Any(of.Packs&key.Packs)
		if may != (credentialMay && both) {
			t.Fatalf("the key may %t, the credential %t, a pack of both is enough %t", may, credentialMay, both)
		}
	})
}

func TestA13_HowKeysAreWritten(t *testing.T) {
	for environment, want := range map[string]string{
		"": "sk_live_", "sandbox": "sk_sandbox_", "Pre-Prod 2": "sk_preprod2_", "é_!": "sk_live_", strings.Repeat("a", 30): "sk_" + strings.Repeat("a", 20) + "_",
	} {
		key, err := access.NewKey(bytes.NewReader(bytes.Repeat([]byte{0xff, 0x10}, 16)), environment)
		if err != nil || !strings.HasPrefix(key, want) || len(key) != len(want)+43 {
			t.Errorf("%q: %q, %v", environment, key, err)
		}
		if start := access.KeyStart(key); start != key[:len(want)+4] {
			t.Errorf("%q begins with %q", key, start)
		}
	}
	broken := errors.New("no entropy")
	if key, err := access.NewKey(iotest.ErrReader(broken), ""); key != "" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", key, err)
	}
}

// However a text is mistaken for a key, its start does not tell more than four
// characters behind the marks, and no text makes it fail.
func TestA13_TheStartTellsLittle(t *testing.T) {
	marks := regexp.MustCompile(`^(sk_)?([^_]*_)?`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`(sk_)?[a-z]{0,6}_?[A-Za-z0-9_-]{0,20}`).Draw(t, "text")
		start := access.KeyStart(text)
		if !strings.HasPrefix(text, start) || len(start) > len(marks.FindString(text))+4 {
			t.Fatalf("%q starts with %q", text, start)
		}
	})
}

func TestA13_Networks(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.7": "192.0.2.7/32", "192.0.2.7/24": "192.0.2.0/24", "::ffff:192.0.2.7": "192.0.2.7/32", "2001:db8::1": "2001:db8::1/128",
		"fe80::1%eth0": "fe80::1/128", "0.0.0.0/0": "0.0.0.0/0",
	} {
		if got, err := access.ParseNetwork(text); got != want || err != nil {
			t.Errorf("%s is %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "localhost", "192.0.2.0/33", "192.0.2", "192.0.2.1-192.0.2.9"} {
		if got, err := access.ParseNetwork(text); err == nil {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

func TestTwoSecretsForAWhile(t *testing.T) {
	day := 24 * time.Hour
	hashes := []access.Hash{"one", "two", "three"}
	known := func(c access.Credential, at time.Time) (all []access.Hash) {
		for _, h := range append(hashes, access.Pepper("p").Hash("")) {
			if c.Knows(h, at) {
				all = append(all, h)
			}
		}
		return all
	}
	is := func(what string, c access.Credential, at time.Time, want ...access.Hash) {
		t.Helper()
		if got := known(c, at); !slices.Equal(got, want) {
			t.Errorf("%s: %v are good, want %v", what, got, want)
		}
	}
	first := access.Credential{Secret: "one"}
	is("before", first, start, "one")
	second := first.Rotated("two", start.Add(day), start)
	is("at once", second, start, "one", "two")
	is("in the last tick", second, start.Add(day-1), "one", "two")
	is("after a day", second, start.Add(day), "two")
	third := second.Rotated("three", start.Add(day+time.Hour), start.Add(time.Hour))
	is("after a second rotation", third, start.Add(time.Hour), "two", "three")
	is("a leak", second.Rotated("three", start, start), start, "three")
	if leaked := second.Rotated("three", start, start); leaked.Former != (access.Former{}) {
		t.Errorf("%+v is kept", leaked.Former)
	}
	is("without a secret", access.Credential{}, start)
}

func TestPeersAreCountedByTheirNetwork(t *testing.T) {
	for peer, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "2001:db8::1234": "2001:db8::/64", "2001:db8::1%eth0": "2001:db8::/64", "a name": "a name", "": "",
		"::ffff:192.0.2.1": "::ffff:192.0.2.1",
	} {
		if got := access.PeerNetwork(peer); got != want {
			t.Errorf("%s counts as %s, want %s", peer, got, want)
		}
	}
}

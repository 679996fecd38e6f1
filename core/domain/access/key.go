package access

import (
	"io"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// KeyID identifies an API key.
type KeyID int64

// Key is an API key, which a script of a client sends instead of a token. It is
// good for one site, and for some of the packs of its credential; what it may do
// besides is what the credential may. It is known by its hash alone.
type Key struct {
	ID         KeyID
	Site       site.ID
	Credential CredentialID `trace:"keep"`
	// Name says what the key is for.
	Name string `trace:"keep"`
	Hash Hash
	// Start is how the key begins, for people to recognise it by.
	Start string `trace:"keep"`
	Packs Packs
	// Addresses are the networks that the key may be sent from, as ParseNetwork
	// writes them; none means all.
	Addresses []string `trace:"keep"`
	Added     time.Time
	// Expires is when the key ends by itself; zero if it does not.
	Expires time.Time
	// RevokedAt is when the key was ended; zero while it lives.
	RevokedAt time.Time
}

// Revoked reports whether the key was ended.
func (k Key) Revoked() bool { return !k.RevokedAt.IsZero() }

// Expired reports whether the key has ended by itself at the given moment.
func (k Key) Expired(now time.Time) bool { return !k.Expires.IsZero() && !now.Before(k.Expires) }

// Check says why a key that was not revoked cannot be used now from an address:
// Unauthenticated when it has expired, Forbidden when it may not be sent from
// there. An address that is not valid is in no network.
func (k Key) Check(now time.Time, from netip.Addr) error {
	switch {
	case k.Expired(now):
		return fault.New(fault.Unauthenticated, fault.CodeKeyExpired, "the API key has expired; ask for another one")
	case len(k.Addresses) > 0 && !slices.ContainsFunc(k.Addresses, func(network string) bool { return within(network, from) }):
		return fault.New(fault.Forbidden, fault.CodeAddressNotAllowed, "the API key may not be sent from this address")
	}
	return nil
}

// Grant returns what the key stands for: what a token of its credential does, with the
// packs that both have.
func (k Key) Grant(of Credential) Grant {
	g := of.Grant(k.Site)
	g.Packs &= k.Packs
	return g
}

func within(network string, address netip.Addr) bool {
	prefix, err := netip.ParsePrefix(network)
	return err == nil && prefix.Contains(address.Unmap().WithZone(""))
}

// ParseNetwork reads an address, or a network such as 192.0.2.0/24, and writes it
// as a network.
func ParseNetwork(text string) (string, error) {
	if address, err := netip.ParseAddr(text); err == nil {
		address = address.Unmap().WithZone("")
		return netip.PrefixFrom(address, address.BitLen()).String(), nil
	}
	network, err := netip.ParsePrefix(text)
	if err != nil {
		return "", err
	}
	return network.Masked().String(), nil
}

// PeerNetwork returns what a peer is counted as: itself, or the /64 around an IPv6 address,
// all of which usually is one holder's.
func PeerNetwork(peer string) string {
	address, err := netip.ParseAddr(peer)
	if err != nil || address.Unmap().Is4() {
		return peer
	}
	around, err := address.WithZone("").Prefix(64)
	if err != nil {
		return peer
	}
	return around.String()
}

// An API key is written sk_<environment>_<secret>.
const (
	keyMark = "sk_"
	// namelessEnvironment is the environment of keys where it has no name.
	namelessEnvironment = "live"
	maxEnvironment      = 20
	// startLength is how much of the secret is in the start of a key: enough to tell
	// the keys of a client apart, and of no use to guess the rest.
	startLength = 4
)

// NewKey draws an API key for an environment, whose name may be empty.
func NewKey(random io.Reader, environment string) (string, error) {
	secret, err := NewSecret(random)
	if err != nil {
		return "", err
	}
	return keyMark + keyEnvironment(environment) + "_" + secret, nil
}

// keyEnvironment returns the name of an environment as keys have it: of lower-case
// letters and digits.
func keyEnvironment(name string) string {
	word := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
	if word == "" {
		return namelessEnvironment
	}
	return word[:min(len(word), maxEnvironment)]
}

// KeyStart returns how a key begins: its mark, its environment, and some of its secret.
func KeyStart(key string) string {
	secret := strings.TrimPrefix(key, keyMark)
	if _, after, found := strings.Cut(secret, "_"); found {
		secret = after
	}
	begins := len(key) - len(secret)
	return key[:begins+min(len(secret), startLength)]
}

// Use is when a credential was last used: with tokens, or with one of its keys.
type Use struct {
	Credential CredentialID
	// Key is 0 for tokens.
	Key KeyID
	At  time.Time
}

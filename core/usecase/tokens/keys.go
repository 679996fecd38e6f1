package tokens

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

const (
	maxKeyName = 100
	// maxKeys is how many living keys a credential has at a site.
	maxKeys = 100
	// maxNetworks is how many networks a key is bound to.
	maxNetworks = 50
)

// keyShape is what a key from a setup looks like.
var keyShape = regexp.MustCompile(`^sk_[a-z0-9]{1,20}_[A-Za-z0-9_-]{20,100}$`)

// KeyInput describes an API key.
type KeyInput struct {
	Credential string `yaml:"credential"`
	// Name says what the key is for; no other living key of the credential at the
	// site has it.
	Name string `yaml:"name"`
	Site int64  `yaml:"site"`
	// Key is the key itself. CreateKey does not look at it, but draws one.
	Key string `yaml:"key"`
	// Packs are those of the credential that the key is good for, or all.
	Packs []string `yaml:"packs"`
	// Expires is RFC 3339, or a day, at whose beginning in UTC the key ends; empty
	// for a key that does not end by itself.
	Expires string `yaml:"expires"`
	// Addresses are addresses and networks such as 192.0.2.0/24; none for all.
	Addresses []string `yaml:"addresses"`
}

// Read returns the key that is described, without id, hash and times but its expiry.
// Its error is Invalid, and names every field that is wrong.
func (in KeyInput) Read() (access.Key, error) {
	k := access.Key{Site: site.ID(in.Site), Credential: access.CredentialID(in.Credential), Name: strings.TrimSpace(in.Name)}
	var problems fault.Problems
	if kernel.CheckText("name", k.Name, maxKeyName, &problems) && k.Name == "" {
		problems.Add("name", fault.CodeRequired, "a key needs a name")
	}
	if len(in.Packs) == 0 {
		problems.Add("packs", fault.CodeRequired, "a key needs packs, or all")
	}
	k.Packs = readPacks(in.Packs, &problems)
	k.Expires = readExpiry(strings.TrimSpace(in.Expires), &problems)
	k.Addresses = readNetworks(in.Addresses, &problems)
	return k, problems.Err()
}

func readExpiry(text string, problems *fault.Problems) time.Time {
	if text == "" {
		return time.Time{}
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC().Truncate(time.Microsecond)
		}
	}
	problems.Wrong("expires", fault.CodeInvalidFormat, text, "expires is a date-time such as 2027-01-15T08:30:00Z, or a day")
	return time.Time{}
}

func readNetworks(texts []string, problems *fault.Problems) (networks []string) {
	if len(texts) > maxNetworks {
		problems.Add("addresses", fault.CodeOutOfRange, "a key is bound to at most %d networks", maxNetworks)
		return nil
	}
	for i, text := range texts {
		network, err := access.ParseNetwork(strings.TrimSpace(text))
		if err != nil {
			problems.Wrong(fmt.Sprintf("addresses[%d]", i), fault.CodeInvalidFormat, text, "%q is neither an address nor a network such as 192.0.2.0/24", text)
		}
		networks = append(networks, network)
	}
	return networks
}

// Given returns the key of a setup, which comes with it, hashed under a pepper.
func (in KeyInput) Given(pepper access.Pepper) (access.Key, error) {
	k, err := in.Read()
	if err == nil && !keyShape.MatchString(in.Key) {
		err = kernel.Invalid("key", fault.CodeInvalidFormat, "a key is sk_, a name of lower-case letters and digits, _, and at least 20 of A-Z a-z 0-9 _ -")
	}
	k.Hash, k.Start = pepper.Hash(in.Key), access.KeyStart(in.Key)
	return k, err
}

// CreatedKey is a new API key.
type CreatedKey struct {
	access.Key
	// Text is what scripts send. It is shown this once and never stored.
	Text string
}

// CreateKey makes an API key of a client. It is NotFound when there is no such
// client, Conflict when it is revoked, and Invalid with the fields that are wrong.
func (s *Service) CreateKey(ctx context.Context, c kernel.Caller, described KeyInput) (CreatedKey, error) {
	wanted, err := described.Read()
	if err != nil {
		return CreatedKey{}, err
	}
	text, err := access.NewKey(s.k.Rand, s.k.Options.Environment)
	if err != nil {
		return CreatedKey{}, err
	}
	wanted.Hash, wanted.Start = s.k.Options.Pepper.Hash(text), access.KeyStart(text)
	made, err := writes(s, unit.addKey)(ctx, c, wanted)
	if err != nil {
		return CreatedKey{}, err
	}
	return CreatedKey{made, text}, nil
}

func (u unit) addKey(wanted access.Key) (access.Key, error) {
	owner, err := u.changing(wanted.Credential)
	if err != nil {
		return access.Key{}, err
	}
	var problems fault.Problems
	if !owner.Reaches(wanted.Site) {
		problems.Wrong("site", fault.CodeUnknownSite, int64(wanted.Site), "the credential does not reach a site %d", wanted.Site)
	}
	if wanted.Expired(u.Now) {
		problems.Add("expires", fault.CodeOutOfRange, "expires lies in the past")
	}
	if err := u.checkKeyName(wanted, &problems); err != nil {
		return access.Key{}, err
	}
	if err := problems.Err(); err != nil {
		return access.Key{}, err
	}
	if wanted.ID, err = kernel.NextID[access.KeyID](u, port.KeyIDs); err != nil {
		return access.Key{}, err
	}
	wanted.Added = u.Now
	u.Changed(access.Key{}, wanted)
	if err := u.Keys().Put(wanted); err != nil {
		return access.Key{}, err
	}
	return wanted, TouchAccess(u.Tx, []site.ID{wanted.Site})
}

// checkKeyName reports a name that another living key of the credential has at
// the site, and a site with too many of its keys. The credential is locked, so no
// other unit adds one meanwhile.
func (u unit) checkKeyName(wanted access.Key, problems *fault.Problems) error {
	all, err := u.Keys().OfCredential(wanted.Credential)
	living := slices.DeleteFunc(all, func(k access.Key) bool { return k.Site != wanted.Site || k.Revoked() })
	if slices.ContainsFunc(living, func(k access.Key) bool { return k.Name == wanted.Name }) {
		problems.Wrong("name", fault.CodeNameTaken, wanted.Name, "another key of the credential has this name")
	}
	if len(living) >= maxKeys {
		problems.Add("site", fault.CodeOutOfRange, "a credential has at most %d keys at a site", maxKeys)
	}
	return err
}

// Keys lists the API keys of a client, those that ended among them, by site and
// id. It is NotFound when there is no such client.
func (s *Service) Keys(ctx context.Context, c kernel.Caller, of access.CredentialID) ([]access.Key, error) {
	return reads(s, unit.listKeys)(ctx, c, of)
}

func (u unit) listKeys(of access.CredentialID) ([]access.Key, error) {
	if _, err := u.credential(of); err != nil {
		return nil, err
	}
	return u.Keys().OfCredential(of)
}

// NamedKey names an API key.
type NamedKey struct {
	Credential access.CredentialID
	ID         access.KeyID
}

// RevokeKey ends an API key of a client from the next request on. It is NotFound
// when the client has no such key; one that is revoked stays so.
func (s *Service) RevokeKey(ctx context.Context, c kernel.Caller, in NamedKey) (access.Key, error) {
	return writes(s, unit.revokeKey)(ctx, c, in)
}

func (u unit) revokeKey(in NamedKey) (access.Key, error) {
	all, err := u.listKeys(in.Credential)
	if err != nil {
		return access.Key{}, err
	}
	n := slices.IndexFunc(all, func(k access.Key) bool { return k.ID == in.ID })
	if n < 0 {
		return access.Key{}, fault.New(fault.NotFound, fault.CodeNotFound, "the credential %q has no key %d", in.Credential, in.ID)
	}
	k, err := u.Keys().Get(all[n].Site, in.ID)
	if err != nil || k.Revoked() {
		return k, err
	}
	before := k
	k.RevokedAt = u.Now
	u.Changed(before, k)
	if err := u.Keys().Put(k); err != nil {
		return access.Key{}, err
	}
	return k, TouchAccess(u.Tx, []site.ID{k.Site})
}

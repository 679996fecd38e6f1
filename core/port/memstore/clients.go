package memstore

import (
	"cmp"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) Keys() port.Keys                         { return keysOf(t.unit) }
func (t tx) LastUsed() port.LastUsed                 { return uses(t) }
func (t tx) CredentialTokens() port.CredentialTokens { return credentialTokens(t) }

type credentials struct{ *unit }

func (r credentials) Get(id access.CredentialID) (access.Credential, error) {
	return one(r.unit, r.state.credentials, string(id), "credential", id, deep)
}

// Held is Get: units of work that write take turns.
func (r credentials) Held(id access.CredentialID) (access.Credential, error) { return r.Get(id) }

func (r credentials) All() ([]access.Credential, error) {
	return all(r.unit, r.state.credentials, "", deep)
}

func (r credentials) Put(c access.Credential) error {
	return put(r.unit, &r.state.credentials, string(c.ID), c, deep)
}

type keys struct{ register[access.Key] }

func keysOf(u *unit) keys {
	return keys{register[access.Key]{u, &u.state.keys, func(k access.Key) (site.ID, int64) { return k.Site, int64(k.ID) }}}
}

func (r keys) Get(of site.ID, id access.KeyID) (access.Key, error) {
	return one(r.unit, r.state.keys, key(int64(of), int64(id)), "API key", id, deep)
}

func (r keys) ByHash(hash access.Hash) (access.Key, error) {
	found, err := r.among(func(k access.Key) bool { return k.Hash == hash })
	if len(found) > 0 {
		return found[0], nil
	}
	return access.Key{}, cmp.Or(err, absent("API key", ""))
}

func (r keys) OfCredential(id access.CredentialID) ([]access.Key, error) {
	return r.among(func(k access.Key) bool { return k.Credential == id })
}

func (r keys) among(wanted func(access.Key) bool) ([]access.Key, error) {
	every, err := all(r.unit, r.state.keys, "", deep)
	return slices.DeleteFunc(every, func(k access.Key) bool { return !wanted(k) }), err
}

type uses struct{ *unit }

func (r uses) Set(u access.Use) error {
	name := string(u.Credential) + "\x00" + key(int64(u.Key))
	if known, found := r.state.uses.get(name); found && !u.At.After(known.At) {
		return r.writing()
	}
	return put(r.unit, &r.state.uses, name, u, same)
}

func (r uses) All() ([]access.Use, error) { return all(r.unit, r.state.uses, "", same) }

type credentialTokens struct{ *unit }

func (r credentialTokens) Live(of access.CredentialID, at time.Time) (n int, err error) {
	for _, t := range r.state.tokens.from("") {
		family, found := r.state.families.get(key(int64(t.Family)))
		if found && family.Credential == of && !family.Revoked && t.Credential == of && t.Valid(at) {
			n++
		}
	}
	return n, r.reading()
}

func (r credentialTokens) Revoke(of access.CredentialID) (n int, err error) {
	if err := r.writing(); err != nil {
		return 0, err
	}
	for k, f := range r.state.families.from("") {
		if f.Credential == of && !f.Revoked {
			f.Revoked = true
			r.state.families = r.state.families.with(k, f)
			n++
		}
	}
	return n, nil
}

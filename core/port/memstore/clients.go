package memstore

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
)

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

func (r credentials) Used(u access.Use) error {
	name := string(u.Credential) + "\x00" + key(int64(u.Key))
	if known, found := r.state.uses.get(name); found && !u.At.After(known.At) {
		return r.writing()
	}
	return put(r.unit, &r.state.uses, name, u, same)
}

func (r credentials) LastUses() ([]access.Use, error) { return all(r.unit, r.state.uses, "", same) }

func (r tokens) Live(of access.CredentialID, at time.Time) (n int, err error) {
	for t := range r.state.tokens.values() {
		family, found := r.state.families.get(key(int64(t.Family)))
		if found && family.Credential == of && !family.Revoked && t.Credential == of && t.Valid(at) {
			n++
		}
	}
	return n, r.reading()
}

func (r tokens) Revoke(of access.CredentialID) (n int, err error) {
	if err := r.writing(); err != nil {
		return 0, err
	}
	for k, f := range r.state.families.under("") {
		if f.Credential == of && !f.Revoked {
			f.Revoked = true
			r.state.families = r.state.families.with(k, f)
			n++
		}
	}
	return n, nil
}

package memstore

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t tx) Passkeys() port.Passkeys     { return passkeys(t) }
func (t tx) Challenges() port.Challenges { return challenges(t) }

type passkeys struct{ *unit }

func (r passkeys) Get(id string) (operator.Passkey, error) {
	return one(r.unit, r.state.passkeys, id, "passkey", "", same)
}

func (r passkeys) Of(id operator.ID) ([]operator.Passkey, error) {
	every, err := all(r.unit, r.state.passkeys, "", same)
	mine := slices.DeleteFunc(every, func(p operator.Passkey) bool { return p.Operator != id })
	// The keys are the ids, so among equals the order stays theirs.
	slices.SortStableFunc(mine, func(a, b operator.Passkey) int { return a.Added.Compare(b.Added) })
	return mine, err
}

func (r passkeys) Put(p operator.Passkey) error {
	return put(r.unit, &r.state.passkeys, p.ID, p, same)
}

func (r passkeys) Delete(id string) error {
	if err := r.writing(); err != nil {
		return err
	}
	r.state.passkeys = r.state.passkeys.without(id)
	return nil
}

type challenges struct{ *unit }

func (r challenges) Put(c operator.Challenge) error {
	return put(r.unit, &r.state.challenges, string(c.Hash), c, same)
}

func (r challenges) Take(hash access.Hash) (operator.Challenge, error) {
	if err := r.writing(); err != nil {
		return operator.Challenge{}, err
	}
	taken, err := one(r.unit, r.state.challenges, string(hash), "challenge", "", same)
	r.state.challenges = r.state.challenges.without(string(hash))
	return taken, err
}

func (r challenges) Purge(before time.Time, n int) (int, error) {
	gone, err := purge(r.unit, &r.state.challenges, before, n, func(c operator.Challenge) time.Time { return c.Expires })
	return len(gone), err
}

package sqlstore

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (t *tx) Passkeys() port.Passkeys     { return passkeyRole{t} }
func (t *tx) Challenges() port.Challenges { return challengeRole{t} }

var passkeys = mapping[operator.Passkey]{
	table: "passkey",
	keys:  []string{"id"},
	row: func(p *operator.Passkey) row {
		return row{
			{"id", text(&p.ID)}, {"operator_id", whole(&p.Operator)}, {"name", text(&p.Name)}, {"record", text(&p.Record)},
			{"added_at", instant(&p.Added)}, {"used_at", instant(&p.Used)}, {"copied", &p.Copied},
		}
	},
}

type passkeyRole struct{ tx *tx }

func (r passkeyRole) Get(id string) (operator.Passkey, error) {
	return one(r.tx, passkeys, r.tx.holding(passkeys.find("id = ?")), id)
}

// Of sorts in Go: engines sort text by rules of their own.
func (r passkeyRole) Of(id operator.ID) ([]operator.Passkey, error) {
	found, err := list(r.tx, passkeys, r.tx.store.text(passkeys.find("operator_id = ?")), int64(id))
	slices.SortFunc(found, func(a, b operator.Passkey) int {
		if n := a.Added.Compare(b.Added); n != 0 {
			return n
		}
		return strings.Compare(a.ID, b.ID)
	})
	return found, err
}

func (r passkeyRole) Put(p operator.Passkey) error { return put(r.tx, passkeys, p) }

func (r passkeyRole) Delete(id string) error {
	_, err := r.tx.exec(r.tx.store.text(squirrel.Delete("passkey").Where("id = ?")), id)
	return err
}

var challenges = mapping[operator.Challenge]{
	table: "passkey_challenge",
	keys:  []string{"hash"},
	row: func(c *operator.Challenge) row {
		return row{
			{"hash", text(&c.Hash)}, {"purpose", text(&c.Purpose)}, {"operator_id", whole(&c.Operator)}, {"state", text(&c.State)},
			{"expires_at", instant(&c.Expires)},
		}
	},
}

type challengeRole struct{ tx *tx }

func (r challengeRole) Put(c operator.Challenge) error { return put(r.tx, challenges, c) }

func (r challengeRole) Take(hash access.Hash) (operator.Challenge, error) {
	if err := r.tx.writing(); err != nil {
		return operator.Challenge{}, err
	}
	names := challenges.row(new(operator.Challenge)).names()
	taken, err := list(r.tx, challenges, r.tx.store.text(squirrel.Delete("passkey_challenge").Where("hash = ?").
		Suffix("RETURNING "+strings.Join(names, ", "))), string(hash))
	if err != nil || len(taken) == 0 {
		if err == nil {
			err = fmt.Errorf("passkey_challenge: %w", fault.NotFound)
		}
		return operator.Challenge{}, err
	}
	return taken[0], nil
}

func (r challengeRole) Purge(before time.Time, n int) (int, error) {
	return purge(r.tx, challenges, "expires_at", before, n)
}

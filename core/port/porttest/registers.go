package porttest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// registers are the kinds of record that are kept in a port.Register.
func registers() []entity {
	return []entity{
		inRegister[site.Agency]{
			"Agencies", func(tx port.Tx) port.Register[site.Agency] { return tx.Agencies() },
			func(s site.ID, n int64) site.Agency { return sampleAgency(s, agencyID(s, n)) },
			func(s site.ID, n int64) site.Agency { return site.Agency{Site: s, ID: agencyID(s, n)} },
			func(tx port.Tx, s site.ID, n int64) (site.Agency, error) { return tx.Agencies().Get(agencyID(s, n)) },
		},
		inRegister[access.Key]{
			"Keys", func(tx port.Tx) port.Register[access.Key] { return tx.Keys() },
			func(s site.ID, n int64) access.Key { return sampleKey(s, access.KeyID(n)) },
			// Of keys no two have one hash.
			func(s site.ID, n int64) access.Key {
				return access.Key{Site: s, ID: access.KeyID(n), Hash: keyHash(s, access.KeyID(n))}
			},
			func(tx port.Tx, s site.ID, n int64) (access.Key, error) { return tx.Keys().Get(s, access.KeyID(n)) },
		},
		inRegister[webhook.Webhook]{
			"Webhooks", func(tx port.Tx) port.Register[webhook.Webhook] { return tx.Webhooks() },
			func(s site.ID, n int64) webhook.Webhook { return sampleWebhook(s, webhook.ID(n)) },
			func(s site.ID, n int64) webhook.Webhook { return webhook.Webhook{Site: s, ID: webhook.ID(n)} },
			func(tx port.Tx, s site.ID, n int64) (webhook.Webhook, error) {
				return tx.Webhooks().Get(s, webhook.ID(n))
			},
		},
		inRegister[webhook.Auth]{
			"WebhookAuths", func(tx port.Tx) port.Register[webhook.Auth] { return tx.WebhookAuths() },
			func(s site.ID, n int64) webhook.Auth { return sampleAuth(s, webhook.AuthID(n)) },
			func(s site.ID, n int64) webhook.Auth { return webhook.Auth{Site: s, ID: webhook.AuthID(n)} },
			func(tx port.Tx, s site.ID, n int64) (webhook.Auth, error) {
				return tx.WebhookAuths().Get(s, webhook.AuthID(n))
			},
		},
	}
}

// agencyID is the id of an agency that only one site has.
func agencyID(s site.ID, n int64) site.AgencyID { return site.AgencyID(int64(s)*1000 + n) }

// inRegister is one kind of record that is kept in a register: a full one with an
// id, and one with nothing but the id.
type inRegister[T any] struct {
	name         string
	register     func(port.Tx) port.Register[T]
	sample, bare func(site.ID, int64) T
	// get reads one record; nil where they are only listed.
	get func(port.Tx, site.ID, int64) (T, error)
}

// reads are the ways to read the one record of a site.
func (k inRegister[T]) reads(tx port.Tx, s site.ID, n int64) map[string]func() (T, error) {
	ways := map[string]func() (T, error){"in a list": func() (T, error) { return only(k.register(tx).Of(s)) }}
	if k.get != nil {
		ways["by id"] = func() (T, error) { return k.get(tx, s, n) }
	}
	return ways
}

func (k inRegister[T]) isRegister() {}

func (k inRegister[T]) examples() []example {
	return []example{
		{k.name + "ComeBackAsTheyWentIn", k.comeBack},
		{k.name + "AreListedInOrder", k.inOrder},
		{k.name + "AreCopies", k.copies},
	}
}

func (k inRegister[T]) comeBack(t *testing.T, w *world) {
	id := w.site(t)
	for way := range k.reads(port.Tx{}, id, 1) {
		comesBack(t, w, "record "+way, k.sample(id, 1), k.bare(id, 1), func(tx port.Tx, v T) error { return k.register(tx).Put(v) },
			func(tx port.Tx) (T, error) { return k.reads(tx, id, 1)[way]() })
	}
}

func (k inRegister[T]) inOrder(t *testing.T, w *world) {
	id, other, empty := w.site(t), w.site(t), w.site(t)
	w.update(t, func(tx port.Tx) error {
		return each(k.register(tx).Put, k.sample(id, 11), k.sample(id, 9), k.sample(id, 2), k.sample(id, 100), k.bare(other, 9), k.bare(other, 3))
	})
	check := func(tx port.Tx) error {
		got, err := k.register(tx).Of(id)
		same(t, "records", []T{k.sample(id, 2), k.sample(id, 9), k.sample(id, 11), k.sample(id, 100)}, got)
		elsewhere, err2 := k.register(tx).Of(other)
		same(t, "records of another site", []T{k.bare(other, 3), k.bare(other, 9)}, elsewhere)
		none, err3 := k.register(tx).Of(empty)
		same(t, "records of a site without", 0, len(none))
		return errors.Join(err, err2, err3)
	}
	w.view(t, check)
	w.update(t, check)
}

func (k inRegister[T]) copies(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		given := k.sample(id, 1)
		err := k.register(tx).Put(given)
		spoil(&given)
		return err
	})
	read := func(tx port.Tx) error {
		for way, read := range k.reads(tx, id, 1) {
			got, err := read()
			same(t, "record "+way, k.sample(id, 1), got)
			spoil(&got)
			if err != nil {
				return err
			}
		}
		return nil
	}
	for range 2 {
		w.update(t, read)
		w.view(t, read)
	}
}

func (k inRegister[T]) seed(tx port.Tx, s site.ID) error { return k.register(tx).Put(k.sample(s, 1)) }

func (k inRegister[T]) writes(tx port.Tx, s site.ID) map[string]func() error {
	return map[string]func() error{
		"replace one of " + k.name: func() error { return k.register(tx).Put(k.bare(s, 1)) },
		"add one of " + k.name:     func() error { return k.register(tx).Put(k.sample(s, 9)) },
	}
}

func (k inRegister[T]) picture(tx port.Tx, s site.ID) (any, error) { return k.register(tx).Of(s) }

func (k inRegister[T]) command(p program) command {
	n := p.number("id", 3)
	v := draw(p, "record", k.sample, k.bare)(p.site, n)
	picked := draw(p, "kind",
		command{"put", func(tx port.Tx) (any, error) { return nil, k.register(tx).Put(v) }},
		command{"of", func(tx port.Tx) (any, error) { return k.register(tx).Of(p.site) }})
	picked.name += fmt.Sprintf(" %s %d", k.name, n)
	return picked
}

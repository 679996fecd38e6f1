package porttest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// hookKind is the kind of webhooks, which have a role of their own.
type hookKind struct{}

func (k hookKind) examples() []example {
	return []example{
		{"WebhooksComeBackAsTheyWentIn", k.comeBack},
		{"WebhooksAreListedInOrder", k.inOrder},
		{"WebhooksAreCopies", k.copies},
	}
}

func (hookKind) comeBack(t *testing.T, w *world) {
	id := w.site(t)
	put := func(tx port.Tx, v webhook.Webhook) error { return tx.Webhooks().Put(v) }
	comesBack(t, w, "webhook", sampleWebhook(id, 1), webhook.Webhook{Site: id, ID: 1}, put,
		func(tx port.Tx) (webhook.Webhook, error) { return tx.Webhooks().Get(id, 1) })
	comesBack(t, w, "webhook in a list", sampleWebhook(id, 1), webhook.Webhook{Site: id, ID: 1}, put,
		func(tx port.Tx) (webhook.Webhook, error) { return only(tx.Webhooks().Of(id)) })
}

func (hookKind) inOrder(t *testing.T, w *world) {
	id, other, empty := w.site(t), w.site(t), w.site(t)
	w.update(t, func(tx port.Tx) error {
		return each(tx.Webhooks().Put, sampleWebhook(id, 11), sampleWebhook(id, 9), sampleWebhook(id, 100), sampleWebhook(other, 9))
	})
	check := func(tx port.Tx) error {
		got, err := tx.Webhooks().Of(id)
		same(t, "webhooks", []webhook.Webhook{sampleWebhook(id, 9), sampleWebhook(id, 11), sampleWebhook(id, 100)}, got)
		none, err2 := tx.Webhooks().Of(empty)
		same(t, "webhooks of a site without", 0, len(none))
		return errors.Join(err, err2)
	}
	w.view(t, check)
	w.update(t, check)
}

func (hookKind) copies(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		given := sampleWebhook(id, 1)
		err := tx.Webhooks().Put(given)
		spoil(&given)
		return err
	})
	read := func(tx port.Tx) error {
		got, err := tx.Webhooks().Get(id, 1)
		same(t, "webhook", sampleWebhook(id, 1), got)
		all, err2 := tx.Webhooks().Of(id)
		same(t, "webhook in a list", []webhook.Webhook{sampleWebhook(id, 1)}, all)
		spoil(&got, &all)
		return errors.Join(err, err2)
	}
	for range 2 {
		w.update(t, read)
		w.view(t, read)
	}
}

func (hookKind) seed(tx port.Tx, s site.ID) error { return tx.Webhooks().Put(sampleWebhook(s, 1)) }

func (hookKind) writes(tx port.Tx, s site.ID) map[string]func() error {
	return map[string]func() error{
		"replace webhook": func() error { return tx.Webhooks().Put(webhook.Webhook{Site: s, ID: 1}) },
		"add webhook":     func() error { return tx.Webhooks().Put(sampleWebhook(s, 9)) },
	}
}

func (hookKind) picture(tx port.Tx, s site.ID) (any, error) { return tx.Webhooks().Of(s) }

func (hookKind) command(p program) command {
	id := webhook.ID(p.number("id", 3))
	v := draw(p, "record", sampleWebhook(p.site, id), webhook.Webhook{Site: p.site, ID: id})
	return draw(p, "kind",
		command{fmt.Sprintf("put %+v", v), func(tx port.Tx) (any, error) { return nil, tx.Webhooks().Put(v) }},
		command{"webhooks", func(tx port.Tx) (any, error) { return tx.Webhooks().Of(p.site) }})
}

package porttest

import (
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

func (hookKind) seed(tx port.Tx, s site.ID) error { return tx.Webhooks().Put(sampleWebhook(s, 1)) }

func (hookKind) writes(tx port.Tx, s site.ID) map[string]func() error {
	return map[string]func() error{
		"replace webhook": func() error { return tx.Webhooks().Put(webhook.Webhook{Site: s, ID: 1}) },
		"add webhook":     func() error { return tx.Webhooks().Put(sampleWebhook(s, 9)) },
	}
}

func (hookKind) picture(tx port.Tx, s site.ID) (any, error) { return tx.Webhooks().Of(s) }

func (hookKind) command(p program) command { return p.hookCommand() }

package porttest

import (
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// hookKind is the kind of webhooks, which have a role of their own.
type hookKind struct{}

// examples returns none: the programs about webhooks have them come back.
func (hookKind) examples() []example { return nil }

func (hookKind) seed(tx port.Tx, s site.ID) error { return tx.Webhooks().Put(sampleWebhook(s, 1)) }

func (hookKind) writes(tx port.Tx, s site.ID) map[string]func() error {
	return map[string]func() error{
		"replace webhook": func() error { return tx.Webhooks().Put(webhook.Webhook{Site: s, ID: 1}) },
		"add webhook":     func() error { return tx.Webhooks().Put(sampleWebhook(s, 9)) },
	}
}

func (hookKind) picture(tx port.Tx, s site.ID) (any, error) { return tx.Webhooks().Of(s) }

func (hookKind) command(p program) command { return p.hookCommand() }

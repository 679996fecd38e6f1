package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/mail"
	"github.com/vitrine-crm/vitrine/adapters/sender"
	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/alert"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// messenger tells operators of what stands: by mail, and by webhooks, to the addresses that those of sites may
// have.
type messenger struct {
	// mailer is nil in a server that sends no mail.
	mailer *mail.Mailer
	sender port.Sender
}

// NewMessenger returns what tells operators of what stands.
func NewMessenger(mails config.Mailing, hooks config.Hooks) (port.Messenger, error) {
	var m messenger
	var err error
	if mails.SMTPURL != "" {
		if m.mailer, err = mail.New(mails.SMTPURL, mails.MailFrom); err != nil {
			return nil, fmt.Errorf("--smtp-url and --mail-from: %w", err)
		}
	}
	options, err := senderOptions(hooks)
	if err != nil {
		return nil, err
	}
	options.BreakerTimeout = -1 // retries have growing gaps anyway
	m.sender = sender.New(options)
	return m, nil
}

// Sends implements port.Messenger.
func (m messenger) Sends(k alert.ChannelKind) bool { return k != alert.Mail || m.mailer != nil }

// Send implements port.Messenger.
func (m messenger) Send(ctx context.Context, c alert.Channel, of alert.Message) (string, error) {
	if c.Kind == alert.Mail {
		return m.mailer.Send(ctx, mail.Message{ID: of.ID, To: c.Address, Subject: of.Subject(), Text: of.Text()})
	}
	r, err := sender.AlertRequest(c, of, buildinfo.Read().Agent(), time.Now())
	if err != nil {
		return "", err
	}
	a := m.sender.Send(ctx, r)
	if a.Verdict != webhook.Accepted {
		return "", errors.New(a.Reason)
	}
	return fmt.Sprintf("%d %s", a.Status, a.Excerpt), nil
}

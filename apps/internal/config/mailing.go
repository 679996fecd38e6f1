package config

import (
	"errors"

	"github.com/vitrine-crm/vitrine/adapters/mail"
)

// Mailing says how operators are told of what stands.
type Mailing struct {
	SMTPURL  string `name:"smtp-url" env:"VITRINE_SMTP_URL" secret:"" placeholder:"URL" help:"Server that sends alerts by mail: smtps://user:password@host, or smtp:// for one that changes to TLS; without one there is no mail."`
	MailFrom string `env:"VITRINE_MAIL_FROM" placeholder:"ADDRESS" help:"Sender of mail, such as vitrine@example.org."`
}

// Validate reports everything that cannot be right.
func (m Mailing) Validate() error {
	if m.SMTPURL == "" {
		return nil
	}
	if m.MailFrom == "" {
		return errors.New("--smtp-url needs --mail-from")
	}
	_, err := mail.New(m.SMTPURL, m.MailFrom)
	return err
}

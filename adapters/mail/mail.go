// Package mail sends plain text by SMTP, over TLS, with go-mail.
package mail

import (
	"context"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"

	"github.com/wneessen/go-mail"
)

// Mailer sends mail through one server.
type Mailer struct {
	host, from, domain string
	options            []mail.Option
}

// New returns a mailer. address is smtps://user:password@host:port, which speaks TLS from the beginning, or
// smtp://…, which must be able to change to TLS unless it is of this machine. The ports are 465 and 587 by
// default. from is the sender: an address of a mailbox, perhaps with a name before it. An error has no password.
func New(address, from string) (*Mailer, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return nil, errors.New("the address of the mail server is smtps://user:password@host or smtp://user:password@host, with special characters percent-encoded")
	}
	sender, err := netmail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("the sender of mail is an address such as vitrine@example.org: %w", err)
	}
	m := &Mailer{host: u.Hostname(), from: from, domain: sender.Address[strings.LastIndex(sender.Address, "@")+1:]}
	port := 587
	switch {
	case u.Scheme == "smtps":
		port = 465
		m.options = append(m.options, mail.WithSSL())
	case u.Scheme != "smtp":
		return nil, errors.New("the address of the mail server begins with smtps:// or smtp://")
	case isLoopback(m.host):
		m.options = append(m.options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	default:
		m.options = append(m.options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return nil, errors.New("the port of the mail server is a number")
		}
	}
	m.options = append(m.options, mail.WithPort(port), mail.WithHELO(m.domain))
	if password, given := u.User.Password(); given {
		m.options = append(m.options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	return m, nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Message is a mail.
type Message struct {
	// ID makes the Message-ID: a receiver that gets the same one twice can tell.
	ID                string
	To, Subject, Text string
}

// Send sends a mail and returns what the server answered.
func (m *Mailer) Send(ctx context.Context, of Message) (reply string, err error) {
	client, err := mail.NewClient(m.host, m.options...)
	if err != nil {
		return "", err
	}
	message := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(message.From(m.from), message.To(of.To)); err != nil {
		return "", err
	}
	message.SetMessageIDWithValue(of.ID + "@" + m.domain)
	message.SetDate()
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.Subject(of.Subject)
	message.SetBodyString(mail.TypeTextPlain, of.Text)
	if err := client.DialAndSendWithContext(ctx, message); err != nil {
		return "", err
	}
	return message.ServerResponse(), nil
}

package config

import (
	"errors"
	"strings"
)

// ConsolePath is the path below which the console answers.
const ConsolePath = "/console"

// PortalPath is the path below which the portal of clients answers.
const PortalPath = "/portal"

// Console says how the console is served.
type Console struct {
	ConsoleURL
	ConsoleListen string `env:"VITRINE_CONSOLE_LISTEN" placeholder:"ADDRESS" help:"Address the console listens on; by default serve has none, and sandbox has it on the API's."`
	// ConsoleBeside has the console answer on the address of the API, where it has none
	// of its own.
	ConsoleBeside bool `kong:"-"`
	Portal        bool `env:"VITRINE_PORTAL" help:"Answer at /portal/ of the API's address, where clients of the API sign in with id and secret and see what is their own; the sandbox does."`
	OpenID
}

// Validate reports everything that cannot be right.
func (c Console) Validate() error {
	return errors.Join(c.ConsoleURL.Validate(), c.check(c.ConsoleURL.ConsoleURL))
}

// ConsoleURL says where operators reach the console.
type ConsoleURL struct {
	ConsoleURL string `name:"console-url" env:"VITRINE_CONSOLE_URL" placeholder:"URL" help:"Scheme and host under which operators reach the console, shown in links."`
}

// Validate reports everything that cannot be right.
func (c ConsoleURL) Validate() error {
	if !isOrigin(c.ConsoleURL) {
		return errors.New("--console-url must be a scheme and a host, such as https://console.example.org")
	}
	return nil
}

// Page returns where the console begins.
func (c ConsoleURL) Page() string { return c.link("/", "") }

// SetUpLink returns where the first operator comes in, with the secret of the link.
func (c ConsoleURL) SetUpLink(secret string) string { return c.link("/set-up/", secret) }

// InvitationLink returns where somebody comes in who was invited.
func (c ConsoleURL) InvitationLink(secret string) string { return c.link("/invitations/", secret) }

func (c ConsoleURL) link(to, secret string) string {
	return strings.TrimRight(c.ConsoleURL, "/") + ConsolePath + to + secret
}

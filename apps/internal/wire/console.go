package wire

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console"
	"github.com/vitrine-crm/vitrine/adapters/openid"
	"github.com/vitrine-crm/vitrine/adapters/peer"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/backoffice"
)

// console makes the console that is configured, nil for none.
func (s *Server) console() (http.Handler, error) {
	if s.config.ConsoleListen == "" && !s.config.ConsoleBeside {
		if s.config.Issuer != "" || s.config.RequirePasskey {
			return nil, errors.New("--console-oidc-issuer and --console-require-passkey need a console: say --console-listen")
		}
		return nil, nil
	}
	proxies, err := s.config.Proxies()
	if err != nil {
		return nil, err
	}
	options, err := signInOptions(s.config.OpenID)
	if err != nil {
		return nil, err
	}
	if s.Backoffice, err = Backoffice(s.Service, options...); err != nil {
		return nil, err
	}
	return console.New(console.Options{
		Backoffice: s.Backoffice, Site: s.Service, Now: time.Now, Rand: rand.Reader, Prefix: config.ConsolePath,
		Environment: s.config.Environment, Origin: strings.TrimRight(s.config.ConsoleURL.ConsoleURL, "/"), Peer: peer.Behind(proxies), Logger: s.log,
		Locates: s.geocoder != nil,
	})
}

// signInOptions returns how operators sign in besides passwords and passkeys.
func signInOptions(c config.OpenID) (options []backoffice.Option, err error) {
	if c.RequirePasskey {
		options = append(options, backoffice.RequirePasskey())
	}
	if c.Issuer == "" {
		return options, nil
	}
	groups, err := c.GroupRoles()
	provider := openid.New(openid.Config{Issuer: c.Issuer, ClientID: c.ClientID, ClientSecret: c.ClientSecret, GroupsClaim: c.GroupsClaim})
	return append(options, backoffice.OpenID(backoffice.Provider{Provider: provider, Name: c.ProviderName, Groups: groups})), err
}

// isConsole reports whether a path is that of a page of the console.
func isConsole(path string) bool {
	return path == config.ConsolePath || strings.HasPrefix(path, config.ConsolePath+"/")
}

// tellSetUp logs the link by which the first operator comes in, where there is a
// console and no operator.
func (s *Server) tellSetUp(ctx context.Context) error {
	if s.Backoffice == nil {
		return nil
	}
	link, needed, err := s.Backoffice.SetUp(ctx)
	if err == nil && needed {
		s.log.Warn("there is no operator yet: the first one comes in by this link, once", "link", s.Console.SetUpLink(link.Secret), "until", link.Expires.Time)
	}
	return err
}

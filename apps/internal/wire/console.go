package wire

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console"
	"github.com/vitrine-crm/vitrine/adapters/httpapi"
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
	options, err := signInOptions(s.config.OpenID)
	if err != nil {
		return nil, err
	}
	if s.Backoffice, err = Backoffice(s.Service, options...); err != nil {
		return nil, err
	}
	o := console.Options{Backoffice: s.Backoffice, Prefix: config.ConsolePath, Origin: strings.TrimRight(s.config.ConsoleURL.ConsoleURL, "/"), Locates: s.geocoder != nil}
	return s.consoleOf(o)
}

// portal makes the portal of clients that is configured, nil for none.
func (s *Server) portal() (http.Handler, error) {
	if !s.config.Portal {
		return nil, nil
	}
	office := s.Backoffice
	if office == nil { // there is no console
		var err error
		if office, err = Backoffice(s.Service); err != nil {
			return nil, err
		}
	}
	return s.consoleOf(console.Options{Backoffice: office, Prefix: config.PortalPath, Portal: true})
}

// consoleOf makes a console of some options and of what all have.
func (s *Server) consoleOf(o console.Options) (http.Handler, error) {
	proxies, err := s.config.Proxies()
	if err != nil {
		return nil, err
	}
	o.Site, o.Now, o.Rand, o.Environment, o.Peer, o.Logger = s.Service, time.Now, rand.Reader, s.config.Environment, peer.Behind(proxies), s.log
	pages, err := console.New(o)
	if err != nil {
		return nil, err
	}
	return httpapi.CloseAmbiguous(pages), nil
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

// below returns what reports whether a path is that of a page below another one.
func below(prefix string) func(path string) bool {
	return func(path string) bool { return path == prefix || strings.HasPrefix(path, prefix+"/") }
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

package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// OpenID says where operators sign in by OpenID Connect, and what they need besides a password.
type OpenID struct {
	Issuer         string   `name:"console-oidc-issuer" env:"VITRINE_CONSOLE_OIDC_ISSUER" placeholder:"URL" help:"Provider of OpenID Connect where operators sign in, too; it sends them back to /console/sign-in/openid/back below --console-url."`
	ClientID       string   `name:"console-oidc-client-id" env:"VITRINE_CONSOLE_OIDC_CLIENT_ID" placeholder:"ID" help:"What the console is called at the provider."`
	ClientSecret   string   `name:"console-oidc-client-secret" env:"VITRINE_CONSOLE_OIDC_CLIENT_SECRET" secret:"" placeholder:"SECRET" help:"Secret of the console at the provider."`
	ProviderName   string   `name:"console-oidc-name" env:"VITRINE_CONSOLE_OIDC_NAME" default:"your organisation" help:"What the sign-in page calls the provider."`
	GroupsClaim    string   `name:"console-oidc-groups-claim" env:"VITRINE_CONSOLE_OIDC_GROUPS_CLAIM" default:"groups" help:"Claim that has the groups of somebody."`
	Groups         []string `name:"console-oidc-group" env:"VITRINE_CONSOLE_OIDC_GROUP" placeholder:"GROUP=ROLE[:SITE,SITE]" help:"Role of those in a group, at some sites or else at all; repeat for several, of which the first that fits decides the role."`
	RequirePasskey bool     `name:"console-require-passkey" env:"VITRINE_CONSOLE_REQUIRE_PASSKEY" help:"Operators with a password do nothing until they have a passkey."`
}

// GroupRoles returns the groups that give a role, or what is wrong with them.
func (o OpenID) GroupRoles() ([]operator.GroupRole, error) {
	var roles []operator.GroupRole
	for _, text := range o.Groups {
		// The comma between sites also stands between groups.
		if id, err := strconv.ParseInt(text, 10, 64); err == nil && len(roles) > 0 && len(roles[len(roles)-1].Sites) > 0 {
			last := &roles[len(roles)-1]
			last.Sites = append(last.Sites, site.ID(id))
			continue
		}
		at := strings.LastIndexByte(text, '=')
		if at < 1 {
			return nil, fmt.Errorf("--console-oidc-group: %q is not GROUP=ROLE or GROUP=ROLE:SITE,SITE", text)
		}
		name, first, some := strings.Cut(text[at+1:], ":")
		role, known := operator.ParseRole(name)
		if !known {
			return nil, fmt.Errorf("--console-oidc-group: %q is none of the roles %v", name, operator.Roles())
		}
		line := operator.GroupRole{Group: text[:at], Role: role}
		if some {
			id, err := strconv.ParseInt(first, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("--console-oidc-group: %q is not the number of a site", first)
			}
			line.Sites = []site.ID{site.ID(id)}
		}
		roles = append(roles, line)
	}
	return roles, nil
}

// check reports everything that cannot be right, of a console that is reached at an address.
func (o OpenID) check(console string) error {
	var errs []error
	wrong := func(bad bool, message string) {
		if bad {
			errs = append(errs, errors.New(message))
		}
	}
	host := ""
	if u, err := url.Parse(console); err == nil {
		host = u.Hostname()
	}
	_, notAddress := netip.ParseAddr(host)
	wrong(o.RequirePasskey && (host == "" || notAddress == nil), "--console-require-passkey needs a --console-url with a host name: passkeys belong to one")
	roles, err := o.GroupRoles()
	errs = append(errs, err)
	for _, line := range roles {
		for _, id := range line.Sites {
			wrong(id < 1, "--console-oidc-group: a site is a number of at least 1")
		}
	}
	if o.Issuer == "" {
		wrong(o.ClientID != "", "--console-oidc-client-id needs --console-oidc-issuer")
		wrong(o.ClientSecret != "", "--console-oidc-client-secret needs --console-oidc-issuer")
		wrong(len(o.Groups) > 0, "--console-oidc-group needs --console-oidc-issuer")
		return errors.Join(errs...)
	}
	wrong(!isIssuer(o.Issuer), "--console-oidc-issuer must be a URL with https, such as https://id.example.org; http only of this machine")
	wrong(o.ClientID == "", "--console-oidc-issuer needs --console-oidc-client-id")
	wrong(o.ClientSecret == "", "--console-oidc-issuer needs --console-oidc-client-secret")
	wrong(o.ProviderName == "", "--console-oidc-name cannot be empty")
	wrong(o.GroupsClaim == "", "--console-oidc-groups-claim cannot be empty")
	wrong(len(o.Groups) == 0, "--console-oidc-issuer needs --console-oidc-group: without one nobody has a role")
	wrong(console == "", "--console-oidc-issuer needs --console-url, to which the provider sends operators back")
	return errors.Join(errs...)
}

// isIssuer reports whether a URL names an issuer that nobody on the way can read or change.
func isIssuer(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return false
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || err == nil && address.IsLoopback())
}

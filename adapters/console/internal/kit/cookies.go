package kit

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
)

// The cookies. On loopback without TLS they have no prefix, which browsers would
// refuse there. Those of a portal are sent to it alone, and have names of their own.
const (
	SessionCookie = consoleName
	flashCookie   = "vitrine-flash"
	siteCookie    = "vitrine-site"
	BrowserCookie = "vitrine-browser"
	hostPrefix    = "__Host-"
	securePrefix  = "__Secure-"
	consoleName   = "vitrine"
	portalName    = "vitrine-portal"
)

// isSecure reports whether the browser came by TLS, as far as can be told: anywhere
// but on this very machine it is taken to have, because a proxy may end TLS.
func isSecure(r *http.Request) bool {
	if r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		return true
	}
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	if host == "localhost" {
		return false
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err != nil || !address.IsLoopback()
}

func (c *Console) cookieName(r *http.Request, name string) string {
	prefix := hostPrefix
	if c.Portal {
		prefix, name = securePrefix, strings.Replace(name, consoleName, portalName, 1)
	}
	if isSecure(r) {
		return prefix + name
	}
	return name
}

// Cookie returns what the browser sent of a cookie; empty for nothing.
func (c *Console) Cookie(r *http.Request, name string) string {
	sent, err := r.Cookie(c.cookieName(r, name))
	if err != nil {
		return ""
	}
	return sent.Value
}

// SetCookie has the browser keep a value until it closes; an empty one has it forget.
func (c *Console) SetCookie(w http.ResponseWriter, r *http.Request, name, value string) {
	age := 0
	if value == "" {
		age = -1
	}
	c.keepCookie(w, r, name, value, age)
}

// keepCookie has the browser keep a value for so many seconds.
func (c *Console) keepCookie(w http.ResponseWriter, r *http.Request, name, value string, age int) {
	path := "/"
	if c.Portal {
		path = cmp.Or(c.Prefix, path)
	}
	http.SetCookie(w, &http.Cookie{
		Name: c.cookieName(r, name), Value: value, Path: path, MaxAge: age, Secure: isSecure(r), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// SetSession has the browser keep a session, and for a year that somebody signed in.
func (c *Console) SetSession(w http.ResponseWriter, r *http.Request, in backoffice.SignedIn) {
	c.SetCookie(w, r, SessionCookie, in.Secret)
	if in.Browser != "" {
		c.keepCookie(w, r, BrowserCookie, in.Browser, 365*24*60*60)
	}
}

// Package cookies has what the browsers of a console keep.
package cookies

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
	Session      = consoleName
	Flash        = "vitrine-flash"
	Site         = "vitrine-site"
	Browser      = "vitrine-browser"
	hostPrefix   = "__Host-"
	securePrefix = "__Secure-"
	consoleName  = "vitrine"
	portalName   = "vitrine-portal"
)

// Jar reads and sets the cookies of a console.
type Jar struct {
	// PortalPath is the path to which alone those of a portal are sent; empty for a console.
	PortalPath string
}

// IsSecure reports whether the browser came by TLS, as far as can be told: anywhere
// but on this very machine it is taken to have, because a proxy may end TLS.
func IsSecure(r *http.Request) bool {
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

// name returns what the browser calls a cookie.
func (j Jar) name(r *http.Request, name string) string {
	prefix := hostPrefix
	if j.PortalPath != "" {
		prefix, name = securePrefix, strings.Replace(name, consoleName, portalName, 1)
	}
	if IsSecure(r) {
		return prefix + name
	}
	return name
}

// Cookie returns what the browser sent of a cookie; empty for nothing.
func (j Jar) Cookie(r *http.Request, name string) string {
	sent, err := r.Cookie(j.name(r, name))
	if err != nil {
		return ""
	}
	return sent.Value
}

// SetCookie has the browser keep a value until it closes; an empty one has it forget.
func (j Jar) SetCookie(w http.ResponseWriter, r *http.Request, name, value string) {
	age := 0
	if value == "" {
		age = -1
	}
	j.keep(w, r, name, value, age)
}

// keep has the browser keep a value for so many seconds.
func (j Jar) keep(w http.ResponseWriter, r *http.Request, name, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: j.name(r, name), Value: value, Path: cmp.Or(j.PortalPath, "/"), MaxAge: age, Secure: IsSecure(r), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// SetSession has the browser keep a session, and for a year that somebody signed in.
func (j Jar) SetSession(w http.ResponseWriter, r *http.Request, in backoffice.SignedIn) {
	j.SetCookie(w, r, Session, in.Secret)
	if in.Browser != "" {
		j.keep(w, r, Browser, in.Browser, 365*24*60*60)
	}
}

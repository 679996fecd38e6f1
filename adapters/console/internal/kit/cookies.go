package kit

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/vitrine-crm/vitrine/core/backoffice"
)

// The cookies. On loopback without TLS they have no prefix, which browsers would
// refuse there.
const (
	SessionCookie = "vitrine"
	flashCookie   = "vitrine-flash"
	siteCookie    = "vitrine-site"
	BrowserCookie = "vitrine-browser"
	hostPrefix    = "__Host-"
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

func cookieName(r *http.Request, name string) string {
	if isSecure(r) {
		return hostPrefix + name
	}
	return name
}

// Cookie returns what the browser sent of a cookie; empty for nothing.
func Cookie(r *http.Request, name string) string {
	sent, err := r.Cookie(cookieName(r, name))
	if err != nil {
		return ""
	}
	return sent.Value
}

// SetCookie has the browser keep a value until it closes; an empty one has it forget.
func SetCookie(w http.ResponseWriter, r *http.Request, name, value string) {
	age := 0
	if value == "" {
		age = -1
	}
	keepCookie(w, r, name, value, age)
}

// keepCookie has the browser keep a value for so many seconds.
func keepCookie(w http.ResponseWriter, r *http.Request, name, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r, name), Value: value, Path: "/", MaxAge: age, Secure: isSecure(r), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// SetSession has the browser keep a session, and for a year that somebody signed in.
func SetSession(w http.ResponseWriter, r *http.Request, in backoffice.SignedIn) {
	SetCookie(w, r, SessionCookie, in.Secret)
	keepCookie(w, r, BrowserCookie, in.Browser, 365*24*60*60)
}

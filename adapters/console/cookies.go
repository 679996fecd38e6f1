package console

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// The cookies. On loopback without TLS they have no prefix, which browsers would
// refuse there.
const (
	sessionCookie = "vitrine"
	flashCookie   = "vitrine-flash"
	siteCookie    = "vitrine-site"
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

// cookie is what the browser sent of a cookie; empty for nothing.
func cookie(r *http.Request, name string) string {
	sent, err := r.Cookie(cookieName(r, name))
	if err != nil {
		return ""
	}
	return sent.Value
}

// setCookie has the browser keep a value until it closes; an empty one has it forget.
func setCookie(w http.ResponseWriter, r *http.Request, name, value string) {
	c := http.Cookie{
		Name: cookieName(r, name), Value: value, Path: "/", Secure: isSecure(r), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, &c)
}

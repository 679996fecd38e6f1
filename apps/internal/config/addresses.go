package config

import (
	"cmp"
	"net"
)

// Addresses are where a server that runs already can be asked how it is.
type Addresses struct {
	Listen      string `env:"VITRINE_LISTEN" default:"127.0.0.1:8080" help:"Address the API listens on."`
	AdminListen string `env:"VITRINE_ADMIN_LISTEN" placeholder:"ADDRESS" help:"Address of /healthz, /readyz and /metrics; by default they are on the API's."`
	// TLSCert is not read, which who asks may not be allowed to: with it the API speaks TLS.
	TLSCert string `name:"tls-cert" env:"VITRINE_TLS_CERT" placeholder:"FILE" help:"Certificate of the API."`
}

// Ready returns the URL that reports whether the server is ready. Pages for operators that have
// an address of their own are not encrypted.
func (a Addresses) Ready() string {
	scheme := "http"
	if a.AdminListen == "" {
		scheme = TLS{TLSCert: a.TLSCert}.scheme()
	}
	return scheme + "://" + Reachable(cmp.Or(a.AdminListen, a.Listen)) + "/readyz"
}

// Reachable returns an address that can be connected to, where one to listen on says "all of
// them".
func Reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host != "" && (ip == nil || !ip.IsUnspecified()) {
		return address
	}
	return net.JoinHostPort("127.0.0.1", port)
}

package sender

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"syscall"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

const (
	// maxBody is how much of an answer's body is read.
	maxBody = 64 << 10
	// maxHeader is how long an answer's headers may be.
	maxHeader = 64 << 10
	// idle is how long a connection is kept for the next request: less than the
	// five seconds after which common servers hang up, because a request on a
	// connection that is about to be closed fails though nobody is at fault.
	idle = 4 * time.Second
	// idlePerHost is how many are kept: one portal may receive for many webhooks.
	// Those in use have no bound of their own: a request that waited for another
	// to the same host would lose the time its receiver has to answer.
	idlePerHost = 64
	idleInAll   = 256
)

// newTransport returns the transport of net/http, guarded unless a proxy is.
func newTransport(o Options) *http.Transport {
	dialer := &net.Dialer{Timeout: o.Timeout, Resolver: o.Resolver}
	transport := &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs, ClientSessionCache: tls.NewLRUClientSessionCache(0)},
		TLSHandshakeTimeout:    o.Timeout,
		DisableCompression:     true, // a small answer must not become a large one
		MaxIdleConns:           idleInAll,
		MaxIdleConnsPerHost:    idlePerHost,
		IdleConnTimeout:        idle,
		MaxResponseHeaderBytes: maxHeader,
		Protocols:              new(http.Protocols),
	}
	transport.Protocols.SetHTTP1(true) // HTTP/2 would write every header in lower case
	if o.Proxy == nil {
		dialer.Control = guard(o.Allowance)
		return transport
	}
	transport.Proxy = http.ProxyURL(o.Proxy)
	transport.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, r *http.Response) error {
		if r.StatusCode != http.StatusOK {
			return proxyRefusal(r.StatusCode)
		}
		return nil
	}
	return transport
}

// proxyRefusal is the status of a proxy that did not connect us to a receiver.
type proxyRefusal int

func (p proxyRefusal) Error() string { return said("the proxy answered %d", int(p)) }

var errNotPermitted = errors.New(said("the address is not permitted"))

// guard refuses connections at the last moment, when the address cannot change
// any more: a name may resolve to another one each time it is looked up.
func guard(a webhook.Allowance) func(network, address string, _ syscall.RawConn) error {
	return func(network, address string, _ syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err != nil || network != "tcp4" && network != "tcp6" || !a.Permits(target) {
			return errNotPermitted
		}
		return nil
	}
}

// ReadRootCAs reads certificates of authorities from a PEM file, to be trusted
// beside those of the system.
func ReadRootCAs(path string) (*x509.CertPool, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(content) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", path)
	}
	return pool, nil
}

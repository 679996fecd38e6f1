package sender

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
)

const reasonNotPermitted = "the address is not permitted"

// explain puts an error into words for the owner of the webhook, and says whom
// it is about. The words are ours: those of the error can hold addresses, which
// would show everybody who can subscribe webhooks what our network looks like.
func (s *Sender) explain(err error) (string, subject) {
	reached := stageOf(err)
	var (
		name    *net.DNSError
		refusal proxyRefusal
	)
	switch {
	case errors.Is(err, errNotPermitted):
		return reasonNotPermitted, nobody
	case errors.Is(err, errInvalid):
		return "the request could not be made", nobody
	case errors.As(err, &refusal):
		return refusal.Error(), receiver
	case s.proxied && (isProxy(err) || reached == unreached):
		return "the proxy could not be reached", ourselves
	case is(err, syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM):
		return "no connection could be made", ourselves
	case errors.As(err, &name) && name.IsNotFound:
		// A server answered that there is no such name.
		return "the name could not be resolved", receiver
	case errors.As(err, &name):
		return "the name could not be resolved", network
	case isTimeout(err) && reached == ready:
		return "no answer within " + s.timeout.String(), receiver
	case isTimeout(err) && reached > unreached:
		return "TLS: no handshake within " + s.timeout.String(), receiver
	case isTimeout(err):
		return "no connection within " + s.timeout.String(), network
	case is(err, syscall.ECONNREFUSED):
		return "the connection was refused", receiver
	case reached == unreached:
		return "the address could not be reached", network
	}
	if reason := explainTLS(err, reached); reason != "" {
		return reason, receiver
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || is(err, syscall.ECONNRESET, syscall.EPIPE) {
		return "the connection was closed before an answer", receiver
	}
	return "the answer was not HTTP", receiver
}

func explainTLS(err error, reached stage) string {
	var (
		certificate *tls.CertificateVerificationError
		name        x509.HostnameError
		authority   x509.UnknownAuthorityError
		invalid     x509.CertificateInvalidError
		record      tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &name):
		return "TLS: the certificate is for another name"
	case errors.As(err, &authority):
		return "TLS: the certificate is of an unknown authority"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "TLS: the certificate has expired or is not valid yet"
	case errors.As(err, &certificate):
		return "TLS: the certificate is not valid"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "TLS: the answer was not TLS"
	case reached == handshaking:
		return "TLS: the handshake failed"
	}
	return ""
}

// stageOf returns how far the exchange got that ended with an error.
func stageOf(err error) stage {
	var ended *exchangeError
	if errors.As(err, &ended) {
		return ended.stage
	}
	return unreached
}

func is(err error, any ...syscall.Errno) bool {
	for _, one := range any {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// isProxy reports whether it was the proxy that could not be reached.
func isProxy(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "proxyconnect"
}

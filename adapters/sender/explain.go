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

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// said returns why something failed, which is kept in English and can be read in French.
func said(format string, args ...any) string { return fault.Textf(format, args...).String() }

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
		return errNotPermitted.Error(), nobody
	case errors.Is(err, errInvalid):
		return said("the request could not be made"), nobody
	case errors.As(err, &refusal):
		return refusal.Error(), receiver
	case s.proxied && (isProxy(err) || reached == unreached):
		return said("the proxy could not be reached"), ourselves
	case is(err, syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM):
		return said("no connection could be made"), ourselves
	case errors.As(err, &name) && name.IsNotFound:
		// A server answered that there is no such name.
		return said("the name could not be resolved"), receiver
	case errors.As(err, &name):
		return said("the name could not be resolved"), network
	case isTimeout(err) && reached == ready:
		return said("no answer within %s", s.timeout), receiver
	case isTimeout(err) && reached > unreached:
		return said("TLS: no handshake within %s", s.timeout), receiver
	case isTimeout(err):
		return said("no connection within %s", s.timeout), network
	case is(err, syscall.ECONNREFUSED):
		return said("the connection was refused"), receiver
	case reached == unreached:
		return said("the address could not be reached"), network
	}
	if reason := explainTLS(err, reached); reason != "" {
		return reason, receiver
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || is(err, syscall.ECONNRESET, syscall.EPIPE) {
		return said("the connection was closed before an answer"), receiver
	}
	return said("the answer was not HTTP"), receiver
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
		return said("TLS: the certificate is for another name")
	case errors.As(err, &authority):
		return said("TLS: the certificate is of an unknown authority")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return said("TLS: the certificate has expired or is not valid yet")
	case errors.As(err, &certificate):
		return said("TLS: the certificate is not valid")
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return said("TLS: the answer was not TLS")
	case reached == handshaking:
		return said("TLS: the handshake failed")
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

package sender_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sender"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// authority signs certificates for tests.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test CA"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return authority{certificate, key}
}

// issue makes a certificate for a name, valid until a moment.
func (a authority) issue(t *testing.T, name string, until time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: []string{name}, NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: until,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func (a authority) file(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	content := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.certificate.Raw})
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestW22_TLSFailures(t *testing.T) {
	known, stranger := newAuthority(t), newAuthority(t)
	roots, err := sender.ReadRootCAs(known.file(t))
	if err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	dns := nameServer(t)
	dns.point("portal.test", "127.0.0.1")
	for name, c := range map[string]struct {
		config *tls.Config
		reason string // "" when it is accepted
	}{
		"a certificate of a known authority": {&tls.Config{Certificates: []tls.Certificate{known.issue(t, "portal.test", later)}}, ""},
		"TLS 1.2": {&tls.Config{
			Certificates: []tls.Certificate{known.issue(t, "portal.test", later)}, MaxVersion: tls.VersionTLS12,
		}, ""},
		"HTTP/2 offered": {&tls.Config{
			Certificates: []tls.Certificate{known.issue(t, "portal.test", later)}, NextProtos: []string{"h2", "http/1.1"},
		}, ""},
		"TLS 1.1": {&tls.Config{
			Certificates: []tls.Certificate{known.issue(t, "portal.test", later)}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11,
		}, "TLS: the handshake failed"},
		"an unknown authority": {
			&tls.Config{Certificates: []tls.Certificate{stranger.issue(t, "portal.test", later)}}, "TLS: the certificate is of an unknown authority"},
		"an expired certificate": {
			&tls.Config{Certificates: []tls.Certificate{known.issue(t, "portal.test", time.Now().Add(-time.Minute))}},
			"TLS: the certificate has expired or is not valid yet"},
		"another name": {
			&tls.Config{Certificates: []tls.Certificate{known.issue(t, "other.test", later)}}, "TLS: the certificate is for another name"},
		"a certificate of ours wanted": {&tls.Config{
			Certificates: []tls.Certificate{known.issue(t, "portal.test", later)}, ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12,
		}, "TLS: the handshake failed"},
	} {
		t.Run(name, func(t *testing.T) {
			receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if r.ProtoMajor != 1 {
					t.Errorf("the request comes as %s", r.Proto)
				}
			}))
			receiver.Config.ErrorLog = log.New(io.Discard, "", 0)
			receiver.TLS = c.config
			receiver.StartTLS()
			defer receiver.Close()
			_, port, _ := net.SplitHostPort(receiver.Listener.Addr().String())
			s := started(t, sender.Options{Allowance: allow(t, "127.0.0.0/8:*"), Resolver: dns.resolver(), RootCAs: roots})
			got := s.Send(t.Context(), request("https://portal.test:"+port+"/"))
			if (got.Verdict == webhook.Accepted) != (c.reason == "") || got.Reason != c.reason {
				t.Errorf("it is %s for %q, not for %q", got.Verdict, got.Reason, c.reason)
			}
		})
	}
}

func TestW22_WhatIsNotTLS(t *testing.T) {
	s := loopback(t, sender.Options{Timeout: 300 * time.Millisecond})
	for name, c := range map[string]struct {
		serve  func(net.Conn)
		reason string
	}{
		"plain HTTP": {func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			io.Copy(io.Discard, c)
		}, "TLS: the answer was not TLS"},
		"another protocol": {func(c net.Conn) { io.WriteString(c, "220 mail.example ESMTP\r\n"); io.Copy(io.Discard, c) }, "TLS: the answer was not TLS"},
		"nothing":          {func(c net.Conn) { io.Copy(io.Discard, c) }, "TLS: no handshake within 300ms"},
		"hanging up":       {func(net.Conn) {}, "TLS: the handshake failed"},
	} {
		address, _ := listener(t, "127.0.0.1:0", c.serve)
		if got := s.Send(t.Context(), request("https://"+address)); got.Verdict != webhook.Failure || got.Reason != c.reason {
			t.Errorf("%s is %s for %q, not for %q", name, got.Verdict, got.Reason, c.reason)
		}
	}
}

package wire_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
)

// issue makes a certificate of 127.0.0.1 with a serial number, and its key, in PEM.
func issue(t *testing.T, serial int64) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// replace writes a file as those who renew certificates do: another one takes its
// place.
func replace(t *testing.T, path string, content []byte) {
	t.Helper()
	fresh := path + ".new"
	if err := os.WriteFile(fresh, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(fresh, path); err != nil {
		t.Fatal(err)
	}
}

// serial is the number of the certificate that a new connection meets.
func serial(t *testing.T, address string) int64 {
	t.Helper()
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // it asks which certificate there is
	c, err := dialer.DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

func TestTheAPIAndTheConsoleSpeakTLSWithTheLatestCertificate(t *testing.T) {
	folder := t.TempDir()
	certFile, keyFile := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	cert, key := issue(t, 1)
	replace(t, certFile, cert)
	replace(t, keyFile, key)

	path := filepath.Join(folder, "vitrine.db")
	store := database(t, path, "")
	c := config.Server{
		Database: config.Database{Database: path}, Listen: free(t), Console: config.Console{ConsoleListen: free(t)}, AdminListen: free(t),
		TLS: config.TLS{TLSCert: certFile, TLSKey: keyFile}, ShutdownTimeout: 5 * time.Second,
	}
	c.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))
	c.Hooks.Timeout = 1
	server, err := wire.NewServer(t.Context(), c, store, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if server.Domain != "https://"+c.Listen || server.Console.Page() != "https://"+c.ConsoleListen+"/console/" {
		t.Errorf("it tells %s and %s", server.Domain, server.Console.Page())
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()

	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(cert)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	// A body whose length is not told in advance goes through, as does the next request.
	for range 2 {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.Domain+"/api/client/token/site", io.MultiReader(strings.NewReader("site_id=1")))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.SetBasicAuth("nobody", "wrong")
		answer, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusUnauthorized || answer.Proto != "HTTP/1.1" {
			t.Errorf("%s, %s", answer.Status, answer.Proto)
		}
	}
	page, err := client.Get(server.Console.Page())
	if err != nil {
		t.Fatal(err)
	}
	page.Body.Close()
	if page.StatusCode != http.StatusOK {
		t.Errorf("the console answers %s", page.Status)
	}
	if got := status(t, "http://"+c.Listen+"/docs"); got != http.StatusBadRequest {
		t.Errorf("without encryption it answers %d", got)
	}
	if got := status(t, "http://"+c.AdminListen+"/healthz"); got != http.StatusOK {
		t.Errorf("the pages for operators answer %d", got)
	}

	cert, key = issue(t, 2)
	replace(t, certFile, cert)
	if got := serial(t, c.Listen); got != 1 {
		t.Errorf("between the certificate and its key, connections meet certificate %d", got)
	}
	replace(t, keyFile, key)
	for _, address := range []string{c.Listen, c.ConsoleListen} {
		if got := serial(t, address); got != 2 {
			t.Errorf("after the renewal, %s shows certificate %d", address, got)
		}
	}
	if err := os.Remove(keyFile); err != nil {
		t.Fatal(err)
	}
	if got := serial(t, c.Listen); got != 2 {
		t.Errorf("without its key, connections meet certificate %d", got)
	}
}

func TestACertificateThatCannotBeUsedIsTold(t *testing.T) {
	folder := t.TempDir()
	cert, _ := issue(t, 1)
	_, other := issue(t, 2)
	c := config.Server{Listen: free(t), TLS: config.TLS{TLSCert: filepath.Join(folder, "cert.pem"), TLSKey: filepath.Join(folder, "key.pem")}}
	replace(t, c.TLSCert, cert)
	replace(t, c.TLSKey, other)
	store := database(t, filepath.Join(folder, "vitrine.db"), "")
	if _, err := wire.NewServer(t.Context(), c, store, quiet); err == nil || !strings.Contains(err.Error(), "private key does not match") {
		t.Error(err)
	}
	if (config.TLS{TLSCert: "x"}).Validate() == nil || (config.TLS{TLSKey: "x"}).Validate() == nil {
		t.Error("half a certificate is accepted")
	}
}

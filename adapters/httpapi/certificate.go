package httpapi

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
)

// Certificate is a certificate in files. When the files change, as they do when it is
// renewed, connections that begin afterwards are made with what is in them then.
type Certificate struct {
	cert, key string
	log       *slog.Logger

	reading sync.Mutex
	// seen are the files as they were read last.
	seen    [2]os.FileInfo
	current *tls.Certificate
}

// ReadCertificate reads a certificate with its private key. Trouble with files that
// change later goes to the log, and leaves the certificate as it was.
func ReadCertificate(cert, key string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{cert: cert, key: key, log: log}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	c.seen, c.current = c.files(), &pair
	return c, nil
}

// Config returns how connections are made with the certificate. They speak HTTP/1.1, of
// which the server knows how to release clients that stall.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		NextProtos:     []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.latest(), nil },
	}
}

// latest returns the certificate in the files, or the last one that was whole: between the
// new certificate and its new key, the two do not fit.
func (c *Certificate) latest() *tls.Certificate {
	c.reading.Lock()
	defer c.reading.Unlock()
	now := c.files()
	if same(now[0], c.seen[0]) && same(now[1], c.seen[1]) {
		return c.current
	}
	c.seen = now
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		c.log.Error("the certificate changed and cannot be used; the one before it is", "certificate", c.cert, "error", err)
		return c.current
	}
	c.current = &pair
	c.log.Info("the certificate was renewed", "certificate", c.cert, "until", pair.Leaf.NotAfter)
	return c.current
}

// files returns the two files as they are; nil is one that is not there.
func (c *Certificate) files() (found [2]os.FileInfo) {
	for i, path := range []string{c.cert, c.key} {
		if info, err := os.Stat(path); err == nil {
			found[i] = info
		}
	}
	return found
}

// same reports whether a file is the one it was, unchanged as far as can be told
// without reading it.
func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

package config

import "errors"

// TLS says with which certificate connections are encrypted.
type TLS struct {
	TLSCert string `name:"tls-cert" env:"VITRINE_TLS_CERT" type:"existingfile" placeholder:"FILE" help:"Certificate of the API and the console, with those between it and its authority, in PEM; without it they speak plain HTTP."`
	TLSKey  string `name:"tls-key" env:"VITRINE_TLS_KEY" type:"existingfile" placeholder:"FILE" help:"Private key of the certificate, in PEM."`
}

// Validate reports everything that cannot be right.
func (t TLS) Validate() error {
	if (t.TLSCert == "") != (t.TLSKey == "") {
		return errors.New("--tls-cert and --tls-key go together")
	}
	return nil
}

// Encrypted reports whether there is a certificate.
func (t TLS) Encrypted() bool { return t.TLSCert != "" }

func (t TLS) scheme() string {
	if t.Encrypted() {
		return "https"
	}
	return "http"
}

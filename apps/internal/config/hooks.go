package config

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Secrets says how what nobody may read is kept.
type Secrets struct {
	SecretKey string `env:"VITRINE_SECRET_KEY" secret:"" placeholder:"BASE64" help:"32 random bytes in base64 (openssl rand -base64 32), under which secrets are kept; only a sandbox does without."`
}

// Key returns the configured key, nil when there is none.
func (s Secrets) Key() ([]byte, error) {
	if s.SecretKey == "" {
		return nil, nil
	}
	return ParseKey("VITRINE_SECRET_KEY", s.SecretKey)
}

// ParseKey reads a key that came under a name.
func ParseKey(name, text string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != 32 {
		return nil, fmt.Errorf("%s is not the base64 of 32 bytes; make one with: openssl rand -base64 32", name)
	}
	return key, nil
}

// Hooks says how webhooks are delivered.
type Hooks struct {
	RetryDelays []time.Duration `env:"VITRINE_HOOKS_RETRY_DELAYS" default:"1m,5m,25m" help:"Waits before the three retries of a delivery, each at least 1.25 times the one before."`
	Timeout     time.Duration   `env:"VITRINE_HOOKS_TIMEOUT" default:"10s" help:"How long a receiver may take to answer."`
	Lease       time.Duration   `env:"VITRINE_HOOKS_LEASE" default:"30s" help:"How long a process may be silent before others deliver in its place."`
	Allow       string          `env:"VITRINE_HOOKS_ALLOW" placeholder:"CIDR[:PORT]" help:"Addresses and ports that webhooks may reach beyond the public web, such as 10.1.0.0/16:443,127.0.0.0/8:*."`
	AllowHTTP   bool            `name:"allow-http" env:"VITRINE_HOOKS_ALLOW_HTTP" help:"Webhooks may have http URLs."`
	CAFile      string          `name:"ca-file" env:"VITRINE_HOOKS_CA_FILE" type:"existingfile" help:"Certificate authorities that receivers may be certified by, in PEM."`
}

// Validate reports everything that cannot be right.
func (h Hooks) Validate() error {
	if err := h.Delivery().Policy.Check(); err != nil {
		return fmt.Errorf("--hooks-retry-delays: %w", err)
	}
	if h.Timeout <= 0 || h.Lease < h.Timeout {
		return errors.New("--hooks-lease must not be shorter than --hooks-timeout, which must be positive")
	}
	_, err := h.Allowance()
	return err
}

// Allowance returns what webhooks may reach beyond the public web.
func (h Hooks) Allowance() (webhook.Allowance, error) {
	networks, err := webhook.ParseNetworks(h.Allow)
	if err != nil {
		return webhook.Allowance{}, fmt.Errorf("--hooks-allow: %w", err)
	}
	return webhook.Allowance{HTTP: h.AllowHTTP, Networks: networks}, nil
}

// Relaxed lists what is allowed beyond the defaults, for the log.
func (h Hooks) Relaxed() []string {
	var relaxed []string
	if h.AllowHTTP {
		relaxed = append(relaxed, "http URLs")
	}
	if h.Allow != "" {
		relaxed = append(relaxed, "addresses "+h.Allow)
	}
	if h.CAFile != "" {
		relaxed = append(relaxed, "certificates of "+h.CAFile)
	}
	return relaxed
}

// Delivery returns how deliveries are made.
func (h Hooks) Delivery() deliver.Options {
	o := deliver.DefaultOptions()
	if len(h.RetryDelays) > 0 {
		o.Policy.Delays = h.RetryDelays
	}
	o.Lease = cmp.Or(h.Lease, o.Lease)
	return o
}

// Retention says how long what is over is kept.
type Retention struct {
	Ledger     time.Duration `env:"VITRINE_RETAIN_LEDGER" default:"2160h" help:"How long events can be read again."`
	Deliveries time.Duration `env:"VITRINE_RETAIN_DELIVERIES" default:"720h" help:"How long deliveries that are over can be looked up."`
	Log        time.Duration `env:"VITRINE_RETAIN_LOG" default:"720h" help:"How long entries of the application log are kept."`
	Products   time.Duration `env:"VITRINE_RETAIN_PRODUCTS" default:"720h" help:"How long a deleted product can be restored; then it is purged, with its pictures."`
	Receipts   time.Duration `env:"VITRINE_RETAIN_RECEIPTS" default:"24h" help:"How long a request with an Idempotency-Key can be repeated."`
	Audit      time.Duration `env:"VITRINE_RETAIN_AUDIT" default:"9600h" help:"How long it can be seen what operators did."`
}

// Periods returns the periods of retention.
func (r Retention) Periods() kernel.Retention {
	return kernel.Retention{Ledger: r.Ledger, Deliveries: r.Deliveries, Log: r.Log, Receipts: r.Receipts, Audit: r.Audit}
}

// Package sender makes attempts to deliver: one POST each, bounded in time and
// in what is read, to permitted addresses only, and not at all while a breaker
// is open. It never decides about retries or suspension; that is the state
// machine's.
package sender

import (
	"context"
	"crypto/x509"
	"net"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Options say how to send. Their zero value sends to the public web as the
// contract says.
type Options struct {
	// Timeout bounds an attempt in all: looking up the name, connecting,
	// obtaining a token, the answer and what is read of its body. By default 10
	// seconds.
	Timeout time.Duration
	// Allowance is what may be reached beyond the public web.
	Allowance webhook.Allowance
	// Proxy is the HTTP proxy to send through; nil for none, whatever the
	// environment says. A proxy resolves names itself, so it is the proxy that has
	// to keep requests out of private networks.
	Proxy *url.URL
	// RootCAs are the authorities that receivers' certificates are checked
	// against; nil for those of the system. See ReadRootCAs.
	RootCAs *x509.CertPool
	// Resolver looks up names; nil for that of the system.
	Resolver *net.Resolver
	// BreakerTimeout is how long a breaker stays open, by default 30 seconds. It
	// should be at most half the wait before the first retry. When negative,
	// there are no breakers.
	BreakerTimeout time.Duration
	// Registerer takes the metrics; nil for none.
	Registerer prometheus.Registerer
}

const (
	defaultTimeout        = 10 * time.Second
	defaultBreakerTimeout = 30 * time.Second
)

// Sender sends.
type Sender struct {
	timeout   time.Duration
	allowance webhook.Allowance
	proxied   bool
	pause     time.Duration // when it is our own fault
	exchange  exchange
	closeIdle func()
	tokens    *tokens
	hooks     *hookBreakers
	egress    *egress
	metrics   metrics
}

var _ port.Sender = (*Sender)(nil)

// New returns a sender.
func New(o Options) *Sender {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.BreakerTimeout == 0 {
		o.BreakerTimeout = defaultBreakerTimeout
	}
	s := &Sender{
		timeout: o.Timeout, allowance: o.Allowance, proxied: o.Proxy != nil, pause: max(o.BreakerTimeout, time.Second),
		tokens: newTokens(), hooks: newHookBreakers(o.BreakerTimeout), egress: newEgress(o.BreakerTimeout),
	}
	transport := newTransport(o)
	s.exchange, s.closeIdle = over(transport), transport.CloseIdleConnections
	s.metrics = newMetrics(o.Registerer, s.hooks, s.egress)
	return s
}

// Close closes the connections that are kept for the next request.
func (s *Sender) Close() { s.closeIdle() }

// Send makes one attempt, unless a breaker is open.
func (s *Sender) Send(ctx context.Context, r webhook.Request) webhook.Answer {
	answer := s.send(ctx, r)
	s.metrics.count(answer)
	return answer
}

func (s *Sender) send(ctx context.Context, r webhook.Request) webhook.Answer {
	hook, wait := s.hooks.allow(r)
	if hook == nil {
		return deferred("too many attempts of the webhook failed", wait)
	}
	egress, wait := s.egress.allow()
	if egress == nil {
		hook(nobody)
		return deferred(said("the network seems to be down"), wait)
	}
	told := false
	tell := func(ended result) {
		told = true
		hook(ended.about)
		egress(ended.about, evidence{host: ended.host, site: r.Site})
	}
	// A breaker that never hears how its probe ended would hold requests back for
	// ever.
	defer func() {
		if !told {
			tell(result{about: nobody})
		}
	}()
	ended := s.attempt(ctx, r)
	tell(ended)
	switch {
	case ended.about == ourselves:
		return deferred(ended.answer.Reason, s.pause)
	case ended.about == network && s.egress.isToBlame(ctx):
		// Our own network failed: no receiver is charged for that.
		return deferred(ended.answer.Reason, s.egress.wait())
	}
	return ended.answer
}

func deferred(reason string, wait time.Duration) webhook.Answer {
	return webhook.Answer{Verdict: webhook.Deferred, Reason: reason, RetryAfter: wait}
}

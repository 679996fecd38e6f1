package httpapi

import (
	"context"
	"hash/maphash"
	"sync"
	"time"

	"github.com/go-kit/kit/endpoint"
	"github.com/maypok86/otter/v2"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// pollingWindow is the time over which the same search is counted.
const pollingWindow = time.Hour

// polls notices credentials that send the same search over and over instead of
// listening to webhooks. A nil polls counts nothing.
type polls struct {
	seen   *otter.Cache[uint64, *poll]
	seed   maphash.Seed
	most   int
	strict bool
	now    func() time.Time
}

// poll counts one search of one credential.
type poll struct {
	mu    sync.Mutex
	since time.Time
	times int
}

func newPolls(opts Options) *polls {
	if opts.Polling == PollingOff {
		return nil
	}
	return &polls{
		seen: otter.Must(&otter.Options[uint64, *poll]{MaximumSize: 50_000}),
		seed: maphash.MakeSeed(), most: opts.PollingLimit, strict: opts.Polling == PollingStrict, now: opts.Now,
	}
}

// watch counts the requests of an operation, if it is a search.
func (p *polls) watch(o operation) endpoint.Middleware {
	switch {
	case p == nil:
		return pass
	case o.Polling == kernel.PolledLedger:
		return p.watchLedger(o)
	case o.Polling != kernel.PolledSearch:
		return pass
	}
	return func(next endpoint.Endpoint) endpoint.Endpoint {
		return func(ctx context.Context, in any) (any, error) {
			x := exchangeOf(ctx)
			if wait := p.count(p.key(o.ID, x)); wait > 0 {
				if err := p.complain(x, wait, "the same search was sent more than %d times within an hour", p.most); err != nil {
					return nil, err
				}
			}
			return next(ctx, in)
		}
	}
}

// ledgerRest is how long a caller who has seen the whole ledger should leave it
// alone.
const ledgerRest = time.Minute

// watchLedger notices callers who come back soon after they found the ledger had
// nothing new. It is for catching up, not for waiting.
func (p *polls) watchLedger(o operation) endpoint.Middleware {
	return func(next endpoint.Endpoint) endpoint.Endpoint {
		return func(ctx context.Context, in any) (any, error) {
			x := exchangeOf(ctx)
			known := p.of(p.key(o.ID, x))
			if wait := known.rest(p.now()); wait > 0 {
				if err := p.complain(x, wait, "the ledger was read again within a minute of having nothing new"); err != nil {
					return nil, err
				}
			}
			out, err := next(ctx, in)
			if page, ok := out.(kernel.Emptiable); ok && err == nil && page.Empty() {
				known.restFrom(p.now())
			}
			return out, err
		}
	}
}

func (p *poll) rest(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		return 0
	}
	return p.since.Add(ledgerRest).Sub(now)
}

func (p *poll) restFrom(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = now
}

// complain warns the client that is polling, or refuses to answer.
func (p *polls) complain(x *exchange, wait time.Duration, format string, args ...any) error {
	if p.strict {
		return later{fault.New(fault.Limited, fault.CodePollingProhibited, "%s; subscribe to webhooks instead", fault.Textf(format, args...)), wait}
	}
	x.Header().Set("X-Polling-Warning", "use webhooks")
	return nil
}

// key returns the same for the same search of the same credential.
func (p *polls) key(op string, x *exchange) uint64 {
	var h maphash.Hash
	h.SetSeed(p.seed)
	for _, part := range []string{op, string(x.caller.Grant.Credential), x.query} {
		_, _ = h.WriteString(part)
		_ = h.WriteByte(0)
	}
	_, _ = h.Write(x.body)
	return h.Sum64()
}

func (p *polls) of(key uint64) *poll {
	known, ok := p.seen.GetIfPresent(key)
	if !ok {
		known, _ = p.seen.SetIfAbsent(key, &poll{})
	}
	return known
}

// count reports how long the caller has to wait; none while it is not polling.
func (p *polls) count(key uint64) time.Duration {
	known := p.of(key)
	known.mu.Lock()
	defer known.mu.Unlock()
	now := p.now()
	if known.times == 0 || now.Sub(known.since) >= pollingWindow {
		known.since, known.times = now, 0
	}
	if known.times++; known.times <= p.most {
		return 0
	}
	return known.since.Add(pollingWindow).Sub(now)
}

package httpapi

import (
	"context"
	"hash/maphash"
	"strings"
	"sync"
	"time"

	"github.com/go-kit/kit/endpoint"
	"github.com/maypok86/otter/v2"

	"github.com/vitrine-crm/vitrine/core/fault"
)

// pollingWindow is the time over which the same search is counted.
const pollingWindow = time.Hour

// polls notices credentials that send the same search over and over instead of
// listening to webhooks. A nil polls does not look.
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

// watch counts the searches of an operation that is one.
func (p *polls) watch(o operation) endpoint.Middleware {
	if p == nil || !strings.HasSuffix(o.ID, ".search") {
		return pass
	}
	return func(next endpoint.Endpoint) endpoint.Endpoint {
		return func(ctx context.Context, in any) (any, error) {
			x := exchangeOf(ctx)
			if wait := p.count(p.key(o.ID, x)); wait > 0 {
				if p.strict {
					return nil, later{fault.New(fault.Limited, fault.CodePollingProhibited,
						"the same search was sent more than %d times within an hour; subscribe to webhooks instead", p.most), wait}
				}
				x.Header().Set("X-Polling-Warning", "use webhooks")
			}
			return next(ctx, in)
		}
	}
}

// key is the same for the same search of the same credential.
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

// count reports how long the caller has to wait; none while it is not polling.
func (p *polls) count(key uint64) time.Duration {
	known, ok := p.seen.GetIfPresent(key)
	if !ok {
		known, _ = p.seen.SetIfAbsent(key, &poll{})
	}
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

package httpapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/go-kit/kit/endpoint"
	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"

	"github.com/vitrine-crm/vitrine/core/fault"
)

// maxBuckets bounds how many clients are remembered. Whoever is forgotten
// starts with a full bucket.
const maxBuckets = 10_000

// buckets are token buckets by name, the least used forgotten first.
type buckets struct {
	cache *otter.Cache[string, *rate.Limiter]
	limit rate.Limit
	burst int
}

func newBuckets(limit rate.Limit, burst int) *buckets {
	return &buckets{otter.Must(&otter.Options[string, *rate.Limiter]{MaximumSize: maxBuckets}), limit, burst}
}

func (b *buckets) of(name string) *rate.Limiter {
	if known, ok := b.cache.GetIfPresent(name); ok {
		return known
	}
	bucket, _ := b.cache.SetIfAbsent(name, rate.NewLimiter(b.limit, b.burst))
	return bucket
}

// wait is how long until a bucket with so many tokens has one.
func (b *buckets) wait(tokens float64) time.Duration {
	return time.Duration((1 - tokens) / float64(b.limit) * float64(time.Second))
}

// rateLimit bounds the requests of each credential. A nil rateLimit does not.
type rateLimit struct {
	buckets *buckets
	policy  []string
	now     func() time.Time
}

func newRateLimit(opts Options) *rateLimit {
	if opts.Rate.PerSecond < 0 {
		return nil
	}
	window := seconds(time.Duration(float64(opts.Rate.Burst) / opts.Rate.PerSecond * float64(time.Second)))
	return &rateLimit{
		newBuckets(rate.Limit(opts.Rate.PerSecond), opts.Rate.Burst),
		[]string{fmt.Sprintf(`"default";q=%d;w=%d`, opts.Rate.Burst, window)}, opts.Now,
	}
}

// take counts a request of an identified caller, and tells it what is left.
func (l *rateLimit) take(x *exchange) error {
	if l == nil {
		return nil
	}
	now := l.now()
	bucket := l.buckets.of(string(x.caller.Grant.Credential))
	allowed := bucket.AllowN(now, 1)
	tokens := bucket.TokensAt(now)
	full := time.Duration((float64(l.buckets.burst) - tokens) / float64(l.buckets.limit) * float64(time.Second))
	header := x.Header()
	header[policyHeader] = l.policy
	header[rateHeader] = []string{fmt.Sprintf(`"default";r=%d;t=%d`, int(max(tokens, 0)), seconds(full))}
	if !allowed {
		return later{fault.New(fault.Limited, fault.CodeRateLimited, "too many requests"), l.buckets.wait(tokens)}
	}
	return nil
}

var (
	policyHeader = http.CanonicalHeaderKey("RateLimit-Policy")
	rateHeader   = http.CanonicalHeaderKey("RateLimit")
)

// guesses makes guessing client secrets slow: only calls that failed for wrong
// credentials count, by client id and by peer address. A nil guesses does not.
type guesses struct {
	buckets *buckets
	now     func() time.Time
}

func newGuesses(opts Options) *guesses {
	if opts.TokenFailures < 0 {
		return nil
	}
	return &guesses{newBuckets(rate.Limit(float64(opts.TokenFailures)/60), opts.TokenFailures), opts.Now}
}

// guard stands before the operations that hand out tokens.
func (g *guesses) guard(o operation) endpoint.Middleware {
	if g == nil || !o.Public {
		return pass
	}
	return func(next endpoint.Endpoint) endpoint.Endpoint {
		return func(ctx context.Context, in any) (any, error) {
			x := exchangeOf(ctx)
			var suspects []*rate.Limiter
			if x.client != "" {
				suspects = append(suspects, g.buckets.of("client "+x.client))
			}
			suspects = append(suspects, g.buckets.of("peer "+x.peer))
			now := g.now()
			for _, s := range suspects {
				if tokens := s.TokensAt(now); math.Floor(tokens) < 1 {
					return nil, later{fault.New(fault.Limited, fault.CodeRateLimited, "too many failed token calls"), g.buckets.wait(tokens)}
				}
			}
			out, err := next(ctx, in)
			if errors.Is(err, fault.Unauthenticated) {
				for _, s := range suspects {
					s.AllowN(now, 1)
				}
			}
			return out, err
		}
	}
}

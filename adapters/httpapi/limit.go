package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-kit/kit/endpoint"
	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"

	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// maxBuckets bounds how many clients are remembered. A client that is evicted
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

// wait returns how long until a bucket with so many tokens has one.
func (b *buckets) wait(tokens float64) time.Duration {
	return time.Duration((1 - tokens) / float64(b.limit) * float64(time.Second))
}

// rateLimit bounds the requests of each credential. A nil rateLimit does not.
type rateLimit struct {
	buckets *buckets
}

func newRateLimit(opts Options) *rateLimit {
	if opts.Rate.PerSecond < 0 {
		return nil
	}
	return &rateLimit{newBuckets(rate.Limit(opts.Rate.PerSecond), opts.Rate.Burst)}
}

// take counts a request. It reports how many are left, and when all will be
// there again.
func (l *rateLimit) take(of access.CredentialID, now time.Time) (tokens float64, full time.Duration, ok bool) {
	bucket := l.buckets.of(string(of))
	ok = bucket.AllowN(now, 1)
	tokens = bucket.TokensAt(now)
	return tokens, l.full(tokens), ok
}

func (l *rateLimit) full(tokens float64) time.Duration {
	return time.Duration((float64(l.buckets.burst) - tokens) / float64(l.buckets.limit) * float64(time.Second))
}

// limits are all bounds of the requests of a credential, and tell it of them.
type limits struct {
	rate  *rateLimit
	quota *Quota
	now   func() time.Time
	// policy tells of the bounds of all requests; hydrated also of that of
	// searches.
	policy, hydrated []string
}

// The names under which clients are told of each bound.
const (
	ratePolicy     = `"default"`
	quotaPolicy    = `"day"`
	searchesPolicy = `"searches"`
)

func newLimits(opts Options) *limits {
	l := &limits{rate: newRateLimit(opts), quota: opts.Quota, now: opts.Now}
	var policies []string
	if l.rate != nil {
		policies = append(policies, fmt.Sprintf(`%s;q=%d;w=%d`, ratePolicy, opts.Rate.Burst, seconds(l.rate.full(0))))
	}
	if l.quota != nil {
		policies = append(policies, fmt.Sprintf(`%s;q=%d;w=%d`, quotaPolicy, l.quota.most, 24*60*60))
	}
	l.policy = listed(policies)
	if opts.Searches > 0 {
		policies = append(policies, fmt.Sprintf(`%s;q=%d;qu="concurrent-requests"`, searchesPolicy, opts.Searches))
	}
	l.hydrated = listed(policies)
	return l
}

// listed returns a header with the members of a list, nil where there are none.
func listed(members []string) []string {
	if len(members) == 0 {
		return nil
	}
	return []string{strings.Join(members, ", ")}
}

// take counts a request of an identified caller, and tells it what is left. What
// is above the rate does not count towards the quota.
func (l *limits) take(x *exchange, o operation) error {
	header, policy := x.Header(), l.policy
	if o.Weight == kernel.Hydrated {
		policy = l.hydrated
	}
	if policy != nil {
		header[policyHeader] = policy
	}
	if l.rate == nil && l.quota == nil {
		return nil
	}
	now, of := l.now(), x.caller.Grant.Credential
	var left []byte
	var err error
	if l.rate != nil {
		tokens, full, ok := l.rate.take(of, now)
		left = appendLeft(left, ratePolicy, int64(max(tokens, 0)), full)
		if !ok {
			err = later{fault.New(fault.Limited, fault.CodeRateLimited, "too many requests"), l.rate.buckets.wait(tokens)}
		}
	}
	if l.quota != nil && err == nil {
		requests, end, ok := l.quota.take(of, now)
		left = appendLeft(left, quotaPolicy, requests, end)
		if !ok {
			err = spentQuota(end)
		}
	}
	header[rateHeader] = []string{string(left)}
	return err
}

// appendLeft returns what is left of a bound, and after how long all of it is.
func appendLeft(out []byte, policy string, left int64, full time.Duration) []byte {
	if len(out) > 0 {
		out = append(out, ", "...)
	}
	out = append(append(out, policy...), ";r="...)
	out = append(strconv.AppendInt(out, left, 10), ";t="...)
	return strconv.AppendInt(out, int64(seconds(full)), 10)
}

var (
	policyHeader = http.CanonicalHeaderKey("RateLimit-Policy")
	rateHeader   = http.CanonicalHeaderKey("RateLimit")
)

// feedLimits bound how often calendar feeds are read, which needs no credential: each
// feed by itself, and all that a peer address reads as if it were one credential. A nil
// feedLimits bounds nothing.
type feedLimits struct {
	feeds, peers *buckets
	now          func() time.Time
}

// The rate of one feed: programs that show it ask every few minutes, on several devices.
const (
	feedsPerSecond = 1
	feedBurst      = 20
)

func newFeedLimits(opts Options) *feedLimits {
	if opts.Rate.PerSecond < 0 {
		return nil
	}
	return &feedLimits{newBuckets(feedsPerSecond, feedBurst), newBuckets(rate.Limit(opts.Rate.PerSecond), opts.Rate.Burst), opts.Now}
}

// take counts a request of a peer for a feed.
func (l *feedLimits) take(feed, peer string) error {
	if l == nil {
		return nil
	}
	now := l.now()
	for _, one := range []struct {
		*buckets
		name string
	}{{l.peers, access.PeerNetwork(peer)}, {l.feeds, feed}} {
		if bucket := one.of(one.name); !bucket.AllowN(now, 1) {
			return later{fault.New(fault.Limited, fault.CodeRateLimited, "too many requests"), one.wait(bucket.TokensAt(now))}
		}
	}
	return nil
}

// guesses refuses a peer address whose credentials were wrong too often. Right ones
// are always taken: somebody who guesses must not keep out the client they guess at, nor
// who shares their address. A nil guesses refuses nobody.
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
			out, err := next(ctx, in)
			if !errors.Is(err, fault.Unauthenticated) {
				return out, err
			}
			x := exchangeOf(ctx)
			x.claims(err)
			now, peer := g.now(), g.buckets.of(access.PeerNetwork(x.peer))
			if !peer.AllowN(now, 1) {
				err = later{fault.New(fault.Limited, fault.CodeRateLimited, "too many failed token calls"), g.buckets.wait(peer.TokensAt(now))}
			}
			return nil, err
		}
	}
}

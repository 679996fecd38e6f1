package httpapi

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/core/api"
)

// Options are the choices of whoever runs the handler. The zero value of every
// field is a good choice.
type Options struct {
	// Logger gets one line per request; nil logs nothing.
	Logger *slog.Logger
	// Identify finds out whom a bearer token speaks for, for systems that know
	// their callers by other means; nil is Service.Identify.
	Identify func(ctx context.Context, token string) (api.Caller, error)
	// Registerer gets the metrics; nil keeps none.
	Registerer prometheus.Registerer
	// Now is the present moment; nil is time.Now.
	Now func() time.Time
	// Environment is shown as X-Environment on every answer, if it has a name.
	Environment string
	// CORSOrigins lists the origins whose pages may call the API, "*" for all.
	// There are none by default: the API is for servers, which hold secrets.
	CORSOrigins []string
	// BodyLimit is how many bytes of a body are read; 0 is 1 MiB.
	BodyLimit int64
	// FormLimit is how many bytes of a form with files are read; 0 is 25 MiB.
	FormLimit int64
	// RenderCacheBytes bounds the memory of rendered records; 0 is 128 MiB.
	RenderCacheBytes int
	// Rate limits the requests of each credential.
	Rate Rate
	// Quota bounds the requests of each credential in a day; nil does not.
	Quota *Quota
	// Searches is how many searches with fetch a credential may have under way; 0
	// is 5, a negative number is no limit.
	Searches int
	// HeavyReads is how many searches, lists and exports of whole records are
	// worked on at a time, while others wait in turn; 0 is one per processor, a
	// negative number is no limit.
	HeavyReads int
	// TokenFailures is how many token calls of one client id, or of one peer
	// address, may fail within a minute before the next are refused unseen; 0
	// is 10, a negative number is no limit.
	TokenFailures int
	// Polling says what becomes of a search that is sent over and over.
	Polling Polling
	// PollingLimit is how often the same search may be sent within an hour before
	// it counts as polling; 0 is 30.
	PollingLimit int
	// Peer names who is at the other end of the connection. By default it is
	// the address of the connection, an IPv6 one by its /64; behind a proxy it
	// has to come from a header that the proxy sets.
	Peer func(*http.Request) string
	// Document is served as /openapi.json, if there is one.
	Document []byte
	// Calendars writes calendar feeds; nil publishes none.
	Calendars Calendars
	// Docs is served at /docs and below, if there is one.
	Docs http.Handler
}

// Rate is a token bucket. The zero Rate is 100 requests a second with bursts
// of 200.
type Rate struct {
	// PerSecond is how fast the bucket fills; negative is no limit at all.
	PerSecond float64
	// Burst is the size of the bucket.
	Burst int
}

// Polling says what becomes of a search that is sent over and over.
type Polling int

const (
	// PollingWarn answers with the header X-Polling-Warning.
	PollingWarn Polling = iota
	// PollingStrict refuses with polling_prohibited.
	PollingStrict
	// PollingOff counts nothing.
	PollingOff
)

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.BodyLimit == 0 {
		o.BodyLimit = 1 << 20
	}
	if o.FormLimit == 0 {
		o.FormLimit = 25 << 20
	}
	if o.RenderCacheBytes == 0 {
		o.RenderCacheBytes = 128 << 20
	}
	if o.Rate.PerSecond == 0 {
		o.Rate.PerSecond = 100
	}
	if o.Rate.Burst == 0 {
		o.Rate.Burst = max(1, int(2*o.Rate.PerSecond))
	}
	if o.Searches == 0 {
		o.Searches = 5
	}
	if o.HeavyReads == 0 {
		o.HeavyReads = runtime.GOMAXPROCS(0)
	}
	if o.TokenFailures == 0 {
		o.TokenFailures = 10
	}
	if o.PollingLimit == 0 {
		o.PollingLimit = 30
	}
	if o.Peer == nil {
		o.Peer = connectionPeer
	}
	return o
}

// PeerBehind names peers by what the given proxies say of them: the last address
// of X-Forwarded-For that is not itself such a proxy. A header from anybody
// else is not trusted.
func PeerBehind(proxies []netip.Prefix) func(*http.Request) string {
	trusted := func(host string) bool {
		address, err := netip.ParseAddr(host)
		return err == nil && slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(address.Unmap()) })
	}
	return func(r *http.Request) string {
		host, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil || !trusted(host) {
			return connectionPeer(r)
		}
		hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		for _, hop := range slices.Backward(hops) {
			if hop = strings.TrimSpace(hop); hop != "" && !trusted(hop) {
				return network(hop)
			}
		}
		return network(host)
	}
}

// connectionPeer is the address of the connection. Whoever has an IPv6 address
// usually has its whole /64.
func connectionPeer(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return network(host)
}

// network is what an address is counted as: itself, or the /64 around it.
func network(host string) string {
	addr, err := netip.ParseAddr(host)
	if err != nil || addr.Unmap().Is4() {
		return host
	}
	around, err := addr.WithZone("").Prefix(64)
	if err != nil {
		return host
	}
	return around.String()
}

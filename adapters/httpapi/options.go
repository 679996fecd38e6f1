package httpapi

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/core/kernel"
)

// Options are the settings of the handler. The zero value of every
// field is a good choice.
type Options struct {
	// Logger gets one line per request, with the error that was answered with 500; nil logs nothing.
	Logger *slog.Logger
	// Identify finds out whom a bearer token speaks for, for systems that know
	// their callers by other means; nil is Service.Identify.
	Identify func(ctx context.Context, token string) (kernel.Caller, error)
	// IdentifyKey finds out whom an API key speaks for, sent from an address that is
	// not valid where Peer gives none; nil is Service.IdentifyKey.
	IdentifyKey func(ctx context.Context, key string, from netip.Addr) (kernel.Caller, error)
	// Registerer gets the metrics; nil keeps none.
	Registerer prometheus.Registerer
	// Observer is told of every request; nil for none.
	Observer Observer
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
	// TokenFailures is how many token calls of one peer address may fail within a
	// minute before the next that fail are Limited; 0 is 10, a negative number is
	// no limit.
	TokenFailures int
	// Polling says what becomes of a search that is sent over and over.
	Polling Polling
	// PollingLimit is how often the same search may be sent within an hour before
	// it counts as polling; 0 is 30.
	PollingLimit int
	// Peer is the address of who is at the other end of the connection. By default
	// it is the address of the connection; behind a proxy it has to come from a
	// header that the proxy sets.
	Peer func(*http.Request) string
	// Document makes what is served as /openapi.json, when that is first asked for. Without it
	// there is none.
	Document func() ([]byte, error)
	// Calendars writes calendar feeds; nil publishes none.
	Calendars Calendars
	// Docs is served at /docs, one step below it, and below /docs/assets, if there
	// is one.
	Docs http.Handler
	// Faces are pictures that belong to no product, such as logos and portraits of invented
	// agencies, served one step below /photos; nil serves none.
	Faces http.Handler
	// Front is served at / to browsers, which are clients that accept text/html. Where it is
	// set, clients that accept anything are shown the first two calls. With nil everybody is
	// answered that there is nothing.
	Front http.Handler
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

// connectionPeer returns the address of the connection.
func connectionPeer(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// address returns what a peer says as an address, not valid if it is none.
func address(peer string) netip.Addr {
	addr, err := netip.ParseAddr(peer)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}

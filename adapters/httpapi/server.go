package httpapi

import (
	"context"
	"net/http"
	"net/netip"
	"strings"

	"github.com/go-kit/kit/endpoint"
	kithttp "github.com/go-kit/kit/transport/http"
	"github.com/gorilla/mux"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// New returns the API as an http.Handler: the operations that need a token below
// kernel.BasePath, those that hand tokens out at the root, and the public
// pages. It panics when the table of operations contradicts itself, which the
// first test that calls it finds out.
func New(svc *siteapi.Service, opts Options) http.Handler {
	if opts.Identify == nil {
		opts.Identify = svc.Identify
	}
	if opts.IdentifyKey == nil {
		opts.IdentifyKey = svc.IdentifyKey
	}
	s := newServer(identify{opts.Identify, opts.IdentifyKey}, opts)
	s.repeats = svc
	if svc.Requests.Kept() {
		s.recorder = svc.Requests
	}
	s.mount(kernel.BasePath, operations(svc.Operations()))
	s.mount("", operations(svc.TokenOperations()))
	s.mountPages()
	s.mountPhotos(svc)
	s.mountCalendars(svc)
	return s.ready()
}

// identifier tells who a bearer token, or an API key, speaks for.
type identifier interface {
	Identify(ctx context.Context, token string) (kernel.Caller, error)
	IdentifyKey(ctx context.Context, key string, from netip.Addr) (kernel.Caller, error)
}

// operation is a line of the table with what it calls, which tests replace.
type operation struct {
	kernel.Operation
	call func(ctx context.Context, c kernel.Caller, in any) (any, error)
}

// identify is two functions that identify.
type identify struct {
	bearer func(ctx context.Context, token string) (kernel.Caller, error)
	key    func(ctx context.Context, key string, from netip.Addr) (kernel.Caller, error)
}

// Identify implements identifier.
func (f identify) Identify(ctx context.Context, token string) (kernel.Caller, error) {
	return f.bearer(ctx, token)
}

// IdentifyKey implements identifier.
func (f identify) IdentifyKey(ctx context.Context, key string, from netip.Addr) (kernel.Caller, error) {
	return f.key(ctx, key, from)
}

func operations(table []kernel.Operation) []operation {
	out := make([]operation, len(table))
	for i, o := range table {
		out[i] = operation{o, o.Call}
	}
	return out
}

type server struct {
	observer
	who         identifier
	repeats     repeats
	opts        Options
	environment []string
	records     *renderings
	limits      *limits
	guesses     *guesses
	feeds       *feedLimits
	admission   *admission
	polls       *polls
	routes      routes
	router      *mux.Router
	// tokenPaths are the paths of the operations that take Basic credentials.
	tokenPaths map[string]bool
}

func newServer(who identifier, opts Options) *server {
	opts = opts.withDefaults()
	s := &server{
		observer: newObserver(opts), who: who, opts: opts,
		records: newRenderings(opts.RenderCacheBytes),
		limits:  newLimits(opts), guesses: newGuesses(opts), feeds: newFeedLimits(opts), polls: newPolls(opts), admission: newAdmission(opts),
		routes: routes{}, tokenPaths: map[string]bool{},
	}
	if opts.Environment != "" {
		s.environment = []string{opts.Environment}
	}
	return s
}

// mount publishes operations below a prefix. This loop is all the transport
// there is per operation.
func (s *server) mount(prefix string, table []operation) {
	for _, o := range table {
		path := prefix + o.Path
		encoder := newEncoder(o.Operation, s.records)
		first := newAbsentFirst(o)
		s.tokenPaths[path] = s.tokenPaths[path] || o.Public
		s.routes.add(s, o.Method, path, o.ID, kithttp.NewServer(
			endpoint.Chain(first.judging, s.guesses.guard(o), s.admission.admit(o), s.polls.watch(o), s.once(o, encoder))(func(ctx context.Context, in any) (any, error) {
				return o.call(ctx, exchangeOf(ctx).caller, in)
			}),
			s.gate(o, first.decoding(decoderOf(o))),
			encoder.encode,
			kithttp.ServerErrorEncoder(s.fail),
		))
	}
}

// pass returns the middleware that does nothing.
func pass(next endpoint.Endpoint) endpoint.Endpoint { return next }

func (s *server) ready() *server {
	s.router = s.routes.router(s)
	return s
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	closeAmbiguous(w, r)
	s.observe(w, r, func(x *exchange, r *http.Request) {
		defer x.forget()
		defer x.done()
		limit := s.opts.BodyLimit
		if mediaType(r) == "multipart/form-data" {
			limit = s.opts.FormLimit
		}
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		s.allowOrigin(w.Header(), r)
		if strings.Contains(strings.ToUpper(r.URL.EscapedPath()), "%2F") { // it parts no path, and no name has it
			s.unknownRoute(x, r)
			return
		}
		s.router.ServeHTTP(x, unslashed(r))
	})
}

package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"github.com/vitrine-crm/vitrine/adapters/background"
	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/adapters/httpapi"
	"github.com/vitrine-crm/vitrine/adapters/openapi"
	"github.com/vitrine-crm/vitrine/adapters/peer"
	"github.com/vitrine-crm/vitrine/adapters/requestlog"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Server is the API, listening but not yet answering.
type Server struct {
	// Domain is where clients reach the API.
	Domain string
	// Service is what answers there.
	Service *siteapi.Service

	// Backoffice is what operators do, nil in a server without a console; Console is
	// where they reach it.
	Backoffice *backoffice.Service
	Console    config.ConsoleURL
	// Metrics are what /metrics tells.
	Metrics *prometheus.Registry

	config    config.Server
	log       *slog.Logger
	readiness *httpapi.Readiness
	tracing   tracing
	photos    *Photos
	// requests is nil in a server that keeps no requests.
	requests *requestlog.Log
	quota    *httpapi.Quota
	// dispatcher is nil in a server that does not deliver.
	dispatcher *Dispatcher
	// warmed counts the sites that were loaded ahead of their first search.
	warmed prometheus.Counter
	// allowance has the addresses that webhooks, import sources and publication targets may have.
	allowance webhook.Allowance
	// sourceEnded counts the looks at import sources.
	sourceEnded func(outcome string)
	// portalEnded counts the looks at publication targets.
	portalEnded func(outcome string)
	// geocoder is nil in a server that looks up no addresses.
	geocoder port.Geocoder
	// encrypted is nil in a server that speaks plain HTTP.
	encrypted *tls.Config
	listeners []net.Listener
	servers   []*http.Server
}

// NewServer listens on the configured addresses and makes everything that will
// answer there, over a store whose schema is up to date.
func NewServer(ctx context.Context, c config.Server, store *sqlstore.Store, log *slog.Logger) (*Server, error) {
	return NewServerOver(ctx, c, store, func(*kernel.Ports) {}, log)
}

// NewServerOver is NewServer with other ports before the database, through which
// everything goes that the API does: over may put its own before those it is given.
// Trials watch and disturb the API there.
func NewServerOver(ctx context.Context, c config.Server, store *sqlstore.Store, over func(*kernel.Ports), log *slog.Logger) (*Server, error) {
	s := &Server{config: c, log: log, readiness: httpapi.NewReadiness(store.Writable)}
	if err := s.encrypt(); err != nil {
		return nil, err
	}
	public, err := s.open("--listen", c.Listen, s.encrypted)
	if err != nil {
		return nil, err
	}
	s.Domain = c.Domain(public)
	if s.tracing, err = openTracing(ctx, log); err != nil {
		return nil, s.closing(err)
	}
	log = watchOutage(store, s.tracing.logger(log))
	s.log = log
	s.tracing.store(store, c.Database)
	lifetimes := access.DefaultLifetimes()
	lifetimes.Access, lifetimes.Refresh, lifetimes.Family = c.AccessTokenLifetime, c.RefreshTokenLifetime, c.RefreshTokenFamily
	lifetimes.Former = c.FormerSecretLifetime
	allowance, err := c.Hooks.Allowance()
	if err != nil {
		return nil, s.closing(err)
	}
	s.allowance = allowance
	metrics := prometheus.NewRegistry()
	s.Metrics = metrics
	observe(store, metrics)
	if s.photos, err = OpenPhotos(ctx, c.Photos, c.Database, store, metrics, log); err != nil {
		return nil, s.closing(err)
	}
	ports := portsWithPhotos(store, s.photos)
	if err := s.keepRequests(ctx, store, &ports); err != nil {
		return nil, s.closing(err)
	}
	if ports.Messenger, err = NewMessenger(c.Mailing, c.Hooks); err != nil {
		return nil, s.closing(err)
	}
	over(&ports)
	if s.Service, err = newService(ctx, ports, store, c.Secrets, kernel.Options{
		KeepDeleted: c.Retention.Products, Domain: s.Domain, Environment: c.Environment, Lifetimes: lifetimes, CatalogueBytes: c.CatalogueMemory << 20, LoadPatience: loadPatience,
		Hooks: allowance,
	}); err != nil {
		return nil, s.closing(err)
	}
	s.register(metrics)
	metrics.MustRegister(requestMetrics(s.Service)...)
	if !c.NoDispatch {
		if s.dispatcher, err = NewDispatcher(s.Service, c.Hooks, metrics, log); err != nil {
			return nil, s.closing(err)
		}
		s.dispatcher.traced(s.tracing)
	}
	if s.geocoder, err = openGeocoder(s.Service, c.Geocoding, metrics, log); err != nil {
		return nil, s.closing(err)
	}
	s.quota = Quota(s.Service, c)
	if err := s.quota.Tell(ctx); err != nil {
		return nil, s.closing(err)
	}
	c.PublicURL = s.Domain
	handler, err := Handler(s.Service, c, s.quota, s.tracing.requests(), metrics, log)
	if err != nil {
		return nil, s.closing(err)
	}
	if err := s.answer(ctx, handler, httpapi.Admin(s.readiness, metrics)); err != nil {
		return nil, s.closing(err)
	}
	return s, nil
}

// loadPatience is how long a request waits for what is being loaded of its site, as
// long as a heavy one waits for its turn.
const loadPatience = 20 * time.Second

// Document returns the OpenAPI document of a service.
func Document(service *siteapi.Service) ([]byte, error) {
	return openapi.Document(openapi.Info{
		Title:       "Vitrine Site API",
		Description: "Access to the CRM of a network of real-estate agencies: products, customers, leads, transactions, the agenda, and what happens to them.",
		License:     "Apache-2.0",
		Examples:    examples(),
	}, service.Operations(), service.TokenOperations())
}

// Quota bounds the requests of each credential in a day. The server runs it.
func Quota(service *siteapi.Service, c config.Server) *httpapi.Quota {
	return httpapi.NewQuota(c.RateDaily, service, time.Now)
}

// Handler returns the API as it answers clients. observer is told of requests, if there is one.
func Handler(service *siteapi.Service, c config.Server, quota *httpapi.Quota, observer httpapi.Observer, metrics prometheus.Registerer, log *slog.Logger) (http.Handler, error) {
	document := sync.OnceValues(func() ([]byte, error) { return Document(service) })
	proxies, err := c.Proxies()
	if err != nil {
		return nil, err
	}
	browsed := publicPages(service, c, document)
	options := httpapi.Options{
		Peer:   peer.Behind(proxies),
		Logger: log, Registerer: metrics, Observer: observer, Environment: c.Environment, CORSOrigins: c.CORSOrigins,
		RenderCacheBytes: c.RenderMemory << 20, Rate: httpapi.Rate{PerSecond: limit(c.RateLimit), Burst: c.RateBurst}, TokenFailures: limit(c.TokenFailures),
		Quota: quota, Searches: limit(c.RateSearches), HeavyReads: heavyReads(c),
		Polling:   map[string]httpapi.Polling{"off": httpapi.PollingOff, "warn": httpapi.PollingWarn, "strict": httpapi.PollingStrict}[c.Polling],
		Calendars: calendars{}, Document: document, Docs: browsed.Reference, Faces: c.Faces,
	}
	if !c.NoFrontPage {
		options.Front = browsed.Front
	}
	return httpapi.New(service, options), nil
}

// limit returns an option as httpapi takes it. To those who run a server 0 is no limit,
// in every option that can be without one; httpapi, whose zero values mean
// defaults, says it with a negative number.
func limit[N int | float64](option N) N {
	if option == 0 {
		return -1
	}
	return option
}

// heavyReads returns the option as httpapi takes it. By default there is one for each
// processor, and never so many that they hold all connections to the database,
// of which every read needs one: SQLite has two for each processor.
func heavyReads(c config.Server) int {
	if c.HeavyReads != -1 {
		return limit(c.HeavyReads)
	}
	processors := runtime.GOMAXPROCS(0)
	if c.IsPostgres() {
		return max(1, min(processors, c.Connections/2))
	}
	return processors
}

func (s *Server) register(metrics *prometheus.Registry) {
	s.warmed = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "vitrine_warmed_sites_total", Help: "Sites whose search index was loaded ahead of their first search.",
	})
	metrics.MustRegister(
		buildMetric(),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		cached{s.Service.Cached}, s.warmed, s.ages(),
	)
	s.sourceEnded = countLooks(metrics, "import_source", "import sources", transfer.SourceOutcomes())
	s.portalEnded = countLooks(metrics, "publication_target", "publication targets", portals.Outcomes())
}

// closing gives up the listeners because of err.
func (s *Server) closing(err error) error {
	for _, l := range s.listeners {
		err = errors.Join(err, l.Close())
	}
	if s.photos != nil {
		err = errors.Join(err, s.photos.Close())
	}
	return errors.Join(err, s.closeRequests(), s.tracing.close())
}

// Run answers until ctx ends, then finishes the requests under way, and is over
// for good.
func (s *Server) Run(ctx context.Context) error {
	defer s.tracing.closeLast(s.log)
	defer s.photos.Close()
	defer func() {
		if err := s.closeRequests(); err != nil {
			s.log.Error("closing the request log", "error", err)
		}
	}()
	group, running := errgroup.WithContext(ctx)
	for i, server := range s.servers {
		group.Go(func() error {
			if err := server.Serve(s.listeners[i]); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		})
	}
	group.Go(func() error {
		s.quota.Run(running, s.uncounted)
		return nil
	})
	group.Go(func() error { return background.Run(running, s.Service, s.work()) })
	group.Go(func() error {
		<-running.Done()
		return s.stop()
	})
	err := group.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastCountsWithin)
	defer cancel()
	if err := s.quota.Tell(last); err != nil {
		s.uncounted(err)
	}
	background.Flush(last, s.Service, s.log)
	return err
}

// consoleLinks returns what links to pages of the console begin with, empty where there is none.
func (s *Server) consoleLinks() string {
	if s.Backoffice == nil {
		return ""
	}
	return strings.TrimRight(s.Console.Page(), "/")
}

// copiers is how many pictures' copies are made at a time.
const copiers = 2

// work returns what the server does besides answering.
func (s *Server) work() background.Options {
	o := background.Options{
		Geocoder: s.geocoder, Files: exchange.Uploads{Web: exchange.NewWeb(webhook.Allowance{HTTP: true})},
		Sources: s.sourceFiles(), SourceEnded: s.sourceEnded,
		Portals: s.outbox(), PortalEnded: s.portalEnded,
		Alerts: true, Console: s.consoleLinks(),
		Warm: !s.config.NoWarmUp, Warmed: s.warmed.Inc,
		Copiers: copiers, Sweep: cmp.Or(s.config.PhotosSweepAge, time.Hour),
		Retention: s.config.Retention.Periods(), Requests: s.config.Requests.Retention(), Logger: s.log,
	}
	if s.dispatcher != nil {
		o.Sender, o.Deliver = s.dispatcher.work.Sender, s.dispatcher.work.Deliver
	}
	return o
}

// lastCountsWithin is how long a server that stops tries to keep the counts of
// requests and the last uses of credentials.
const lastCountsWithin = 5 * time.Second

func (s *Server) uncounted(err error) { s.log.Error("keeping the counts of requests", "error", err) }

func (s *Server) stop() error {
	s.readiness.Drain()
	time.Sleep(s.config.DrainDelay)
	s.log.Info("stopping", "grace", s.config.ShutdownTimeout.String())
	ctx, cancel := context.WithTimeout(context.Background(), s.config.ShutdownTimeout)
	defer cancel()
	var failed error
	for _, server := range s.servers {
		if err := server.Shutdown(ctx); err != nil {
			failed = errors.Join(failed, fmt.Errorf("requests were cut off after %s: %w", s.config.ShutdownTimeout, err), server.Close())
		}
	}
	return failed
}

// Package geocode finds out where addresses are: from online services that
// speak the protocol of the French national address service or that of
// Nominatim, and from a file of towns.
package geocode

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/sony/gobreaker/v2"
	"golang.org/x/time/rate"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Options say how an online service is asked. Their zero value is good for the
// public national address service; Nominatim needs a URL.
type Options struct {
	// URL is where the service's /search is found.
	URL string
	// PerSecond is how many requests are sent a second; 0 is what the service
	// allows to everybody.
	PerSecond float64
	// Timeout bounds a request in all, by default 10 seconds.
	Timeout time.Duration
	// BreakerTimeout is how long a service that failed several times in a row is
	// left alone, by default 30 seconds.
	BreakerTimeout time.Duration
	// Registerer takes the metrics; nil for none.
	Registerer prometheus.Registerer
}

const (
	defaultTimeout        = 10 * time.Second
	defaultBreakerTimeout = 30 * time.Second
	// agent says who asks, as operators of services want to know.
	agent = "Vitrine (+https://github.com/vitrine-crm/vitrine)"
	// failures in a row open the breaker.
	failures = 5
	// Answers are remembered for a day: flats of one building have one address.
	remembered    = 10_000
	rememberedFor = 24 * time.Hour
)

// protocol is what differs between services.
type protocol interface {
	// query is the question as the parameters of /search; nil when the service
	// does not cover the country.
	query(product.Address) url.Values
	// read finds the place in the body of an answer to a question; NotFound when
	// there is none.
	read(body []byte, asked product.Address) (product.Place, error)
}

// Online is a service that is asked over HTTP: at its pace, behind a breaker,
// once about an address.
type Online struct {
	protocol protocol
	search   *url.URL
	timeout  time.Duration
	http     *http.Client
	pace     *rate.Limiter
	breaker  *gobreaker.CircuitBreaker[product.Place]
	known    *otter.Cache[product.Address, answer]
	quiet    quiet
	metrics  metrics
}

// answer is what a service said: a place, or NotFound.
type answer struct {
	place product.Place
	err   error
}

var _ port.Geocoder = (*Online)(nil)

func online(p protocol, o Options) (*Online, error) {
	base, err := url.Parse(o.URL)
	if err != nil || base.Scheme != "https" && base.Scheme != "http" || base.Host == "" {
		return nil, fmt.Errorf("%q is no URL of a geocoder, such as https://geocoder.example.org", o.URL)
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.BreakerTimeout <= 0 {
		o.BreakerTimeout = defaultBreakerTimeout
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = maxHeader
	c := &Online{
		protocol: p, search: base.JoinPath("search"), timeout: o.Timeout,
		http: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		pace: rate.NewLimiter(rate.Limit(o.PerSecond), max(1, int(o.PerSecond))),
		breaker: gobreaker.NewCircuitBreaker[product.Place](gobreaker.Settings{
			MaxRequests: 1, Timeout: o.BreakerTimeout,
			ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= failures },
			IsSuccessful: func(err error) bool { return err == nil || isAnswer(err) },
			IsExcluded:   func(err error) bool { return errors.Is(err, context.Canceled) || errors.Is(err, fault.Limited) },
		}),
		known: otter.Must(&otter.Options[product.Address, answer]{
			MaximumSize: remembered, ExpiryCalculator: otter.ExpiryWriting[product.Address, answer](rememberedFor),
		}),
	}
	c.metrics = newMetrics(o.Registerer, c.breaker)
	return c, nil
}

// isAnswer reports whether an error is about the address.
func isAnswer(err error) bool { return errors.Is(err, fault.NotFound) || errors.Is(err, fault.Invalid) }

// Locate implements port.Geocoder.
func (c *Online) Locate(ctx context.Context, a product.Address) (product.Place, error) {
	query := c.protocol.query(a)
	if query == nil {
		return product.Place{}, notFound()
	}
	key := a.Folded()
	if known, ok := c.known.GetIfPresent(key); ok {
		return known.place, known.err
	}
	if err := c.quiet.check(); err != nil {
		return product.Place{}, err
	}
	place, err := c.breaker.Execute(func() (product.Place, error) {
		if err := c.pace.Wait(ctx); err != nil {
			return product.Place{}, err
		}
		return c.ask(ctx, query, a)
	})
	switch {
	case errors.Is(err, gobreaker.ErrOpenState), errors.Is(err, gobreaker.ErrTooManyRequests):
		return product.Place{}, fmt.Errorf("the geocoder failed too often: %w", fault.Unavailable)
	case err == nil, errors.Is(err, fault.NotFound):
		c.known.Set(key, answer{place, err})
	}
	return place, err
}

// ask makes one request.
func (c *Online) ask(ctx context.Context, query url.Values, a product.Address) (product.Place, error) {
	began := time.Now()
	body, err := c.fetch(ctx, query)
	var place product.Place
	if err == nil {
		place, err = c.protocol.read(body, a)
	}
	if ctx.Err() != nil {
		return product.Place{}, ctx.Err() // we gave up, not the service
	}
	c.metrics.count(err, time.Since(began))
	return place, err
}

func notFound() error { return fmt.Errorf("the geocoder knows no such address: %w", fault.NotFound) }

// Close closes the connections that are kept for the next request.
func (c *Online) Close() { c.http.CloseIdleConnections() }

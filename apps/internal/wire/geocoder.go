package wire

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/geocode"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/locate"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// Locator looks up the addresses of products.
type Locator struct {
	service  *siteapi.Service
	geocoder port.Geocoder
	options  locate.Options
}

// lookForAddresses is how often addresses are looked for that nobody in this
// process announced.
const lookForAddresses = 2 * time.Second

// NewLocator makes the locator that is configured; nil for none.
func NewLocator(service *siteapi.Service, c config.Geocoding, metrics prometheus.Registerer, log *slog.Logger) (*Locator, error) {
	geocoder, err := newGeocoder(c, metrics)
	if err != nil || geocoder == nil {
		return nil, err
	}
	log.Info("addresses without coordinates are looked up", "geocoder", c.Geocoder, "url", c.GeocoderURL, "towns", c.GeocoderFile)
	l := &Locator{service: service, geocoder: geocoder, options: locate.DefaultOptions()}
	l.options.Observe = locateObserver{log}
	metrics.MustRegister(newUnlocated(service))
	return l, nil
}

func newGeocoder(c config.Geocoding, metrics prometheus.Registerer) (port.Geocoder, error) {
	var towns *geocode.Towns
	var err error
	switch {
	case c.GeocoderFile != "":
		towns, err = geocode.ReadTownsFile(c.GeocoderFile)
	case c.Towns != "":
		towns, err = geocode.ReadTowns(strings.NewReader(c.Towns))
	}
	if err != nil {
		return nil, fmt.Errorf("--geocoder-file: %w", err)
	}
	options := geocode.Options{URL: c.GeocoderURL, PerSecond: c.GeocoderRate, Registerer: metrics}
	var online *geocode.Online
	switch c.Geocoder {
	case "ban":
		online, err = geocode.BAN(options)
	case "nominatim":
		online, err = geocode.Nominatim(options)
	case "offline":
		if towns == nil {
			return nil, errors.New("--geocoder=offline needs --geocoder-file")
		}
		return towns, nil
	default:
		return nil, nil
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("--geocoder-url: %w", err)
	case towns == nil:
		return online, nil
	default:
		return geocode.Either{First: online, Second: towns}, nil
	}
}

// Run looks up addresses until ctx ends.
func (l *Locator) Run(ctx context.Context) error {
	ticker := time.NewTicker(lookForAddresses)
	defer ticker.Stop()
	o := l.options
	o.Tick = ticker.C
	return l.service.Locate.Run(ctx, l.geocoder, o)
}

// locateObserver logs what goes wrong.
type locateObserver struct{ log *slog.Logger }

// GivenUp implements locate.Observer.
func (o locateObserver) GivenUp(id site.ID, p product.ID, err error) {
	o.log.Warn("an address is not looked up", "site", int64(id), "product", int64(p), "error", err)
}

// Trouble implements locate.Observer.
func (o locateObserver) Trouble(err error) { o.log.Error("looking up addresses", "error", err) }

// unlocated tells how far behind the locators of all processes are.
type unlocated struct {
	service       *siteapi.Service
	events, sites *prometheus.Desc
}

func newUnlocated(s *siteapi.Service) *unlocated {
	return &unlocated{
		service: s,
		events:  prometheus.NewDesc("vitrine_geocoder_events_behind", "Events that nobody has looked through for addresses yet.", nil, nil),
		sites:   prometheus.NewDesc("vitrine_geocoder_sites_behind", "Sites whose products are yet to be looked through for addresses.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (u *unlocated) Describe(out chan<- *prometheus.Desc) {
	out <- u.events
	out <- u.sites
}

// Collect implements prometheus.Collector.
func (u *unlocated) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	behind, err := u.service.Locate.Backlog(ctx)
	if err != nil {
		return
	}
	out <- prometheus.MustNewConstMetric(u.events, prometheus.GaugeValue, float64(behind.Events))
	out <- prometheus.MustNewConstMetric(u.sites, prometheus.GaugeValue, float64(behind.Sites))
}

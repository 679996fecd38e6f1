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
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// openGeocoder makes the geocoder that is configured; nil for none.
func openGeocoder(service *siteapi.Service, c config.Geocoding, metrics prometheus.Registerer, log *slog.Logger) (port.Geocoder, error) {
	geocoder, err := newGeocoder(c, metrics)
	if err != nil || geocoder == nil {
		return nil, err
	}
	log.Info("addresses without coordinates are looked up", "geocoder", c.Geocoder, "url", c.GeocoderURL, "towns", c.GeocoderFile)
	metrics.MustRegister(newUnlocated(service))
	return geocoder, nil
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

package wire

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// cached has the metrics tell what a service keeps of sites in memory.
type cached struct {
	usage func() map[string]memory.Usage
}

var (
	cachedBytes = prometheus.NewDesc("vitrine_cache_bytes",
		"Memory of what is kept of sites, by kind (catalogue, search_requests, settings, rejections, vocabularies).", []string{"kind"}, nil)
	cachedSites     = prometheus.NewDesc("vitrine_cache_sites", "Sites of which it is kept, by kind.", []string{"kind"}, nil)
	cachedLoads     = prometheus.NewDesc("vitrine_cache_loads_total", "Loads of what was not kept, by kind.", []string{"kind"}, nil)
	cachedEvictions = prometheus.NewDesc("vitrine_cache_evictions_total", "What was given up to make room, by kind.", []string{"kind"}, nil)
)

// Describe implements prometheus.Collector.
func (cached) Describe(told chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{cachedBytes, cachedSites, cachedLoads, cachedEvictions} {
		told <- desc
	}
}

// cachedKinds are told of though nothing was asked for yet.
var cachedKinds = []string{"catalogue", "search_requests", "settings", "rejections", "vocabularies"}

// Collect implements prometheus.Collector.
func (c cached) Collect(told chan<- prometheus.Metric) {
	usage := c.usage()
	for _, kind := range cachedKinds {
		u := usage[kind]
		told <- prometheus.MustNewConstMetric(cachedBytes, prometheus.GaugeValue, float64(u.Bytes), kind)
		told <- prometheus.MustNewConstMetric(cachedSites, prometheus.GaugeValue, float64(u.Values), kind)
		told <- prometheus.MustNewConstMetric(cachedLoads, prometheus.CounterValue, float64(u.Loads), kind)
		told <- prometheus.MustNewConstMetric(cachedEvictions, prometheus.CounterValue, float64(u.Evictions), kind)
	}
}

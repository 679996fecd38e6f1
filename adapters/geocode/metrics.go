package geocode

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sony/gobreaker/v2"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

type metrics struct {
	requests *prometheus.CounterVec
	seconds  prometheus.Histogram
}

func newMetrics(r prometheus.Registerer, b *gobreaker.CircuitBreaker[product.Place]) metrics {
	m := metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_geocoder_requests_total", Help: "Requests to the geocoder, by what came of them.",
		}, []string{"result"}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "vitrine_geocoder_request_seconds", Help: "Time from a request to its answer, or to its failure.",
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}),
	}
	for _, result := range []string{"found", "nothing", "refused", "limited", "failed"} {
		m.requests.WithLabelValues(result) // so that rates begin at 0
	}
	if r != nil {
		r.MustRegister(m.requests, m.seconds, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "vitrine_geocoder_breaker_open", Help: "1 while the geocoder is left alone because requests failed.",
		}, func() float64 {
			if b.State() == gobreaker.StateClosed {
				return 0
			}
			return 1
		}))
	}
	return m
}

func (m metrics) count(err error, took time.Duration) {
	result := "failed"
	switch {
	case err == nil:
		result = "found"
	case errors.Is(err, fault.NotFound):
		result = "nothing"
	case errors.Is(err, fault.Invalid):
		result = "refused"
	case errors.Is(err, fault.Limited):
		result = "limited"
	}
	m.requests.WithLabelValues(result).Inc()
	m.seconds.Observe(took.Seconds())
}

package sender

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// metrics count attempts. None of them names a webhook or a host: there can be
// any number of those.
type metrics struct {
	attempts  *prometheus.CounterVec
	deferrals prometheus.Counter
	seconds   prometheus.Histogram
}

func newMetrics(r prometheus.Registerer, hooks *hookBreakers, out *egress) metrics {
	m := metrics{
		attempts: register(r, prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "vitrine_hook_attempts_total", Help: "Attempts to deliver, by how they ended.",
		}, []string{"verdict"})),
		deferrals: register(r, prometheus.NewCounter(prometheus.CounterOpts{
			Name: "vitrine_hook_deferrals_total", Help: "Attempts that were put off through no fault of the receiver.",
		})),
		seconds: register(r, prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "vitrine_hook_attempt_seconds",
			Help:    "Time from the beginning of an attempt to its answer, or to its failure.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		})),
	}
	register(r, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "vitrine_hook_breakers_open", Help: "Webhooks that are left alone for a while because attempts failed.",
	}, hooks.opened))
	register(r, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "vitrine_egress_breaker_open", Help: "1 while our own network is taken to be down.",
	}, func() float64 {
		if out.isOpen() {
			return 1
		}
		return 0
	}))
	for v := range webhook.Verdicts {
		if v != webhook.Deferred {
			m.attempts.WithLabelValues(v.String()) // so that rates begin at 0
		}
	}
	return m
}

// register returns a collector that is registered, unless there is nowhere to; the
// one that already was, when there are several senders.
func register[C prometheus.Collector](r prometheus.Registerer, c C) C {
	if r == nil {
		return c
	}
	if err := r.Register(c); err != nil {
		var already prometheus.AlreadyRegisteredError
		if !errors.As(err, &already) {
			panic(err)
		}
		return already.ExistingCollector.(C)
	}
	return c
}

func (m metrics) count(a webhook.Answer) {
	if a.Verdict == webhook.Deferred {
		m.deferrals.Inc()
		return
	}
	m.attempts.WithLabelValues(a.Verdict.String()).Inc()
	m.seconds.Observe(a.Duration.Seconds())
}

package wire

import (
	"context"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/adapters/sources"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

const (
	// fetchSourceWithin bounds the time that getting the file of a source may take.
	fetchSourceWithin = 10 * time.Minute
	// readSourcesWithin bounds the time that a scrape waits for the ages of sources.
	readSourcesWithin = 2 * time.Second
)

// sourceFiles returns what looks for the files of import sources, at the addresses that webhooks may have.
func (s *Server) sourceFiles() transfer.SourceFiles {
	web := exchange.NewWeb(webhook.Allowance{HTTP: true})
	return sources.New(sources.Options{
		Root: s.config.ImportFolder, Client: exchange.NewClient(s.allowance, fetchSourceWithin), Insecure: s.allowance.HTTP,
		Open: func(name, format, beside string) (transfer.ImportFile, error) {
			return exchange.OpenBeside(name, exchange.Format(format), beside, web)
		},
	})
}

// countSources counts the looks at import sources by how they ended.
func (s *Server) countSources(metrics prometheus.Registerer) {
	looks := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "vitrine_import_source_looks_total", Help: "Looks of this process at import sources, by outcome (unchanged, done, refused, failed, stopped, interrupted).",
	}, []string{"outcome"})
	metrics.MustRegister(looks)
	for _, outcome := range transfer.SourceOutcomes() {
		looks.WithLabelValues(outcome)
	}
	s.sourceEnded = func(outcome string) { looks.WithLabelValues(outcome).Inc() }
}

// sourceAges tells how long ago each import source was as it should be.
type sourceAges struct {
	sources *transfer.Sources
	age     *prometheus.Desc
}

func newSourceAges(s *transfer.Sources) sourceAges {
	return sourceAges{s, prometheus.NewDesc("vitrine_import_source_age_seconds",
		"How long ago the source last had a file that was taken over, or the answer that it is the same; of sources that are not paused.", []string{"site", "source"}, nil)}
}

// Describe implements prometheus.Collector.
func (a sourceAges) Describe(out chan<- *prometheus.Desc) { out <- a.age }

// Collect implements prometheus.Collector. It tells nothing where the database does not answer.
func (a sourceAges) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readSourcesWithin)
	defer cancel()
	all, err := a.sources.All(ctx)
	if err != nil {
		return
	}
	for _, s := range all {
		if s.Settings.Paused {
			continue
		}
		out <- prometheus.MustNewConstMetric(a.age, prometheus.GaugeValue, time.Since(s.State.LastGood()).Seconds(),
			strconv.FormatInt(int64(s.Site), 10), strconv.FormatInt(int64(s.ID), 10))
	}
}

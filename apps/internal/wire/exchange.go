package wire

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/exchange"
	"github.com/vitrine-crm/vitrine/adapters/portals"
	"github.com/vitrine-crm/vitrine/adapters/sources"
	"github.com/vitrine-crm/vitrine/apps/internal/buildinfo"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	outbox "github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

const (
	// moveFileWithin bounds the time that getting the file of a source, or sending that of a target, may take.
	moveFileWithin = 10 * time.Minute
	// readAgesWithin bounds the time that a scrape waits for the ages of sources and targets.
	readAgesWithin = 2 * time.Second
)

// sourceFiles returns what looks for the files of import sources, at the addresses that webhooks may have.
func (s *Server) sourceFiles() transfer.SourceFiles {
	web := exchange.NewWeb(webhook.Allowance{HTTP: true})
	return sources.New(sources.Options{
		Root: s.config.ImportFolder, Client: exchange.NewClient(s.allowance, moveFileWithin), Insecure: s.allowance.HTTP,
		Open: func(name string, of operator.SourceSettings, beside string) (transfer.ImportFile, error) {
			return exchange.OpenBeside(name, exchange.Format(of.Format), of.Mapping, beside, web)
		},
	})
}

// outbox returns what makes the files of publication targets, at the addresses that webhooks may have.
func (s *Server) outbox() outbox.Outbox {
	return portals.New(portals.Options{
		Root: s.config.ExportFolder, Client: exchange.NewClient(s.allowance, moveFileWithin), Insecure: s.allowance.HTTP,
		Application: buildinfo.Read().Agent(), Version: exchange.Version,
		Listings: func(format string, partial bool, w io.Writer) (portals.Listings, string, error) {
			listings, err := exchange.NewWriter(w, exchange.Format(format), partial)
			if err != nil {
				return nil, "", err
			}
			return listings, listings.Name, nil
		},
	})
}

// countLooks returns what counts looks by how they ended.
func countLooks(metrics prometheus.Registerer, name, what string, outcomes []string) func(outcome string) {
	looks := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "vitrine_" + name + "_looks_total", Help: "Looks of this process at " + what + ", by outcome (" + strings.Join(outcomes, ", ") + ").",
	}, []string{"outcome"})
	metrics.MustRegister(looks)
	for _, outcome := range outcomes {
		looks.WithLabelValues(outcome)
	}
	return func(outcome string) { looks.WithLabelValues(outcome).Inc() }
}

// ages tells how long ago each import source and publication target was as it should be.
type ages struct {
	service         *siteapi.Service
	source, portals *prometheus.Desc
}

func (s *Server) ages() ages {
	return ages{
		s.Service,
		prometheus.NewDesc("vitrine_import_source_age_seconds",
			"How long ago the source last had a file that was taken over, or the answer that it is the same; of sources that are not paused.", []string{"site", "source"}, nil),
		prometheus.NewDesc("vitrine_publication_target_age_seconds",
			"How long ago the portal last had what it should; of targets that are not paused.", []string{"site", "target"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (a ages) Describe(out chan<- *prometheus.Desc) { out <- a.source; out <- a.portals }

// Collect implements prometheus.Collector. It tells nothing where the database does not answer.
func (a ages) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readAgesWithin)
	defer cancel()
	tell := func(of *prometheus.Desc, good time.Time, site, id int64) {
		out <- prometheus.MustNewConstMetric(of, prometheus.GaugeValue, time.Since(good).Seconds(), strconv.FormatInt(site, 10), strconv.FormatInt(id, 10))
	}
	if all, err := a.service.Sources.All(ctx); err == nil {
		for _, s := range all {
			if !s.Settings.Paused {
				tell(a.source, s.State.LastGood(), int64(s.Site), int64(s.ID))
			}
		}
	}
	if all, err := a.service.Portals.All(ctx); err == nil {
		for _, t := range all {
			if !t.Settings.Paused {
				tell(a.portals, t.State.LastGood(), int64(t.Site), int64(t.ID))
			}
		}
	}
}

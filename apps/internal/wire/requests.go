package wire

import (
	"context"
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/requestlog"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// requestsSuffix follows the name of a SQLite database in that of its request log.
const requestsSuffix = "-requests"

// OpenRequests opens the request log of a database, and brings it up to date.
func OpenRequests(ctx context.Context, c config.Database, store *sqlstore.Store, secrets config.Secrets) (*requestlog.Log, error) {
	keys, err := keysFor(ctx, store, secrets)
	if err != nil {
		return nil, err
	}
	log, err := openRequests(ctx, c, keys)
	if err != nil {
		return nil, err
	}
	if err := log.Migrate(ctx); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return log, nil
}

func openRequests(ctx context.Context, c config.Database, keys sqlstore.Keyring) (*requestlog.Log, error) {
	if !c.IsPostgres() {
		return sqlite.OpenRequests(ctx, c.Database+requestsSuffix, keys)
	}
	var options []postgres.Option
	if c.Pooled {
		options = append(options, postgres.Pooled())
	}
	return postgres.OpenRequests(ctx, c.Database, keys, options...)
}

// keepRequests opens the request log, unless none is to be kept, and makes it known to
// the service that will be made of the ports.
func (s *Server) keepRequests(ctx context.Context, store *sqlstore.Store, ports *kernel.Ports) error {
	if s.config.RequestsMax == 0 {
		return nil
	}
	log, err := OpenRequests(ctx, s.config.Database, store, s.config.Secrets)
	if err != nil {
		return err
	}
	s.requests, ports.Requests, ports.Traffic = log, log, log
	return nil
}

func (s *Server) closeRequests() error {
	if s.requests == nil {
		return nil
	}
	return s.requests.Close()
}

// requestMetrics tell what becomes of requests that are to be kept.
func requestMetrics(service *siteapi.Service) []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "vitrine_requests_dropped_total", Help: "Requests that cannot be looked up, because too many came or the request log did not keep up.",
		}, func() float64 { return float64(service.Requests.Dropped()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "vitrine_requests_waiting", Help: "Requests that are yet to be stored in the request log.",
		}, func() float64 { return float64(service.Requests.Waiting()) }),
	}
}

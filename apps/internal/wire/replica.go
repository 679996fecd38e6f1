package wire

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// openReplica has the ports read from the replica, if there is one. It need not be
// reachable.
func openReplica(c config.Server, store *sqlstore.Store, ports *kernel.Ports, metrics prometheus.Registerer) (closing func() error, err error) {
	if c.Replica == "" {
		return func() error { return nil }, nil
	}
	views := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "vitrine_replica_views_total",
		Help: "Reads that were meant for the replica, by what came of them: used; and those the primary was asked for because the replica was behind, follows another database (other), failed, or had failed a moment before (away).",
	}, []string{"outcome"})
	for _, outcome := range []sqlstore.StandbyOutcome{sqlstore.StandbyUsed, sqlstore.StandbyBehind, sqlstore.StandbyOther, sqlstore.StandbyFailed, sqlstore.StandbyAway} {
		views.WithLabelValues(string(outcome))
	}
	standby, err := postgres.OpenStandby(c.Replica, store, c.Connections, func(outcome sqlstore.StandbyOutcome) {
		views.WithLabelValues(string(outcome)).Inc()
	})
	if err != nil {
		return nil, err
	}
	metrics.MustRegister(views)
	ports.Standby = standby
	return standby.Close, nil
}

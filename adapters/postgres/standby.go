package postgres

import (
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
)

// standbyPatience is how long a standby may be silent: whoever waits for it could have asked
// the primary.
const standbyPatience = time.Second

// OpenStandby makes a store that reads from a standby, at a postgres:// URL, what it has in
// common with the database of the primary. It need not be there yet. tell is told what came
// of each view.
func OpenStandby(databaseURL string, primary *sqlstore.Store, connections int, tell func(sqlstore.StandbyOutcome)) (*sqlstore.StandbyStore, error) {
	set := settings{readOnly: true}
	config, err := connection(databaseURL, set)
	if err != nil {
		return nil, err
	}
	config.ConnectTimeout = standbyPatience
	d := dialect()
	// Where it is cannot be asked of a standby: that it belongs to the primary is found out
	// from what the primary wrote down.
	d.Place = "(SELECT place FROM lineage)"
	db := pool(connector{config: config, patience: standbyPatience}, connections)
	return sqlstore.NewStandby(sqlstore.New(db, db, d, sqlstore.NoPrepare()), primary, tell), nil
}

// Package postgres keeps the store in PostgreSQL 14 or later.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/pressly/goose/v3"

	"github.com/vitrine-crm/vitrine/adapters/requestlog"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
)

// DefaultConnections is how many connections a store holds unless told.
const DefaultConnections = 16

// Option changes how Open does its work.
type Option func(*settings)

type settings struct {
	connections int
	patience    time.Duration
	pooled      bool
	readOnly    bool
	store       []sqlstore.Option
	warn        func(string)
}

// Connections sets how many connections the store holds at most. It keeps them
// once it has them.
func Connections(n int) Option { return func(s *settings) { s.connections = n } }

// DefaultPatience is how long a store waits for the server unless told.
const DefaultPatience = 5 * time.Second

// Patience sets how long the store waits for the server to answer a statement or to send
// more of an answer. Then it hangs up, and the caller learns that the database does not
// answer. Migrate waits as long as it takes.
func Patience(d time.Duration) Option { return func(s *settings) { s.patience = d } }

// Pooled is for a database behind a pooler in transaction mode, such as
// PgBouncer: statements are not prepared. Migrate still needs a direct
// connection.
func Pooled() Option { return func(s *settings) { s.pooled = true } }

// ReadOnly is for looking at a database, whatever its schema: nothing is written, and
// no statement prepared.
func ReadOnly() Option { return func(s *settings) { s.readOnly = true } }

// With passes options on to the store, such as sqlstore.Sealed.
func With(options ...sqlstore.Option) Option {
	return func(s *settings) { s.store = append(s.store, options...) }
}

// Warn is told, as a sentence, what makes the server unfit for data that
// matters. Without it such a server is accepted in silence.
func Warn(tell func(string)) Option { return func(s *settings) { s.warn = tell } }

// Open connects to the database at a postgres:// URL. The schema is made by the
// store's Migrate. A store that serves the API needs With(sqlstore.Sealed(…)). It fails with
// ErrPooled at a pooler in transaction mode, unless the store is Pooled.
func Open(ctx context.Context, databaseURL string, options ...Option) (*sqlstore.Store, error) {
	set := settings{connections: DefaultConnections, patience: DefaultPatience}
	for _, option := range options {
		option(&set)
	}
	config, err := connection(databaseURL, set)
	if err != nil {
		return nil, err
	}
	if set.pooled || set.readOnly {
		set.store = append(set.store, sqlstore.NoPrepare())
	}
	if !set.pooled && !set.readOnly {
		if err := checkDirect(ctx, config); err != nil {
			return nil, dialect().Explain(ctx, err)
		}
	}
	reached := new(sqlstore.Reached)
	db := pool(connector{config: config, patience: set.patience, present: !set.pooled, reached: reached}.together(), set.connections)
	patient := pool(connector{config: migrating(config), present: !set.pooled, reached: reached}, migrationConnections)
	s := sqlstore.New(db, db, dialect(), append(set.store, sqlstore.Migrating(patient), sqlstore.Reaching(reached))...)
	if err := s.Ping(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	if set.warn != nil {
		if err := warn(ctx, db, set.warn); err != nil {
			_ = s.Close()
			return nil, err
		}
	}
	return s, nil
}

// migrationConnections is how many connections a migration takes at most: one holds the
// lock.
const migrationConnections = 2

// migrationLockTimeout is how long a migration waits for a table that others use. Whoever
// comes after it waits behind it, so it gives up soon, and tries again.
const migrationLockTimeout = "2s"

// migrating returns how to connect to make tables.
func migrating(config pq.Config) pq.Config {
	if config.Runtime["lock_timeout"] == lockTimeout {
		config.Runtime = maps.Clone(config.Runtime)
		config.Runtime["lock_timeout"] = migrationLockTimeout
	}
	return config
}

// RequestConnections is how many connections a request log holds at most: one to
// write, and some to look requests up.
const RequestConnections = 3

// requestLifetime is how long a request log keeps a connection.
const requestLifetime = time.Minute

// OpenRequests connects to the request log in the database at a postgres:// URL. It
// has connections of its own, so that the store never waits for it.
func OpenRequests(ctx context.Context, databaseURL string, keys sqlstore.Keyring, options ...Option) (*requestlog.Log, error) {
	set := settings{patience: DefaultPatience}
	for _, option := range options {
		option(&set)
	}
	config, err := connection(databaseURL, set)
	if err != nil {
		return nil, err
	}
	db := pool(connector{config: config, patience: set.patience}.together(), RequestConnections)
	db.SetConnMaxLifetime(requestLifetime) // it may lead to a standby by now
	l := requestlog.New(db, db, dialect(), keys)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(dialect().Explain(ctx, err), l.Close())
	}
	return l, nil
}

// connection reads how to connect.
func connection(databaseURL string, set settings) (pq.Config, error) {
	config, err := read(databaseURL)
	if err != nil {
		return config, err
	}
	if config.TargetSessionAttrs == "" && !set.readOnly {
		config.TargetSessionAttrs = pq.TargetSessionAttrsReadWrite
	}
	if !set.pooled { // poolers refuse settings they do not know
		steer(&config)
		if set.readOnly {
			config.Runtime["default_transaction_read_only"] = "on"
		}
	}
	return config, nil
}

func read(databaseURL string) (pq.Config, error) {
	databaseURL = hostsApart(databaseURL)
	// The driver's own errors quote the URL, and with it the password; those of the library parts of it.
	if _, err := url.Parse(databaseURL); err != nil {
		if strings.Contains(databaseURL, "@") {
			return pq.Config{}, errors.New("postgres: the database URL is malformed: percent-encode what is special in the user and the password, such as @ / ? # %")
		}
		if wrong, ok := errors.AsType[*url.Error](err); ok {
			err = wrong.Err
		}
		return pq.Config{}, fmt.Errorf("postgres: the database URL is malformed: %w", err)
	}
	config, err := pq.NewConfig(databaseURL)
	if err != nil {
		return pq.Config{}, fmt.Errorf("postgres: %s", strings.ReplaceAll(err.Error(), databaseURL, "the database URL"))
	}
	// Without this, statements with parameters take two round trips, and behind
	// a pooler in transaction mode the second may reach another server process
	// and bring back somebody else's rows.
	config.BinaryParameters = true
	if config.ApplicationName == "" {
		config.ApplicationName = "vitrine"
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	return config, nil
}

// lockTimeout is how long a statement waits for what another one holds. A unit of
// work takes far less. It is below DefaultPatience, so that a caller that waits is told by the
// server, and gives up what it holds.
const lockTimeout = "4s"

// steer sets what the URL does not. It keeps the planner on the primary keys: after a
// bulk load, before the server has looked at what was loaded, it would otherwise read
// and sort the whole rest of a site for every page of a scan. And it bounds how long a
// statement waits for another: when a context ends just as a statement is sent, the
// server may hear first of the end and then of the statement, which would wait on.
func steer(config *pq.Config) {
	if config.Runtime == nil {
		config.Runtime = map[string]string{}
	}
	for name, value := range map[string]string{"enable_bitmapscan": "off", "lock_timeout": lockTimeout} {
		if _, set := config.Runtime[name]; !set {
			config.Runtime[name] = value
		}
	}
}

func warn(ctx context.Context, db *sql.DB, tell func(string)) error {
	for _, name := range []string{"fsync", "full_page_writes", "synchronous_commit"} {
		var value string
		if err := db.QueryRowContext(ctx, "SELECT current_setting($1)", name).Scan(&value); err != nil {
			return fmt.Errorf("postgres: %w", err)
		}
		if value == "off" {
			tell("the PostgreSQL server runs with " + name + " = off: a crash may lose what was confirmed")
		}
	}
	return nil
}

// flushed is an expression for how far the log is on the disk, which a crash takes nothing from.
const flushed = "(pg_current_wal_flush_lsn() - '0/0')::bigint"

// cluster is an expression for the name that a cluster and its copies have.
const cluster = "(SELECT system_identifier::text FROM pg_control_system())"

func dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Engine:      "postgres",
		Goose:       goose.DialectPostgres,
		Placeholder: squirrel.Dollar,
		View:        &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
		// Row locks where the ports promise them; under SERIALIZABLE, units that
		// touch the same rows would fail instead of waiting for each other.
		Update:      &sql.TxOptions{Isolation: sql.LevelReadCommitted},
		Held:        "FOR UPDATE",
		Shared:      "FOR KEY SHARE",
		RowID:       "ctid",
		Among:       "= ANY (?::bigint[])",
		Numbers:     func(ids []int64) any { return pq.Array(ids) },
		AmongThose:  amongThose,
		AmongTuples: amongTuples,
		Tuples:      tuples,
		Rows:        rows,
		Bytewise:    func(column string) string { return column + ` COLLATE "C"` },
		Like:        func(column string) string { return "lower(" + column + ` COLLATE "C") LIKE ?` },
		// The oid is another one after tables were restored, the timeline after every
		// promotion and recovery.
		Place:           "'site_head'::regclass::oid::text || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)",
		Cluster:         cluster,
		Log:             flushed,
		Writable:        "SELECT pg_current_wal_lsn()",
		Tables:          "SELECT relname::text FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace",
		Clock:           "SELECT clock_timestamp()",
		NativeSequences: true,
		Plans:           true,
		Classify:        classify,
	}
}

// amongThose makes an array of them, which the planner takes for a short one whatever it
// knows of the query.
func amongThose(query string) string { return "= ANY (ARRAY(" + query + "))" }

// amongTuples takes an array for each column: the planner expects few rows of
// them and goes by keys, whereas of a JSON document it expects a hundred.
func amongTuples(columns ...string) string {
	arrays := strings.Repeat(", ?::bigint[]", len(columns))[2:]
	return "(" + strings.Join(columns, ", ") + ") IN (SELECT * FROM unnest(" + arrays + "))"
}

func tuples(columns ...[]int64) []any {
	arrays := make([]any, len(columns))
	for i, numbers := range columns {
		arrays[i] = pq.Array(numbers)
	}
	return arrays
}

func rows(table string, columns []string) string {
	return "SELECT " + strings.Join(columns, ", ") + " FROM json_populate_recordset(NULL::" + table + ", ?::json)"
}

func classify(err error) sqlstore.Trouble {
	e := pq.As(err)
	if e == nil {
		if errors.Is(err, errUnreachable) {
			return sqlstore.Away
		}
		return sqlstore.Unknown
	}
	// Words may be in any language, the name of a routine is not.
	switch e.Routine {
	case "check_transaction_read_only", "check_XactReadOnly", "call_bool_check_hook", "pg_current_wal_lsn", "pg_current_wal_flush_lsn", "pg_walfile_name":
		return sqlstore.Standby
	}
	switch e.Code {
	case pqerror.TRSerializationFailure, pqerror.TRDeadlockDetected:
		return sqlstore.Again
	case pqerror.UniqueViolation:
		return sqlstore.Duplicate
	case pqerror.LockNotAvailable: // waited for longer than lockTimeout
		return sqlstore.Held
	case pqerror.ReadOnlySQLTransaction: // it was the primary a moment ago
		return sqlstore.Standby
	}
	switch e.Code.Class() {
	case "08", "53", "57", "58": // connection, resources, operator intervention, system
		return sqlstore.Away
	case "XX": // internal, also of a server that is about to crash
		return sqlstore.Unknown
	}
	return sqlstore.Refused
}

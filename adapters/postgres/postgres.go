// Package postgres keeps the store in PostgreSQL 14 or later.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

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
	pooled      bool
	readOnly    bool
	store       []sqlstore.Option
	warn        func(string)
}

// Connections sets how many connections the store holds at most. It keeps them
// once it has them.
func Connections(n int) Option { return func(s *settings) { s.connections = n } }

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
// store's Migrate.
func Open(ctx context.Context, databaseURL string, options ...Option) (*sqlstore.Store, error) {
	set := settings{connections: DefaultConnections}
	for _, option := range options {
		option(&set)
	}
	db, err := connect(databaseURL, set)
	if err != nil {
		return nil, err
	}
	if set.pooled || set.readOnly {
		set.store = append(set.store, sqlstore.NoPrepare())
	}
	s := sqlstore.New(db, db, dialect(), set.store...)
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

// requestConnections is how many connections a request log holds at most: one to
// write, and some to look requests up.
const requestConnections = 3

// OpenRequests connects to the request log in the database at a postgres:// URL. It
// has connections of its own, so that the store never waits for it.
func OpenRequests(ctx context.Context, databaseURL string, keys sqlstore.Keyring, options ...Option) (*requestlog.Log, error) {
	var set settings
	for _, option := range options {
		option(&set)
	}
	set.connections = requestConnections
	db, err := connect(databaseURL, set)
	if err != nil {
		return nil, err
	}
	l := requestlog.New(db, db, dialect(), keys)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(dialect().Explain(ctx, err), l.Close())
	}
	return l, nil
}

// connect makes the pool of connections.
func connect(databaseURL string, set settings) (*sql.DB, error) {
	config, err := read(databaseURL)
	if err != nil {
		return nil, err
	}
	if !set.pooled { // poolers refuse settings they do not know
		steer(&config)
		if set.readOnly {
			config.Runtime["default_transaction_read_only"] = "on"
		}
	}
	connector, err := pq.NewConnectorConfig(config)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(set.connections)
	db.SetMaxIdleConns(set.connections)
	return db, nil
}

func read(databaseURL string) (pq.Config, error) {
	// The driver's own errors quote the URL, and with it the password.
	if _, err := url.Parse(databaseURL); err != nil {
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
	return config, nil
}

// lockTimeout is how long a statement waits for what another one holds. A unit of
// work takes far less.
const lockTimeout = "60s"

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

func dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Engine:      "postgres",
		Goose:       goose.DialectPostgres,
		Placeholder: squirrel.Dollar,
		View:        &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true},
		// Row locks where the ports promise them; under SERIALIZABLE, units that
		// touch the same rows would fail instead of waiting for each other.
		Update:          &sql.TxOptions{Isolation: sql.LevelReadCommitted},
		Held:            "FOR UPDATE",
		Among:           "= ANY (?::bigint[])",
		Numbers:         func(ids []int64) any { return pq.Array(ids) },
		AmongTuples:     amongTuples,
		Tuples:          tuples,
		Rows:            rows,
		Bytewise:        func(column string) string { return column + ` COLLATE "C"` },
		Tables:          "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()",
		NativeSequences: true,
		Classify:        classify,
	}
}

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
		return sqlstore.Unknown
	}
	switch e.Code {
	case pqerror.TRSerializationFailure, pqerror.TRDeadlockDetected:
		return sqlstore.Again
	case pqerror.UniqueViolation:
		return sqlstore.Duplicate
	case pqerror.LockNotAvailable: // waited for longer than lockTimeout
		return sqlstore.Away
	case pqerror.ReadOnlySQLTransaction: // a standby that was the primary a moment ago
		return sqlstore.Away
	}
	switch e.Code.Class() {
	case "08", "53", "57", "58": // connection, resources, operator intervention, system
		return sqlstore.Away
	}
	return sqlstore.Unknown
}

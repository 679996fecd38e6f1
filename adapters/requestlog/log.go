// Package requestlog keeps what is left of requests, and counts of them, in a
// relational database: in SQLite a file of its own, so that requests do not wait for
// the writer of everything else, in PostgreSQL unlogged tables by day. It is written
// once for both; what they do not share is the dialect of sqlstore.
package requestlog

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/Masterminds/squirrel"
	"github.com/pressly/goose/v3"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/port"
)

//go:embed migrations
var migrations embed.FS

// schemaTable is where the migrations applied are written down.
const schemaTable = "request_schema_migration"

// Log is a port.Requests and a port.Traffic in a database.
type Log struct {
	dialect     sqlstore.Dialect
	read, write *sql.DB
	keys        sqlstore.Keyring
	// days are the parts of tables that are known to be there, by name.
	days sync.Map
}

var (
	_ port.Requests = (*Log)(nil)
	_ port.Traffic  = (*Log)(nil)
)

// New makes a log on open databases, which it then owns. They may be the same. Bodies
// are kept under the keys.
func New(read, write *sql.DB, d sqlstore.Dialect, keys sqlstore.Keyring) *Log {
	return &Log{dialect: d, read: read, write: write, keys: keys}
}

// Close ends all connections.
func (l *Log) Close() error {
	if l.read == l.write {
		return l.read.Close()
	}
	return errors.Join(l.read.Close(), l.write.Close())
}

// Migrate brings the tables up to date. Several processes may do so at once.
func (l *Log) Migrate(ctx context.Context) error {
	return l.migrating(ctx, func(p *goose.Provider) error {
		_, err := p.Up(ctx)
		return err
	})
}

// Reset drops all tables with everything in them, and makes them anew.
func (l *Log) Reset(ctx context.Context) error {
	l.days.Clear()
	err := l.migrating(ctx, func(p *goose.Provider) error {
		_, err := p.DownTo(ctx, 0)
		return err
	})
	if err != nil {
		return err
	}
	return l.Migrate(ctx)
}

func (l *Log) migrating(ctx context.Context, do func(*goose.Provider) error) error {
	files, err := fs.Sub(migrations, "migrations/"+l.dialect.Engine)
	if err != nil {
		return err
	}
	options := []goose.ProviderOption{goose.WithTableName(schemaTable), goose.WithDisableGlobalRegistry(true)}
	if l.dialect.NativeSequences {
		locker, err := sqlstore.MigrationLock(ctx, l.write, "requests")
		if err != nil {
			return l.explain(ctx, err)
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(l.dialect.Goose, l.write, files, options...)
	if err == nil {
		err = do(provider)
	}
	if err != nil {
		return l.explain(ctx, fmt.Errorf("migrating the request log: %w", err))
	}
	return nil
}

// update runs fn in a transaction. What met another one is Unavailable: a caller that
// called tries again.
func (l *Log) update(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := l.write.BeginTx(ctx, l.dialect.Update)
	if err != nil {
		return l.explain(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if err := fn(tx); err != nil {
		return l.explain(ctx, err)
	}
	return l.explain(ctx, tx.Commit())
}

func (l *Log) explain(ctx context.Context, err error) error { return l.dialect.Explain(ctx, err) }

// executor is a database or a transaction.
type executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// text returns a statement as the engine reads it.
func (l *Log) text(b squirrel.Sqlizer) (string, []any, error) {
	text, args, err := b.ToSql()
	if err != nil {
		return "", nil, err
	}
	text, err = l.dialect.Placeholder.ReplacePlaceholders(text)
	return text, args, err
}

// exec runs a statement, and reports how many rows it concerned.
func (l *Log) exec(ctx context.Context, on executor, b squirrel.Sqlizer) (int, error) {
	text, args, err := l.text(b)
	if err != nil {
		return 0, err
	}
	result, err := on.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// list reads what a statement finds.
func list[T any](ctx context.Context, l *Log, on executor, b squirrel.Sqlizer, scan func(*sql.Rows) (T, error)) ([]T, error) {
	text, args, err := l.text(b)
	if err != nil {
		return nil, err
	}
	rows, err := on.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []T
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, rows.Err()
}

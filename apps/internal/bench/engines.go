package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/lib/pq"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// engine is a kind of database. It gives the server under test and the bare
// server it is compared with the same means.
type engine interface {
	name() string
	// database is the server's option of this name.
	database() string
	create(ctx context.Context) error
	drop(ctx context.Context) error
	// finishFill brings a freshly filled database into the state it would be in
	// after some days.
	finishFill(ctx context.Context) error
	// journal is how many bytes the database has written to its journal; 0 where it does
	// not tell.
	journal(ctx context.Context) (int64, error)
	// openBare opens the database of the bare server, for reading and for writing.
	openBare(ctx context.Context) (read, write *sql.DB, err error)
	// tables makes the tables of the bare server.
	tables() []string
	// statement is SQL as the engine takes it, written for PostgreSQL.
	statement(text string) string
	numbers(ids []int64) any
	// copy fills a table with ids and documents.
	copy(ctx context.Context, db *sql.DB, table string, ids []int64, document func(i int) string) error
}

// connections is how many connections each server has to PostgreSQL.
const connections = 16

// engines lists what the run can measure.
func (b *bench) engines() []engine {
	var all []engine
	if b.Postgres != "" {
		all = append(all, &postgresEngine{Postgres: rig.Postgres{Server: b.Postgres, Name: fmt.Sprintf("vitrine_bench_%d", os.Getpid())}})
	}
	return append(all, sqliteEngine{b.folder})
}

// postgresEngine makes a database on a server that is there.
type postgresEngine struct {
	rig.Postgres
	// watching is the one connection that meters are read over. To open one for each
	// reading would take the database as long as some of what is measured, and its end
	// would be in it.
	watching *sql.DB
}

func (*postgresEngine) name() string { return "postgres" }

func (e *postgresEngine) database() string { return e.URL() }

func (e *postgresEngine) create(ctx context.Context) (err error) {
	if err := e.Create(ctx); err != nil {
		return err
	}
	if e.watching, err = sql.Open("postgres", e.database()); err == nil {
		limit(e.watching, 1)
	}
	return err
}

func (e *postgresEngine) drop(ctx context.Context) (err error) {
	if e.watching != nil {
		err = e.watching.Close()
	}
	return errors.Join(err, e.Drop(ctx))
}

func (e *postgresEngine) finishFill(ctx context.Context) error {
	if err := rig.Execute(ctx, e.database(), "VACUUM ANALYZE"); err != nil {
		return err
	}
	return rig.Execute(ctx, e.database(), "CHECKPOINT")
}

func (e *postgresEngine) journal(ctx context.Context) (written int64, err error) {
	err = e.watching.QueryRowContext(ctx, "SELECT CAST(pg_current_wal_insert_lsn() - '0/0' AS bigint)").Scan(&written)
	return written, err
}

func (e *postgresEngine) openBare(context.Context) (read, write *sql.DB, err error) {
	// The server talks to the database in this way, too.
	db, err := sql.Open("postgres", e.Through("", map[string]string{"binary_parameters": "yes"}))
	if err != nil {
		return nil, nil, err
	}
	limit(db, connections)
	return db, db, nil
}

// tables keep their documents in the rows, uncompressed.
func (*postgresEngine) tables() []string {
	return []string{
		"CREATE TABLE bare_get (id BIGINT PRIMARY KEY, document TEXT NOT NULL) WITH (toast_tuple_target = 8160)",
		"CREATE TABLE bare_page (id BIGINT PRIMARY KEY, document TEXT NOT NULL) WITH (toast_tuple_target = 8160)",
		"CREATE TABLE bare_add (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, document TEXT NOT NULL) WITH (toast_tuple_target = 8160)",
	}
}

func (*postgresEngine) statement(text string) string { return text }
func (*postgresEngine) numbers(ids []int64) any      { return pq.Array(ids) }

func (*postgresEngine) copy(ctx context.Context, db *sql.DB, table string, ids []int64, document func(i int) string) error {
	return insert(ctx, db, "COPY "+table+" (id, document) FROM STDIN", ids, document, func(stmt *sql.Stmt) error {
		_, err := stmt.ExecContext(ctx)
		return err
	})
}

// sqliteEngine makes a file in a folder.
type sqliteEngine struct{ folder string }

func (sqliteEngine) name() string                     { return "sqlite" }
func (e sqliteEngine) database() string               { return filepath.Join(e.folder, "vitrine.db") }
func (sqliteEngine) create(context.Context) error     { return nil }
func (sqliteEngine) drop(context.Context) error       { return nil } // the folder goes as a whole
func (sqliteEngine) finishFill(context.Context) error { return nil }

func (sqliteEngine) journal(context.Context) (int64, error) { return 0, nil }

func (sqliteEngine) tables() []string {
	return []string{
		"CREATE TABLE bare_get (id INTEGER PRIMARY KEY, document TEXT NOT NULL)",
		"CREATE TABLE bare_page (id INTEGER PRIMARY KEY, document TEXT NOT NULL)",
		"CREATE TABLE bare_add (id INTEGER PRIMARY KEY, document TEXT NOT NULL)",
	}
}

func (sqliteEngine) statement(text string) string {
	return strings.NewReplacer("= ANY ($1)", "IN (SELECT value FROM json_each(?1))", "$", "?").Replace(text)
}

// openBare opens a file of its own, with the settings of package sqlite.
func (e sqliteEngine) openBare(context.Context) (read, write *sql.DB, err error) {
	const settings = "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"
	file := "file:" + filepath.Join(e.folder, "bare.db") + settings
	if read, err = sql.Open("sqlite", file); err != nil {
		return nil, nil, err
	}
	if write, err = sql.Open("sqlite", file+"&_txlock=immediate"); err != nil {
		_ = read.Close()
		return nil, nil, err
	}
	limit(read, max(4, 2*runtime.GOMAXPROCS(0)))
	limit(write, 1)
	return read, write, nil
}

func (sqliteEngine) numbers(ids []int64) any {
	return strings.ReplaceAll(fmt.Sprint(ids), " ", ",")
}

func (sqliteEngine) copy(ctx context.Context, db *sql.DB, table string, ids []int64, document func(i int) string) error {
	return insert(ctx, db, "INSERT INTO "+table+" (id, document) VALUES (?1, ?2)", ids, document, func(*sql.Stmt) error { return nil })
}

func limit(db *sql.DB, n int) {
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
}

// insert runs a statement for each document, and something after the last.
func insert(ctx context.Context, db *sql.DB, statement string, ids []int64, document func(i int) string, finish func(*sql.Stmt) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	stmt, err := tx.PrepareContext(ctx, statement)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i, id := range ids {
		if _, err := stmt.ExecContext(ctx, id, document(i)); err != nil {
			return err
		}
	}
	if err := finish(stmt); err != nil {
		return err
	}
	return tx.Commit()
}

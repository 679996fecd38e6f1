// Package sqlite keeps the store in a file, with an engine written in Go: no
// server, no cgo.
package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/Masterminds/squirrel"
	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/vitrine-crm/vitrine/adapters/requestlog"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
)

// Open opens the database in the file, which is created if there is none. The
// schema is made by the store's Migrate. A store that serves the API needs sqlstore.Sealed.
//
// A change is on the disk when Update returns. One process should write; others
// may read the file meanwhile, and writers of other processes take turns with
// this one for five seconds before it gives up.
func Open(ctx context.Context, path string, options ...sqlstore.Option) (*sqlstore.Store, error) {
	read, write, err := open(path, "synchronous(FULL)", max(4, 2*runtime.GOMAXPROCS(0)))
	if err != nil {
		return nil, err
	}
	s := sqlstore.New(read, write, dialect(), options...)
	// Ping asks the writer first: it makes the file, which a reader must not.
	if err := s.Ping(ctx); err != nil {
		_ = s.Close()
		return nil, unopened(path, err)
	}
	return s, nil
}

// OpenReadOnly opens the database in the file to look at it, whatever its schema. It
// neither makes nor changes a file. It returns fs.ErrNotExist where there is none yet.
func OpenReadOnly(ctx context.Context, path string, options ...sqlstore.Option) (*sqlstore.Store, error) {
	if err := CheckPlace(path); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, misplaced{"there is no file " + path, err}
	} else if err != nil {
		return nil, err
	}
	name := dsn(path, "query_only(1)") + "&mode=ro"
	// Where no server runs there is no write-ahead log, and the engine would make one.
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		name += "&immutable=1"
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	s := sqlstore.New(db, db, dialect(), append(options, sqlstore.NoPrepare())...)
	if err := s.Ping(ctx); err != nil {
		return nil, errors.Join(unopened(path, err), s.Close())
	}
	return s, nil
}

// OpenRequests opens the request log in the file, which is created if there is none.
// What it was given is safe from a crash of the process, though perhaps not of the
// machine: nothing depends on it.
func OpenRequests(ctx context.Context, path string, keys sqlstore.Keyring) (*requestlog.Log, error) {
	read, write, err := open(path, "synchronous(NORMAL)", 4)
	if err != nil {
		return nil, err
	}
	l := requestlog.New(read, write, dialect(), keys)
	if err := write.PingContext(ctx); err != nil {
		return nil, errors.Join(unopened(path, dialect().Explain(ctx, err)), l.Close())
	}
	return l, nil
}

// misplaced is an error of the engine that is told by what is wrong with the place of a file.
type misplaced struct {
	text  string
	cause error
}

func (m misplaced) Error() string { return m.text }
func (m misplaced) Unwrap() error { return m.cause }

// CheckPlace returns an error if there can be no database at a path: it is a folder, or in
// none.
func CheckPlace(path string) error {
	about, missing := os.Stat(path)
	folder, noFolder := os.Stat(filepath.Dir(path))
	switch {
	case missing == nil && about.IsDir():
		return fmt.Errorf("%s is a folder: give the name of a file in it, such as %s", path, filepath.Join(path, "vitrine.db"))
	case missing != nil && (noFolder != nil || !folder.IsDir()):
		return fmt.Errorf("%s cannot be made: there is no folder %s", path, filepath.Dir(path))
	}
	return nil
}

// unopened says of a path that leads to no database what is there, and what is expected.
func unopened(path string, err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return err
	}
	place := CheckPlace(path)
	switch code := e.Code() & 0xff; {
	case place != nil:
		return misplaced{place.Error(), err}
	case code == sqlite3.SQLITE_NOTADB:
		return misplaced{path + " is a file, and no SQLite database: give one that is, or a name that is not taken yet, of which one is made", err}
	case code != sqlite3.SQLITE_CANTOPEN && code != sqlite3.SQLITE_READONLY:
		return err
	}
	return misplaced{path + " and what is beside it in the folder must be there for this process to read and write", err}
}

// open makes the pools of a file: one writer, because SQLite has one. Waiting for it
// in the pool is fair, waiting for it in the file is not. Its transactions are
// immediate, because one that begins as a reader cannot always become a writer. What
// is deleted or overwritten is gone from the file: it may be about people, and so its owner
// alone may read it.
func open(path, synchronous string, readers int) (read, write *sql.DB, err error) {
	// What is wrong with the place is told by the engine, in its own words.
	if made, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_ = made.Close()
	}
	write, err = sql.Open("sqlite", dsn(path, "journal_mode(WAL)", synchronous, "secure_delete(1)")+"&_txlock=immediate")
	if err != nil {
		return nil, nil, err
	}
	read, err = sql.Open("sqlite", dsn(path, "query_only(1)"))
	if err != nil {
		return nil, nil, errors.Join(err, write.Close())
	}
	limit(write, 1) // units of work that write take turns at it
	limit(read, readers)
	return read, write, nil
}

// limit keeps connections open for good: opening one costs more than keeping
// it.
func limit(db *sql.DB, n int) {
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
}

// dsn names the file with the settings of a connection. How long to wait comes
// first, because the other settings may have to wait.
func dsn(path string, settings ...string) string {
	file := url.URL{Path: path}
	query := url.Values{"_pragma": append([]string{"busy_timeout(5000)", "foreign_keys(1)"}, settings...)}
	return "file:" + file.EscapedPath() + "?" + query.Encode()
}

func dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Engine:      "sqlite",
		Goose:       goose.DialectSQLite3,
		Placeholder: squirrel.Question,
		View:        &sql.TxOptions{ReadOnly: true},
		Update:      nil,
		RowID:       "rowid",
		Among:       "IN (SELECT value FROM json_each(?))",
		Numbers:     func(ids []int64) any { return document(ids) },
		AmongThose:  func(query string) string { return "IN (" + query + ")" },
		AmongTuples: amongTuples,
		Tuples:      tuples,
		Rows:        rows,
		Bytewise:    func(column string) string { return column },
		Like:        func(column string) string { return column + " LIKE ?" },
		Place:       "'file'", // a file does not know that it was put in place of a later one
		Cluster:     "''",
		Log:         "0",
		Writable:    "SELECT 1",
		Tables:      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
		// The engine does so with the last connection, which may be one that still reads when the process ends.
		Leave:    "PRAGMA wal_checkpoint(PASSIVE)",
		Damage:   "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 10",
		Classify: classify,
	}
}

// document writes whole numbers, or tuples of them, as a JSON array.
func document(numbers any) string {
	b, err := json.Marshal(numbers)
	if err != nil {
		panic(err) // whole numbers always have a JSON form
	}
	return string(b)
}

func amongTuples(columns ...string) string {
	values := make([]string, len(columns))
	for i := range columns {
		values[i] = "value ->> " + strconv.Itoa(i)
	}
	return "(" + strings.Join(columns, ", ") + ") IN (SELECT " + strings.Join(values, ", ") + " FROM json_each(?))"
}

func tuples(columns ...[]int64) []any {
	rows := make([][]int64, len(columns[0]))
	for i := range rows {
		for _, numbers := range columns {
			rows[i] = append(rows[i], numbers[i])
		}
	}
	return []any{document(rows)}
}

// rows ends in a condition so that a clause about conflicts may follow.
func rows(_ string, columns []string) string {
	values := make([]string, len(columns))
	for i, name := range columns {
		values[i] = "value ->> '" + name + "'"
	}
	return "SELECT " + strings.Join(values, ", ") + " FROM json_each(?) WHERE true"
}

func classify(err error) sqlstore.Trouble {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return sqlstore.Unknown
	}
	if e.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE {
		return sqlstore.Duplicate
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return sqlstore.Again
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		return sqlstore.Away
	}
	return sqlstore.Unknown
}

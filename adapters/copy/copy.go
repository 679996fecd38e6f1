// Package copy keeps the copy of a mirror in a SQLite file: what was read of a catalogue, what must be
// read, and where the mirror is. That the server has, too: a file that another version of this package
// made is emptied of it when it is opened, and read again. What visitors of the website entered stays.
package copy

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	_ "modernc.org/sqlite" // the engine

	"github.com/vitrine-crm/vitrine/core/mirror"
)

//go:embed schema.sql
var schema string

// version is that of schema.sql. A file of another version is emptied of what that file names.
const version = 2

// Copy is a mirror.Copy in a file. It is safe for concurrent use by one process.
type Copy struct{ db *sql.DB }

// Open opens the copy in a file, which is created if there is none.
func Open(ctx context.Context, path string) (*Copy, error) {
	query := url.Values{"_txlock": {"immediate"}, "_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(5000)"}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	c := &Copy{db}
	if err := c.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the copy in %s: %w", path, err), db.Close())
	}
	// The copy has the names of agents and of visitors in it, and is nobody else's.
	return c, os.Chmod(path, 0o600)
}

func (c *Copy) prepare(ctx context.Context) error {
	var found, tables int
	if err := c.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&found); err != nil {
		return err
	}
	if err := c.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE type = 'table'").Scan(&tables); err != nil {
		return err
	}
	if found == 0 && tables > 0 {
		return errors.New("the file is the database of another program")
	}
	return c.within(ctx, func(tx *sql.Tx) error {
		if err := run(ctx, tx, leadsSchema); err != nil || found == version {
			return err
		}
		return run(ctx, tx, "DROP TABLE IF EXISTS state; DROP TABLE IF EXISTS record; DROP TABLE IF EXISTS mark;"+schema+fmt.Sprintf("PRAGMA user_version = %d", version))
	})
}

// Close closes the file.
func (c *Copy) Close() error { return c.db.Close() }

// State returns the state of the last change.
func (c *Copy) State(ctx context.Context) (mirror.State, error) {
	var s mirror.State
	var document []byte
	err := c.db.QueryRowContext(ctx, "SELECT document FROM state").Scan(&document)
	if errors.Is(err, sql.ErrNoRows) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(document, &s)
	}
	return s, err
}

// Store stores a change. It is on the disk when Store returns.
func (c *Copy) Store(ctx context.Context, change mirror.Change) error {
	document, err := json.Marshal(change.State)
	if err != nil {
		return err
	}
	return c.within(ctx, func(tx *sql.Tx) error {
		if err := run(ctx, tx, "INSERT INTO state (only, document) VALUES (0, ?) ON CONFLICT DO UPDATE SET document = excluded.document", string(document)); err != nil {
			return err
		}
		for _, m := range change.End {
			if err := run(ctx, tx, "DELETE FROM mark WHERE kind = ? AND id = ? AND generation = ?", m.Kind, m.ID, m.Generation); err != nil {
				return err
			}
		}
		for _, m := range change.Postpone {
			if err := run(ctx, tx, "UPDATE mark SET tries = ?, due = ? WHERE kind = ? AND id = ? AND generation = ?", m.Tries, m.Due.UnixMicro(), m.Kind, m.ID, m.Generation); err != nil {
				return err
			}
		}
		for _, r := range change.Put {
			if err := put(ctx, tx, r, change); err != nil {
				return err
			}
		}
		for _, key := range change.Mark {
			if err := mark(ctx, tx, change.At, "VALUES (?, ?)", key.Kind, key.ID); err != nil {
				return err
			}
		}
		for _, parent := range change.MarkLots {
			if err := mark(ctx, tx, change.At, "SELECT kind, id FROM record WHERE parent = ?", parent); err != nil {
				return err
			}
		}
		if change.Compare != nil {
			return compare(ctx, tx, *change.Compare, change.At)
		}
		return nil
	})
}

// put stores a record, or marks it when it was stored since it was asked for.
func put(ctx context.Context, tx *sql.Tx, r mirror.Record, change mirror.Change) error {
	result, err := tx.ExecContext(ctx, `INSERT INTO record (kind, id, body, shown, gone, parent, revision, stored_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET body = excluded.body, shown = excluded.shown, gone = excluded.gone, parent = excluded.parent,
			revision = excluded.revision, stored_at = excluded.stored_at WHERE record.revision <= ?`,
		r.Kind, r.ID, sql.NullString{String: string(r.Body), Valid: r.Body != nil}, r.Shown, r.Gone, r.Parent, change.State.Revision, change.At.UnixMicro(), change.Asked)
	if err != nil {
		return err
	}
	if stored, err := result.RowsAffected(); stored > 0 || err != nil {
		return err
	}
	return mark(ctx, tx, change.At, "VALUES (?, ?)", r.Kind, r.ID)
}

// mark marks the keys that a query selects.
func mark(ctx context.Context, tx *sql.Tx, at time.Time, query string, args ...any) error {
	return run(ctx, tx, `INSERT INTO mark (kind, id, generation, since, tries, due)
		SELECT column1, column2, 1, ?1, 0, ?1 FROM (SELECT 0 AS column1, 0 AS column2 WHERE false UNION ALL `+query+`) WHERE true
		ON CONFLICT DO UPDATE SET generation = generation + 1, tries = 0, due = excluded.due`, append([]any{at.UnixMicro()}, args...)...)
}

// compare marks what is shown and not in a stretch of the catalogue, and what is in it and not shown.
func compare(ctx context.Context, tx *sql.Tx, s mirror.Stretch, at time.Time) error {
	ids, err := json.Marshal(append([]int64{}, s.IDs...))
	if err != nil {
		return err
	}
	if err := mark(ctx, tx, at, `SELECT 'product', value FROM json_each(?2) WHERE NOT EXISTS (
		SELECT 1 FROM record WHERE kind = 'product' AND id = value AND shown)`, string(ids)); err != nil {
		return err
	}
	return mark(ctx, tx, at, `SELECT kind, id FROM record WHERE kind = 'product' AND shown AND id > ?2 AND (?3 = 0 OR id <= ?3)
		AND id NOT IN (SELECT value FROM json_each(?4))`, s.After, s.UpTo, string(ids))
}

// Marks returns up to n marks in the order in which they are due.
func (c *Copy) Marks(ctx context.Context, n int) ([]mirror.Mark, error) {
	rows, err := c.db.QueryContext(ctx, `SELECT kind, id, generation, since, tries, due, (SELECT document ->> 'Revision' FROM state)
		FROM mark ORDER BY due, kind, id LIMIT ?`, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []mirror.Mark
	for rows.Next() {
		var m mirror.Mark
		var since, due int64
		if err := rows.Scan(&m.Kind, &m.ID, &m.Generation, &since, &m.Tries, &due, &m.Asked); err != nil {
			return nil, err
		}
		m.Since, m.Due = time.UnixMicro(since).UTC(), time.UnixMicro(due).UTC()
		found = append(found, m)
	}
	return found, rows.Err()
}

// Record returns a record as it is stored.
func (c *Copy) Record(ctx context.Context, key mirror.Key) (mirror.Record, error) {
	r := mirror.Record{Key: key}
	err := c.db.QueryRowContext(ctx, "SELECT body, shown, gone, parent FROM record WHERE kind = ? AND id = ?", key.Kind, key.ID).
		Scan(&r.Body, &r.Shown, &r.Gone, &r.Parent)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	return r, err
}

// ProductsSince gives each product that was stored after a revision, one at a time, and returns the
// revision they are of. Those that are not shown have no body.
func (c *Copy) ProductsSince(ctx context.Context, revision int64, give func(mirror.Record) error) (int64, error) {
	state, err := c.State(ctx)
	if err != nil {
		return 0, err
	}
	rows, err := c.db.QueryContext(ctx, "SELECT id, body, shown, gone, parent FROM record WHERE kind = 'product' AND revision > ?", revision)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		r := mirror.Record{Key: mirror.Key{Kind: mirror.Product}}
		if err := rows.Scan(&r.ID, &r.Body, &r.Shown, &r.Gone, &r.Parent); err != nil {
			return 0, err
		}
		if err := give(r); err != nil {
			return 0, err
		}
	}
	return state.Revision, rows.Err()
}

// Counts returns how many products are shown, how many marks there are, and since when the oldest
// mark has been there: the zero time if there is none.
func (c *Copy) Counts(ctx context.Context) (listings, marks int, oldest time.Time, err error) {
	var since sql.NullInt64
	err = c.db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM record WHERE kind = 'product' AND shown), (SELECT count(*) FROM mark), (SELECT min(since) FROM mark)").
		Scan(&listings, &marks, &since)
	if since.Valid {
		oldest = time.UnixMicro(since.Int64).UTC()
	}
	return listings, marks, oldest, err
}

// Forget removes what the copy knows of records that have not been shown since a moment.
func (c *Copy) Forget(ctx context.Context, before time.Time) error {
	_, err := c.db.ExecContext(ctx, "DELETE FROM record WHERE NOT shown AND stored_at < ?", before.UnixMicro())
	return err
}

func (c *Copy) within(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func run(ctx context.Context, tx *sql.Tx, statement string, args ...any) error {
	_, err := tx.ExecContext(ctx, statement, args...)
	return err
}

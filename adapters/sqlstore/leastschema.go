package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// A migration that takes something away may only run where no program is left that uses
// it. So it writes down the least schema that a program has to know. One that knows less
// refuses to start; one that runs finds out with the next head it reads, event it counts or
// id it draws, and otherwise within recheck. It is then not ready, and neither reads nor writes.

// leastSchema is the fact that says so: the number of a migration, in five digits.
const leastSchema = "least_schema"

// recheck is how long a process may go on that was not told.
const recheck = time.Second

// ErrOutdated is that the tables are of a later version of Vitrine, and that this program
// does not know what they are like.
var ErrOutdated = errors.New("the tables were changed by a later version of Vitrine")

// understood is the condition that a program that knows a schema may use the tables.
func understood(known int64) string {
	return fmt.Sprintf("NOT EXISTS (SELECT 1 FROM meta WHERE key = '%s' AND value > '%s')", leastSchema, schemaNumber(known))
}

// isUnderstood fails when the tables demand a program that knows more than this one.
func (s *Store) isUnderstood(ctx context.Context) error {
	least, err := inTime(ctx, func(ctx context.Context) (least string, err error) {
		err = s.read.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = '"+leastSchema+"'").Scan(&least)
		return least, err
	})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return s.explain(ctx, err)
	}
	s.asked.Store(time.Now().UnixNano())
	s.outdated.Store(least > schemaNumber(s.dialect.known))
	if !s.outdated.Load() {
		return nil
	}
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "this server is older than its database, and is being replaced; ask again").Because(ErrOutdated)
}

// isStillUnderstood is isUnderstood, asked now and then. Where it cannot be answered, the
// unit of work that it is asked for says why.
func (s *Store) isStillUnderstood(ctx context.Context) error {
	last := s.asked.Load()
	due := time.Since(time.Unix(0, last)) > recheck && s.asked.CompareAndSwap(last, time.Now().UnixNano())
	if !due && !s.outdated.Load() {
		return nil
	}
	if err := s.isUnderstood(ctx); errors.Is(err, ErrOutdated) {
		return err
	}
	return nil
}

// mayMigrate fails when the tables demand a program that knows more than this one, or were made
// before the first release. There may be none yet.
func (s *Store) mayMigrate(ctx context.Context) error {
	there, err := s.tableNames(ctx)
	if err != nil || !there[facts.table] || !there[schemaTable] {
		return err
	}
	if _, err := s.Migrations(ctx); err != nil {
		return err
	}
	err = s.isUnderstood(ctx)
	if errors.Is(err, ErrOutdated) {
		return fmt.Errorf("%w, and this one knows them up to migration %s: start the later version, or restore a backup from before it was started",
			ErrOutdated, strconv.FormatInt(s.dialect.known, 10))
	}
	return err
}

// schemaNumber is a migration as the fact has it, so that a later one is a greater text.
func schemaNumber(migration int64) string { return fmt.Sprintf("%05d", migration) }

package wire

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
)

// lockSuffix follows the name of a SQLite database in that of the file that its
// server holds.
const lockSuffix = "-lock"

// HoldDatabase makes this process the one server of a SQLite file, until release: what
// a server remembers of a file is not brought up to date as often as another one
// would write. The system lets go for a process that dies. Servers share PostgreSQL.
func HoldDatabase(c config.Database) (release func(), err error) {
	if c.IsPostgres() || c.Database == "" {
		return func() {}, nil
	}
	if err := c.Understood(); err != nil {
		return nil, err
	}
	path := c.Database
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // else the file is yet to be made
	}
	if err := sqlite.CheckPlace(path); err != nil {
		return nil, err
	}
	lock := flock.New(path + lockSuffix)
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be locked: %w", c.Database, err)
	}
	if !held {
		return nil, fmt.Errorf("another server runs on %s, as it holds %s: stop it first, or keep the data in PostgreSQL, which several servers share",
			c.Database, lock.Path())
	}
	return func() { _ = lock.Unlock() }, nil
}

// CheckAlone fails when others are connected to a database of PostgreSQL. A command that empties
// one draws the key of hashes anew, and processes that live through it would refuse every
// token.
func CheckAlone(ctx context.Context, c config.Database) error {
	if !c.IsPostgres() {
		return nil
	}
	err := postgres.CheckAlone(ctx, c.Database)
	if errors.Is(err, postgres.ErrInUse) {
		return fmt.Errorf("%s cannot be emptied: %w. Stop them first, or choose another database or schema", c.Shown(), err)
	}
	return err
}

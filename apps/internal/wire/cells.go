package wire

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// cellPatience is how long a statement of a move may take.
const cellPatience = 10 * time.Minute

// OpenCell opens a database that sites move out of or into. Nobody waits for an answer,
// so that its statements may take as long as they take. The tables of an empty one are
// made if it may be new.
func OpenCell(ctx context.Context, c config.Database, keys config.Secrets, mayBeNew bool, log *slog.Logger) (*sqlstore.Store, error) {
	c.DatabasePatience = cellPatience
	store, err := OpenStore(ctx, c, log)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Shown(), err)
	}
	if err := readyCell(ctx, store, c, keys, mayBeNew); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

func readyCell(ctx context.Context, s *sqlstore.Store, c config.Database, keys config.Secrets, mayBeNew bool) error {
	content, err := s.Content(ctx)
	if err != nil {
		return err
	}
	if content == sqlstore.Empty && !mayBeNew {
		return fmt.Errorf("there is nothing in %s", c.Shown())
	}
	if keys.SecretKey == "" {
		return errors.New("VITRINE_SECRET_KEY is not set: a move needs the key under which both databases keep their secrets")
	}
	if content == sqlstore.Empty {
		if err := s.Migrate(ctx); err != nil {
			return err
		}
	}
	own, err := ownKey(ctx, s)
	if err == nil && own != nil {
		err = fmt.Errorf("%s holds a key of its own, which the other database does not know: exchange it first with vitrine secret-key rotate", c.Shown())
	}
	return err
}

// SameSchema reports databases of different versions, or not of this one.
func SameSchema(ctx context.Context, stores ...*sqlstore.Store) error {
	var first []int64
	for i, s := range stores {
		all, err := s.Migrations(ctx)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all, sqlstore.Migration.Pending) {
			return errors.New("the tables are of an earlier version than this program: run vitrine migrate on both databases, and this version of the servers over both")
		}
		has, err := s.Schema(ctx)
		if err != nil {
			return err
		}
		if i == 0 {
			first = has
		} else if !slices.Equal(first, has) {
			return errors.New("the tables of the two databases are of different versions: run vitrine migrate on both")
		}
	}
	return nil
}

// errOtherPepper is why the clients of one database could not log in to another one.
var errOtherPepper = errors.New("the two databases hash secrets and tokens with different keys, so that those of one are worth nothing in the other: " +
	"begin a cell with vitrine provision --pepper-from, before it has clients")

// AdoptPepper has a database hash secrets and tokens as another one does. A database that
// hashes with another key already is left as it is.
func AdoptPepper(ctx context.Context, from, to *sqlstore.Store, c config.Secrets) error {
	for _, s := range []*sqlstore.Store{from, to} {
		if err := openSecrets(ctx, s, c); err != nil {
			return err
		}
	}
	if _, err := from.Meta(ctx, pepperFact); errors.Is(err, fault.NotFound) {
		return errors.New("the database that the key of hashes is to be taken from has none yet")
	} else if err != nil {
		return err
	}
	key, err := pepper(ctx, from)
	if err != nil {
		return err
	}
	text := base64.RawURLEncoding.EncodeToString(key)
	kept, err := to.EnsureSealed(ctx, pepperFact, text)
	if err == nil && kept != text {
		err = errOtherPepper
	}
	return err
}

// SameEnvironment takes over what a database is for to one that nobody said it of, and
// reports databases that are for something else.
func SameEnvironment(ctx context.Context, from, to *sqlstore.Store) error {
	here, err := Environment(ctx, from)
	if err != nil {
		return err
	}
	there, err := Environment(ctx, to)
	switch {
	case err != nil || here == there:
		return err
	case there == "":
		return SetEnvironment(ctx, to, here)
	}
	return fmt.Errorf("one database is for %q, the other one for %q", here, there)
}

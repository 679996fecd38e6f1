package wire

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
)

// secretKeyFact is the key of a sandbox that was given none.
const secretKeyFact = "secret_key"

// errNoKey says what to do about a missing key.
var errNoKey = errors.New("VITRINE_SECRET_KEY is not set. Secrets are kept under it: make one with `openssl rand -base64 32`, " +
	"give the same to every process and command, and keep it apart from the database and its backups")

// CheckKey reports that a database, as it was opened, cannot be used for want of
// a key.
func CheckKey(ctx context.Context, s *sqlstore.Store, c config.Secrets) error {
	configured, err := c.Key()
	if err != nil || configured != nil {
		return err
	}
	content, err := s.Content(ctx)
	if err != nil {
		return err
	}
	if content == sqlstore.Ours {
		if environment, err := Environment(ctx, s); err != nil || environment == SandboxEnvironment {
			return err
		}
	}
	return errNoKey
}

// CheckKeyFirst is CheckKey of a command that reads a large file before it opens the database: it
// only looks at that, and also tries whether the key opens what is sealed. Where the tables are
// of another version that is told later.
func CheckKeyFirst(ctx context.Context, d config.Database, c config.Secrets) error {
	store, err := OpenToLook(ctx, d, func(string) {})
	if errors.Is(err, fs.ErrNotExist) {
		configured, err := c.Key()
		if err == nil && configured == nil {
			err = errNoKey
		}
		return err
	}
	if err != nil {
		return err
	}
	defer store.Close()
	if err := CheckKey(ctx, store, c); err != nil {
		return err
	}
	if same, err := isOfThisVersion(ctx, store); !same {
		return err
	}
	keys, err := keysThatAre(ctx, store, c)
	if errors.Is(err, errNoKey) { // a sandbox, which gets one
		return nil
	}
	if err != nil {
		return err
	}
	sqlstore.Sealed(keys)(store)
	return opensAll(ctx, store)
}

// isOfThisVersion reports whether a database has the tables that this program knows.
func isOfThisVersion(ctx context.Context, s *sqlstore.Store) (bool, error) {
	content, err := s.Content(ctx)
	if err != nil || content != sqlstore.Ours {
		return false, err
	}
	all, err := s.Migrations(ctx)
	return err == nil && !slices.ContainsFunc(all, func(m sqlstore.Migration) bool { return m.Pending() || !m.Known() }), err
}

// opensAll reports that the keys of a store do not open what is sealed.
func opensAll(ctx context.Context, s *sqlstore.Store) error {
	if err := s.CheckSecrets(ctx); err != nil {
		return fmt.Errorf("the secrets in the database are kept under another key than this VITRINE_SECRET_KEY; "+
			"give the one they are kept under, or exchange it with vitrine secret-key rotate: %w", err)
	}
	return nil
}

// openSecrets gives a store the keys its secrets are kept under, and checks that they
// open them all.
func openSecrets(ctx context.Context, s *sqlstore.Store, c config.Secrets) error {
	keys, err := keysFor(ctx, s, c)
	if err != nil {
		return err
	}
	sqlstore.Sealed(keys)(s)
	return opensAll(ctx, s)
}

// keysFor returns the keys for a database: the configured one, or in a sandbox one
// that the database holds itself.
func keysFor(ctx context.Context, s *sqlstore.Store, c config.Secrets) (sqlstore.Keyring, error) {
	configured, err := c.Key()
	if err != nil {
		return sqlstore.Keyring{}, err
	}
	if configured == nil {
		if err := ensureOwnKey(ctx, s); err != nil {
			return sqlstore.Keyring{}, err
		}
	}
	return keysThatAre(ctx, s, c)
}

// keysThatAre is keysFor of a database that is not to be changed.
func keysThatAre(ctx context.Context, s *sqlstore.Store, c config.Secrets) (sqlstore.Keyring, error) {
	configured, err := c.Key()
	if err != nil {
		return sqlstore.Keyring{}, err
	}
	own, err := ownKey(ctx, s)
	switch {
	case err != nil:
		return sqlstore.Keyring{}, err
	case configured != nil:
		return sqlstore.NewKeyring(configured, own...)
	case len(own) == 0:
		return sqlstore.Keyring{}, errNoKey
	default:
		return sqlstore.NewKeyring(own[0])
	}
}

// ensureOwnKey draws a key for a sandbox that has none.
func ensureOwnKey(ctx context.Context, s *sqlstore.Store) error {
	environment, err := Environment(ctx, s)
	if err != nil {
		return err
	}
	if environment != SandboxEnvironment {
		return errNoKey
	}
	fresh, err := access.NewSecret(rand.Reader)
	if err != nil {
		return err
	}
	_, err = s.EnsureMeta(ctx, secretKeyFact, fresh)
	return err
}

// ownKey returns the key that the database holds itself, if there is one.
func ownKey(ctx context.Context, s *sqlstore.Store) ([][]byte, error) {
	kept, err := s.Meta(ctx, secretKeyFact)
	if errors.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	own, err := base64.RawURLEncoding.DecodeString(kept)
	if err != nil {
		return nil, fmt.Errorf("the key in the database is damaged: %w", err)
	}
	return [][]byte{own}, nil
}

// RotateKey seals every secret of a database under the configured key. Older
// keys open what is sealed under them; afterwards they open nothing. It reports
// how many records it sealed.
func RotateKey(ctx context.Context, s *sqlstore.Store, c config.Secrets, older ...[]byte) (int, error) {
	key, err := c.Key()
	if err != nil {
		return 0, err
	}
	if key == nil {
		return 0, errNoKey
	}
	own, err := ownKey(ctx, s)
	if err != nil {
		return 0, err
	}
	keys, err := sqlstore.NewKeyring(key, append(own, older...)...)
	if err != nil {
		return 0, err
	}
	sqlstore.Sealed(keys)(s)
	sealed, err := s.Reseal(ctx)
	if err != nil {
		return 0, fmt.Errorf("nothing was changed: %w", err)
	}
	return sealed, s.RemoveMeta(ctx, secretKeyFact)
}

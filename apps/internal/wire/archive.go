package wire

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"

	"github.com/vitrine-crm/vitrine/adapters/archive"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/access"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	core "github.com/vitrine-crm/vitrine/core/port/archive"
)

// ArchiveKeys are the keys for archives, made from the configured key. The key
// that a sandbox may hold itself will not do: nobody else has it.
func ArchiveKeys(c config.Secrets) (archive.Keys, error) {
	key, err := c.Key()
	if err != nil {
		return archive.Keys{}, err
	}
	if key == nil {
		return archive.Keys{}, errors.New("secrets in archives are sealed under VITRINE_SECRET_KEY, which is not set; whoever imports one needs the same")
	}
	return archive.NewKeys(key)
}

// ExportArchive writes the archive of a site.
func ExportArchive(ctx context.Context, to io.Writer, s *sqlstore.Store, photos port.Blobs, c config.Secrets, id site.ID, compressed bool, progress core.Progress) (core.Summary, error) {
	keys, err := ArchiveKeys(c)
	if err != nil {
		return core.Summary{}, err
	}
	if err := openSecrets(ctx, s, c); err != nil {
		return core.Summary{}, err
	}
	hashes, err := pepper(ctx, s)
	if err != nil {
		return core.Summary{}, err
	}
	w, err := archive.NewWriter(to, id, keys, base64.RawURLEncoding.EncodeToString(hashes), compressed)
	if err != nil {
		return core.Summary{}, err
	}
	done, err := core.Export(ctx, s, photos, id, w, progress)
	if err != nil {
		return done, err
	}
	return done, w.Close()
}

// errOtherHashes is why the clients of an archive could not log in.
var errOtherHashes = errors.New("the database hashes the secrets of clients with a key of its own, so that those in the archive would be worth nothing: " +
	"import into a new database, or into one that began with another archive of the same database")

// CheckArchive reports why an archive cannot be imported into a database.
func CheckArchive(ctx context.Context, s *sqlstore.Store, c config.Secrets, from *archive.File) error {
	if from.HashKey() == "" {
		return errors.New("the archive lacks the key of its hashes")
	}
	if err := openSecrets(ctx, s, c); err != nil {
		return err
	}
	_, err := s.Meta(ctx, pepperFact)
	if err == nil {
		var hashes access.Pepper
		hashes, err = pepper(ctx, s)
		if err == nil && from.HashKey() != base64.RawURLEncoding.EncodeToString(hashes) {
			err = errOtherHashes
		}
	}
	if err != nil && !errors.Is(err, fault.NotFound) {
		return err
	}
	return core.Check(ctx, s, from)
}

// ImportArchive imports an archive into a database, in which CheckArchive found
// room for it. The key of the hashes comes with it, so that clients keep their
// secrets and tokens.
func ImportArchive(ctx context.Context, s *sqlstore.Store, photos port.Blobs, from *archive.File, progress core.Progress) (core.Summary, error) {
	done, err := core.Import(ctx, s, photos, from, func(unit port.Tx) error {
		kept, err := sqlstore.EnsureSealed(unit, pepperFact, from.HashKey())
		if err == nil && kept != from.HashKey() {
			err = errOtherHashes
		}
		return err
	}, progress)
	if err != nil {
		return done, fmt.Errorf("nothing was imported: %w", err)
	}
	return done, nil
}

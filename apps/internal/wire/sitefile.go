package wire

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/vitrine-crm/vitrine/adapters/backup"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// An archive is a backup of a database that has one site: the rows of the site are copied
// into an SQLite file, as a move copies them, and written from there. An import goes the
// same way in the other direction, so that it brings rows of an earlier version up to date.

// ArchiveKeys returns the secret keys that an archive may be made under: the configured one, and
// those that were in use before.
func ArchiveKeys(c config.Secrets, older ...[]byte) ([][]byte, error) {
	key, err := c.Key()
	if err != nil {
		return nil, err
	}
	if key == nil {
		return nil, errors.New("an archive is made under VITRINE_SECRET_KEY, which is not set")
	}
	return append([][]byte{key}, older...), nil
}

// macOf returns the code that only those who have a secret key can make of a digest.
func macOf(key []byte, sum string) (string, error) {
	derived, err := hkdf.Key(sha256.New, key, nil, "vitrine archive mac", sha256.Size)
	mac := hmac.New(sha256.New, derived)
	mac.Write([]byte(sum))
	return hex.EncodeToString(mac.Sum(nil)), err
}

// ExportSite writes the archive of a site. The same rows and pictures make the same bytes,
// unless a sandbox sealed them under a key of its own.
func ExportSite(ctx context.Context, to io.Writer, s *sqlstore.Store, photos port.Blobs, c config.Secrets, id site.ID, compressed bool, progress Progress) (done Summary, err error) {
	keys, err := ArchiveKeys(c)
	if err != nil {
		return done, err
	}
	if err := isOpen(ctx, s, id); err != nil {
		return done, err
	}
	err = withPart(ctx, func(part *sqlstore.Store) error {
		if err := fillPart(ctx, s, part, c, keys[0], id); err != nil {
			return err
		}
		schema, err := part.Schema(ctx)
		if err != nil {
			return err
		}
		sealed, err := part.Meta(ctx, pepperFact)
		if err != nil {
			return err
		}
		w, err := backup.NewWriter(to, backup.Manifest{Schema: schema, Site: int64(id), Sealed: sealed}, compressed)
		if err != nil {
			return err
		}
		if err := exportPictures(ctx, w, part, photos, id, &done, progress); err != nil {
			return err
		}
		sequences, err := part.SortedRows(ctx, func(table string, columns []string, values []any) error {
			done.Records++
			progress(done)
			return w.Row(table, columns, values)
		})
		if err != nil {
			return err
		}
		_, err = w.Close(sequences, func(sum string) (string, error) { return macOf(keys[0], sum) })
		return err
	})
	return done, err
}

// isOpen reports a site that is not there, or does not stay as it is.
func isOpen(ctx context.Context, s *sqlstore.Store, id site.ID) error {
	head, err := s.Head(ctx, id)
	switch {
	case errors.Is(err, fault.NotFound):
		return fmt.Errorf("there is no site %d", id)
	case err == nil && head.State != site.Open:
		return fmt.Errorf("site %d is %s: end its move first", id, head.State)
	}
	return err
}

// withPart runs a function with an empty database for the rows of one site, which is gone
// afterwards.
func withPart(ctx context.Context, use func(*sqlstore.Store) error) (err error) {
	folder, err := os.MkdirTemp("", "vitrine-site-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	part, err := sqlite.Open(ctx, filepath.Join(folder, "site.db"), sqlstore.NoPrepare())
	if err != nil {
		return err
	}
	return errors.Join(use(part), part.Close())
}

// fillPart copies a site into a part, with the key of its hashes. What a sandbox sealed under
// a key of its own is sealed under the given one.
func fillPart(ctx context.Context, from, part *sqlstore.Store, c config.Secrets, key []byte, id site.ID) error {
	if err := openSecrets(ctx, from, c); err != nil {
		return err
	}
	if _, err := pepper(ctx, from); err != nil { // which draws one if there is none
		return err
	}
	sealed, err := from.Meta(ctx, pepperFact)
	if err != nil {
		return err
	}
	if err := part.Migrate(ctx); err != nil {
		return err
	}
	if err := part.SetMeta(ctx, pepperFact, sealed); err != nil {
		return err
	}
	if err := sqlstore.CopySite(ctx, from, part, site.Move{Site: id}, func(int) {}); err != nil {
		return err
	}
	if err := sqlstore.ReserveIDs(ctx, from, part); err != nil {
		return err
	}
	own, err := ownKey(ctx, from)
	if err != nil || len(own) == 0 {
		return err
	}
	return reseal(ctx, part, key, own...)
}

// reseal seals what is not sealed under a key anew.
func reseal(ctx context.Context, s *sqlstore.Store, key []byte, older ...[]byte) error {
	alone, err := sqlstore.NewKeyring(key)
	if err != nil {
		return err
	}
	sqlstore.Sealed(alone)(s)
	if s.CheckSecrets(ctx) == nil {
		return nil
	}
	all, err := sqlstore.NewKeyring(key, older...)
	if err != nil {
		return err
	}
	sqlstore.Sealed(all)(s)
	_, err = s.Reseal(ctx)
	return err
}

// exportPictures writes the content of the pictures of a site.
func exportPictures(ctx context.Context, w *backup.Writer, part *sqlstore.Store, photos port.Blobs, id site.ID, done *Summary, progress Progress) error {
	for p, err := range part.KeptProducts(ctx, id) {
		if err != nil {
			return err
		}
		for _, q := range p.Pictures {
			content, err := read(ctx, photos, p.PictureKey(q))
			sum := sha256.Sum256(content)
			switch {
			case err != nil && !errors.Is(err, fault.NotFound):
				return err
			case err != nil || hex.EncodeToString(sum[:]) != q.SHA256:
				done.Lost++
				continue
			}
			if err := w.Picture(p.PictureKey(q), content); err != nil {
				return err
			}
			done.Pictures++
			progress(*done)
		}
	}
	return nil
}

// Archive is an archive that was checked from its beginning to its end.
type Archive struct {
	*backup.File
	keys [][]byte
}

// Site returns whose archive it is.
func (a Archive) Site() site.ID { return site.ID(a.Manifest.Site) }

// OpenArchive checks an archive whole, and that it was made under one of some secret keys, of
// which the first is the one to keep secrets under.
func OpenArchive(ctx context.Context, from io.ReadSeeker, keys [][]byte) (a Archive, err error) {
	a.keys = keys
	head, err := backup.Head(from)
	if err != nil {
		return a, err
	}
	if head.Site == 0 {
		return a, errors.New("the file is a backup of a whole installation: vitrine restore takes it")
	}
	if len(keys) == 0 {
		return a, errOtherKey
	}
	known, err := sqlstore.NewKeyring(keys[0], keys[1:]...)
	if err != nil {
		return a, err
	}
	if err := known.CheckFact(pepperFact, head.Sealed); err != nil { // before minutes are spent on the rest
		return a, fmt.Errorf("%w: %w", errOtherKey, err)
	}
	if a.File, err = backup.Open(ctx, from); err != nil {
		return a, err
	}
	for _, key := range keys {
		mac, err := macOf(key, a.End.SHA256)
		if err != nil || hmac.Equal([]byte(mac), []byte(a.End.MAC)) {
			return a, err
		}
	}
	return a, errOtherKey
}

// errOtherKey is why nobody knows whether an archive is what it was.
var errOtherKey = errors.New("the file was made under another secret key than VITRINE_SECRET_KEY, or was changed since: " +
	"give the key under which it was made with --old-key")

// errOtherHashes is why the clients of an archive could not log in.
var errOtherHashes = errors.New("the database hashes the secrets of clients with a key of its own, so that those in the archive would be worth nothing: " +
	"import into a new database, or into one that began with another archive of the same database")

// ImportSite brings a site into a database that does not have it: first the content of its
// pictures, which nobody is shown without their records, then all rows in one unit of work.
// The key of the hashes comes with it, so that clients keep their secrets and tokens. A dry
// run only says what is in the way.
func ImportSite(ctx context.Context, s *sqlstore.Store, photos port.Blobs, c config.Secrets, from Archive, dryRun bool, progress Progress) (done Summary, err error) {
	if err := openSecrets(ctx, s, c); err != nil {
		return done, err
	}
	if _, err := s.Head(ctx, from.Site()); !errors.Is(err, fault.NotFound) {
		return done, errors.Join(fmt.Errorf("site %d is there already", from.Site()), err)
	}
	err = withPart(ctx, func(part *sqlstore.Store) error {
		if err := loadPart(ctx, part, from); err != nil {
			return err
		}
		sealed, err := sharedPepper(ctx, part, s)
		if err == nil {
			err = haveRoom(ctx, part, s, from.Site())
		}
		if err != nil || dryRun {
			return err
		}
		if err := from.importPictures(ctx, photos, &done, progress); err != nil {
			return err
		}
		// Ids first: once the rows are there, nobody may draw one of theirs.
		if err := sqlstore.ReserveIDs(ctx, part, s); err != nil {
			return err
		}
		if _, err := s.EnsureMeta(ctx, pepperFact, sealed); err != nil {
			return err
		}
		return sqlstore.CopySite(ctx, part, s, site.Move{Site: from.Site()}, func(copied int) {
			done.Records = copied
			progress(done)
		})
	})
	if err == nil && !dryRun {
		done.Records = from.End.Rows
	}
	return done, err
}

// loadPart loads an archive, and seals under the first of its keys what is sealed under
// another one.
func loadPart(ctx context.Context, part *sqlstore.Store, from Archive) error {
	as := sqlstore.Dump{Schema: from.Manifest.Schema, Sequences: from.Sequences, Continues: true}
	err := part.Load(ctx, as, func(put func(string, []string, [][]any) error) error {
		return from.Each(ctx, backup.Sink{Rows: put})
	})
	if err != nil {
		return err
	}
	return reseal(ctx, part, from.keys[0], from.keys[1:]...)
}

// sharedPepper returns the key of the hashes of a part as it is stored, and reports a
// database that has another one.
func sharedPepper(ctx context.Context, part, s *sqlstore.Store) (sealed string, err error) {
	if sealed, err = part.Meta(ctx, pepperFact); err != nil {
		return "", fmt.Errorf("the key of the hashes: %w", err)
	}
	if _, err := s.Meta(ctx, pepperFact); errors.Is(err, fault.NotFound) {
		return sealed, nil
	}
	here, err := pepper(ctx, part)
	there, failed := pepper(ctx, s)
	if err := errors.Join(err, failed); err != nil {
		return "", err
	}
	if !bytes.Equal(here, there) {
		return "", errOtherHashes
	}
	return sealed, nil
}

// haveRoom reports the first agency of a site that another site of a database has.
func haveRoom(ctx context.Context, part, s *sqlstore.Store, id site.ID) error {
	return part.View(ctx, func(here port.Tx) error {
		agencies, err := here.Agencies().Of(id)
		if err != nil {
			return err
		}
		return s.View(ctx, func(there port.Tx) error {
			for _, a := range agencies {
				known, err := there.Agencies().ByID(a.ID)
				if err == nil {
					return fmt.Errorf("agency %d is there already, as one of site %d", a.ID, known.Site)
				}
				if !errors.Is(err, fault.NotFound) {
					return err
				}
			}
			return nil
		})
	})
}

// importPictures stores the content of the pictures of an archive.
func (a Archive) importPictures(ctx context.Context, photos port.Blobs, done *Summary, progress Progress) error {
	return a.Each(ctx, backup.Sink{Picture: func(key string, content []byte) error {
		if err := photos.Put(ctx, key, content); err != nil {
			return fmt.Errorf("the picture %s: %w", key, err)
		}
		done.Pictures++
		progress(*done)
		return nil
	}})
}

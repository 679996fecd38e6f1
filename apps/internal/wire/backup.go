package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/backup"
	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/alerts"
)

// Summary counts what is written to a file, or read from one.
type Summary struct {
	Records, Pictures int
	// Lost are pictures of which there is a record and no content.
	Lost int
}

// Progress is told from time to time how much is done. The records of an import may begin
// anew.
type Progress func(Summary)

// openUnprepared opens the database whatever its schema.
func openUnprepared(ctx context.Context, c config.Database) (*sqlstore.Store, error) {
	if err := c.Understood(); err != nil {
		return nil, err
	}
	if !c.IsPostgres() {
		return sqlite.Open(ctx, c.Database, sqlstore.NoPrepare())
	}
	return openPostgres(ctx, c, postgres.With(sqlstore.NoPrepare()))
}

// openOurs opens a database that is there, whatever its schema.
func openOurs(ctx context.Context, c config.Database) (*sqlstore.Store, error) {
	if _, err := os.Stat(c.Database); !c.IsPostgres() && err != nil {
		return nil, err
	}
	store, err := openUnprepared(ctx, c)
	if err != nil {
		return nil, err
	}
	content, err := store.Content(ctx)
	if err == nil && content != sqlstore.Ours {
		err = fmt.Errorf("%s holds nothing of Vitrine's", c.Shown())
	}
	if err != nil {
		store.Close()
		return nil, err
	}
	return store, nil
}

// NoteBackup stores how a backup ended, for the alerts of operators.
func NoteBackup(ctx context.Context, c config.Database, failed error) error {
	store, err := openOurs(ctx, c)
	if err != nil {
		return err
	}
	defer store.Close()
	problem := ""
	if failed != nil {
		problem = failed.Error()
	}
	return alerts.NoteBackup(ctx, store, time.Now(), problem)
}

// Backup writes everything of an installation, while servers may go on.
func Backup(ctx context.Context, to io.Writer, c config.Database, photos config.Photos, program string, compressed bool, progress Progress) (done Summary, err error) {
	store, err := openOurs(ctx, c)
	if err != nil {
		return done, err
	}
	defer store.Close()
	m := backup.Manifest{Made: time.Now().UTC(), Program: program}
	if m.Schema, err = store.Schema(ctx); err != nil {
		return done, err
	}
	if m.Owner, err = store.Meta(ctx, photosFact); err != nil && !errors.Is(err, fault.NotFound) {
		return done, err
	}
	if m.Sealed, err = sealedFact(ctx, store); err != nil {
		return done, err
	}
	w, err := backup.NewWriter(to, m, compressed)
	if err != nil {
		return done, err
	}
	b := &backingUp{w: w, seen: map[string]bool{}, progress: progress}
	if err := b.all(ctx, c, photos, store, m.Owner); err != nil {
		return b.done, err
	}
	_, err = w.Close(b.sequences, nil)
	return b.done, err
}

// sealedFact returns the key of the hashes as a database has it, by which its secret key is known
// again; empty where there is none, or where the database holds the secret key itself.
func sealedFact(ctx context.Context, s *sqlstore.Store) (string, error) {
	if own, err := ownKey(ctx, s); err != nil || len(own) > 0 {
		return "", err
	}
	sealed, err := s.Meta(ctx, pepperFact)
	if errors.Is(err, fault.NotFound) {
		return "", nil
	}
	return sealed, err
}

// CheckRestoreKey reports, by the beginning of a backup, that the key is not that of the backup.
func CheckRestoreKey(from io.ReadSeeker, c config.Secrets) error {
	m, err := backup.Head(from)
	if err != nil {
		return err
	}
	key, err := c.Key()
	if err != nil || key == nil {
		return err
	}
	keys, err := sqlstore.NewKeyring(key)
	if err == nil {
		err = keys.CheckFact(pepperFact, m.Sealed)
	}
	if err != nil {
		return fmt.Errorf("this VITRINE_SECRET_KEY does not open the backup: give the key of the day on which it was made, or none to restore without looking: %w", err)
	}
	return nil
}

// backingUp is a backup under way.
type backingUp struct {
	w         *backup.Writer
	seen      map[string]bool // keys of pictures
	sequences map[string]int64
	done      Summary
	progress  Progress
}

// all writes pictures, rows, and then the pictures that came meanwhile: so one that a
// row tells of is in the file, be it removed or added while the rows were written.
func (b *backingUp) all(ctx context.Context, c config.Database, photos config.Photos, store *sqlstore.Store, owner string) error {
	blobs, err := openToBackUp(ctx, c, photos, store, owner)
	if err != nil {
		return err
	}
	if blobs != nil {
		defer blobs.Close()
		if err := b.pictures(ctx, blobs); err != nil {
			return err
		}
	}
	if b.sequences, err = store.Rows(ctx, b.row); err != nil || blobs == nil {
		return err
	}
	return b.pictures(ctx, blobs)
}

// openToBackUp opens the place of the pictures; nil if no server ever did.
func openToBackUp(ctx context.Context, c config.Database, photos config.Photos, store *sqlstore.Store, owner string) (*Photos, error) {
	if owner == "" {
		return nil, nil //nolint:nilnil // there is no place, and nothing wrong about it
	}
	place, err := placeOf(ctx, photos, c, store)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(place.Folder); place.Folder != "" && err != nil {
		return nil, fmt.Errorf("the place of the pictures: %w", err)
	}
	p, err := openPlace(ctx, place)
	if err != nil {
		return nil, err
	}
	if err := checkOwner(ctx, p, store); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", place.Shown(), err), p.Close())
	}
	return p, nil
}

func (b *backingUp) row(table string, columns []string, values []any) error {
	b.done.Records++
	b.progress(b.done)
	return b.w.Row(table, columns, values)
}

// pictures writes the pictures that are not written yet.
func (b *backingUp) pictures(ctx context.Context, p port.Blobs) error {
	for blob, err := range p.All(ctx) {
		if err != nil {
			return err
		}
		if b.seen[blob.Key] || blob.Key == ownerKey || strings.HasPrefix(blob.Key, checkPrefix) {
			continue
		}
		content, err := read(ctx, p, blob.Key)
		if errors.Is(err, fault.NotFound) {
			continue // it was removed meanwhile
		}
		if err != nil {
			return err
		}
		if err := b.w.Picture(blob.Key, content); err != nil {
			return err
		}
		b.seen[blob.Key] = true
		b.done.Pictures++
		b.progress(b.done)
	}
	return nil
}

func read(ctx context.Context, p port.Blobs, key string) ([]byte, error) {
	r, err := p.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// Restore brings a backup into an empty database and a place for its pictures that is
// nobody else's. The rows come last, all at once: until then there is no installation.
func Restore(ctx context.Context, from *backup.File, c config.Database, photos config.Photos, keys config.Secrets, progress Progress) (done Summary, err error) {
	if from.Manifest.Site != 0 {
		return done, fmt.Errorf("the file is the archive of site %d: vitrine import --format archive takes it", from.Manifest.Site)
	}
	store, err := openUnprepared(ctx, c)
	if err != nil {
		return done, err
	}
	defer store.Close()
	if err := store.CheckLoad(ctx, from.Manifest.Schema); err != nil {
		return done, fmt.Errorf("%s: %w", c.Shown(), err)
	}
	if err := restorePictures(ctx, from, c, photos, func() { done.Pictures++; progress(done) }); err != nil {
		return done, err
	}
	err = store.Load(ctx, sqlstore.Dump{Schema: from.Manifest.Schema, Sequences: from.Sequences}, func(put func(string, []string, [][]any) error) error {
		return from.Each(ctx, backup.Sink{Rows: func(table string, columns []string, rows [][]any) error {
			done.Records += len(rows)
			progress(done)
			return put(table, columns, rows)
		}})
	})
	if err != nil {
		return done, fmt.Errorf("%s: %w", c.Shown(), err)
	}
	return done, checkRestored(ctx, store, keys)
}

// restorePictures stores the pictures of a backup, if it has a place for them.
func restorePictures(ctx context.Context, from *backup.File, c config.Database, photos config.Photos, stored func()) error {
	owner := from.Manifest.Owner
	if owner == "" {
		return nil
	}
	place, err := photos.Place(c)
	if err != nil {
		return err
	}
	p, err := openPlace(ctx, place)
	if err != nil {
		return unwritable(photos, place, err)
	}
	defer p.Close()
	if err := tryPlace(ctx, p); err != nil {
		return unwritable(photos, place, err)
	}
	if err := vacate(ctx, p, owner); err != nil {
		return fmt.Errorf("%s: %w", place.Shown(), err)
	}
	return from.Each(ctx, backup.Sink{Picture: func(key string, content []byte) error {
		stored()
		return p.Put(ctx, key, content)
	}})
}

// checkRestored reports that the key, where there is one, is not that of the backup.
func checkRestored(ctx context.Context, store *sqlstore.Store, c config.Secrets) error {
	if c.SecretKey == "" {
		return nil
	}
	keys, err := keysThatAre(ctx, store, c)
	if err == nil {
		sqlstore.Sealed(keys)(store)
		err = store.CheckSecrets(ctx)
	}
	if err != nil {
		return fmt.Errorf("everything is restored, but this VITRINE_SECRET_KEY does not open it: give the server the key of the backup's day: %w", err)
	}
	return nil
}

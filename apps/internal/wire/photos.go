package wire

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/folder"
	"github.com/vitrine-crm/vitrine/adapters/images"
	"github.com/vitrine-crm/vitrine/adapters/s3"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/core/access"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Photos is where the content of pictures is kept, and what reads it.
type Photos struct {
	port.Blobs
	port.Images
	close func() error
}

// Close gives up the place.
func (p *Photos) Close() error { return p.close() }

// photosFact names the database that a place belongs to.
const photosFact = "photos"

// ownerKey is where a place says which database it belongs to.
const ownerKey = "owner"

// OpenPhotos opens the place of a database's pictures. A place that belongs to
// another database is left alone: sweeping it would remove what the other one
// knows and this one does not.
func OpenPhotos(ctx context.Context, c config.Photos, d config.Database, store *sqlstore.Store, metrics prometheus.Registerer, log *slog.Logger) (*Photos, error) {
	place, err := placeOf(ctx, c, d, store)
	if err != nil {
		return nil, err
	}
	p, err := openPlace(ctx, place)
	if err != nil {
		return nil, fmt.Errorf("the place of pictures: %w", err)
	}
	if err := claim(ctx, p, store); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", place.Shown(), err), p.Close())
	}
	p.Images = images.New(images.Options{Memory: int64(c.PhotosMemory) << 20, Registerer: metrics})
	log.Info("pictures", "place", place.Shown())
	return p, nil
}

// placeOf is where the pictures of a database are kept. Those of a sandbox may be
// lost, and do without a place of which somebody takes care.
func placeOf(ctx context.Context, c config.Photos, d config.Database, store *sqlstore.Store) (config.PhotosPlace, error) {
	place, err := c.Place(d)
	if !errors.Is(err, config.ErrNoPlace) {
		return place, err
	}
	environment, unknown := Environment(ctx, store)
	if unknown != nil || environment != SandboxEnvironment {
		return place, errors.Join(err, unknown)
	}
	name := sha256.Sum256([]byte(d.Database))
	return config.PhotosPlace{Folder: filepath.Join(os.TempDir(), "vitrine-sandbox-"+hex.EncodeToString(name[:6])+".photos")}, nil
}

func openPlace(ctx context.Context, place config.PhotosPlace) (*Photos, error) {
	if place.Bucket != "" {
		bucket, err := s3.Open(ctx, place.Bucket)
		return &Photos{Blobs: bucket, close: func() error { return nil }}, err
	}
	f, err := folder.Open(place.Folder)
	if err != nil {
		return nil, err
	}
	return &Photos{Blobs: f, close: f.Close}, nil
}

var errForeignPlace = errors.New("the pictures there belong to another database")

// claim makes a place that is nobody's the database's own. A place that a
// sandbox left behind is emptied for the next sandbox.
func claim(ctx context.Context, blobs port.Blobs, store *sqlstore.Store) error {
	owner, err := photosOwner(ctx, store)
	if err != nil {
		return err
	}
	known, err := readOwner(ctx, blobs)
	switch {
	case errors.Is(err, fault.NotFound):
		return blobs.Put(ctx, ownerKey, []byte(owner))
	case err != nil || known == owner:
		return err
	case !ofSandbox(known) || !ofSandbox(owner):
		return errForeignPlace
	}
	for blob, err := range blobs.All(ctx) {
		if err != nil {
			return err
		}
		if err := blobs.Delete(ctx, blob.Key); err != nil {
			return err
		}
	}
	return blobs.Put(ctx, ownerKey, []byte(owner))
}

func ofSandbox(owner string) bool { return strings.HasPrefix(owner, "sandbox ") }

// photosOwner is what the places of a database say: its environment, and a name
// it was given once.
func photosOwner(ctx context.Context, store *sqlstore.Store) (string, error) {
	fresh, err := access.NewSecret(rand.Reader)
	if err != nil {
		return "", err
	}
	environment, err := Environment(ctx, store)
	if err != nil {
		return "", err
	}
	return store.EnsureMeta(ctx, photosFact, environment+" "+fresh)
}

func readOwner(ctx context.Context, blobs port.Blobs) (string, error) {
	r, err := blobs.Open(ctx, ownerKey)
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, 1024))
	return string(text), err
}

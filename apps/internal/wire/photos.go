package wire

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/folder"
	"github.com/vitrine-crm/vitrine/adapters/images"
	"github.com/vitrine-crm/vitrine/adapters/s3"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
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
		return nil, unwritable(c, place, err)
	}
	if !c.PhotosRead {
		if err := tryPlace(ctx, p); err != nil {
			return nil, errors.Join(unwritable(c, place, err), p.Close())
		}
	}
	if err := claim(ctx, p, store); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", place.Shown(), err), p.Close())
	}
	p.Images = images.New(images.Options{Memory: int64(c.PhotosMemory) << 20, Registerer: metrics})
	log.Info("pictures", "place", place.Shown())
	return p, nil
}

// unwritable says which option names a place that cannot be used.
func unwritable(c config.Photos, place config.PhotosPlace, err error) error {
	return fmt.Errorf("pictures cannot be read and written in %s, which %s can change: %w", place.Shown(), cmp.Or(c.PhotosOption, "--photos (VITRINE_PHOTOS)"), err)
}

// placeOf returns where the pictures of a database are kept. Those of a sandbox may be
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

package config

import (
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// Photos says where the content of pictures is kept.
type Photos struct {
	Photos         string        `env:"VITRINE_PHOTOS" placeholder:"URL" help:"Where pictures are kept: file:///folder, or s3://bucket/prefix?endpoint=URL&region=NAME; by default a folder beside the SQLite file; required with PostgreSQL, but for a sandbox."`
	PhotosMemory   int           `env:"VITRINE_PHOTOS_MEMORY" default:"512" placeholder:"MIB" help:"Memory for pictures being checked and scaled, in MiB; those beyond wait."`
	PhotosSweepAge time.Duration `env:"VITRINE_PHOTOS_SWEEP_AGE" default:"24h" help:"How old content that belongs to no picture must be to be removed."`
	// PhotosOption is what errors call the option, if not --photos. PhotosRead is for who
	// writes nothing.
	PhotosOption string `kong:"-"`
	PhotosRead   bool   `kong:"-"`
}

// Validate reports everything that cannot be right.
func (p Photos) Validate() error {
	switch {
	case p.PhotosMemory < 16:
		return errors.New("--photos-memory must be at least 16")
	case p.PhotosSweepAge < time.Hour:
		return errors.New("--photos-sweep-age must be at least 1h")
	}
	if p.Photos == "" {
		return nil
	}
	_, err := p.Place(Database{})
	return err
}

// ErrNoPlace is that nobody says where pictures are kept. Servers that share a
// database share the place too, so that a folder of one of them will not do.
var ErrNoPlace = errors.New("say with --photos (VITRINE_PHOTOS) where pictures are kept: with PostgreSQL, that is the same place for all servers")

// PhotosPlace is where pictures are kept: a folder, or the URL of a bucket.
type PhotosPlace struct {
	Folder, Bucket string
}

// Place returns the configured place, or else the folder next to an SQLite file.
func (p Photos) Place(d Database) (PhotosPlace, error) {
	wrong := errors.New("--photos must be a URL such as file:///var/lib/vitrine/photos or s3://bucket/prefix")
	switch {
	case p.Photos == "" && (d.IsPostgres() || d.Database == ""):
		return PhotosPlace{}, ErrNoPlace
	case p.Photos == "":
		return PhotosPlace{Folder: strings.TrimSuffix(d.Database, filepath.Ext(d.Database)) + ".photos"}, nil
	}
	u, err := url.Parse(p.Photos)
	if err != nil {
		return PhotosPlace{}, wrong
	}
	switch {
	case u.Scheme == "file" && u.Host == "" && strings.HasPrefix(u.Path, "/") && u.Path != "/":
		return PhotosPlace{Folder: filepath.FromSlash(u.Path)}, nil
	case u.Scheme == "s3" && u.Host != "":
		return PhotosPlace{Bucket: p.Photos}, nil
	}
	return PhotosPlace{}, wrong
}

// Shown returns the place as it may be logged.
func (p PhotosPlace) Shown() string {
	if p.Bucket != "" {
		return p.Bucket
	}
	return p.Folder
}

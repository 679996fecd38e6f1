// Package folder keeps blobs as files below one folder.
package folder

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// incoming holds files that are being written. They are moved to their place
// when they are whole.
const incoming = ".incoming"

// abandoned is how long after its last change a file in incoming counts as left
// behind by a crash.
const abandoned = 24 * time.Hour

// Folder is a port.Blobs. Several processes may share one, also over a network
// if its renames are atomic there.
type Folder struct{ root *os.Root }

var _ port.Blobs = (*Folder)(nil)

// Open opens a folder, which is created if there is none, for this user alone.
// Nothing outside of it is ever touched.
func Open(path string) (*Folder, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	f := &Folder{root}
	if err := f.tidy(); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return f, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// tidy removes what a crash left half written.
func (f *Folder) tidy() error {
	if err := f.root.MkdirAll(incoming, 0o700); err != nil {
		return err
	}
	entries, err := fs.ReadDir(f.root.FS(), incoming)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = f.root.Remove(path.Join(incoming, entry.Name()))
		}
	}
	return nil
}

// Put implements port.Blobs.
func (f *Folder) Put(ctx context.Context, key string, content []byte) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	name := path.Join(incoming, rand.Text())
	if err := f.write(name, content); err != nil {
		_ = f.root.Remove(name)
		return failed(err)
	}
	if err := f.place(name, key); err != nil {
		_ = f.root.Remove(name)
		return failed(err)
	}
	return nil
}

// write writes a new file, down to the disk.
func (f *Folder) write(name string, content []byte) error {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Sync(), file.Close())
}

// place moves a file to its key, and syncs the folders that lead there.
func (f *Folder) place(name, key string) error {
	if err := f.root.MkdirAll(path.Dir(key), 0o700); err != nil {
		return err
	}
	if err := f.root.Rename(name, key); err != nil {
		return err
	}
	for dir := path.Dir(key); ; dir = path.Dir(dir) {
		if err := f.sync(dir); err != nil || dir == "." {
			return err
		}
	}
}

func (f *Folder) sync(dir string) error {
	opened, err := f.root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

// Open implements port.Blobs.
func (f *Folder) Open(ctx context.Context, key string) (io.ReadSeekCloser, error) {
	if err := check(ctx, key); err != nil {
		return nil, err
	}
	file, err := f.root.Open(key)
	if err != nil {
		return nil, failed(err)
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fault.NotFound, err, file.Close())
	}
	return file, nil
}

// Delete implements port.Blobs.
func (f *Folder) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	if err := f.root.Remove(key); err != nil && !absent(err) {
		return failed(err)
	}
	return nil
}

// All implements port.Blobs.
func (f *Folder) All(ctx context.Context) iter.Seq2[port.Blob, error] {
	return func(yield func(port.Blob, error) bool) {
		err := fs.WalkDir(f.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil && absent(err):
				return nil // it was deleted meanwhile
			case err != nil:
				return err
			case name == incoming:
				return fs.SkipDir
			case !entry.Type().IsRegular():
				return nil
			}
			info, err := entry.Info()
			if err != nil {
				return nil //nolint:nilerr // it was deleted meanwhile
			}
			if !yield(port.Blob{Key: name, Size: info.Size(), Modified: info.ModTime()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(port.Blob{}, failed(err))
		}
	}
}

// check refuses names that are no keys, which would be a mistake of the caller.
func check(ctx context.Context, key string) error {
	if !fs.ValidPath(key) || key == "." || key[0] == '.' {
		return fmt.Errorf("%q is no key", key)
	}
	return ctx.Err()
}

func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// failed puts an error of the file system into the terms of the port.
func failed(err error) error {
	switch {
	case absent(err):
		return fmt.Errorf("%w: %w", fault.NotFound, err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return fmt.Errorf("%w: %w", fault.Unavailable, err)
}

// Package exchange reads and writes the files by which French agency software
// hands listings on: the Poliris CSV of SeLoger and the XML feed of AC3. It goes
// through them listing by listing, whatever their size.
package exchange

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Format is a kind of exchange file.
type Format string

// The formats.
const (
	Poliris Format = "poliris"
	AC3     Format = "ac3"
)

// maxListing bounds one listing of a file, in bytes.
const maxListing = 4 << 20

// tooLong is what is wrong with a listing beyond that.
var tooLong = fmt.Sprintf("the listing has more than %d bytes", maxListing)

// Damage is transfer.Damage.
type Damage = transfer.Damage

// File is an exchange file that is open for reading: a CSV or XML file, its
// pictures next to it, or a ZIP archive with both.
type File struct {
	// Format is the one that was asked for, or that the file shows.
	Format Format

	open func() (io.ReadCloser, error)
	// shape is that of a CSV.
	shape  shape
	photos photos
	close  func() error
	// agencies counts listings by what the file calls their agency.
	agencies map[string]int
}

// Open opens a file. An empty format is found out. Nothing outside the folder of
// the file, or the archive, is ever read, whatever the file names.
func Open(name string, format Format, web *Web) (*File, error) {
	f := &File{Format: format, photos: photos{web: web}}
	if err := f.find(name); err != nil {
		return nil, err
	}
	err := f.look()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// look finds out what there is to know before the listings are read.
func (f *File) look() (err error) {
	shown, err := seen(f, detect)
	if err != nil {
		return err
	}
	f.Format = cmp.Or(f.Format, shown)
	switch {
	case f.Format == AC3:
		if _, err = seen(f, asFeed); errors.Is(err, errNoFeed) {
			_, err = seen(f, unknown)
		}
	case shown == Poliris:
		f.shape, err = seen(f, shapeOf)
	default:
		_, err = seen(f, unknown)
	}
	return err
}

// seen returns what somebody makes of the file who reads it from its beginning.
func seen[T any](f *File, by func(io.Reader) (T, error)) (found T, err error) {
	content, err := f.open()
	if err != nil {
		return found, err
	}
	found, err = by(content)
	return found, errors.Join(err, content.Close())
}

// Close closes the file.
func (f *File) Close() error { return f.close() }

func (f *File) find(name string) error {
	archive, err := zip.OpenReader(name)
	if err == nil {
		f.close = archive.Close
		if err := f.inArchive(&archive.Reader); err != nil {
			return errors.Join(err, archive.Close())
		}
		return nil
	}
	if !errors.Is(err, zip.ErrFormat) {
		return err
	}
	folder, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	f.close = folder.Close
	f.photos.files, f.photos.name = folder.FS(), func(wanted string) string { return wanted }
	f.open = func() (io.ReadCloser, error) { return os.Open(name) }
	return nil
}

// inArchive finds the one file with listings among those of an archive. Case
// does not count, because software is careless with it.
func (f *File) inArchive(archive *zip.Reader) error {
	names, listings := map[string]string{}, []string{}
	for _, entry := range archive.File {
		if !fs.ValidPath(entry.Name) {
			continue
		}
		names[strings.ToLower(entry.Name)] = entry.Name
		switch base := strings.ToLower(path.Base(entry.Name)); {
		case base == "annonces.csv" && f.Format != AC3, path.Ext(base) == ".xml" && f.Format != Poliris:
			listings = append(listings, entry.Name)
		}
	}
	if len(listings) != 1 {
		return fmt.Errorf("the archive holds %d files of listings, not one: annonces.csv, or one with the extension .xml", len(listings))
	}
	folder := path.Dir(listings[0])
	f.photos.files = archive
	f.photos.name = func(wanted string) string { return names[strings.ToLower(path.Join(folder, wanted))] }
	f.open = func() (io.ReadCloser, error) { return archive.Open(listings[0]) }
	return nil
}

// detect returns the format that a file shows, or none.
func detect(content io.Reader) (Format, error) {
	first, err := bufio.NewReaderSize(unmarked(content), 4096).Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(first), []byte("<")), bytes.Contains(first, []byte("<BIEN>")):
		return AC3, nil
	case bytes.Contains(first, []byte(separator)):
		return Poliris, nil
	}
	return "", nil
}

// Listings goes through the file. What is wrong with one listing is in its
// NotUnderstood, or in Refused if nothing of it can be read. An error that is a
// Damage is about a place besides the listings; any other one ends the file.
func (f *File) Listings(ctx context.Context) iter.Seq2[transfer.Listing, error] {
	read := ac3Listings
	if f.Format == Poliris {
		read = func(r io.Reader) iter.Seq2[transfer.Listing, error] { return polirisListings(r, f.shape) }
	}
	return func(yield func(transfer.Listing, error) bool) {
		content, err := f.open()
		if err != nil {
			yield(transfer.Listing{}, err)
			return
		}
		defer content.Close()
		for l, err := range read(content) {
			if ctx.Err() != nil {
				l, err = transfer.Listing{}, ctx.Err()
			}
			for i := range l.Pictures {
				l.Pictures[i] = f.photos.of(l.Pictures[i].Name)
			}
			_, goesOn := errors.AsType[Damage](err)
			if !yield(l, err) || err != nil && !goesOn {
				return
			}
		}
	}
}

// maxAgencies bounds how many agencies of a file are told apart.
const maxAgencies = 1000

// Agencies implements transfer.AgencyFile.
func (f *File) Agencies() map[string]int { return f.agencies }

// Count returns how many listings the file has.
func (f *File) Count(ctx context.Context) (n int, err error) {
	f.agencies = map[string]int{}
	for l, err := range f.Listings(ctx) {
		if _, beside := errors.AsType[Damage](err); beside {
			continue
		}
		if err != nil {
			return n, err
		}
		n++
		if _, known := f.agencies[l.Agency]; l.Agency != "" && l.Refused == "" && (known || len(f.agencies) < maxAgencies) {
			f.agencies[l.Agency]++
		}
	}
	return n, nil
}

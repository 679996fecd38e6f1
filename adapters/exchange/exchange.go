// Package exchange reads and writes the files by which agency software hands listings
// on. It goes through them listing by listing, whatever their size. Each format has a
// table of fields; adding one is a file with its table.
package exchange

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// maxListing bounds one listing of a file, in bytes.
const maxListing = 4 << 20

// tooLong is what is wrong with a listing beyond that.
var tooLong = fault.Textf("the listing has more than %d bytes", maxListing).String()

// Damage is transfer.Damage.
type Damage = transfer.Damage

// File is an exchange file that is open for reading: a CSV, XLSX, XML or JSON file, its
// pictures next to it, or a ZIP archive with both.
type File struct {
	// Format is the one that was asked for, or that the file shows.
	Format Format

	format *format
	// tables are the files with listings, all of them of the format.
	tables []table
	photos photos
	close  func() error
	// inZIP reports that it is an archive.
	inZIP bool
	// agencies counts listings by what the file calls their agency.
	agencies map[string]int
}

// table is a file with listings.
type table struct {
	// name is empty for a file that is in no archive. Pictures are looked for in the folder first.
	name, folder string
	open         func() (io.ReadCloser, error)
	// format is the one that its beginning shows; nil is none.
	format *format
	// shape is that of a CSV.
	shape shape
}

// Open opens a file. An empty format is found out. Nothing outside the folder of
// the file, or the archive, is ever read, whatever the file names.
func Open(name string, format Format, web *Web) (*File, error) {
	of := formatOf(format)
	if of == nil && format != "" {
		return nil, fault.Textf("there is no format %q", format)
	}
	return open(name, of, web)
}

// OpenMapped opens a table with headings that mean what is said of them: the key of a criterion, with a
// point and a code for one of its values, or one of the names of other fields. Other headings mean what
// they do otherwise.
func OpenMapped(name string, headings map[string]string, web *Web) (*File, error) {
	of, err := plainTable.mapped(headings)
	if err != nil {
		return nil, err
	}
	return open(name, of, web)
}

func open(name string, of *format, web *Web) (*File, error) {
	f := &File{format: of, photos: photos{web: web}}
	if err := f.find(name); err != nil {
		return nil, err
	}
	err := f.look()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// OpenBeside opens a file as Open does, or with headings as OpenMapped, and with the pictures of another folder
// beside it. An archive has its own.
func OpenBeside(name string, format Format, headings map[string]string, folder string, web *Web) (f *File, err error) {
	if len(headings) > 0 {
		f, err = OpenMapped(name, headings, web)
	} else {
		f, err = Open(name, format, web)
	}
	if err != nil || folder == "" || f.inZIP {
		return f, err
	}
	pictures, err := os.OpenRoot(folder)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	own := f.close
	f.photos.files, f.close = pictures.FS(), func() error { return errors.Join(own(), pictures.Close()) }
	return f, nil
}

// look finds out what there is to know before the listings are read.
func (f *File) look() error {
	for i := range f.tables {
		t := &f.tables[i]
		if err := f.lookAt(t); err != nil && t.name != "" && len(f.tables) > 1 {
			return fmt.Errorf("%s: %w", t.name, err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (f *File) lookAt(t *table) (err error) {
	if t.format == nil {
		t.format, err = seen(*t, func(r io.Reader) (*format, error) { return recognised(r, f.format) })
	}
	switch {
	case err != nil:
		return err
	case t.format == nil || f.format != nil && t.format != f.format:
		_, err = seen(*t, unknown)
		return err
	case t.format.shape != nil:
		t.shape, err = seen(*t, func(r io.Reader) (shape, error) { return t.format.shape(t.format, r) })
	}
	f.format, f.Format = t.format, t.format.name
	return err
}

// seen returns what somebody makes of a table who reads it from its beginning.
func seen[T any](t table, by func(io.Reader) (T, error)) (found T, err error) {
	content, err := t.open()
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
	if err == nil && isWorkbook(&archive.Reader) {
		return errors.Join(archive.Close(), f.inWorkbook(name))
	}
	if err == nil {
		f.close, f.inZIP = archive.Close, true
		if err := f.inArchive(&archive.Reader); err != nil {
			return errors.Join(err, archive.Close())
		}
		return nil
	}
	if !errors.Is(err, zip.ErrFormat) {
		return err
	}
	return f.alone(name, name)
}

// alone makes a file the only one with listings, whose pictures are beside another one.
func (f *File) alone(name, beside string) error {
	folder, err := os.OpenRoot(filepath.Dir(beside))
	if err != nil {
		return err
	}
	f.close = folder.Close
	f.photos.files, f.photos.name = folder.FS(), func(_, wanted string) string { return wanted }
	f.tables = []table{{open: func() (io.ReadCloser, error) { return os.Open(name) }}}
	return nil
}

// inWorkbook reads the first sheet of a workbook as a table.
func (f *File) inWorkbook(name string) error {
	folder, err := os.MkdirTemp("", "vitrine-sheet-*")
	if err != nil {
		return err
	}
	remove := func() error { return os.RemoveAll(folder) }
	sheet, err := sheetAsTable(name, folder)
	if err == nil {
		err = f.alone(sheet, name)
	}
	if err != nil {
		return errors.Join(err, remove())
	}
	own := f.close
	f.close = func() error { return errors.Join(own(), remove()) }
	return nil
}

// inArchive finds the files with listings among those of an archive, and the pictures wherever they are in
// it. Case does not count, because software is careless with it.
func (f *File) inArchive(archive *zip.Reader) error {
	names, bases := map[string]string{}, map[string][]string{}
	for _, entry := range archive.File {
		if !fs.ValidPath(entry.Name) || strings.HasSuffix(entry.Name, "/") {
			continue
		}
		names[strings.ToLower(entry.Name)] = entry.Name
		base := strings.ToLower(path.Base(entry.Name))
		bases[base] = append(bases[base], entry.Name)
		if err := f.addTable(archive, entry.Name); err != nil {
			return err
		}
	}
	if err := f.checkTables(); err != nil {
		return err
	}
	f.photos.files = archive
	f.photos.name = func(folder, wanted string) string {
		if name, is := names[strings.ToLower(path.Join(folder, wanted))]; is {
			return name
		}
		if anywhere := bases[strings.ToLower(path.Base(wanted))]; len(anywhere) == 1 {
			return anywhere[0]
		}
		return ""
	}
	return nil
}

// settings are files of archives that tell how the archive was made.
var settings = []string{"config.txt", "photos.cfg"}

// addTable adds a file of an archive to those with listings, if it has some: by its content, or by its
// name where that is the one that listings have.
func (f *File) addTable(archive *zip.Reader, name string) (err error) {
	base := strings.ToLower(path.Base(name))
	ext := path.Ext(base)
	t := table{name: name, folder: path.Dir(name), open: func() (io.ReadCloser, error) { return archive.Open(name) }}
	if slices.Contains(settings, base) || strings.HasPrefix(base, ".") || !slices.Contains([]string{".csv", ".txt", ".xml", ".json", ""}, ext) {
		return nil
	}
	t.format, err = seen(t, func(r io.Reader) (*format, error) { return recognised(r, f.format) })
	if t.format != nil || base == "annonces.csv" || ext == ".xml" {
		f.tables = append(f.tables, t)
	}
	return err
}

// checkTables returns an error unless the archive has files of listings, all of one format.
func (f *File) checkTables() error {
	known := slices.ContainsFunc(f.tables, func(t table) bool { return t.format != nil && (f.format == nil || t.format == f.format) })
	f.tables = slices.DeleteFunc(f.tables, func(t table) bool {
		isXML := strings.ToLower(path.Ext(t.name)) == ".xml"
		switch {
		case t.format != nil:
			return f.format != nil && t.format != f.format
		case isXML:
			return known // beside listings, XML may be anything
		}
		return f.format != nil && f.format.feed != nil
	})
	for _, t := range f.tables {
		if first := f.tables[0]; t.format != first.format {
			return fault.Textf("the archive holds files of listings of two formats: %s and %s; say which is to be read", first.name, t.name)
		}
	}
	if len(f.tables) == 0 {
		return fault.Textf("the archive holds no file of listings: %s", listingsAre())
	}
	return nil
}

// recognised returns the format that a file shows, nil if it shows none. One that is wanted needs to show
// less of itself.
func recognised(content io.Reader, wanted *format) (*format, error) {
	text := bufio.NewReaderSize(unmarked(content), 4096)
	first, err := text.Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(first), []byte("<")) {
		return feedOf(text, wanted)
	}
	all := formats
	if wanted != nil {
		all = append(slices.Clone(all), wanted)
	}
	// Headings show more than a sign that may be in any text.
	for _, f := range slices.Backward(all) {
		if f == poliris && bytes.Contains(first, []byte("<BIEN>")) {
			continue
		}
		if f.shows != nil && f.shows(f, first) {
			return f, nil
		}
	}
	if bytes.Contains(first, []byte("<BIEN>")) {
		return feedOf(text, wanted)
	}
	return nil, nil
}

// Listings goes through the file. What is wrong with one listing is in its
// NotUnderstood, or in Refused if nothing of it can be read. An error that is a
// Damage is about a place besides the listings; any other one ends the file.
func (f *File) Listings(ctx context.Context) iter.Seq2[transfer.Listing, error] {
	return func(yield func(transfer.Listing, error) bool) {
		for _, t := range f.tables {
			if !f.through(ctx, t, yield) {
				return
			}
		}
	}
}

// through goes through a table, and reports whether to go on with the next one.
func (f *File) through(ctx context.Context, t table, yield func(transfer.Listing, error) bool) bool {
	content, err := t.open()
	if err != nil {
		yield(transfer.Listing{}, err)
		return false
	}
	defer content.Close()
	within := ""
	if len(f.tables) > 1 {
		within = t.name + ", "
	}
	for l, err := range f.format.listings(f.format, t, content) {
		if ctx.Err() != nil {
			l, err = transfer.Listing{}, ctx.Err()
		}
		for i := range l.Pictures {
			l.Pictures[i] = f.photos.of(t.folder, l.Pictures[i])
		}
		damage, goesOn := errors.AsType[Damage](err)
		if goesOn {
			damage.Source = within + damage.Source
			err = damage
		}
		if err == nil {
			l.Source = within + l.Source
		}
		if !yield(l, err) || err != nil && !goesOn {
			return false
		}
	}
	return true
}

// maxAgencies bounds how many agencies of a file are told apart.
const maxAgencies = 1000

// Agencies implements transfer.AgencyFile.
func (f *File) Agencies() map[string]int { return f.agencies }

// isPart is how a file in OpenImmo begins that has only what changed.
var isPart = regexp.MustCompile(`(?i)<uebertragung\b[^<>]*\bumfang\s*=\s*["']TEIL["']`)

// IsPart implements transfer.PartFile.
func (f *File) IsPart() (bool, error) {
	for _, t := range f.tables {
		part, err := seen(t, func(content io.Reader) (bool, error) {
			first, err := bufio.NewReaderSize(unmarked(content), 4096).Peek(4096)
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return isPart.Match(first), err
		})
		if part || err != nil {
			return part, err
		}
	}
	return false, nil
}

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

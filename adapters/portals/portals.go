// Package portals makes the files that publication targets get, and hands them over.
package portals

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Options say where files may go.
type Options struct {
	// Root is the folder below which the folders of targets are; empty allows none.
	Root string
	// Client reaches permitted addresses only, within a time that a large file may take. Insecure permits
	// http.
	Client   *http.Client
	Insecure bool
	// Application is what makes the files, such as "Vitrine/1.2".
	Application string
	// Listings begins the listings of a file in a format, all of them or a part; name is what that file is
	// called.
	Listings func(format string, partial bool, w io.Writer) (listings Listings, name string, err error)
	// Version is that of Poliris, of which an archive says it.
	Version string
}

// Listings writes listings in some format.
type Listings interface {
	Write(transfer.Exported) error
	// Flush writes what is still held back.
	Flush() error
}

// Outbox implements portals.Outbox.
type Outbox struct{ options Options }

// New returns what makes files.
func New(o Options) *Outbox { return &Outbox{o} }

// file implements portals.File. The listings are kept in a file of their own until they are all there, as the
// archive takes one file at a time.
type file struct {
	options Options
	target  operator.PublicationTarget
	// folder holds what is being made.
	folder   string
	listings *os.File
	writer   Listings
	// name is what the file with the listings is called. It is alone where archive is nil.
	name    string
	whole   *os.File
	archive *zip.Writer
}

// poliris is the format that is always an archive, with what it is.
const poliris = "poliris"

var errNoRoom = errors.New(fault.Textf("the server has no room for the file").String())

// Begin implements portals.Outbox.
func (o *Outbox) Begin(t operator.PublicationTarget, partial bool) (portals.File, error) {
	if t.Settings.URL == "" && o.options.Root == "" {
		return nil, fault.Textf("this server has no folder for portals: see --export-folder")
	}
	if strings.HasPrefix(t.Settings.URL, "http://") && !o.options.Insecure {
		return nil, fault.Textf("the url does not begin with https://")
	}
	folder, err := os.MkdirTemp("", "vitrine-portal-*")
	if err != nil {
		return nil, errNoRoom
	}
	f := &file{options: o.options, target: t, folder: folder}
	f.listings, err = os.Create(filepath.Join(folder, "listings"))
	if err == nil {
		f.whole, err = os.Create(filepath.Join(folder, "whole"))
	}
	if err != nil {
		return nil, errors.Join(errNoRoom, f.Close())
	}
	if f.writer, f.name, err = o.options.Listings(t.Settings.Format, partial, f.listings); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if t.Settings.Format == poliris || t.Settings.Pictures == operator.PicturesAsFiles {
		f.archive = zip.NewWriter(f.whole)
	}
	return f, nil
}

// Close implements portals.File.
func (f *file) Close() error {
	for _, open := range []*os.File{f.listings, f.whole} {
		if open != nil {
			_ = open.Close() // what is removed need not be whole
		}
	}
	return os.RemoveAll(f.folder)
}

// Add implements portals.File.
func (f *file) Add(ctx context.Context, l transfer.Exported) error {
	switch f.target.Settings.Pictures {
	case operator.NoPictures:
		l.Pictures = nil
	case operator.PicturesAsFiles:
		names, err := f.addPictures(ctx, l)
		if err != nil {
			return err
		}
		l.Pictures = names
	}
	if f.writer.Write(l) != nil {
		return errNoRoom
	}
	return nil
}

// addPictures puts the pictures of a listing into the archive, and returns their names there.
func (f *file) addPictures(ctx context.Context, l transfer.Exported) (names []string, err error) {
	for i, p := range l.Files {
		extension := strings.TrimPrefix(p.ContentType, "image/")
		if extension == "jpeg" {
			extension = "jpg"
		}
		name := fmt.Sprintf("%d-%d.%s", l.ID, i+1, extension)
		content, err := p.Open(ctx)
		if err != nil {
			return nil, fault.Textf("picture %d of %s cannot be read", i+1, l.Reference)
		}
		// Pictures are compressed already.
		to, err := f.archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = io.Copy(to, content)
		}
		if closing := content.Close(); err != nil || closing != nil {
			return nil, errNoRoom
		}
		names = append(names, name)
	}
	return names, nil
}

// part is a file in the archive.
type part struct {
	name    string
	content io.Reader
}

// parts are those of the archive beside the pictures.
func (f *file) parts() []part {
	all := []part{{f.name, f.listings}}
	if f.target.Settings.Format != poliris {
		return all
	}
	mode := "URL"
	if f.target.Settings.Pictures == operator.PicturesAsFiles {
		mode = "FULL"
	}
	return append(all,
		part{"Config.txt", strings.NewReader("Version=" + f.options.Version + "\r\nApplication=" + f.options.Application + "\r\nDevise=Euro\r\n")},
		part{"Photos.cfg", strings.NewReader("Mode=" + mode + "\r\n")})
}

// finish ends the file, and returns its size.
func (f *file) finish() (size int64, err error) {
	if f.writer.Flush() != nil {
		return 0, errNoRoom
	}
	if _, err := f.listings.Seek(0, io.SeekStart); err != nil {
		return 0, errNoRoom
	}
	if f.archive == nil {
		f.whole, f.listings = f.listings, f.whole
		return f.sized(io.SeekEnd)
	}
	for _, p := range f.parts() {
		to, err := f.archive.Create(p.name)
		if err == nil {
			_, err = io.Copy(to, p.content)
		}
		if err != nil {
			return 0, errNoRoom
		}
	}
	if f.archive.Close() != nil {
		return 0, errNoRoom
	}
	return f.sized(io.SeekCurrent)
}

// sized returns the size of the whole, which ends at a place, and goes to its beginning.
func (f *file) sized(end int) (size int64, err error) {
	if size, err = f.whole.Seek(0, end); err == nil {
		_, err = f.whole.Seek(0, io.SeekStart)
	}
	if err != nil {
		return 0, errNoRoom
	}
	return size, nil
}

// HandOver implements portals.File.
func (f *file) HandOver(ctx context.Context) (name string, size int64, err error) {
	if size, err = f.finish(); err != nil {
		return "", 0, err
	}
	if f.target.Settings.URL != "" {
		name, err = f.put(ctx, size)
	} else {
		name, err = f.move()
	}
	return name, size, err
}

// fileName is what the file is called in a folder. Those of an incremental target lie beside each other, in
// their order.
func (f *file) fileName() string {
	name := f.name
	if f.archive != nil {
		name = "annonces.zip"
	}
	if !f.target.Settings.Incremental {
		return name
	}
	extension := path.Ext(name)
	return fmt.Sprintf("%s-%09d%s", strings.TrimSuffix(name, extension), f.target.State.Run, extension)
}

// mediaTypes are those of files, by their extensions.
var mediaTypes = map[string]string{".zip": "application/zip", ".xml": "application/xml", ".csv": "text/csv", ".json": "application/json"}

// move writes the file beside the one it then takes the place of, so that a reader gets a whole one.
func (f *file) move() (string, error) {
	root, err := os.OpenRoot(f.options.Root)
	if err != nil {
		return "", fault.Textf("the folder for portals cannot be opened")
	}
	defer root.Close()
	folder := filepath.FromSlash(path.Clean(f.target.Settings.Folder))
	if err := root.MkdirAll(folder, 0o755); err != nil {
		return "", fault.Textf("the folder cannot be made")
	}
	to, err := root.OpenRoot(folder)
	if err != nil {
		return "", fault.Textf("the folder cannot be opened")
	}
	defer to.Close()
	name := f.fileName()
	partial := "." + name + ".part"
	written, err := to.OpenFile(partial, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return "", fault.Textf("the folder cannot be written to")
	}
	_, err = io.Copy(written, f.whole)
	if err := errors.Join(err, written.Sync(), written.Close()); err != nil {
		return "", errNoRoom
	}
	if err := to.Rename(partial, name); err != nil {
		return "", fault.Textf("the file cannot be replaced")
	}
	return name, nil
}

// put sends the file to the address of the target.
func (f *file) put(ctx context.Context, size int64) (string, error) {
	at, err := url.Parse(f.target.Settings.URL)
	if err != nil {
		return "", fault.Textf("the url is none")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, f.target.Settings.URL, io.NopCloser(f.whole))
	if err != nil {
		return "", fault.Textf("the url is none")
	}
	request.ContentLength = size
	request.Header.Set("Content-Type", mediaTypes[path.Ext(f.fileName())])
	response, err := f.options.Client.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if around, is := errors.AsType[*url.Error](err); is {
			err = around.Err // without the address, which may have a password
		}
		return "", fault.Textf("the server was not reached: %s", err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return "", fault.Textf("the server answers %s", response.Status)
	}
	return path.Base(at.Path), nil
}

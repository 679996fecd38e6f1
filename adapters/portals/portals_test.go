package portals_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/portals"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// lines writes a reference and its pictures a line.
type lines struct{ io.Writer }

func (l lines) Write(e transfer.Exported) error {
	_, err := fmt.Fprintf(l.Writer, "%s %v\n", e.Reference, e.Pictures)
	return err
}

func (l lines) Flush() error { return nil }

func outbox(root string) *portals.Outbox {
	return portals.New(portals.Options{
		Root: root, Client: http.DefaultClient, Insecure: true, Application: "Vitrine/1", Version: "4.09",
		Listings: func(format string, _ bool, w io.Writer) (portals.Listings, string, error) {
			if format == "poliris" {
				return lines{w}, "Annonces.csv", nil
			}
			return lines{w}, format + ".xml", nil
		},
	})
}

type picture struct{ *bytes.Reader }

func (picture) Close() error { return nil }

func listing(id int64, pictures ...string) transfer.Exported {
	e := transfer.Exported{Reference: fmt.Sprint("R", id)}
	for _, content := range pictures {
		e.Pictures = append(e.Pictures, "https://crm.example.org/"+content)
		e.Files = append(e.Files, transfer.ExportedFile{ContentType: "image/jpeg", Open: func(context.Context) (io.ReadSeekCloser, error) {
			if content == "gone" {
				return nil, errors.New("gone")
			}
			return picture{bytes.NewReader([]byte(content))}, nil
		}})
	}
	return e
}

// sends hands listings over to a target, and returns what went wrong.
func sends(t *testing.T, o *portals.Outbox, s operator.TargetSettings, all ...transfer.Exported) error {
	t.Helper()
	f, err := o.Begin(operator.PublicationTarget{ID: 1, Site: 1, Name: "Portail", Settings: s}, false)
	if err != nil {
		return err
	}
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, l := range all {
		if err := f.Add(t.Context(), l); err != nil {
			return err
		}
	}
	_, size, err := f.HandOver(t.Context())
	if err == nil && size == 0 {
		t.Error("the file has no size")
	}
	return err
}

// parts returns what an archive has, by name.
func parts(t *testing.T, content []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range r.File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		found[f.Name] = string(all)
	}
	return found
}

func TestTheArchiveHasListingsPicturesAndWhatTheyAre(t *testing.T) {
	root := t.TempDir()
	for pictures, want := range map[string]struct{ listings, mode string }{
		operator.PicturesAsFiles: {"R7 [0-1.jpg 0-2.jpg]\n", "FULL"},
		operator.PicturesAsURLs:  {"R7 [https://crm.example.org/a https://crm.example.org/b]\n", "URL"},
		operator.NoPictures:      {"R7 []\n", "URL"},
	} {
		s := operator.TargetSettings{Location: operator.Location{Folder: "network/portail"}, Format: "poliris", Pictures: pictures}
		if err := sends(t, outbox(root), s, listing(7, "a", "b")); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(filepath.Join(root, "network", "portail", "annonces.zip"))
		if err != nil {
			t.Fatal(err)
		}
		found := parts(t, content)
		if found["Annonces.csv"] != want.listings || found["Photos.cfg"] != "Mode="+want.mode+"\r\n" || found["Config.txt"] != "Version=4.09\r\nApplication=Vitrine/1\r\nDevise=Euro\r\n" {
			t.Errorf("%s: %q", pictures, found)
		}
		if pictures == operator.PicturesAsFiles && (found["0-1.jpg"] != "a" || found["0-2.jpg"] != "b") {
			t.Errorf("pictures: %q", found)
		}
	}
}

// What cannot be sent changes nothing, and is said without the password of an address.
func TestAFileThatCannotBeSentLeavesTheOldOne(t *testing.T) {
	root := t.TempDir()
	s := operator.TargetSettings{Location: operator.Location{Folder: "portail"}, Format: "poliris", Pictures: operator.PicturesAsFiles}
	if err := sends(t, outbox(root), s, listing(1, "a")); err != nil {
		t.Fatal(err)
	}
	if err := sends(t, outbox(root), s, listing(2, "gone")); err == nil || err.Error() != "picture 1 of R2 cannot be read" {
		t.Error(err)
	}
	entries, err := os.ReadDir(filepath.Join(root, "portail"))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	content, err := os.ReadFile(filepath.Join(root, "portail", "annonces.zip"))
	if err != nil || parts(t, content)["Annonces.csv"] != "R1 [0-1.jpg]\n" {
		t.Errorf("%v, %q", err, content)
	}
	if err := os.WriteFile(filepath.Join(root, "taken"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, at := range map[string]operator.Location{
		"the folder cannot be made":           {Folder: "taken"},
		"the folder cannot be ":               {Folder: "away"},
		"the server was not reached: ":        {URL: "http://user:pa55word@127.0.0.1:1/a.zip?key=pa55word"},
		"the server answers 507 Insufficient": {URL: refusing(t)},
	} {
		_ = os.Symlink(t.TempDir(), filepath.Join(root, "away"))
		s.Location = at
		err := sends(t, outbox(root), s, listing(3))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "pa55word") {
			t.Errorf("%s: %v", at, err)
		}
	}
	s.Location = operator.Location{Folder: "portail"}
	if err := sends(t, outbox(""), s); err == nil || !strings.Contains(err.Error(), "--export-folder") {
		t.Error(err)
	}
	s.Location = operator.Location{URL: "http://portail.example.org/"}
	strict := portals.New(portals.Options{Client: http.DefaultClient})
	if err := sends(t, strict, s); err == nil || !strings.Contains(err.Error(), "https://") {
		t.Error(err)
	}
}

func refusing(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInsufficientStorage) }))
	t.Cleanup(server.Close)
	return server.URL
}

func TestAFileIsPutAtAnAddress(t *testing.T) {
	var got []byte
	var asked string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		asked = fmt.Sprint(r.Method, " ", r.URL.Path, " ", r.Header.Get("Content-Type"), " ", r.ContentLength, " ", user, ":", password)
		got, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusCreated)
	}))
	defer server.Close()
	s := operator.TargetSettings{Location: operator.Location{URL: strings.Replace(server.URL, "http://", "http://agence:secret@", 1) + "/in/nice.zip"}, Format: "poliris", Pictures: operator.PicturesAsURLs}
	if err := sends(t, outbox(""), s, listing(1, "a")); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprint("PUT /in/nice.zip application/zip ", len(got), " agence:secret"); asked != want {
		t.Errorf("asked %s, want %s", asked, want)
	}
	if parts(t, got)["Annonces.csv"] != "R1 [https://crm.example.org/a]\n" {
		t.Errorf("%q", got)
	}
}

func TestAFileWithoutPicturesIsAloneButForPoliris(t *testing.T) {
	root := t.TempDir()
	s := operator.TargetSettings{Location: operator.Location{Folder: "portail"}, Format: "openimmo", Pictures: operator.PicturesAsURLs}
	if err := sends(t, outbox(root), s, listing(7, "a")); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(root, "portail", "openimmo.xml"))
	if err != nil || string(content) != "R7 [https://crm.example.org/a]\n" {
		t.Errorf("%q, %v", content, err)
	}
	s.Pictures = operator.PicturesAsFiles
	if err := sends(t, outbox(root), s, listing(7, "a")); err != nil {
		t.Fatal(err)
	}
	if content, err = os.ReadFile(filepath.Join(root, "portail", "annonces.zip")); err != nil {
		t.Fatal(err)
	}
	if found := parts(t, content); len(found) != 2 || found["openimmo.xml"] != "R7 [0-1.jpg]\n" || found["0-1.jpg"] != "a" {
		t.Errorf("%q", found)
	}
}

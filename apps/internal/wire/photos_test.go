package wire_test

import (
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

var quiet = slog.New(slog.DiscardHandler)

func database(t *testing.T, path, environment string) *sqlstore.Store {
	t.Helper()
	store, err := wire.ReadyStore(t.Context(), config.Database{Database: path}, config.Secrets{SecretKey: base64.StdEncoding.EncodeToString(make([]byte, 32))}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if err := wire.SetEnvironment(t.Context(), store, environment); err != nil {
		t.Fatal(err)
	}
	return store
}

func openPhotos(ctx context.Context, photos, path string, store *sqlstore.Store) (*wire.Photos, error) {
	return wire.OpenPhotos(ctx, config.Photos{Photos: photos}, config.Database{Database: path}, store, prometheus.NewRegistry(), quiet)
}

func TestAPlaceOfPicturesBelongsToOneDatabase(t *testing.T) {
	backend := s3mem.New()
	if err := backend.CreateBucket("photos"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	defer server.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test-secret")
	for name, place := range map[string]string{
		"folder": "file://" + filepath.ToSlash(t.TempDir()) + "/photos", "bucket": "s3://photos/x?region=us-east-1&endpoint=" + server.URL,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			stores := map[string]*sqlstore.Store{}
			for db, environment := range map[string]string{"sandbox1": "sandbox", "sandbox2": "sandbox", "live1": "live", "live2": ""} {
				stores[db] = database(t, filepath.Join(dir, db+".db"), environment)
			}
			open := func(db string) *wire.Photos {
				t.Helper()
				photos, err := openPhotos(t.Context(), place, "", stores[db])
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { photos.Close() })
				return photos
			}
			kept := func(p *wire.Photos, want bool) {
				t.Helper()
				r, err := p.Open(t.Context(), "1/2/3")
				if (err == nil) != want {
					t.Errorf("kept: %t (%v)", err == nil, err)
				}
				if err == nil {
					r.Close()
				}
			}
			first := open("sandbox1")
			if err := first.Put(t.Context(), "1/2/3", []byte("x")); err != nil {
				t.Fatal(err)
			}
			kept(open("sandbox1"), true)
			if _, err := openPhotos(t.Context(), place, "", stores["live1"]); err == nil || !strings.Contains(err.Error(), "belong to another database") {
				t.Errorf("a live database takes the place of a sandbox: %v", err)
			}
			kept(first, true)
			kept(open("sandbox2"), false)
			if name == "bucket" {
				place = strings.Replace(place, "/x?", "/y?", 1)
			} else {
				place += "/y"
			}
			kept(open("live1"), false)
			for _, other := range []string{"live2", "sandbox1"} {
				if _, err := openPhotos(t.Context(), place, "", stores[other]); err == nil {
					t.Errorf("%s takes the place of live1", other)
				}
			}
		})
	}
}

func TestPicturesAreBesideTheDatabaseByDefault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agency.db")
	photos, err := openPhotos(t.Context(), "", path, database(t, path, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer photos.Close()
	if _, err := os.Stat(filepath.Join(filepath.Dir(path), "agency.photos", "owner")); err != nil {
		t.Error(err)
	}
}

func TestPostgreSQLNeedsAPlaceForPicturesButForASandbox(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path := filepath.Join(t.TempDir(), "stands-in.db")
	const postgres = "postgres://vitrine@db.example.org/vitrine"
	for _, environment := range []string{"", "live"} {
		if _, err := openPhotos(t.Context(), "", postgres, database(t, path, environment)); !errors.Is(err, config.ErrNoPlace) || !strings.Contains(err.Error(), "VITRINE_PHOTOS") {
			t.Errorf("in environment %q: %v", environment, err)
		}
	}
	photos, err := openPhotos(t.Context(), "", postgres, database(t, path, wire.SandboxEnvironment))
	if err != nil {
		t.Fatal(err)
	}
	defer photos.Close()
	if made, err := filepath.Glob(filepath.Join(os.TempDir(), "vitrine-sandbox-*.photos", "owner")); err != nil || len(made) != 1 {
		t.Errorf("the pictures of a sandbox are in %v, %v", made, err)
	}
}

// A place that takes nothing is said with its option when a server starts, and by a check,
// and not when the first picture comes.
func TestAPlaceThatTakesNothingIsSaidAtTheStart(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "vitrine.db")
	store := database(t, path, "")
	if _, err := wire.Service(t.Context(), store, config.Secrets{SecretKey: base64.StdEncoding.EncodeToString(make([]byte, 32))}, kernel.Options{}); err != nil {
		t.Fatal(err)
	}
	file, blocked, closed := filepath.Join(dir, "file"), filepath.Join(dir, "blocked"), filepath.Join(dir, "closed")
	for _, folder := range []string{blocked, closed} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{file, filepath.Join(blocked, "check")} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folders := []string{file, filepath.Join(file, "photos"), blocked, "/proc/photos"}
	if os.Geteuid() != 0 { // who may write anywhere
		if err := os.Chmod(closed, 0o500); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, closed)
	}
	for _, folder := range folders {
		_, err := openPhotos(t.Context(), "file://"+folder, path, store)
		want := "pictures cannot be read and written in " + folder + ", which --photos (VITRINE_PHOTOS) can change: "
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		c := config.Server{Database: config.Database{Database: path}, Listen: "127.0.0.1:8080"}
		c.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))
		c.Photos.Photos = "file://" + folder
		if got := told(t, c); !strings.Contains(got, "2 pictures: "+want) {
			t.Errorf("a check says %s, want %s", got, want)
		}
	}
}

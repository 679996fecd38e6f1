package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

// open makes an empty store in a file of its own, with a name that would break
// a careless URL.
func open(t testing.TB) *sqlstore.Store {
	t.Helper()
	return openFile(t, filepath.Join(t.TempDir(), "vitrine 100%?#é.db"))
}

func openFile(t testing.TB, path string) *sqlstore.Store {
	t.Helper()
	keys, err := sqlstore.NewKeyring(make([]byte, sqlstore.KeyBytes))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), path, sqlstore.Sealed(keys))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSQLiteReadsRows(t *testing.T) {
	porttest.ProductRows(t, func(t testing.TB) (port.Store, port.ProductRows) {
		s := open(t)
		return s, s.ProductRows()
	})
}

func TestSQLiteTellsChanges(t *testing.T) {
	porttest.Changes(t, func(t testing.TB) (port.Store, port.Changes) {
		s := open(t)
		return s, s.Changes()
	})
}

func TestSQLiteKeepsTheLaw(t *testing.T) {
	porttest.Store(t, func(t testing.TB) port.Store { return open(t) })
}

// An id drawn by a unit that failed may have been seen, in a log or by another
// service, so it is not drawn again.
func TestIDsAreNotDrawnAgainAfterAFailure(t *testing.T) {
	s := open(t)
	undone := errors.New("undone")
	seen := map[int64]bool{}
	for i := range 4 {
		err := s.Update(t.Context(), func(tx port.Tx) error {
			ids, err := tx.NextIDs(port.ProductIDs, 2)
			for _, id := range ids {
				if seen[id] {
					t.Errorf("%d is drawn again", id)
				}
				seen[id] = true
			}
			if i%2 == 0 {
				err = errors.Join(err, undone)
			}
			return err
		})
		if err != nil && !errors.Is(err, undone) {
			t.Fatal(err)
		}
	}
}

func TestAFileOutlivesItsStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	for i := range site.ID(3) {
		s, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: i}) }); err != nil {
			t.Fatal(err)
		}
		err = s.View(t.Context(), func(tx port.Tx) error {
			all, err := tx.Sites().All()
			if len(all) != int(i)+1 {
				t.Errorf("%d sites after %d", len(all), i)
			}
			return err
		})
		if err := errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// Whoever copies the file after the server has stopped has everything, also when something
// was still read at its end.
func TestAClosedFileHasEverything(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file, alone := filepath.Join(folder, "vitrine.db"), filepath.Join(folder, "copy.db")
	s := openFile(t, file)
	if err := s.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: 7, Name: "kept"}) }); err != nil {
		t.Fatal(err)
	}
	if err := s.View(t.Context(), func(tx port.Tx) error {
		if _, err := tx.Sites().Get(7); err != nil {
			return err
		}
		if err := s.Close(); err != nil {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(alone, content, 0o600)
	}); err != nil {
		t.Fatal(err)
	}
	err := openFile(t, alone).View(t.Context(), func(tx port.Tx) error { _, err := tx.Sites().Get(7); return err })
	if err != nil {
		t.Error(err)
	}
}

// It may be about people.
func TestAFileIsForItsOwner(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "vitrine.db")
	openFile(t, file)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if found, err := os.Stat(file + suffix); err != nil || found.Mode().Perm() != 0o600 {
			t.Errorf("%s%s: %v, %v", file, suffix, found.Mode(), err)
		}
	}
}

// A log that stays beside a file is taken for that of whatever is put in its place.
func TestAClosedFileHasNoLogBesideIt(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "vitrine.db")
	s := openFile(t, file)
	if err := s.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: 7}) }); err != nil {
		t.Fatal(err)
	}
	reads, ends := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		if err := s.View(t.Context(), func(tx port.Tx) error {
			_, err := tx.Sites().Get(7)
			close(reads)
			<-ends
			return err
		}); err != nil {
			t.Error(err)
		}
	})
	<-reads
	time.AfterFunc(100*time.Millisecond, func() { close(ends) })
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if found, err := filepath.Glob(file + "?*"); err != nil || len(found) > 0 {
		t.Errorf("beside the file are %v, %v", found, err)
	}
	group.Wait()
}

// Two processes may write to one file.
func TestWritersOfTwoStoresTakeTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	stores := []*sqlstore.Store{openFile(t, path), openFile(t, path)}
	if err := stores[0].Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: 1}) }); err != nil {
		t.Fatal(err)
	}
	const each = 20
	var group sync.WaitGroup
	for _, s := range stores {
		group.Go(func() {
			for range each {
				err := s.Update(t.Context(), func(tx port.Tx) error {
					_, err := tx.Ledger().Append(1, time.Now(), []event.Event{{Type: event.ProductCreate}})
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	for _, s := range stores {
		if h, err := s.Head(t.Context(), 1); err != nil || h.Seq != 2*each {
			t.Errorf("%v, %v", h, err)
		}
	}
}

// Who mistyped a path is told what is there, and what should be.
func TestAPathThatLeadsToNoDatabaseIsExplained(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "notes.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("These are notes, and no database.\n", 200)), 0o600); err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(folder, "short.txt")
	if err := os.WriteFile(short, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	keys, err := sqlstore.NewKeyring(make([]byte, sqlstore.KeyBytes))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		text:   text + " is a file, and no SQLite database",
		short:  short + " is a file, and no SQLite database",
		folder: folder + " is a folder",
		filepath.Join(folder, "none", "vitrine.db"): "there is no folder " + filepath.Join(folder, "none"),
		filepath.Join(text, "vitrine.db"):           "there is no folder " + text,
		"/proc/vitrine.db":                          "/proc/vitrine.db and what is beside it",
	} {
		for name, open := range map[string]func() error{
			"the store":       func() error { _, err := sqlite.Open(t.Context(), path); return err },
			"the request log": func() error { _, err := sqlite.OpenRequests(t.Context(), path, keys); return err },
			"to look": func() error {
				if _, err := sqlite.OpenReadOnly(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
					return err
				}
				return errors.New(want) // it makes none, and says that there is none
			},
		} {
			if err := open(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "(") {
				t.Errorf("%s at %s: %v, want %s, and not what the engine says of it", name, path, err, want)
			}
		}
		if about, err := os.Stat(path); err == nil && about.Mode().IsRegular() && path != text && path != short {
			t.Errorf("%s was made", path)
		}
	}
}

package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlite"
)

// files are the names in a folder, with the content of the database.
func files(t *testing.T, path string) (names []string, content string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return names, string(raw)
}

// TestLookingAtAFileChangesNothing holds while a server runs, and when none does.
func TestLookingAtAFileChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vitrine.db")
	if _, err := sqlite.OpenReadOnly(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	running, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(running.Migrate(t.Context()), running.SetMeta(t.Context(), "fact", "told")); err != nil {
		t.Fatal(err)
	}
	look := func() {
		t.Helper()
		names, before := files(t, path)
		s, err := sqlite.OpenReadOnly(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if fact, err := s.Meta(t.Context(), "fact"); err != nil || fact != "told" {
			t.Errorf("it reads %q, %v", fact, err)
		}
		if err := s.SetMeta(t.Context(), "fact", "changed"); err == nil {
			t.Error("it can be written")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if now, after := files(t, path); !slices.Equal(now, names) || after != before {
			t.Errorf("there were %v, and are %v; the content changed: %t", names, now, after != before)
		}
	}
	look()
	if err := running.Close(); err != nil {
		t.Fatal(err)
	}
	look()
}

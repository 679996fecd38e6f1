package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/porttest"
)

// open makes an empty store in a file of its own, with a name that would break
// a careless URL.
func open(t testing.TB) *sqlstore.Store {
	t.Helper()
	return openFile(t, filepath.Join(t.TempDir(), "vitrine 100%?#é.db"))
}

func openFile(t testing.TB, path string) *sqlstore.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path)
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

func TestSQLiteKeepsTheLaw(t *testing.T) {
	porttest.Store(t, func(t testing.TB) port.Store { return open(t) })
}

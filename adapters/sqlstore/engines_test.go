package sqlstore_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/internal/pgtest"
	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// place is where a database of one test is.
type place struct {
	engine string
	// url is where PostgreSQL is.
	url string
	// open makes a store there. Several can be open at once.
	open func(testing.TB) *sqlstore.Store
	// raw opens the database past the store.
	raw func(testing.TB) *sql.DB
}

// onEachEngine runs a test on an empty database of either engine.
func onEachEngine(t *testing.T, test func(*testing.T, place)) {
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, sqlitePlace(t))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, postgresPlace(t))
	})
}

func sqlitePlace(t testing.TB) place {
	file := filepath.Join(t.TempDir(), "vitrine.db")
	return place{
		engine: "sqlite",
		open:   func(t testing.TB) *sqlstore.Store { return closing(t)(sqlite.Open(t.Context(), file)) },
		raw:    func(t testing.TB) *sql.DB { return rawly(t, "sqlite", file) },
	}
}

func postgresPlace(t testing.TB) place {
	url := pgtest.URL(t)
	return place{
		engine: "postgres",
		url:    url,
		open:   func(t testing.TB) *sqlstore.Store { return closing(t)(postgres.Open(t.Context(), url)) },
		raw:    func(t testing.TB) *sql.DB { return rawly(t, "postgres", url) },
	}
}

func closing(t testing.TB) func(*sqlstore.Store, error) *sqlstore.Store {
	return func(s *sqlstore.Store, err error) *sqlstore.Store {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
}

func rawly(t testing.TB, driver, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// migrated opens a store with its tables.
func (p place) migrated(t testing.TB) *sqlstore.Store {
	t.Helper()
	s := p.open(t)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func execute(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func update(t testing.TB, s port.Store, fn func(port.Tx) error) {
	t.Helper()
	if err := s.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func putSite(id site.ID) func(port.Tx) error {
	return func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: id}) }
}

func addProduct(id site.ID, p product.ID, reference string) func(port.Tx) error {
	return func(tx port.Tx) error {
		return tx.Products().Add(product.Product{ID: p, Site: id, Reference: reference})
	}
}

package sqlstore_test

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/postgres/pgtest"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// place is where a database of one test is.
type place struct {
	engine string
	// url is where PostgreSQL or the file is.
	url string
	// with makes a store there. Several can be open at once.
	with func(testing.TB, ...sqlstore.Option) *sqlstore.Store
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
		url:    file,
		with: func(t testing.TB, options ...sqlstore.Option) *sqlstore.Store {
			return closing(t)(sqlite.Open(t.Context(), file, options...))
		},
		raw: func(t testing.TB) *sql.DB { return rawly(t, "sqlite", file) },
	}
}

func postgresPlace(t testing.TB) place {
	url := pgtest.URL(t)
	return place{
		engine: "postgres",
		url:    url,
		with: func(t testing.TB, options ...sqlstore.Option) *sqlstore.Store {
			return closing(t)(postgres.Open(t.Context(), url, postgres.With(options...), postgres.Patience(time.Minute)))
		},
		raw: func(t testing.TB) *sql.DB { return rawly(t, "postgres", url) },
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

// open makes a store with a key for secrets.
func (p place) open(t testing.TB) *sqlstore.Store {
	t.Helper()
	return p.with(t, sqlstore.Sealed(keyring(t, 1)))
}

// keyring has keys that are told apart by numbers, the current one first.
func keyring(t testing.TB, keys ...byte) sqlstore.Keyring {
	t.Helper()
	var all [][]byte
	for _, n := range keys {
		all = append(all, bytes.Repeat([]byte{n}, sqlstore.KeyBytes))
	}
	k, err := sqlstore.NewKeyring(all[0], all[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	return k
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

package postgres_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/internal/pgtest"
	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/porttest"
)

// open makes an empty store in a schema of its own.
func open(t testing.TB, options ...postgres.Option) *sqlstore.Store {
	t.Helper()
	return openURL(t, pgtest.URL(t), options...)
}

func openURL(t testing.TB, url string, options ...postgres.Option) *sqlstore.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), url, options...)
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

func TestPostgreSQLKeepsTheLaw(t *testing.T) {
	porttest.Store(t, func(t testing.TB) port.Store { return open(t) })
}

// A pooler in transaction mode takes nothing away but speed.
func TestUnpreparedItKeepsTheLawToo(t *testing.T) {
	porttest.Store(t, func(t testing.TB) port.Store { return open(t, postgres.Pooled()) })
}

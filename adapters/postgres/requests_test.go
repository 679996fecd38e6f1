package postgres_test

import (
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/postgres/pgtest"
	"github.com/vitrine-crm/vitrine/adapters/requestlog"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

func openRequests(t testing.TB) *requestlog.Log {
	t.Helper()
	keys, err := sqlstore.NewKeyring(make([]byte, sqlstore.KeyBytes))
	if err != nil {
		t.Fatal(err)
	}
	l, err := postgres.OpenRequests(t.Context(), pgtest.URL(t), keys)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := l.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTheRequestLogKeepsTheLaw(t *testing.T) {
	porttest.Requests(t, func(t testing.TB) porttest.RequestLog { return openRequests(t) })
}

func TestResetEmptiesTheRequestLog(t *testing.T) {
	l := openRequests(t)
	for range 2 {
		if err := l.Add(t.Context(), []trace.Request{{ID: "r"}}); err != nil {
			t.Fatal(err)
		}
		if err := l.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Get(t.Context(), "r"); err == nil {
			t.Error("the request is still there")
		}
	}
}

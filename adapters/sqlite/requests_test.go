package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/requestlog"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

func openRequests(t testing.TB, path string, key byte) *requestlog.Log {
	t.Helper()
	secret := make([]byte, sqlstore.KeyBytes)
	secret[0] = key
	keys, err := sqlstore.NewKeyring(secret)
	if err != nil {
		t.Fatal(err)
	}
	l, err := sqlite.OpenRequests(t.Context(), path, keys)
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
	porttest.Requests(t, func(t testing.TB) porttest.RequestLog {
		return openRequests(t, filepath.Join(t.TempDir(), "vitrine 100%?#é.db-requests"), 1)
	})
}

// Requests that were kept under a key that is gone are shown without bodies.
func TestWithoutTheirKeyRequestsHaveNoBodies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests.db")
	sent := trace.Request{ID: "r", Status: 201, Sent: "{}", Answered: "{}"}
	if err := openRequests(t, path, 1).Add(t.Context(), []trace.Request{sent}); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[byte]string{1: "{}", 2: ""} {
		got, err := openRequests(t, path, key).Get(t.Context(), "r")
		if err != nil || got.Status != 201 || got.Sent != want || got.Answered != want {
			t.Errorf("under key %d: %+v, %v", key, got, err)
		}
	}
}

func TestResetEmptiesTheRequestLog(t *testing.T) {
	l := openRequests(t, filepath.Join(t.TempDir(), "requests.db"), 1)
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

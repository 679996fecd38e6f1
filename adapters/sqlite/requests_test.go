package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"runtime"
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

// What somebody made too long in the file is refused by its length, before it is read.
func TestARequestThatIsTooLongIsReadWithoutIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests.db")
	l := openRequests(t, path, 1)
	if err := l.Add(t.Context(), []trace.Request{{ID: "r", Site: 1, Status: 201, Path: "/a", Sent: "{}", Answered: "{}"}}); err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	const size = 40 << 20
	for _, column := range []string{"answered", "path"} {
		if _, err := raw.ExecContext(t.Context(), "UPDATE request SET "+column+" = hex(zeroblob(?))", size/2); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := l.Get(t.Context(), "r")
	if err != nil || got.Status != 201 || got.Sent != "{}" || got.Answered != "" || got.Path != "" {
		t.Errorf("%.200v, %v", got, err)
	}
	listed, err := l.Find(t.Context(), trace.Filter{Site: 1}, trace.Cursor{}, 10)
	if err != nil || len(listed) != 1 || listed[0].Path != "" || listed[0].Status != 201 {
		t.Errorf("%.200v, %v", listed, err)
	}
	runtime.ReadMemStats(&after)
	if read := after.TotalAlloc - before.TotalAlloc; read > size/4 {
		t.Errorf("%d bytes are allocated", read)
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

// Package pgtest lends tests a PostgreSQL of their own.
package pgtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing" //nolint:depguard // it serves tests, as its name says

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// Variable names the environment variable with the URL of a throw-away cluster.
const Variable = "VITRINE_TEST_POSTGRES"

// URL makes an empty schema and returns the URL of a database in which it is the only one
// seen, so that tests can run side by side. The schema goes when the test ends. Without a
// cluster the test is skipped.
func URL(t testing.TB) string {
	t.Helper()
	cluster := os.Getenv(Variable) //nolint:forbidigo // apps/internal/cluster says it there
	if cluster == "" {
		t.Skipf("%s is not set: run the tests through go run ./apps/internal/cluster", Variable)
	}
	u, err := url.Parse(cluster)
	if err != nil {
		t.Fatalf("%s: %v", Variable, err)
	}
	schema := "test_" + strings.ToLower(rand.Text())
	if err := run(t, cluster, "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := run(t, cluster, "DROP SCHEMA IF EXISTS "+schema+" CASCADE")
		// A client that gave up may have left a statement that goes on, and meets this one.
		for tries := 0; tries < 10 && isDeadlock(err); tries++ {
			err = run(t, cluster, "DROP SCHEMA IF EXISTS "+schema+" CASCADE")
		}
		if err != nil {
			t.Error(err)
		}
	})

	query := u.Query()
	query.Set("search_path", schema)
	query.Set("connect_timeout", "60") // the machine may be busy
	u.RawQuery = query.Encode()
	return u.String()
}

func isDeadlock(err error) bool {
	e := pq.As(err)
	return e != nil && e.Code == pqerror.TRDeadlockDetected
}

func run(t testing.TB, cluster, statement string) error {
	db, err := sql.Open("postgres", cluster)
	if err != nil {
		return err
	}
	defer db.Close()
	// The test's own context has ended when it cleans up.
	if _, err := db.ExecContext(context.WithoutCancel(t.Context()), statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

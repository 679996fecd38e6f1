package postgres_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/internal/proof"
	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/postgres/pgtest"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

// programs is how many random programs of each suite PostgreSQL carries out, unless the
// environment says how many. SQLite carries out three times as many with the same code:
// what differs is what the two send.
const programs = "30"

func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv("RAPID_CHECKS") == "" && !proof.Whole() {
		_ = flag.Set("rapid.checks", programs) // a number
	}
	os.Exit(m.Run())
}

// open makes an empty store in a schema of its own.
func open(t testing.TB, options ...postgres.Option) *sqlstore.Store {
	t.Helper()
	return openURL(t, pgtest.URL(t), options...)
}

func openURL(t testing.TB, url string, options ...postgres.Option) *sqlstore.Store {
	t.Helper()
	keys, err := sqlstore.NewKeyring(make([]byte, sqlstore.KeyBytes))
	if err != nil {
		t.Fatal(err)
	}
	s, err := postgres.Open(t.Context(), url, append([]postgres.Option{postgres.Patience(time.Minute), postgres.With(sqlstore.Sealed(keys))}, options...)...)
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

func TestPostgreSQLReadsRows(t *testing.T) {
	porttest.ProductRows(t, func(t testing.TB) (port.Store, port.ProductRows) {
		s := open(t)
		return s, s.ProductRows()
	})
}

func TestPostgreSQLTellsChanges(t *testing.T) {
	porttest.Changes(t, func(t testing.TB) (port.Store, port.Changes) {
		s := open(t)
		return s, s.Changes()
	})
}

// A pooler in transaction mode takes nothing away but speed. What can differ is how values
// are sent, and what becomes of a unit when units meet or a statement fails.
func TestUnpreparedItKeepsTheLawToo(t *testing.T) {
	pooled := func(t testing.TB) port.Store { return open(t, postgres.Pooled()) }
	if proof.Whole() {
		porttest.Store(t, pooled)
		return
	}
	porttest.Suites(t, pooled, "Examples", "Races", "Rollback")
}

func TestAServerThatForgetsIsReported(t *testing.T) {
	var told []string
	open(t, postgres.Warn(func(sentence string) { told = append(told, sentence) }))
	if all := strings.Join(told, "\n"); !strings.Contains(all, "fsync = off") {
		t.Skipf("the cluster keeps what it is given: %q", all)
	}
}

func TestMistakesInTheURLDoNotShowThePassword(t *testing.T) {
	for _, url := range []string{
		"postgres://me:hunter2@host:port/db", "postgres://me:hunter2%zz@host/db", "postgres://me:hunter2@host/db?sslmode=nonsense",
		"host=h password=hunter2 sslmode=nonsense", "hunter2",
	} {
		_, err := postgres.Open(t.Context(), url)
		if err == nil || strings.Contains(err.Error(), "hunter2") && url != "hunter2" {
			t.Errorf("%q: %v", url, err)
		}
	}
}

// Nobody waits for ever for what another unit of work holds, whatever became of the
// word that its context has ended.
func TestAWaitForALockEnds(t *testing.T) {
	url := pgtest.URL(t)
	separator := "?"
	if strings.Contains(url, "?") {
		separator = "&"
	}
	s := openURL(t, url+separator+"lock_timeout=100ms")
	hold := func(tx port.Tx) error { return tx.Calendars().Hold(1, []site.UserID{1}) }
	err := s.Update(t.Context(), func(tx port.Tx) error {
		if err := hold(tx); err != nil {
			return err
		}
		if err := s.Update(t.Context(), hold); !errors.Is(err, fault.Unavailable) {
			t.Errorf("the second unit: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

package sqlstore_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlite"
	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// failingCommits makes every commit fail that put a customer: a constraint is
// broken that engines look at last.
func failingCommits(t *testing.T, p place) {
	t.Helper()
	db := p.raw(t)
	execute(t, db,
		"CREATE TABLE trap_parent (id BIGINT PRIMARY KEY)",
		"CREATE TABLE trap_child (id BIGINT REFERENCES trap_parent (id) DEFERRABLE INITIALLY DEFERRED)")
	if p.engine == "sqlite" {
		execute(t, db, "CREATE TRIGGER trap AFTER INSERT ON customer BEGIN INSERT INTO trap_child VALUES (1); END")
		return
	}
	execute(t, db,
		"CREATE FUNCTION trap() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO trap_child VALUES (1); RETURN NULL; END'",
		"CREATE TRIGGER trap AFTER INSERT ON customer FOR EACH ROW EXECUTE FUNCTION trap()")
}

func TestAFailedCommitIsUnavailableAndNotRepeated(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		failingCommits(t, p)
		for range 3 {
			runs := 0
			err := s.Update(t.Context(), func(tx port.Tx) error {
				runs++
				if err := tx.Sites().Put(site.Site{ID: 1}); err != nil {
					return err
				}
				return tx.Customers().Put(customer.Customer{ID: 1, Site: 1})
			})
			if !errors.Is(err, fault.Unavailable) || runs != 1 {
				t.Errorf("after %d runs: %v, want fault.Unavailable after one", runs, err)
			}
			if _, err := s.Head(t.Context(), 1); !errors.Is(err, fault.NotFound) {
				t.Errorf("something of the unit is there: %v", err)
			}
		}
		// The connection is not left in the middle of anything.
		update(t, s, putSite(1))
		if _, err := s.Head(t.Context(), 1); err != nil {
			t.Error(err)
		}
	})
}

func TestAUnitThatMeetsOthersIsRepeatedAndThenGivenUp(t *testing.T) {
	p := postgresPlace(t)
	s := p.migrated(t)
	execute(t, p.raw(t),
		"CREATE SEQUENCE tries",
		`CREATE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS
			'BEGIN IF NEW.id = 0 OR nextval(''tries'') < 4 THEN RAISE EXCEPTION ''met'' USING ERRCODE = ''40001''; END IF; RETURN NEW; END'`,
		"CREATE TRIGGER meet BEFORE INSERT ON customer FOR EACH ROW EXECUTE FUNCTION meet()")
	for _, c := range []struct {
		id   customer.ID
		runs int
		kind error
	}{{1, 4, nil}, {0, 8, fault.Unavailable}} {
		runs := 0
		err := s.Update(t.Context(), func(tx port.Tx) error {
			runs++
			// An error that the function keeps to itself counts as well.
			_ = tx.Customers().Put(customer.Customer{ID: c.id, Site: 1})
			return nil
		})
		if !errors.Is(err, c.kind) || runs != c.runs {
			t.Errorf("after %d runs: %v, want %v after %d", runs, err, c.kind, c.runs)
		}
	}
}

func TestConnectionsThatDiedCostNoUnit(t *testing.T) {
	p := postgresPlace(t)
	name := strings.ToLower(rand.Text())
	s := closing(t)(postgres.Open(t.Context(), p.url+"&application_name="+name))
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	update(t, s, putSite(1))
	kill := func() {
		t.Helper()
		execute(t, p.raw(t), "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '"+name+"'")
	}
	kill()
	update(t, s, putSite(2))
	kill()
	if _, err := s.Head(t.Context(), 2); err != nil {
		t.Errorf("Head: %v", err)
	}
	runs := 0
	err := s.Update(t.Context(), func(tx port.Tx) error {
		if _, err := tx.Sites().Get(2); err != nil {
			return err
		}
		if runs++; runs == 1 {
			kill()
		}
		return putSite(3)(tx)
	})
	if !errors.Is(err, fault.Unavailable) {
		t.Errorf("a unit whose connection died: %v, want fault.Unavailable", err)
	}
	update(t, s, putSite(3))
}

func TestADatabaseOutOfReachIsUnavailable(t *testing.T) {
	if _, err := postgres.Open(t.Context(), "postgres://nobody@127.0.0.1:1/none?sslmode=disable"); !errors.Is(err, fault.Unavailable) {
		t.Errorf("PostgreSQL: %v, want fault.Unavailable", err)
	}
	if _, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "no", "such", "folder.db")); !errors.Is(err, fault.Unavailable) {
		t.Errorf("SQLite: %v, want fault.Unavailable", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := postgres.Open(ended, "postgres://nobody@127.0.0.1:1/none?sslmode=disable"); !errors.Is(err, context.Canceled) {
		t.Errorf("PostgreSQL: %v, want context.Canceled", err)
	}
}

// What stands between us and a database that is down takes connections and hangs
// up, as balancers and poolers do.
func TestADatabaseThatHangsUpIsUnavailable(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1024)) // unread bytes would make it a reset
			_ = conn.Close()
		}
	}()
	if _, err := postgres.Open(t.Context(), "postgres://nobody@"+listener.Addr().String()+"/none?sslmode=disable"); !errors.Is(err, fault.Unavailable) {
		t.Errorf("%v, want fault.Unavailable", err)
	}
}

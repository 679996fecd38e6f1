package postgres_test

import (
	"errors"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/postgres/pgtest"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// standbyOf starts a standby of the cluster, and says where it listens.
func standbyOf(t *testing.T, databaseURL string) (host, standbyURL string) {
	t.Helper()
	program := os.Getenv("VITRINE_TEST_POSTGRES_STANDBY")
	if program == "" {
		t.Skip("VITRINE_TEST_POSTGRES_STANDBY is not set: run the tests through go run ./apps/internal/cluster")
	}
	name := strings.ToLower(t.Name())
	start := exec.CommandContext(t.Context(), program, "start", name)
	var said strings.Builder
	start.Stderr = &said
	port, err := start.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	t.Cleanup(func() {
		if out, err := exec.Command(program, "stop", name).CombinedOutput(); err != nil { //nolint:noctx // the test is over
			t.Errorf("%v: %s", err, out)
		}
	})
	u, err := url.Parse(databaseURL)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = net.JoinHostPort("127.0.0.1", strings.TrimSpace(string(port)))
	return u.Host, u.String()
}

// TestAFailoverThatLosesTheEnd: connections come to lead to a standby that lacks the last
// changes. While it is one, nobody is answered from it. When it is promoted, no number comes
// again.
func TestAFailoverThatLosesTheEnd(t *testing.T) {
	t.Parallel()
	primaryURL := pgtest.URL(t)
	way, through := through(t, primaryURL)
	s, err := postgres.Open(t.Context(), through, postgres.Patience(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // of connections that died
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	tell := func() (seq, id int64, err error) {
		err = s.Update(t.Context(), func(tx port.Tx) error {
			last, err := tx.Ledger().Append(1, time.UnixMicro(1), []event.Event{{Site: 1, Type: event.ProductUpdate, Resource: 1}})
			if err != nil {
				return err
			}
			ids, err := tx.NextIDs(port.ProductIDs, 1)
			if err != nil {
				return err
			}
			seq, id = last.Seq, ids[0]
			return nil
		})
		return seq, id, err
	}
	if err := s.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: 1}) }); err != nil {
		t.Fatal(err)
	}
	if _, _, err := tell(); err != nil {
		t.Fatal(err)
	}
	standby, standbyURL := standbyOf(t, primaryURL)
	raw := rawly(t, standbyURL)
	for _, statement := range []string{"ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()"} {
		if _, err := raw.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "nothing is received from the primary", func() bool {
		var receivers int
		err := raw.QueryRowContext(t.Context(), "SELECT count(*) FROM pg_stat_wal_receiver").Scan(&receivers)
		return err == nil && receivers == 0
	})
	var seq, id int64
	for range 60 {
		var err error
		if seq, id, err = tell(); err != nil {
			t.Fatal(err)
		}
	}

	way.turn(standby)
	way.cut()
	for name, do := range map[string]func() error{
		"Head":     func() error { _, err := s.Head(t.Context(), 1); return err },
		"Update":   func() error { _, _, err := tell(); return err },
		"Writable": func() error { return s.Writable(t.Context()) },
	} {
		for range 3 { // on connections that died, and on others
			if err := do(); !errors.Is(err, fault.Unavailable) {
				t.Errorf("%s at a standby: %v, want fault.Unavailable", name, err)
			}
		}
	}

	if _, err := raw.ExecContext(t.Context(), "SELECT pg_promote()"); err != nil {
		t.Fatal(err)
	}
	until(t, "the standby takes writes", func() bool { return s.Writable(t.Context()) == nil })
	head, err := s.Head(t.Context(), 1)
	if err != nil || head.Seq <= seq {
		t.Errorf("the head is %+v, after %d was told; %v", head, seq, err)
	}
	nextSeq, nextID, err := tell()
	if err != nil || nextSeq <= seq || nextID <= id {
		t.Errorf("told %d and %d, after %d and %d; %v", nextSeq, nextID, seq, id, err)
	}
}

// TestConnectionsThatWereMadeToAStandby: a URL may ask for any server. What turns out to be
// a standby is away, and left for the primary as soon as that is there.
func TestConnectionsThatWereMadeToAStandby(t *testing.T) {
	t.Parallel()
	primaryURL := pgtest.URL(t)
	openURL(t, primaryURL)
	standby, _ := standbyOf(t, primaryURL)
	way, through := through(t, primaryURL)
	primary := *way.target.Load()
	way.turn(standby)
	s, err := postgres.Open(t.Context(), through+"&target_session_attrs=any", postgres.Patience(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	put := func(id site.ID) error {
		return s.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: id}) })
	}
	if _, err := s.Head(t.Context(), 1); !errors.Is(err, fault.Unavailable) {
		t.Errorf("Head: %v, want fault.Unavailable", err)
	}
	if err := put(1); !errors.Is(err, fault.Unavailable) {
		t.Errorf("Update: %v, want fault.Unavailable", err)
	}
	if err := s.Writable(t.Context()); !errors.Is(err, fault.Unavailable) {
		t.Errorf("Writable: %v, want fault.Unavailable", err)
	}
	way.turn(primary) // the connections there are stay
	if err := put(1); err != nil {
		t.Errorf("the first write when it leads to the primary: %v", err)
	}
	if _, err := s.Head(t.Context(), 1); err != nil {
		t.Error(err)
	}
}

// until waits for something that takes a moment.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

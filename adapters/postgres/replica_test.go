package postgres_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/postgres/pgtest"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// outcomes remember what came of views.
type outcomes struct {
	mu   sync.Mutex
	seen []sqlstore.StandbyOutcome
}

func (o *outcomes) tell(outcome sqlstore.StandbyOutcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = append(o.seen, outcome)
}

func (o *outcomes) last() sqlstore.StandbyOutcome {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen[len(o.seen)-1]
}

func openStandby(t *testing.T, url string, primary *sqlstore.Store) (*sqlstore.StandbyStore, *outcomes) {
	t.Helper()
	var told outcomes
	s, err := postgres.OpenStandby(url, primary, 4, told.tell)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, &told
}

// primaryOfASite is a database with an empty site, and a store over it.
func primaryOfASite(t *testing.T) (url string, primary *sqlstore.Store) {
	t.Helper()
	url = pgtest.URL(t)
	primary = openURL(t, url)
	if err := primary.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: 1}) }); err != nil {
		t.Fatal(err)
	}
	return url, primary
}

// addProductTo adds a product with its event, and tells the head that follows.
func addProductTo(t *testing.T, s *sqlstore.Store, id product.ID) port.Head {
	t.Helper()
	err := s.Update(t.Context(), func(tx port.Tx) error {
		if err := tx.Products().Add(product.Product{Site: 1, ID: id, Reference: string(rune('A' + id))}); err != nil {
			return err
		}
		_, err := tx.Ledger().Append(1, time.UnixMicro(1), []event.Event{{Site: 1, Type: event.ProductCreate, Resource: int64(id)}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	head, err := s.Head(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// productsAt are the products that a standby shows to somebody who has seen a head.
func productsAt(t *testing.T, s *sqlstore.StandbyStore, head port.Head) (ids []product.ID, done bool) {
	t.Helper()
	done = s.ViewAt(t.Context(), 1, head, func(tx port.Tx) error {
		ids = nil
		found, err := tx.Products().Scan(1, 0, 100)
		for _, p := range found {
			ids = append(ids, p.ID)
		}
		if err == nil {
			_, err = tx.Ledger().Head(1)
		}
		return err
	})
	return ids, done
}

// TestAReplicaThatIsHeldBackIsNeverAsked: whoever has seen a head is shown everything up to
// it, or is not answered from there.
func TestAReplicaThatIsHeldBackIsNeverAsked(t *testing.T) {
	t.Parallel()
	primaryURL, primary := primaryOfASite(t)
	first := addProductTo(t, primary, 1)
	_, standbyURL := standbyOf(t, primaryURL)
	s, told := openStandby(t, standbyURL, primary)
	until(t, "the standby is level", func() bool { _, done := productsAt(t, s, first); return done })

	raw := rawly(t, standbyURL)
	replay := func(function string) {
		t.Helper()
		if _, err := raw.ExecContext(t.Context(), "SELECT "+function+"()"); err != nil {
			t.Fatal(err)
		}
	}
	replay("pg_wal_replay_pause")
	until(t, "replay is paused", func() bool {
		var state string
		return raw.QueryRowContext(t.Context(), "SELECT pg_get_wal_replay_pause_state()").Scan(&state) == nil && state == "paused"
	})
	second := addProductTo(t, primary, 2)
	if ids, done := productsAt(t, s, second); done || told.last() != sqlstore.StandbyBehind {
		t.Errorf("held back, %v are shown (%s)", ids, told.last())
	}
	// Who has seen no more than it has is answered from there.
	if ids, done := productsAt(t, s, first); !done || !slices.Equal(ids, []product.ID{1}) {
		t.Errorf("to those who know no more %v are shown, %t (%s)", ids, done, told.last())
	}
	for name, c := range map[string]struct {
		touched port.Aspect
		counts  func(*port.Head) *int64
	}{
		"settings":   {port.AspectSettings, func(h *port.Head) *int64 { return &h.Settings }},
		"access":     {port.AspectAccess, func(h *port.Head) *int64 { return &h.Access }},
		"rejections": {port.AspectRejections, func(h *port.Head) *int64 { return &h.Rejections }},
	} {
		if err := primary.Update(t.Context(), func(tx port.Tx) error { return tx.Ledger().Touch(1, c.touched) }); err != nil {
			t.Fatal(err)
		}
		head, err := primary.Head(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		lacks := first
		*c.counts(&lacks) = *c.counts(&head)
		if _, done := productsAt(t, s, lacks); done || told.last() != sqlstore.StandbyBehind {
			t.Errorf("it lacks %s, and is asked (%s)", name, told.last())
		}
	}
	replay("pg_wal_replay_resume")
	until(t, "the standby is level again", func() bool {
		ids, done := productsAt(t, s, second)
		if done && !slices.Equal(ids, []product.ID{1, 2}) {
			t.Fatalf("level, %v are shown", ids)
		}
		return done
	})

	// One that was promoted goes its own way, whatever its numbers are.
	if _, err := raw.ExecContext(t.Context(), "SELECT pg_promote(false)"); err != nil {
		t.Fatal(err)
	}
	until(t, "the standby is promoted", func() bool {
		var follows bool
		return raw.QueryRowContext(t.Context(), "SELECT pg_is_in_recovery()").Scan(&follows) == nil && !follows
	})
	if _, done := productsAt(t, s, second); done || told.last() != sqlstore.StandbyOther {
		t.Errorf("promoted, it is asked (%s)", told.last())
	}
}

// TestAReplicaOfAnotherDatabaseIsNeverAsked: its numbers say nothing.
func TestAReplicaOfAnotherDatabaseIsNeverAsked(t *testing.T) {
	t.Parallel()
	primaryURL, primary := primaryOfASite(t)
	s, told := openStandby(t, primaryURL, primary)
	if _, done := productsAt(t, s, port.Head{}); done || told.last() != sqlstore.StandbyOther {
		t.Errorf("the primary itself is asked (%s)", told.last())
	}
	_, standbyURL := standbyOf(t, primaryURL)
	other := openURL(t, pgtest.URL(t))
	s, told = openStandby(t, standbyURL, other)
	if _, done := productsAt(t, s, port.Head{}); done || told.last() != sqlstore.StandbyOther {
		t.Errorf("a standby of another database is asked (%s)", told.last())
	}
	// Where no database says which one it is, they cannot be told apart.
	if _, err := rawly(t, primaryURL).ExecContext(t.Context(), "DELETE FROM lineage"); err != nil {
		t.Fatal(err)
	}
	raw := rawly(t, standbyURL)
	until(t, "the standby does not say which one it is", func() bool {
		var n int
		return raw.QueryRowContext(t.Context(), "SELECT count(*) FROM lineage").Scan(&n) == nil && n == 0
	})
	s, told = openStandby(t, standbyURL, primary)
	if _, done := productsAt(t, s, port.Head{}); done || told.last() != sqlstore.StandbyOther {
		t.Errorf("a standby of no known database is asked (%s)", told.last())
	}
}

// TestAReplicaIsAskedAgainAfterItsDatabaseWasSetBack: it follows where that goes.
func TestAReplicaIsAskedAgainAfterItsDatabaseWasSetBack(t *testing.T) {
	t.Parallel()
	primaryURL, primary := primaryOfASite(t)
	first := addProductTo(t, primary, 1)
	_, standbyURL := standbyOf(t, primaryURL)
	s, _ := openStandby(t, standbyURL, primary)
	until(t, "the standby is level", func() bool { _, done := productsAt(t, s, first); return done })
	if err := primary.Moved(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := addProductTo(t, primary, 2)
	if second.Seq < first.Seq+1_000_000 {
		t.Fatalf("the numbers are not moved on: %+v", second)
	}
	until(t, "the standby is asked again", func() bool {
		ids, done := productsAt(t, s, second)
		return done && slices.Equal(ids, []product.ID{1, 2})
	})
}

// TestAReplicaThatIsBrokenCostsNothing: one that cannot be reached, or says nothing, is left
// alone, and asked again when it is back.
func TestAReplicaThatIsBrokenCostsNothing(t *testing.T) {
	t.Parallel()
	primaryURL, primary := primaryOfASite(t)
	head := addProductTo(t, primary, 1)
	standby, _ := standbyOf(t, primaryURL)
	way, through := through(t, primaryURL)
	way.turn("127.0.0.1:1") // nobody listens there
	s, told := openStandby(t, through, primary)
	if _, done := productsAt(t, s, head); done || told.last() != sqlstore.StandbyFailed {
		t.Errorf("nobody is there, and it is asked (%s)", told.last())
	}
	if _, done := productsAt(t, s, head); done || told.last() != sqlstore.StandbyAway {
		t.Errorf("right after it failed it is tried (%s)", told.last())
	}
	way.turn(standby)
	until(t, "it is asked again", func() bool { _, done := productsAt(t, s, head); return done })

	// What the view finds wrong itself is no fault of the standby.
	if s.ViewAt(t.Context(), 1, head, func(tx port.Tx) error { return errors.New("no") }) || told.last() != sqlstore.StandbyFailed {
		t.Errorf("a view that fails: %s", told.last())
	}
	if _, done := productsAt(t, s, head); !done {
		t.Errorf("and then: %s", told.last())
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if s.ViewAt(gone, 1, head, func(port.Tx) error { return fault.NotFound }) {
		t.Error("who is gone is answered")
	}
	if _, done := productsAt(t, s, head); !done {
		t.Errorf("and then: %s", told.last())
	}
}

package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// forever is how long nobody waits in a test.
const forever = "lock_timeout=10min"

// asks are what requests ask of a store.
func asks(s *sqlstore.Store) map[string]func(context.Context) error {
	event := func(tx port.Tx) error {
		_, err := tx.Ledger().Append(1, time.UnixMicro(1), []event.Event{{Site: 1, Type: event.ProductUpdate, Resource: 1}})
		return err
	}
	return map[string]func(context.Context) error{
		"Head": func(ctx context.Context) error { _, err := s.Head(ctx, 1); return err },
		"View": func(ctx context.Context) error {
			return s.View(ctx, func(tx port.Tx) error { _, err := tx.Ledger().Head(1); return err })
		},
		"Changes":  func(ctx context.Context) error { _, err := s.Changes().Products(ctx, 1, 0, 1); return err },
		"an event": func(ctx context.Context) error { return s.Update(ctx, event) },
		"a product, and an event": func(ctx context.Context) error {
			return s.Update(ctx, func(tx port.Tx) error {
				if _, err := tx.Products().GetUnlocked(1, 1); err != nil && !errors.Is(err, fault.NotFound) {
					return err
				}
				return event(tx)
			})
		},
		"settings": func(ctx context.Context) error {
			return s.Update(ctx, func(tx port.Tx) error { return tx.Ledger().Touch(1, port.AspectSettings) })
		},
	}
}

// withProducts is a store with two sites, and what was written to them.
func withProducts(t *testing.T, url string, options ...postgres.Option) *sqlstore.Store {
	s := openURL(t, url, options...)
	for id := site.ID(1); id <= 2; id++ {
		err := s.Update(t.Context(), func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: id}) })
		if err != nil {
			t.Fatal(err)
		}
		for n := range 2 { // what is written first begins a transaction
			if err := addProduct(t.Context(), s, id, n); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

func addProduct(ctx context.Context, s *sqlstore.Store, id site.ID, n int) error {
	return s.Update(ctx, func(tx port.Tx) error {
		ids, err := tx.NextIDs(port.ProductIDs, 1)
		if err != nil {
			return err
		}
		e, err := tx.Ledger().Append(id, time.Unix(1, 0), []event.Event{{Type: event.ProductCreate, Resource: ids[0], Agency: 1}})
		if err != nil {
			return err
		}
		return tx.Products().Add(product.Product{ID: product.ID(ids[0]), Site: id, Agency: 1, Reference: fmt.Sprint(n), Version: e.Seq, Added: e.At})
	})
}

// holding begins a transaction that holds something until it is released.
func holding(t *testing.T, url, statement string) (release func()) {
	t.Helper()
	raw, err := rawly(t, url).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = raw.Rollback() })
	if _, err := raw.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
	return func() { _ = raw.Rollback() }
}

// TestARequestThatHasWaitedWaitsNoLonger: whatever it asks next, and whatever stands in the
// way of that.
func TestARequestThatHasWaitedWaitsNoLonger(t *testing.T) {
	t.Parallel()
	for name, left := range map[string]time.Duration{"nothing is left": 0, "a little is left": 200 * time.Millisecond} {
		for held, statement := range map[string]string{
			"nothing is held": "SELECT 1",
			"a row is held":   "SELECT 1 FROM site_head WHERE site_id = 1 FOR UPDATE",
			"a table is held": "LOCK TABLE site_head, product, ledger IN ACCESS EXCLUSIVE MODE",
		} {
			t.Run(name+", "+held, func(t *testing.T) {
				t.Parallel()
				url := pgtest.URL(t)
				s := withProducts(t, url+"&"+forever, postgres.Patience(time.Hour), postgres.Connections(4))
				holding(t, url, statement)
				var all sync.WaitGroup
				for what, do := range asks(s) {
					all.Go(func() {
						ctx := port.WithPatience(t.Context(), time.Hour)
						port.PatienceOf(ctx).Waited(time.Hour - left)
						err := do(ctx)
						if err == nil && left > 0 && (statement == "SELECT 1" || !strings.Contains(statement, "TABLE") && (what == "Head" || what == "View" || what == "Changes")) {
							return // nothing stands in the way
						}
						if !errors.Is(err, fault.Unavailable) {
							t.Errorf("%s: %v, want fault.Unavailable", what, err)
						}
						if errors.Is(err, sqlstore.ErrAway) {
							t.Errorf("%s: %v says that the database is away", what, err)
						}
					})
				}
				all.Wait()
			})
		}
	}
}

// TestNobodyWaitsForAConnectionForEver: others have all of them.
func TestNobodyWaitsForAConnectionForEver(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := withProducts(t, url, postgres.Patience(time.Hour), postgres.Connections(2))
	taken, release := make(chan struct{}), make(chan struct{})
	var others sync.WaitGroup
	for range 2 {
		others.Go(func() {
			_ = s.View(t.Context(), func(port.Tx) error {
				taken <- struct{}{}
				<-release
				return nil
			})
		})
	}
	<-taken
	<-taken
	var all sync.WaitGroup
	for what, do := range asks(s) {
		all.Go(func() {
			if err := do(port.WithPatience(t.Context(), 300*time.Millisecond)); !errors.Is(err, fault.Unavailable) {
				t.Errorf("%s: %v, want fault.Unavailable", what, err)
			}
		})
	}
	all.Wait()
	close(release)
	others.Wait()
	for what, do := range asks(s) {
		if err := do(port.WithPatience(t.Context(), time.Hour)); err != nil {
			t.Errorf("%s, once there are connections: %v", what, err)
		}
	}
}

// TestOneSiteDoesNotTakeTheConnectionsOfAll: more write to it than there are connections, and
// all are stuck.
func TestOneSiteDoesNotTakeTheConnectionsOfAll(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := withProducts(t, url+"&application_name="+t.Name()[:30]+"&"+forever, postgres.Patience(time.Hour), postgres.Connections(8))
	release := holding(t, url, "SELECT 1 FROM site_head WHERE site_id = 1 FOR UPDATE")
	var stuck sync.WaitGroup
	for n := range 20 {
		stuck.Go(func() {
			ctx := port.WithPatience(t.Context(), time.Hour)
			if err := addProduct(ctx, s, 1, 100+n); err != nil {
				t.Errorf("a write to the site, once nothing is held: %v", err)
			}
		})
	}
	raw := rawly(t, url)
	waiting := func() (n int) {
		err := raw.QueryRowContext(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'", t.Name()[:30]).Scan(&n)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	until(t, "the writes are stuck", func() bool { return waiting() == 2 })
	for n := range 10 {
		if _, err := s.Head(port.WithPatience(t.Context(), time.Hour), 2); err != nil {
			t.Error(err)
		}
		if err := addProduct(port.WithPatience(t.Context(), time.Hour), s, 2, 200+n); err != nil {
			t.Errorf("a write to another site: %v", err)
		}
	}
	if n := waiting(); n != 2 {
		t.Errorf("%d of 8 connections are stuck, want 2", n)
	}
	release()
	stuck.Wait()
}

// TestAPooledConnectionIsNotUsedWhileTheServerIsSilent: it would be waited for once more.
func TestAPooledConnectionIsNotUsedWhileTheServerIsSilent(t *testing.T) {
	t.Parallel()
	way, through := through(t, pgtest.URL(t))
	const connections = 8
	s := withProducts(t, through, postgres.Patience(2*time.Second), postgres.Connections(connections))
	warmed := make(chan struct{}, connections)
	var all sync.WaitGroup
	for range connections {
		all.Go(func() {
			_ = s.View(t.Context(), func(tx port.Tx) error {
				_, err := tx.Ledger().Head(1)
				warmed <- struct{}{}
				for len(warmed) < connections {
					time.Sleep(time.Millisecond)
				}
				return err
			})
		})
	}
	all.Wait()
	if open := idle(s); open != connections {
		t.Fatalf("%d connections are idle, want %d", open, connections)
	}
	way.known.Store(way.made.Load())
	way.silent.Store(true)
	until(t, "the server is known to be silent", func() bool {
		_, err := s.Head(t.Context(), 1)
		return err != nil && strings.Contains(err.Error(), "it does not answer")
	})
	way.saidBefore.Store(0)
	for what, do := range asks(s) {
		if err := do(t.Context()); !errors.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v, want fault.Unavailable", what, err)
		}
	}
	if said := way.saidBefore.Load(); said != 0 {
		t.Errorf("%d times something was asked on a connection that was there before", said)
	}
}

func idle(s *sqlstore.Store) (n int) {
	for _, pool := range s.Pools() {
		n += pool.Stats().Idle
	}
	return n
}

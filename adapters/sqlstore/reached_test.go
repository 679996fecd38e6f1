package sqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/port"
)

// TestACopyOfTheWholeIsKnownByWhoLivedThroughIt: everything in the database says that it is
// where it was. One number that is less than the one that was told is enough.
func TestACopyOfTheWholeIsKnownByWhoLivedThroughIt(t *testing.T) {
	type test struct {
		back  string // what comes back
		first func(testing.TB, *sqlstore.Store)
		only  string // engine
	}
	const at100 = "UPDATE site_head SET seq = 100, settings = 100, access = 100, rejections = 100"
	head := func(t testing.TB, s *sqlstore.Store) { _, _ = s.Head(t.Context(), 1) }
	for name, c := range map[string]test{
		"events":              {"UPDATE site_head SET seq = 99", head, ""},
		"settings":            {"UPDATE site_head SET settings = 99", head, ""},
		"accesses":            {"UPDATE site_head SET access = 99", head, ""},
		"rejections":          {"UPDATE site_head SET rejections = 99", head, ""},
		"what was at 0":       {"UPDATE site_head SET seq = 0, settings = 0, access = 0, rejections = 0", head, ""},
		"an earlier timeline": {"UPDATE lineage SET timeline = 2", head, ""},
		"the log":             {"SELECT 1", func(t testing.TB, s *sqlstore.Store) { sqlstore.Knows(s, 1<<40); head(t, s) }, "postgres"},
		"the log, as a new connection says": {"SELECT 1", func(t testing.TB, s *sqlstore.Store) {
			sqlstore.Knows(s, 1<<40)
			sqlstore.HangUp(s)
			update(t, s, func(tx port.Tx) error { // which reads no head
				_, err := tx.NextIDs(port.ActionIDs, 1)
				return err
			})
		}, "postgres"},
		"an event that was stored and not read since": {"UPDATE site_head SET seq = 100", func(t testing.TB, s *sqlstore.Store) { head(t, s) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			onEachEngine(t, func(t *testing.T, p place) {
				if c.only != "" && c.only != p.engine {
					t.Skip("its log is not told")
				}
				s := p.migrated(t)
				update(t, s, putSite(1))
				execute(t, p.raw(t), at100, "UPDATE lineage SET timeline = 3")
				if h, err := s.Head(t.Context(), 1); err != nil || h.Seq != 100 {
					t.Fatalf("%+v, %v", h, err)
				}
				update(t, s, func(tx port.Tx) error {
					_, err := tx.Ledger().Append(1, time.UnixMicro(1), []event.Event{{Site: 1, Type: event.ProductUpdate, Resource: 1}})
					return err
				})
				execute(t, p.raw(t), c.back)
				c.first(t, s)
				h, err := s.Head(t.Context(), 1)
				if err != nil || h.Seq < 1_000_000 || h.Settings < 1_000_000 || h.Access < 1_000_000 || h.Rejections < 1_000_000 || h.Seq > 1_000_101 {
					t.Errorf("the head is %+v, %v", h, err)
				}
				if id := nextID(t, s, port.CustomerIDs); id < 1_000_000 || id > 1_000_100 {
					t.Errorf("the id is %d", id)
				}
				// Once, and those who did not live through it go on with it.
				for range 2 {
					if again, err := p.with(t).Head(t.Context(), 1); err != nil || again != h {
						t.Errorf("the head is %+v, and then %+v, %v", h, again, err)
					}
				}
				if again, err := s.Head(t.Context(), 1); err != nil || again != h || s.TimelinesStarted() != 1 {
					t.Errorf("the head is %+v, and then %+v, %v; moved on %d times", h, again, err, s.TimelinesStarted())
				}
			})
		})
	}
}

func nextID(t testing.TB, s *sqlstore.Store, of port.Sequence) (id int64) {
	t.Helper()
	update(t, s, func(tx port.Tx) error {
		ids, err := tx.NextIDs(of, 1)
		if err == nil {
			id = ids[0]
		}
		return err
	})
	return id
}

// TestOneOfManyWhoLivedThroughItMovesTheNumbersOn: each knows a head of its own.
func TestOneOfManyWhoLivedThroughItMovesTheNumbersOn(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		first := p.migrated(t)
		update(t, first, putSite(1))
		stores := []*sqlstore.Store{first, p.with(t), p.with(t)}
		for i, s := range stores {
			execute(t, p.raw(t), fmt.Sprintf("UPDATE site_head SET seq = %d", 100+i))
			if _, err := s.Head(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
		execute(t, p.raw(t), "UPDATE site_head SET seq = 50")
		done := make(chan error)
		for range 4 {
			for _, s := range stores {
				go func() {
					h, err := s.Head(t.Context(), 1)
					if err == nil && h.Seq != 1_000_050 {
						err = fmt.Errorf("the head is %+v", h)
					}
					done <- err
				}()
			}
		}
		for range 4 * len(stores) {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if now := p.lineage(t); now.timeline != 1 {
			t.Errorf("%+v", now)
		}
	})
}

// TestWhatIsNoCopy: a site that leaves and comes anew begins at one, and numbers that others
// moved on are not moved on again.
func TestWhatIsNoCopy(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		update(t, s, putSite(1))
		execute(t, p.raw(t), "UPDATE site_head SET seq = 100")
		if _, err := s.Head(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if err := p.with(t).Moved(t.Context()); err != nil {
			t.Fatal(err)
		}
		if h, err := s.Head(t.Context(), 1); err != nil || h.Seq != 1_000_100 {
			t.Errorf("moved on by another: %+v, %v", h, err)
		}
		execute(t, p.raw(t), "DELETE FROM site_head", "DELETE FROM site")
		_, _ = s.Head(t.Context(), 1)
		update(t, p.with(t), putSite(1))
		if h, err := s.Head(t.Context(), 1); err != nil || h.Seq != 0 || s.TimelinesStarted() != 0 {
			t.Errorf("a site that came anew: %+v, %v, moved on %d times", h, err, s.TimelinesStarted())
		}
	})
}

// TestTheEndOfTheLedgerIsTold: of all sites, it is what happened last.
func TestTheEndOfTheLedgerIsTold(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		s := p.migrated(t)
		if end, err := s.LedgerEnd(t.Context()); err != nil || end != (event.Event{}) {
			t.Errorf("%+v, %v, want nothing", end, err)
		}
		at := func(second int64) time.Time { return time.Unix(second, 0).UTC() }
		for site, second := range map[int64]int64{1: 20, 2: 30, 3: 0} {
			execute(t, p.raw(t), fmt.Sprintf("INSERT INTO site_head (site_id, seq, last_at, settings, access) VALUES (%d, %d, %d, 0, 0)", site, 10*site, at(second).UnixMicro()))
		}
		if end, err := s.LedgerEnd(t.Context()); err != nil || end != (event.Event{Site: 2, Seq: 20, At: at(30)}) {
			t.Errorf("%+v, %v", end, err)
		}
	})
}

package sqlstore_test

import (
	"context"
	"database/sql"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/porttest"
)

// keep remembers all rows of a database, with those that say where it was. The tables that
// come back are others, as those of a restored dump are.
func (p place) keep(t testing.TB, s *sqlstore.Store) (back func()) {
	t.Helper()
	type kept struct {
		table   string
		columns []string
		values  []any
	}
	var rows []kept
	var d sqlstore.Dump
	var err error
	if d.Schema, err = s.Schema(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.Sequences, err = s.Rows(t.Context(), func(table string, columns []string, values []any) error {
		rows = append(rows, kept{table, slices.Clone(columns), slices.Clone(values)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	was := p.lineage(t)
	return func() {
		t.Helper()
		other := p.with(t)
		if err := other.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		execute(t, p.raw(t), "DELETE FROM lineage")
		err := p.with(t).Load(t.Context(), d, func(put func(string, []string, [][]any) error) error {
			for _, r := range rows {
				if err := put(r.table, r.columns, [][]any{r.values}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		// What a dump of the engine brings back says where the database was when it was made.
		if _, err := p.raw(t).ExecContext(t.Context(), "UPDATE lineage SET place = "+quoted(was.place)+", timeline = 0"); err != nil {
			t.Fatal(err)
		}
		if p.engine == "sqlite" { // which cannot know
			if err := p.with(t).Moved(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func quoted(text string) string { return "'" + text + "'" }

// lineage is the row of the database that says where it is.
func (p place) lineage(t testing.TB) (l struct {
	place    string
	timeline int64
},
) {
	t.Helper()
	if err := p.raw(t).QueryRowContext(t.Context(), "SELECT place, timeline FROM lineage").Scan(&l.place, &l.timeline); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestNumbersThatWereToldNeverComeAgain(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		base := p
		porttest.SetBack(t, func(t testing.TB) (port.Store, func() func()) {
			p := sqlitePlace
			if base.engine == "postgres" {
				p = postgresPlace
			}
			own := p(t)
			s := own.migrated(t)
			return s, func() func() { return own.keep(t, s) }
		})
	})
}

// TestANewDatabaseIsNotTakenForOneThatWasSetBack: its numbers begin at one.
func TestANewDatabaseIsNotTakenForOneThatWasSetBack(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		var timeline atomic.Int64
		count := sqlstore.OnTimeline(func(context.Context, sqlstore.Timeline) { timeline.Add(1) })
		s := p.with(t, count)
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		update(t, s, putSite(1))
		var ids []int64
		update(t, s, func(tx port.Tx) (err error) {
			ids, err = tx.NextIDs(port.ProductIDs, 1)
			return err
		})
		head, err := p.with(t, count).Head(t.Context(), 1)
		if err != nil || head.Seq != 0 || ids[0] != 1 || timeline.Load() != 0 {
			t.Errorf("head %+v, id %d, %d timeline, %v", head, ids[0], timeline.Load(), err)
		}
		if err := s.Moved(t.Context()); err != nil {
			t.Fatal(err)
		}
		if head, err = s.Head(t.Context(), 1); err != nil || head.Seq != 1_000_000 || timeline.Load() != 1 || p.lineage(t).timeline != 1 {
			t.Errorf("moved: head %+v, %d timeline, %+v, %v", head, timeline.Load(), p.lineage(t), err)
		}
	})
}

// TestOneOfManyMovesTheNumbersOn: those who see at once that the database was set back do
// it once.
func TestOneOfManyMovesTheNumbersOn(t *testing.T) {
	onEachEngine(t, func(t *testing.T, p place) {
		var timeline atomic.Int64
		s := p.with(t, sqlstore.OnTimeline(func(context.Context, sqlstore.Timeline) { timeline.Add(1) }))
		if err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		update(t, s, putSite(1))
		execute(t, p.raw(t), "DELETE FROM lineage", "INSERT INTO lineage (id, place, cluster, timeline) VALUES (1, 'before', '', 6)")
		done := make(chan error)
		for range 8 {
			go func() {
				_, err := s.Head(t.Context(), 1)
				done <- err
			}()
		}
		for range 8 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if head, err := s.Head(t.Context(), 1); err != nil || head.Seq != 1_000_000 || timeline.Load() != 1 || p.lineage(t).timeline != 7 {
			t.Errorf("head %+v, %d timeline, %+v, %v", head, timeline.Load(), p.lineage(t), err)
		}
	})
}

// TestAnotherClusterIsAnotherPlace: the same tables with the same oids, behind the same
// address, in a cluster that is not the one they were in.
func TestAnotherClusterIsAnotherPlace(t *testing.T) {
	p := postgresPlace(t)
	s := p.migrated(t)
	update(t, s, putSite(1))
	if _, err := s.Head(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	execute(t, p.raw(t), "UPDATE lineage SET cluster = '1234567890'")
	again := closing(t)(postgres.Open(t.Context(), p.url))
	if head, err := again.Head(t.Context(), 1); err != nil || head.Seq != 1_000_000 || p.lineage(t).timeline != 1 {
		t.Errorf("head %+v, %+v, %v", head, p.lineage(t), err)
	}
	var cluster sql.NullString
	if err := p.raw(t).QueryRowContext(t.Context(), "SELECT cluster FROM lineage").Scan(&cluster); err != nil || cluster.String == "" || cluster.String == "1234567890" {
		t.Errorf("cluster %q, %v", cluster.String, err)
	}
}

package porttest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func importExamples() []example {
	return []example{
		{"RunsComeBackAsTheyWere", runsComeBack},
		{"RunsAreListedLatestFirst", runsAreListed},
		{"ReportsAreReadByNumber", reportsAreRead},
		{"NoChangeOfARunIsLost", noLostRun},
		{"OldRunsGoWithTheirReports", oldRunsGo},
		{"AFailedUnitLeavesNoRun", failedRun},
	}
}

func sampleRun(of site.ID, id operator.ImportRunID) operator.ImportRun {
	return operator.ImportRun{
		ID: id, Site: of, Agency: 1 << 40, By: 7, Name: awkward, Format: "poliris", Size: 1 << 40, DryRun: true, Of: 3, File: "imports/1/a",
		State: operator.ImportStopped, Stopping: true, Problem: awkward, Started: instant(1), Seen: instant(2),
		ImportTally: operator.ImportTally{Total: 11, Listings: 10, Created: 1, Changed: 2, Unchanged: 3, Refused: 4, Damaged: 5, Pictures: 6, PicturesUnseen: 7, NotUnderstood: 8},
	}
}

func sampleLine(number int) operator.ImportLine {
	return operator.ImportLine{
		Number: number, Action: operator.ImportRefused, Source: "line 3", Reference: awkward, Product: 1 << 40, Changes: []string{"Prix", awkward}, Pictures: 1,
		PicturesUnseen: 2, NotUnderstood: []operator.NotUnderstood{{Source: "a", Value: awkward, Why: "b"}}, More: 3, Why: awkward,
	}
}

func runsComeBack(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	put := func(tx port.Tx, r operator.ImportRun) error { return tx.Imports().Save(r, nil) }
	comesBack(t, w, "run", sampleRun(id, 1), operator.ImportRun{Site: id, ID: 1}, put, func(tx port.Tx) (operator.ImportRun, error) { return tx.Imports().Get(id, 1) })
	w.notFound(t, "a run that is not there", func(tx port.Tx) error { return second(tx.Imports().Get(id, 2)) })
	w.notFound(t, "the run of another site", func(tx port.Tx) error { return second(tx.Imports().Get(other, 1)) })
}

func runsAreListed(t *testing.T, w *world) {
	id, other := w.site(t), w.site(t)
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Imports().Save(sampleRun(id, 4), nil) },
			func() error { return tx.Imports().Save(sampleRun(other, 5), nil) },
			func() error { return tx.Imports().Save(sampleRun(id, 20), nil) },
			func() error { return tx.Imports().Save(sampleRun(id, 9), nil) },
		)
	})
	check := func(tx port.Tx) (err error) {
		for _, c := range []struct {
			before operator.ImportRunID
			n      int
			want   []operator.ImportRunID
		}{{0, 9, []operator.ImportRunID{20, 9, 4}}, {0, 2, []operator.ImportRunID{20, 9}}, {9, 2, []operator.ImportRunID{4}}, {4, 2, nil}, {0, 0, nil}, {0, -1, nil}} {
			found, err2 := tx.Imports().List(id, c.before, c.n)
			var ids []operator.ImportRunID
			for _, r := range found {
				same(t, "a listed run", sampleRun(id, r.ID), r)
				ids = append(ids, r.ID)
			}
			same(t, fmt.Sprintf("%d runs before %d", c.n, c.before), c.want, ids)
			err = errors.Join(err, err2)
		}
		return err
	}
	w.view(t, check)
	w.update(t, check)
}

func reportsAreRead(t *testing.T, w *world) {
	id := w.site(t)
	changed := sampleLine(2)
	changed.Action = operator.ImportChanged
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error {
				return tx.Imports().Save(sampleRun(id, 1), []operator.ImportLine{sampleLine(1), sampleLine(2)})
			},
			func() error {
				return tx.Imports().Save(sampleRun(id, 1), []operator.ImportLine{changed, sampleLine(11)})
			},
			func() error { return tx.Imports().Save(sampleRun(id, 2), []operator.ImportLine{sampleLine(3)}) },
		)
	})
	for _, c := range []struct {
		q    port.ReportQuery
		want []operator.ImportLine
	}{
		{port.ReportQuery{Limit: 9}, []operator.ImportLine{sampleLine(1), changed, sampleLine(11)}},
		{port.ReportQuery{Limit: 1}, []operator.ImportLine{sampleLine(1)}},
		{port.ReportQuery{After: 2, Limit: 9}, []operator.ImportLine{sampleLine(11)}},
		{port.ReportQuery{Actions: []operator.ImportAction{operator.ImportChanged, operator.ImportCreated}, Limit: 9}, []operator.ImportLine{changed}},
		{port.ReportQuery{After: 11, Limit: 9}, nil},
		{port.ReportQuery{}, nil},
		{port.ReportQuery{Limit: -1}, nil},
	} {
		c.q.Site, c.q.Run = id, 1
		w.view(t, func(tx port.Tx) error {
			got, err := tx.Imports().Report(c.q)
			same(t, fmt.Sprintf("what %+v reads", c.q), c.want, got)
			return err
		})
	}
}

func noLostRun(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error { return tx.Imports().Save(operator.ImportRun{Site: id, ID: 1}, nil) })
	noneLost(t, w, func(tx port.Tx) (int64, error) {
		r, err := tx.Imports().Get(id, 1)
		return int64(r.Listings), err
	}, func(tx port.Tx) error {
		r, err := tx.Imports().Get(id, 1)
		if err != nil {
			return err
		}
		r.Listings++
		return tx.Imports().Save(r, nil)
	})
}

// seenAt is a run that was last seen at a moment.
func seenAt(of site.ID, id operator.ImportRunID, at time.Time) operator.ImportRun {
	r := sampleRun(of, id)
	r.Seen = at
	return r
}

func oldRunsGo(t *testing.T, w *world) {
	id := w.site(t)
	w.update(t, func(tx port.Tx) error {
		return try(
			func() error { return tx.Imports().Save(seenAt(id, 1, old(3)), []operator.ImportLine{sampleLine(1)}) },
			func() error { return tx.Imports().Save(seenAt(id, 2, old(1)), []operator.ImportLine{sampleLine(1)}) },
			func() error { return tx.Imports().Save(seenAt(id, 3, old(4)), []operator.ImportLine{sampleLine(1)}) },
		)
	})
	purge := func(before time.Time, n, want int) {
		t.Helper()
		w.update(t, func(tx port.Tx) error {
			gone, err := tx.Imports().Purge(before, n)
			same(t, "runs that went", want, gone)
			return err
		})
	}
	left := func(want ...operator.ImportRunID) {
		t.Helper()
		w.view(t, func(tx port.Tx) error {
			var ids []operator.ImportRunID
			found, err := tx.Imports().List(id, 0, 9)
			for _, r := range found {
				ids = append(ids, r.ID)
			}
			same(t, "runs that are left", want, ids)
			for run := range operator.ImportRunID(4) {
				lines, err2 := tx.Imports().Report(port.ReportQuery{Site: id, Run: run, Limit: 9})
				if kept := slices.Contains(want, run); kept != (len(lines) == 1) {
					t.Errorf("run %d has %d lines", run, len(lines))
				}
				err = errors.Join(err, err2)
			}
			return err
		})
	}
	purge(old(1), 9, 0)
	purge(old(4), 1, 1)
	left(3, 1)
	purge(old(4), 9, 1)
	left(3)
	purge(old(4), -1, 0)
}

func failedRun(t *testing.T, w *world) {
	id := w.site(t)
	failed := errors.New("failed")
	err := w.Update(t.Context(), func(tx port.Tx) error {
		return errors.Join(tx.Imports().Save(sampleRun(id, 1), []operator.ImportLine{sampleLine(1)}), failed)
	})
	if !errors.Is(err, failed) {
		t.Errorf("the unit answers %v", err)
	}
	if err := w.View(t.Context(), func(tx port.Tx) error { return tx.Imports().Save(sampleRun(id, 1), nil) }); err == nil {
		t.Error("a view wrote a run")
	}
	w.view(t, func(tx port.Tx) error {
		runs, err := tx.Imports().List(id, 0, 9)
		lines, err2 := tx.Imports().Report(port.ReportQuery{Site: id, Run: 1, Limit: 9})
		same(t, "what is left", 0, len(runs)+len(lines))
		return errors.Join(err, err2)
	})
}

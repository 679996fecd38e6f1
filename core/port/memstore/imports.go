package memstore

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

type imports struct{ *unit }

func runKey(of site.ID, id operator.ImportRunID) string { return key(int64(of), int64(id)) }

func (r imports) Get(of site.ID, id operator.ImportRunID) (operator.ImportRun, error) {
	return one(r.unit, r.state.runs, runKey(of, id), "import", id, same)
}

func (r imports) List(of site.ID, before operator.ImportRunID, n int) ([]operator.ImportRun, error) {
	found, err := all(r.unit, r.state.runs, key(int64(of)), same)
	found = slices.DeleteFunc(found, func(run operator.ImportRun) bool { return before != 0 && run.ID >= before })
	slices.Reverse(found)
	return found[:min(len(found), max(n, 0))], err
}

func (r imports) Save(run operator.ImportRun, lines []operator.ImportLine) error {
	k := runKey(run.Site, run.ID)
	err := put(r.unit, &r.state.runs, k, run, same)
	for _, l := range lines {
		if err == nil {
			err = put(r.unit, &r.state.reports, k+key(int64(l.Number)), l, deep)
		}
	}
	return err
}

func (r imports) Report(q port.ReportQuery) ([]operator.ImportLine, error) {
	found, err := all(r.unit, r.state.reports, runKey(q.Site, q.Run), deep)
	found = slices.DeleteFunc(found, func(l operator.ImportLine) bool {
		return l.Number <= q.After || len(q.Actions) > 0 && !slices.Contains(q.Actions, l.Action)
	})
	return found[:min(len(found), max(q.Limit, 0))], err
}

func (r imports) Purge(before time.Time, n int) (int, error) {
	gone, err := purge(r.unit, &r.state.runs, before, n, func(run operator.ImportRun) time.Time { return run.Seen })
	for _, k := range gone {
		if err == nil {
			err = discard(r.unit, &r.state.reports, k, func(operator.ImportLine) bool { return true })
		}
	}
	return len(gone), err
}

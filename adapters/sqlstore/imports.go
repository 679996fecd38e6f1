package sqlstore

import (
	"slices"
	"time"

	"github.com/Masterminds/squirrel"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

var importRuns = mapping[operator.ImportRun]{
	table: "import_run",
	keys:  []string{"site_id", "id"},
	row: func(r *operator.ImportRun) row {
		return row{{"site_id", whole(&r.Site)}, {"id", whole(&r.ID)}, {"body", document(r)}}
	},
	extra: func(r *operator.ImportRun) row { return row{{"seen_at", instant(&r.Seen)}} },
}

// reportLine is a line of the report of a run.
type reportLine struct {
	site site.ID
	run  operator.ImportRunID
	line operator.ImportLine
}

var reportLines = mapping[reportLine]{
	table: "import_line",
	keys:  []string{"site_id", "run_id", "number"},
	row: func(l *reportLine) row {
		return row{
			{"site_id", whole(&l.site)}, {"run_id", whole(&l.run)}, {"number", whole(&l.line.Number)}, {"action", text(&l.line.Action)},
			{"body", document(&l.line)},
		}
	},
}

type importRole struct{ tx *tx }

func (r importRole) Get(of site.ID, id operator.ImportRunID) (operator.ImportRun, error) {
	return one(r.tx, importRuns, r.tx.holding(importRuns.find("site_id = ? AND id = ?")), int64(of), int64(id))
}

func (r importRole) List(of site.ID, before operator.ImportRunID, n int) ([]operator.ImportRun, error) {
	s := searchOf(importRuns, "site_id = ?", int64(of))
	s.narrow(before != 0, "id < ?", int64(before))
	s.order(true, "id")
	return s.page(r.tx, n, 0)
}

func (r importRole) Save(run operator.ImportRun, lines []operator.ImportLine) error {
	if err := put(r.tx, importRuns, run); err != nil {
		return err
	}
	stored := make([]reportLine, len(lines))
	for i, l := range lines {
		stored[i] = reportLine{run.Site, run.ID, l}
	}
	for chunk := range slices.Chunk(stored, batch) {
		if err := insertAll(r.tx, reportLines, insertsOf(r.tx.store.dialect, r.tx.store.text, reportLines, reportLines.replacing()), chunk); err != nil {
			return err
		}
	}
	return nil
}

func (r importRole) Report(q port.ReportQuery) ([]operator.ImportLine, error) {
	s := searchOf(reportLines, "site_id = ? AND run_id = ? AND number > ?", int64(q.Site), int64(q.Run), int64(q.After))
	actions := make([]string, len(q.Actions))
	for i, a := range q.Actions {
		actions[i] = string(a)
	}
	s.among("action", actions)
	s.order(false, "number")
	found, err := s.page(r.tx, q.Limit, 0)
	lines := make([]operator.ImportLine, len(found))
	for i, l := range found {
		lines[i] = l.line
	}
	return lines, err
}

func (r importRole) Purge(before time.Time, n int) (int, error) {
	if err := r.tx.writing(); err != nil {
		return 0, err
	}
	old, err := list(r.tx, importRuns, r.tx.store.text(importRuns.find("seen_at < ?").OrderBy("seen_at", "site_id", "id").Suffix("LIMIT ?")),
		micros(before), max(n, 0))
	if err != nil {
		return 0, err
	}
	for _, run := range old {
		for _, gone := range []squirrel.DeleteBuilder{
			squirrel.Delete(reportLines.table).Where("site_id = ? AND run_id = ?"), squirrel.Delete(importRuns.table).Where("site_id = ? AND id = ?"),
		} {
			if _, err := r.tx.exec(r.tx.store.text(gone), int64(run.Site), int64(run.ID)); err != nil {
				return 0, err
			}
		}
	}
	return len(old), nil
}

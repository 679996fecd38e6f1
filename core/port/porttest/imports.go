package porttest

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

func sampleRun(of site.ID, id operator.ImportRunID) operator.ImportRun {
	return operator.ImportRun{
		ID: id, Site: of, Agency: 1 << 40, By: 7, Source: 4, Name: awkward, Format: "poliris", Size: 1 << 40, DryRun: true, Of: 3, Undoes: 5, UndoneBy: 6, File: "imports/1/a",
		State: operator.ImportStopped, Stopping: true, Problem: awkward, Started: instant(1), Seen: instant(2),
		ImportTally: operator.ImportTally{Total: 11, Listings: 10, Created: 1, Changed: 2, Unchanged: 3, Refused: 4, Damaged: 5, Pictures: 6, PicturesUnseen: 7, NotUnderstood: 8, Withdrawn: 9, PicturesWithdrawn: 10, Unread: 9},
	}
}

func sampleLine(number int) operator.ImportLine {
	return operator.ImportLine{
		Number: number, Action: operator.ImportRefused, Source: "line 3", Reference: awkward, Product: 1 << 40, Changes: []string{"Prix", awkward}, Pictures: 1,
		Done: operator.ImportCreated, Unread: []string{"Ville"}, Undo: []edit.Edit{{Field: "criterion Prix", Before: awkward, After: "2"}},
		PicturesUnseen: 2, PicturesWithdrawn: 4, NotUnderstood: []operator.NotUnderstood{{Source: "a", Value: awkward, Why: "b"}}, More: 3, Why: awkward,
	}
}

func (p program) importCommand() command {
	run, n := sampleRun(p.site, operator.ImportRunID(p.number("run", 4))), p.limit()
	if draw(p, "bare", false, true) {
		run = operator.ImportRun{Site: p.site, ID: run.ID}
	}
	run.Seen, run.Name = p.moment("seen"), draw(p, "name", "", awkward)
	var lines []operator.ImportLine
	for number := range 4 {
		line := sampleLine(number + 1)
		line.Action = draw(p, "action", "", operator.ImportCreated, operator.ImportChanged, operator.ImportRefused)
		if line.Action != "" {
			lines = append(lines, line)
		}
	}
	q := port.ReportQuery{Site: p.site, Run: run.ID, After: int(p.number("after", 4)) - 1, Limit: n}
	q.Actions = draw(p, "actions", nil, []operator.ImportAction{operator.ImportChanged}, []operator.ImportAction{operator.ImportCreated, operator.ImportRefused})
	save := writes("save the run", func(tx port.Tx) error { return tx.Imports().Save(run, lines) })
	return p.pick(with{"run": run.ID, "seen": run.Seen, "lines": len(lines), "query": q}, []command{
		reads("run", func(tx port.Tx) (operator.ImportRun, error) { return tx.Imports().Get(p.site, run.ID) }),
		reads("runs", func(tx port.Tx) ([]operator.ImportRun, error) { return tx.Imports().List(p.site, run.ID-1, n) }),
		reads("report", func(tx port.Tx) ([]operator.ImportLine, error) { return tx.Imports().Report(q) }),
	}, save, save,
		p.purges("runs", p.before(), func(tx port.Tx, before time.Time, n int) (int, error) { return tx.Imports().Purge(before, n) }))
}

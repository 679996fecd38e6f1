package console

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// sourceRow is a line of the list of the import sources of a site.
type sourceRow struct {
	ID          int64
	Name, Place string
	State       state
	Good, Due   moment
}

func (v *pageRequest) sourceRows() (rows []sourceRow, err error) {
	all, err := v.Backoffice.ListImportSources(v.ctx, v.actor, at(v, kernel.Nothing{}))
	for _, s := range all {
		rows = append(rows, v.sourceRow(s))
	}
	return rows, err
}

func (v *pageRequest) sourceRow(s operator.ImportSource) sourceRow {
	row := sourceRow{ID: int64(s.ID), Name: s.Name, Place: s.Settings.Place(), State: v.sourceState(s), Good: v.when(s.State.Good), Due: v.when(s.State.Due)}
	if s.Settings.Paused {
		row.Due = moment{}
	}
	return row
}

// sourceState returns how a source stands.
func (v *pageRequest) sourceState(s operator.ImportSource) state {
	return standing(s.Settings.Paused, s.State.Run != 0 && s.State.Due.After(v.now), s.State.Problem, s.State.Looked)
}

// standing returns how what is looked at again and again stands.
func standing(paused, running bool, problem string, looked time.Time) state {
	switch {
	case paused:
		return state{over, "paused"}
	case running:
		return state{told, "running"}
	case problem != "":
		return state{broken, "in trouble"}
	case looked.IsZero():
		return state{wanted, "new"}
	}
	return state{well, "good"}
}

// sourcePage is one source with its last runs.
type sourcePage struct {
	Form *form
	sourceRow
	Problem            string
	Facts              []fact
	Rows               []sourceRun
	Empty              empty
	MayRun, MayUnbrake bool
	// Pauses reports that the button pauses the source.
	Pauses bool
}

func (p sourcePage) title() string { return p.Name }

type sourceRun struct {
	importRow
	Withdrawn string
}

func showSource(v *pageRequest) (any, error) {
	id, err := v.id("id")
	if err != nil {
		return nil, err
	}
	s, err := v.Backoffice.GetImportSource(v.ctx, v.actor, at(v, transfer.ImportSourcePath{ID: id}))
	if err != nil {
		return nil, err
	}
	set := s.Settings
	p := sourcePage{
		Form: v.form(), sourceRow: v.sourceRow(s.ImportSource), Problem: s.State.Problem, Pauses: !set.Paused, MayRun: !set.Paused,
		Facts: []fact{
			{"Format", cmp.Or(set.Format, "find out")}, {"Every", set.Every.String()}, {"Mode", set.Mode}, {"Withdrawal", set.Withdrawal},
			{"Brake", fmt.Sprintf("%d %%", set.Brake)}, {"Looked at", v.when(s.State.Looked).Ago},
		},
		Empty: empty{Title: "No run yet", Text: "A run appears here when a file was found, or could not be got."},
	}
	for _, run := range s.LastRuns {
		p.Rows = append(p.Rows, sourceRun{v.importRow(backoffice.Import{ImportRunRecord: run}), count(run.Withdrawn)})
	}
	p.MayUnbrake = p.MayRun && len(s.LastRuns) > 0 && s.LastRuns[0].State == operator.ImportHeld
	return p, nil
}

func runSource(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	_, err = v.Backoffice.RunImportSource(v.ctx, v.actor, at(v, transfer.RunImportSource{ID: id, Unbraked: v.sent("unbraked") != ""}))
	return went("import-sources", id).saying("It is looked at within seconds."), err
}

func pauseSource(v *pageRequest) (done, error) {
	id, err := v.id("id")
	if err != nil {
		return done{}, err
	}
	paused, said := v.pausing()
	_, err = v.Backoffice.PauseImportSource(v.ctx, v.actor, at(v, transfer.PauseImportSource{ID: id, Paused: paused}))
	return went("import-sources", id).saying(said), err
}

// pausing returns whether the form pauses something, and what to say then.
func (v *pageRequest) pausing() (paused bool, said string) {
	if paused, _ = strconv.ParseBool(v.sent("paused")); paused {
		return true, "It is paused."
	}
	return false, "It is looked at again."
}

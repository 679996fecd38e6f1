package feeds

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/console/internal/kit"
	"github.com/vitrine-crm/vitrine/core/backoffice"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// sourceRow is a line of the list of the import sources of a site.
type sourceRow struct {
	ID          int64
	Name, Place string
	State       kit.State
	Good, Due   kit.Moment
}

func sourceRows(v *kit.Request) (rows []sourceRow, err error) {
	all, err := v.Backoffice.ListImportSources(v.Ctx, v.Actor, kit.At(v, kernel.Nothing{}))
	for _, s := range all {
		rows = append(rows, newSourceRow(v, s))
	}
	return rows, err
}

func newSourceRow(v *kit.Request, s operator.ImportSource) sourceRow {
	return sourceRow{
		ID: int64(s.ID), Name: s.Name, Place: s.Settings.Place(), State: sourceState(v, s), Good: v.When(s.State.Good), Due: nextLook(v, s.Settings.Paused, s.State.Due),
	}
}

// sourceState returns how a source stands.
func sourceState(v *kit.Request, s operator.ImportSource) kit.State {
	return standing(s.Settings.Paused, s.State.Run != 0 && s.State.Due.After(v.Time), s.State.Problem, s.State.Looked)
}

// standing returns how what is looked at again and again stands.
func standing(paused, running bool, problem string, looked time.Time) kit.State {
	switch {
	case paused:
		return kit.State{Tone: kit.Over, Word: "paused"}
	case running:
		return kit.State{Tone: kit.Told, Word: "running"}
	case problem != "":
		return kit.State{Tone: kit.Broken, Word: "failing"}
	case looked.IsZero():
		return kit.State{Tone: kit.Wanted, Word: "new"}
	}
	return kit.State{Tone: kit.Well, Word: "OK"}
}

// sourcePage is one source with its last runs.
type sourcePage struct {
	Form *kit.Form
	sourceRow
	Problem string
	// Agencies, Mode and Withdrawal are settings in words, WithdrawalLimit is in percent; Format is empty where
	// it is found out.
	Agencies, Format, Every, Mode, Withdrawal string
	WithdrawalLimit                           int
	Looked                                    kit.Moment

	Rows                       []sourceRun
	Empty                      kit.Empty
	MayRun, MayRunWithoutLimit bool
	// Pauses reports that the button pauses the source.
	Pauses bool
}

func (p sourcePage) TabTitle() string { return p.Name }

type sourceRun struct {
	importRow
	Withdrawn string
}

func showSource(v *kit.Request) (any, error) {
	s, err := readSource(v)
	if err != nil {
		return nil, err
	}
	set := s.Settings
	p := sourcePage{
		Form: v.Form(), sourceRow: newSourceRow(v, s.ImportSource), Problem: v.Read(s.State.Problem), Pauses: !set.Paused, MayRun: !set.Paused,
		Agencies: sourceAgencies(v, set), Format: operator.ImportFormatTitle(set.Format), Every: everyInWords(set.Every),
		Mode: labelOf(modeChoices(v.Language), set.Mode), Withdrawal: labelOf(withdrawalChoices(v.Language), set.Withdrawal), WithdrawalLimit: set.WithdrawalLimit, Looked: v.When(s.State.Looked),
		Empty: kit.Empty{Title: "No run yet", Text: "A run appears here when a file was found, or could not be got."},
	}
	for _, run := range s.LastRuns {
		p.Rows = append(p.Rows, sourceRun{newImportRow(v, backoffice.Import{ImportRunRecord: run}), v.Count(int64(run.Withdrawn))})
	}
	p.MayRunWithoutLimit = p.MayRun && len(s.LastRuns) > 0 && s.LastRuns[0].State == operator.ImportHeld
	return p, nil
}

// sourceAgencies returns the agencies of a source by their numbers, with what the file calls them.
func sourceAgencies(v *kit.Request, s operator.SourceSettings) string {
	if s.Agency != 0 {
		return strconv.FormatInt(int64(s.Agency), 10)
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(s.Agencies)) {
		words = append(words, v.Say("%d as %s", s.Agencies[name], name))
	}
	return strings.Join(words, ", ")
}

func runSource(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	_, err = v.Backoffice.RunImportSource(v.Ctx, v.Actor, kit.At(v, transfer.RunImportSource{ID: id, WithoutLimit: v.Sent("without_limit") != ""}))
	return kit.Went("import-sources", id).Saying("It is checked within seconds."), err
}

func pauseSource(v *kit.Request) (kit.Done, error) {
	id, err := v.ID("id")
	if err != nil {
		return kit.Done{}, err
	}
	paused, said := pausing(v)
	_, err = v.Backoffice.PauseImportSource(v.Ctx, v.Actor, kit.At(v, transfer.PauseImportSource{ID: id, Paused: paused}))
	return kit.Went("import-sources", id).Saying(said), err
}

// pausing returns whether the form pauses something, and what to say then.
func pausing(v *kit.Request) (paused bool, said kit.Text) {
	if paused, _ = strconv.ParseBool(v.Sent("paused")); paused {
		return true, "It is paused."
	}
	return false, "It is resumed."
}

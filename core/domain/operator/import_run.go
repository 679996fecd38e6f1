package operator

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/edit"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// ImportRunID identifies a run.
type ImportRunID int64

// ImportState is where a run is.
type ImportState string

// The states.
const (
	ImportRunning ImportState = "running"
	// Done: every listing of the file was looked at.
	ImportDone ImportState = "done"
	// Stopped: an operator wanted no more of it.
	ImportStopped ImportState = "stopped"
	// Failed: something was wrong that no listing is to blame for, see Problem.
	ImportFailed ImportState = "failed"
	// Interrupted: the process that carried it out ended. What it did stays, and it can
	// be carried out again.
	ImportInterrupted ImportState = "interrupted"
	// Refused: every listing of the file was looked at, and nothing was withdrawn that the
	// source named no more, see Problem.
	ImportHeld ImportState = "refused"
)

// importFormats are what a file can be said to be, and what people call that.
var importFormats = [...][2]string{{"poliris", "Poliris (CSV)"}, {"ac3", "AC3 (XML)"}, {"openimmo", "OpenImmo (XML)"}, {"kyero", "Kyero (XML)"}, {"table", "CSV, XLSX"}, {"json", "Vitrine (JSON)"}}

// ImportFormats lists what a file can be said to be.
func ImportFormats() (all []string) {
	for _, f := range importFormats {
		all = append(all, f[0])
	}
	return all
}

// ImportFormatTitle returns what people call a format; empty for what is none.
func ImportFormatTitle(format string) string {
	for _, f := range importFormats {
		if f[0] == format {
			return f[1]
		}
	}
	return ""
}

// ImportSilence is how long a run may go without a sign of life: its process has ended, if
// it is longer.
const ImportSilence = time.Minute

// ImportFileKeptFor is how long the file of a run is kept after its last sign of life, for
// an operator who carries it out after a dry run, or again.
const ImportFileKeptFor = 24 * time.Hour

// ImportUndoFor is how long after its end a run can be undone.
const ImportUndoFor = 7 * 24 * time.Hour

// ImportRun is one pass through a file of listings, into the portfolio of an agency, or an undo of one.
type ImportRun struct {
	ID     ImportRunID
	Site   site.ID
	Agency site.AgencyID
	// By is who started it; 0 is nobody who had signed in.
	By ID
	// Source is where the file comes from; 0 is an operator who sent it.
	Source ImportSourceID
	// Name is what the file was called, Format what it was said to be; empty is to be
	// found out. Size is in bytes.
	Name, Format string
	Size         int64
	// DryRun only says what would change.
	DryRun bool
	// Of is the dry run before it, 0 for a dry run.
	Of ImportRunID
	// Undoes is the run that it undoes: it goes through the report of that one in place of a file. 0 is
	// none. UndoneBy is the run that has undone it, to the end; 0 is none.
	Undoes, UndoneBy ImportRunID
	// File is under which key the file is kept; empty when it is kept no more. The file of an undo is the
	// report of the other run, and is kept as long.
	File string

	State ImportState
	// Stopping makes the process that carries it out stop.
	Stopping bool
	// Problem is why it failed.
	Problem string
	Started time.Time
	// Seen is its last sign of life, or its end.
	Seen time.Time
	ImportTally
}

// ImportTally counts what was done.
type ImportTally struct {
	// Total is how many listings the file has, 0 until they are counted; Listings is how
	// many of them are done with.
	Total, Listings                      int
	Created, Changed, Unchanged, Refused int
	Damaged                              int
	// Unread counts listings of Created, Changed and Unchanged of which the price, type or place could not
	// be read.
	Unread                                  int
	Pictures, PicturesUnseen, NotUnderstood int
	// Withdrawn and PicturesWithdrawn are what a source named no more.
	Withdrawn, PicturesWithdrawn int
}

// At returns the run as it is at a moment: one whose process fell silent is interrupted.
func (r ImportRun) At(now time.Time) ImportRun {
	if r.State == ImportRunning && now.Sub(r.Seen) > ImportSilence {
		r.State = ImportInterrupted
	}
	return r
}

// HasFile reports whether the file is still kept at a moment.
func (r ImportRun) HasFile(now time.Time) bool {
	return r.File != "" && (r.State == ImportRunning || now.Sub(r.Seen) < ImportFileKeptFor)
}

// End returns the run as it ends. The file of one that was carried out to the end is of no
// more use.
func (r ImportRun) End(state ImportState, problem string, now time.Time) ImportRun {
	r.State, r.Problem, r.Seen = state, problem, now
	return r
}

// ImportAction is what became of a listing, or would become of it in a dry run.
type ImportAction string

// The actions.
const (
	ImportCreated   ImportAction = "created"
	ImportChanged   ImportAction = "changed"
	ImportUnchanged ImportAction = "unchanged"
	// Refused: nothing of the listing was stored.
	ImportRefused ImportAction = "refused"
	// ImportDamaged is a place of the file besides the listings that cannot be read.
	ImportDamaged ImportAction = "damaged"
	// ImportWithdrawn is a listing that is gone by the file, or that the source named no more: that has no
	// Source.
	ImportWithdrawn ImportAction = "withdrawn"
	// ImportUnread: the price, type or place of the listing could not be read, so that somebody has to
	// look at it. Done says what became of it all the same.
	ImportUnread ImportAction = "unread"
)

// ImportActions lists the actions.
func ImportActions() []ImportAction {
	return []ImportAction{ImportCreated, ImportChanged, ImportUnchanged, ImportRefused, ImportDamaged, ImportUnread, ImportWithdrawn}
}

// ImportLine is what the report of a run says of one listing.
type ImportLine struct {
	// Number counts the lines of a report from 1.
	Number int
	Action ImportAction
	// Done is what became of a listing of the action ImportUnread, and Unread what could not be read.
	Done   ImportAction
	Unread []string
	// Source is where the file has the listing, such as a line.
	Source    string
	Reference string
	// Product is the one that there is now; 0 when there is none.
	Product product.ID
	// Changes names what differs of a changed product.
	Changes []string
	// Undo has what is needed to undo what a run of a file made, or would make, of the product. Of it reports have the values
	// of criteria that are not private, by their keys.
	Undo []edit.Edit
	// Pictures is how many were added, PicturesUnseen how many a dry run did not look
	// at.
	Pictures, PicturesUnseen int
	// PicturesWithdrawn is how many were removed that the source named no more.
	PicturesWithdrawn int
	NotUnderstood     []NotUnderstood
	// More is how often more was not understood.
	More int
	// Why a listing was refused, or a place is damaged.
	Why string
}

// NotUnderstood is a part of a listing that was left out, and why.
type NotUnderstood struct{ Source, Value, Why string }

// Bounds of what a line tells, so that a file of nonsense has a short report.
const (
	MaxNotUnderstood = 20
	// MaxImportText is in characters.
	MaxImportText = 200
)

// Bounded returns the line with no more of it than a report keeps.
func (l ImportLine) Bounded() ImportLine {
	l.Source, l.Reference, l.Why = short(l.Source), short(l.Reference), short(l.Why)
	if len(l.NotUnderstood) > MaxNotUnderstood {
		l.More += len(l.NotUnderstood) - MaxNotUnderstood
		l.NotUnderstood = l.NotUnderstood[:MaxNotUnderstood]
	}
	kept := make([]NotUnderstood, len(l.NotUnderstood))
	for i, n := range l.NotUnderstood {
		kept[i] = NotUnderstood{short(n.Source), short(n.Value), short(n.Why)}
	}
	l.NotUnderstood = kept
	return l
}

func short(text string) string {
	if runes := []rune(text); len(runes) > MaxImportText {
		return string(runes[:MaxImportText]) + "…"
	}
	return text
}

// With returns the tally with a line more.
func (t ImportTally) With(l ImportLine) ImportTally {
	done := l.Action
	if l.Action == ImportUnread {
		done = l.Done
		t.Unread++
	}
	switch done {
	case ImportCreated:
		t.Created++
	case ImportChanged:
		t.Changed++
	case ImportUnchanged:
		t.Unchanged++
	case ImportRefused:
		t.Refused++
	case ImportDamaged:
		t.Damaged++
		return t
	case ImportWithdrawn:
		if t.Withdrawn++; l.Source == "" {
			return t
		}
	case ImportUnread:
	}
	t.Listings++
	t.Pictures, t.PicturesUnseen = t.Pictures+l.Pictures, t.PicturesUnseen+l.PicturesUnseen
	t.PicturesWithdrawn += l.PicturesWithdrawn
	t.NotUnderstood += len(l.NotUnderstood) + l.More
	return t
}

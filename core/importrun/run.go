// Package importrun is about imports that run in the background: what is known of one
// while it runs and afterwards, and the report of what became of each listing.
package importrun

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/operator"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// ID identifies a run.
type ID int64

// State is where a run is.
type State string

// The states.
const (
	Running State = "running"
	// Done: every listing of the file was looked at.
	Done State = "done"
	// Stopped: an operator wanted no more of it.
	Stopped State = "stopped"
	// Failed: something was wrong that no listing is to blame for, see Problem.
	Failed State = "failed"
	// Interrupted: the process that carried it out ended. What it did stays, and it can
	// be carried out again.
	Interrupted State = "interrupted"
)

// Formats lists what a file can be said to be.
func Formats() []string { return []string{"poliris", "ac3"} }

// Silence is how long a run may go without a sign of life: its process has ended, if
// it is longer.
const Silence = time.Minute

// FileKeptFor is how long the file of a run is kept after its last sign of life, for
// whoever wants to carry it out after a dry run, or again.
const FileKeptFor = 24 * time.Hour

// Run is one pass through a file of listings, into the portfolio of an agency.
type Run struct {
	ID     ID
	Site   site.ID
	Agency site.AgencyID
	// By is who started it; 0 is nobody who had signed in.
	By operator.ID
	// Name is what the file was called, Format what it was said to be; empty is to be
	// found out. Size is in bytes.
	Name, Format string
	Size         int64
	// DryRun only says what would change.
	DryRun bool
	// Of is the dry run before it, 0 for a dry run.
	Of ID
	// File is under which key the file is kept; empty when it is kept no more.
	File string

	State State
	// Stopping tells the process that carries it out to stop.
	Stopping bool
	// Problem is why it failed.
	Problem string
	Started time.Time
	// Seen is its last sign of life, or its end.
	Seen time.Time
	Tally
}

// Tally counts what was done.
type Tally struct {
	// Total is how many listings the file has, 0 until they are counted; Listings is how
	// many of them are done with.
	Total, Listings                         int
	Created, Changed, Unchanged, Refused    int
	Damaged                                 int
	Pictures, PicturesUnseen, NotUnderstood int
}

// At is the run as it is at a moment: one whose process fell silent is interrupted.
func (r Run) At(now time.Time) Run {
	if r.State == Running && now.Sub(r.Seen) > Silence {
		r.State = Interrupted
	}
	return r
}

// HasFile reports whether the file is still kept at a moment.
func (r Run) HasFile(now time.Time) bool {
	return r.File != "" && (r.State == Running || now.Sub(r.Seen) < FileKeptFor)
}

// End is the run as it ends. The file of one that was carried out to the end is of no
// more use.
func (r Run) End(state State, problem string, now time.Time) Run {
	r.State, r.Problem, r.Seen = state, problem, now
	return r
}

// Action is what became of a listing, or would become of it in a dry run.
type Action string

// The actions.
const (
	Created   Action = "created"
	Changed   Action = "changed"
	Unchanged Action = "unchanged"
	// Refused: nothing of the listing was stored.
	Refused Action = "refused"
	// Damaged is a place of the file beside the listings that cannot be read.
	Damaged Action = "damaged"
)

// Actions lists the actions.
func Actions() []Action { return []Action{Created, Changed, Unchanged, Refused, Damaged} }

// Line is what the report of a run says of one listing.
type Line struct {
	// Number counts the lines of a report from 1.
	Number int
	Action Action
	// Source is where the file has the listing, such as a line.
	Source    string
	Reference string
	// Product is the one that there is now; 0 when there is none.
	Product product.ID
	// Changes names what differs of a changed product.
	Changes []string
	// Pictures is how many were added, PicturesUnseen how many a dry run did not look
	// at.
	Pictures, PicturesUnseen int
	NotUnderstood            []NotUnderstood
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
	// MaxText is in characters.
	MaxText = 200
)

// Bounded is the line with no more of it than a report keeps.
func (l Line) Bounded() Line {
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
	if runes := []rune(text); len(runes) > MaxText {
		return string(runes[:MaxText]) + "…"
	}
	return text
}

// With is the tally with a line more.
func (t Tally) With(l Line) Tally {
	switch l.Action {
	case Created:
		t.Created++
	case Changed:
		t.Changed++
	case Unchanged:
		t.Unchanged++
	case Refused:
		t.Refused++
	case Damaged:
		t.Damaged++
		return t
	}
	t.Listings++
	t.Pictures, t.PicturesUnseen = t.Pictures+l.Pictures, t.PicturesUnseen+l.PicturesUnseen
	t.NotUnderstood += len(l.NotUnderstood) + l.More
	return t
}

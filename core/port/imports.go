package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/importrun"
	"github.com/vitrine-crm/vitrine/core/site"
)

// Imports holds the runs of imports, and their reports.
type Imports interface {
	// Get returns a run; in an Update it is held until the unit ends.
	Get(site.ID, importrun.ID) (importrun.Run, error)
	// List lists at most n runs of a site with an id below before, latest first; before 0
	// is from the latest on.
	List(id site.ID, before importrun.ID, n int) ([]importrun.Run, error)
	// Save stores a run, whether or not there is one with its id, and adds lines to its
	// report. A line whose number the report has already replaces that one.
	Save(importrun.Run, []importrun.Line) error
	// Report lists lines of the report of a run by number.
	Report(ReportQuery) ([]importrun.Line, error)
	// Purge removes at most n runs that were last seen before the given moment, the
	// oldest first, with their reports, and reports how many.
	Purge(before time.Time, n int) (int, error)
}

// ReportQuery says which lines of a report are wanted.
type ReportQuery struct {
	Site site.ID
	Run  importrun.ID
	// Actions are the wanted ones; nil is every one.
	Actions []importrun.Action
	// After is the number above which to go on.
	After int
	Limit int
}

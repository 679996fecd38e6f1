package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// Imports holds the runs of imports, and their reports.
type Imports interface {
	// Get returns a run; in an Update it is held until the unit ends.
	Get(site.ID, operator.ImportRunID) (operator.ImportRun, error)
	// List lists at most n runs of a site with an id below before, latest first; before 0
	// is from the latest on.
	List(id site.ID, before operator.ImportRunID, n int) ([]operator.ImportRun, error)
	// Save stores a run, whether or not there is one with its id, and adds lines to its
	// report. A line whose number the report has already replaces that one.
	Save(operator.ImportRun, []operator.ImportLine) error
	// Report lists lines of the report of a run by number.
	Report(ReportQuery) ([]operator.ImportLine, error)
	// Purge removes at most n runs that were last seen before the given moment, the
	// oldest first, with their reports, and reports how many.
	Purge(before time.Time, n int) (int, error)
}

// ReportQuery says which lines of a report are wanted.
type ReportQuery struct {
	Site site.ID
	Run  operator.ImportRunID
	// Actions are the wanted ones; nil is every one.
	Actions []operator.ImportAction
	// After is the number above which to go on.
	After int
	Limit int
}

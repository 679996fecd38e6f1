package imports

import (
	"io"

	"github.com/vitrine-crm/vitrine/core/importrun"
	"github.com/vitrine-crm/vitrine/core/operator"
	"github.com/vitrine-crm/vitrine/core/opt"
)

// Start asks for a dry run of a file.
type Start struct {
	// By is who asks.
	By operator.ID
	// Agency is the one the listings are for, one in scope.
	Agency opt.Field[int64]
	// Format is one of importrun.Formats, or empty where it is to be found out.
	Format string
	// Name is what the file is called where it comes from.
	Name string
	// File is its content, MaxFile bytes at most.
	File io.Reader
}

// RunPath is a run, and who asks for something about it.
type RunPath struct {
	ID int64
	By operator.ID
}

// ListRuns asks for a page of runs.
type ListRuns struct {
	// Before is the NextCursor of the page before.
	Before opt.Field[int64]
}

// RunPage is a page of runs, latest first.
type RunPage struct {
	Data []RunRecord
	// NextCursor is nil when there is nothing more.
	NextCursor *int64
}

// RunRecord is a run as it is now.
type RunRecord struct {
	importrun.Run
	// HasFile tells that the file is kept still, and CanCarryOut that it can be carried
	// out, or gone on with: a dry run that found something, or what was interrupted.
	HasFile, CanCarryOut bool
}

// ReadReport asks for a page of the report of a run.
type ReadReport struct {
	ID int64
	// Actions are the wanted ones; none is every one.
	Actions []string
	// After is the NextCursor of the page before; Limit is at most, and by default,
	// MaxLines.
	After int
	Limit int
}

// MaxLines is the most lines of a page of a report.
const MaxLines = 200

// ReportPage is a page of the report of a run, in the order of the file.
type ReportPage struct {
	Data []importrun.Line
	// NextCursor is 0 when there is nothing more, for now.
	NextCursor int
}

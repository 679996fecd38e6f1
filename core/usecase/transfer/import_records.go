package transfer

import (
	"io"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
)

// StartImport asks for a dry run of a file.
type StartImport struct {
	// By is who asks.
	By operator.ID
	// Agency is the one the listings are for, one in scope.
	Agency opt.Field[int64]
	// Format is one of operator.ImportFormats, or empty where it is to be found out.
	Format string
	// Name is what the file is called where it comes from.
	Name string
	// File is its content, MaxFile bytes at most.
	File io.Reader
}

// ImportRunPath is a run, and who asks for something about it.
type ImportRunPath struct {
	ID int64
	By operator.ID
}

// ListImportRuns asks for a page of runs.
type ListImportRuns struct {
	// Before is the NextCursor of the page before.
	Before opt.Field[int64]
}

// ImportRunPage is a page of runs, latest first.
type ImportRunPage struct {
	Data []ImportRunRecord
	// NextCursor is nil when there is nothing more.
	NextCursor *int64
}

// ImportRunRecord is a run as it is now.
type ImportRunRecord struct {
	operator.ImportRun
	// HasFile reports that the file is kept still, and CanCarryOut that it can be carried
	// out, or gone on with: a dry run that found something, or what was interrupted.
	HasFile, CanCarryOut bool
	// CanUndo reports that it can be undone.
	CanUndo bool
}

// ReadImportReport asks for a page of the report of a run.
type ReadImportReport struct {
	ID int64
	// Actions are the wanted ones; none is every one.
	Actions []string
	// After is the NextCursor of the page before; Limit is at most, and by default,
	// MaxLines.
	After int
	Limit int
}

// MaxReportLines is the most lines of a page of a report.
const MaxReportLines = 200

// ImportReportPage is a page of the report of a run, in the order of the file.
type ImportReportPage struct {
	Data []operator.ImportLine
	// NextCursor is 0 when there is nothing more, for now.
	NextCursor int
}

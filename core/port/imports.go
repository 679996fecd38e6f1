package port

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
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

// ImportSources holds where listings come from again and again.
type ImportSources struct {
	SiteTable[operator.ImportSourceID, operator.ImportSource]
}

// Due lists at most n sources, of any site, that are to be looked at, the first due first.
func (s ImportSources) Due(at time.Time, n int) ([]operator.ImportSource, error) {
	return s.due(at, n)
}

// All lists the sources of all sites, by site and id.
func (s ImportSources) All() ([]operator.ImportSource, error) { return s.find(Query{Limit: All}) }

// SourcedProducts holds what is known of products that a source named, under their ids.
type SourcedProducts struct {
	Table[product.ID, operator.SourcedProduct]
}

// Of lists at most n of a source with an id above after, by id.
func (s SourcedProducts) Of(id site.ID, source operator.ImportSourceID, after product.ID, n int) ([]operator.SourcedProduct, error) {
	return s.find(Query{
		Site: id, Where: []Condition{{Field: "source_id", Is: Equal, Value: int64(source)}}, After: &Place{ID: int64(after)}, Limit: max(n, 0),
	})
}

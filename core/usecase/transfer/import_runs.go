package transfer

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/form"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// importUnit is a unit of work about runs.
type importUnit struct{ kernel.Unit }

func newImportUnit(u kernel.Unit) importUnit { return importUnit{u} }

// start keeps the file outside any unit of work, and then the run with its entry in
// the audit.
func (s *Imports) start(ctx context.Context, c kernel.Caller, in StartImport) (kernel.Created, error) {
	run, err := s.asked(c, in)
	if err != nil {
		return kernel.Created{}, err
	}
	if !s.enter() {
		return kernel.Created{}, tooManyImports()
	}
	run.ID, err = kernel.Write(ctx, s.k, kernel.Caller{}, func(u kernel.Unit) (operator.ImportRunID, error) {
		return kernel.NextID[operator.ImportRunID](u, port.ImportIDs)
	})
	if err == nil {
		run.File = fileKey(run.Site, run.ID)
		run.Size, err = keepFile(ctx, s.k.Blobs, run.File, in.File)
	}
	if err == nil {
		run, err = kernel.Writes(s.k, newImportUnit, importUnit.begin)(ctx, c, run)
	}
	if err != nil {
		forgetFile(context.WithoutCancel(ctx), s.k.Blobs, run.File, run.Size)
		<-s.places
		return kernel.Created{}, err
	}
	s.queue(&job{service: s, run: run})
	return kernel.Created{ID: int64(run.ID)}, nil
}

func tooManyImports() error {
	return fault.New(fault.Limited, fault.CodeRateLimited, "this server carries out %d imports already; wait for one of them", MaxImportsAtOnce)
}

// asked returns the run that is asked for, or says what is wrong with that.
func (s *Imports) asked(c kernel.Caller, in StartImport) (operator.ImportRun, error) {
	if s.k.Blobs == nil {
		return operator.ImportRun{}, fault.New(fault.Unavailable, fault.CodeUnavailable, "this server keeps no files, which imports need")
	}
	if !c.IsOpen() {
		return operator.ImportRun{}, port.NotOpen()
	}
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	run := operator.ImportRun{Site: c.Site.ID, By: in.By, DryRun: true, State: operator.ImportRunning}
	f.Required("agency_id", !in.Agency.Given())
	outside := c.CheckAgency(in.Agency, &problems)
	run.Agency = site.AgencyID(in.Agency.Or(0))
	if run.Format = in.Format; run.Format != "" && !slices.Contains(operator.ImportFormats(), run.Format) {
		f.Wrong("format", fault.CodeInvalidFormat, run.Format, "the formats are %s", strings.Join(operator.ImportFormats(), ", "))
	}
	f.Required("file", in.File == nil)
	run.Name = fileName(in.Name)
	return run, kernel.FirstError(outside, problems.Err())
}

const maxName = 200

// fileName returns what a file is called, without what it was in.
func fileName(given string) string {
	name := []rune(criteria.Normalise(path.Base(strings.ReplaceAll(given, `\`, "/"))))
	name = slices.DeleteFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
	return string(name[:min(len(name), maxName)])
}

// begin stores a new run, unless another one into the agency is under way. Two that
// begin at the same moment may both be stored: each does what the other does.
func (u importUnit) begin(run operator.ImportRun) (operator.ImportRun, error) {
	if run.Of == 0 && run.Undoes == 0 {
		u.About("import " + strconv.FormatInt(int64(run.ID), 10))
	}
	latest, err := u.Imports().List(u.Site.ID, 0, runsPerPage)
	if err != nil {
		return run, err
	}
	for _, other := range latest {
		if other.Agency == run.Agency && other.At(u.Now).State == operator.ImportRunning {
			return run, fault.New(fault.Conflict, fault.CodeConflict, "import %d into this agency is under way; wait for it, or stop it", other.ID)
		}
	}
	u.Changed(ImportRunState{}, stateOf(run))
	run.Started, run.Seen = u.Now, u.Now
	return run, u.Imports().Save(run, nil)
}

// ImportRunState is what the audit says of a new run.
type ImportRunState struct {
	Import, Agency int64
	DryRun         bool
	Of, Undoes     int64
	File           string
}

func stateOf(r operator.ImportRun) ImportRunState {
	return ImportRunState{Import: int64(r.ID), Agency: int64(r.Agency), DryRun: r.DryRun, Of: int64(r.Of), Undoes: int64(r.Undoes), File: r.Name}
}

// after returns the use case that begins the run which begin stores after another one.
func (s *Imports) after(begin func(importUnit, ImportRunPath) (operator.ImportRun, error)) kernel.UseCase[ImportRunPath, kernel.Created] {
	return func(ctx context.Context, c kernel.Caller, in ImportRunPath) (kernel.Created, error) {
		if !s.enter() {
			return kernel.Created{}, tooManyImports()
		}
		run, err := kernel.Writes(s.k, newImportUnit, begin)(ctx, c, in)
		if err != nil {
			<-s.places
			return kernel.Created{}, err
		}
		s.queue(&job{service: s, run: run})
		return kernel.Created{ID: int64(run.ID)}, nil
	}
}

// carryOut stores the real run of the file of another run, which hands it over.
func (u importUnit) carryOut(in ImportRunPath) (operator.ImportRun, error) {
	before, err := u.run(in.ID)
	if err != nil {
		return before, err
	}
	present := u.record(before)
	if !present.CanCarryOut {
		why := fault.Textf("the file is not kept any more; send it again")
		switch {
		case present.State == operator.ImportRunning:
			why = fault.Textf("the import is under way")
		case present.DryRun && present.State != operator.ImportDone:
			why = fault.Textf("the dry run did not get to the end; make another one")
		case present.Undoes != 0:
			why = fault.Textf("the dry run of the undo is too old; begin the undo again")
		case present.DryRun && present.Listings == 0:
			why = fault.Textf("no listing was recognised in the file")
		}
		return before, fault.New(fault.Conflict, fault.CodeInvalidTransition, "%s", why)
	}
	if before.Undoes != 0 {
		if _, err := u.undoable(int64(before.Undoes)); err != nil {
			return before, err
		}
	}
	next := operator.ImportRun{
		Site: before.Site, Agency: before.Agency, By: in.By, Name: before.Name, Format: before.Format, Size: before.Size, Undoes: before.Undoes,
		Of: before.ID, File: before.File, State: operator.ImportRunning,
	}
	handed := present.ImportRun
	handed.File = ""
	return u.beginAfter(handed, next)
}

// beginAfter stores a new run that comes after another one, which is stored as it is now: one that was silent must
// not come back.
func (u importUnit) beginAfter(other, next operator.ImportRun) (operator.ImportRun, error) {
	err := u.Imports().Save(other, nil)
	if err == nil {
		next.ID, err = kernel.NextID[operator.ImportRunID](u, port.ImportIDs)
	}
	if err != nil {
		return next, err
	}
	return u.begin(next)
}

func (s *Imports) stop(ctx context.Context, c kernel.Caller, in ImportRunPath) (kernel.None, error) {
	run, err := kernel.Writes(s.k, newImportUnit, importUnit.stop)(ctx, c, in)
	if err != nil {
		return kernel.None{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if j := s.underWay[runKey{run.Site, run.ID}]; j != nil {
		j.stop()
	}
	return kernel.None{}, nil
}

// stop has the process that carries out a run stop.
func (u importUnit) stop(in ImportRunPath) (operator.ImportRun, error) {
	run, err := u.run(in.ID)
	if err != nil {
		return run, err
	}
	if state := run.At(u.Now).State; state != operator.ImportRunning {
		return run, fault.New(fault.Conflict, fault.CodeInvalidTransition, "the import is over: %s", state)
	}
	run.Stopping = true
	return run, u.Imports().Save(run, nil)
}

// run finds a run that is in scope.
func (u importUnit) run(id int64) (operator.ImportRun, error) {
	run, err := u.Imports().Get(u.Site.ID, operator.ImportRunID(id))
	if err != nil {
		return run, kernel.AbsentIs(err, kernel.Unknown("no import has this id"))
	}
	return run, u.Sees(run.Agency)
}

// record returns a run as it is now.
func (u importUnit) record(r operator.ImportRun) ImportRunRecord {
	r = r.At(u.Now)
	record := ImportRunRecord{ImportRun: r, HasFile: r.HasFile(u.Now), CanUndo: u.notUndone(r) == nil}
	record.CanCarryOut = record.HasFile && r.State != operator.ImportRunning && (!r.DryRun || r.State == operator.ImportDone && r.Listings > 0)
	return record
}

const runsPerPage = 50

func (u importUnit) list(in ListImportRuns) (ImportRunPage, error) {
	var problems fault.Problems
	before := kernel.ID[operator.ImportRunID]("before", in.Before, &problems)
	if err := problems.Err(); err != nil {
		return ImportRunPage{}, err
	}
	found, err := u.Imports().List(u.Site.ID, before, runsPerPage+1)
	page := ImportRunPage{Data: []ImportRunRecord{}}
	if len(found) > runsPerPage {
		found = found[:runsPerPage]
		next := int64(found[runsPerPage-1].ID)
		page.NextCursor = &next
	}
	for _, r := range found {
		if u.Scope.Has(r.Agency) {
			page.Data = append(page.Data, u.record(r))
		}
	}
	return page, err
}

func (u importUnit) get(in ImportRunPath) (ImportRunRecord, error) {
	run, err := u.run(in.ID)
	return u.record(run), err
}

func (u importUnit) report(in ReadImportReport) (ImportReportPage, error) {
	run, err := u.run(in.ID)
	if err != nil {
		return ImportReportPage{}, err
	}
	q := port.ReportQuery{Site: run.Site, Run: run.ID, After: in.After, Limit: MaxReportLines}
	if in.Limit > 0 {
		q.Limit = min(in.Limit, MaxReportLines)
	}
	var problems fault.Problems
	for i, name := range in.Actions {
		if !slices.Contains(operator.ImportActions(), operator.ImportAction(name)) {
			problems.Wrong("actions["+strconv.Itoa(i)+"]", fault.CodeInvalidFormat, name, "nothing of this name becomes of a listing")
		}
		q.Actions = append(q.Actions, operator.ImportAction(name))
	}
	if err := problems.Err(); err != nil {
		return ImportReportPage{}, err
	}
	page := ImportReportPage{}
	page.Data, err = u.Imports().Report(q)
	if len(page.Data) == q.Limit {
		page.NextCursor = page.Data[q.Limit-1].Number
	}
	for n := range page.Data {
		page.Data[n].Undo = u.shown(page.Data[n].Undo)
	}
	return page, err
}

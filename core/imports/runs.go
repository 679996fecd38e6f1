package imports

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/criteria"
	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/form"
	"github.com/vitrine-crm/vitrine/core/importrun"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
)

// unit is a unit of work about runs.
type unit struct{ api.Unit }

func newUnit(u api.Unit) unit { return unit{u} }

// start keeps the file outside any unit of work, and then the run with its entry in
// the audit.
func (s *Service) start(ctx context.Context, c api.Caller, in Start) (api.Created, error) {
	run, err := s.asked(c, in)
	if err != nil {
		return api.Created{}, err
	}
	if !s.enter() {
		return api.Created{}, full()
	}
	run.ID, err = api.Write(ctx, s.k, api.Caller{}, func(u api.Unit) (importrun.ID, error) { return api.NextID[importrun.ID](u, port.ImportIDs) })
	if err == nil {
		run.File = fileKey(run.Site, run.ID)
		run.Size, err = keep(ctx, s.k.Blobs, run.File, in.File)
	}
	if err == nil {
		run, err = api.Writes(s.k, newUnit, unit.begin)(ctx, c, run)
	}
	if err != nil {
		forget(context.WithoutCancel(ctx), s.k.Blobs, run.File, run.Size)
		<-s.places
		return api.Created{}, err
	}
	s.queue(&job{service: s, run: run})
	return api.Created{ID: int64(run.ID)}, nil
}

func full() error {
	return fault.New(fault.Limited, fault.CodeRateLimited, "this server carries out %d imports already; wait for one of them", MaxAtOnce)
}

// asked is the run that is asked for, or says what is wrong with that.
func (s *Service) asked(c api.Caller, in Start) (importrun.Run, error) {
	if s.k.Blobs == nil {
		return importrun.Run{}, fault.New(fault.Unavailable, fault.CodeUnavailable, "this server keeps no files, which imports need")
	}
	if !c.IsOpen() {
		return importrun.Run{}, port.NotOpen()
	}
	var problems fault.Problems
	f := form.Form{Problems: &problems}
	run := importrun.Run{Site: c.Site.ID, By: in.By, DryRun: true, State: importrun.Running}
	f.Required("agency_id", !in.Agency.Given())
	outside := c.CheckAgency(in.Agency, &problems)
	run.Agency = site.AgencyID(in.Agency.Or(0))
	if run.Format = in.Format; run.Format != "" && !slices.Contains(importrun.Formats(), run.Format) {
		f.Wrong("format", fault.CodeInvalidFormat, run.Format, "the formats are %s", strings.Join(importrun.Formats(), ", "))
	}
	f.Required("file", in.File == nil)
	run.Name = fileName(in.Name)
	return run, api.FirstError(outside, problems.Err())
}

const maxName = 200

// fileName is what a file is called, without what it was in.
func fileName(given string) string {
	name := []rune(criteria.Normalise(path.Base(strings.ReplaceAll(given, `\`, "/"))))
	name = slices.DeleteFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
	return string(name[:min(len(name), maxName)])
}

// begin stores a new run, unless another one into the agency is under way. Two that
// begin at the same moment may both be stored: each does what the other does.
func (u unit) begin(run importrun.Run) (importrun.Run, error) {
	if run.Of == 0 {
		u.About("import " + strconv.FormatInt(int64(run.ID), 10))
	}
	latest, err := u.Imports().List(u.Site.ID, 0, runsPerPage)
	if err != nil {
		return run, err
	}
	for _, other := range latest {
		if other.Agency == run.Agency && other.At(u.Now).State == importrun.Running {
			return run, fault.New(fault.Conflict, fault.CodeConflict, "import %d into this agency is under way; wait for it, or stop it", other.ID)
		}
	}
	u.Changed(RunState{}, stateOf(run))
	run.Started, run.Seen = u.Now, u.Now
	return run, u.Imports().Save(run, nil)
}

// RunState is what the audit says of a new run.
type RunState struct {
	Import, Agency int64
	DryRun         bool
	Of             int64
	File           string
}

func stateOf(r importrun.Run) RunState {
	return RunState{Import: int64(r.ID), Agency: int64(r.Agency), DryRun: r.DryRun, Of: int64(r.Of), File: r.Name}
}

func (s *Service) carryOut(ctx context.Context, c api.Caller, in RunPath) (api.Created, error) {
	if !s.enter() {
		return api.Created{}, full()
	}
	run, err := api.Writes(s.k, newUnit, unit.carryOut)(ctx, c, in)
	if err != nil {
		<-s.places
		return api.Created{}, err
	}
	s.queue(&job{service: s, run: run})
	return api.Created{ID: int64(run.ID)}, nil
}

// carryOut stores the real run of the file of another run, which hands it over.
func (u unit) carryOut(in RunPath) (importrun.Run, error) {
	before, err := u.run(in.ID)
	if err != nil {
		return before, err
	}
	present := u.record(before)
	if !present.CanCarryOut {
		why := fault.Textf("the file is not kept any more; send it again")
		switch {
		case present.State == importrun.Running:
			why = fault.Textf("the import is under way")
		case present.DryRun && present.State != importrun.Done:
			why = fault.Textf("the dry run did not get to the end; make another one")
		case present.DryRun && present.Listings == 0:
			why = fault.Textf("no listing was recognised in the file")
		}
		return before, fault.New(fault.Conflict, fault.CodeInvalidTransition, "%s", why)
	}
	next := importrun.Run{
		Site: before.Site, Agency: before.Agency, By: in.By, Name: before.Name, Format: before.Format, Size: before.Size,
		Of: before.ID, File: before.File, State: importrun.Running,
	}
	if next.ID, err = api.NextID[importrun.ID](u, port.ImportIDs); err != nil {
		return next, err
	}
	handed := present.Run // one that was silent must not come back
	handed.File = ""
	if err := u.Imports().Save(handed, nil); err != nil {
		return next, err
	}
	return u.begin(next)
}

func (s *Service) stop(ctx context.Context, c api.Caller, in RunPath) (api.None, error) {
	run, err := api.Writes(s.k, newUnit, unit.stop)(ctx, c, in)
	if err != nil {
		return api.None{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if j := s.underWay[runKey{run.Site, run.ID}]; j != nil {
		j.stop()
	}
	return api.None{}, nil
}

// stop tells whoever carries out a run to stop.
func (u unit) stop(in RunPath) (importrun.Run, error) {
	run, err := u.run(in.ID)
	if err != nil {
		return run, err
	}
	if state := run.At(u.Now).State; state != importrun.Running {
		return run, fault.New(fault.Conflict, fault.CodeInvalidTransition, "the import is over: %s", state)
	}
	run.Stopping = true
	return run, u.Imports().Save(run, nil)
}

// run finds a run that is in scope.
func (u unit) run(id int64) (importrun.Run, error) {
	run, err := u.Imports().Get(u.Site.ID, importrun.ID(id))
	if err != nil {
		return run, api.AbsentIs(err, api.Unknown("no import has this id"))
	}
	return run, u.Sees(run.Agency)
}

// record is a run as it is now.
func (u unit) record(r importrun.Run) RunRecord {
	r = r.At(u.Now)
	record := RunRecord{Run: r, HasFile: r.HasFile(u.Now)}
	record.CanCarryOut = record.HasFile && r.State != importrun.Running && (!r.DryRun || r.State == importrun.Done && r.Listings > 0)
	return record
}

const runsPerPage = 50

func (u unit) list(in ListRuns) (RunPage, error) {
	var problems fault.Problems
	before := api.ID[importrun.ID]("before", in.Before, &problems)
	if err := problems.Err(); err != nil {
		return RunPage{}, err
	}
	found, err := u.Imports().List(u.Site.ID, before, runsPerPage+1)
	page := RunPage{Data: []RunRecord{}}
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

func (u unit) get(in RunPath) (RunRecord, error) {
	run, err := u.run(in.ID)
	return u.record(run), err
}

func (u unit) report(in ReadReport) (ReportPage, error) {
	run, err := u.run(in.ID)
	if err != nil {
		return ReportPage{}, err
	}
	q := port.ReportQuery{Site: run.Site, Run: run.ID, After: in.After, Limit: MaxLines}
	if in.Limit > 0 {
		q.Limit = min(in.Limit, MaxLines)
	}
	var problems fault.Problems
	for i, name := range in.Actions {
		if !slices.Contains(importrun.Actions(), importrun.Action(name)) {
			problems.Wrong("actions["+strconv.Itoa(i)+"]", fault.CodeInvalidFormat, name, "nothing of this name becomes of a listing")
		}
		q.Actions = append(q.Actions, importrun.Action(name))
	}
	if err := problems.Err(); err != nil {
		return ReportPage{}, err
	}
	page := ReportPage{}
	page.Data, err = u.Imports().Report(q)
	if len(page.Data) == q.Limit {
		page.NextCursor = page.Data[q.Limit-1].Number
	}
	return page, err
}

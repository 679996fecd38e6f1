package transfer

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
)

// Sources imports the files of sources when they are due. Like Imports it checks no pack,
// permission or right. A source of another site, or none at all, is NotFound.
type Sources struct {
	// List lists the sources of a site; Get reads one with its last runs.
	List kernel.UseCase[kernel.Nothing, []operator.ImportSource]
	Get  kernel.UseCase[ImportSourcePath, ImportSourceRecord]
	// RunNow makes a source due, and its next run read the file though it was taken over before.
	RunNow kernel.UseCase[RunImportSource, kernel.None]
	// Pause keeps a source from being looked at, or ends that.
	Pause kernel.UseCase[PauseImportSource, kernel.None]
	// Save stores the settings of a source by the rules of Provision, and makes one where the id is 0. It
	// fails as Invalid with what is wrong with them, and as Forbidden of agencies outside the scope.
	Save kernel.UseCase[SetupImportSource, kernel.Created]
	// Delete removes a source. The listings that it brought stay, and are of no source.
	Delete kernel.UseCase[ImportSourcePath, kernel.None]

	k       *kernel.Kernel
	imports *Imports
}

// ImportSourcePath names a source.
type ImportSourcePath struct{ ID int64 }

// ImportSourceRecord is a source with its last runs, latest first.
type ImportSourceRecord struct {
	operator.ImportSource
	LastRuns []ImportRunRecord
}

// RunImportSource asks for a run of a source.
type RunImportSource struct {
	ID int64
	// WithoutLimit makes the run withdraw more than its limit allows.
	WithoutLimit bool
}

// PauseImportSource asks that a source is looked at no more, or again.
type PauseImportSource struct {
	ID     int64
	Paused bool
}

// NewSources makes the engine on a kernel. It carries out runs as imports does.
func NewSources(k *kernel.Kernel, imports *Imports) *Sources {
	s := &Sources{k: k, imports: imports}
	s.List, s.Get = kernel.Reads(k, newImportUnit, importUnit.sources), kernel.Reads(k, newImportUnit, importUnit.sourceWithRuns)
	s.RunNow, s.Pause = kernel.Writes(k, newImportUnit, importUnit.runNow), kernel.Writes(k, newImportUnit, importUnit.pause)
	s.Save, s.Delete = kernel.Writes(k, newImportUnit, importUnit.saveSource), kernel.Writes(k, newImportUnit, importUnit.deleteSource)
	return s
}

// SourceFiles looks for files where sources have them.
type SourceFiles interface {
	// Look returns the next file of a source, or nil where there is none that it did not take
	// over. When the source is Asked it returns the last one again. What is wrong is said in
	// words for operators, without secrets.
	Look(context.Context, operator.ImportSource) (*SourceFile, error)
}

// SourceFile is a file of a source.
type SourceFile struct {
	operator.TakenFile
	// ETag and LastModified are what its server says of it.
	ETag, LastModified string
	// More reports that the source has another file after it.
	More bool
	// Open opens the file. What is wrong with it is said in words for operators.
	Open func(context.Context) (ImportFile, error)
	// Close removes what was kept to read it.
	Close func() error
}

// SourceUnchanged is the outcome of a look that found nothing new.
const SourceUnchanged = "unchanged"

// SourceOutcomes lists the outcomes of looks.
func SourceOutcomes() []string {
	return []string{
		SourceUnchanged, string(operator.ImportDone), string(operator.ImportHeld), string(operator.ImportFailed), string(operator.ImportStopped),
		string(operator.ImportInterrupted),
	}
}

// Run looks at the sources that are due until ctx ends; what is under way then is interrupted. A look ends with
// one of SourceOutcomes.
func (s *Sources) Run(ctx context.Context, files SourceFiles, o lease.Options) {
	lease.Engine[operator.ImportSource, *sourceJob]{
		AtOnce: MaxImportsAtOnce, Due: s.due, Trouble: o.Trouble,
		Take: func(ctx context.Context, found operator.ImportSource) (*sourceJob, bool, error) {
			j, mine, err := s.take(ctx, found)
			j.files, j.options = files, o
			return j, mine, err
		},
	}.Run(ctx, o.Tick)
}

func (s *Sources) due(ctx context.Context, n int) (due []operator.ImportSource, err error) {
	now := s.k.Moment()
	err = s.k.Store.View(ctx, func(tx port.Tx) error {
		due, err = tx.ImportSources().Due(now, n)
		return err
	})
	return due, err
}

// take takes the lease of a source; mine is false where another process was faster, or the site
// takes no changes.
func (s *Sources) take(ctx context.Context, found operator.ImportSource) (j *sourceJob, mine bool, err error) {
	c, err := s.k.System(ctx, found.Site)
	if err == nil && !c.IsOpen() {
		return &sourceJob{}, false, nil
	}
	var source operator.ImportSource
	if err == nil {
		source, err = kernel.Writes(s.k, newImportUnit, importUnit.take)(ctx, c, found.ID)
	}
	run := operator.ImportRun{
		ID: source.State.Run, Site: source.Site, Source: source.ID, Name: source.Name, Format: source.Settings.Format, State: operator.ImportRunning,
	}
	if agencies := source.Settings.AllAgencies(); len(agencies) > 0 {
		run.Agency = agencies[0]
	}
	return &sourceJob{job: &job{service: s.imports, run: run}, source: source}, source.State.Run != 0 && err == nil, err
}

// take stores that a run of a source begins; the run is 0 when it is not due, or listings of one of
// its agencies are being imported. What another process left of a run that fell silent is interrupted.
func (u importUnit) take(id operator.ImportSourceID) (none operator.ImportSource, err error) {
	source, err := u.ImportSources().Get(u.Site.ID, id)
	if err != nil || source.Settings.Paused || source.State.Due.After(u.Now) {
		return none, kernel.AbsentIs(err, nil)
	}
	if source.State.Run != 0 {
		if err := u.interrupt(source.State.Run); err != nil {
			return none, err
		}
	}
	latest, err := u.Imports().List(u.Site.ID, 0, runsPerPage)
	if err != nil {
		return none, err
	}
	for _, other := range latest {
		if other.At(u.Now).State == operator.ImportRunning && slices.Contains(source.Settings.AllAgencies(), other.Agency) {
			source.State.Due = u.Now.Add(operator.LeastEvery)
			return none, u.ImportSources().Put(source)
		}
	}
	run, err := kernel.NextID[operator.ImportRunID](u, port.ImportIDs)
	if err != nil {
		return none, err
	}
	source.State = source.State.Began(run, u.Now)
	return source, u.ImportSources().Put(source)
}

// interrupt ends a run that is running still, if it was stored.
func (u importUnit) interrupt(id operator.ImportRunID) error {
	run, err := u.Imports().Get(u.Site.ID, id)
	if err != nil || run.State != operator.ImportRunning {
		return kernel.AbsentIs(err, nil)
	}
	return u.Imports().Save(run.End(operator.ImportInterrupted, "", run.Seen), nil)
}

// FreeLeases makes the sources due whose runs no process carries out. It is for whoever knows that
// no other process works.
func (s *Sources) FreeLeases(ctx context.Context) error {
	_, err := kernel.Write(ctx, s.k, kernel.Caller{}, func(u kernel.Unit) (kernel.None, error) {
		all, err := u.ImportSources().All()
		for _, source := range all {
			if source.State.Run == 0 || err != nil {
				continue
			}
			source.State.Due = s.k.Moment()
			err = u.ImportSources().Put(source)
		}
		return kernel.None{}, err
	})
	return err
}

// All lists the sources of all sites, by site and id.
func (s *Sources) All(ctx context.Context) (all []operator.ImportSource, err error) {
	err = s.k.Store.View(ctx, func(tx port.Tx) error {
		all, err = tx.ImportSources().All()
		return err
	})
	return all, err
}

func (u importUnit) sources(kernel.Nothing) ([]operator.ImportSource, error) {
	all, err := u.ImportSources().Of(u.Site.ID)
	return slices.DeleteFunc(all, func(s operator.ImportSource) bool { return !u.seesSource(s) }), err
}

// seesSource reports whether an agency of the source is in scope.
func (u importUnit) seesSource(s operator.ImportSource) bool {
	return slices.ContainsFunc(s.Settings.AllAgencies(), u.Scope.Has)
}

func (u importUnit) source(id int64) (operator.ImportSource, error) {
	s, err := u.ImportSources().Get(u.Site.ID, operator.ImportSourceID(id))
	if err == nil && !u.seesSource(s) {
		err = fault.NotFound
	}
	return s, kernel.AbsentIs(err, kernel.Unknown("no import source has this id"))
}

func (u importUnit) sourceWithRuns(in ImportSourcePath) (ImportSourceRecord, error) {
	s, err := u.source(in.ID)
	record := ImportSourceRecord{ImportSource: s}
	for _, id := range s.State.Runs {
		run, failed := u.Imports().Get(u.Site.ID, id)
		if kernel.IsAbsent(failed) { // it was purged
			continue
		}
		err = cmp.Or(err, failed)
		record.LastRuns = append(record.LastRuns, u.record(run))
	}
	return record, err
}

func (u importUnit) runNow(in RunImportSource) (kernel.None, error) {
	s, err := u.source(in.ID)
	switch {
	case err != nil:
		return kernel.None{}, err
	case s.Settings.Paused:
		return kernel.None{}, fault.New(fault.Conflict, fault.CodeConflict, "the import source is paused")
	case s.State.Run != 0 && s.State.Due.After(u.Now):
		return kernel.None{}, fault.New(fault.Conflict, fault.CodeConflict, "a run of the import source is under way")
	}
	s.State.Asked, s.State.WithoutLimit, s.State.Due = true, in.WithoutLimit, u.Now
	return kernel.None{}, u.ImportSources().Put(s)
}

func (u importUnit) pause(in PauseImportSource) (kernel.None, error) {
	s, err := u.source(in.ID)
	if err != nil || s.Settings.Paused == in.Paused {
		return kernel.None{}, err
	}
	type state struct{ Paused bool }
	u.Changed(state{s.Settings.Paused}, state{in.Paused})
	s.Settings.Paused = in.Paused
	return kernel.None{}, u.ImportSources().Put(s)
}

// errLost is that another process has the lease of a source.
var errLost = errors.New("another process carries out the source")

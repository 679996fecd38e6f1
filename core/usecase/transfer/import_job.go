package transfer

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"strconv"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

const (
	// saveEvery and saveLines say how often the progress of a run is stored.
	saveEvery = time.Second
	saveLines = 100
	// endWithin is how long a server that stops tries to store how runs ended.
	endWithin = 5 * time.Second
)

// errStopped is why a run ends that an operator stopped.
var errStopped = errors.New("stopped")

// job is a run that this process carries out.
type job struct {
	service *Imports
	// run is as it was when it began.
	run operator.ImportRun

	mu      sync.Mutex
	stopped bool
	cancel  context.CancelCauseFunc
}

// stop ends the job soon, also before it has begun.
func (j *job) stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stopped = true
	if j.cancel != nil {
		j.cancel(errStopped)
	}
}

// begin returns the context that ends when the job is stopped.
func (j *job) begin(ctx context.Context) context.Context {
	j.mu.Lock()
	defer j.mu.Unlock()
	ctx, j.cancel = context.WithCancelCause(ctx)
	if j.stopped {
		j.cancel(errStopped)
	}
	return ctx
}

// giveSign stores that the run is alive, and stops it if that is wanted.
func (j *job) giveSign(ctx context.Context, trouble func(error)) {
	stop, err := j.save(ctx, progress{})
	if err != nil && ctx.Err() == nil {
		trouble(err)
	}
	if stop {
		j.stop()
	}
}

// actor returns who causes the events of the run.
func (j *job) actor() event.Actor {
	if j.run.Source != 0 {
		return event.ActorOf(event.BySource, strconv.FormatInt(int64(j.run.Source), 10))
	}
	return event.ActorOf(event.ByImport, strconv.FormatInt(int64(j.run.ID), 10))
}

// carryOut goes through the file, and stores how the run ended.
func (j *job) carryOut(ctx context.Context, files ImportFiles, trouble func(error)) {
	running := j.begin(ctx)
	defer j.cancel(nil)
	p := &progress{tally: &operator.ImportTally{}}
	p.state, p.problem = j.ending(running, j.through(running, files, p), trouble)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	if _, err := j.save(ending, *p); err != nil {
		trouble(err)
		return
	}
	if j.isSpent(p.state) {
		forgetFile(ending, j.service.k.Blobs, j.run.File, j.run.Size)
	}
}

// isSpent reports whether the file is of no more use when the run ends in a state.
func (j *job) isSpent(state operator.ImportState) bool {
	return !j.run.DryRun && state == operator.ImportDone
}

// fileError is what is wrong with a file, in words for its sender.
type fileError struct{ error }

// Unwrap is for errors.Is and errors.As.
func (e fileError) Unwrap() error { return e.error }

// ending returns the state in which a run ends, and what went wrong.
func (j *job) ending(ctx context.Context, err error, trouble func(error)) (operator.ImportState, string) {
	var file fileError
	var known *fault.Error
	switch {
	case err == nil:
		return operator.ImportDone, ""
	case errors.Is(context.Cause(ctx), errStopped):
		return operator.ImportStopped, ""
	case ctx.Err() != nil:
		return operator.ImportInterrupted, ""
	case errors.As(err, &known):
		return operator.ImportFailed, known.Message.String()
	case errors.As(err, &file):
		return operator.ImportFailed, err.Error()
	}
	trouble(err)
	return operator.ImportFailed, fault.Textf("the server failed; its log says why").String()
}

// through imports the listings of the file, or undoes a run.
func (j *job) through(ctx context.Context, files ImportFiles, p *progress) error {
	into := j.service.transfer.Import(Portfolio{Site: j.run.Site, Agency: j.run.Agency}, j.run.DryRun)
	into.by = j.actor()
	into.keepsUndo = true
	if j.run.Undoes != 0 {
		into.Withdrawal = operator.WithdrawOffWeb
		return j.all(ctx, into, j.undoing(ctx, p.tally), p)
	}
	content := &kept{ctx: ctx, blobs: j.service.k.Blobs, file: j.run.File, left: j.run.Size}
	defer content.Close()
	file, err := files.Open(ctx, content, j.run.Format)
	if err != nil {
		return fileError{err}
	}
	defer file.Close()
	if p.tally.Total, err = file.Count(ctx); err != nil {
		return fileError{err}
	}
	if named, names := file.(AgencyFile); names {
		if err := into.CheckAgencies(named.Agencies()); err != nil {
			return fileError{err}
		}
	}
	return j.all(ctx, into, ofFile(file.Listings(ctx)), p)
}

// all imports listings, and keeps their progress.
func (j *job) all(ctx context.Context, into *Import, listings iter.Seq2[Listing, error], p *progress) error {
	var failed error
	for done, err := range into.All(ctx, listings) {
		if place, beside := errors.AsType[Damage](err); beside {
			p.add(operator.ImportLine{Action: operator.ImportDamaged, Source: place.Source, Why: place.Why})
			continue
		}
		if done.Action != "" {
			p.add(lineOf(done))
		}
		if err != nil {
			failed = err
			continue // what was stored with it comes still
		}
		if err := j.keepUp(ctx, p); err != nil {
			return err
		}
	}
	return cmp.Or(failed, ctx.Err())
}

// ofFile are listings of which errors say that they are about the file.
func ofFile(listings iter.Seq2[Listing, error]) iter.Seq2[Listing, error] {
	return func(yield func(Listing, error) bool) {
		for l, err := range listings {
			if err != nil {
				err = fileError{err}
			}
			if !yield(l, err) {
				return
			}
		}
	}
}

// lineOf returns what the report says of a listing.
func lineOf(done ImportedListing) operator.ImportLine {
	line := operator.ImportLine{
		Action: operator.ImportAction(done.Action), Source: done.Listing.Source, Reference: done.Listing.Reference, Product: done.Product,
		Changes: done.Changes, Pictures: done.Pictures, PicturesUnseen: done.PicturesUnseen, PicturesWithdrawn: done.PicturesWithdrawn, Why: done.Why, Undo: done.undo,
	}
	if len(done.Unread) > 0 {
		line.Action, line.Done, line.Unread = operator.ImportUnread, line.Action, done.Unread
	}
	for _, n := range done.NotUnderstood {
		line.NotUnderstood = append(line.NotUnderstood, operator.NotUnderstood(n))
	}
	return line.Bounded()
}

// progress is how far a run has come.
type progress struct {
	// tally is nil where nobody counted.
	tally *operator.ImportTally
	// lines are those that are not stored yet, last is the number of the last one of all.
	lines []operator.ImportLine
	last  int
	saved time.Time
	// state is empty while the run goes on.
	state   operator.ImportState
	problem string
}

func (p *progress) add(l operator.ImportLine) {
	p.last++
	l.Number = p.last
	*p.tally = p.tally.With(l)
	p.lines = append(p.lines, l)
}

// keepUp stores the progress now and then.
func (j *job) keepUp(ctx context.Context, p *progress) error {
	now := j.service.k.Moment()
	if len(p.lines) < saveLines && now.Sub(p.saved) < saveEvery {
		return nil
	}
	stop, err := j.save(ctx, *p)
	if err != nil {
		return err
	}
	p.lines, p.saved = nil, now
	if stop {
		j.stop()
	}
	return nil
}

// save stores how far the run has come, and reports whether it is to stop.
func (j *job) save(ctx context.Context, p progress) (stop bool, err error) {
	system, err := j.service.k.System(ctx, j.run.Site)
	if err != nil {
		return false, err
	}
	return kernel.Writes(j.service.k, newImportUnit, importUnit.saveProgress)(ctx, system, saving{j.run.ID, p, j.isSpent(p.state)})
}

// saving is the progress of a run that is to be stored.
type saving struct {
	id operator.ImportRunID
	progress
	// spent reports that the file is of no more use.
	spent bool
}

func (u importUnit) saveProgress(in saving) (stop bool, err error) {
	run, err := u.Imports().Get(u.Site.ID, in.id)
	if err != nil {
		return false, err
	}
	if run.State != operator.ImportRunning {
		return true, nil
	}
	run.Seen = u.Now
	if in.tally != nil {
		run.ImportTally = *in.tally
	}
	if in.state != "" {
		run = run.End(in.state, in.problem, u.Now)
		if err := u.noteUndone(run); err != nil {
			return false, err
		}
	}
	if in.spent {
		run.File = ""
	}
	return run.Stopping, u.Imports().Save(run, in.lines)
}

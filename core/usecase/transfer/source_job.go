package transfer

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
	"github.com/vitrine-crm/vitrine/core/usecase/listing"
)

// maxSourceLines is how many lines the report of a run of a source has. Listings of which nothing
// was changed or refused have none.
const maxSourceLines = 2000

// sourceJob is a run of a source that this process carries out.
type sourceJob struct {
	*job
	files   SourceFiles
	options lease.Options
	// source is as it was when the run began.
	source operator.ImportSource
	// stored reports that the run is stored, so that there is something to tell.
	stored atomic.Bool
}

// Extend implements lease.Job.
func (j *sourceJob) Extend(ctx context.Context) {
	err := j.write(ctx, func(u importUnit) error {
		source, err := u.held(j)
		if err != nil {
			return err
		}
		source.State = source.State.Began(j.run.ID, u.Now)
		return u.ImportSources().Put(source)
	})
	switch {
	case errors.Is(err, errLost):
		j.stop()
	case err != nil && ctx.Err() == nil:
		j.options.Trouble(err)
	}
	if j.stored.Load() {
		j.giveSign(ctx, j.options.Trouble)
	}
}

func (j *sourceJob) write(ctx context.Context, do func(importUnit) error) error {
	c, err := j.service.k.System(ctx, j.run.Site)
	if err != nil {
		return err
	}
	_, err = kernel.Write(ctx, j.service.k, c, func(u kernel.Unit) (kernel.None, error) { return kernel.None{}, do(newImportUnit(u)) })
	return err
}

// held returns the source, which is held until the unit ends, or errLost.
func (u importUnit) held(j *sourceJob) (operator.ImportSource, error) {
	source, err := u.ImportSources().Get(u.Site.ID, j.source.ID)
	if kernel.IsAbsent(err) || err == nil && source.State.Run != j.run.ID {
		err = errLost
	}
	return source, err
}

// look is what a look at a source came to.
type look struct {
	progress
	// file is nil where nothing is new.
	file *SourceFile
	// fresh reports that the file was not taken over before, or is to be read again.
	fresh bool
	// unreadable reports that the file is none with listings, or ends before its end.
	unreadable bool
}

// CarryOut implements lease.Job: it looks for a file, imports it, and stores how that ended.
func (j *sourceJob) CarryOut(ctx context.Context) {
	o, running := j.options, j.begin(ctx)
	defer j.cancel(nil)
	l := look{progress: progress{tally: &operator.ImportTally{}}}
	var err error
	if l.file, err = j.files.Look(running, j.source); err != nil {
		err = fileError{err}
	}
	if l.file != nil {
		defer func() { _ = l.file.Close() }() // it was only read
	}
	l.fresh = l.file != nil && (j.source.State.Asked || !j.source.Has(l.file.TakenFile))
	if l.fresh || err != nil {
		err = cmp.Or(j.open(running, l), err)
	}
	if l.fresh && err == nil {
		l.problem, err = j.through(running, *l.file, &l.progress)
		var file fileError
		l.unreadable = errors.As(err, &file)
	}
	switch problem := l.problem; {
	case errors.Is(err, errLost):
		return
	case err == nil && problem != "":
		l.state = operator.ImportHeld
	default:
		l.state, l.problem = j.ending(running, err, o.Trouble)
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	if err := j.write(ending, func(u importUnit) error { return u.settle(j, l) }); err != nil {
		if !errors.Is(err, errLost) {
			o.Trouble(err)
		}
		return
	}
	outcome := string(l.state)
	if !l.fresh && l.state == operator.ImportDone {
		outcome = SourceUnchanged
	}
	if o.Ended != nil {
		o.Ended(outcome)
	}
}

// open stores the run, which has a file or failed to get one.
func (j *sourceJob) open(ctx context.Context, l look) error {
	if l.file != nil {
		j.run.Name, j.run.Size = l.file.Name, l.file.Size
	}
	err := j.write(ctx, func(u importUnit) error {
		source, err := u.held(j)
		if err != nil {
			return err
		}
		j.run.Started, j.run.Seen = u.Now, u.Now
		if source.State.Runs = append([]operator.ImportRunID{j.run.ID}, source.State.Runs...); len(source.State.Runs) > operator.MaxSourceRuns {
			source.State.Runs = source.State.Runs[:operator.MaxSourceRuns]
		}
		if err := u.ImportSources().Put(source); err != nil {
			return err
		}
		return u.Imports().Save(j.run, nil)
	})
	j.stored.Store(err == nil)
	return err
}

// settle stores how a look ended, and when the source is looked at next. A file that was read, or
// cannot be, is not read again by itself, and what was wrong with it stays said; after trouble of the
// server it is.
func (u importUnit) settle(j *sourceJob, l look) error {
	source, err := u.held(j)
	if err != nil {
		return err
	}
	s := source.State
	s.Run, s.Looked, s.Due, s.Problem = 0, u.Now, u.Now.Add(source.Settings.Every), l.problem
	switch {
	case l.state == operator.ImportInterrupted:
		s.Due = u.Now
	case l.file != nil && (l.fresh && l.isOver() || !l.fresh):
		s = s.With(l.file.TakenFile, l.fresh, l.problem)
		if s.ETag, s.Modified = l.file.ETag, l.file.LastModified; l.file.More {
			s.Due = u.Now
		}
	case l.file == nil && l.state == operator.ImportDone && len(s.Taken) > 0:
		s.Problem = s.Taken[0].Problem
	}
	if l.state != operator.ImportInterrupted {
		s.Asked, s.WithoutLimit = false, false
	}
	if s.Problem == "" && l.state == operator.ImportDone && (l.file != nil || source.Settings.URL != "") {
		s.Good = u.Now
	}
	source.State = s
	if err := u.ImportSources().Put(source); err != nil || !j.stored.Load() {
		return err
	}
	_, err = u.saveProgress(saving{id: j.run.ID, progress: l.progress})
	return err
}

// isOver reports whether there is nothing more to do with the file.
func (l look) isOver() bool {
	return l.state == operator.ImportDone || l.state == operator.ImportHeld || l.state == operator.ImportFailed && l.unreadable
}

// named are the listings that a file named.
type named struct {
	// all reports that the file names all listings that there are: the source is full, and the file says of
	// itself nothing else.
	all        bool
	products   map[product.ID]bool
	references map[string]bool
	// gone are the products of listings that the file says are gone, with their lines of the report.
	gone map[product.ID]operator.ImportLine
	// unread counts the places that may name a listing and could not be read.
	unread int
	// cut reports that the last listing so far could not be read: the file may end too early.
	cut bool
}

// add notes a listing, and returns what the report says of it now: nothing yet of one that is gone.
func (n *named) add(done ImportedListing) (told []operator.ImportLine) {
	n.cut = done.Listing.Refused != ""
	line := lineOf(done)
	if done.Action == ImportWithdrawn {
		told, n.gone[done.Product] = n.stays(done.Product), line
		delete(n.products, done.Product)
		return told
	}
	told = append(n.stays(done.Product), line)
	if done.Listing.Gone && done.Action == ImportUnchanged {
		return told
	}
	switch reference := product.FoldReference(criteria.Normalise(done.Listing.Reference)); {
	case done.Product != 0:
		n.products[done.Product] = true
	case reference != "":
		n.references[reference] = true
	default:
		n.unread++
	}
	return told
}

// stays returns the line of a product that is not withdrawn though a listing of it is gone, if there is one.
func (n *named) stays(id product.ID) (told []operator.ImportLine) {
	if line, is := n.gone[id]; is {
		line.Action = operator.ImportUnchanged
		told = append(told, line)
		delete(n.gone, id)
	}
	return told
}

// through imports the listings of a file. Only when it was read to its end it withdraws what the file
// does not name, or returns why not.
func (j *sourceJob) through(ctx context.Context, f SourceFile, p *progress) (why string, err error) {
	file, err := f.Open(ctx)
	if err != nil {
		return "", fileError{err}
	}
	defer file.Close()
	into := j.service.transfer.Import(Portfolio{Site: j.run.Site, Agency: j.source.Settings.Agency}, false)
	into.by = j.actor()
	into.source, into.Agencies = &j.source, j.source.Settings.Agencies
	if p.tally.Total, err = file.Count(ctx); err != nil {
		return "", fileError{err}
	}
	if of, says := file.(AgencyFile); says {
		if err := into.CheckAgencies(of.Agencies()); err != nil {
			return "", fileError{err}
		}
	}
	found := named{products: map[product.ID]bool{}, references: map[string]bool{}, gone: map[product.ID]operator.ImportLine{}}
	found.all = j.source.Settings.Mode == operator.SourceFull
	if of, says := file.(PartFile); says && found.all {
		part, err := of.IsPart()
		if err != nil {
			return "", fileError{err}
		}
		found.all = !part
	}
	var failed error
	for done, err := range into.All(ctx, ofFile(file.Listings(ctx))) {
		if place, beside := errors.AsType[Damage](err); beside {
			found.unread++
			p.count(operator.ImportLine{Action: operator.ImportDamaged, Source: place.Source, Why: place.Why})
			continue
		}
		if done.Action == ImportRefused && err == nil {
			done, err = j.again(ctx, into, done)
		}
		if done.Action != "" {
			for _, l := range found.add(done) {
				p.count(l)
			}
		}
		if err != nil {
			failed = err
			continue // what was stored with it comes still
		}
		if err := j.keepUp(ctx, p); err != nil {
			return "", err
		}
	}
	if err := cmp.Or(failed, ctx.Err()); err != nil {
		return "", err
	}
	if !found.all && len(found.gone) == 0 {
		return "", nil
	}
	if found.cut {
		found.unread++
	}
	why, err = j.withdraw(ctx, found, p)
	for _, id := range slices.Sorted(maps.Keys(found.gone)) {
		for _, l := range found.stays(id) {
			p.count(l)
		}
	}
	return why, err
}

// count adds a line to the tally, and to the report if it tells something and there is room.
func (p *progress) count(l operator.ImportLine) {
	if l.Action == operator.ImportUnchanged && l.Pictures+l.PicturesWithdrawn == 0 || p.last >= maxSourceLines {
		*p.tally = p.tally.With(l)
		return
	}
	p.add(l)
}

// again imports a listing once more whose product the source had deleted.
func (j *sourceJob) again(ctx context.Context, into *Import, done ImportedListing) (ImportedListing, error) {
	if j.source.Settings.Withdrawal != operator.WithdrawDelete || done.Listing.Refused != "" {
		return done, nil
	}
	c, err := into.service.portfolioCaller(ctx, into.to)
	if err != nil {
		return done, err
	}
	restored, err := kernel.Writes(j.service.k, into.newUnit, unit.restore)(ctx, c.On(into.by), into.importing([]Listing{done.Listing}))
	if err != nil || !restored {
		return done, err
	}
	done.Imported, err = into.Listing(ctx, done.Listing)
	return done, err
}

// restore restores the product of a listing, if the source had deleted it.
func (u unit) restore(in importing) (bool, error) {
	ids, err := u.described(in)
	if err != nil || ids[0] == 0 {
		return false, err
	}
	known, err := u.SourcedProducts().Get(u.Site.ID, ids[0])
	if err != nil || known.Source != u.source.ID || known.Withdrawn.IsZero() {
		return false, kernel.AbsentIs(err, nil)
	}
	if err := u.Restore(known.Product); err != nil {
		if errors.Is(err, fault.Conflict) || kernel.IsAbsent(err) { // it is there, or gone for good
			return false, nil
		}
		return false, err
	}
	known.Withdrawn = time.Time{}
	return true, u.SourcedProducts().Put(known)
}

const (
	// candidatesAtOnce is how many products of a source are read at a time.
	candidatesAtOnce = 1000
	// withdrawnAtOnce is how many products one unit of work takes off the web.
	withdrawnAtOnce = 100
)

// withdraw withdraws the products of the source that are gone by its file, and those that a full one does not
// name, or returns why not.
func (j *sourceJob) withdraw(ctx context.Context, found named, p *progress) (why string, err error) {
	c, err := j.service.transfer.portfolioCaller(ctx, Portfolio{Site: j.run.Site})
	if err != nil {
		return "", err
	}
	c = c.On(j.actor())
	missing, all, err := j.missing(ctx, c, found)
	if err != nil || len(missing) == 0 {
		return "", err
	}
	unnamed := len(missing)
	if found.unread > 0 {
		missing = slices.DeleteFunc(missing, func(id product.ID) bool { _, gone := found.gone[id]; return !gone })
	}
	if unnamed -= len(missing); unnamed > 0 {
		why = fault.Textf("nothing was withdrawn, though %d listings are not named any more: %d places of the file that may name some could not be read",
			unnamed, found.unread).String()
	}
	if held := j.source.Withheld(len(missing), all); held != "" {
		return held, nil
	}
	for len(missing) > 0 {
		n := min(len(missing), withdrawnAtOnce)
		if j.source.Settings.Withdrawal == operator.WithdrawDelete {
			n = 1 // one that cannot be deleted keeps no other
		}
		lines, err := kernel.Writes(j.service.k, newUnit, unit.withdraw)(ctx, c, withdrawing{j, missing[:n]})
		if err != nil {
			return "", err
		}
		for _, l := range lines {
			l.Source = found.gone[l.Product].Source
			delete(found.gone, l.Product)
			p.count(l)
		}
		missing = missing[n:]
		if err := cmp.Or(j.keepUp(ctx, p), ctx.Err()); err != nil {
			return "", err
		}
	}
	return why, nil
}

// missing returns the products that the source would withdraw, and how many it has.
func (j *sourceJob) missing(ctx context.Context, c kernel.Caller, found named) (missing []product.ID, all int, err error) {
	for after := product.ID(0); ; {
		page, err := kernel.Reads(j.service.k, newUnit, unit.missing)(ctx, c, missingAfter{j, found, after})
		if err != nil {
			return nil, 0, err
		}
		missing, all = append(missing, page.missing...), all+page.all
		if after = page.last; after == 0 {
			return missing, all, nil
		}
	}
}

type missingAfter struct {
	job   *sourceJob
	found named
	after product.ID
}

type missingPage struct {
	missing []product.ID
	all     int
	// last is the last product of the page, or 0 if there are no others.
	last product.ID
}

func (u unit) missing(in missingAfter) (page missingPage, err error) {
	known, err := u.SourcedProducts().Of(u.Site.ID, in.job.source.ID, in.after, candidatesAtOnce)
	if err != nil {
		return page, err
	}
	var asked []product.ID
	for _, s := range known {
		if s.Own && s.Withdrawn.IsZero() {
			page.all++
			if _, gone := in.found.gone[s.Product]; gone || in.found.all && !in.found.products[s.Product] {
				asked = append(asked, s.Product)
			}
		}
	}
	if len(known) == candidatesAtOnce {
		page.last = known[len(known)-1].Product
	}
	present, err := u.Products().Many(u.Site.ID, asked)
	for _, p := range present {
		if !in.found.references[product.FoldReference(p.Reference)] && (p.WebStatus || in.job.source.Settings.Withdrawal == operator.WithdrawDelete) {
			page.missing = append(page.missing, p.ID)
		}
	}
	return page, err
}

type withdrawing struct {
	job *sourceJob
	ids []product.ID
}

// withdraw takes products off the web, or deletes them, and returns lines for the report. It fails as
// errLost when another process has the source.
func (u unit) withdraw(in withdrawing) (lines []operator.ImportLine, err error) {
	if _, err := newImportUnit(u.Unit.Unit).held(in.job); err != nil {
		return nil, err
	}
	known, err := u.SourcedProducts().Many(u.Site.ID, in.ids)
	if err != nil {
		return nil, err
	}
	var edits []listing.Edit
	for _, s := range known {
		p, err := u.Products().Get(u.Site.ID, s.Product)
		if kernel.IsAbsent(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		line := operator.ImportLine{Action: operator.ImportWithdrawn, Reference: p.Reference, Product: p.ID}
		if in.job.source.Settings.Withdrawal == operator.WithdrawDelete {
			if err := u.Delete(p.ID); errors.Is(err, fault.Conflict) { // before anything is stored
				line.Action, line.Why = operator.ImportRefused, notDeleted(err)
				return []operator.ImportLine{line}, nil
			} else if err != nil {
				return nil, err
			}
		} else {
			after := p.Clone()
			after.WebStatus = false
			edits = append(edits, listing.Edit{Before: p, After: after})
		}
		s.Withdrawn = u.Now
		if err := u.SourcedProducts().Put(s); err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	if len(edits) > 0 {
		_, err = u.ChangeAll(edits)
	}
	return lines, err
}

package portals

import (
	"errors"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// unit is a unit of work about targets.
type unit struct{ kernel.Unit }

func newUnit(u kernel.Unit) unit { return unit{u} }

func (u unit) list(kernel.Nothing) (seen []operator.PublicationTarget, err error) {
	all, err := u.PublicationTargets().Of(u.Site.ID)
	for _, t := range all {
		if u.sees(t) {
			seen = append(seen, t)
		}
	}
	return seen, err
}

// sees reports whether all agencies of the target are in scope.
func (u unit) sees(t operator.PublicationTarget) bool {
	agencies := t.Settings.AllAgencies()
	if len(agencies) == 0 {
		agencies = u.Site.Scope.Agencies()
	}
	for _, id := range agencies {
		if !u.Scope.Has(id) {
			return false
		}
	}
	return true
}

func (u unit) target(id int64) (operator.PublicationTarget, error) {
	t, err := u.PublicationTargets().Get(u.Site.ID, operator.TargetID(id))
	if err == nil && !u.sees(t) {
		err = fault.NotFound
	}
	return t, kernel.AbsentIs(err, kernel.Unknown("no publication target has this id"))
}

func (u unit) get(in TargetPath) (r TargetRecord, err error) {
	if r.PublicationTarget, err = u.target(in.ID); err != nil {
		return r, err
	}
	r.Runs, err = u.TargetRuns().Of(u.Site.ID, r.ID, 0, operator.MaxTargetRuns)
	for i := range r.Runs {
		if in.Run == 0 && i > 0 || in.Run != 0 && int64(r.Runs[i].ID) != in.Run {
			r.Runs[i].Lines = nil
		}
	}
	return r, err
}

func (u unit) sendNow(in TargetPath) (kernel.None, error) {
	t, err := u.target(in.ID)
	switch {
	case err != nil:
		return kernel.None{}, err
	case t.Settings.Paused:
		return kernel.None{}, fault.New(fault.Conflict, fault.CodeConflict, "the publication target is paused")
	case t.State.Run != 0 && t.State.Due.After(u.Now):
		return kernel.None{}, fault.New(fault.Conflict, fault.CodeConflict, "a run of the publication target is under way")
	}
	t.State.Asked, t.State.Due = true, u.Now
	return kernel.None{}, u.PublicationTargets().Put(t)
}

func (u unit) pause(in PauseTarget) (kernel.None, error) {
	t, err := u.target(in.ID)
	if err != nil || t.Settings.Paused == in.Paused {
		return kernel.None{}, err
	}
	type state struct{ Paused bool }
	u.Changed(state{t.Settings.Paused}, state{in.Paused})
	t.Settings.Paused = in.Paused
	return kernel.None{}, u.PublicationTargets().Put(t)
}

func (u unit) reject(in RejectListing) (kernel.None, error) {
	t, err := u.target(in.ID)
	if err != nil {
		return kernel.None{}, err
	}
	var problems fault.Problems
	if !kernel.CheckText("reason", in.Reason, kernel.MaxText, &problems) {
		return kernel.None{}, problems.Err()
	}
	known, err := u.Placements().Get(u.Site.ID, product.ID(in.Product))
	on, found := known.Find(t.ID)
	if kernel.IsAbsent(err) || err == nil && !found {
		return kernel.None{}, kernel.Unknown("the listing is not on this portal")
	}
	if err != nil {
		return kernel.None{}, err
	}
	on.Rejected = in.Reason
	return kernel.None{}, u.Placements().Put(known.With(on))
}

// take stores that a run of a target begins; the run is 0 when it is not due.
func (u unit) take(id operator.TargetID) (none operator.PublicationTarget, err error) {
	t, err := u.PublicationTargets().Get(u.Site.ID, id)
	if err != nil || t.Settings.Paused || t.State.Due.After(u.Now) {
		return none, kernel.AbsentIs(err, nil)
	}
	run, err := kernel.NextID[operator.TargetRunID](u, port.ImportIDs) // numbered together with imports
	if err != nil {
		return none, err
	}
	t.State = t.State.Began(run, u.Now)
	return t, u.PublicationTargets().Put(t)
}

// errLost is that another process has the lease of a target, or nobody as it was removed.
var errLost = errors.New("another process carries out the target")

// held returns the target of a job, which is held until the unit ends, or errLost.
func (u unit) held(j *job) (operator.PublicationTarget, error) {
	t, err := u.PublicationTargets().Get(u.Site.ID, j.target.ID)
	if kernel.IsAbsent(err) || err == nil && t.State.Run != j.target.State.Run {
		err = errLost
	}
	return t, err
}

func (u unit) extend(j *job) (kernel.None, error) {
	t, err := u.held(j)
	if err != nil {
		return kernel.None{}, err
	}
	t.State = t.State.Began(t.State.Run, u.Now)
	return kernel.None{}, u.PublicationTargets().Put(t)
}

// placing are listings that a portal has now, or has no more.
type placing struct {
	job  *job
	sent []sent
	gone []product.ID
}

// place stores what a portal has, and returns lines for the report.
func (u unit) place(in placing) (lines []operator.TargetLine, err error) {
	if _, err := u.held(in.job); err != nil {
		return nil, err
	}
	target, ids := in.job.target.ID, in.gone
	for _, s := range in.sent {
		ids = append(ids, s.id)
	}
	all, err := u.Placements().Many(u.Site.ID, ids)
	known := make(map[product.ID]operator.Placements, len(all))
	for _, p := range all {
		known[p.Product] = p
	}
	put := func(action operator.TargetAction, p operator.Placements, reference string) {
		if err == nil {
			err = u.Placements().Put(p)
		}
		lines = append(lines, operator.TargetLine{Action: action, Product: p.Product, Reference: reference})
	}
	for _, s := range in.sent {
		p := known[s.id]
		p.Site, p.Product = u.Site.ID, s.id
		before, is := p.Find(target)
		now := operator.Placement{Target: target, Reference: s.reference, Agency: s.agency, Fingerprint: s.fingerprint, Since: u.Now}
		switch {
		case !is:
			put(operator.TargetAdded, p.With(now), s.reference)
		case before.Fingerprint != s.fingerprint:
			put(operator.TargetChanged, p.With(now), s.reference)
		case before.Agency != s.agency && err == nil: // it was called something else, or nobody kept that
			before.Agency = s.agency
			err = u.Placements().Put(p.With(before))
		}
	}
	for _, id := range in.gone {
		before, is := known[id].Find(target)
		if !is {
			continue
		}
		if left := known[id].Without(target); len(left.On) > 0 {
			put(operator.TargetWithdrawn, left, before.Reference)
			continue
		}
		lines = append(lines, operator.TargetLine{Action: operator.TargetWithdrawn, Product: id, Reference: before.Reference})
		if err == nil {
			err = u.Placements().Delete(u.Site.ID, id)
		}
	}
	return lines, err
}

// placedAfter asks for the products on a portal behind one.
type placedAfter struct {
	target operator.TargetID
	after  product.ID
}

func (u unit) placed(in placedAfter) ([]operator.Placements, error) {
	return u.Placements().On(u.Site.ID, in.target, in.after, placedAtOnce)
}

// settle stores how a look ended, and when the target is looked at next.
func (u unit) settle(l look) (kernel.None, error) {
	t, err := u.held(l.job)
	if err != nil {
		return kernel.None{}, err
	}
	s := t.State
	s.Run, s.Looked, s.Due, s.Problem = 0, u.Now, u.Now.Add(t.Settings.Every), l.problem
	switch {
	case l.interrupted:
		s.Due, s.Problem = u.Now, t.State.Problem
	case l.problem != "":
		s.Due = u.Now.Add(min(t.Settings.Every, operator.TargetRetry))
	default:
		s.Asked, s.Good, s.Sent, s.Seq, s.Settings = false, u.Now, l.fingerprint, l.job.seq, l.job.settings
	}
	t.State = s
	if err := u.PublicationTargets().Put(t); err != nil || l.run == nil {
		return kernel.None{}, err
	}
	return kernel.None{}, u.record(*l.run)
}

// record stores a run. The same failure again takes the place of the one before, and runs beyond those that
// are kept go.
func (u unit) record(run operator.TargetRun) error {
	run.Ended = u.Now
	latest, err := u.TargetRuns().Of(u.Site.ID, run.Target, 0, 1)
	if err != nil {
		return err
	}
	if len(latest) > 0 && run.State == operator.TargetFailed && latest[0].State == run.State && latest[0].Problem == run.Problem {
		run.ID, run.Started = latest[0].ID, latest[0].Started
		return u.TargetRuns().Put(run)
	}
	surplus, err := u.TargetRuns().Of(u.Site.ID, run.Target, operator.MaxTargetRuns-1, 1)
	if err != nil {
		return err
	}
	for _, old := range surplus {
		if err := u.TargetRuns().Delete(u.Site.ID, old.ID); err != nil {
			return err
		}
	}
	return u.TargetRuns().Put(run)
}

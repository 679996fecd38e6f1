package portals

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/operator"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

const (
	// placedAtOnce is how many products one unit of work is about.
	placedAtOnce = 200
	// endWithin is how long a server that stops tries to store how runs ended.
	endWithin = 5 * time.Second
)

// job is a run of a target that this process carries out.
type job struct {
	service *Service
	out     Outbox
	options lease.Options
	// target is as it was when the run began, seq and settings how far its site was before.
	target        operator.PublicationTarget
	seq, settings int64
	// running ends with lost, when another process has the lease.
	running context.Context
	lost    context.CancelFunc
}

// sent is a listing in a file.
type sent struct {
	id                     product.ID
	reference, fingerprint string
	// agency is what the portal calls its agency.
	agency string
}

// look is what a look at a target came to.
type look struct {
	job *job
	// run is nil where nothing was sent.
	run *operator.TargetRun
	// fingerprint is that of what the portal has, where nothing is wrong.
	fingerprint, problem string
	interrupted          bool
}

// Extend implements lease.Job.
func (j *job) Extend(ctx context.Context) {
	_, err := write(ctx, j, unit.extend, j)
	switch {
	case errors.Is(err, errLost):
		j.lost()
	case err != nil && ctx.Err() == nil:
		j.options.Trouble(err)
	}
}

// write does a unit of work on the site of the target.
func write[In, Out any](ctx context.Context, j *job, do func(unit, In) (Out, error), in In) (out Out, err error) {
	c, err := j.service.k.System(ctx, j.target.Site)
	if err != nil {
		return out, err
	}
	return kernel.Writes(j.service.k, newUnit, do)(ctx, c, in)
}

// CarryOut implements lease.Job: it sends a file where something changed, and stores how that ended.
func (j *job) CarryOut(ctx context.Context) {
	defer j.lost()
	l := look{job: j}
	err := j.send(j.running, &l)
	var known *fault.Error
	var outbox outboxError
	switch {
	case errors.Is(err, errLost), err != nil && ctx.Err() == nil && j.running.Err() != nil:
		return
	case err != nil && ctx.Err() != nil:
		l.interrupted, l.run = true, nil
	case errors.As(err, &outbox):
		l.problem = err.Error()
	case errors.As(err, &known):
		l.problem = known.Message.String()
	case err != nil:
		j.options.Trouble(err)
		l.problem = fault.Textf("the server failed; its log says why").String()
	}
	outcome := Unchanged
	if l.problem != "" && l.run == nil {
		l.run = j.begun()
	}
	if l.run != nil {
		l.run.State, l.run.Problem = operator.TargetSent, l.problem
		if l.problem != "" {
			l.run.State = operator.TargetFailed
		}
		outcome = string(l.run.State)
	}
	ending, end := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer end()
	if _, err := write(ending, j, unit.settle, l); err != nil && !errors.Is(err, errLost) {
		j.options.Trouble(err)
		return
	}
	if j.options.Ended != nil && !l.interrupted {
		j.options.Ended(outcome)
	}
}

func (j *job) begun() *operator.TargetRun {
	return &operator.TargetRun{ID: j.target.State.Run, Site: j.target.Site, Target: j.target.ID, Started: j.service.k.Moment()}
}

// outboxError is what is wrong with a file or its way, in words for operators.
type outboxError struct{ error }

// Unwrap is for errors.Is and errors.As.
func (e outboxError) Unwrap() error { return e.error }

// send makes the file and hands it over, if the portal has not what would be in it.
func (j *job) send(ctx context.Context, l *look) error {
	s := j.target.State
	has := s.Sent != "" && !s.Asked
	if has && s.Seq == j.seq && s.Settings == j.settings {
		l.fingerprint = s.Sent
		return nil
	}
	if has {
		content, err := j.through(ctx, j.begun(), func(context.Context, transfer.Exported, sent) error { return nil })
		if err != nil {
			return err
		}
		if l.fingerprint = j.fingerprint(content); l.fingerprint == s.Sent {
			return nil
		}
	}
	run := j.begun()
	l.run = run
	known, err := j.known(ctx)
	if err != nil {
		return err
	}
	partial := has && known != nil
	file, err := j.out.Begin(j.target, partial)
	if err != nil {
		return outboxError{err}
	}
	defer file.Close()
	add := func(ctx context.Context, e transfer.Exported) error {
		if err := file.Add(ctx, e); err != nil {
			return outboxError{err}
		}
		return nil
	}
	content, err := j.through(ctx, run, func(ctx context.Context, e transfer.Exported, now sent) error {
		if partial && known[e.ID].Fingerprint == now.fingerprint {
			return nil
		}
		run.Listings++
		return add(ctx, e)
	})
	if err != nil {
		return err
	}
	for _, e := range gone(known, content) {
		if err := add(ctx, e); err != nil {
			return err
		}
	}
	l.fingerprint = j.fingerprint(content)
	if run.File, run.Size, err = file.HandOver(ctx); err != nil {
		return outboxError{err}
	}
	return j.place(ctx, run, content)
}

// through goes through the listings of the target, and returns those for the file. Those that are left out
// are lines of the run.
func (j *job) through(ctx context.Context, run *operator.TargetRun, add func(context.Context, transfer.Exported, sent) error) (content []sent, err error) {
	set := j.target.Settings
	wanted := transfer.Selection{Site: j.target.Site, Agencies: set.AllAgencies(), Criterias: set.Conditions()}
	for found, err := range j.service.transfer.Select(ctx, wanted) {
		if err != nil {
			return nil, err
		}
		if why := lacks(found, set.Complete); why != "" {
			*run = run.With(operator.TargetLine{Action: operator.TargetLeftOut, Product: found.ID, Reference: found.Reference, Why: why})
			continue
		}
		e := found.Exported
		e.AgencyCode = set.Agencies[e.Agency]
		now := sent{e.ID, e.Reference, fingerprintOf(found), e.AgencyName()}
		content = append(content, now)
		if err := add(ctx, e, now); err != nil {
			return nil, err
		}
	}
	return content, nil
}

// lacks returns why a listing is left out, or nothing.
func lacks(l transfer.Selected, complete bool) string {
	var missing []string
	for _, key := range transfer.Essential() {
		if _, given := l.Criteria[key]; !given {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		return "it has no " + strings.Join(missing, ", ")
	}
	if complete {
		for _, g := range l.Gaps() {
			missing = append(missing, g.Message)
		}
	}
	return strings.Join(missing, "; ")
}

// fingerprintOf returns a text that differs where what is sent of a listing does.
func fingerprintOf(l transfer.Selected) string {
	hash := sha256.New()
	e := l.Exported
	e.Files, e.Position, e.Office, e.Modified = nil, nil, site.Agency{}, time.Time{} // pointers, and what changes without it
	fmt.Fprintf(hash, "%+v %q %q %q", e, l.Office.Name, l.Office.Email, l.Office.Phone)
	if l.Position != nil {
		fmt.Fprint(hash, l.Position.String())
	}
	for _, p := range l.Product.PublicPictures() {
		fmt.Fprintf(hash, "%q %s", p.Label, p.SHA256)
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// listingKey is by what a portal knows a listing.
type listingKey struct{ agency, reference string }

func keyOf(agency, reference string) listingKey {
	return listingKey{agency, product.FoldReference(criteria.Normalise(reference))}
}

// gone returns the listings that a portal has, and that are not in what it gets.
func gone(known map[product.ID]operator.Placement, content []sent) (all []transfer.Exported) {
	has := make(map[listingKey]bool, len(content))
	for _, s := range content {
		has[keyOf(s.agency, s.reference)] = true
	}
	for _, id := range slices.Sorted(maps.Keys(known)) {
		if p := known[id]; !has[keyOf(p.Agency, p.Reference)] {
			all = append(all, transfer.Exported{ID: id, Reference: p.Reference, AgencyCode: p.Agency, Gone: true})
		}
	}
	return all
}

// known returns what an incremental target has; nil for another one, and where that was sent by other settings.
func (j *job) known(ctx context.Context) (map[product.ID]operator.Placement, error) {
	if !j.target.Settings.Incremental || !strings.HasPrefix(j.target.State.Sent, j.ofSettings()) {
		return nil, nil
	}
	all := map[product.ID]operator.Placement{}
	err := j.placed(ctx, func(page []operator.Placements) error {
		for _, p := range page {
			all[p.Product], _ = p.Find(j.target.ID)
		}
		return nil
	})
	return all, err
}

// placed goes through the products on the target.
func (j *job) placed(ctx context.Context, do func([]operator.Placements) error) error {
	c, err := j.service.k.System(ctx, j.target.Site)
	for after := product.ID(0); err == nil; {
		var page []operator.Placements
		page, err = kernel.Reads(j.service.k, newUnit, unit.placed)(ctx, c, placedAfter{j.target.ID, after})
		if err != nil || len(page) == 0 {
			break
		}
		after = page[len(page)-1].Product
		err = do(page)
	}
	return err
}

// ofSettings returns a text that differs where the settings do of what a file is.
func (j *job) ofSettings() string {
	hash := sha256.New()
	set := j.target.Settings
	fmt.Fprintln(hash, set.Format, set.Pictures, set.Agencies, set.Location, set.Incremental)
	return hex.EncodeToString(hash.Sum(nil)[:8]) + "-"
}

// fingerprint returns a text that differs where the file does.
func (j *job) fingerprint(content []sent) string {
	hash := sha256.New()
	for _, s := range content {
		fmt.Fprintln(hash, s.id, s.fingerprint)
	}
	return j.ofSettings() + hex.EncodeToString(hash.Sum(nil)[:16])
}

// place stores what the portal has now.
func (j *job) place(ctx context.Context, run *operator.TargetRun, content []sent) error {
	has := make(map[product.ID]bool, len(content))
	do := func(in placing) error {
		in.job = j
		lines, err := write(ctx, j, unit.place, in)
		for _, l := range lines {
			*run = run.With(l)
		}
		return err
	}
	for len(content) > 0 {
		n := min(len(content), placedAtOnce)
		for _, s := range content[:n] {
			has[s.id] = true
		}
		if err := do(placing{sent: content[:n]}); err != nil {
			return err
		}
		content = content[n:]
	}
	return j.placed(ctx, func(page []operator.Placements) error {
		var gone []product.ID
		for _, p := range page {
			if !has[p.Product] {
				gone = append(gone, p.Product)
			}
		}
		if len(gone) == 0 {
			return nil
		}
		return do(placing{gone: gone})
	})
}

package main

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/client"
	"github.com/vitrine-crm/vitrine/core/mirror"
)

// readers is how many marked records are read at a time.
const readers = 4

// unstoredWait is how long to wait before something is tried again because the copy could not be written.
const unstoredWait = time.Second

// runner carries out what the machine decides.
type runner struct {
	remote mirror.Remote
	copy   mirror.Copy
	policy mirror.Policy
	log    *slog.Logger

	mu    sync.Mutex
	state mirror.State

	// marked is woken when there may be something to read, doubts are what an operator asks for.
	marked chan struct{}
	doubts chan mirror.Doubted
}

func newRunner(ctx context.Context, remote mirror.Remote, to mirror.Copy, policy mirror.Policy, log *slog.Logger) (*runner, error) {
	r := &runner{remote: remote, copy: to, policy: policy, log: log, marked: make(chan struct{}, 1), doubts: make(chan mirror.Doubted, 1)}
	var err error
	r.state, err = to.State(ctx)
	return r, err
}

// now returns the time as the copy keeps it.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// State returns where the mirror is.
func (r *runner) State() mirror.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// observe stores what follows from an observation.
func (r *runner) observe(ctx context.Context, o mirror.Observation) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	change := r.state.After(r.policy, o, now())
	// What was begun is stored though the process is told to stop meanwhile.
	if err := r.copy.Store(context.WithoutCancel(ctx), change); err != nil {
		return err
	}
	if before, after := r.state.Mode(), change.State.Mode(); before != after {
		r.log.Info("the mode is another", "mode", after, "before", before)
	}
	r.state = change.State
	select {
	case r.marked <- struct{}{}:
	default:
	}
	return nil
}

// run mirrors until ctx ends.
func (r *runner) run(ctx context.Context) {
	var group sync.WaitGroup
	group.Go(func() { r.tasks(ctx) })
	group.Go(func() { r.reads(ctx) })
	group.Wait()
}

// tasks does what the state says, one task after the other.
func (r *runner) tasks(ctx context.Context) {
	var next mirror.Observation = mirror.Doubted{Began: true}
	for ctx.Err() == nil {
		if next == nil {
			next = r.next(ctx)
		}
		if next == nil {
			continue
		}
		if err := r.observe(ctx, next); err != nil {
			r.log.Error("writing the copy", "error", err)
			pause(ctx, unstoredWait)
			continue // it is stored once the copy can be written
		}
		next = nil
	}
}

// next carries out the task at this moment and returns what is to be observed; nil if nothing is.
func (r *runner) next(ctx context.Context) mirror.Observation {
	select {
	case doubt := <-r.doubts:
		return doubt
	default:
	}
	task := r.State().Task(r.policy, now())
	if wait, is := task.(mirror.Wait); is {
		timer := time.NewTimer(time.Until(wait.Until))
		defer timer.Stop()
		select {
		case <-ctx.Done():
		case <-timer.C:
		case doubt := <-r.doubts:
			return doubt
		}
		return nil
	}
	answer, err := r.ask(ctx, task)
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		failures := r.State().Failures
		r.log.Warn("asking the server", "error", err, "failures", failures+1)
		return mirror.Failed{Wait: mirror.Backoff(failures, rand.Float64(), patience(err)), Refused: refused(err), Lacking: lacks(err), Problem: err.Error()} //nolint:gosec // when something is tried again is no secret
	}
	return answer
}

// ask is the one call of the remote that a task is.
func (r *runner) ask(ctx context.Context, task mirror.Task) (mirror.Observation, error) {
	switch t := task.(type) {
	case mirror.Doubt:
		return mirror.Doubted{Sweep: t.Sweep}, nil
	case mirror.Learn:
		abilities, err := r.remote.Abilities(ctx)
		return mirror.Learned{Abilities: abilities}, err
	case mirror.ReadHead:
		last, err := r.remote.Head(ctx)
		return mirror.HeadRead{Last: last}, err
	case mirror.Keep:
		hook, anew, err := r.remote.Keep(ctx, t.Hook)
		return mirror.WasKept{Hook: hook, Anew: anew}, err
	case mirror.Look:
		suspended, err := r.remote.Suspended(ctx, t.Hook)
		return mirror.Looked{Suspended: suspended}, err
	case mirror.ReadEvents:
		page, err := r.remote.Events(ctx, t.After)
		return mirror.EventsRead{Page: page}, err
	case mirror.ReadProducts:
		page, err := r.remote.Products(ctx, t.Since, t.Cursor)
		return mirror.ProductsRead{Page: page, Asked: t.Asked}, err
	case mirror.ReadIDs:
		page, err := r.remote.IDs(ctx, t.Cursor)
		return mirror.IDsRead{Page: page}, err
	}
	return nil, errors.New("there is a task that nobody can do")
}

// reads reads what is marked and due, each record once at a time.
func (r *runner) reads(ctx context.Context) {
	var group sync.WaitGroup
	defer group.Wait()
	under, done := map[mirror.Key]bool{}, make(chan mirror.Key)
	for ctx.Err() == nil {
		marks, err := r.copy.Marks(ctx, len(under)+readers)
		if err != nil && ctx.Err() == nil {
			r.log.Error("reading the copy", "error", err)
			pause(ctx, unstoredWait)
			continue
		}
		at, wait := now(), time.Hour
		for _, one := range marks {
			switch {
			case under[one.Key] || len(under) == readers:
			case !one.IsDue(at):
				wait = min(wait, one.Due.Sub(at))
			default:
				under[one.Key] = true
				group.Go(func() {
					r.read(ctx, one)
					select {
					case done <- one.Key:
					case <-ctx.Done():
					}
				})
			}
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-r.marked:
		case key := <-done:
			delete(under, key)
		case <-timer.C:
		}
		timer.Stop()
	}
}

// read reads a record that is marked.
func (r *runner) read(ctx context.Context, m mirror.Mark) {
	var seen mirror.Observation
	record, err := r.remote.Read(ctx, m.Key)
	switch {
	case ctx.Err() != nil:
		return // the mark stays
	case err != nil:
		wait := mirror.Backoff(m.Tries, rand.Float64(), patience(err)) //nolint:gosec // when something is tried again is no secret
		r.log.Warn("reading a record", "kind", m.Kind, "id", m.ID, "error", err, "again_in", wait)
		seen = mirror.Unanswered{Mark: m, Wait: wait}
	default:
		seen = mirror.Answered{Mark: m, Record: record}
	}
	if err := r.observe(ctx, seen); err != nil {
		r.log.Error("writing the copy", "error", err)
		pause(ctx, unstoredWait)
	}
}

// patience returns how long a server asks to be left alone; 0 if it does not say.
func patience(err error) time.Duration {
	if said, is := errors.AsType[*client.Error](err); is {
		return said.RetryAfter
	}
	return 0
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

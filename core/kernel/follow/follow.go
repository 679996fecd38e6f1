package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Service follows the ledgers of sites.
type Service struct{ k *kernel.Kernel }

// New returns the engine of a kernel.
func New(k *kernel.Kernel) *Service { return &Service{k} }

// Options are the settings of a follower.
type Options struct {
	// Name is the name of the follower, under which its positions are stored. Processes with
	// the same name share the sites.
	Name string
	// Tick makes the follower look for changes. Once a second is often enough.
	Tick <-chan time.Time
	// Lease is the time without a renewal after which other processes take over a site: longer
	// than the function takes. The zero value means two minutes.
	Lease time.Duration
	// Batch is the largest number of events of one call; the zero value means 500.
	Batch int
	// Trouble is called with errors; it may be nil.
	Trouble func(error)
}

// Changes are the next events of a site.
type Changes struct {
	Site site.ID
	// Begins reports that the site is new to the follower, or that events were purged before it
	// got them. A follower with a copy of the site reads it again. There are no Events; the next
	// call has those since just before this one.
	Begins bool
	// Events are in the order of the ledger.
	Events []event.Event
}

// prefix distinguishes the names of followers from those of the engines of the core.
const prefix = "follow:"

// Run calls a function with the events of every site, one site after the other, until ctx
// ends. The events of a site are in order, and each comes at least once: those of a call that
// failed or did not return come again when the lease has expired. A follower that was stopped
// continues at its position.
//
// The function is called outside units of work, and may call use cases. Any number of processes
// may run: a site is followed by one of them at a time.
func (s *Service) Run(ctx context.Context, o Options, use func(context.Context, Changes) error) error {
	switch {
	case o.Name == "" || use == nil:
		return errors.New("follow: a name and a function must be supplied")
	case o.Tick == nil:
		return errors.New("follow: a tick must be supplied")
	}
	if o.Lease == 0 {
		o.Lease = 2 * time.Minute
	}
	if o.Batch <= 0 {
		o.Batch = 500
	}
	if o.Trouble == nil {
		o.Trouble = func(error) {}
	}
	leases, err := NewLeases(s.k, prefix+o.Name, o.Lease)
	if err != nil {
		return err
	}
	f := follower{k: s.k, Options: o, leases: leases, use: use}
	for {
		f.round(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-o.Tick:
		}
	}
}

// Backlog is how far a follower is behind.
type Backlog struct {
	// Events counts the events it has not got, Sites the sites that are new to it.
	Events int64
	Sites  int
}

// Backlog returns the backlog of the follower with a name.
func (s *Service) Backlog(ctx context.Context, name string) (Backlog, error) {
	return BacklogOf(ctx, s.k, prefix+name)
}

// BacklogOf returns the backlog of a follower, which may be an engine of the core.
func BacklogOf(ctx context.Context, k *kernel.Kernel, follower string) (b Backlog, err error) {
	err = k.Store.View(ctx, func(tx port.Tx) error {
		b.Events, b.Sites, err = tx.Ledger().Behind(follower)
		return err
	})
	return b, err
}

type follower struct {
	k *kernel.Kernel
	Options
	leases *Leases
	use    func(context.Context, Changes) error
}

// round calls the function while there are events. A lease under which a call failed is not
// released: it expires, and the next call comes after that.
func (f *follower) round(ctx context.Context) {
	for ctx.Err() == nil {
		lease, found, err := f.leases.Take(ctx)
		if err != nil {
			f.tell(ctx, err)
			return
		}
		if !found {
			return
		}
		if err := f.serve(ctx, lease); err != nil {
			f.tell(ctx, fmt.Errorf("site %d: %w", lease.Site, err))
		}
	}
}

func (f *follower) tell(ctx context.Context, err error) {
	if ctx.Err() == nil {
		f.Trouble(fmt.Errorf("following as %s: %w", f.Name, err))
	}
}

func (f *follower) serve(ctx context.Context, lease port.Following) error {
	var next Changes
	err := f.k.Store.View(ctx, func(tx port.Tx) (err error) {
		next, lease, err = nextChanges(tx, lease, f.Batch)
		return err
	})
	if err != nil {
		return err
	}
	if next.Begins || len(next.Events) > 0 {
		if err := f.use(ctx, next); err != nil {
			return err
		}
	}
	return f.leases.Release(ctx, lease)
}

// nextChanges returns the events after the position of a lease, and the lease with the position
// after them.
func nextChanges(tx port.Tx, lease port.Following, limit int) (Changes, port.Following, error) {
	head, err := tx.Ledger().Head(lease.Site)
	if err != nil {
		return Changes{}, lease, err
	}
	if !lease.Scanning {
		if lease.Seq >= head.Seq {
			return Changes{Site: lease.Site}, lease, nil
		}
		events, err := tx.Ledger().After(lease.Site, lease.Seq, limit)
		if err != nil {
			return Changes{}, lease, err
		}
		if len(events) > 0 && events[0].Seq == lease.Seq+1 {
			lease.Seq = events[len(events)-1].Seq
			return Changes{Site: lease.Site, Events: events}, lease, nil
		}
	}
	lease.Scanning, lease.Seq = false, head.Seq
	return Changes{Site: lease.Site, Begins: true}, lease, nil
}

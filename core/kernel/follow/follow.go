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

// New makes the engine on a kernel.
func New(k *kernel.Kernel) *Service { return &Service{k} }

// Options say how changes are followed.
type Options struct {
	// Name is the follower's. Processes that give the same name share the sites; where
	// they have come is kept under it.
	Name string
	// Tick makes the follower look for changes. Once a second is often enough.
	Tick <-chan time.Time
	// Lease is how long a process may go without a sign of life before others take over
	// its site: longer than the function takes. The zero value is two minutes.
	Lease time.Duration
	// Batch is how many events there are at most in one call; the zero value is 500.
	Batch int
	// Trouble gets what goes wrong; nil is nobody.
	Trouble func(error)
}

// Changes are what happened next at a site.
type Changes struct {
	Site site.ID
	// Begins reports that nothing was told of the site before, or that the follower was
	// away for so long that events it had not seen were purged. A follower that keeps something
	// of the site reads it anew. The events that are told of next are those since just
	// before the function was called. There are no Events.
	Begins bool
	// Events are in the order of the ledger.
	Events []event.Event
}

// prefix keeps the names of followers apart from those of the engines of the core.
const prefix = "follow:"

// Run calls a function with what happened at every site, one site after the other,
// until ctx ends. The events of a site come in their order, and each at least once:
// what the function fails at, or did not return from, comes again when the lease has
// run out. It is told where it was, however often and for however long it is away.
//
// The function is called in no unit of work, and may call use cases. Any number of
// processes may run: a site is followed by one of them at a time.
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

// Backlog is what a follower has yet to be told.
type Backlog struct {
	// Events counts those it has not seen, Sites those that it has yet to begin with.
	Events int64
	Sites  int
}

// Backlog returns how far behind the follower of a name is.
func (s *Service) Backlog(ctx context.Context, name string) (Backlog, error) {
	return BacklogOf(ctx, s.k, prefix+name)
}

// BacklogOf returns how far behind a follower is, an engine of the core or another.
func BacklogOf(ctx context.Context, k *kernel.Kernel, follower string) (b Backlog, err error) {
	err = k.Store.View(ctx, func(tx port.Tx) error {
		b.Events, b.Sites, err = tx.Followers().Behind(follower)
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

// round goes on while there is anything to tell. A lease under which something went
// wrong is not given up: it runs out by itself, which leaves time to mend things.
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

// nextChanges returns what happened behind a lease, and the lease as it is behind them.
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

package requests

import (
	"context"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/kernel/follow"
	"github.com/vitrine-crm/vitrine/core/port"
)

const (
	// follower is the name under which the ledgers are followed.
	follower = "requests"
	// eventsAtOnce is how many events are looked at before the lease is given up.
	eventsAtOnce = 1000
	// leaseFor is how long a process may go without a sign of life before others take
	// over.
	leaseFor = 2 * time.Minute
)

// ForgetCustomers removes query and bodies of the requests about customers who were
// anonymised or deleted, at every tick, until ctx ends. It follows the ledgers of the
// sites, where each removal has an event by the commit that did it: whatever is down
// meanwhile, and however often, it comes back to where it was. Any number of processes
// may do so.
func (s *Service) ForgetCustomers(ctx context.Context, tick <-chan time.Time, trouble func(error)) {
	if !s.Kept() {
		return
	}
	leases, err := follow.NewLeases(s.k, follower, leaseFor)
	if err != nil {
		trouble(err)
		return
	}
	f := forgetter{s, leases}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		if err := f.round(ctx); err != nil && ctx.Err() == nil {
			trouble(fmt.Errorf("forgetting customers: %w", err))
		}
	}
}

// forgetter follows the ledgers.
type forgetter struct {
	*Service
	leases *follow.Leases
}

// round goes on until every event was seen.
func (f *forgetter) round(ctx context.Context) error {
	for {
		lease, found, err := f.leases.Take(ctx)
		if err != nil || !found {
			return err
		}
		if err := f.serve(ctx, lease); err != nil {
			return err
		}
	}
}

// serve looks at the next events of a site. Where it came is kept only when all
// customers in them are forgotten. A lease under which something went wrong runs out
// by itself.
func (f *forgetter) serve(ctx context.Context, lease port.Following) error {
	c, err := f.k.System(ctx, lease.Site)
	if err != nil {
		return err
	}
	var gone []customer.ID
	err = kernel.View(ctx, f.k, c, func(u kernel.Unit) error {
		lease, gone, err = unit{u}.goneAfter(lease)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range gone {
		if err := f.k.Requests.Forget(ctx, lease.Site, id); err != nil {
			return err
		}
	}
	return f.leases.Release(ctx, lease)
}

// unit is a unit of work of the area.
type unit struct{ kernel.Unit }

// goneAfter returns the customers among the next events of a site who are anonymous, or
// there no more, and the lease as it is behind these events. Products are of no
// interest: nothing but events is looked at.
func (u unit) goneAfter(lease port.Following) (port.Following, []customer.ID, error) {
	events, err := u.Ledger().After(lease.Site, lease.Seq, eventsAtOnce)
	if err != nil {
		return lease, nil, err
	}
	if lease.Scanning = false; len(events) < eventsAtOnce {
		lease.Seq = u.Site.Head.Seq // the ledger may have been purged up to here
	}
	var about []customer.ID
	for _, e := range events {
		lease.Seq = max(lease.Seq, e.Seq)
		if e.Type == event.CustomerUpdate || e.Type == event.CustomerDelete {
			about = append(about, customer.ID(e.Resource))
		}
	}
	known, err := u.Customers().Many(lease.Site, about)
	if err != nil {
		return lease, nil, err
	}
	alive := map[customer.ID]bool{}
	for _, c := range known {
		alive[c.ID] = !c.IsAnonymous()
	}
	var gone []customer.ID
	for _, id := range about {
		if !alive[id] {
			gone = append(gone, id)
			alive[id] = true // once is enough
		}
	}
	return lease, gone, nil
}

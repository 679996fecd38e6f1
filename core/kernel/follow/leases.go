package follow

import (
	"context"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Leases takes the leases of one follower for this process, one at a time.
type Leases struct {
	k        *kernel.Kernel
	follower string
	length   time.Duration
	// process identifies the process and rounds its lease, so that a lease that was taken over
	// is not released by the former holder.
	process string
	rounds  int
}

// NewLeases returns the leases of a follower. Each lasts for length unless it is released:
// longer than a site is served.
func NewLeases(k *kernel.Kernel, follower string, length time.Duration) (*Leases, error) {
	process, err := k.ProcessName()
	return &Leases{k: k, follower: follower, length: length, process: process}, err
}

// Take takes the lease of the site that has waited longest; found is false when no site has
// events.
func (l *Leases) Take(ctx context.Context) (lease port.Following, found bool, err error) {
	l.rounds++
	holder := l.process + "-" + strconv.Itoa(l.rounds)
	err = l.k.Store.Update(ctx, func(tx port.Tx) error {
		now := l.k.Moment()
		lease, found, err = tx.Ledger().Follow(l.follower, holder, now, now.Add(l.length))
		return err
	})
	return lease, found, err
}

// Release releases a lease and stores its position. It does so even when ctx has ended, so that
// other processes continue at once.
func (l *Leases) Release(ctx context.Context, lease port.Following) error {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.length)
	defer cancel()
	return l.k.Store.Update(last, func(tx port.Tx) error { return tx.Ledger().StopFollowing(lease) })
}

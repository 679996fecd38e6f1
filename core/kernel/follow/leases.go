package follow

import (
	"context"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Leases are those that this process takes as one follower, one at a time.
type Leases struct {
	k        *kernel.Kernel
	follower string
	length   time.Duration
	// process tells processes apart, rounds the leases of this one: a lease that was
	// taken over is not given up by who had it before.
	process string
	rounds  int
}

// NewLeases makes the leases of a follower. Each lasts for length unless it is given
// up: longer than a site is served.
func NewLeases(k *kernel.Kernel, follower string, length time.Duration) (*Leases, error) {
	process, err := k.ProcessName()
	return &Leases{k: k, follower: follower, length: length, process: process}, err
}

// Take takes the lease of the site that has waited longest; found is false when there
// is nothing to do anywhere.
func (l *Leases) Take(ctx context.Context) (lease port.Following, found bool, err error) {
	l.rounds++
	holder := l.process + "-" + strconv.Itoa(l.rounds)
	err = l.k.Store.Update(ctx, func(tx port.Tx) error {
		now := l.k.Moment()
		lease, found, err = tx.Followers().Take(l.follower, holder, now, now.Add(l.length))
		return err
	})
	return lease, found, err
}

// Release gives a lease up, and keeps how far it came. It does so when ctx has ended,
// too, so that others go on at once.
func (l *Leases) Release(ctx context.Context, lease port.Following) error {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.length)
	defer cancel()
	return l.k.Store.Update(last, func(tx port.Tx) error { return tx.Followers().Release(lease) })
}

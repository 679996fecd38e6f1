package locate

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/kernel/follow"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Service looks up the addresses of products.
type Service struct{ k *kernel.Kernel }

// New makes the engine on a kernel.
func New(k *kernel.Kernel) *Service { return &Service{k} }

// Options say how addresses are looked up.
type Options struct {
	// Lease is how long a process may go without a sign of life before others
	// take over its site: longer than a batch takes.
	Lease time.Duration
	// Tick makes the locator look for addresses that nobody announced: those of
	// other processes. Every few seconds is often enough.
	Tick <-chan time.Time
	// Batch is how many addresses of one site are looked up before the next site is
	// served, Parallel how many at a time.
	Batch, Parallel int
	// Pause is how long a geocoder that answers nothing is left alone.
	Pause time.Duration
	// Observe is called with errors; it may be nil.
	Observe Observer
}

// Observer follows the locator, for logs. It must be quick.
type Observer interface {
	// GivenUp is an error about a product whose address is not asked about again before
	// the product changes.
	GivenUp(site.ID, product.ID, error)
	Trouble(error)
}

// DefaultOptions are good choices for every field but Tick.
func DefaultOptions() Options {
	return Options{Lease: 2 * time.Minute, Batch: 16, Parallel: 4, Pause: 30 * time.Second}
}

// Run asks a geocoder where products are whose Alentour is absent, after the
// commit of whatever gave them their address, until ctx ends. Any number of
// processes may do so from one store: a site is followed by one at a time.
//
// An answer is stored besides the criteria, even that there is no such place, and
// is never asked for again while the address stays. It is a change of the
// product, with its event, if it moves the position. While the geocoder fails,
// nothing is lost: the locator comes back to where it was.
func (s *Service) Run(ctx context.Context, g port.Geocoder, o Options) error {
	leases, err := follow.NewLeases(s.k, follower, o.Lease)
	if err != nil {
		return err
	}
	l := &locator{k: s.k, Options: o, geocoder: g, leases: leases, failed: map[productKey]failures{}}
	return l.run(ctx)
}

// Backlog is what the locator has yet to look at, over all sites: events it has not
// seen, and sites whose products it goes through first.
type Backlog = follow.Backlog

// Backlog returns what the locator has yet to look at.
func (s *Service) Backlog(ctx context.Context) (Backlog, error) {
	return follow.BacklogOf(ctx, s.k, follower)
}

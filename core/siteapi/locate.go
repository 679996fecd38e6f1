package siteapi

import (
	"context"
	"encoding/hex"
	"io"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/product"
	"github.com/vitrine-crm/vitrine/core/site"
)

// LocateOptions say how addresses are looked up.
type LocateOptions struct {
	// Lease is how long a process may go without a sign of life before others
	// take over its site: longer than a batch takes.
	Lease time.Duration
	// Tick makes the locator look for addresses that nobody announced: those of
	// other processes. Every few seconds is often enough.
	Tick <-chan time.Time
	// Batch is how many addresses of one site are looked up before it is the next
	// one's turn, Parallel how many at a time.
	Batch, Parallel int
	// Pause is how long a geocoder that answers nothing is left alone.
	Pause time.Duration
	// Observe is told what goes wrong; nil is nobody.
	Observe LocateObserver
}

// LocateObserver follows the locator, for logs. It must be quick.
type LocateObserver interface {
	// GivenUp tells of a product whose address is not asked about again before
	// the product changes.
	GivenUp(site.ID, product.ID, error)
	Trouble(error)
}

// DefaultLocateOptions are good choices for every field but Tick.
func DefaultLocateOptions() LocateOptions {
	return LocateOptions{Lease: 2 * time.Minute, Batch: 16, Parallel: 4, Pause: 30 * time.Second}
}

const (
	// locating is the name under which the locator follows the ledgers.
	locating = "locate"
	// lookahead is how many events or products are looked through at a time.
	lookahead = 250
	// patience is how often an address may fail while others are answered.
	patience = 5
)

// Locate asks a geocoder where products are whose Alentour is absent, after the
// commit of whatever gave them their address, until ctx ends. Any number of
// processes may do so from one store: a site is followed by one at a time.
//
// An answer is stored beside the criteria, also that there is no such place, and
// is never asked for again while the address stays. It is a change of the
// product, with its event, if it moves the position. While the geocoder fails,
// nothing is lost: the locator comes back to where it was.
func (s *Service) Locate(ctx context.Context, g port.Geocoder, o LocateOptions) error {
	name := make([]byte, 8)
	if _, err := io.ReadFull(s.ports.Rand, name); err != nil {
		return err
	}
	l := &locator{Service: s, LocateOptions: o, geocoder: g, name: hex.EncodeToString(name), strikes: map[productKey]strike{}}
	return l.run(ctx)
}

// Unlocated counts what the locator has yet to look at, over all sites: events,
// and sites whose products it goes through first.
func (s *Service) Unlocated(ctx context.Context) (events int64, sites int, err error) {
	err = s.ports.Store.View(ctx, func(tx port.Tx) error {
		events, sites, err = tx.Followers().Behind(locating)
		return err
	})
	return events, sites, err
}

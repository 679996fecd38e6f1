// Package background does what a Site API does besides answering: it delivers to
// webhooks, looks up addresses, follows the clock, keeps requests and removes what
// has expired.
package background

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vitrine-crm/vitrine/core/engine/deliver"
	"github.com/vitrine-crm/vitrine/core/engine/locate"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/usecase/portals"
	"github.com/vitrine-crm/vitrine/core/usecase/requests"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

// Options say what is done. What is left out is not done here: any number of
// processes may each do a part of it, or all of it.
type Options struct {
	// Sender delivers to webhooks as Deliver says; without a Policy, as
	// deliver.DefaultOptions does. Its Tick and Gather are set here; without an Observer
	// what becomes of deliveries is logged.
	Sender  port.Sender
	Deliver deliver.Options
	// Geocoder looks up addresses as Locate says; without a Batch, as
	// locate.DefaultOptions does. Its Tick is set here; without an Observer what goes
	// wrong is logged.
	Geocoder port.Geocoder
	Locate   locate.Options
	// Files opens the files of imports that operators start in this process.
	Files transfer.ImportFiles
	// Sources looks for the files of import sources, and SourceEnded is told how each look ended.
	Sources     transfer.SourceFiles
	SourceEnded func(outcome string)
	// Portals makes the files of publication targets, and PortalEnded is told how each look ended.
	Portals     portals.Outbox
	PortalEnded func(outcome string)
	// Alerts reports that this process tells operators of what stands, and Console where the console is,
	// for links; empty for none.
	Alerts  bool
	Console string
	// Warm loads the search indexes of the largest sites, one at a time, until nine tenths
	// of the memory for them are used. Warmed is told of each, if it is not nil.
	Warm   bool
	Warmed func()
	// Copiers is how many pictures' smaller copies are made at a time.
	Copiers int
	// Sweep is how old content must be that belongs to no picture to be removed: at
	// least an hour. Zero leaves it.
	Sweep time.Duration
	// Retention is how long what is over is kept; the zero value is
	// kernel.DefaultRetention.
	Retention kernel.Retention
	// Requests is how long requests are kept, where the service keeps them.
	Requests requests.Retention
	// Logger gets what goes wrong, and what was removed; nil is slog.Default.
	Logger *slog.Logger
}

// Run does all that the options say until ctx ends. Then it finishes what is under way
// and gives its leases back. Flush stores the rest, when nothing is answered any more.
func Run(ctx context.Context, service *siteapi.Service, o Options) error {
	w := newWork(service, o)
	group, running := errgroup.WithContext(ctx)
	for _, part := range w.parts() {
		group.Go(func() error { return part(running) })
	}
	return group.Wait()
}

// Flush stores what is kept in memory for a while: when credentials and keys were last
// used, and the last requests. What goes wrong is logged.
func Flush(ctx context.Context, service *siteapi.Service, log *slog.Logger) {
	if err := service.Tokens.StoreUses(ctx); err != nil {
		log.Error(unstoredUses, "error", err)
	}
	if err := service.Requests.Flush(ctx); err != nil {
		log.Error("keeping the last requests", "error", err)
	}
}

// work is what is done for a service.
type work struct {
	Options
	service *siteapi.Service
	log     *slog.Logger
}

func newWork(service *siteapi.Service, o Options) *work {
	if o.Retention == (kernel.Retention{}) {
		o.Retention = kernel.DefaultRetention()
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return &work{Options: o, service: service, log: o.Logger}
}

// parts returns what is done side by side. Each returns when its context has ended.
func (w *work) parts() []func(context.Context) error {
	parts := []func(context.Context) error{
		w.every(housekeeping, w.keepHouse), w.every(storingUses, w.storeUses), w.followClock("transactions", w.service.Deals.FollowClock),
		w.followClock("agenda", w.service.Agenda.FollowClock),
	}
	if w.service.Requests.Kept() {
		parts = append(parts, w.recordRequests, w.forgetCustomers, w.every(housekeeping, w.sweepRequests))
	}
	if w.Sender != nil {
		parts = append(parts, w.deliver)
	}
	if w.Geocoder != nil {
		parts = append(parts, w.locate)
	}
	if w.Files != nil {
		parts = append(parts, w.carryOutImports)
	}
	if w.Sources != nil {
		parts = append(parts, w.lookAtSources)
	}
	if w.Portals != nil {
		parts = append(parts, w.handOver)
	}
	if w.Alerts {
		parts = append(parts, w.tellOperators)
	}
	if w.Warm {
		parts = append(parts, w.warm)
	}
	if w.Sweep > 0 {
		parts = append(parts, w.every(sweeping, w.sweepContent))
	}
	for range w.Copiers {
		parts = append(parts, w.makeCopies)
	}
	return parts
}

// every does something again and again, the first time after a pause as long as those
// between two times.
func (w *work) every(pause time.Duration, do func(context.Context)) func(context.Context) error {
	return func(ctx context.Context) error {
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(pause):
			}
			do(ctx)
		}
	}
}

// failed reports whether something went wrong, other than that ctx has ended.
func failed(ctx context.Context, err error) bool { return err != nil && ctx.Err() == nil }

package main

import (
	"context"
	"net"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vitrine-crm/vitrine/adapters/sender"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi"
)

// serverMode is the argument that makes this program a server.
const serverMode = "server-process"

// sabotaged are the options of such a server: those of the product, what is
// wrong with it, and who resolves names for it.
type sabotaged struct {
	config.Server
	Sabotage string
	// StalledRequests makes the request log stall.
	StalledRequests bool
	Resolver        string
	// Clock is a file that says how far off the clock is.
	Clock string
}

// serveSabotaged serves as the product does, with the product's parts, except
// for one.
func serveSabotaged(ctx context.Context, args []string) error {
	var o sabotaged
	if err := rig.Parse(args, &o); err != nil {
		return err
	}
	log := wire.Logger(o.Logging, os.Stderr)
	store, err := wire.ReadyStore(ctx, o.Database, o.Secrets, log)
	if err != nil {
		return err
	}
	defer store.Close()
	o.NoDispatch = true // dispatch does it
	server, err := wire.NewServerOver(ctx, o.Server, store, func(p *kernel.Ports) { o.tamper(ctx, p) }, log)
	if err != nil {
		return err
	}
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error { return o.dispatch(running, server.Service) })
	group.Go(func() error { return server.Run(running) })
	return group.Wait()
}

// tamper puts what is wrong before the ports.
func (o sabotaged) tamper(ctx context.Context, p *kernel.Ports) {
	p.Store = tamper(p.Store, o.Sabotage)
	if o.Sabotage == cancelsCommits {
		p.Store = cancelling{p.Store, o.Database.Database}
	}
	if o.Clock != "" {
		p.Now = clockOf(ctx, o.Clock)
	}
	if o.StalledRequests {
		stallLog(p, o.Sabotage)
	}
}

func (o sabotaged) dispatch(ctx context.Context, service *siteapi.Service) error {
	allowance, err := o.Hooks.Allowance()
	if err != nil {
		return err
	}
	options := sender.Options{Timeout: o.Hooks.Timeout, Allowance: allowance, BreakerTimeout: o.Hooks.RetryDelays[0] / 2}
	if o.Resolver != "" {
		options.Resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "udp", o.Resolver)
		}}
	}
	if o.Sabotage == noBreakers {
		options.BreakerTimeout = -1
	}
	var send port.Sender = sender.New(options)
	if o.Sabotage == markBeforeSend {
		send = eager{send}
	}
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	delivery := o.Hooks.Delivery()
	delivery.Tick = ticker.C
	switch o.Sabotage {
	case onePlace:
		delivery.Webhooks = 1
	case hoards:
		delivery.PerWebhook = 100
	}
	return service.Deliver.Run(ctx, send, delivery)
}

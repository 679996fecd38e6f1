package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/alecthomas/kong"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"golang.org/x/sync/errgroup"

	"github.com/vitrine-crm/vitrine/adapters/httpapi"
	"github.com/vitrine-crm/vitrine/adapters/sender"
	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
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
	Resolver string
}

// serveSabotaged serves as the product does, with the product's parts, except
// for one.
func serveSabotaged(ctx context.Context, args []string) error {
	var o sabotaged
	parser, err := kong.New(&o, kong.Vars{"database": "", "geocoder": "none"})
	if err != nil {
		return err
	}
	if _, err := parser.Parse(args); err != nil {
		return err
	}
	log := wire.Logger(o.Logging, os.Stderr)
	store, err := wire.ReadyStore(ctx, o.Database, o.Secrets, log)
	if err != nil {
		return err
	}
	defer store.Close()
	allowance, err := o.Hooks.Allowance()
	if err != nil {
		return err
	}
	settings, err := wire.Options(ctx, store, o.Secrets, siteapi.Options{Domain: "http://" + o.Listen, Hooks: allowance})
	if err != nil {
		return err
	}
	service, err := siteapi.New(wire.Ports(tamper(store, o.Sabotage)), settings)
	if err != nil {
		return err
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(collectors.NewGoCollector())
	api, err := wire.Handler(service, o.Server, metrics, log)
	if err != nil {
		return err
	}
	pages := http.NewServeMux()
	admin := httpapi.Admin(httpapi.NewReadiness(store.Ping), metrics)
	pages.Handle("/readyz", admin)
	pages.Handle("/metrics", admin)
	pages.Handle("/", api)
	server := &http.Server{Addr: o.Listen, Handler: pages, ReadHeaderTimeout: 5 * time.Second}
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error { return o.dispatch(running, service) })
	group.Go(func() error {
		if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	group.Go(func() error {
		<-running.Done()
		return server.Close()
	})
	return group.Wait()
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
	if o.Sabotage == onePlace {
		delivery.Webhooks = 1
	}
	return service.Dispatch(ctx, send, delivery)
}

package main

import (
	"context"
	"errors"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/alecthomas/kong"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/apps/internal/config"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/site"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// commits is a store that notes when deliveries about a resource were committed.
type commits struct {
	port.Store
	mu sync.Mutex
	at map[int64]time.Time
}

// Update implements port.Store.
func (c *commits) Update(ctx context.Context, unit func(port.Tx) error) error {
	var added []webhook.Delivery
	err := c.Store.Update(ctx, func(tx port.Tx) error {
		added = nil
		return unit(noting{tx, &added})
	})
	if len(added) > 0 {
		now := time.Now()
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, d := range added {
			c.at[d.Resource] = now
		}
	}
	return err
}

func (c *commits) of(resource int64) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at[resource]
}

// noting writes down what is added to the outbox.
type noting struct {
	port.Tx
	added *[]webhook.Delivery
}

func (n noting) Deliveries() port.Deliveries { return notingOutbox{n.Tx.Deliveries(), n.added} }

type notingOutbox struct {
	port.Deliveries
	added *[]webhook.Delivery
}

func (n notingOutbox) Add(added []webhook.Delivery) error {
	*n.added = append(*n.added, added...)
	return n.Deliveries.Add(added)
}

// deliverer is a server whose dispatcher runs when it is told to, and that knows
// when events were committed. It is made of the same parts as the one that
// `vitrine serve` runs.
type deliverer struct {
	*stack
	*commits
	dispatcher *wire.Dispatcher
}

func (b *bench) deliverer(ctx context.Context, w *world) (*deliverer, error) {
	var c config.Server
	parser, err := kong.New(&c, kong.Vars{"database": w.database(), "geocoder": "none"})
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse([]string{"--rate-limit=0", "--hooks-allow=127.0.0.0/8:*", "--hooks-allow-http", "--secret-key=" + secrets.SecretKey}); err != nil {
		return nil, err
	}
	allowance, err := c.Hooks.Allowance()
	if err != nil {
		return nil, err
	}
	settings, err := wire.Options(ctx, w.store, c.Secrets, siteapi.Options{Domain: "http://localhost", Hooks: allowance})
	if err != nil {
		return nil, err
	}
	over := &commits{Store: w.store, at: map[int64]time.Time{}}
	service, err := siteapi.New(wire.Ports(over), settings)
	if err != nil {
		return nil, err
	}
	metrics := prometheus.NewRegistry()
	api, err := wire.Handler(service, c, metrics, discarded())
	if err != nil {
		return nil, err
	}
	dispatcher, err := wire.NewDispatcher(service, c.Hooks, metrics, discarded())
	if err != nil {
		return nil, err
	}
	server := httptest.NewServer(api)
	b.servers.Go(func() error {
		<-b.serving.Done()
		server.Close()
		return nil
	})
	return &deliverer{&stack{domain: server.URL, tokens: map[site.ID]string{}}, over, dispatcher}, nil
}

// dispatching runs the dispatcher while something is done.
func (d *deliverer) dispatching(ctx context.Context, do func() error) error {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- d.dispatcher.Run(ctx) }()
	err := do()
	stop()
	return errors.Join(err, <-ended)
}

package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
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
		return unit(port.Tx{Roles: noting{tx.Roles, &added}})
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
	port.Roles
	added *[]webhook.Delivery
}

func (n noting) Deliveries() port.Deliveries { return notingOutbox{n.Roles.Deliveries(), n.added} }

type notingOutbox struct {
	port.Deliveries
	added *[]webhook.Delivery
}

func (n notingOutbox) Add(added []webhook.Delivery) error {
	*n.added = append(*n.added, added...)
	return n.Deliveries.Add(added)
}

// deliverer is a server whose dispatcher runs when it is told to, and that knows
// when events were committed.
type deliverer struct {
	*stack
	*commits
	dispatcher *wire.Dispatcher
	// since are the last events of the sites before those that are delivered.
	since []int64
}

func (b *bench) deliverer(ctx context.Context, w *world) (*deliverer, error) {
	over := &commits{Store: w.store, at: map[int64]time.Time{}}
	s, err := b.listen(ctx, w, func(p *kernel.Ports) { p.Store = over }, "--no-dispatch")
	if err != nil {
		return nil, err
	}
	dispatcher, err := wire.NewDispatcher(s.Service, s.hooks, prometheus.NewRegistry(), discarded())
	return &deliverer{stack: s, commits: over, dispatcher: dispatcher}, err
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

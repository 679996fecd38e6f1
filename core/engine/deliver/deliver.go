package deliver

import (
	"context"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Service delivers events to webhooks.
type Service struct{ k *kernel.Kernel }

// New makes the engine on a kernel.
func New(k *kernel.Kernel) *Service { return &Service{k} }

// Options say how deliveries are made.
type Options struct {
	Policy webhook.Policy
	// Lease is how long a process may go without a sign of life before others
	// take over its webhooks.
	Lease time.Duration
	// Tick makes the dispatcher look for due deliveries that nobody announced:
	// retries, and those of other processes. A few times a second is often
	// enough.
	Tick <-chan time.Time
	// Webhooks is how many webhooks are served at a time, PerWebhook how many
	// attempts of one webhook are under way at a time, Batch how many of its
	// pending deliveries are looked at in one go.
	Webhooks, PerWebhook, Batch int
	// Unsettled is how many attempts of one webhook may be open, which is under way
	// or not stored yet, while many webhooks are served, or in a long backlog;
	// otherwise it is PerWebhook. The more are stored together, the less work each is; and the more a process
	// that dies has made and will make again.
	Unsettled int
	// Gather, when not nil, says until when a result waits for others, so that they
	// are stored together; a few milliseconds make much less work. It does not when
	// few are under way.
	Gather func() <-chan time.Time
	// Agent is the User-Agent of deliveries: a product, and its version if it has one.
	Agent string
	// Observe is called with every attempt and suspension; it may be nil.
	Observe Observer
}

// Observer follows the deliveries, for metrics and logs. It must be quick and
// safe for concurrent use.
type Observer interface {
	Attempted(webhook.Delivery, webhook.Answer)
	Suspended(webhook.Webhook, webhook.Delivery)
	Trouble(error)
}

// nobody observes nothing.
type nobody struct{}

func (nobody) Attempted(webhook.Delivery, webhook.Answer)  {}
func (nobody) Suspended(webhook.Webhook, webhook.Delivery) {}
func (nobody) Trouble(error)                               {}

// DefaultOptions are good choices for every field but Tick.
func DefaultOptions() Options {
	return Options{
		Policy: webhook.DefaultPolicy(), Lease: 30 * time.Second,
		Webhooks: 64, PerWebhook: 4, Batch: 1000, Unsettled: 32, Agent: "Vitrine",
	}
}

// Run delivers what is due, until ctx ends. Then it begins no more attempts,
// waits for those under way, which takes as long as sender allows an attempt, and
// gives its leases back. Any number of processes may run from one store: a
// webhook is served by one of them at a time.
func (s *Service) Run(ctx context.Context, sender port.Sender, o Options) error {
	name, err := s.k.ProcessName()
	if err != nil {
		return err
	}
	if o.Gather == nil {
		o.Gather = atOnce
	}
	if o.Observe == nil {
		o.Observe = nobody{}
	}
	d := &dispatcher{
		k: s.k, Options: o, sender: sender, name: name, batches: make(chan batch), gathering: make(chan struct{}, 1),
		slots: make(chan struct{}, o.Webhooks), serving: map[webhook.Key]*worker{},
	}
	return d.run(ctx)
}

// atOnce has a result wait for no others.
func atOnce() <-chan time.Time {
	now := make(chan time.Time)
	close(now)
	return now
}

// Backlog is what waits to be delivered.
type Backlog struct {
	// Deliveries counts those that are due, up to MaxBacklog.
	Deliveries int
	// Webhooks counts those that are due and that nobody serves yet; Wait is how
	// long the longest waiting of them has been due.
	Webhooks int
	Wait     time.Duration
}

// MaxBacklog is where Backlog stops counting deliveries.
const MaxBacklog = 10_000

// Backlog returns what waits to be delivered.
func (s *Service) Backlog(ctx context.Context) (b Backlog, err error) {
	err = s.k.Store.View(ctx, func(tx port.Tx) error {
		now := s.k.Moment()
		var oldest time.Time
		if b.Webhooks, oldest, err = tx.Webhooks().Due(now); b.Webhooks > 0 {
			b.Wait = now.Sub(oldest)
		}
		if err != nil {
			return err
		}
		b.Deliveries, err = tx.Deliveries().Due(now, MaxBacklog)
		return err
	})
	return b, err
}

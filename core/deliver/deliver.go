package deliver

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"github.com/vitrine-crm/vitrine/core/api"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// Service delivers events to webhooks.
type Service struct{ k *api.Kernel }

// New makes the service on a kernel.
func New(k *api.Kernel) *Service { return &Service{k} }

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
	// Unsettled is how many attempts of one webhook are stored in one go, and how
	// many more may wait for it, at most. The more, the less work each is; and
	// the more a process that dies has made and will make again.
	Unsettled int
	// Gather, when not nil, says until when a result waits for others, so that they
	// are stored together; a few milliseconds make much less work. The last one
	// under way waits for nothing.
	Gather func() <-chan time.Time
	// Agent is the User-Agent of deliveries.
	Agent string
	// Observe is told of every attempt and suspension; nil is nobody.
	Observe Observer
}

// Observer follows the deliveries, for metrics and logs. It must be quick and
// safe for concurrent use.
type Observer interface {
	Attempted(webhook.Delivery, webhook.Answer)
	Suspended(webhook.Webhook, webhook.Delivery)
	Trouble(error)
}

// DefaultOptions are good choices for every field but Tick.
func DefaultOptions() Options {
	return Options{
		Policy: webhook.DefaultPolicy(), Lease: 30 * time.Second,
		Webhooks: 64, PerWebhook: 4, Batch: 1000, Unsettled: 32, Agent: "Vitrine/" + api.ContractVersion,
	}
}

// Dispatch delivers what is due, until ctx ends. Then it begins no more
// attempts, waits for those under way, which takes as long as send allows an
// attempt, and gives its turns back. Any number of processes may dispatch from
// one store: a webhook is served by one of them at a time.
func (s *Service) Run(ctx context.Context, send port.Sender, o Options) error {
	d := &dispatcher{
		Kernel: s.k, send: send, Options: o, places: make(chan struct{}, o.Webhooks), serving: map[webhook.Key]*shift{},
	}
	name := make([]byte, 8)
	if _, err := io.ReadFull(s.k.Rand, name); err != nil {
		return err
	}
	d.name = hex.EncodeToString(name)
	d.clerk = &clerk{d, make(chan tally)}
	return d.run(ctx)
}

// dispatcher hands webhooks with due deliveries to goroutines that serve them.
type dispatcher struct {
	*api.Kernel
	Options
	send port.Sender
	// name tells processes apart, rounds the turns of this one: a turn that was
	// lost is not mistaken for a later one.
	name   string
	rounds int
	places chan struct{}
	work   sync.WaitGroup
	clerk  *clerk

	mu      sync.Mutex
	serving map[webhook.Key]*shift
}

func (d *dispatcher) run(ctx context.Context) error {
	var office sync.WaitGroup
	office.Go(d.clerk.run)
	defer office.Wait()
	defer close(d.clerk.tallies)
	defer d.work.Wait()
	for wanted := true; ; {
		if wanted {
			if err := d.round(ctx); err != nil {
				d.trouble(err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-d.Deliveries.Wakeup:
			wanted = d.pass(d.Deliveries.Take())
		case <-d.Tick:
			d.lookAround()
			wanted = true
		}
	}
}

// round takes turns as long as there are any and places to serve them.
func (d *dispatcher) round(ctx context.Context) error {
	for ctx.Err() == nil {
		free := cap(d.places) - len(d.places)
		if free == 0 {
			return nil // whoever finishes wakes us
		}
		shifts, err := d.take(ctx, free)
		if err != nil {
			return err
		}
		for _, s := range shifts {
			d.begin(ctx, s)
		}
		if len(shifts) < free {
			return nil
		}
	}
	return nil
}

// errAhead is what goes wrong while looking ahead.
var errAhead = errors.New("looking for what to send")

// take takes turns. If it is a single one, which is what an event makes in quiet
// times, the same unit of work looks what to send.
func (d *dispatcher) take(ctx context.Context, free int) ([]*shift, error) {
	shifts, err := d.takeTurns(ctx, free, true)
	if errors.Is(err, errAhead) {
		// Whoever serves the webhook will meet the fault, and nobody else.
		return d.takeTurns(ctx, free, false)
	}
	return shifts, err
}

func (d *dispatcher) takeTurns(ctx context.Context, free int, ahead bool) (shifts []*shift, err error) {
	d.rounds++
	holder := d.name + "-" + strconv.Itoa(d.rounds)
	err = d.record(ctx, d.Lease, func(tx port.Tx) error {
		now := d.Moment()
		turns, err := tx.Turns().Take(holder, now, now.Add(d.Lease), free)
		if err != nil {
			return err
		}
		shifts = nil
		for _, turn := range turns {
			shifts = append(shifts, newShift(d, turn))
		}
		if ahead && len(shifts) == 1 {
			if err := shifts[0].lookAhead(tx); err != nil {
				return fmt.Errorf("%w: %w", errAhead, err)
			}
		}
		return nil
	})
	return shifts, err
}

// begin serves a webhook in a goroutine of its own.
func (d *dispatcher) begin(ctx context.Context, s *shift) {
	whose := s.turn.Key()
	d.mu.Lock()
	d.serving[whose] = s
	d.mu.Unlock()
	d.places <- struct{}{}
	d.work.Go(func() {
		err := s.serve(ctx)
		if err != nil {
			d.trouble(err)
		}
		waiting := d.crowded() || s.unfinished || err != nil
		d.mu.Lock()
		if d.serving[whose] == s {
			delete(d.serving, whose)
		}
		waiting = waiting || len(s.more) > 0 // it was told too late
		d.mu.Unlock()
		<-d.places
		if waiting {
			d.Deliveries.AnnounceAny()
		}
	})
}

// pass tells those who serve webhooks that these have more to deliver, and
// reports whether there are others.
func (d *dispatcher) pass(told []webhook.Key, all bool) (others bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, whose := range told {
		if s := d.serving[whose]; s != nil {
			s.more.Wake()
		} else {
			others = true
		}
	}
	return others || all
}

// lookAround has everybody look for what other processes added.
func (d *dispatcher) lookAround() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.serving {
		if d.Moment().UnixNano()-s.looked.Load() > int64(freshness) {
			s.more.Wake()
		}
	}
}

// crowded reports whether webhooks may be waiting for a place.
func (d *dispatcher) crowded() bool { return len(d.places) == cap(d.places) }

// record runs a unit of work to its end, within a limit, even when ctx ends:
// nobody else knows about a turn that was taken, or an attempt that was made.
func (d *dispatcher) record(ctx context.Context, limit time.Duration, unit func(port.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	return d.Store.Update(ctx, unit)
}

func (d *dispatcher) trouble(err error) {
	if d.Observe != nil {
		d.Observe.Trouble(err)
	}
}

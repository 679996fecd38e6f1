package siteapi

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// DeliveryOptions say how deliveries are made.
type DeliveryOptions struct {
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
	// deliveries are looked at in one go.
	Webhooks, PerWebhook, Batch int
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

// DefaultDeliveryOptions are good choices for every field but Tick.
func DefaultDeliveryOptions() DeliveryOptions {
	return DeliveryOptions{
		Policy: webhook.DefaultPolicy(), Lease: 30 * time.Second,
		Webhooks: 64, PerWebhook: 4, Batch: 1000, Agent: "Vitrine/" + ContractVersion,
	}
}

// wake tells the dispatcher of this process, if there is one, that something is
// due.
func (s *Service) wake() { ring(s.due) }

// ring wakes who waits for the bell; who rings twice wakes once.
func ring(bell chan<- struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// Dispatch delivers what is due, until ctx ends. Then it begins no more
// attempts, waits for those under way, which takes as long as send allows an
// attempt, and gives its turns back. Any number of processes may dispatch from
// one store: a webhook is served by one of them at a time.
func (s *Service) Dispatch(ctx context.Context, send port.Sender, o DeliveryOptions) error {
	d := &dispatcher{Service: s, send: send, DeliveryOptions: o, places: make(chan struct{}, o.Webhooks)}
	name := make([]byte, 8)
	if _, err := io.ReadFull(s.ports.Rand, name); err != nil {
		return err
	}
	d.name = hex.EncodeToString(name)
	return d.run(ctx)
}

// dispatcher hands webhooks with due deliveries to goroutines that serve them.
type dispatcher struct {
	*Service
	DeliveryOptions
	send port.Sender
	// name tells processes apart, rounds the turns of this one: a turn that was
	// lost is not mistaken for a later one.
	name   string
	rounds int
	places chan struct{}
	work   sync.WaitGroup
}

func (d *dispatcher) run(ctx context.Context) error {
	defer d.work.Wait()
	for {
		if err := d.round(ctx); err != nil {
			d.trouble(err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-d.due:
		case <-d.Tick:
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
		d.rounds++
		holder := d.name + "-" + strconv.Itoa(d.rounds)
		var turns []webhook.Turn
		err := d.record(ctx, func(tx port.Tx) (err error) {
			now := d.now()
			turns, err = tx.Turns().Take(holder, now, now.Add(d.Lease), free)
			return err
		})
		if err != nil || len(turns) == 0 {
			return err
		}
		for _, turn := range turns {
			d.places <- struct{}{}
			d.work.Go(func() {
				defer func() {
					<-d.places
					d.wake()
				}()
				if err := d.serve(ctx, turn); err != nil {
					d.trouble(err)
				}
			})
		}
	}
	return nil
}

// record runs a unit of work to its end even when ctx ends: nobody else knows
// about a turn that was taken, or an attempt that was made.
func (d *dispatcher) record(ctx context.Context, unit func(port.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.Lease)
	defer cancel()
	return d.ports.Store.Update(ctx, unit)
}

func (d *dispatcher) trouble(err error) {
	if d.Observe != nil {
		d.Observe.Trouble(err)
	}
}

// load is what serving a webhook for one turn needs.
type load struct {
	composition webhook.Composition
	pending     []webhook.Delivery
	// superseded are updates that later ones in pending take the place of.
	superseded []webhook.Delivery
	// idle is why the webhook receives nothing: what is pending slipped in while
	// it was being suspended or deleted. Empty for one that is active.
	idle string
}

// serve sends what is due of one webhook, then gives the turn up. A turn that
// ends with ctx is given up all the same, so that others go on at once.
func (d *dispatcher) serve(ctx context.Context, turn webhook.Turn) error {
	var l load
	err := d.ports.Store.View(ctx, func(tx port.Tx) (err error) {
		l, err = d.load(tx, turn)
		return err
	})
	switch {
	case ctx.Err() != nil:
		err = nil
	case err != nil:
		return err // the turn runs out by itself, which leaves time to mend things
	case l.idle == "":
		err = d.deliver(ctx, turn, l)
	}
	return errors.Join(err, d.record(ctx, func(tx port.Tx) error {
		held, err := tx.Turns().Hold(turn)
		if err != nil || !held {
			return err
		}
		if l.idle != "" {
			if err := tx.Deliveries().Cancel(turn.Site, turn.Hook, l.idle); err != nil {
				return err
			}
		}
		return tx.Turns().Release(turn)
	}))
}

func (d *dispatcher) load(tx port.Tx, turn webhook.Turn) (l load, err error) {
	w, err := tx.Webhooks().Get(turn.Site, turn.Hook)
	if errors.Is(err, fault.NotFound) {
		return load{idle: "the webhook was deleted"}, nil
	}
	if err != nil || w.State == webhook.Suspended {
		return load{idle: "the webhook is suspended"}, err
	}
	l.composition = webhook.Composition{Webhook: w, Base: d.url(""), Agent: d.Agent}
	if w.Auth != 0 {
		auth, err := tx.WebhookAuths().Get(w.Site, w.Auth)
		if err != nil {
			return l, err
		}
		l.composition.Auth = &auth
	}
	if l.composition.Signing, err = tx.Signings().Get(w.Site, w.ID); err != nil {
		return l, err
	}
	if l.pending, err = tx.Deliveries().Pending(w.Site, w.ID, d.Batch); err == nil && w.Coalesce > 0 {
		l.pending, l.superseded = webhook.Coalesce(l.pending, d.now())
	}
	return l, err
}

// result is an attempt that was made, or deferred.
type result struct {
	delivery webhook.Delivery
	answer   webhook.Answer
	at       time.Time
	url      string
	outcome  webhook.Outcome
}

// deliver sends the lanes of a webhook side by side and settles what comes back
// in small batches. Once an attempt has suspended the webhook, or the turn is
// lost, the others are broken off. When ctx ends they are not: a receiver that
// took one in would get it again.
func (d *dispatcher) deliver(ctx context.Context, turn webhook.Turn, l load) error {
	if current, err := d.supersede(ctx, turn, l); err != nil || !current {
		return err
	}
	lanes := webhook.Lanes(l.pending, d.now())
	if len(lanes) == 0 {
		return nil
	}
	attempts, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	waiting := make(chan webhook.Lane)
	results := make(chan result)
	var senders sync.WaitGroup
	for range min(d.PerWebhook, len(lanes)) {
		senders.Go(func() {
			for lane := range waiting {
				d.sendLane(ctx, attempts, l.composition, lane, results)
			}
		})
	}
	go func() {
		defer close(results)
		for _, lane := range lanes {
			select {
			case waiting <- lane:
			case <-ctx.Done():
			case <-attempts.Done():
			}
		}
		close(waiting)
		senders.Wait()
	}()
	return d.settleAll(ctx, stop, turn, results)
}

// supersede ends the updates that later ones take the place of, before these are
// sent. It reports whether that may go on: not when the webhook was changed
// meanwhile, or is in somebody else's turn.
func (d *dispatcher) supersede(ctx context.Context, turn webhook.Turn, l load) (current bool, err error) {
	if len(l.superseded) == 0 {
		return true, nil
	}
	err = d.record(ctx, func(tx port.Tx) error {
		current = false
		w, err := tx.Webhooks().Get(turn.Site, turn.Hook)
		if err != nil {
			return absentIs(err, nil)
		}
		held, err := tx.Turns().Hold(turn)
		if err != nil || !held || w.Epoch != l.composition.Webhook.Epoch {
			return err
		}
		current = true
		for _, superseded := range l.superseded {
			if err := tx.Deliveries().Settle(superseded, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return current && err == nil, err
}

// sendLane sends deliveries of one resource in order, up to the first that does
// not get through: the others wait for it. It begins none after ctx has ended,
// and breaks off the one under way when attempts ends.
func (d *dispatcher) sendLane(ctx, attempts context.Context, c webhook.Composition, lane webhook.Lane, results chan<- result) {
	for _, delivery := range lane {
		if ctx.Err() != nil || attempts.Err() != nil {
			return
		}
		now := d.now()
		request, err := c.Request(delivery, now)
		r := result{delivery: delivery, at: now, url: c.Webhook.URL}
		if err != nil {
			r.answer = webhook.Answer{Verdict: webhook.Failure, Reason: "the request could not be signed"}
		} else {
			r.answer = d.send.Send(attempts, request)
		}
		if attempts.Err() != nil && r.answer.Status == 0 {
			return // we gave up, not the receiver
		}
		r.outcome = webhook.Outcome{
			Verdict: r.answer.Verdict, Epoch: c.Webhook.Epoch, Reason: storable(r.answer.Reason),
			RetryAfter: r.answer.RetryAfter, Jitter: d.chance(),
		}
		if d.Observe != nil {
			d.Observe.Attempted(delivery, r.answer)
		}
		results <- r
		if r.answer.Verdict == webhook.Failure || r.answer.Verdict == webhook.Deferred {
			return
		}
	}
}

// chance is between -1 and 1.
func (d *dispatcher) chance() float64 {
	var raw [4]byte
	if _, err := io.ReadFull(d.ports.Rand, raw[:]); err != nil {
		return 0
	}
	return float64(binary.BigEndian.Uint32(raw[:]))/(1<<31) - 1
}

// settleAll stores results as they come, as many at once as have come by then.
func (d *dispatcher) settleAll(ctx context.Context, stop func(), turn webhook.Turn, results <-chan result) error {
	var failed error
	over := false
	for first := range results {
		batch := []result{first}
		for more := true; more && len(batch) < d.Batch; {
			select {
			case r, open := <-results:
				if more = open; open {
					batch = append(batch, r)
				}
			default:
				more = false
			}
		}
		if over {
			continue // drain; what is not settled is sent again
		}
		goOn, err := d.settle(ctx, turn, batch)
		if err != nil || !goOn {
			failed, over = err, true
			stop()
		}
	}
	return failed
}

// settle stores what became of some deliveries in one unit of work, and reports
// whether the webhook may be served on: not when it is suspended, was changed,
// or is in somebody else's turn.
func (d *dispatcher) settle(ctx context.Context, turn webhook.Turn, batch []result) (goOn bool, err error) {
	var suspended *webhook.Webhook
	var by webhook.Delivery
	err = d.record(ctx, func(tx port.Tx) error {
		goOn, suspended = false, nil
		w, err := tx.Webhooks().Get(turn.Site, turn.Hook)
		if err != nil {
			return absentIs(err, nil)
		}
		marked, err := prepareMarks(tx, w, batch)
		if err != nil {
			return err
		}
		held, err := tx.Turns().Hold(turn)
		if err != nil || !held {
			return err
		}
		before := w
		for _, r := range batch {
			if w, err = d.settleOne(tx, w, r, marked); err != nil {
				return err
			}
			if w.State == webhook.Suspended && before.State == webhook.Active && suspended == nil {
				by, suspended = r.delivery, &w
			}
		}
		if suspended != nil {
			if err := d.logSuspension(tx, w); err != nil {
				return err
			}
		}
		goOn = w.State == webhook.Active && w.Epoch == batch[0].outcome.Epoch
		if err := tx.Webhooks().Put(w); err != nil {
			return err
		}
		return tx.Turns().Extend(turn, d.now().Add(d.Lease))
	})
	if err == nil && suspended != nil && d.Observe != nil {
		d.Observe.Suspended(*suspended, by)
	}
	return goOn, err
}

// storable is what a receiver said, as far as stores can keep it.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// settleOne lets the state machine judge one result and stores its judgement.
func (d *dispatcher) settleOne(tx port.Tx, w webhook.Webhook, r result, marked marking) (webhook.Webhook, error) {
	delivery, err := tx.Deliveries().Get(r.delivery.Site, r.delivery.Hook, r.delivery.ID)
	if err != nil {
		return w, absentIs(err, nil)
	}
	if delivery.Number != r.delivery.Number {
		return w, nil // somebody who took the turn over has settled this attempt
	}
	now := d.now()
	w, after := d.Policy.Settle(w, delivery, r.outcome, now)
	var attempt *webhook.Attempt
	if r.outcome.Verdict != webhook.Deferred {
		attempt = &webhook.Attempt{
			Number: delivery.Number + 1, At: r.at, URL: r.url, Status: r.answer.Status, Duration: r.answer.Duration, Excerpt: storable(r.answer.Excerpt),
		}
		if r.outcome.Verdict == webhook.Failure {
			attempt.Error = r.outcome.Reason
		}
	}
	if err := tx.Deliveries().Settle(after, attempt); err != nil {
		return w, err
	}
	return w, marked.settle(tx, after, now)
}

// logSuspension writes the entry the contract asks for and ends what was
// pending: a suspended webhook receives nothing.
func (d *dispatcher) logSuspension(tx port.Tx, w webhook.Webhook) error {
	if err := tx.Deliveries().Cancel(w.Site, w.ID, "the webhook was suspended"); err != nil {
		return err
	}
	return tx.Log().Append(port.LogEntry{
		Site: w.Site, At: w.SuspendedAt, Kind: "hook_suspended", Hook: w.ID,
		Message: "the last retry of a delivery failed: " + w.SuspendedReason,
	})
}

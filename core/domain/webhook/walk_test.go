package webhook_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// machine is the state machine under test, taken apart so that mutants_test.go can
// replace a part with one that is wrong.
type machine struct {
	settle func(webhook.Policy, webhook.Webhook, webhook.Delivery, webhook.Outcome, time.Time) (webhook.Webhook, webhook.Delivery)
	update func(webhook.Webhook, time.Time) webhook.Webhook
	cancel func(webhook.Delivery, string) webhook.Delivery
	lanes  func([]webhook.Delivery, time.Time) []webhook.Lane
	// coalesce sorts out what a webhook that gathers updates need not send.
	coalesce func([]webhook.Delivery, time.Time) (left, superseded []webhook.Delivery)
	// receives reports whether the webhook gets a delivery of a new event.
	receives func(webhook.Webhook) bool
}

func genuine() machine {
	return machine{
		settle:   webhook.Policy.Settle,
		update:   webhook.Webhook.Reconfigured,
		cancel:   webhook.Delivery.Cancel,
		lanes:    webhook.Lanes,
		coalesce: webhook.Coalesce,
		receives: func(w webhook.Webhook) bool { return w.State == webhook.Active },
	}
}

// action is one thing that can happen. Walks are lists of actions, plain data,
// so that a walk can be repeated against mutants.
type action struct {
	Kind     string // rest, emit, attempt, begin, finish, lose, put, tick, due
	Which    int    // the resource, the lane, or the attempt under way
	Verdict  webhook.Verdict
	Jitter   float64
	Ask      time.Duration // Retry-After
	Duration time.Duration
}

func walks() *rapid.Generator[[]action] {
	kinds := []string{
		"rest", // walks are of one length, and become simpler by resting
		"attempt", "attempt", "attempt", "attempt", "attempt", "due", "due", "due", "emit", "emit", "begin", "begin", "finish", "finish",
		"tick", "tick", "lose", "put",
	}
	verdicts := []webhook.Verdict{
		webhook.Failure, webhook.Failure, webhook.Failure, webhook.Failure, webhook.Failure, webhook.Failure,
		webhook.Accepted, webhook.Refused, webhook.Deferred,
	}
	one := rapid.Custom(func(t *rapid.T) action {
		return action{
			Kind:     rapid.SampledFrom(kinds).Draw(t, "kind"),
			Which:    rapid.IntRange(0, 7).Draw(t, "which"),
			Verdict:  rapid.SampledFrom(verdicts).Draw(t, "verdict"),
			Jitter:   rapid.SampledFrom([]float64{-1, -0.3, 0, 0.7, 1}).Draw(t, "jitter"),
			Ask:      rapid.SampledFrom([]time.Duration{0, 0, 0, 0, time.Second, 10 * time.Minute, 3 * time.Hour}).Draw(t, "ask"),
			Duration: rapid.SampledFrom([]time.Duration{time.Second, lease + time.Second, 7 * time.Minute, time.Hour}).Draw(t, "duration"),
		}
	})
	return rapid.SliceOfN(one, 60, 60)
}

// lease is how long a process keeps a delivery to itself; afterwards another
// one takes it, and the result of the first comes late or never.
const lease = 30 * time.Second

// flight is an attempt under way.
type flight struct {
	delivery int
	epoch    int64
}

// world is one webhook with its deliveries, driven the way those who use the
// package drive it, beside the model of what ought to be.
type world struct {
	machine
	now        time.Time
	webhook    webhook.Webhook
	deliveries []webhook.Delivery // in event order
	flights    []flight
	model      model
	tally
}

// tally is what a walk went through, to know that walks reach what matters.
type tally struct{ suspensions, stale, lateFinals, deferrals, reactivations, superseded int }

// run walks through the actions and reports the first thing that is wrong.
func run(m machine, actions []action) (tally, error) {
	w := &world{
		machine: m, now: noon, webhook: active(),
		model: model{epoch: active().Epoch, counted: map[attempted]int{}},
	}
	if len(actions) > 0 && actions[0].Which%2 == 1 {
		w.webhook.Coalesce = 10 * time.Second
	}
	for i, a := range actions {
		err := w.step(a)
		if err == nil {
			err = w.check()
		}
		if err != nil {
			return w.tally, fmt.Errorf("action %d, %s: %w", i, a.Kind, err)
		}
	}
	return w.tally, nil
}

func (w *world) step(a action) error {
	switch a.Kind {
	case "emit":
		w.emit(a)
	case "attempt":
		if begun, err := w.begin(a); err != nil || !begun {
			return err
		}
		return w.finish(len(w.flights)-1, a)
	case "begin":
		_, err := w.begin(a)
		return err
	case "finish":
		if len(w.flights) > 0 {
			return w.finish(a.Which%len(w.flights), a)
		}
	case "lose": // the process died
		if len(w.flights) > 0 {
			at := a.Which % len(w.flights)
			w.flights = slices.Delete(w.flights, at, at+1)
		}
	case "put":
		if w.webhook.State == webhook.Suspended {
			w.reactivations++
		}
		w.webhook = w.update(w.webhook, w.now)
		w.model.put()
	case "tick":
		w.now = w.now.Add(a.Duration)
	case "due": // to the moment the next attempt is due
		next := time.Time{}
		for _, d := range w.pending() {
			if d.Due.After(w.now) && (next.IsZero() || d.Due.Before(next)) {
				next = d.Due
			}
		}
		if !next.IsZero() {
			w.now = next
		}
	}
	return nil
}

func (w *world) emit(a action) {
	if !w.receives(w.webhook) {
		return
	}
	kind := []event.Type{event.ProductUpdate, event.CustomerUpdate, event.ProductDelete}[a.Which%3]
	w.deliveries = append(w.deliveries, webhook.Delivery{
		ID: webhook.DeliveryID(len(w.deliveries)), Event: int64(len(w.deliveries)), Type: kind, Resource: int64(a.Which % 2),
		Epoch: w.webhook.Epoch, Due: w.now.Add(w.webhook.Wait(kind)), At: w.now,
	})
	w.model.deliveries = append(w.model.deliveries, modelDelivery{})
}

func (w *world) pending() []webhook.Delivery {
	var found []webhook.Delivery
	for _, d := range w.deliveries {
		if d.Status == webhook.Pending {
			found = append(found, d)
		}
	}
	return found
}

// begin takes the first delivery of a lane, as a process does that serves the webhook:
// with a lease, which is a later due time.
func (w *world) begin(a action) (bool, error) {
	pending := w.pending()
	if w.webhook.Coalesce > 0 {
		left, superseded := w.coalesce(pending, w.now)
		if err := w.supersede(left, superseded); err != nil {
			return false, err
		}
		pending = left
	}
	lanes := w.lanes(pending, w.now)
	if len(lanes) == 0 {
		return false, nil
	}
	d := lanes[a.Which%len(lanes)][0]
	for _, earlier := range w.deliveries[:d.ID] {
		if earlier.Status == webhook.Pending && sameResource(earlier, d) {
			return false, fmt.Errorf("delivery %d begins before %d of the same resource is settled", d.ID, earlier.ID)
		}
	}
	w.deliveries[d.ID].Due = w.now.Add(lease)
	w.flights = append(w.flights, flight{delivery: int(d.ID), epoch: w.webhook.Epoch})
	return true, nil
}

// supersede ends what need not be sent. It must be updates that were never
// attempted, or failures would not count; and a later one of the same resource
// must be left.
func (w *world) supersede(left, superseded []webhook.Delivery) error {
	w.superseded += len(superseded)
	for _, d := range superseded {
		if d.Number != 0 || !d.Type.IsUpdate() {
			return fmt.Errorf("delivery %d, a %s attempted %d times, is superseded", d.ID, d.Type, d.Number)
		}
		if !slices.ContainsFunc(left, func(l webhook.Delivery) bool { return sameResource(l, d) && l.Event > d.Event && l.Type == d.Type }) {
			return fmt.Errorf("nothing takes the place of delivery %d", d.ID)
		}
		w.deliveries[d.ID] = d
		w.model.deliveries[d.ID].status = webhook.Superseded
	}
	return nil
}

// finish settles an attempt, and does what whoever calls Settle must do.
func (w *world) finish(at int, a action) error {
	f := w.flights[at]
	w.flights = slices.Delete(w.flights, at, at+1)
	before := w.deliveries[f.delivery]
	hook, after := w.settle(policy, w.webhook, before, webhook.Outcome{
		Verdict: a.Verdict, Epoch: f.epoch, Reason: "answered 503", RetryAfter: a.Ask, Jitter: a.Jitter,
	}, w.now)
	suspended := hook.State == webhook.Suspended && w.webhook.State == webhook.Active
	w.webhook, w.deliveries[f.delivery] = hook, after
	if suspended {
		w.suspensions++
		for i, d := range w.deliveries {
			w.deliveries[i] = w.cancel(d, "the webhook was suspended")
		}
	}
	switch {
	case before.Status != webhook.Pending:
		w.lateFinals++
	case a.Verdict == webhook.Deferred:
		w.deferrals++
	case f.epoch != hook.Epoch:
		w.stale++
	}
	return w.model.finish(f, a, before, after, w.now)
}

// model says what ought to be in the words of the contract, by means of its
// own: it counts failures by (delivery, epoch), where the machine keeps one
// number that it resets.
type model struct {
	epoch      int64
	suspended  bool
	deliveries []modelDelivery
	counted    map[attempted]int
}

type attempted struct {
	delivery int
	epoch    int64
}

type modelDelivery struct {
	status webhook.Status
	// waited is the last wait before a retry in this epoch; 0 when there was
	// none, or the receiver chose it.
	waited time.Duration
}

func (m *model) put() {
	m.epoch++
	m.suspended = false
	for i := range m.deliveries {
		m.deliveries[i].waited = 0
	}
}

func (m *model) finish(f flight, a action, before, after webhook.Delivery, now time.Time) error {
	d := &m.deliveries[f.delivery]
	if d.status != webhook.Pending {
		return nil
	}
	switch a.Verdict {
	case webhook.Accepted:
		d.status = webhook.Succeeded
	case webhook.Refused:
		d.status = webhook.Rejected
	case webhook.Deferred:
		if after.Number != before.Number || after.Failures != before.Failures {
			return errors.New("a deferral counted")
		}
	default:
		if f.epoch == m.epoch {
			return m.failed(f, a, after, now)
		}
	}
	return nil
}

func (m *model) failed(f flight, a action, after webhook.Delivery, now time.Time) error {
	d := &m.deliveries[f.delivery]
	key := attempted(f)
	m.counted[key]++
	if m.counted[key] > 4 {
		return fmt.Errorf("delivery %d failed %d times in one epoch", f.delivery, m.counted[key])
	}
	if m.counted[key] == 4 {
		d.status, m.suspended = webhook.Failed, true
		for i := range m.deliveries {
			if m.deliveries[i].status == webhook.Pending {
				m.deliveries[i].status = webhook.Cancelled
			}
		}
		return nil
	}
	wait := after.Due.Sub(now)
	if wait <= d.waited {
		return fmt.Errorf("delivery %d waited %s, and now only %s", f.delivery, d.waited, wait)
	}
	if wait < min(a.Ask, time.Hour) {
		return fmt.Errorf("delivery %d waits %s although the receiver asked for %s", f.delivery, wait, a.Ask)
	}
	if scheduled := []time.Duration{time.Minute, 5 * time.Minute, 25 * time.Minute}[m.counted[key]-1]; a.Ask == 0 &&
		(wait < scheduled*9/10 || wait > scheduled*11/10) {
		return fmt.Errorf("delivery %d waits %s, which is not about %s", f.delivery, wait, scheduled)
	}
	d.waited = wait
	if a.Ask > 0 {
		d.waited = 0
	}
	return nil
}

// check compares the world with the model, and holds it to what must be true at
// every moment.
func (w *world) check() error {
	if got := w.webhook.State == webhook.Suspended; got != w.model.suspended {
		return fmt.Errorf("the webhook is %s: a delivery exhausted its retries since the last update: %t", w.webhook.State, w.model.suspended)
	}
	if w.webhook.Epoch != w.model.epoch {
		return fmt.Errorf("the epoch is %d after updates up to %d", w.webhook.Epoch, w.model.epoch)
	}
	for i, d := range w.deliveries {
		if want := w.model.deliveries[i].status; d.Status != want {
			return fmt.Errorf("delivery %d is %s, not %s", i, d.Status, want)
		}
		if want := w.model.counted[attempted{i, d.Epoch}]; d.Failures != want {
			return fmt.Errorf("delivery %d has %d failures of epoch %d, not %d", i, d.Failures, d.Epoch, want)
		}
	}
	return w.checkOffers()
}

func (w *world) checkOffers() error {
	lanes := w.lanes(w.pending(), w.now)
	if len(lanes) > 0 && w.webhook.State == webhook.Suspended {
		return errors.New("deliveries are offered although the webhook is suspended")
	}
	for i, lane := range lanes {
		for j, d := range lane {
			if d.Due.After(w.now) || !sameResource(d, lane[0]) || j > 0 && d.Event <= lane[j-1].Event {
				return fmt.Errorf("lane %d is not of due deliveries of one resource in event order", i)
			}
		}
		for _, other := range lanes[:i] {
			if sameResource(lane[0], other[0]) {
				return fmt.Errorf("lane %d is of the same resource as an earlier one", i)
			}
		}
	}
	return nil
}

func sameResource(a, b webhook.Delivery) bool {
	return a.Type.Resource() == b.Type.Resource() && a.Resource == b.Resource
}

// TestStateMachine walks at random and finds the contract kept at every step:
// at most four counted attempts by delivery and epoch; suspended if and only if
// a delivery exhausted them since the last update; nothing offered while
// suspended; waits that grow; 422 and deferrals that count nothing; results of
// an earlier epoch that suspend nothing; final states that stay; events of a
// resource in their order; and nothing superseded that was attempted.
func TestStateMachine(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	thorough := checks.Value.String() == checks.DefValue && !testing.Short()
	if thorough {
		checks.Value.Set("5000")
		t.Cleanup(func() { checks.Value.Set(checks.DefValue) })
	}
	var total tally
	rapid.Check(t, func(t *rapid.T) {
		seen, err := run(genuine(), walks().Draw(t, "actions"))
		if err != nil {
			t.Fatal(err)
		}
		total.suspensions += seen.suspensions
		total.stale += seen.stale
		total.lateFinals += seen.lateFinals
		total.deferrals += seen.deferrals
		total.reactivations += seen.reactivations
		total.superseded += seen.superseded
	})
	t.Logf("%+v", total)
	if thorough && min(total.suspensions, total.stale, total.lateFinals, total.deferrals, total.reactivations, total.superseded) == 0 {
		t.Errorf("the walks never reach what they are to test: %+v", total)
	}
}

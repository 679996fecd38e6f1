package webhook_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// wrapped is the genuine machine with its results, or what goes into it,
// changed.
func wrapped(
	settle func(webhook.Policy, webhook.Webhook, webhook.Delivery, webhook.Outcome, time.Time) (webhook.Webhook, webhook.Delivery),
) machine {
	m := genuine()
	m.settle = settle
	return m
}

// mutants are state machines that are wrong, each in one way somebody might
// well get it wrong. A checker that passes one of them checks nothing.
func mutants() map[string]machine {
	settle := webhook.Policy.Settle
	found := map[string]machine{
		// The five the checker was made for.
		"off by one: a fifth attempt": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			p.Delays = append(slices.Clone(p.Delays), 125*time.Minute)
			return settle(p, w, d, o, now)
		}),
		"422 counts as a failure": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			if o.Verdict == webhook.Refused {
				o.Verdict = webhook.Failure
			}
			return settle(p, w, d, o, now)
		}),
		"an update does not reset the count": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			if o.Epoch == w.Epoch {
				d.Epoch = w.Epoch
			}
			return settle(p, w, d, o, now)
		}),
		// Others.
		"off by one: no third retry": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			p.Delays = p.Delays[:2]
			return settle(p, w, d, o, now)
		}),
		"late results of an earlier epoch count": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			o.Epoch = w.Epoch
			return settle(p, w, d, o, now)
		}),
		"a deferral counts": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			if o.Verdict == webhook.Deferred {
				o.Verdict = webhook.Failure
			}
			return settle(p, w, d, o, now)
		}),
		"what is final is settled again": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			d.Status = webhook.Pending
			return settle(p, w, d, o, now)
		}),
		"waits do not grow": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			p.Delays = []time.Duration{time.Minute, time.Minute, time.Minute}
			return settle(p, w, d, o, now)
		}),
		"a receiver can shorten the wait": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			after, got := settle(p, w, d, o, now)
			if got.Status == webhook.Pending && o.Verdict == webhook.Failure && o.RetryAfter > 0 {
				got.Due = now.Add(min(o.RetryAfter, p.MaxRetryAfter))
			}
			return after, got
		}),
		"an exhausted delivery does not suspend": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			_, got := settle(p, w, d, o, now)
			return w, got
		}),
		"success does not end the delivery": wrapped(func(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, o webhook.Outcome, now time.Time) (webhook.Webhook, webhook.Delivery) {
			after, got := settle(p, w, d, o, now)
			if got.Status == webhook.Succeeded {
				got.Status = webhook.Pending
			}
			return after, got
		}),
	}
	// Two more of the five are not in Settle.
	m := genuine()
	m.cancel = func(d webhook.Delivery, _ string) webhook.Delivery { return d }
	found["deliveries go on while suspended"] = m

	m = genuine()
	m.receives = func(webhook.Webhook) bool { return true }
	found["events queue up while suspended"] = m

	m = genuine()
	m.update = func(w webhook.Webhook, now time.Time) webhook.Webhook {
		epoch := w.Epoch
		w = w.Reconfigured(now)
		w.Epoch = epoch
		return w
	}
	found["an update begins no epoch"] = m

	m = genuine()
	m.update = func(w webhook.Webhook, now time.Time) webhook.Webhook {
		state := w.State
		w = w.Reconfigured(now)
		w.State = state
		return w
	}
	found["an update does not reactivate"] = m

	m = genuine()
	m.lanes = func(pending []webhook.Delivery, now time.Time) []webhook.Lane {
		due := slices.DeleteFunc(slices.Clone(pending), func(d webhook.Delivery) bool { return d.Due.After(now) })
		return webhook.Lanes(due, now)
	}
	found["later events overtake one that waits"] = m

	m = genuine()
	m.lanes = func(pending []webhook.Delivery, now time.Time) []webhook.Lane {
		var lanes []webhook.Lane
		for _, lane := range webhook.Lanes(pending, now) {
			for _, d := range lane {
				lanes = append(lanes, webhook.Lane{d})
			}
		}
		return lanes
	}
	found["a resource has several lanes"] = m

	m = genuine()
	m.coalesce = func(pending []webhook.Delivery, now time.Time) (left, superseded []webhook.Delivery) {
		forgetful := slices.Clone(pending)
		for i := range forgetful {
			forgetful[i].Number = 0
		}
		kept, gone := webhook.Coalesce(forgetful, now)
		for _, d := range pending {
			of := func(other webhook.Delivery) bool { return other.ID == d.ID }
			if slices.ContainsFunc(kept, of) {
				left = append(left, d)
			} else if slices.ContainsFunc(gone, of) {
				d.Status = webhook.Superseded
				superseded = append(superseded, d)
			}
		}
		return left, superseded
	}
	found["an update takes the place of one that failed"] = m

	m = genuine()
	m.coalesce = func(pending []webhook.Delivery, now time.Time) ([]webhook.Delivery, []webhook.Delivery) {
		left, superseded := webhook.Coalesce(pending, now)
		if len(superseded) > 0 && len(left) > 0 {
			superseded = append(superseded, left[len(left)-1].Supersede())
			left = left[:len(left)-1]
		}
		return left, superseded
	}
	found["the last update is superseded too"] = m
	return found
}

func TestTheCheckerCatchesEveryMutant(t *testing.T) {
	generator := walks()
	for name, mutant := range mutants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range 20_000 {
				if _, err := run(mutant, generator.Example(seed)); err != nil {
					t.Logf("caught by walk %d: %v", seed, err)
					return
				}
			}
			t.Error("no walk finds anything wrong with it")
		})
	}
}

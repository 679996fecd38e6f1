package webhook

import (
	"fmt"
	"time"
)

// Verdict is the result of an attempt, by the rules of the contract.
type Verdict uint8

const (
	// Failure: any other answer, or none in time. It is the zero Verdict: an attempt without
	// a verdict has failed.
	Failure Verdict = iota
	// Accepted: any 2xx.
	Accepted
	// Refused: 422, the receiver does not want this event.
	Refused
	// Deferred: no attempt was made, through no fault of the receiver.
	Deferred
	// Verdicts is the number of verdicts.
	Verdicts
)

var verdictNames = [Verdicts]string{"failure", "accepted", "refused", "deferred"}

// String returns the verdict as metrics name it.
func (v Verdict) String() string {
	if v < Verdicts {
		return verdictNames[v]
	}
	return "?"
}

// Outcome is the result of an attempt with its details.
type Outcome struct {
	Verdict Verdict
	// Epoch is that of the webhook when the attempt began.
	Epoch int64
	// Reason is the receiver's for Refused, ours for Failure.
	Reason string
	// RetryAfter is the wait that the receiver asked for; 0 if it did not. For Deferred it is
	// the wait until the next attempt.
	RetryAfter time.Duration
	// Jitter, between -1 and 1, spreads retries.
	Jitter float64
}

// suspendedMeanwhile is the reason of a delivery that is cancelled because its webhook was
// suspended while it waited.
const suspendedMeanwhile = "the webhook is suspended"

// Policy has the waits before retries of failed deliveries.
type Policy struct {
	// Delays are the growing waits before each retry. Their number is the number of retries.
	Delays []time.Duration
	// MaxRetryAfter is the longest wait that a receiver can ask for.
	MaxRetryAfter time.Duration
}

// jitter is the share of a delay that may be added or taken away at random.
const jitter = 0.1

// Retries is the number of retries of a delivery in the contract.
const Retries = 3

// growth is the least factor between two delays. With less, the jitter of both could make
// the waits shrink.
const growth = 1.25

// Check says why a policy is not the contract's, which has three retries, with
// waits that grow whatever the jitter.
func (p Policy) Check() error {
	if len(p.Delays) != Retries {
		return fmt.Errorf("there must be exactly %d delays, one before each retry, not %d", Retries, len(p.Delays))
	}
	for i, delay := range p.Delays {
		switch {
		case delay <= 0:
			return fmt.Errorf("the delay %s is not positive", delay)
		case i > 0 && float64(delay) < growth*float64(p.Delays[i-1]):
			return fmt.Errorf("the delay %s is not at least %g times the %s before it; as chance varies delays by a tenth, they might not grow",
				delay, growth, p.Delays[i-1])
		}
	}
	return nil
}

// DefaultPolicy returns the policy with retries after 1, 5 and 25 minutes.
func DefaultPolicy() Policy {
	return Policy{
		Delays:        []time.Duration{time.Minute, 5 * time.Minute, 25 * time.Minute},
		MaxRetryAfter: time.Hour,
	}
}

// Settle is the state machine of deliveries and webhooks. It returns both as they are
// after an attempt (contract: States and transitions). It is total and
// decides nothing else:
//
//   - a final state stays;
//   - a deferral moves the next attempt and counts nothing;
//   - nothing is retried for a suspended webhook;
//   - 2xx ends the delivery, and so does 422, which leaves the webhook active;
//   - a failure is retried while retries remain, later each time; the failure
//     of the last retry ends the delivery and suspends the webhook;
//   - a failure of an attempt with an earlier configuration counts nothing, and
//     the present configuration is tried at once.
//
// The caller cancels the other pending deliveries of a webhook that it
// suspended.
func (p Policy) Settle(w Webhook, d Delivery, o Outcome, now time.Time) (Webhook, Delivery) {
	if d.Status != Pending {
		return w, d
	}
	if o.Verdict == Deferred {
		if w.State == Suspended {
			return w, d.Cancel(suspendedMeanwhile)
		}
		d.Due = now.Add(max(0, o.RetryAfter))
		return w, d
	}
	d.Number++
	d.Reason = o.Reason
	switch o.Verdict {
	case Accepted:
		d.Status, d.Reason = Succeeded, ""
		w.LastSuccess = now
	case Refused:
		d.Status = Rejected
	default:
		w.LastFailure = now
		return p.fail(w, d, o, now)
	}
	return w, d
}

func (p Policy) fail(w Webhook, d Delivery, o Outcome, now time.Time) (Webhook, Delivery) {
	switch {
	case w.State == Suspended:
		return w, d.Cancel(o.Reason)
	case o.Epoch != w.Epoch:
		d.Due = now
		return w, d
	case d.Epoch != w.Epoch:
		d.Epoch, d.Failures = w.Epoch, 0
	}
	d.Failures++
	if d.Failures > len(p.Delays) {
		d.Status = Failed
		return w.Suspend(o.Reason, now), d
	}
	d.Due = now.Add(p.delay(d.Failures-1, o))
	return w, d
}

// delay returns the wait before a retry. The receiver may ask for more, within
// bounds, but not for less.
func (p Policy) delay(retry int, o Outcome) time.Duration {
	chance := min(1, max(-1, o.Jitter))
	wait := p.Delays[retry] + time.Duration(float64(p.Delays[retry])*jitter*chance)
	return max(wait, min(o.RetryAfter, p.MaxRetryAfter))
}

// Cancel ends a pending delivery because its webhook receives nothing any more.
func (d Delivery) Cancel(reason string) Delivery {
	if d.Status == Pending {
		d.Status, d.Reason = Cancelled, reason
	}
	return d
}

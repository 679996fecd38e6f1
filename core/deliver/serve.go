package deliver

import (
	"context"
	"encoding/binary"
	"errors"
	"github.com/vitrine-crm/vitrine/core/api"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/core/webhook"
)

const (
	// courtesy is how long a webhook is served while others may wait for its
	// place.
	courtesy = time.Second
	// freshness is how long somebody who could send more goes without looking
	// for what other processes added.
	freshness = time.Second
)

// shift is a turn while it is served. One goroutine runs it, stores what comes
// of attempts and looks for more to send; others make the attempts.
type shift struct {
	*dispatcher
	turn  webhook.Turn
	began time.Time
	// more is rung when there may be more to send, looked is when that was last
	// looked for.
	more   api.Wakeup
	looked atomic.Int64

	// lanes has room for a batch and what may be left of the one before: nobody
	// waits to write to it.
	lanes chan errand
	// ahead is what was found to send when the turn was taken.
	ahead   []errand
	results chan result
	// busy are the resources with a lane of which not everything has come back:
	// what else is due about them waits.
	busy map[webhook.Resource]bool
	// epoch is that of the webhook when lanes were sent; 0 before.
	epoch int64
	// stopped is set when nothing else is to be sent, broken when not even what is
	// under way; over when the turn is, unfinished when there may be something
	// left then.
	stopped, broken, over, unfinished bool
}

// errand is a lane to be sent, and how.
type errand struct {
	lane webhook.Lane
	webhook.Composition
	// unmarked says that no mark of the webhook is on the resource for certain.
	unmarked bool
}

// result is an attempt that was made or deferred, or else the end of a lane that
// was given up before the next attempt.
type result struct {
	delivery webhook.Delivery
	made     bool
	last     bool // of its lane
	answer   webhook.Answer
	at       time.Time
	url      string
	outcome  webhook.Outcome
	// routine: it got through, and there is no mark to clear.
	routine bool
}

func newShift(d *dispatcher, turn webhook.Turn) *shift {
	return &shift{
		dispatcher: d, turn: turn, began: d.Moment(), more: make(api.Wakeup, 1), lanes: make(chan errand, d.Batch+d.PerWebhook),
		results: make(chan result, d.Unsettled), busy: map[webhook.Resource]bool{},
	}
}

// serve sends what is due of one webhook until nothing is, then gives the turn
// up. Lanes go side by side; what comes back is settled in batches, as much at
// once as has come by then. Once an attempt has suspended the webhook, or the
// turn is lost, the others are broken off. When ctx ends they are not: a
// receiver that took one in would get it again.
func (s *shift) serve(ctx context.Context) error {
	if len(s.ahead) > 0 {
		s.hand(s.ahead)
	} else if err := s.settle(ctx, nil); err != nil || s.over {
		// If even this fails, the turn runs out by itself, which leaves time to
		// mend things.
		return err
	}
	attempts, breakOff := context.WithCancel(context.WithoutCancel(ctx))
	defer breakOff()
	var senders sync.WaitGroup
	defer senders.Wait()
	defer close(s.lanes)
	for range s.PerWebhook {
		senders.Go(func() {
			for e := range s.lanes {
				s.sendLane(ctx, attempts, e)
			}
		})
	}
	for !s.over {
		batch := s.collect()
		if s.isRoutine(batch) && s.clerk.stores(s, batch) {
			continue
		}
		if err := s.settle(ctx, batch); err != nil {
			breakOff()
			s.drain()
			return errors.Join(err, s.settle(ctx, nil)) // gives the turn up
		}
		if s.broken {
			breakOff()
		}
	}
	s.drain()
	return nil
}

// drain waits until everything has come back that was handed out. What is not
// settled is sent again.
func (s *shift) drain() {
	s.stopped = true
	for len(s.busy) > 0 {
		s.collect()
	}
}

// collect waits until attempts were made, or until there may be something to
// send for which a sender is free.
func (s *shift) collect() (batch []result) {
	var more <-chan struct{}
	var enough <-chan time.Time
	for len(s.busy) > 0 && len(batch) < max(1, s.Unsettled) {
		var r result
		select {
		case r = <-s.results:
		default:
			if len(batch) > 0 && enough == nil {
				if s.Gather == nil || s.stopped || s.isRoutine(batch) {
					return batch // the clerk does the waiting
				}
				enough = s.Gather()
			}
			if !s.stopped && len(s.busy) < s.PerWebhook {
				more = s.more
			}
			select {
			case r = <-s.results:
			case <-more:
				return batch
			case <-enough:
				return batch
			}
		}
		if r.last {
			delete(s.busy, r.delivery.About())
		}
		if r.made {
			batch = append(batch, r)
		}
	}
	return batch
}

// sendLane sends deliveries of one resource in order, up to the first that does
// not get through: the others wait for it. It begins none after ctx has ended,
// and breaks off the one under way when attempts ends.
func (s *shift) sendLane(ctx, attempts context.Context, e errand) {
	for i, delivery := range e.lane {
		r := result{delivery: delivery, last: true}
		if ctx.Err() == nil && attempts.Err() == nil {
			r = s.attempt(attempts, e.Composition, delivery)
			r.last = !r.made || i == len(e.lane)-1 || r.answer.Verdict == webhook.Failure || r.answer.Verdict == webhook.Deferred
			e.unmarked = e.unmarked && r.answer.Verdict == webhook.Accepted
			r.routine = e.unmarked && r.made
		}
		s.results <- r
		if r.last {
			return
		}
	}
}

// attempt makes one attempt, unless it is broken off.
func (s *shift) attempt(ctx context.Context, c webhook.Composition, delivery webhook.Delivery) result {
	now := s.Moment()
	r := result{delivery: delivery, at: now, url: c.Webhook.URL}
	request, err := c.Request(delivery, now)
	if err != nil {
		r.answer = webhook.Answer{Verdict: webhook.Failure, Reason: "the request could not be signed"}
	} else {
		r.answer = s.send.Send(ctx, request)
	}
	if ctx.Err() != nil && r.answer.Status == 0 {
		return r // we gave up, not the receiver
	}
	r.made = true
	r.outcome = webhook.Outcome{
		Verdict: r.answer.Verdict, Epoch: c.Webhook.Epoch, Reason: storable(r.answer.Reason),
		RetryAfter: r.answer.RetryAfter, Jitter: s.chance(),
	}
	if s.Observe != nil {
		s.Observe.Attempted(delivery, r.answer)
	}
	return r
}

// chance is between -1 and 1.
func (d *dispatcher) chance() float64 {
	var raw [4]byte
	if _, err := io.ReadFull(d.Rand, raw[:]); err != nil {
		return 0
	}
	return float64(binary.BigEndian.Uint32(raw[:]))/(1<<31) - 1
}

// storable is what a receiver said, as far as stores can keep it.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

package deliver

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
)

// phase is the phase of a worker. It only moves forward:
//
//	        ctx ended, the site     webhook changed, suspended or
//	        moves, or others wait   deleted; results not stored
//	sending ─────────────▶ draining ─────────────▶ aborting
//	  │ └─────────────────────┼─────────────────────▲  │
//	  └───────────────────────┴────────────────────────┴────▶ done
//	                           nothing is under way, or the lease was lost
type phase int

const (
	// sending: due deliveries are sent, and more are read.
	sending phase = iota
	// draining: ctx ended, the site is about to move, or other webhooks wait for the slot. No
	// attempt is begun; those under way are finished and stored.
	draining
	// aborting: the webhook was changed, suspended or deleted, or results could not
	// be stored. Attempts under way are cancelled.
	aborting
	// done: the lease was released, with nothing under way, or it was lost, and attempts
	// under way are cancelled.
	done
)

// maxHold is how long a webhook is served while others wait for its slot.
const maxHold = time.Second

// shortBatch divides the number of deliveries that are read meanwhile: those that are not sent
// are read again.
const shortBatch = 8

// worker serves one webhook while it has its lease. One goroutine runs it, stores results and
// reads deliveries to send; its senders make the attempts.
type worker struct {
	*dispatcher
	state
	began time.Time
	// wakeup is woken when there may be more to send, looked is when deliveries were last
	// read.
	wakeup kernel.Wakeup
	looked atomic.Int64
	// ending is woken when it is time to extend the lease, which lasts until a moment.
	ending kernel.Wakeup
	until  atomic.Int64
	// jobs has room for a batch and the rest of the one before: writing to it never waits.
	jobs    chan job
	results chan result
	// open has an element for each attempt that was begun and is not stored yet, and the
	// reserved ones, which reduce the number of attempts.
	open     chan struct{}
	reserved int
	// count is how many attempts were stored.
	count int
}

// state is the part of a worker that units of work use.
type state struct {
	lease webhook.Lease
	phase phase
	// busy are the resources with an unfinished job: their other deliveries wait.
	busy map[webhook.Resource]bool
	// epoch is that of the webhook when jobs were made; 0 before.
	epoch int64
}

// job is a lane to send.
type job struct {
	lane webhook.Lane
	webhook.Composition
	// unrejected reports that the webhook has certainly not rejected the resource.
	unrejected bool
}

// result is an attempt that was made or deferred, or the end of a job that was stopped before
// the next attempt.
type result struct {
	delivery webhook.Delivery
	made     bool
	last     bool // of its job
	outcome  webhook.Outcome
	// attempt is the entry of the delivery log; nil for one that was put off.
	attempt *webhook.Attempt
	// routine: it was accepted, and there is no rejection to clear.
	routine bool
}

// newWorker returns the worker of a lease, with the first jobs.
func newWorker(d *dispatcher, lease webhook.Lease, jobs []job) *worker {
	w := &worker{
		dispatcher: d, state: state{lease: lease, busy: map[webhook.Resource]bool{}}, began: d.k.Moment(),
		wakeup: make(kernel.Wakeup, 1), ending: make(kernel.Wakeup, 1), jobs: make(chan job, d.Batch+d.PerWebhook),
		results: make(chan result, d.Unsettled), open: make(chan struct{}, max(d.Unsettled, d.PerWebhook)),
	}
	w.until.Store(lease.Until.UnixNano())
	w.stored(0)
	if len(jobs) > 0 {
		w.looked.Store(w.began.UnixNano())
		w.assign(jobs)
	}
	return w
}

// run sends due deliveries until there are none, then releases the lease. Results are stored in
// batches of all that have arrived. Results that are not stored when a process dies are sent
// again, so the number of open attempts is limited. When ctx ends, attempts under way are not
// cancelled: a receiver that has accepted one would get it again.
func (w *worker) run(ctx context.Context) (err error) {
	if len(w.busy) == 0 {
		if err := w.settle(ctx, nil); err != nil || w.phase == done {
			// If this fails too, the lease expires.
			return err
		}
	}
	attempts, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	begin, drain := context.WithCancel(ctx)
	defer drain()
	var senders sync.WaitGroup
	defer senders.Wait()
	defer close(w.jobs)
	for range w.PerWebhook {
		senders.Go(func() {
			for j := range w.jobs {
				w.send(begin, attempts, j)
			}
		})
	}
	for w.phase != done && err == nil {
		results := w.collect()
		if !w.isRoutine(results) || !w.completes(results) {
			if err = w.settle(ctx, results); err != nil {
				w.phase = aborting
			}
		}
		w.stored(len(results))
		if w.phase >= draining {
			drain()
		}
		if w.phase >= aborting {
			abort()
		}
	}
	for len(w.busy) > 0 {
		w.collect() // what is not stored is sent again
	}
	if err != nil {
		return errors.Join(err, w.settle(ctx, nil)) // gives the lease up
	}
	return nil
}

// settle stores results and, in the same unit of work, reads more deliveries to send if a
// sender is free. If there are none, and none under way, it releases the lease.
func (w *worker) settle(ctx context.Context, results []result) error {
	if ctx.Err() != nil || w.mustYield() {
		w.phase = max(w.phase, draining)
	}
	look := w.phase == sending && len(w.busy) < w.PerWebhook
	var s settlement
	err := w.update(ctx, w.Lease, func(u unit) (err error) {
		if w.isFull() {
			u.options.Batch = max(w.Batch/shortBatch, w.PerWebhook)
		}
		s, err = u.settle(w.state, results, look)
		return err
	})
	if err != nil {
		return err
	}
	if s.suspended != nil {
		w.Observe.Suspended(*s.suspended, s.by)
	}
	w.phase, w.lease.Until = max(w.phase, s.phase), s.until
	w.until.Store(s.until.UnixNano())
	if !s.looked.IsZero() {
		w.looked.Store(s.looked.UnixNano())
	} else if w.phase == done {
		w.wakeup.Wake() // there may be something left to send
	}
	w.assign(s.jobs)
	return nil
}

// mustYield reports whether other webhooks need the slot.
func (w *worker) mustYield() bool { return w.isFull() && w.k.Moment().Sub(w.began) > maxHold }

// assign gives jobs to the senders.
func (w *worker) assign(jobs []job) {
	for _, j := range jobs {
		w.epoch = j.Webhook.Epoch
		w.busy[j.lane[0].About()] = true
		w.jobs <- j
	}
}

// repeatedShare limits open attempts, which are repeated after a crash, to one in so many of
// those that were stored under a lease.
const repeatedShare = 100

// window returns how many attempts may be open: as many as are under way at a time, and more,
// up to Unsettled, while many webhooks are served, or in a long backlog. With many webhooks a
// unit of work stores the results of all of them and takes longer; in a long backlog a crash
// repeats a small share.
func (w *worker) window() int {
	return max(w.PerWebhook, min(max(2*len(w.slots), w.count/repeatedShare), w.Unsettled))
}

// stored removes as many attempts from open, unless the window has become smaller.
func (w *worker) stored(n int) {
	w.count += n
	reserve := cap(w.open) - w.window()
	for ; n > 0; n-- {
		if w.reserved < reserve {
			w.reserved++
		} else {
			<-w.open
		}
	}
	for ; w.reserved > reserve; w.reserved-- {
		<-w.open
	}
	for ; w.reserved < reserve; w.reserved++ {
		select {
		case w.open <- struct{}{}:
		default:
			return // attempts are open there: when they are stored
		}
	}
}

// underWay returns the number of attempts without a result.
func (w *worker) underWay(back int) int { return len(w.open) - w.reserved - back }

// collect waits until there are results, until a sender is free for more deliveries, or until
// it is time to extend the lease. It returns the results.
func (w *worker) collect() (results []result) {
	var wakeup <-chan struct{}
	var enough <-chan time.Time
	for len(w.busy) > 0 && len(results) < max(1, w.Unsettled) {
		var r result
		select {
		case r = <-w.results:
		default:
			if len(results) > 0 && enough == nil {
				if w.phase != sending || w.isRoutine(results) {
					return results // the completer does the waiting
				}
				enough = w.Gather()
			}
			if len(results) > 0 && w.underWay(len(results)) <= len(results) {
				return results // waiting would not even double them
			}
			if w.phase == sending && len(w.busy) < w.PerWebhook {
				wakeup = w.wakeup
			}
			select {
			case r = <-w.results:
			case <-wakeup:
				return results
			case <-w.ending:
				return results
			case <-enough:
				return results
			}
		}
		if r.last {
			delete(w.busy, r.delivery.About())
		}
		if r.made {
			results = append(results, r)
		}
	}
	return results
}

// isRoutine reports whether results need nothing but to be stored as accepted: there is no
// lease to extend, and nothing to read. While the process has the lease and the webhook is
// unchanged, its deliveries are unchanged as well.
func (w *worker) isRoutine(results []result) bool {
	if len(results) == 0 || w.phase != sending || len(w.busy) < w.PerWebhook || w.mustYield() || w.isEnding(w.lease.Until, w.k.Moment()) {
		return false
	}
	for _, r := range results {
		if !r.routine {
			return false
		}
	}
	return true
}

// isEnding reports whether it is time to extend a lease that lasts until a moment.
func (o Options) isEnding(until, now time.Time) bool {
	return now.Add(o.Lease).Sub(until) > o.Lease/8
}

// send sends the deliveries of a job in order, up to the first that is not accepted: the others
// wait for it. It begins none after begin has ended, and cancels the one under way when
// attempts ends.
func (w *worker) send(begin, attempts context.Context, j job) {
	for i, delivery := range j.lane {
		r := result{delivery: delivery, last: true}
		if w.opens(begin, attempts) {
			r = w.attempt(attempts, j.Composition, delivery)
			verdict := r.outcome.Verdict
			r.last = !r.made || i == len(j.lane)-1 || verdict == webhook.Failure || verdict == webhook.Deferred
			j.unrejected = j.unrejected && verdict == webhook.Accepted
			r.routine = j.unrejected && r.made
			if !r.made {
				<-w.open
			}
		}
		w.results <- r
		if r.last {
			return
		}
	}
}

// opens waits until one more attempt may be open, and reports whether it may be
// begun.
func (w *worker) opens(ctx, attempts context.Context) bool {
	select {
	case w.open <- struct{}{}:
	case <-ctx.Done():
		return false
	case <-attempts.Done():
		return false
	}
	if ctx.Err() == nil && attempts.Err() == nil {
		return true
	}
	<-w.open
	return false
}

// attempt makes one attempt, unless it is cancelled.
func (w *worker) attempt(ctx context.Context, c webhook.Composition, delivery webhook.Delivery) result {
	now := w.k.Moment()
	answer := webhook.Answer{Verdict: webhook.Failure, Reason: fault.Textf("the request could not be signed").String()}
	if request, err := c.Request(delivery, now); err == nil {
		answer = w.sender.Send(ctx, request)
	}
	if ctx.Err() != nil && answer.Status == 0 {
		return result{delivery: delivery} // we gave up, not the receiver
	}
	w.Observe.Attempted(delivery, answer)
	r := result{delivery: delivery, made: true, outcome: webhook.Outcome{
		Verdict: answer.Verdict, Epoch: c.Webhook.Epoch, Reason: storable(answer.Reason), RetryAfter: answer.RetryAfter, Jitter: w.chance(),
	}}
	if answer.Verdict == webhook.Deferred {
		return r
	}
	r.attempt = &webhook.Attempt{
		Number: delivery.Number + 1, At: now, URL: webhook.Shown(c.Webhook.URL), Status: answer.Status, Duration: answer.Duration, Excerpt: storable(answer.Excerpt),
	}
	if answer.Verdict == webhook.Failure {
		r.attempt.Error = r.outcome.Reason
	}
	return r
}

// chance returns a random number between -1 and 1.
func (w *worker) chance() float64 {
	var raw [4]byte
	if _, err := io.ReadFull(w.k.Rand, raw[:]); err != nil {
		return 0
	}
	return float64(binary.BigEndian.Uint32(raw[:]))/(1<<31) - 1
}

// storable returns a text of a receiver without what stores cannot keep.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

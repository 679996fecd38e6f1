package deliver

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/fault"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// step is what one unit of work of a shift decided.
type step struct {
	errands []errand
	// suspended is the webhook if the unit suspended it, because of by.
	suspended *webhook.Webhook
	by        webhook.Delivery
	// until is the new end of the turn; zero leaves it.
	until time.Time
	// stop: nothing else is to be sent, and what is under way is broken off. over:
	// the turn was given up, or lost. unfinished: it was, and there may be
	// something to send.
	stop, over, unfinished bool
}

// settle stores what came of attempts and, in the same unit of work, looks for
// more to send if there is a sender for it. If there is nothing, and nothing
// under way, it gives the turn up.
func (s *shift) settle(ctx context.Context, batch []result) error {
	stopped := s.stopped || ctx.Err() != nil
	var next step
	err := s.record(ctx, s.Lease, func(tx port.Tx) (err error) {
		next, err = s.step(tx, batch, stopped)
		return err
	})
	if err != nil {
		return err
	}
	if next.suspended != nil && s.Observe != nil {
		s.Observe.Suspended(*next.suspended, next.by)
	}
	s.stopped, s.broken = stopped || next.stop, next.stop
	s.over, s.unfinished = next.over, next.unfinished
	if !next.until.IsZero() {
		s.turn.Until = next.until
	}
	s.hand(next.errands)
	return nil
}

// hand gives lanes to those who send.
func (s *shift) hand(errands []errand) {
	for _, e := range errands {
		s.epoch = e.Webhook.Epoch
		s.busy[e.lane[0].About()] = true
		s.lanes <- e
	}
}

func (s *shift) step(tx port.Tx, batch []result, stopped bool) (next step, err error) {
	w, err := tx.Webhooks().Get(s.turn.Site, s.turn.Hook)
	idle := ""
	if errors.Is(err, fault.NotFound) {
		idle, batch, err = "the webhook was deleted", nil, nil
	}
	var marked marking
	if err == nil {
		marked, err = prepareMarks(tx, w, batch)
	}
	if err != nil {
		return next, err
	}
	held, err := tx.Turns().Hold(s.turn)
	if err != nil || !held {
		return step{stop: true, over: true, unfinished: true}, err
	}
	if w, err = s.judge(tx, w, batch, marked, &next); err != nil {
		return next, err
	}
	if w.State == webhook.Suspended {
		idle = "the webhook is suspended"
	}
	switch {
	case idle != "":
		// What is pending slipped in while it was being suspended or deleted.
		next.stop, err = true, tx.Deliveries().Cancel(s.turn.Site, s.turn.Hook, idle)
	case s.epoch != 0 && s.epoch != w.Epoch:
		next.stop = true
	case !stopped && len(s.busy) < s.PerWebhook && !s.hasToGo():
		next.errands, err = s.look(tx, w)
	}
	if err != nil {
		return next, err
	}
	if len(s.busy)+len(next.errands) == 0 {
		next.over, next.unfinished = true, stopped || next.stop || s.hasToGo()
		return next, tx.Turns().Release(s.turn)
	}
	if s.isEnding() {
		next.until = s.Moment().Add(s.Lease)
		return next, tx.Turns().Extend(s.turn, next.until)
	}
	return next, nil
}

// hasToGo reports whether it is somebody else's turn.
func (s *shift) hasToGo() bool { return s.crowded() && s.Moment().Sub(s.began) > courtesy }

// judge lets the state machine judge attempts and stores its judgement.
func (s *shift) judge(tx port.Tx, w webhook.Webhook, batch []result, marked marking, next *step) (webhook.Webhook, error) {
	if len(batch) == 0 {
		return w, nil
	}
	known, err := pendingNow(tx, w, batch)
	if err != nil {
		return w, err
	}
	now := s.Moment()
	var settled []webhook.Settled
	for _, r := range batch {
		d, found := known[r.delivery.ID]
		if !found || d.Number != r.delivery.Number {
			continue // somebody who took the turn over has settled this attempt
		}
		before := w.State
		var ended webhook.Settled
		w, ended = r.settled(s.Policy, w, d, now)
		settled = append(settled, ended)
		if err := marked.settle(tx, ended.Delivery, now); err != nil {
			return w, err
		}
		if w.State == webhook.Suspended && before == webhook.Active {
			suspended := w
			next.suspended, next.by = &suspended, r.delivery
		}
	}
	if err := tx.Deliveries().Settle(settled); err != nil {
		return w, err
	}
	if next.suspended != nil {
		if err := s.logSuspension(tx, w); err != nil {
			return w, err
		}
	}
	return w, tx.Webhooks().Put(w)
}

// pendingNow reads deliveries that were attempted as they are now.
func pendingNow(tx port.Tx, w webhook.Webhook, batch []result) (map[webhook.DeliveryID]webhook.Delivery, error) {
	ids := make([]webhook.DeliveryID, len(batch))
	for i, r := range batch {
		ids[i] = r.delivery.ID
	}
	found, err := tx.Deliveries().Many(w.Site, w.ID, ids)
	byID := make(map[webhook.DeliveryID]webhook.Delivery, len(found))
	for _, d := range found {
		byID[d.ID] = d
	}
	return byID, err
}

// settled is what becomes of a webhook and of a delivery through the result.
func (r result) settled(p webhook.Policy, w webhook.Webhook, d webhook.Delivery, now time.Time) (webhook.Webhook, webhook.Settled) {
	w, d = p.Settle(w, d, r.outcome, now)
	return w, webhook.Settled{Delivery: d, Attempt: r.attempt()}
}

// attempt is the entry of the delivery log; nil for an attempt that was put off.
func (r result) attempt() *webhook.Attempt {
	if r.outcome.Verdict == webhook.Deferred {
		return nil
	}
	a := &webhook.Attempt{
		Number: r.delivery.Number + 1, At: r.at, URL: r.url, Status: r.answer.Status, Duration: r.answer.Duration, Excerpt: storable(r.answer.Excerpt),
	}
	if r.outcome.Verdict == webhook.Failure {
		a.Error = r.outcome.Reason
	}
	return a
}

// logSuspension writes the entry the contract asks for and ends what was
// pending: a suspended webhook receives nothing.
func (s *shift) logSuspension(tx port.Tx, w webhook.Webhook) error {
	if err := tx.Deliveries().Cancel(w.Site, w.ID, "the webhook was suspended"); err != nil {
		return err
	}
	return tx.Log().Append(port.LogEntry{
		Site: w.Site, At: w.SuspendedAt, Kind: "hook_suspended", Hook: w.ID,
		Message: "the last retry of a delivery failed: " + w.SuspendedReason,
	})
}

// lookAhead looks for lanes in the unit that takes the turn. It does not take hold
// of the webhook, which comes before its turn; a webhook that has just been
// changed is noticed when the first result is stored.
func (s *shift) lookAhead(tx port.Tx) error {
	hooks, err := tx.Webhooks().Of(s.turn.Site)
	i := slices.IndexFunc(hooks, func(w webhook.Webhook) bool { return w.ID == s.turn.Hook })
	if err != nil || i < 0 || hooks[i].State == webhook.Suspended {
		return err
	}
	s.ahead, err = s.look(tx, hooks[i])
	return err
}

// look finds lanes to send of resources about which nothing is under way. It
// ends the updates that later ones take the place of.
func (s *shift) look(tx port.Tx, w webhook.Webhook) ([]errand, error) {
	now := s.Moment()
	s.looked.Store(now.UnixNano())
	lanes, superseded, err := s.sendable(tx, w, now)
	if err != nil {
		return nil, err
	}
	if len(superseded) > 0 {
		ended := make([]webhook.Settled, len(superseded))
		for i, d := range superseded {
			ended[i].Delivery = d
		}
		if err := tx.Deliveries().Settle(ended); err != nil {
			return nil, err
		}
	}
	if len(lanes) == 0 {
		return nil, nil
	}
	how, err := s.compose(tx, w)
	if err != nil {
		return nil, err
	}
	errands := make([]errand, len(lanes))
	for i, lane := range lanes {
		errands[i] = errand{lane: lane, Composition: how}
	}
	if len(lanes) <= s.PerWebhook {
		return errands, nil
	}
	return errands, findUnmarked(tx, w, errands)
}

// findUnmarked finds out about which resources there is no mark to clear. With a
// backlog it pays to know.
func findUnmarked(tx port.Tx, w webhook.Webhook, errands []errand) error {
	about := make([]webhook.Resource, len(errands))
	for i, e := range errands {
		about[i] = e.lane[0].About()
	}
	marked, err := markedBy(tx, w, about)
	for i := range errands {
		errands[i].unmarked = !marked[about[i]]
	}
	return err
}

// sendable sorts what may be sent now, and what need not. It looks at a batch, and
// further where that leaves a sender idle: a resource that waits for its next
// retry, with a thousand changes behind it, must not hide the others.
func (s *shift) sendable(tx port.Tx, w webhook.Webhook, now time.Time) (lanes []webhook.Lane, superseded []webhook.Delivery, err error) {
	for n := s.Batch; ; n = webhook.Window {
		pending, err := tx.Deliveries().Pending(w.Site, w.ID, n)
		if err != nil {
			return nil, nil, err
		}
		all := len(pending) < n || n >= webhook.Window
		waiting := slices.DeleteFunc(pending, func(d webhook.Delivery) bool { return s.busy[d.About()] })
		if superseded = nil; w.Coalesce > 0 {
			waiting, superseded = webhook.Coalesce(waiting, now)
		}
		lanes = webhook.Lanes(waiting, now)
		if all || len(lanes)+len(s.busy) >= s.PerWebhook {
			return lanes[:min(len(lanes), s.Batch)], superseded, nil
		}
	}
}

// compose reads what requests of a webhook are made with.
func (s *shift) compose(tx port.Tx, w webhook.Webhook) (c webhook.Composition, err error) {
	c = webhook.Composition{Webhook: w, Base: s.Kernel.Options.URL(""), Agent: s.Agent}
	if w.Auth != 0 {
		auth, err := tx.WebhookAuths().Get(w.Site, w.Auth)
		if err != nil {
			return c, err
		}
		c.Auth = &auth
	}
	c.Signing, err = tx.Signings().Get(w.Site, w.ID)
	return c, err
}

package deliver

import (
	"time"

	"github.com/vitrine-crm/vitrine/core/api"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/webhook"
)

// unit is what code inside a unit of work has. It can reach neither the store nor
// a context.
type unit struct {
	port.Tx
	now     time.Time
	options Options
	// base is the {base_url} of the API.
	base string
}

// settlement is what one unit of work of a worker came to.
type settlement struct {
	phase phase
	// until is the end of the lease.
	until time.Time
	// looked is when the unit looked for more to send, zero when it did not; jobs
	// are what it found.
	looked time.Time
	jobs   []job
	// suspended is the webhook if the unit suspended it, because of by.
	suspended *webhook.Webhook
	by        webhook.Delivery
}

// settle stores results, if the worker still holds its lease, and looks for more
// to send if it is told to.
func (u unit) settle(of state, results []result, look bool) (s settlement, err error) {
	s.until = of.lease.Until
	hook, err := u.Webhooks().Get(of.lease.Site, of.lease.Hook)
	idle := ""
	if api.IsAbsent(err) {
		idle, results, err = "the webhook was deleted", nil, nil
	}
	if err != nil {
		return s, err
	}
	rejected, err := u.rejectionsBehind(hook, results)
	if err != nil {
		return s, err
	}
	held, err := u.Turns().Hold(of.lease)
	if err != nil || !held {
		s.phase = done
		return s, err
	}
	if hook, err = u.store(hook, results, rejected, &s); err != nil {
		return s, err
	}
	if hook.State == webhook.Suspended {
		idle = "the webhook is suspended"
	}
	switch {
	case idle != "":
		// What is pending slipped in while it was being suspended or deleted.
		s.phase, err = aborting, u.Deliveries().Cancel(of.lease.Site, of.lease.Hook, idle)
	case of.epoch != 0 && of.epoch != hook.Epoch:
		s.phase = aborting
	case look:
		s.looked = u.now
		s.jobs, err = u.look(hook, of.busy)
	}
	if err != nil {
		return s, err
	}
	if len(of.busy)+len(s.jobs) == 0 {
		s.phase = done
		return s, u.Turns().Release(of.lease)
	}
	if u.options.isEnding(of.lease, u.now) {
		s.until = u.now.Add(u.options.Lease)
		return s, u.Turns().Extend(of.lease, s.until)
	}
	return s, nil
}

// store lets the state machine judge results and stores its judgement.
func (u unit) store(hook webhook.Webhook, results []result, rejected rejections, s *settlement) (webhook.Webhook, error) {
	if len(results) == 0 {
		return hook, nil
	}
	known, err := u.deliveriesOf(hook, results)
	if err != nil {
		return hook, err
	}
	var settled []webhook.Settled
	for _, r := range results {
		delivery, found := known[r.delivery.ID]
		if !found || delivery.Number != r.delivery.Number {
			continue // somebody who took the lease over has settled this attempt
		}
		before := hook.State
		var ended webhook.Settled
		hook, ended = u.judge(hook, delivery, r)
		settled = append(settled, ended)
		if err := u.noteRejection(rejected, ended.Delivery); err != nil {
			return hook, err
		}
		if hook.State == webhook.Suspended && before == webhook.Active {
			suspended := hook
			s.suspended, s.by = &suspended, r.delivery
		}
	}
	if err := u.Deliveries().Settle(settled); err != nil {
		return hook, err
	}
	if s.suspended != nil {
		if err := u.logSuspension(hook); err != nil {
			return hook, err
		}
	}
	return hook, u.Webhooks().Put(hook)
}

// deliveriesOf reads the deliveries of results as they are now.
func (u unit) deliveriesOf(hook webhook.Webhook, results []result) (map[webhook.DeliveryID]webhook.Delivery, error) {
	ids := make([]webhook.DeliveryID, len(results))
	for i, r := range results {
		ids[i] = r.delivery.ID
	}
	found, err := u.Deliveries().Many(hook.Site, hook.ID, ids)
	byID := make(map[webhook.DeliveryID]webhook.Delivery, len(found))
	for _, d := range found {
		byID[d.ID] = d
	}
	return byID, err
}

// judge is what becomes of a webhook and of a delivery through a result.
func (u unit) judge(hook webhook.Webhook, d webhook.Delivery, r result) (webhook.Webhook, webhook.Settled) {
	hook, d = u.options.Policy.Settle(hook, d, r.outcome, u.now)
	return hook, webhook.Settled{Delivery: d, Attempt: r.attempt()}
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
func (u unit) logSuspension(hook webhook.Webhook) error {
	if err := u.Deliveries().Cancel(hook.Site, hook.ID, "the webhook was suspended"); err != nil {
		return err
	}
	return u.Log().Append(port.LogEntry{
		Site: hook.Site, At: hook.SuspendedAt, Kind: "hook_suspended", Hook: hook.ID,
		Message: "the last retry of a delivery failed: " + hook.SuspendedReason,
	})
}

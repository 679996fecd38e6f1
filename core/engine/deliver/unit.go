package deliver

import (
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
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
	if kernel.IsAbsent(err) {
		idle, results, err = "the webhook was deleted", nil, nil
	}
	if err != nil {
		return s, err
	}
	rejected, err := u.rejectionsBehind(hook, results)
	if err != nil {
		return s, err
	}
	held, open, err := u.Webhooks().Hold(of.lease)
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
	case !open:
		s.phase = draining
	case look:
		s.looked = u.now
		s.jobs, err = u.look(hook, of.busy)
	}
	if err != nil {
		return s, err
	}
	if len(of.busy)+len(s.jobs) == 0 {
		s.phase = done
		return s, u.Webhooks().Release(of.lease)
	}
	if u.options.isEnding(of.lease.Until, u.now) {
		s.until = u.now.Add(u.options.Lease)
		return s, u.Webhooks().Extend(of.lease, s.until)
	}
	return s, nil
}

// store lets the state machine judge results and stores its judgement.
func (u unit) store(hook webhook.Webhook, results []result, rejected rejections, s *settlement) (webhook.Webhook, error) {
	if len(results) == 0 {
		return hook, nil
	}
	ids := make([]webhook.DeliveryID, len(results))
	for i, r := range results {
		ids[i] = r.delivery.ID
	}
	known, err := u.Deliveries().Many(hook.Site, hook.ID, ids)
	if err != nil {
		return hook, err
	}
	var settled []webhook.Settled
	for _, r := range results {
		i := slices.IndexFunc(known, func(d webhook.Delivery) bool { return d.ID == r.delivery.ID && d.Number == r.delivery.Number })
		if i < 0 {
			continue // somebody who took the lease over has settled this attempt
		}
		before := hook.State
		var ended webhook.Settled
		hook, ended = u.judge(hook, known[i], r)
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
		if hook, err = kernel.Silence(u.Tx, hook, settled, "the webhook was suspended"); err == nil {
			err = u.logSuspension(hook)
		}
		if err != nil {
			return hook, err
		}
	}
	return hook, u.Webhooks().Put(hook)
}

// judge returns what becomes of a webhook and of a delivery through a result.
func (u unit) judge(hook webhook.Webhook, d webhook.Delivery, r result) (webhook.Webhook, webhook.Settled) {
	hook, d = u.options.Policy.Settle(hook, d, r.outcome, u.now)
	return hook, webhook.Settled{Delivery: d, Attempt: r.attempt}
}

// logSuspension writes the entry the contract asks for.
func (u unit) logSuspension(hook webhook.Webhook) error {
	return u.Log().Append(port.LogEntry{
		Site: hook.Site, At: hook.SuspendedAt, Kind: "hook_suspended", Hook: hook.ID,
		Message: "the last retry of a delivery failed: " + hook.SuspendedReason,
	})
}

// lookAhead looks for jobs in the unit that takes the lease. It does not take hold
// of the webhook, which comes before its lease; a webhook that has just been
// changed is noticed when the first result is stored.
func (u unit) lookAhead(lease webhook.Lease) ([]job, error) {
	hooks, err := u.Webhooks().Of(lease.Site)
	i := slices.IndexFunc(hooks, func(hook webhook.Webhook) bool { return hook.ID == lease.Hook })
	if err != nil || i < 0 || hooks[i].State == webhook.Suspended {
		return nil, err
	}
	return u.look(hooks[i], nil)
}

// look makes jobs of what is due about resources that are not busy. It ends the
// updates that later ones take the place of.
func (u unit) look(hook webhook.Webhook, busy map[webhook.Resource]bool) ([]job, error) {
	lanes, superseded, err := u.sendable(hook, busy)
	if err != nil {
		return nil, err
	}
	if len(superseded) > 0 {
		ended := make([]webhook.Settled, len(superseded))
		for i, d := range superseded {
			ended[i].Delivery = d
		}
		if err := u.Deliveries().Settle(ended); err != nil {
			return nil, err
		}
	}
	if len(lanes) == 0 {
		return nil, nil
	}
	composition, err := u.compose(hook)
	if err != nil {
		return nil, err
	}
	about, jobs := make([]webhook.Resource, len(lanes)), make([]job, len(lanes))
	for i, lane := range lanes {
		about[i], jobs[i] = lane[0].About(), job{lane: lane, Composition: composition}
	}
	if len(lanes) <= u.options.PerWebhook {
		return jobs, nil
	}
	// With a backlog it pays to know which resources have no rejection to clear.
	rejected, err := u.rejectedBy(hook, about)
	for i := range jobs {
		jobs[i].unrejected = !rejected[about[i]]
	}
	return jobs, err
}

// sendable sorts what may be sent now, and what need not. It looks at a batch, and
// further where that leaves a sender idle: a resource that waits for its next
// retry, with a thousand changes behind it, must not hide the others.
func (u unit) sendable(hook webhook.Webhook, busy map[webhook.Resource]bool) (lanes []webhook.Lane, superseded []webhook.Delivery, err error) {
	for n := u.options.Batch; ; n = webhook.Window {
		pending, err := u.Deliveries().Pending(hook.Site, hook.ID, n)
		if err != nil {
			return nil, nil, err
		}
		all := len(pending) < n || n >= webhook.Window
		waiting := slices.DeleteFunc(pending, func(d webhook.Delivery) bool { return busy[d.About()] })
		if superseded = nil; hook.Coalesce > 0 {
			waiting, superseded = webhook.Coalesce(waiting, u.now)
		}
		lanes = webhook.Lanes(waiting, u.now)
		if all || len(lanes)+len(busy) >= u.options.PerWebhook {
			return lanes[:min(len(lanes), u.options.Batch)], superseded, nil
		}
	}
}

// compose reads what requests of a webhook are made with.
func (u unit) compose(hook webhook.Webhook) (c webhook.Composition, err error) {
	c = webhook.Composition{Webhook: hook, Base: u.base, Agent: u.options.Agent}
	if hook.Auth != 0 {
		auth, err := u.WebhookAuths().Get(hook.Site, hook.Auth)
		if err != nil {
			return c, err
		}
		c.Auth = &auth
	}
	c.Signing, err = u.Signings().Get(hook.Site, hook.ID)
	return c, err
}

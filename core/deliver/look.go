package deliver

import (
	"slices"

	"github.com/vitrine-crm/vitrine/core/webhook"
)

// lookAhead looks for jobs in the unit that takes the lease. It does not take hold
// of the webhook, which comes before its lease; a webhook that has just been
// changed is noticed when the first result is stored.
func (u unit) lookAhead(lease webhook.Turn) ([]job, error) {
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
	jobs := make([]job, len(lanes))
	for i, lane := range lanes {
		jobs[i] = job{lane: lane, Composition: composition}
	}
	if len(lanes) <= u.options.PerWebhook {
		return jobs, nil
	}
	return jobs, u.findUnrejected(hook, jobs)
}

// findUnrejected finds out about which resources there is no rejection to clear.
// With a backlog it pays to know.
func (u unit) findUnrejected(hook webhook.Webhook, jobs []job) error {
	about := make([]webhook.Resource, len(jobs))
	for i, j := range jobs {
		about[i] = j.lane[0].About()
	}
	rejected, err := u.rejectedBy(hook, about)
	for i := range jobs {
		jobs[i].unrejected = !rejected[about[i]]
	}
	return err
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

package memstore

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

type webhooks struct{ *unit }

func hookKey(id site.ID, hook webhook.ID) string { return key(int64(id), int64(hook)) }

func (r webhooks) Get(id site.ID, hook webhook.ID) (webhook.Webhook, error) {
	return one(r.unit, r.state.webhooks, hookKey(id, hook), "webhook", hook, deep)
}

func (r webhooks) Of(id site.ID) ([]webhook.Webhook, error) {
	return all(r.unit, r.state.webhooks, key(int64(id)), deep)
}

func (r webhooks) Put(w webhook.Webhook) error {
	return put(r.unit, &r.state.webhooks, hookKey(w.Site, w.ID), w, deep)
}

// Free lists all that exist: units of work take turns.
func (r webhooks) Free(keys []webhook.Key) ([]webhook.Webhook, error) {
	if err := r.writing(); err != nil {
		return nil, err
	}
	var names []string
	for _, k := range keys {
		names = append(names, hookKey(k.Site, k.Hook))
	}
	slices.Sort(names)
	var free []webhook.Webhook
	for _, name := range slices.Compact(names) {
		if w, found := r.state.webhooks.get(name); found {
			free = append(free, deep(w))
		}
	}
	return free, nil
}

func (r webhooks) Delete(id site.ID, hook webhook.ID) error {
	if err := r.writing(); err != nil {
		return err
	}
	k := hookKey(id, hook)
	r.state.webhooks, r.state.leases = r.state.webhooks.without(k), r.state.leases.without(k)
	return nil
}

type deliveries struct{ *unit }

func deliveryKey(id site.ID, d webhook.DeliveryID) string { return key(int64(id), int64(d)) }

func pendingKey(d webhook.Delivery) string {
	return key(int64(d.Site), int64(d.Hook), d.Event, int64(d.ID))
}

func (r deliveries) Add(added []webhook.Delivery) error {
	for _, d := range added {
		if err := r.keep(d); err != nil {
			return err
		}
		r.becomesDue(d)
	}
	return nil
}

func (r deliveries) keep(d webhook.Delivery) error {
	if err := put(r.unit, &r.state.deliveries, deliveryKey(d.Site, d.ID), d, same); err != nil {
		return err
	}
	if d.Status == webhook.Pending {
		r.state.pending = r.state.pending.with(pendingKey(d), d.ID)
	} else {
		r.state.pending = r.state.pending.without(pendingKey(d))
	}
	return nil
}

// becomesDue makes the webhook of a pending delivery due when that is, if not
// before.
func (u *unit) becomesDue(d webhook.Delivery) {
	if d.Status != webhook.Pending {
		return
	}
	k := hookKey(d.Site, d.Hook)
	due, found := u.state.leases.get(k)
	if !found {
		due = lease{site: d.Site, hook: d.Hook}
	}
	if due.due.IsZero() || d.Due.Before(due.due) {
		due.due = d.Due
	}
	u.state.leases = u.state.leases.with(k, due)
}

func (r deliveries) Get(id site.ID, hook webhook.ID, d webhook.DeliveryID) (webhook.Delivery, error) {
	found, err := one(r.unit, r.state.deliveries, deliveryKey(id, d), "delivery", d, same)
	if err == nil && found.Hook != hook {
		return webhook.Delivery{}, absent("delivery", d)
	}
	return found, err
}

func (r deliveries) Pending(id site.ID, hook webhook.ID, n int) ([]webhook.Delivery, error) {
	ids, err := all(r.unit, r.state.pending, hookKey(id, hook), same)
	if err != nil {
		return nil, err
	}
	var found []webhook.Delivery
	for _, d := range ids[:min(len(ids), max(n, 0))] {
		delivery, _ := r.state.deliveries.get(deliveryKey(id, d))
		found = append(found, delivery)
	}
	return found, nil
}

func (r deliveries) Many(id site.ID, hook webhook.ID, ids []webhook.DeliveryID) ([]webhook.Delivery, error) {
	return many(r.unit, r.state.deliveries, id, ids, func(d webhook.Delivery) (webhook.Delivery, bool) { return d, d.Hook == hook })
}

func (r deliveries) Settle(settled []webhook.Settled) error {
	if err := r.writing(); err != nil {
		return err
	}
	for _, s := range settled {
		d, err := r.Get(s.Site, s.Hook, s.ID)
		if err != nil {
			return err
		}
		d.Status, d.Epoch, d.Failures, d.Number, d.Reason = s.Status, s.Epoch, s.Failures, s.Number, s.Reason
		if d.Status == webhook.Pending {
			d.Due = s.Due
		}
		redacted := r.redacted(d.Site, d.Type.Resource(), d.Resource)
		if redacted {
			d.Reason = ""
		}
		if err := r.keep(d); err != nil {
			return err
		}
		if s.Attempt == nil {
			continue
		}
		attempt := *s.Attempt
		if redacted {
			attempt.Excerpt = ""
		}
		if err := put(r.unit, &r.state.attempts, key(int64(s.Site), int64(s.ID), int64(attempt.Number)), attempt, same); err != nil {
			return err
		}
	}
	return nil
}

func redactionKey(id site.ID, kind string, resource int64) string {
	return key(int64(id)) + kind + key(resource)
}

func (u *unit) redacted(id site.ID, kind string, resource int64) bool {
	_, found := u.state.redacted.get(redactionKey(id, kind, resource))
	return found
}

func (r deliveries) Redact(id site.ID, kind string, resources []int64) error {
	for _, resource := range resources {
		if err := put(r.unit, &r.state.redacted, redactionKey(id, kind, resource), true, same); err != nil {
			return err
		}
	}
	return r.writing()
}

// each changes all pending deliveries of a webhook.
func (r deliveries) each(id site.ID, hook webhook.ID, change func(*webhook.Delivery)) error {
	pending, err := r.Pending(id, hook, 1<<30)
	for _, d := range pending {
		change(&d)
		if err := r.keep(d); err != nil {
			return err
		}
		r.becomesDue(d)
	}
	return err
}

func (r deliveries) Cancel(id site.ID, hook webhook.ID, reason string) error {
	if err := r.writing(); err != nil {
		return err
	}
	return r.each(id, hook, func(d *webhook.Delivery) { *d = d.Cancel(reason) })
}

func (r deliveries) Hasten(id site.ID, hook webhook.ID, due time.Time) error {
	if err := r.writing(); err != nil {
		return err
	}
	return r.each(id, hook, func(d *webhook.Delivery) {
		if d.Due.After(due) {
			d.Due = due
		}
	})
}

func (r deliveries) Due(now time.Time, n int) (int, error) {
	if err := r.reading(); err != nil {
		return 0, err
	}
	count := 0
	for d := range r.state.deliveries.values() {
		if d.Status == webhook.Pending && !d.Due.IsZero() && !d.Due.After(now) {
			count++
		}
	}
	return min(count, max(n, 0)), nil
}

func (r deliveries) List(q port.DeliveryQuery) ([]webhook.Delivery, error) {
	every, err := all(r.unit, r.state.deliveries, key(int64(q.Site)), same)
	if err != nil {
		return nil, err
	}
	slices.Reverse(every)
	every = slices.DeleteFunc(every, func(d webhook.Delivery) bool {
		return d.Hook != q.Hook || q.Before != 0 && d.ID >= q.Before || q.Status != nil && d.Status != *q.Status ||
			q.Type != "" && string(d.Type) != q.Type || q.Resource != 0 && d.Resource != q.Resource ||
			!q.From.IsZero() && d.Added.Before(q.From) || !q.To.IsZero() && !d.Added.Before(q.To)
	})
	return every[:min(len(every), max(q.Limit, 0))], nil
}

func (r deliveries) Count(c port.DeliveryCounting) ([]webhook.DeliveryCount, error) {
	latest, err := r.List(port.DeliveryQuery{Site: c.Site, Hook: c.Hook, Limit: c.Latest})
	steps := map[time.Time]webhook.DeliveryCount{}
	for _, d := range latest {
		var start time.Time
		if !d.Added.Before(c.From) {
			start = c.From.Add(d.Added.Sub(c.From) / c.Step * c.Step)
		}
		count := steps[start]
		count.Start, count.All, count.Failed = start, count.All+1, count.Failed+int64(d.Number)
		if d.Status == webhook.Succeeded {
			count.Succeeded, count.Failed = count.Succeeded+1, count.Failed-1
		}
		if count.Oldest.IsZero() || !d.Added.IsZero() && d.Added.Before(count.Oldest) {
			count.Oldest = d.Added
		}
		steps[start] = count
	}
	counts := slices.Collect(maps.Values(steps))
	slices.SortFunc(counts, func(a, b webhook.DeliveryCount) int { return a.Start.Compare(b.Start) })
	return counts, err
}

func (r deliveries) Attempts(id site.ID, hook webhook.ID, ds []webhook.DeliveryID) (map[webhook.DeliveryID][]webhook.Attempt, error) {
	found := map[webhook.DeliveryID][]webhook.Attempt{}
	for _, d := range ds {
		if of, there := r.state.deliveries.get(deliveryKey(id, d)); !there || of.Hook != hook {
			continue
		}
		made, err := all(r.unit, r.state.attempts, deliveryKey(id, d), same)
		if err != nil {
			return nil, err
		}
		if len(made) > 0 {
			found[d] = made
		}
	}
	return found, r.reading()
}

func (r deliveries) DeliveredOrPending(id site.ID, hook webhook.ID, events []int64) ([]int64, error) {
	every, err := all(r.unit, r.state.deliveries, key(int64(id)), same)
	var got []int64
	for _, d := range every {
		if d.Hook == hook && (d.Status == webhook.Succeeded || d.Status == webhook.Pending) && slices.Contains(events, d.Event) {
			got = append(got, d.Event)
		}
	}
	slices.Sort(got)
	return slices.Compact(got), err
}

func (r deliveries) Forget(id site.ID, kind string, resources []int64) error {
	return revise(r.unit, &r.state.deliveries, key(int64(id)), func(d webhook.Delivery) (webhook.Delivery, bool) {
		if d.Type.Resource() != kind || !slices.Contains(resources, d.Resource) {
			return d, true
		}
		for k, a := range r.state.attempts.under(deliveryKey(id, d.ID)) {
			a.Excerpt = ""
			r.state.attempts = r.state.attempts.with(k, a)
		}
		d.Reason = ""
		return d, true
	})
}

func (r deliveries) Purge(before time.Time, n int) (int, error) {
	gone, err := purge(r.unit, &r.state.deliveries, before, n, func(d webhook.Delivery) time.Time {
		if d.Status == webhook.Pending {
			return time.Time{}
		}
		return d.Added
	})
	for _, prefix := range gone {
		for k := range r.state.attempts.under(prefix) {
			r.state.attempts = r.state.attempts.without(k)
		}
	}
	return len(gone), err
}

// lease is the moment at which a webhook is due, and the lease of it.
type lease struct {
	site   site.ID
	hook   webhook.ID
	due    time.Time // zero: nothing is pending
	holder string
	until  time.Time
	served time.Time
}

func (r webhooks) Take(holder string, now, until time.Time, n int) ([]webhook.Lease, error) {
	if err := r.writing(); err != nil {
		return nil, err
	}
	free := r.dueLeases(now)
	slices.SortStableFunc(free, func(a, b lease) int { return cmp.Or(a.served.Compare(b.served), a.due.Compare(b.due)) })
	var taken []webhook.Lease
	for _, l := range free[:min(len(free), max(n, 0))] {
		l.holder, l.until, l.served = holder, until, now
		r.state.leases = r.state.leases.with(hookKey(l.site, l.hook), l)
		taken = append(taken, webhook.Lease{Site: l.site, Hook: l.hook, Holder: holder, Until: until})
	}
	return taken, nil
}

// dueLeases returns the leases of webhooks of open sites that are due and that nobody serves.
func (r webhooks) dueLeases(now time.Time) []lease {
	return slices.DeleteFunc(slices.Collect(r.state.leases.values()), func(l lease) bool {
		return l.due.IsZero() || l.due.After(now) || l.until.After(now) || !r.state.isOpen(l.site)
	})
}

func (r webhooks) Hold(l webhook.Lease) (held, open bool, err error) {
	if err := r.writing(); err != nil {
		return false, false, err
	}
	kept, found := r.state.leases.get(hookKey(l.Site, l.Hook))
	return found && kept.holder == l.Holder, r.state.isOpen(l.Site), nil
}

func (r webhooks) Kept(given []webhook.Lease) ([]webhook.Lease, error) {
	return slices.DeleteFunc(slices.Clone(given), func(l webhook.Lease) bool {
		held, found := r.state.leases.get(hookKey(l.Site, l.Hook))
		return !found || held.holder != l.Holder || !r.state.isOpen(l.Site)
	}), r.reading()
}

// change edits a lease, unless somebody else has it by now.
func (r webhooks) change(l webhook.Lease, edit func(*lease)) error {
	if err := r.writing(); err != nil {
		return err
	}
	k := hookKey(l.Site, l.Hook)
	if held, found := r.state.leases.get(k); found && held.holder == l.Holder {
		edit(&held)
		r.state.leases = r.state.leases.with(k, held)
	}
	return nil
}

func (r webhooks) Extend(l webhook.Lease, until time.Time) error {
	return r.change(l, func(held *lease) { held.until = until })
}

func (r webhooks) Release(l webhook.Lease) error {
	pending, err := deliveries(r).Pending(l.Site, l.Hook, 1<<30)
	if err != nil {
		return err
	}
	return r.change(l, func(held *lease) {
		held.holder, held.until, held.due = "", time.Time{}, webhook.NextDue(pending)
	})
}

func (r webhooks) Due(now time.Time) (count int, oldest time.Time, err error) {
	if err := r.reading(); err != nil {
		return 0, oldest, err
	}
	free := r.dueLeases(now)
	for _, l := range free {
		if oldest.IsZero() || l.due.Before(oldest) {
			oldest = l.due
		}
	}
	return len(free), oldest, nil
}

type rejections struct{ *unit }

func rejectionKey(id site.ID, kind string, resource int64, hook webhook.ID) string {
	return key(int64(id)) + kind + key(resource, int64(hook))
}

func (r rejections) Put(j webhook.Rejection) error {
	if r.redacted(j.Site, j.Kind, j.Resource) {
		j.Reason = ""
	}
	return put(r.unit, &r.state.rejections, rejectionKey(j.Site, j.Kind, j.Resource, j.Hook), j, same)
}

func (r rejections) Forget(id site.ID, kind string, resources []int64) error {
	return revise(r.unit, &r.state.rejections, key(int64(id))+kind, func(j webhook.Rejection) (webhook.Rejection, bool) {
		if j.Kind == kind && slices.Contains(resources, j.Resource) {
			j.Reason = ""
		}
		return j, true
	})
}

func (r rejections) Clear(id site.ID, hook webhook.ID, kind string, resource int64) (bool, error) {
	return r.clear(id, func(j webhook.Rejection) bool { return j.Hook == hook && j.Kind == kind && j.Resource == resource })
}

func (r rejections) ClearWebhook(id site.ID, hook webhook.ID) (bool, error) {
	return r.clear(id, func(j webhook.Rejection) bool { return j.Hook == hook })
}

func (r rejections) ClearResource(id site.ID, kind string, resource int64) (bool, error) {
	return r.clear(id, func(j webhook.Rejection) bool { return j.Kind == kind && j.Resource == resource })
}

func (r rejections) clear(id site.ID, which func(webhook.Rejection) bool) (found bool, err error) {
	err = discard(r.unit, &r.state.rejections, key(int64(id)), func(j webhook.Rejection) bool {
		cleared := which(j)
		found = found || cleared
		return cleared
	})
	return found, err
}

func (r rejections) Many(id site.ID, kind string, resources []int64) ([]webhook.Rejection, error) {
	var found []webhook.Rejection
	sorted := slices.Clone(resources)
	slices.Sort(sorted)
	for _, resource := range slices.Compact(sorted) {
		of, err := all(r.unit, r.state.rejections, key(int64(id))+kind+key(resource), same)
		if err != nil {
			return nil, err
		}
		found = append(found, of...)
	}
	return found, r.reading()
}

func (r rejections) Rejected(id site.ID, kind string, n int) ([]int64, error) {
	found, err := all(r.unit, r.state.rejections, key(int64(id))+kind, same)
	var resources []int64
	for _, j := range found {
		resources = append(resources, j.Resource)
	}
	resources = slices.Compact(resources)
	return resources[:min(len(resources), max(n, 0))], err
}

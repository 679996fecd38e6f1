package porttest

import (
	"errors"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

func (p program) hook() webhook.ID { return webhook.ID(p.number("webhook", 3)) }

// someDelivery is one that was made up before, or none.
func (p program) someDelivery() webhook.DeliveryID {
	last := p.made.delivery
	return webhook.DeliveryID(rapid.Int64Range(max(1, last-4), last+1).Draw(p.rapid, "delivery"))
}

func (p program) newDelivery() webhook.Delivery {
	p.made.delivery++
	id := webhook.DeliveryID(p.made.delivery)
	d := draw(p, "made", plainDelivery(p.site, 1, id, 1, time.Time{}), sampleDelivery(p.site, 1, id), webhook.Delivery{ID: id, Site: p.site, Epoch: -1 << 60})
	d.Hook, d.Event, d.Due = p.hook(), draw[int64](p, "event", 0, 1, 2, 3, 1<<60), old(p.second())
	d.Status = draw(p, "status", webhook.Pending, webhook.Pending, webhook.Pending, webhook.Succeeded, webhook.Cancelled)
	d.Resource, d.Type = p.number("resource", 2), draw(p, "type", event.ProductUpdate, event.CustomerCreate)
	d.Added = old(p.second())
	return d
}

func (p program) second() int { return int(p.number("second", 9)) }

func (p program) hookCommand() command {
	hook, text := p.hook(), draw(p, "text", "", "a", awkward)
	made := sampleWebhook(p.site, hook)
	made.URL = text
	if draw(p, "headers", false, true) {
		made.Headers = map[string]string{"X": text}
	}
	bare := draw(p, "webhook", made, webhook.Webhook{Site: p.site, ID: hook})
	var keys []webhook.Key
	for _, id := range []webhook.ID{3, 1, 2} {
		keys = append(keys, webhook.Key{Site: p.site, Hook: id}, webhook.Key{Site: p.sites[0], Hook: id})
	}
	put := writes("put a webhook", func(tx port.Tx) error { return tx.Webhooks().Put(bare) })
	return p.pick(with{"webhook": bare}, []command{
		reads("webhook", func(tx port.Tx) (webhook.Webhook, error) { return tx.Webhooks().Get(p.site, hook) }),
		reads("webhooks", func(tx port.Tx) ([]webhook.Webhook, error) { return tx.Webhooks().Of(p.site) }),
	}, put, put,
		reads("free webhooks", func(tx port.Tx) ([]webhook.Webhook, error) { return tx.Webhooks().Free(keys) }),
		reads("change the webhook", func(tx port.Tx) (webhook.Webhook, error) {
			found, err := tx.Webhooks().Get(p.site, hook)
			if err == nil {
				found.Epoch++
				found.State, found.Headers = 1-found.State, nil
				err = tx.Webhooks().Put(found)
			}
			return found, err
		}),
		writes("delete the webhook", func(tx port.Tx) error { return tx.Webhooks().Delete(p.site, hook) }))
}

func (p program) deliveryCommand() command {
	hook, d, n, at, resource := p.hook(), p.someDelivery(), p.limit(), old(p.second()), p.number("resource", 2)
	kind, q := draw(p, "kind", "PRODUCT", "CUSTOMER"), p.deliveryQuery(hook, n)
	var added []webhook.Delivery
	for range p.number("deliveries", 4) - 1 {
		added = append(added, p.newDelivery())
	}
	hasten := writes("hasten", func(tx port.Tx) error { return tx.Deliveries().Hasten(p.site, hook, at) })
	add, settle := writes("add", func(tx port.Tx) error { return tx.Deliveries().Add(added) }), p.settleCommand(hook)
	return p.pick(with{"webhook": hook, "delivery": d, "limit": n, "at": at, "kind": kind, "resource": resource, "query": q, "added": added}, []command{
		reads("delivery", func(tx port.Tx) (webhook.Delivery, error) { return tx.Deliveries().Get(p.site, hook, d) }),
		reads("deliveries", func(tx port.Tx) ([]webhook.Delivery, error) {
			return tx.Deliveries().Many(p.site, hook, []webhook.DeliveryID{d, 2, 1, d, 99})
		}),
		reads("list", func(tx port.Tx) ([]webhook.Delivery, error) { return tx.Deliveries().List(q) }),
		reads("count", func(tx port.Tx) ([]webhook.DeliveryCount, error) {
			return tx.Deliveries().Count(port.DeliveryCounting{Site: p.site, Hook: hook, From: at, Step: 3 * time.Second, Latest: n})
		}),
		reads("list all, with attempts", func(tx port.Tx) ([]any, error) {
			made, err := tx.Deliveries().List(port.DeliveryQuery{Site: p.site, Hook: hook, Limit: 1000})
			ids := []webhook.DeliveryID{d}
			for _, d := range made {
				ids = append(ids, d.ID)
			}
			attempts, err2 := tx.Deliveries().Attempts(p.site, hook, ids)
			return []any{made, attempts}, errors.Join(err, err2)
		}),
		reads("pending", func(tx port.Tx) ([]webhook.Delivery, error) { return tx.Deliveries().Pending(p.site, hook, n) }),
		reads("delivered or pending", func(tx port.Tx) ([]int64, error) {
			return tx.Deliveries().DeliveredOrPending(p.site, hook, []int64{2, int64(n), 1, -1, 1 << 60})
		}),
		reads("due", func(tx port.Tx) (int, error) { return tx.Deliveries().Due(at, n) }),
	}, add, add, add, add, add, settle, settle, settle, settle,
		writes("cancel", func(tx port.Tx) error { return tx.Deliveries().Cancel(p.site, hook, awkward) }),
		hasten, hasten, hasten,
		p.purges("deliveries", at, func(tx port.Tx, before time.Time, n int) (int, error) { return tx.Deliveries().Purge(before, n) }),
		writes("redact", func(tx port.Tx) error { return tx.Deliveries().Redact(p.site, "CUSTOMER", []int64{resource}) }),
		writes("forget what was said", func(tx port.Tx) error { return tx.Deliveries().Forget(p.site, kind, []int64{resource, 3}) }))
}

// settleCommand has some deliveries end in different ways, or none of them if one is missing.
func (p program) settleCommand(hook webhook.ID) command {
	strict := draw(p, "strict", false, false, false, true)
	after, attempts := map[webhook.DeliveryID]webhook.Delivery{}, map[webhook.DeliveryID]*webhook.Attempt{}
	for range p.number("deliveries", 3) {
		id, n := p.someDelivery(), int(p.number("attempt", 4)-1)
		after[id] = webhook.Delivery{
			Status: webhook.Status(p.number("status", int64(webhook.Statuses)) - 1), Due: old(p.second()), Number: n, Epoch: int64(n), Failures: n,
			Reason: draw(p, "reason", "", awkward),
		}
		attempts[id] = draw(p, "attempt made", nil, &webhook.Attempt{Number: n, At: old(p.second()), URL: draw(p, "url", "https://x", "https://y"), Status: 200, Excerpt: draw(p, "excerpt", "", awkward)})
	}
	return command{"settle", func(tx port.Tx) (any, error) {
		var settled []webhook.Settled
		for id, to := range after {
			d, err := tx.Deliveries().Get(p.site, hook, id)
			switch {
			case errors.Is(err, fault.NotFound) && strict:
				d = plainDelivery(p.site, hook, id, 1, old(1))
			case errors.Is(err, fault.NotFound):
				continue
			case err != nil:
				return nil, err
			}
			d.Status, d.Due, d.Number, d.Epoch, d.Failures, d.Reason = to.Status, to.Due, to.Number, to.Epoch, to.Failures, to.Reason
			settled = append(settled, webhook.Settled{Delivery: d, Attempt: attempts[id]})
		}
		slices.SortFunc(settled, func(a, b webhook.Settled) int { return int(a.ID - b.ID) })
		return settled, final(tx.Deliveries().Settle(settled))
	}}
}

func (p program) deliveryQuery(hook webhook.ID, n int) port.DeliveryQuery {
	q := port.DeliveryQuery{Site: p.site, Hook: hook, Limit: n}
	p.narrow(
		func() { q.Before = draw(p, "before", p.someDelivery(), 1<<63-1) },
		func() { status := draw(p, "status", webhook.Pending, webhook.Succeeded); q.Status = &status },
		func() { q.Type = draw(p, "type", "PRODUCT_UPDATE", "product_update") },
		func() { q.Resource = 1 },
		func() { q.From = old(p.second()) },
		func() { q.To = old(p.second()) },
	)
	return q
}

func (p program) leaseCommand() command {
	lease := webhook.Lease{Site: p.site, Hook: p.hook(), Holder: draw(p, "holder", "a", "b")}
	now := p.second()
	until, n := old(now+p.second()-2), p.limit()
	gives := func(tx port.Tx, l webhook.Lease) ([2]bool, error) {
		held, open, err := tx.Webhooks().Hold(l)
		if err == nil && held {
			err = tx.Webhooks().Release(l)
		}
		return [2]bool{held, held && open}, err
	}
	take := func(tx port.Tx) ([]webhook.Lease, error) {
		taken, err := tx.Webhooks().Take(lease.Holder, old(now), until, n)
		return sortedLeases(taken), err
	}
	serve := reads("take and give up", func(tx port.Tx) ([]webhook.Lease, error) {
		taken, err := take(tx)
		for _, l := range taken {
			_, err2 := gives(tx, l)
			err = errors.Join(err, err2)
		}
		return taken, err
	})
	return p.pick(with{"lease": lease, "now": now, "until": until, "limit": n}, []command{
		reads("kept", func(tx port.Tx) ([]webhook.Lease, error) {
			kept, err := tx.Webhooks().Kept([]webhook.Lease{lease, {Site: p.sites[0], Hook: 1, Holder: "a"}, {Site: p.sites[0], Hook: 2, Holder: "b"}})
			return sortedLeases(kept), err
		}),
		reads("webhooks due", func(tx port.Tx) ([]any, error) {
			count, oldest, err := tx.Webhooks().Due(old(now))
			return []any{count, oldest}, err
		}),
	}, serve, serve, reads("take", take), reads("take", take),
		reads("give up", func(tx port.Tx) ([2]bool, error) { return gives(tx, lease) }),
		reads("hold", func(tx port.Tx) ([2]bool, error) {
			held, open, err := tx.Webhooks().Hold(lease)
			return [2]bool{held, held && open}, err
		}),
		writes("extend", func(tx port.Tx) error { return tx.Webhooks().Extend(lease, until) }))
}

func sortedLeases(leases []webhook.Lease) []webhook.Lease {
	slices.SortFunc(leases, func(a, b webhook.Lease) int { return int(a.Site-b.Site)*100 + int(a.Hook-b.Hook) })
	return leases
}

func (p program) rejectionCommand() command {
	hook, kind, resource, n := p.hook(), draw(p, "kind", "PRODUCT", "CUSTOMER"), p.number("resource", 2), p.limit()
	made := webhook.Rejection{Site: p.site, Hook: hook, Kind: kind, Resource: resource, Reason: draw(p, "reason", "", awkward), At: old(p.second())}
	reject := writes("reject", func(tx port.Tx) error { return tx.Rejections().Put(made) })
	return p.pick(with{"made": made, "limit": n}, []command{
		reads("rejections", func(tx port.Tx) ([]webhook.Rejection, error) {
			products, err := tx.Rejections().Many(p.site, "PRODUCT", []int64{2, 1, 2})
			customers, err2 := tx.Rejections().Many(p.site, "CUSTOMER", []int64{2, 1})
			return append(products, customers...), errors.Join(err, err2)
		}),
		reads("rejected", func(tx port.Tx) ([]int64, error) { return tx.Rejections().Rejected(p.site, kind, n) }),
	}, reject, reject,
		reads("clear", func(tx port.Tx) (bool, error) { return tx.Rejections().Clear(p.site, hook, kind, resource) }),
		reads("clear those of the resource", func(tx port.Tx) (bool, error) { return tx.Rejections().ClearResource(p.site, kind, resource) }),
		reads("clear those of the webhook", func(tx port.Tx) (bool, error) { return tx.Rejections().ClearWebhook(p.site, hook) }),
		writes("forget why", func(tx port.Tx) error { return tx.Rejections().Forget(p.site, kind, []int64{resource, 3}) }))
}

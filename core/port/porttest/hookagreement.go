package porttest

import (
	"errors"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/port"
)

// madeHooks is how many webhooks programs make up.
const madeHooks = 3

func (p program) hook() webhook.ID { return webhook.ID(p.number("webhook", madeHooks)) }

// someDelivery is one that was made up before, or none.
func (p program) someDelivery() webhook.DeliveryID {
	return webhook.DeliveryID(rapid.Int64Range(max(1, *p.delivery-4), *p.delivery+1).Draw(p.rapid, "delivery"))
}

func (p program) newDelivery() webhook.Delivery {
	*p.delivery++
	d := plainDelivery(p.site, p.hook(), webhook.DeliveryID(*p.delivery), p.number("event", 4)-1, old(p.second()))
	d.Status = draw(p, "status", webhook.Pending, webhook.Pending, webhook.Pending, webhook.Succeeded, webhook.Cancelled)
	d.Resource, d.Type = p.number("resource", 2), draw(p, "type", event.ProductUpdate, event.CustomerCreate)
	d.Added = old(p.second())
	return d
}

func (p program) second() int { return int(p.number("second", 9)) }

func (p program) hookCommand() command {
	hook := p.hook()
	text := draw(p, "text", "", "a", awkward)
	switch draw(p, "command", "put", "put", "change", "get", "delete", "entity", "entity") {
	case "put":
		made := sampleWebhook(p.site, hook)
		made.URL, made.Headers = text, map[string]string{"X": text}
		return command{fmt.Sprintf("put webhook %d with %q", hook, text), func(tx port.Tx) (any, error) { return nil, tx.Webhooks().Put(made) }}
	case "change":
		return command{fmt.Sprintf("change webhook %d", hook), func(tx port.Tx) (any, error) {
			found, err := tx.Webhooks().Get(p.site, hook)
			if err == nil {
				found.Epoch++
				found.State, found.Headers = 1-found.State, nil
				err = tx.Webhooks().Put(found)
			}
			return found, err
		}}
	case "entity":
		return p.entityCommand()
	case "delete":
		return command{fmt.Sprintf("delete webhook %d", hook), func(tx port.Tx) (any, error) { return nil, tx.Webhooks().Delete(p.site, hook) }}
	}
	if draw(p, "free", false, true) {
		return command{fmt.Sprintf("free webhook %d", hook), func(tx port.Tx) (any, error) {
			return tx.Webhooks().Free([]webhook.Key{{Site: p.site, Hook: hook}, {Site: p.site, Hook: 1}})
		}}
	}
	return command{fmt.Sprintf("get webhook %d", hook), func(tx port.Tx) (any, error) { return tx.Webhooks().Get(p.site, hook) }}
}

func (p program) deliveryCommand() command {
	hook, d, n := p.hook(), p.someDelivery(), int(p.number("n", 5)-1)
	switch draw(p, "command", "add", "add", "add", "settle", "settle", "settle together", "settle together", "get", "list all", "pending", "cancel", "hasten", "list", "attempts", "delivered", "due", "purge", "redact", "forget") {
	case "redact":
		resource := p.number("resource", 2)
		return command{fmt.Sprint("redact customer ", resource), func(tx port.Tx) (any, error) {
			return nil, tx.Deliveries().Redact(p.site, "CUSTOMER", []int64{resource, resource})
		}}
	case "forget":
		kind, resource := draw(p, "kind", "PRODUCT", "CUSTOMER"), p.number("resource", 2)
		return command{fmt.Sprintf("forget what was said about %s %d", kind, resource), func(tx port.Tx) (any, error) {
			return nil, tx.Deliveries().Forget(p.site, kind, []int64{resource})
		}}
	case "add":
		added := make([]webhook.Delivery, n)
		for i := range added {
			added[i] = p.newDelivery()
		}
		return command{fmt.Sprintf("add %+v", added), func(tx port.Tx) (any, error) { return nil, tx.Deliveries().Add(added) }}
	case "settle":
		due, status := old(p.second()), webhook.Status(p.number("status", int64(webhook.Statuses))-1)
		attempt := sampleAttempt(n)
		return command{fmt.Sprintf("settle %d of %d as %s, due %s", d, hook, status, due), func(tx port.Tx) (any, error) {
			found, err := tx.Deliveries().Get(p.site, hook, d)
			if err != nil {
				return nil, err
			}
			found.Status, found.Due, found.Number, found.Reason = status, due, n, awkward
			if n == 0 {
				return nil, settle(tx, found, nil)
			}
			return nil, settle(tx, found, &attempt)
		}}
	case "settle together":
		return p.settleTogether(hook)
	case "list all":
		return command{fmt.Sprintf("everything of webhook %d, with its attempts", hook), func(tx port.Tx) (any, error) {
			made, err := tx.Deliveries().List(port.DeliveryQuery{Site: p.site, Hook: hook, Limit: 1000})
			var ids []webhook.DeliveryID
			for _, d := range made {
				ids = append(ids, d.ID)
			}
			attempts, err2 := tx.Deliveries().Attempts(p.site, hook, ids)
			return []any{made, attempts}, errors.Join(err, err2)
		}}
	case "pending":
		return command{fmt.Sprintf("%d pending of %d", n, hook), func(tx port.Tx) (any, error) { return tx.Deliveries().Pending(p.site, hook, n) }}
	case "cancel":
		return command{fmt.Sprintf("cancel %d", hook), func(tx port.Tx) (any, error) { return nil, tx.Deliveries().Cancel(p.site, hook, awkward) }}
	case "hasten":
		due := old(p.second())
		return command{fmt.Sprintf("hasten %d to %s", hook, due), func(tx port.Tx) (any, error) { return nil, tx.Deliveries().Hasten(p.site, hook, due) }}
	case "list":
		q := p.deliveryQuery(hook, n)
		return command{fmt.Sprintf("list %+v", q), func(tx port.Tx) (any, error) { return tx.Deliveries().List(q) }}
	case "attempts":
		return command{fmt.Sprintf("attempts of %d", d), func(tx port.Tx) (any, error) {
			return tx.Deliveries().Attempts(p.site, hook, []webhook.DeliveryID{d, 1, d})
		}}
	case "delivered":
		return command{fmt.Sprintf("delivered %d to %d", n, hook), func(tx port.Tx) (any, error) {
			return tx.Deliveries().DeliveredOrPending(p.site, hook, []int64{2, int64(n), 1})
		}}
	case "due":
		now := old(p.second())
		return command{fmt.Sprintf("%d due at %s", n, now), func(tx port.Tx) (any, error) { return tx.Deliveries().Due(now, n) }}
	case "purge":
		before := old(p.second())
		return command{fmt.Sprintf("purge %d deliveries before %s", n, before), func(tx port.Tx) (any, error) { return tx.Deliveries().Purge(before, n) }}
	}
	return command{fmt.Sprintf("delivery %d of %d", d, hook), func(tx port.Tx) (any, error) { return tx.Deliveries().Get(p.site, hook, d) }}
}

// settleTogether has some deliveries get through at the first attempt.
func (p program) settleTogether(hook webhook.ID) command {
	var ids []webhook.DeliveryID
	for range p.number("deliveries", 4) {
		ids = append(ids, p.someDelivery())
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	attempt := webhook.Attempt{Number: 1, At: old(p.second()), URL: draw(p, "url", "https://x", "https://y"), Status: 200, Excerpt: draw(p, "excerpt", "", awkward)}
	return command{fmt.Sprintf("settle %d of %d together, by %+v", ids, hook, attempt), func(tx port.Tx) (any, error) {
		var settled []webhook.Settled
		for _, id := range ids {
			d, err := tx.Deliveries().Get(p.site, hook, id)
			if errors.Is(err, fault.NotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			d.Status, d.Number, d.Failures, d.Reason, d.Due = webhook.Succeeded, 1, 0, "", attempt.At
			made := attempt
			settled = append(settled, webhook.Settled{Delivery: d, Attempt: &made})
		}
		return len(settled), tx.Deliveries().Settle(settled)
	}}
}

func (p program) deliveryQuery(hook webhook.ID, n int) port.DeliveryQuery {
	q := port.DeliveryQuery{Site: p.site, Hook: hook, Limit: n}
	for _, narrow := range []func(){
		func() { q.Before = p.someDelivery() },
		func() { status := draw(p, "status", webhook.Pending, webhook.Succeeded); q.Status = &status },
		func() { q.Type = string(event.ProductUpdate) },
		func() { q.Resource = 1 },
		func() { q.From = old(p.second()) },
		func() { q.To = old(p.second()) },
	} {
		if draw(p, "narrow", false, false, true) {
			narrow()
		}
	}
	return q
}

func (p program) leaseCommand() command {
	lease := webhook.Lease{Site: p.site, Hook: p.hook(), Holder: draw(p, "holder", "a", "b")}
	now, until, n := old(p.second()), old(p.second()+3), int(p.number("n", 4)-1)
	switch draw(p, "command", "take", "take", "take", "hold", "kept", "extend", "release", "release", "due") {
	case "kept":
		return command{fmt.Sprintf("kept %+v", lease), func(tx port.Tx) (any, error) {
			kept, err := tx.Leases().Kept([]webhook.Lease{lease})
			return len(kept), err
		}}
	case "hold":
		return command{fmt.Sprintf("hold %+v", lease), func(tx port.Tx) (any, error) {
			held, _, err := tx.Leases().Hold(lease)
			return held, err
		}}
	case "extend":
		return command{fmt.Sprintf("extend %+v to %s", lease, until), func(tx port.Tx) (any, error) { return nil, tx.Leases().Extend(lease, until) }}
	case "release":
		return command{fmt.Sprintf("release %+v", lease), func(tx port.Tx) (any, error) {
			held, _, err := tx.Leases().Hold(lease)
			if err == nil && held {
				err = tx.Leases().Release(lease)
			}
			return held, err
		}}
	case "due":
		return command{fmt.Sprintf("due at %s", now), func(tx port.Tx) (any, error) {
			count, oldest, err := tx.Leases().Due(now)
			return []any{count, oldest}, err
		}}
	}
	return command{fmt.Sprintf("%s takes %d at %s until %s", lease.Holder, n, now, until), func(tx port.Tx) (any, error) {
		taken, err := tx.Leases().Take(lease.Holder, now, until, n)
		slices.SortFunc(taken, func(a, b webhook.Lease) int { return int(a.Hook - b.Hook) })
		return taken, err
	}}
}

func (p program) logCommand() command {
	hook, n, at := p.hook(), int(p.number("n", 4)-1), old(p.second())
	kind, resource := draw(p, "kind", "PRODUCT", "CUSTOMER"), p.number("resource", 2)
	switch draw(p, "command", "reject", "reject", "clear", "clear resource", "unword", "forget", "rejections", "rejected", "touch", "happen", "events", "purge events") {
	case "reject":
		made := webhook.Rejection{Site: p.site, Hook: hook, Kind: kind, Resource: resource, Reason: awkward, At: at}
		return command{fmt.Sprintf("reject %+v", made), func(tx port.Tx) (any, error) { return nil, tx.Rejections().Put(made) }}
	case "clear":
		return command{fmt.Sprintf("clear %s %d of %d", kind, resource, hook), func(tx port.Tx) (any, error) {
			return tx.Rejections().Clear(p.site, hook, kind, resource)
		}}
	case "clear resource":
		return command{fmt.Sprintf("clear %s %d", kind, resource), func(tx port.Tx) (any, error) {
			return tx.Rejections().ClearResource(p.site, kind, resource)
		}}
	case "unword":
		return command{fmt.Sprintf("forget why %s %d was rejected", kind, resource), func(tx port.Tx) (any, error) {
			return nil, tx.Rejections().Forget(p.site, kind, []int64{resource, 3})
		}}
	case "forget":
		return command{fmt.Sprintf("clear all of %d", hook), func(tx port.Tx) (any, error) { return tx.Rejections().ClearWebhook(p.site, hook) }}
	case "rejected":
		return command{fmt.Sprintf("%d rejected of %s", n, kind), func(tx port.Tx) (any, error) { return tx.Rejections().Rejected(p.site, kind, n) }}
	case "touch":
		return command{"touch rejections", func(tx port.Tx) (any, error) {
			err := tx.Ledger().Touch(p.site, port.AspectRejections)
			if err != nil {
				return nil, err
			}
			return tx.Ledger().Head(p.site)
		}}
	case "happen":
		happened := []event.Event{{Type: event.ProductUpdate, Resource: resource}}
		return command{fmt.Sprintf("append %+v at %s", happened, at), func(tx port.Tx) (any, error) { return tx.Ledger().Append(p.site, at, happened) }}
	case "events":
		return command{fmt.Sprintf("%d events", n), func(tx port.Tx) (any, error) { return tx.Ledger().After(p.site, 0, n) }}
	case "purge events":
		return command{fmt.Sprintf("purge %d events before %s", n, at), func(tx port.Tx) (any, error) { return tx.Ledger().Purge(at, n) }}
	}
	return command{fmt.Sprintf("rejections of %s %d", kind, resource), func(tx port.Tx) (any, error) {
		return tx.Rejections().Many(p.site, kind, []int64{resource, 2, resource})
	}}
}

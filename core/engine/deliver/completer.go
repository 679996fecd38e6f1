package deliver

import (
	"context"
	"slices"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
)

// commitTimeout is how long the completer's unit of work may take. Somebody may
// hold a delivery, and only its webhook ought to wait for that.
const commitTimeout = time.Second

// batch is what got through to one webhook.
type batch struct {
	lease   webhook.Lease
	epoch   int64
	results []result
	// stored gets whether the completer has stored it.
	stored chan<- bool
}

// completes has the completer store results, or reports that it did not.
func (w *worker) completes(results []result) bool {
	stored := make(chan bool, 1)
	w.batches <- batch{w.lease, w.epoch, results, stored}
	return <-stored
}

// completions is how many units of work of the completer are under way: while the
// database puts one on its disk, the next is written. They are about different
// webhooks, because a worker waits for its batch.
const completions = 2

// complete stores batches until there will be no more, those of several webhooks
// with one unit of work: storing costs little for each delivery and much for each
// unit. This is all the completer does. A batch that turns out to need more goes
// back to its worker, and so does one whose webhook somebody else holds: nobody
// waits for another's webhook.
func (d *dispatcher) complete() {
	for batches := d.gather(); len(batches) > 0; batches = d.gather() {
		var stored []bool
		err := d.update(context.Background(), min(commitTimeout, d.Lease), func(u unit) (err error) {
			stored, err = u.complete(batches)
			return err
		})
		if err != nil {
			d.Observe.Trouble(err)
		}
		d.completing.Add(-int64(len(batches)))
		for i, b := range batches {
			b.stored <- err == nil && stored[i]
		}
	}
}

// gather takes the batches that are there, and waits a moment for more while most
// workers may have some. There are none when there will be no more.
func (d *dispatcher) gather() (batches []batch) {
	d.gathering <- struct{}{}
	defer func() { <-d.gathering }()
	first, open := <-d.batches
	if !open {
		return nil
	}
	batches = append(batches, first)
	defer func() { d.completing.Add(int64(len(batches))) }()
	var enough <-chan time.Time
	for {
		select {
		case b := <-d.batches: // it is not closed while anybody waits for us
			batches = append(batches, b)
			continue
		default:
		}
		// Those whose batches are being stored have no other one.
		workers := len(d.slots) - int(d.completing.Load())
		if 2*len(batches) > len(d.slots) || len(batches) >= workers {
			return batches
		}
		if enough == nil {
			enough = d.Gather()
		}
		select {
		case b := <-d.batches:
			batches = append(batches, b)
		case <-enough:
			return batches
		}
	}
}

// complete stores batches and says which. It leaves alone webhooks that somebody
// else holds or that were changed, and leases that were lost. Leases need not be
// held: a process that has taken one over has to wait for the webhook before they can
// store anything.
func (u unit) complete(batches []batch) ([]bool, error) {
	keys, leases := make([]webhook.Key, len(batches)), make([]webhook.Lease, len(batches))
	for i, b := range batches {
		keys[i], leases[i] = b.lease.Key(), b.lease
	}
	free, err := u.Webhooks().Free(keys)
	if err != nil {
		return nil, err
	}
	if leases, err = u.Webhooks().Kept(leases); err != nil {
		return nil, err
	}
	stored := make([]bool, len(batches))
	var settled []webhook.Settled
	for i, b := range batches {
		at := slices.IndexFunc(free, func(hook webhook.Webhook) bool {
			return hook.Key() == b.lease.Key() && hook.State == webhook.Active && hook.Epoch == b.epoch
		})
		stored[i] = at >= 0 && slices.ContainsFunc(leases, func(kept webhook.Lease) bool {
			return kept.Key() == b.lease.Key() && kept.Holder == b.lease.Holder
		})
		if !stored[i] {
			continue
		}
		hook, before := free[at], free[at].LastSuccess
		for _, r := range b.results {
			var ended webhook.Settled
			hook, ended = u.judge(hook, r.delivery, r)
			settled = append(settled, ended)
		}
		// While deliveries succeed one after the other, the time of the last success
		// may lag a little.
		if u.now.Sub(before) >= pollInterval {
			if err := u.Webhooks().Put(hook); err != nil {
				return nil, err
			}
		}
	}
	return stored, u.Deliveries().Settle(settled)
}

package deliver

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/webhook"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// dispatcher leases webhooks with due deliveries, and starts a worker for each.
type dispatcher struct {
	k *kernel.Kernel
	Options
	sender port.Sender
	// name identifies the process, rounds its leases: a lease that was
	// lost is not mistaken for a later one.
	name   string
	rounds int
	// slots has an element for each worker.
	slots   chan struct{}
	workers sync.WaitGroup
	// batches go to the completer; gathering has an element while it gathers those of
	// a unit of work, and completing is how many are being stored.
	batches    chan batch
	gathering  chan struct{}
	completing atomic.Int64

	mu      sync.Mutex
	serving map[webhook.Key]*worker
}

func (d *dispatcher) run(ctx context.Context) error {
	var completer sync.WaitGroup
	for range completions {
		completer.Go(d.complete)
	}
	defer completer.Wait()
	defer close(d.batches)
	defer d.workers.Wait()
	for look := true; ; {
		if look {
			if err := d.takeLeases(ctx); err != nil {
				d.Observe.Trouble(err)
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-d.k.Deliveries.Wakeup:
			look = d.notify(d.k.Deliveries.Take())
		case <-d.Tick:
			d.poll()
			look = true
		}
	}
}

// takeLeases takes leases as long as there are any, and slots for them.
func (d *dispatcher) takeLeases(ctx context.Context) error {
	for ctx.Err() == nil {
		free := cap(d.slots) - len(d.slots)
		if free == 0 {
			return nil // the worker that finishes wakes us
		}
		workers, err := d.take(ctx, free, true)
		if err != nil {
			return err
		}
		for _, w := range workers {
			d.start(ctx, w)
		}
		if len(workers) < free {
			return nil
		}
	}
	return nil
}

// take takes up to n leases. If it is a single one, which is what an event makes
// in quiet times, the same unit of work looks ahead for what to send.
func (d *dispatcher) take(ctx context.Context, n int, ahead bool) (workers []*worker, err error) {
	d.rounds++
	holder := d.name + "-" + strconv.Itoa(d.rounds)
	var leases []webhook.Lease
	var jobs []job
	var failed error // while looking ahead
	err = d.update(ctx, d.Lease, func(u unit) error {
		leases, err = u.Webhooks().Take(holder, u.now, u.now.Add(d.Lease), n)
		jobs, failed = nil, nil
		if err == nil && ahead && len(leases) == 1 {
			jobs, failed = u.lookAhead(leases[0])
		}
		return kernel.FirstError(err, failed)
	})
	switch {
	case failed != nil:
		return d.take(ctx, n, false) // the worker will meet the fault, and nobody else
	case err != nil:
		return nil, err
	}
	for _, lease := range leases {
		workers = append(workers, newWorker(d, lease, jobs))
	}
	return workers, nil
}

// start runs a worker in a goroutine of its own.
func (d *dispatcher) start(ctx context.Context, w *worker) {
	key := w.lease.Key()
	d.mu.Lock()
	d.serving[key] = w
	d.mu.Unlock()
	d.slots <- struct{}{}
	d.workers.Go(func() {
		err := w.run(ctx)
		if err != nil {
			d.Observe.Trouble(err)
		}
		again := err != nil || d.isFull()
		d.mu.Lock()
		if d.serving[key] == w {
			delete(d.serving, key)
		}
		again = again || len(w.wakeup) > 0 // it left something, or was woken too late
		d.mu.Unlock()
		<-d.slots
		if again {
			d.k.Deliveries.AnnounceAny()
		}
	})
}

// notify wakes the workers of webhooks that have more to deliver, and reports
// whether there may be webhooks without a worker.
func (d *dispatcher) notify(announced []webhook.Key, all bool) (others bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, key := range announced {
		if w := d.serving[key]; w != nil {
			w.wakeup.Wake()
		} else {
			others = true
		}
	}
	return others || all
}

// pollInterval is how long a worker that could send more goes without looking for
// what other processes added.
const pollInterval = time.Second

// poll wakes the workers that have not looked for long, and those whose lease has to be
// extended though nothing comes back.
func (d *dispatcher) poll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.k.Moment()
	for _, w := range d.serving {
		if now.UnixNano()-w.looked.Load() > int64(pollInterval) {
			w.wakeup.Wake()
		}
		if d.isEnding(time.Unix(0, w.until.Load()), now) {
			w.ending.Wake()
		}
	}
}

// isFull reports whether webhooks may be waiting for a slot.
func (d *dispatcher) isFull() bool { return len(d.slots) == cap(d.slots) }

// update runs a unit of work to its end, within a limit, even when ctx ends:
// nobody else knows about a lease that was taken, or an attempt that was made.
func (d *dispatcher) update(ctx context.Context, limit time.Duration, fn func(unit) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	return d.k.Store.Update(ctx, func(tx port.Tx) error {
		return fn(unit{Tx: tx, now: d.k.Moment(), options: d.Options, base: d.k.Options.URL("")})
	})
}

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
)

// receiver is what webhooks are delivered to. It remembers every request.
type receiver struct {
	*rig.Receiver
	mu    sync.Mutex
	hooks map[string]*inbox
	// answer decides what a request is answered with, holding the lock.
	answer func(*inbox, *receipt) rig.Reply
	last   time.Time
	// run is how often the sender was killed.
	run int
}

// inbox is what came to one webhook.
type inbox struct {
	name string
	// events are what came, by the webhook-id header.
	events map[string]*receipt
	// reached is the last event accepted of each resource.
	reached map[int64]int64
	// inversions counts events that were accepted after a later one of the same
	// resource had been.
	inversions int
	// attempts counts requests by the run they came in, and repeated events by the run after
	// which they were accepted again.
	attempts, repeated map[int]int
}

// receipt is what is known about one event at one webhook.
type receipt struct {
	site     int
	event    int64 // in the ledger of its site
	kind     string
	resource int64
	requests int
	failures int // of ours
	accepted int
	attempt  int // the highest number seen
	run      int // in which it was accepted last
	at       time.Time
}

const failShare = 0.05

// sometimesFailing answers one request in twenty with 500, but never so often
// that the webhook would be suspended.
func sometimesFailing(_ *inbox, r *receipt) rig.Reply {
	if r.failures < 3 && rand.Float64() < failShare {
		return rig.Reply{Status: http.StatusInternalServerError}
	}
	return rig.Reply{Status: http.StatusOK}
}

func newReceiver(answer func(*inbox, *receipt) rig.Reply) (_ *receiver, err error) {
	r := &receiver{hooks: map[string]*inbox{}, answer: answer}
	r.Receiver, err = rig.Receive(r.take)
	return r, err
}

// take notes a request and decides about its answer.
func (r *receiver) take(d rig.Delivery) rig.Reply {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = d.At
	in := r.inbox(d.Path)
	id := d.Header.Get("webhook-id")
	got := in.events[id]
	if got == nil {
		got = &receipt{kind: d.Type, resource: d.Resource, at: d.At}
		if _, err := fmt.Sscanf(id, "evt_%d_%d", &got.site, &got.event); err != nil {
			return rig.Reply{Status: http.StatusBadRequest}
		}
		in.events[id] = got
	}
	got.requests++
	in.attempts[r.run]++
	if n, err := strconv.Atoi(d.Header.Get("X-Delivery-Attempt")); err == nil {
		got.attempt = max(got.attempt, n)
	}
	reply := r.answer(in, got)
	if reply.Status != http.StatusOK {
		got.failures++
		return reply
	}
	before := got.run
	got.run = r.run
	if got.accepted++; got.accepted > 1 {
		if before != r.run {
			in.repeated[before]++
		}
		return reply
	}
	if got.event < in.reached[d.Resource] {
		in.inversions++
	}
	in.reached[d.Resource] = max(in.reached[d.Resource], got.event)
	return reply
}

// inbox returns that of a webhook, made when it is first asked for.
func (r *receiver) inbox(hook string) *inbox {
	in := r.hooks[hook]
	if in == nil {
		in = &inbox{name: hook, events: map[string]*receipt{}, reached: map[int64]int64{}, attempts: map[int]int{}, repeated: map[int]int{}}
		r.hooks[hook] = in
	}
	return in
}

// killed notes that the sender was killed, and that nothing is on its way from it any more.
func (r *receiver) killed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run++
}

// beyond returns how many events were repeated after kills beyond those that a server of so many
// webhooks may have had under way: attempts that were made and not stored, as package deliver
// bounds them.
func (in *inbox) beyond(webhooks int) (n int) {
	o := deliver.DefaultOptions()
	for run, repeated := range in.repeated {
		n += max(0, repeated-max(o.PerWebhook, min(max(2*webhooks, in.attempts[run]/100), o.Unsettled)))
	}
	return n
}

// look shows the inbox of a webhook while nothing comes in.
func (r *receiver) look(hook string, see func(*inbox)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	see(r.inbox(hook))
}

// quiet reports how long nothing has come.
func (r *receiver) quiet() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Since(r.last)
}

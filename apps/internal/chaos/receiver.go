package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// receiver is what webhooks are delivered to. It remembers every request.
type receiver struct {
	server http.Server
	base   string
	mu     sync.Mutex
	hooks  map[string]*inbox
	// answer decides what a request is answered with, holding the lock: a
	// status, and how long to wait before.
	answer func(*inbox, *receipt) (status int, delay time.Duration)
	// released is closed to end all waits.
	released chan struct{}
	last     time.Time
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
	at       time.Time
}

const failShare = 0.05

// sometimesFailing answers one request in twenty with 500, but never so often
// that the webhook would be suspended.
func sometimesFailing(_ *inbox, r *receipt) (int, time.Duration) {
	if r.failures < 3 && rand.Float64() < failShare {
		return http.StatusInternalServerError, 0
	}
	return http.StatusOK, 0
}

func newReceiver(answer func(*inbox, *receipt) (int, time.Duration)) (*receiver, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{base: "http://" + listener.Addr().String() + "/", hooks: map[string]*inbox{}, answer: answer, released: make(chan struct{})}
	r.server.Handler = r
	go func() { _ = r.server.Serve(listener) }()
	return r, nil
}

func (r *receiver) close() error {
	r.release()
	return r.server.Close()
}

// release ends the waits before the answers that are under way.
func (r *receiver) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.released)
	r.released = make(chan struct{})
}

func (r *receiver) port() string { return strings.Trim(r.base[strings.LastIndex(r.base, ":")+1:], "/") }

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var payload struct {
		Type     string `json:"event_type"`
		Resource int64  `json:"resource_id"`
	}
	if err := json.NewDecoder(request.Body).Decode(&payload); err != nil {
		return // the sender died in the middle of it
	}
	status, delay, released := r.take(strings.Trim(request.URL.Path, "/"), request.Header, payload.Type, payload.Resource)
	if delay > 0 {
		select {
		case <-time.After(delay):
		case <-request.Context().Done():
		case <-released:
		}
	}
	w.WriteHeader(status)
}

// take notes a request and decides about its answer, and what ends its wait.
func (r *receiver) take(hook string, header http.Header, kind string, resource int64) (status int, delay time.Duration, released <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	released = r.released
	r.last = time.Now()
	in := r.inbox(hook)
	id := header.Get("webhook-id")
	got := in.events[id]
	if got == nil {
		got = &receipt{kind: kind, resource: resource, at: r.last}
		if _, err := fmt.Sscanf(id, "evt_%d_%d", &got.site, &got.event); err != nil {
			return http.StatusBadRequest, 0, released
		}
		in.events[id] = got
	}
	got.requests++
	if n, err := strconv.Atoi(header.Get("X-Delivery-Attempt")); err == nil {
		got.attempt = max(got.attempt, n)
	}
	status, delay = r.answer(in, got)
	if status != http.StatusOK {
		got.failures++
		return status, delay, released
	}
	if got.accepted++; got.accepted > 1 {
		return status, delay, released
	}
	if got.event < in.reached[resource] {
		in.inversions++
	}
	in.reached[resource] = max(in.reached[resource], got.event)
	return status, delay, released
}

// inbox is that of a webhook, made when it is first asked for.
func (r *receiver) inbox(hook string) *inbox {
	in := r.hooks[hook]
	if in == nil {
		in = &inbox{name: hook, events: map[string]*receipt{}, reached: map[int64]int64{}}
		r.hooks[hook] = in
	}
	return in
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

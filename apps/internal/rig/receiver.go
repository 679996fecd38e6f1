package rig

import (
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Receiver is what webhooks are delivered to: a server on this machine.
type Receiver struct {
	// URL is the beginning of the URLs that it receives at. It ends with a slash.
	URL    string
	Server http.Server

	mu sync.Mutex
	// released is closed to end all waits.
	released chan struct{}
}

// Delivery is one request to a receiver.
type Delivery struct {
	At     time.Time   `json:"-"`
	Path   string      `json:"-"` // what follows the URL of the receiver
	Header http.Header `json:"-"`
	Body   []byte      `json:"-"`
	// What the body says.
	Type     string `json:"event_type"`
	Resource int64  `json:"resource_id"`
}

// Reply is what a delivery is answered with, after a delay.
type Reply struct {
	Status int
	Delay  time.Duration
}

// Receive starts a receiver. It asks reply about each delivery, several at a time.
func Receive(reply func(Delivery) Reply) (*Receiver, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Receiver{URL: "http://" + listener.Addr().String() + "/", released: make(chan struct{})}
	r.Server.ErrorLog = log.New(io.Discard, "", 0)
	r.Server.Handler = http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) { r.serve(w, request, reply) })
	go func() { _ = r.Server.Serve(listener) }()
	return r, nil
}

func (r *Receiver) serve(w http.ResponseWriter, request *http.Request, reply func(Delivery) Reply) {
	d := Delivery{At: time.Now(), Path: strings.TrimPrefix(request.URL.Path, "/"), Header: request.Header}
	var err error
	if d.Body, err = io.ReadAll(request.Body); err != nil {
		return // the sender died in the middle of it
	}
	if err := json.Unmarshal(d.Body, &d); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	released := r.released
	r.mu.Unlock()
	answer := reply(d)
	if answer.Delay > 0 {
		select {
		case <-time.After(answer.Delay):
		case <-request.Context().Done():
		case <-released:
		}
	}
	w.WriteHeader(answer.Status)
}

// Release ends the delays that are under way.
func (r *Receiver) Release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.released)
	r.released = make(chan struct{})
}

// Port returns the one that it listens on.
func (r *Receiver) Port() string { return strings.Trim(r.URL[strings.LastIndex(r.URL, ":")+1:], "/") }

// Close ends the receiver, and what is under way.
func (r *Receiver) Close() error {
	r.Release()
	return r.Server.Close()
}

package main

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// receiverMode is the argument that makes this program a receiver of deliveries,
// which in real life is somebody else's process as well.
const receiverMode = "receiver-process"

// wanted asks a receiver for what arrived at a path, once it is so many.
type wanted struct {
	Path string
	N    int
}

// received is what arrived. A receiver says its address at any rate.
type received struct {
	URL      string
	Arrivals []arrival
	Body     []byte // of one of them
	Failure  string
}

type arrival struct {
	At       time.Time
	Resource int64
}

// receiver is the child process as its parent sees it.
type receiver struct {
	*child
	url string
}

func startReceiver(ctx context.Context) (*receiver, error) {
	c, err := startChild(receiverMode)
	if err != nil {
		return nil, err
	}
	r := &receiver{child: c}
	hello, err := r.await(ctx, "", 0)
	if err != nil {
		return nil, errors.Join(err, r.close())
	}
	r.url = hello.URL
	return r, nil
}

// await waits until so many requests have come in at a path.
func (r *receiver) await(ctx context.Context, path string, n int) (received, error) {
	var got received
	if err := r.ask(ctx, wanted{path, n}, &got); err != nil {
		return got, err
	}
	if got.Failure != "" {
		return got, errors.New(got.Failure)
	}
	return got, nil
}

// mailbox is the child process: it answers 200 at once and notes when what
// arrives.
type mailbox struct {
	mu       sync.Mutex
	arrivals map[string][]arrival // by path
	body     []byte
}

// receive is the child process.
func receive(ctx context.Context, _ []string) error {
	box := &mailbox{arrivals: map[string][]arrival{}}
	r, err := rig.Receive(box.take)
	if err != nil {
		return err
	}
	serve(ctx, func(w wanted) received {
		got := box.await(ctx, w)
		got.URL = r.URL
		return got
	})
	return r.Close()
}

// take notes a delivery, or what the bare client sends, which is the same.
func (m *mailbox) take(d rig.Delivery) rig.Reply {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.arrivals[d.Path] = append(m.arrivals[d.Path], arrival{d.At, d.Resource})
	m.body = d.Body
	return rig.Reply{Status: http.StatusOK}
}

func (m *mailbox) await(ctx context.Context, w wanted) (got received) {
	if !rig.Until(ctx, deliveryLimit, 20*time.Millisecond, func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		here := m.arrivals[w.Path]
		if len(here) < w.N {
			return false
		}
		got = received{Arrivals: slices.Clone(here), Body: m.body}
		return true
	}) {
		got.Failure = "deliveries are missing"
	}
	return got
}

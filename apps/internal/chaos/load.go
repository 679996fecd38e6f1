package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// writers is how many clients write at a time; half create, half change.
const writers = 8

// load is what the writers do, and what they were told about it.
type load struct {
	client *rig.Client
	sites  int
	// address is the server that a writer turns to next.
	address func(writer int) string
	// pace is how long a writer waits between its writes.
	pace time.Duration
	// observe is told of every answer; nil is nobody.
	observe func(rig.Answer, error, time.Duration)

	mu      sync.Mutex
	created []*creation
	changed []*changed
	acked   int
	unknown int
	// unsent counts the writes that no server was there to take.
	unsent int
	// turnedAway counts the 503 of a balancer that sees no server ready, which never got a
	// request and gave it no number.
	turnedAway int
	// refused counts the 503, slowest is the longest that any answer took.
	refused int
	slowest time.Duration
	// others are answers that a server in trouble must not give.
	others []string
	work   sync.WaitGroup
	// started counts how often the writers were started.
	started int
}

// creation is a product that a writer made, or may have made.
type creation struct {
	site  int
	mark  string // in Ville, and nowhere else
	id    int64  // once acknowledged
	acked bool
}

// changed is a product that one writer changes over and over.
type changed struct {
	site           int
	id             int64
	acked, unknown int
	price, reached int // last sent, last acknowledged
}

// prepare makes the products that will be changed, a few for each writer.
func (l *load) prepare(ctx context.Context, server string) error {
	for writer := range writers {
		for n := range 2 {
			c := l.creation(writer, -1-n)
			body := l.body(c, -1-n)
			got, err := l.client.Call(ctx, server, c.site, http.MethodPost, "/products", body)
			if err != nil {
				return err
			}
			if l.noteAnswer(c, got, nil); !c.acked {
				return fmt.Errorf("the first products cannot be made: %d: %s", got.Status, got.Body)
			}
			l.changed = append(l.changed, &changed{site: c.site, id: c.id})
		}
	}
	return nil
}

// start lets the writers write until ctx ends, and finish what they began.
func (l *load) start(ctx context.Context) {
	first := l.started * 1_000_000 // no mark comes twice
	l.started++
	for writer := range writers {
		l.work.Go(func() {
			for n := first; ctx.Err() == nil; n++ {
				if writer%2 == 0 {
					l.create(writer, n)
				} else {
					l.change(writer, n)
				}
				rig.Wait(ctx, l.pace)
			}
		})
	}
}

func (l *load) creation(writer, n int) *creation {
	c := &creation{site: writer%l.sites + 1, mark: fmt.Sprintf("m%dx%d", writer, n)}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.created = append(l.created, c)
	return c
}

// body has a reference of the client's every other time. Without one nothing in
// the database stands in the way of making the same product twice.
func (l *load) body(c *creation, n int) rig.Object {
	body := rig.Object{"criteria": []rig.Object{{"id": "Ville", "value": c.mark}, {"id": "Prix", "value": 0}}}
	if n%2 == 0 {
		body["model"] = "K-" + c.mark
	}
	return body
}

func (l *load) create(writer, n int) {
	c := l.creation(writer, n)
	got, err, sent := l.write(writer, c.site, http.MethodPost, "/products", l.body(c, n))
	if !sent {
		l.mu.Lock()
		defer l.mu.Unlock()
		c.mark = "" // nobody ever heard of it
		return
	}
	l.noteAnswer(c, got, err)
}

// noteAnswer records what the answer to a creation says.
func (l *load) noteAnswer(c *creation, got rig.Answer, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var made struct {
		Data struct {
			ID int64 `json:"id"`
		} `json:"data"`
	}
	switch {
	case err == nil && got.Status == http.StatusCreated && json.Unmarshal(got.Body, &made) == nil:
		c.acked, c.id = true, made.Data.ID
		l.acked++
	default:
		l.troubled(got, err)
	}
}

// change raises the price of one of the writer's products.
func (l *load) change(writer, n int) {
	c := l.changed[writer*2+n%2]
	c.price++
	path := "/products/" + strconv.FormatInt(c.id, 10)
	got, err, sent := l.write(writer, c.site, http.MethodPatch, path, rig.Object{
		"product_id": c.id, "criteria": []rig.Object{{"id": "Prix", "value": c.price}},
	})
	if !sent {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil && got.Status == http.StatusNoContent {
		c.acked++
		c.reached = c.price
		l.acked++
		return
	}
	c.unknown++
	l.troubled(got, err)
}

// write sends one request. sent is false when no server was there to take it.
func (l *load) write(writer, site int, method, path string, body rig.Object) (got rig.Answer, err error, sent bool) { //nolint:revive // the error is part of what is known
	began := time.Now()
	// Not the context of the load: a request that was begun is brought to an end.
	got, err = l.client.Call(context.Background(), l.address(writer), site, method, path, body)
	took := time.Since(began)
	var network *net.OpError
	if errors.As(err, &network) && network.Op == "dial" {
		l.mu.Lock()
		l.unsent++
		l.mu.Unlock()
		time.Sleep(5 * time.Millisecond)
		return got, err, false
	}
	if l.observe != nil {
		l.observe(got, err, took)
	}
	l.mu.Lock()
	l.slowest = max(l.slowest, took)
	l.mu.Unlock()
	if got.Status == http.StatusServiceUnavailable {
		time.Sleep(20 * time.Millisecond) // sooner than it asks for, to see it come back
	}
	return got, err, true
}

// troubled notes an answer that acknowledges nothing. Whether the write happened
// is unknown: 503 is what a server says that does not know either.
func (l *load) troubled(got rig.Answer, err error) {
	l.unknown++
	if err != nil {
		return
	}
	var said struct {
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
		RequestID string `json:"request_id"`
	}
	if got.Status == http.StatusServiceUnavailable && got.Header.Get("X-Request-ID") == "" && strings.Contains(string(got.Body), "No server is available") {
		l.turnedAway++
		return
	}
	seconds, wrong := strconv.Atoi(got.Header.Get("Retry-After"))
	if got.Status == http.StatusServiceUnavailable && wrong == nil && seconds > 0 && json.Unmarshal(got.Body, &said) == nil &&
		said.Error.Code != "" && said.Error.Message != "" && said.RequestID != "" {
		l.refused++
		return
	}
	l.others = append(l.others, fmt.Sprintf("%d %s", got.Status, got.Body))
}

// progress returns how many writes were acknowledged so far.
func (l *load) progress() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.acked
}

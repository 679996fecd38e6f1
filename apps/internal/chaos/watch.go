package main

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// watch notes how answers of each kind came, so that they can be told apart by when they
// were asked for.
type watch struct {
	mu      sync.Mutex
	samples []sample
}

type sample struct {
	kind   string
	began  time.Time
	took   time.Duration
	status int // 0 is no answer
}

// The kinds.
const (
	writes    = "writes"
	reads     = "reads"
	searches  = "searches"
	readiness = "/readyz"
	// liveness asks for nothing, so it says what the machine itself takes.
	liveness = "/healthz"
)

func (w *watch) note(kind string, began time.Time, status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.samples = append(w.samples, sample{kind, began, time.Since(began), status})
}

// writes is told of every write.
func (w *watch) written(got rig.Answer, _ error, took time.Duration) {
	w.note(writes, time.Now().Add(-took), got.Status)
}

// span is a time in which requests begin.
type span struct{ from, to time.Time }

func (s span) has(t time.Time) bool { return t.After(s.from) && t.Before(s.to) }

// in returns the requests that begin in a span.
func (w *watch) in(s span, kinds ...string) []sample {
	return w.where(func(one sample) bool {
		return s.has(one.began) && (len(kinds) == 0 || slices.Contains(kinds, one.kind))
	})
}

// within returns those that also end in it, and across those of which a part lies in it.
func (w *watch) within(s span) []sample {
	return w.where(func(one sample) bool { return s.has(one.began) && s.has(one.ended()) })
}

func (w *watch) across(s span) []sample {
	return w.where(func(one sample) bool { return one.began.Before(s.to) && one.ended().After(s.from) })
}

func (s sample) ended() time.Time { return s.began.Add(s.took) }

func (w *watch) where(is func(sample) bool) (found []sample) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.samples {
		if is(one) {
			found = append(found, one)
		}
	}
	return found
}

// machine returns what the machine itself takes: the slowest answer in a calm span, and next to it
// the slowest one of all that asked for nothing.
func (w *watch) machine(calm span) time.Duration {
	return slowest(w.within(calm)) + slowest(w.where(func(one sample) bool { return one.kind == liveness }))
}

func slowest(samples []sample) (d time.Duration) {
	for _, s := range samples {
		d = max(d, s.took)
	}
	return d
}

// otherThan counts the answers with another status.
func otherThan(samples []sample, status int) (n int) {
	for _, s := range samples {
		if s.status != status {
			n++
		}
	}
	return n
}

// firstWrite returns how long after an instant a write was acknowledged that began after it.
func (w *watch) firstWrite(after time.Time) (time.Duration, bool) {
	first, found := time.Duration(0), false
	for _, s := range w.in(span{after, time.Now()}, writes) {
		end := s.ended().Sub(after)
		if s.status/100 == 2 && (!found || end < first) {
			first, found = end, true
		}
	}
	return first, found
}

// longestWithout returns the longest time in a span in which no write was acknowledged.
func (w *watch) longestWithout(s span) (longest time.Duration) {
	var ends []time.Time
	for _, one := range w.in(s, writes) {
		if one.status/100 == 2 {
			ends = append(ends, one.ended())
		}
	}
	slices.SortFunc(ends, time.Time.Compare)
	last := s.from
	for _, end := range append(ends, s.to) {
		longest, last = max(longest, end.Sub(last)), end
	}
	return longest
}

// ask asks a server for something over and over until the context ends: a product, a
// search, whether it is ready. What was asked is waited for.
func (w *watch) ask(ctx context.Context, s *scene, address func() string) (wait func()) {
	var work sync.WaitGroup
	every := func(kind string, do func() (int, error)) {
		work.Go(func() {
			for ; ctx.Err() == nil; rig.Wait(ctx, 20*time.Millisecond) {
				began := time.Now()
				status, _ := do()
				w.note(kind, began, status)
			}
		})
	}
	call := func(method, path string, body any) func() (int, error) {
		return func() (int, error) {
			got, err := s.client.Call(context.WithoutCancel(ctx), address(), 1, method, path, body)
			return got.Status, err
		}
	}
	every(reads, call(http.MethodGet, product(s.load.changed[0].id), nil))
	every(searches, call(http.MethodPost, "/products/search?fetch=criteres_text", rig.Object{}))
	for _, probe := range []string{readiness, liveness} {
		every(probe, func() (int, error) {
			response, err := s.client.HTTP.Get("http://" + address() + probe)
			if err != nil {
				return 0, err
			}
			return response.StatusCode, response.Body.Close()
		})
	}
	return work.Wait
}

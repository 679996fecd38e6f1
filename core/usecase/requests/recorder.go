package requests

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

const (
	// maxWaiting is how many requests wait to be stored, maxBatch how many are stored
	// together.
	maxWaiting = 4096
	maxBatch   = 500
)

// recorder takes what is to be kept of requests, and never lets them wait: what there
// is no room for is dropped and counted. One writer stores it.
type recorder struct {
	mu      sync.Mutex
	sampler trace.Sampler
	// waiting are the requests that are yet to be stored, in their order.
	waiting []trace.Request
	dropped int64
	// full wakes the writer when there is a whole batch.
	full   chan struct{}
	counts counts
	// writing is locked while requests are stored.
	writing chan struct{}
}

func newRecorder() *recorder {
	return &recorder{full: make(chan struct{}, 1), writing: make(chan struct{}, 1), counts: newCounts()}
}

// Seen counts a request that was answered, and reports for how many requests such as
// this one it is to be kept: 1 when all are, 0 when it is not. Important ones are writes
// and refusals. It never waits.
func (s *Service) Seen(seen Seen) (oneIn int) {
	r := s.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts.add(seen)
	oneIn = r.sampler.Take(seen.At, seen.Important)
	if oneIn == 0 && seen.Important {
		r.dropped++
	}
	return oneIn
}

// Seen is what is counted of a request.
type Seen struct {
	trace.Kind
	// ID is the request_id.
	ID   string
	At   time.Time
	Took time.Duration
	// Deprecated are the deprecated names it used.
	Deprecated []string
	// Important reports that the request was a write or a refusal.
	Important bool
}

// Record keeps a request. It never waits: when too many are yet to be stored, this one
// is dropped, and counted.
func (s *Service) Record(kept trace.Request) {
	r := s.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) >= maxWaiting {
		r.dropped++
		return
	}
	if r.waiting = append(r.waiting, kept); len(r.waiting) >= maxBatch {
		select {
		case r.full <- struct{}{}:
		default:
		}
	}
}

// Dropped returns how many requests this process could not keep.
func (s *Service) Dropped() int64 {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	return s.recorder.dropped
}

// Waiting returns how many requests are yet to be stored.
func (s *Service) Waiting() int {
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	return len(s.recorder.waiting)
}

// find finds a request that is yet to be stored.
func (r *recorder) find(id string) (trace.Request, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, waiting := range r.waiting {
		if waiting.ID == id {
			return waiting, true
		}
	}
	return trace.Request{}, false
}

// Options say how requests are stored.
type Options struct {
	// Store makes the writer store what waits: four times a second is often enough. It
	// also does so when there is a whole batch.
	Store <-chan time.Time
	// Count makes it add to the counts: every ten seconds.
	Count <-chan time.Time
	// Trouble is called with errors.
	Trouble func(error)
}

// Run stores what is kept of requests until ctx ends. Afterwards Flush stores the
// rest, once nobody records any more.
func (s *Service) Run(ctx context.Context, o Options) {
	if !s.Kept() {
		return
	}
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-s.recorder.full:
			err = s.store(ctx)
		case <-o.Store:
			err = s.store(ctx)
		case <-o.Count:
			err = s.count(ctx)
		}
		if err != nil && ctx.Err() == nil {
			o.Trouble(err)
		}
	}
}

// Flush stores everything that waits, and adds to the counts. What it cannot store
// is dropped, and counted.
func (s *Service) Flush(ctx context.Context) error {
	if !s.Kept() {
		return nil
	}
	err := errors.Join(s.store(ctx), s.count(ctx))
	s.recorder.mu.Lock()
	defer s.recorder.mu.Unlock()
	s.recorder.dropped += int64(len(s.recorder.waiting))
	s.recorder.waiting = nil
	return err
}

// store stores what waits, a batch at a time. While the store is away what it was
// given goes on waiting; what it refuses for another reason is dropped.
func (s *Service) store(ctx context.Context) error {
	r := s.recorder
	if err := r.begin(ctx); err != nil {
		return err
	}
	defer r.end()
	for {
		batch := r.batch()
		if len(batch) == 0 {
			return nil
		}
		err := s.k.Requests.Add(ctx, batch)
		if err != nil && (ctx.Err() != nil || errors.Is(err, fault.Unavailable)) {
			return err
		}
		r.over(len(batch), err != nil)
		if err != nil {
			return err
		}
	}
}

// begin waits until nobody else stores; end lets others.
func (r *recorder) begin(ctx context.Context) error {
	select {
	case r.writing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *recorder) end() { <-r.writing }

// batch returns the requests that are stored next. They go on waiting meanwhile, so that
// they can be found.
func (r *recorder) batch() []trace.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := min(len(r.waiting), maxBatch)
	return r.waiting[:n:n]
}

// over takes away the first requests, which are stored, or never will be.
func (r *recorder) over(n int, lost bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if lost {
		r.dropped += int64(n)
	}
	r.waiting = append([]trace.Request(nil), r.waiting[n:]...)
}

// count adds what was counted to the counts. What the store does not take is kept for
// the next time.
func (s *Service) count(ctx context.Context) error {
	r := s.recorder
	if err := r.begin(ctx); err != nil {
		return err
	}
	defer r.end()
	r.mu.Lock()
	taken := r.counts
	r.counts = newCounts()
	r.mu.Unlock()
	traffic, deprecated := taken.list()
	if len(traffic) == 0 {
		return nil
	}
	err := s.k.Traffic.Count(ctx, traffic, deprecated)
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.counts.merge(taken)
	}
	return err
}

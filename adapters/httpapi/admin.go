package httpapi

import (
	"context"
	"net/http"
	"net/http/pprof"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Readiness tells balancers whether to send requests here.
type Readiness struct {
	draining atomic.Bool
	check    func(context.Context) error
	asking   sync.Mutex
	// asked is the check that is under way, if any.
	asked *answer
}

// NewReadiness is ready while check succeeds; nil is a check that always does.
func NewReadiness(check func(context.Context) error) *Readiness {
	if check == nil {
		check = func(context.Context) error { return nil }
	}
	return &Readiness{check: check}
}

// Drain makes it not ready for good, so that balancers look elsewhere while the
// last requests are answered.
func (r *Readiness) Drain() { r.draining.Store(true) }

// readyWithin is how long a check may take.
const readyWithin = 2 * time.Second

// ready asks in a goroutine of its own: a check that hangs is a "no". While it hangs, no other one is
// begun.
func (r *Readiness) ready(ctx context.Context) bool {
	if r.draining.Load() {
		return false
	}
	asked := r.ask()
	select {
	case <-asked.done:
		return asked.ready && !r.draining.Load()
	case <-time.After(readyWithin):
	case <-ctx.Done():
	}
	return false
}

// answer is what a check says when it is done.
type answer struct {
	done  chan struct{}
	ready bool
}

// ask begins a check, or joins the one that is under way.
func (r *Readiness) ask() *answer {
	r.asking.Lock()
	defer r.asking.Unlock()
	if r.asked != nil {
		return r.asked
	}
	a := &answer{done: make(chan struct{})}
	r.asked = a
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
		defer cancel()
		a.ready = r.check(ctx) == nil
		r.asking.Lock()
		r.asked = nil
		r.asking.Unlock()
		close(a.done)
	}()
	return a
}

// Admin returns the handler for operators, to be served where clients do not reach:
// /healthz as long as the process answers, /readyz for balancers, and /metrics.
func Admin(ready *Readiness, metrics prometheus.Gatherer) http.Handler {
	pages := http.NewServeMux()
	pages.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { word(w, http.StatusOK, "ok") })
	pages.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if ready.ready(r.Context()) {
			word(w, http.StatusOK, "ready")
			return
		}
		word(w, http.StatusServiceUnavailable, "not ready")
	})
	if metrics != nil {
		pages.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	}
	return CloseAmbiguous(pages)
}

// Profiled returns the handler for operators with profiles of the process next to it, at
// /debug/pprof/. They show what the process is doing, and taking them costs: they are
// for an address that only operators reach.
func Profiled(admin http.Handler) http.Handler {
	pages := http.NewServeMux()
	pages.Handle("/", admin)
	pages.Handle("GET /debug/pprof/", CloseAmbiguous(http.HandlerFunc(pprof.Index))) // and the profiles by name
	pages.HandleFunc("GET /debug/pprof/cmdline", http.NotFound)                      // it may hold secrets
	pages.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	pages.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	pages.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return pages
}

func word(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}

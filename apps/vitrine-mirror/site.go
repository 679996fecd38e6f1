package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/vitrine-crm/vitrine/adapters/copy"
	"github.com/vitrine-crm/vitrine/adapters/showcase"
	"github.com/vitrine-crm/vitrine/core/mirror"
)

// site serves what the copy has, and takes deliveries and commands.
type site struct {
	copy     *copy.Copy
	visitors *copy.Visitors
	runner   *runner
	control  string
	hooks    *receiver
	pages    *showcase.Site
	log      *slog.Logger
}

func (s *site) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /hook/{token}", s.hooks)
	mux.HandleFunc("GET /healthz", s.health)
	s.pages.Register(mux, s.ready)
	mux.HandleFunc("GET /control/status", s.commanded(func() {}))
	mux.HandleFunc("POST /control/catch-up", s.commanded(func() { s.doubt(mirror.Doubted{Sweep: true}) }))
	mux.HandleFunc("POST /control/rebuild", s.commanded(func() { s.doubt(mirror.Doubted{Rebuild: true}) }))
	return mux
}

// doubt passes on what an operator asks for. One that is still waiting stands for another.
func (s *site) doubt(d mirror.Doubted) {
	select {
	case s.runner.doubts <- d:
	default:
	}
}

// commanded answers commands of who runs the mirror with its report.
func (s *site) commanded(do func()) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !same(r.Header.Get(controlHeader), s.control) {
			http.NotFound(w, r)
			return
		}
		do()
		said, err := newReport(r.Context(), s)
		if err != nil {
			s.fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(said) // who asked is gone
	}
}

// health answers 200 once there is something to show.
func (s *site) health(w http.ResponseWriter, _ *http.Request) {
	state := s.runner.State()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if !state.Read {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = fmt.Fprintln(w, state.Mode()) // who asked is gone
}

func (s *site) ready(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.runner.State().Read {
			w.Header().Set("Retry-After", "5")
			http.Error(w, "les annonces ne sont pas encore lues", http.StatusServiceUnavailable)
			return
		}
		next(w, r)
	}
}

func (s *site) fail(w http.ResponseWriter, err error) {
	s.log.Error("answering", "error", err)
	http.Error(w, "the copy cannot be read", http.StatusInternalServerError)
}

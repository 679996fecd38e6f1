package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os/exec"
	"sync"
	"time"
)

// crashing crashes PostgreSQL again and again while the server is written to,
// and loses confirmations of commits in between.
func crashing(ctx context.Context, t *trial) (_ []figure, err error) {
	if t.crash == "" {
		return nil, errors.New("nothing to crash PostgreSQL with: --crash is empty")
	}
	s, err := t.scene(ctx, "postgres", 2)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	u, err := url.Parse(t.postgres)
	if err != nil {
		return nil, err
	}
	way, err := newProxy(u.Host)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, way.close()) }()
	settings := map[string]string{}
	if t.sabotage == asyncCommit {
		settings["synchronous_commit"] = "off"
	}
	server, err := t.server(s.world, "--database="+s.world.through(way.address(), settings))
	if err != nil {
		return nil, err
	}
	if err := server.start(ctx); err != nil {
		return nil, err
	}
	if err := s.open(ctx, server, 1); err != nil {
		return nil, err
	}
	s.load.address = func(int) string { return server.address }
	var back comeback
	s.load.observe = back.observe
	if err := s.crashing(ctx, way, &back); err != nil {
		return nil, err
	}
	if err := s.drain(ctx, server); err != nil {
		return nil, err
	}
	figures, err := s.account(ctx, server)
	if err != nil {
		return nil, err
	}
	return append([]figure{
		count("crashes of PostgreSQL", t.crashes).atLeast(float64(t.crashes)),
		count("confirmations of commits lost on the way", int(way.lost.Load())),
		count("answers 503", s.load.refused),
		milliseconds("slowest answer", s.load.slowest).atMost(5000),
		milliseconds("PostgreSQL was away, median", percentile(back.away, 0.5)),
		milliseconds("first write after it was back, median", percentile(back.recovered, 0.5)),
		milliseconds("first write after it was back, slowest", percentile(back.recovered, 1)).atMost(3000),
	}, figures...), server.stop()
}

func (s *scene) crashing(ctx context.Context, way *proxy, back *comeback) error {
	writing, stop := context.WithCancel(ctx)
	s.load.start(writing)
	defer s.load.work.Wait()
	defer stop()
	for range s.crashes {
		for next := time.Now().Add(500*time.Millisecond + rand.N(2*time.Second)); time.Now().Before(next); {
			way.loseOne()
			wait(ctx, 100*time.Millisecond)
		}
		gone := make(chan error, 1)
		go func() { gone <- back.watch(ctx, s.postgres) }()
		if out, err := exec.CommandContext(ctx, s.trial.crash).CombinedOutput(); err != nil {
			return fmt.Errorf("crashing PostgreSQL: %w: %s", err, out)
		}
		if err := <-gone; err != nil {
			return err
		}
	}
	// What was begun during the last crash must end well, too.
	wait(ctx, 2*time.Second)
	return ctx.Err()
}

// comeback measures how long it takes until writes succeed again.
type comeback struct {
	mu              sync.Mutex
	waiting         bool
	accepts         time.Time
	away, recovered []time.Duration
}

// watch follows one crash from outside: when PostgreSQL is gone, and when it
// accepts connections again.
func (b *comeback) watch(ctx context.Context, database string) error {
	var gone time.Time
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline) && ctx.Err() == nil; {
		err := execute(ctx, database, "SELECT 1")
		if err != nil && gone.IsZero() {
			gone = time.Now()
		}
		if err == nil && !gone.IsZero() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.accepts, b.waiting = time.Now(), true
			b.away = append(b.away, b.accepts.Sub(gone))
			return nil
		}
		wait(ctx, 2*time.Millisecond)
	}
	return errors.New("PostgreSQL did not go and come back")
}

func (b *comeback) observe(got answer, err error, _ time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting && err == nil && (got.status == http.StatusCreated || got.status == http.StatusNoContent) {
		b.waiting = false
		b.recovered = append(b.recovered, time.Since(b.accepts))
	}
}

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

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
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
	u, err := url.Parse(t.Postgres)
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
	server, err := t.server(s.world, "--database="+s.world.postgres.Through(way.address(), settings))
	if err != nil {
		return nil, err
	}
	if err := server.Start(ctx); err != nil {
		return nil, err
	}
	if err := s.open(ctx, server, 1); err != nil {
		return nil, err
	}
	s.load.address = func(int) string { return server.Address }
	var back comeback
	s.load.observe = back.observe
	if err := s.crashing(ctx, way, &back); err != nil {
		return nil, err
	}
	figures, err := s.drainAndAccount(ctx, server)
	if err != nil {
		return nil, err
	}
	return append([]figure{
		count("crashes of PostgreSQL", t.crashes).atLeast(float64(t.crashes)),
		count("confirmations of commits lost on the way", int(way.lost.Load())).atLeast(1),
		count("... of statements that commit by themselves", int(way.lostStored.Load())).atLeast(1),
		count("answers 503", s.load.refused),
		milliseconds("slowest answer", s.load.slowest).atMost(5000),
		milliseconds("PostgreSQL was away, median", rig.Percentile(back.away, 0.5)),
		milliseconds("first write after it was back, median", rig.Percentile(back.recovered, 0.5)),
		milliseconds("first write after it was back, slowest", rig.Percentile(back.recovered, 1)).atMost(3000),
	}, figures...), server.Stop()
}

func (s *scene) crashing(ctx context.Context, way *proxy, back *comeback) error {
	writing, stop := context.WithCancel(ctx)
	s.load.start(writing)
	defer s.load.work.Wait()
	defer stop()
	for range s.crashes {
		for next := time.Now().Add(500*time.Millisecond + rand.N(2*time.Second)); time.Now().Before(next); {
			way.loseOne()
			rig.Wait(ctx, 100*time.Millisecond)
		}
		gone := make(chan error, 1)
		go func() { gone <- back.watch(ctx, s.Postgres) }()
		if out, err := exec.CommandContext(ctx, s.trial.crash).CombinedOutput(); err != nil {
			return fmt.Errorf("crashing PostgreSQL: %w: %s", err, out)
		}
		if err := <-gone; err != nil {
			return err
		}
	}
	// What was begun during the last crash must end well, too.
	rig.Wait(ctx, 2*time.Second)
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
		err := rig.Execute(ctx, database, "SELECT 1")
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
		rig.Wait(ctx, 2*time.Millisecond)
	}
	return errors.New("PostgreSQL did not go and come back")
}

func (b *comeback) observe(got rig.Answer, err error, _ time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting && err == nil && (got.Status == http.StatusCreated || got.Status == http.StatusNoContent) {
		b.waiting = false
		b.recovered = append(b.recovered, time.Since(b.accepts))
	}
}

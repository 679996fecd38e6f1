package main

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	slowestSilent  = "slowest answer while PostgreSQL was silent"
	moreGoroutines = "goroutines after"
	calmFor        = 4 * time.Second
	silentFor      = 13 * time.Second
	slowFor        = 8 * time.Second
	lateBy         = 200 * time.Millisecond
	// patience is what the product allows PostgreSQL, and comeBack how soon writes must
	// succeed again. Both are counted beyond what the machine itself takes.
	patience = 5 * time.Second
	comeBack = 3 * time.Second
)

// partitioning has PostgreSQL go silent, as if a network were cut in the middle, and then
// answer late.
func partitioning(ctx context.Context, t *trial) (_ []figure, err error) {
	// A site for each writer: when answers are late, those of one site wait for each other.
	s, err := t.scene(ctx, "postgres", writers)
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
	s.world.turn(way.address(), nil)
	var more []string
	if t.sabotage == noDeadlines {
		more = []string{"--database-patience=10m"}
	}
	servers, err := s.fleet(ctx, 1, more...)
	if err != nil {
		return nil, err
	}
	server := servers[0]
	if err := s.open(ctx, server, 1); err != nil {
		return nil, err
	}
	s.load.address = func(int) string { return server.Address }
	figures, err := s.partitioning(ctx, server, way)
	if err != nil {
		return nil, err
	}
	accounted, err := s.drainAndAccount(ctx, server)
	if err != nil {
		return nil, err
	}
	return append(figures, accounted...), server.Stop()
}

func (s *scene) partitioning(ctx context.Context, server *rig.Process, way *proxy) (_ []figure, err error) {
	var seen watch
	s.load.observe = seen.written
	asking, done := context.WithCancel(ctx)
	wait := seen.ask(asking, s, func() string { return server.Address })
	stop := s.writing(ctx)
	end := func() {
		stop()
		done()
		wait()
	}
	defer end()
	calm, before, err := s.during(ctx, server, calmFor)
	if err != nil {
		return nil, err
	}
	if err := s.warm(ctx, server); err != nil {
		return nil, err
	}
	way.swallows.Store(true)
	silent, _, err := s.during(ctx, nil, silentFor)
	if err != nil {
		return nil, err
	}
	way.swallows.Store(false)
	if s.sabotage != "" {
		way.cutAll() // nobody else ends these connections
	}
	back, _, err := s.during(ctx, nil, patience+comeBack)
	if err != nil {
		return nil, err
	}
	way.delay.Store(int64(lateBy))
	late, _, err := s.during(ctx, nil, slowFor)
	if err != nil {
		return nil, err
	}
	way.delay.Store(0)
	end()
	usual := seen.machine(calm)
	beyond := func(d time.Duration) float64 { return rig.Milliseconds(d + usual) }
	first, written := seen.firstWrite(back.from)
	if !written {
		first = time.Since(back.from)
	}
	after, err := s.goroutinesAfter(ctx, server, before)
	if err != nil {
		return nil, err
	}
	inSilence := seen.in(silent, writes, reads, searches, readiness)
	figures := []figure{
		milliseconds("what the machine itself takes", usual),
		count("requests while PostgreSQL was silent", len(inSilence)),
		milliseconds(slowestSilent, slowest(seen.across(silent))).atMost(beyond(patience)),
	}
	for _, kind := range []string{writes, reads, searches, readiness} {
		figures = append(figures, milliseconds("... "+kind, slowest(seen.in(silent, kind))))
	}
	return append(figures,
		count("... answered otherwise than 503", otherThan(inSilence, http.StatusServiceUnavailable)).none(),
		milliseconds("first write once it spoke again", first).atMost(beyond(comeBack)),
		milliseconds("slowest answer while it was late by 200 ms", slowest(seen.in(late))),
		count("... requests that failed", failures(seen.in(late))).none(),
		count("goroutines before", before), count(moreGoroutines, after).atMost(float64(before)),
	), nil
}

// warm has a server open all its connections: more is asked at a time than it has.
func (s *scene) warm(ctx context.Context, server *rig.Process) error {
	var work errgroup.Group
	for range 4 * postgres.DefaultConnections {
		work.Go(func() error {
			_, err := s.client.Call(ctx, server.Address, 1, http.MethodGet, product(s.load.changed[0].id), nil)
			return err
		})
	}
	return work.Wait()
}

// failures counts what was not answered as asked.
func failures(samples []sample) (n int) {
	for _, s := range samples {
		if s.status/100 != 2 {
			n++
		}
	}
	return n
}

// during lets some time pass, and returns it with the most goroutines of a server, if one
// is named.
func (s *scene) during(ctx context.Context, server *rig.Process, d time.Duration) (_ span, goroutines int, err error) {
	from := time.Now()
	for time.Since(from) < d && ctx.Err() == nil {
		if server != nil {
			n, err := s.goroutines(server)
			if err != nil {
				return span{}, 0, err
			}
			goroutines = max(goroutines, n)
		}
		rig.Wait(ctx, 50*time.Millisecond)
	}
	return span{from, time.Now()}, goroutines, ctx.Err()
}

// goroutinesAfter returns the number of goroutines of a server when what hung has come to its end.
func (s *scene) goroutinesAfter(ctx context.Context, server *rig.Process, before int) (n int, err error) {
	rig.Until(ctx, 10*time.Second, 100*time.Millisecond, func() bool {
		n, err = s.goroutines(server)
		return err != nil || n <= before
	})
	return n, err
}

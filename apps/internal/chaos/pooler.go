package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	wrongAnswers = "answers with other rows than those asked for, or none"
	// poolSize is how many connections the pooler has for all servers.
	poolSize = 4
	// poolerAway is how long PostgreSQL is away behind the pooler.
	poolerAway = 2 * time.Second
	// readers read what was written.
	readers = 4
)

// pooling restarts servers that stand before a pooler, and then PostgreSQL.
func pooling(ctx context.Context, t *trial) (_ []figure, err error) {
	postgres, err := t.host.NewPostgres(ctx, "pooled")
	if err != nil {
		return nil, err
	}
	s, err := t.sceneAt(ctx, postgres.URL("postgres")) // migrates, which needs a direct connection
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	pooler, err := t.host.PgBouncer(ctx, "pooler", postgres.Address, "vitrine", poolSize)
	if err != nil {
		return nil, err
	}
	target, how := pooler, "--pooled"
	if t.sabotage == prepares {
		target, how = postgres.Address, "--pooled=false" // it would not start at the pooler
	}
	way, err := newProxy(target)
	if err != nil {
		return nil, err
	}
	t.host.AtClose(way.close)
	s.world.turn(way.address(), nil)
	servers, err := s.fleet(ctx, replicas, how, "--drain-delay=3s")
	if err != nil {
		return nil, err
	}
	balancer, err := s.balance(ctx, servers)
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx, servers[0], 1); err != nil {
		return nil, err
	}
	s.load.address = func(int) string { return balancer.Address }
	if t.sabotage == prepares {
		way.turn(pooler)
		return s.misled(ctx, balancer)
	}
	figures, err := s.pooling(ctx, servers, balancer, postgres)
	if err != nil {
		return nil, err
	}
	accounted, err := s.drainAndAccount(ctx, servers[0])
	if err != nil {
		return nil, err
	}
	return append(figures, accounted...), stopAll(servers)
}

// pooling restarts the servers, then PostgreSQL, and counts apart.
func (s *scene) pooling(ctx context.Context, servers []*rig.Process, balancer *engine.HAProxy, postgres *engine.Postgres) ([]figure, error) {
	var seen watch
	s.load.observe = seen.written
	asking, done := context.WithCancel(ctx)
	defer done()
	wrong := s.reading(asking, balancer)
	wait := seen.ask(asking, s, func() string { return balancer.Address })
	restarts, err := s.rolling(ctx, servers, balancer)
	if err != nil {
		return nil, err
	}
	failed := s.failedRequests()
	calm := span{time.Now().Add(-calmFor), time.Now()}
	stop := s.writing(ctx)
	defer stop()
	ended := time.Now()
	if err := postgres.Stop(engine.Immediate); err != nil {
		return nil, err
	}
	rig.Wait(ctx, poolerAway)
	if err := postgres.Start(ctx); err != nil {
		return nil, err
	}
	rig.Wait(ctx, patience+calmFor)
	stop()
	after := span{ended, time.Now()}
	done()
	wait()
	usual := seen.machine(calm)
	failed.name += " while servers were restarted"
	return []figure{
		count("connections of the pooler", poolSize), count("restarts", restarts), failed,
		milliseconds("what the machine itself takes", usual),
		milliseconds("longest time without a write around the restart of PostgreSQL", seen.longestWithout(after)),
		milliseconds("slowest answer around it", slowest(seen.across(after))).atMost(rig.Milliseconds(patience + usual)),
		count("answers 503, of servers and of the balancer", s.load.refused+s.load.turnedAway),
		count(wrongAnswers, int(wrong.Load())).none(),
	}, nil
}

// misled writes and reads for a while.
func (s *scene) misled(ctx context.Context, balancer *engine.HAProxy) ([]figure, error) {
	stop := s.writing(ctx)
	defer stop()
	wrong := s.reading(ctx, balancer)
	rig.Wait(ctx, s.sabotaged)
	stop()
	return []figure{
		count("acknowledged writes", s.load.progress()),
		count(otherAnswers, len(s.load.others)).none(), count(wrongAnswers, int(wrong.Load())).none(),
	}, ctx.Err()
}

// reading reads products that were made until the context ends, and counts the answers that
// are neither them nor 503.
func (s *scene) reading(ctx context.Context, balancer *engine.HAProxy) *atomic.Int64 {
	var wrong atomic.Int64
	for range readers {
		go func() {
			for ; ctx.Err() == nil; rig.Wait(ctx, 5*time.Millisecond) {
				c, found := s.load.any()
				if !found {
					continue
				}
				got, err := s.client.Call(context.WithoutCancel(ctx), balancer.Address, c.site, http.MethodGet, product(c.id)+"?fetch=criteres_text", nil)
				if err != nil || got.Status == http.StatusServiceUnavailable {
					continue
				}
				if got.Status != http.StatusOK || !strings.Contains(string(got.Body), fmt.Sprintf("%q", c.mark)) {
					wrong.Add(1)
				}
			}
		}()
	}
	return &wrong
}

// any returns a product that was made.
func (l *load) any() (creation, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range 10 {
		if c := l.created[rand.N(len(l.created))]; c.acked {
			return *c, true
		}
	}
	return creation{}, false
}

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	failedRequests = "requests that failed"
	restartsEach   = 2
)

// rolling restarts three servers behind a balancer, one by one, while they are written to.
func rolling(ctx context.Context, t *trial) (_ []figure, err error) {
	s, err := t.scene(ctx, "postgres", 2)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	drain := "--drain-delay=3s" // the default
	if t.sabotage == unready {
		drain = "--drain-delay=0s"
	}
	servers, err := s.fleet(ctx, replicas, drain)
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
	restarts, err := s.rolling(ctx, servers, balancer)
	if err != nil {
		return nil, err
	}
	figures, err := s.drainAndAccount(ctx, servers[0])
	if err != nil {
		return nil, err
	}
	return append([]figure{count("restarts", restarts).atLeast(replicas * restartsEach), s.failedRequests()}, figures...), stopAll(servers)
}

// failedRequests counts the writes that were not done as asked, whatever the reason.
func (s *scene) failedRequests() figure {
	return count(failedRequests, s.failed()).none()
}

// balance puts a balancer before servers, and waits until it sends requests to all of them.
func (s *scene) balance(ctx context.Context, servers []*rig.Process) (*engine.HAProxy, error) {
	var addresses []string
	for _, server := range servers {
		addresses = append(addresses, server.Address)
	}
	balancer, err := s.host.BalanceServers(ctx, "balancer", addresses...)
	if err != nil {
		return nil, err
	}
	return balancer, allUp(ctx, balancer, len(servers))
}

// allUp waits until a balancer sends requests to so many servers.
func allUp(ctx context.Context, balancer *engine.HAProxy, n int) error {
	if !rig.Until(ctx, time.Minute, 50*time.Millisecond, func() bool {
		up, err := balancer.Up(ctx)
		return err == nil && up == n
	}) {
		return fmt.Errorf("the balancer does not see %d servers", n)
	}
	return nil
}

// rolling restarts each server in turn. A sabotaged one is given more turns, until it shows.
func (s *scene) rolling(ctx context.Context, servers []*rig.Process, balancer *engine.HAProxy) (restarts int, err error) {
	defer s.writing(ctx)()
	turns := restartsEach
	if s.sabotage != "" {
		turns = 20
	}
	for turn := range turns {
		if turn >= restartsEach && s.failed() > 0 {
			break
		}
		for _, server := range servers {
			if err := server.Stop(); err != nil {
				return restarts, err
			}
			if err := server.Start(ctx); err != nil {
				return restarts, err
			}
			if err := allUp(ctx, balancer, len(servers)); err != nil {
				return restarts, err
			}
			restarts++
		}
	}
	return restarts, ctx.Err()
}

func (s *scene) failed() int {
	s.load.mu.Lock()
	defer s.load.mu.Unlock()
	return s.load.unknown + s.load.unsent
}

// writing lets the writers write until what it returns is called, which waits for the end of
// what they began.
func (s *scene) writing(ctx context.Context) (stop func()) {
	writing, cancel := context.WithCancel(ctx)
	s.load.start(writing)
	return func() {
		cancel()
		s.load.work.Wait()
	}
}

func stopAll(servers []*rig.Process) (err error) {
	for _, server := range servers {
		err = errors.Join(err, server.Stop())
	}
	return err
}

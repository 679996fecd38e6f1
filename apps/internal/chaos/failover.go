package main

import (
	"context"
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	withoutWrites = "longest time without a write"
	// cutBefore is how long nothing reaches the standby before its primary dies. What is
	// confirmed meanwhile without it is lost.
	cutBefore = time.Second
	// failoverMargin is what a failover may take beyond the time that a primary may be
	// silent: to be elected, to be promoted, to be seen by the balancer.
	failoverMargin = 5 * time.Second
)

// patroni is a cluster that fails over, and what leads to its primary.
type patroni struct {
	*engine.Patroni
	// between is on the way from the first member to the other one.
	between  *proxy
	balancer *engine.HAProxy
}

func (t *trial) patroni(ctx context.Context) (p patroni, err error) {
	reached := func(address string) (string, error) {
		if p.between != nil {
			return address, nil
		}
		if p.between, err = newProxy(address); err != nil {
			return "", err
		}
		t.host.AtClose(p.between.close)
		return p.between.address(), nil
	}
	if p.Patroni, err = t.host.NewPatroni(ctx, t.sabotage != asyncStandby, reached); err != nil {
		return p, err
	}
	p.balancer, err = t.host.FollowPrimary(ctx, "primary", p.Members...)
	return p, err
}

// url returns where databases are, of whichever member is primary.
func (p patroni) url() string {
	return "postgres://postgres:x@" + p.balancer.Address + "/postgres?sslmode=disable"
}

// failingOver kills the primary and its Patroni while servers are written to.
func failingOver(ctx context.Context, t *trial) (_ []figure, err error) {
	p, err := t.patroni(ctx)
	if err != nil {
		return nil, err
	}
	s, err := t.sceneAt(ctx, p.url())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	servers, err := s.fleet(ctx, 2)
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx, servers[0], 1); err != nil {
		return nil, err
	}
	s.load.address = func(writer int) string { return servers[writer/2%2].Address }
	var seen watch
	s.load.observe = seen.written
	calm, without, err := s.failingOver(ctx, p, &seen)
	if err != nil {
		return nil, err
	}
	figures, err := s.drainAndAccount(ctx, servers[0])
	if err != nil {
		return nil, err
	}
	usual := slowest(seen.within(calm))
	beyond := func(d time.Duration) float64 { return rig.Milliseconds(d + usual) }
	return append([]figure{
		milliseconds("slowest write before", usual),
		count("answers 503", s.load.refused),
		milliseconds(withoutWrites, without).atMost(beyond(engine.TimeToLive*time.Second + failoverMargin)),
		milliseconds("slowest answer", s.load.slowest).atMost(beyond(patience)),
	}, figures...), stopAll(servers)
}

func (s *scene) failingOver(ctx context.Context, p patroni, seen *watch) (calm span, without time.Duration, err error) {
	defer s.writing(ctx)()
	if calm, _, err = s.during(ctx, nil, calmFor); err != nil {
		return calm, 0, err
	}
	p.between.swallows.Store(true)
	rig.Wait(ctx, cutBefore)
	died := time.Now()
	if err := p.Members[0].Kill(); err != nil {
		return calm, 0, err
	}
	if !rig.Until(ctx, time.Minute, 50*time.Millisecond, func() bool {
		_, written := seen.firstWrite(died.Add(time.Second))
		return written
	}) {
		return calm, 0, errors.New("no primary comes back")
	}
	rig.Wait(ctx, calmFor)
	return calm, seen.longestWithout(span{died, time.Now()}), ctx.Err()
}

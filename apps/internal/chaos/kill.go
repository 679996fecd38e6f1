package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
)

// killing kills the server again and again while it is written to.
func killing(engine string) func(context.Context, *trial) ([]figure, error) {
	return func(ctx context.Context, t *trial) (_ []figure, err error) {
		s, err := t.scene(ctx, engine, 2)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, s.close()) }()
		server, err := t.server(s.world)
		if err != nil {
			return nil, err
		}
		s.events /= 2 // there are two engines
		if err := server.Start(ctx); err != nil {
			return nil, err
		}
		if err := s.open(ctx, server, 1); err != nil {
			return nil, err
		}
		s.load.address = func(int) string { return server.Address }
		kills, restart, err := s.killing(ctx, server)
		if err != nil {
			return nil, err
		}
		figures, err := s.drainAndAccount(ctx, server)
		if err != nil {
			return nil, err
		}
		// Of each webhook a kill may repeat what was under way, and of a long backlog
		// one in a hundred.
		bound(figures, repetitions, float64(kills*len(s.hooks)*deliver.DefaultOptions().PerWebhook+s.load.progress()/100))
		beyond := 0
		for _, hook := range s.hooks {
			s.receiver.look(hook.inbox, func(in *inbox) { beyond += in.beyond(len(s.hooks)) })
		}
		return append([]figure{
			count("kills", kills).atLeast(float64(t.kills)), milliseconds("median of restarts", restart),
			told("duplicates per kill", valueOf(figures, repetitions)/float64(kills), ""), count(repeatedByKill, beyond).none(),
		}, figures...), server.Stop()
	}
}

// lastArrive is how long what a server sent before it was killed takes to be read.
const lastArrive = 30 * time.Millisecond

// killing kills as often as asked for, and goes on until as many writes were
// acknowledged. It reports how long the server took to come back.
func (s *scene) killing(ctx context.Context, server *rig.Process) (kills int, restart time.Duration, err error) {
	writing, stop := context.WithCancel(ctx)
	s.load.start(writing)
	defer s.load.work.Wait()
	defer stop()
	var restarts []time.Duration
	enough := s.enough()
	for (kills < s.kills || !enough()) && ctx.Err() == nil {
		rig.Wait(ctx, 50*time.Millisecond+rand.N(1450*time.Millisecond))
		if err := server.Kill(); err != nil {
			return kills, 0, err
		}
		kills++
		rig.Wait(ctx, lastArrive)
		s.receiver.killed()
		began := time.Now()
		if err := server.Start(ctx); err != nil {
			return kills, 0, err
		}
		restarts = append(restarts, time.Since(began))
	}
	return kills, rig.Percentile(restarts, 0.5), ctx.Err()
}

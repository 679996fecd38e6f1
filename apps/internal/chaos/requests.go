package main

import (
	"context"
	"errors"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

const (
	waitedForLog = "slowest write while the request log stalled"
	// logStalls is how long each batch of requests takes to be stored, and tooLong how
	// long no write may take meanwhile.
	logStalls = 5 * time.Second
	tooLong   = 2500 * time.Millisecond
)

// stallingLog writes while every batch of the request log takes five seconds.
func stallingLog(ctx context.Context, t *trial) (_ []figure, err error) {
	s, err := t.scene(ctx, "sqlite", 1)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	server, err := t.ownServer(s.world, "--stalled-requests")
	if err != nil {
		return nil, err
	}
	if err := server.Start(ctx); err != nil {
		return nil, err
	}
	if err := s.open(ctx, server, 0); err != nil {
		return nil, err
	}
	s.load.address = func(int) string { return server.Address }
	writing, done := context.WithCancel(ctx)
	s.load.start(writing)
	rig.Wait(ctx, 4*logStalls)
	done()
	s.load.work.Wait()
	return []figure{
		count("writes that were acknowledged", s.load.progress()).atLeast(100),
		milliseconds("each batch of the request log took", logStalls),
		milliseconds(waitedForLog, s.load.slowest).atMost(rig.Milliseconds(tooLong)),
	}, server.Stop()
}

// stallLog makes the request log of a server stall. In a server that is sabotaged it does
// so while it holds the writer of the database.
func stallLog(p *kernel.Ports, sabotage string) {
	slow := stalledLog{Requests: p.Requests}
	if sabotage == sharesWriter {
		slow.writer = p.Store
	}
	p.Requests = slow
}

type stalledLog struct {
	port.Requests
	// writer is nil in a log apart from the database.
	writer port.Store
}

func (l stalledLog) Add(ctx context.Context, added []trace.Request) error {
	if l.writer == nil {
		rig.Wait(ctx, logStalls)
		return l.Requests.Add(ctx, added)
	}
	return l.writer.Update(ctx, func(port.Tx) error {
		rig.Wait(ctx, logStalls)
		return l.Requests.Add(ctx, added)
	})
}

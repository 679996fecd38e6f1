package main

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	misjudgedTokens = "tokens judged by anything but their lifetime"
	jump            = time.Hour
	jumpFor         = 8 * time.Second
	// longLife outlasts a jump, shortLife does not.
	longLife, shortLife = 3 * time.Hour, 30 * time.Minute
)

// jumpingClocks has the clock of one of three servers jump an hour ahead, and an hour back.
func jumpingClocks(ctx context.Context, t *trial) (_ []figure, err error) {
	s, err := t.scene(ctx, "postgres", 2)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	s.receiver.answer = func(in *inbox, _ *receipt) rig.Reply {
		if strings.HasPrefix(in.name, doomed) {
			return rig.Reply{Status: http.StatusServiceUnavailable}
		}
		return rig.Reply{Status: http.StatusOK}
	}
	clock := filepath.Join(s.world.folder, "clock")
	servers, err := s.clocked(ctx, "", "", clock)
	if err != nil {
		return nil, err
	}
	issuer, err := t.ownServer(s.world, "--access-token-lifetime="+shortLife.String())
	if err != nil {
		return nil, err
	}
	if err := issuer.Start(ctx); err != nil {
		return nil, err
	}
	if err := s.open(ctx, servers[0], 1); err != nil {
		return nil, err
	}
	var turn atomic.Int64
	s.load.address = func(int) string { return servers[turn.Add(1)%replicas].Address }
	watched, err := s.doom(ctx, servers[0])
	if err != nil {
		return nil, err
	}
	misjudged, err := s.jumping(ctx, servers, issuer, clock)
	if err != nil {
		return nil, err
	}
	odd, err := watched.odd(ctx, servers[0])
	if err != nil {
		return nil, err
	}
	s.drains = drainsSoon
	if err := errors.Join(watched.end(ctx, servers[0]), s.drain(ctx, servers[0])); err != nil {
		return nil, err
	}
	most := 0
	s.receiver.look(doomed, func(in *inbox) {
		for _, r := range in.events {
			most = max(most, r.attempt)
		}
	})
	figures, err := s.account(ctx, servers[0])
	if err != nil {
		return nil, err
	}
	waiting, err := engine.Number(ctx, s.world.database, "SELECT count(*) FROM delivery WHERE status = 'pending'")
	if err != nil {
		return nil, err
	}
	figures = waitingIsNotLost(figures, waiting)
	return append([]figure{
		count(misjudgedTokens, misjudged).none(),
		count("highest number of an attempt that always fails", most).atMost(4),
		count("... given up after another number than four", odd).none(),
	}, figures...), stopAll(append(servers, issuer))
}

// drainsSoon is how long is waited for deliveries. Those that a process with a clock ahead
// has leased wait for as long as it was ahead.
const drainsSoon = 15 * time.Second

// waitingIsNotLost takes deliveries that wait apart from those that are lost.
func waitingIsNotLost(figures []figure, waiting int) []figure {
	for i, f := range figures {
		if f.name == unheardEvents || f.name == lostDeliveries {
			figures[i] = count(f.name+", and do not wait", max(0, int(f.value)-waiting)).none()
		}
	}
	return append(figures, count("deliveries that wait for as long as the clock was ahead", waiting))
}

// clocked starts a server for each clock, which is a file, or empty for the right time.
func (s *scene) clocked(ctx context.Context, clocks ...string) (servers []*rig.Process, err error) {
	for _, clock := range clocks {
		server, err := s.ownServer(s.world, "--clock="+clock, "--access-token-lifetime="+longLife.String())
		if err != nil {
			return nil, err
		}
		if err := server.Start(ctx); err != nil {
			return nil, err
		}
		servers = append(servers, server)
	}
	return servers, nil
}

// jumping moves the clock of the last server, and counts the tokens that are judged by
// anything but their lifetime and the clock of who judges.
func (s *scene) jumping(ctx context.Context, servers []*rig.Process, issuer *rig.Process, clock string) (misjudged int, err error) {
	lives := map[time.Duration]string{}
	if lives[longLife], err = s.client.Grant(ctx, servers[0].Address, 1); err != nil {
		return 0, err
	}
	if lives[shortLife], err = s.client.Grant(ctx, issuer.Address, 1); err != nil {
		return 0, err
	}
	defer s.writing(ctx)()
	for _, off := range []time.Duration{0, jump, 0, -jump, 0} {
		if err := os.WriteFile(clock, []byte(strconv.FormatInt(int64(off), 10)), 0o600); err != nil {
			return 0, err
		}
		rig.Wait(ctx, 10*clockLooks)
		for i, server := range servers {
			ahead := time.Duration(0)
			if i == len(servers)-1 {
				ahead = off
			}
			for life, token := range lives {
				got, err := s.client.CallWith(ctx, token, server.Address, http.MethodGet, "/site", nil)
				if err != nil || (got.Status == http.StatusOK) != (ahead < life) {
					misjudged++
				}
			}
		}
		rig.Wait(ctx, jumpFor)
	}
	return misjudged, ctx.Err()
}

// clockLooks is how often a server looks at the file that is its clock.
const clockLooks = 50 * time.Millisecond

// clockOf tells the time as far off as a file says.
func clockOf(ctx context.Context, file string) func() time.Time {
	var off atomic.Int64
	go func() {
		for ; ctx.Err() == nil; rig.Wait(ctx, clockLooks) {
			if text, err := os.ReadFile(file); err == nil {
				if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
					off.Store(n)
				}
			}
		}
	}()
	return func() time.Time { return time.Now().Add(time.Duration(off.Load())) }
}

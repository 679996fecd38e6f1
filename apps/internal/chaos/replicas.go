package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	notSuspended = "suspensions of webhooks that always fail"
	replicas     = 3
	doomed       = "doomed"
)

// replicating runs several servers on one database and takes one of them away
// every few seconds: killed and started again, or stopped for longer than its
// leases last.
func replicating(ctx context.Context, t *trial) (_ []figure, err error) {
	s, err := t.scene(ctx, "postgres", 2)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	s.receiver.answer = func(in *inbox, r *receipt) rig.Reply {
		if strings.HasPrefix(in.name, doomed) {
			return rig.Reply{Status: http.StatusServiceUnavailable}
		}
		return sometimesFailing(in, r)
	}
	servers, err := s.fleet(ctx, replicas)
	if err != nil {
		return nil, err
	}
	if err := s.open(ctx, servers[0], 2); err != nil {
		return nil, err
	}
	var turn atomic.Int64
	s.load.address = func(int) string { return servers[turn.Add(1)%replicas].Address }
	watched, err := s.doom(ctx, servers[0])
	if err != nil {
		return nil, err
	}
	kills, pauses, err := s.replicating(ctx, servers, watched)
	if err != nil {
		return nil, err
	}
	if err := watched.end(ctx, servers[0]); err != nil {
		return nil, err
	}
	figures, err := s.drainAndAccount(ctx, servers[0])
	if err != nil {
		return nil, err
	}
	odd, err := watched.odd(ctx, servers[0])
	if err != nil {
		return nil, err
	}
	bound(figures, duplicates, 1)
	figures = append([]figure{count("kills", kills), count("pauses longer than a lease", pauses)}, figures...)
	figures = append(figures,
		count(notSuspended, watched.suspended).atLeast(float64(max(1, kills/8))),
		count("... after anything but four attempts", odd).none())
	for _, server := range servers {
		err = errors.Join(err, server.Stop())
	}
	return figures, err
}

func (s *scene) replicating(ctx context.Context, servers []*rig.Process, watched *doom) (kills, pauses int, err error) {
	writing, stop := context.WithCancel(ctx)
	s.load.start(writing)
	defer s.load.work.Wait()
	s.load.work.Go(func() { watched.follow(writing) })
	defer stop()
	enough := s.enough()
	for n := 0; !enough() && ctx.Err() == nil; n++ {
		rig.Wait(ctx, time.Second+rand.N(2*time.Second))
		victim := servers[rand.N(len(servers))]
		if n%4 == 3 {
			pauses++
			if err := victim.Pause(ctx, 4*time.Second); err != nil {
				return kills, pauses, err
			}
			continue
		}
		kills++
		if err := victim.Kill(); err != nil {
			return kills, pauses, err
		}
		rig.Wait(ctx, rand.N(time.Second))
		if err := victim.Start(ctx); err != nil {
			return kills, pauses, err
		}
	}
	return kills, pauses, ctx.Err()
}

// doom is a webhook whose receiver always fails. Whichever process attempts what, it must
// be suspended after four attempts; then it is woken again.
type doom struct {
	*scene
	path      string
	suspended int
}

func (s *scene) doom(ctx context.Context, server *rig.Process) (*doom, error) {
	id, err := s.client.Subscribe(ctx, server.Address, 1, s.receiver.URL+doomed, "PRODUCT_CREATE")
	return &doom{scene: s, path: "/hooks/" + strconv.FormatInt(id, 10)}, err
}

func (d *doom) follow(ctx context.Context) {
	for ctx.Err() == nil {
		var hook struct {
			Data struct {
				Status string `json:"status"`
			} `json:"data"`
		}
		err := d.client.Do(ctx, d.load.address(0), 1, http.MethodGet, d.path, nil, &hook)
		if err == nil && hook.Data.Status == "suspended" {
			if d.client.Do(ctx, d.load.address(0), 1, http.MethodPut, d.path, rig.Object{}, nil) == nil {
				d.suspended++
			}
		}
		rig.Wait(ctx, 100*time.Millisecond)
	}
}

// end cancels what is still to be delivered, which is nobody's business any more.
func (d *doom) end(ctx context.Context, server *rig.Process) error {
	return d.client.Do(ctx, server.Address, 1, http.MethodPut, d.path, rig.Object{"status": "suspended"}, nil)
}

// odd counts the deliveries that failed for good after another number of
// attempts than four.
func (d *doom) odd(ctx context.Context, server *rig.Process) (n int, err error) {
	for next := d.path + "/deliveries?status=failed"; next != ""; {
		var page struct {
			Data []struct {
				Attempts []struct {
					Number int `json:"number"`
				} `json:"attempts"`
			} `json:"data"`
			Next *string `json:"next_cursor"`
		}
		if err := d.client.Do(ctx, server.Address, 1, http.MethodGet, next, nil, &page); err != nil {
			return n, err
		}
		for _, delivery := range page.Data {
			if len(delivery.Attempts) != 4 {
				n++
				fmt.Println("a delivery failed after", delivery.Attempts)
			}
		}
		if next = ""; page.Next != nil {
			next = d.path + "/deliveries?status=failed&cursor=" + *page.Next
		}
	}
	return n, nil
}

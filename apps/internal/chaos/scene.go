package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

// scene is what the proofs about lost and doubled things share: a world, its
// writers, and the webhooks they cause deliveries for.
type scene struct {
	*trial
	world    *world
	client   *rig.Client
	receiver *receiver
	load     *load
	hooks    []subscription
	drained  time.Duration
	// drains is how long is waited until everything is delivered.
	drains time.Duration
}

// subscription is a webhook whose deliveries are accounted for.
type subscription struct {
	site  int
	id    int64
	inbox string
}

func (t *trial) scene(ctx context.Context, engine string, sites int) (*scene, error) {
	w, err := t.world(ctx, engine, sites)
	if err != nil {
		return nil, err
	}
	return t.sceneIn(w)
}

// sceneAt returns a scene in a new world of two sites, whose database is made in a cluster.
func (t *trial) sceneAt(ctx context.Context, server string) (*scene, error) {
	w, err := t.worldIn(ctx, server, 2)
	if err != nil {
		return nil, err
	}
	return t.sceneIn(w)
}

// sceneIn returns a scene in a world that is there.
func (t *trial) sceneIn(w *world) (_ *scene, err error) {
	s := &scene{trial: t, world: w, client: rig.NewClient(clientID, clientSecret, 20*time.Second), drains: drainsWithin}
	if s.receiver, err = newReceiver(sometimesFailing); err != nil {
		return nil, errors.Join(err, w.close())
	}
	s.load = &load{client: s.client, sites: w.sites}
	return s, nil
}

func (s *scene) close() error { return errors.Join(s.world.close(), s.receiver.Close()) }

// fleet starts some servers.
func (s *scene) fleet(ctx context.Context, n int, more ...string) (servers []*rig.Process, err error) {
	for range n {
		server, err := s.server(s.world, more...)
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

// open makes the webhooks, so many of each site, and the first products.
func (s *scene) open(ctx context.Context, server *rig.Process, each int) error {
	for site := 1; site <= s.world.sites; site++ {
		if err := s.known(ctx, server, site); err != nil {
			return err
		}
		for n := range each {
			name := fmt.Sprintf("s%dh%d", site, n)
			id, err := s.client.Subscribe(ctx, server.Address, site, s.receiver.URL+name, "PRODUCT_CREATE", "PRODUCT_UPDATE")
			if err != nil {
				return err
			}
			s.hooks = append(s.hooks, subscription{site, id, name})
		}
	}
	return s.load.prepare(ctx, server.Address)
}

// known waits until the server knows the token it gave: a sabotaged one may take
// a moment.
func (s *scene) known(ctx context.Context, server *rig.Process, site int) (err error) {
	for range 100 {
		if err = s.client.Do(ctx, server.Address, site, http.MethodGet, "/hooks", nil, nil); err == nil {
			return nil
		}
		rig.Wait(ctx, 50*time.Millisecond)
	}
	return err
}

// enough reports whether the writers have written enough. Of a sabotaged server
// nobody knows how fast it is.
func (s *scene) enough() func() bool {
	began := time.Now()
	return func() bool {
		return s.load.progress() >= s.events || s.sabotage != "" && time.Since(began) > s.sabotaged
	}
}

const drainsWithin = 3 * time.Minute

// drain waits until nothing is left to be delivered. What was not delivered by
// then is lost.
func (s *scene) drain(ctx context.Context, server *rig.Process) error {
	began := time.Now()
	for _, hook := range s.hooks {
		for {
			n, err := s.pending(ctx, server, hook)
			if err == nil && n == 0 {
				break
			}
			if time.Since(began) > s.drains {
				fmt.Fprintf(os.Stderr, "webhook %d still has deliveries to make after %s\n", hook.id, s.drains)
				return err
			}
			rig.Wait(ctx, 50*time.Millisecond)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	s.drained = time.Since(began)
	for s.receiver.quiet() < time.Second && ctx.Err() == nil {
		rig.Wait(ctx, 100*time.Millisecond)
	}
	return ctx.Err()
}

func (s *scene) pending(ctx context.Context, server *rig.Process, hook subscription) (int, error) {
	var page struct {
		Data []struct{} `json:"data"`
	}
	path := "/hooks/" + strconv.FormatInt(hook.id, 10) + "/deliveries?status=pending"
	err := s.client.Do(ctx, server.Address, hook.site, http.MethodGet, path, nil, &page)
	return len(page.Data), err
}

// goroutines counts those of a server.
func (s *scene) goroutines(server *rig.Process) (int, error) {
	n, err := s.metric(server, "go_goroutines")
	return int(n), err
}

// metric returns the value of a metric without labels.
func (s *scene) metric(server *rig.Process, name string) (float64, error) {
	response, err := s.client.HTTP.Get("http://" + server.Address + "/metrics")
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if value, found := strings.CutPrefix(lines.Text(), name+" "); found {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, errors.New("the server does not tell " + name)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vitrine-crm/vitrine/adapters/postgres"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	neverArrived = "deliveries to healthy webhooks that did not arrive meanwhile"
	stalledRatio = "p99 with the stalling webhook ÷ p99 without, median of rounds"
	stallFor     = 10 * time.Second
	staller      = "staller"
	healthyHooks = 99
	creationPace = 250 * time.Millisecond
)

// stall is a scene with many healthy webhooks and one whose receiver takes ten
// seconds for everything.
type stall struct {
	*scene
	server   *rig.Process
	staller  string // its path
	products []int64
	price    int

	missing                 int // deliveries that had not arrived when the round was over
	goroutines, connections int // the most that were seen
}

// stalling measures how soon healthy webhooks hear of a change, in turns with
// and without one that stalls.
func stalling(ctx context.Context, t *trial) (_ []figure, err error) {
	s, err := t.scene(ctx, "postgres", 2)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	s.receiver.answer = func(in *inbox, _ *receipt) rig.Reply {
		if in.name == staller {
			return rig.Reply{Status: http.StatusOK, Delay: stallFor}
		}
		return rig.Reply{Status: http.StatusOK}
	}
	server, err := t.server(s.world, "--hooks-timeout=12s", "--hooks-lease=15s")
	if err != nil {
		return nil, err
	}
	if err := server.Start(ctx); err != nil {
		return nil, err
	}
	m := &stall{scene: s, server: server}
	if err := m.open(ctx); err != nil {
		return nil, err
	}
	var without, with, ratios []float64
	calm, queued, late := 0, 0, 0
	for range t.rounds {
		quiet, err := m.round(ctx)
		if err != nil {
			return nil, err
		}
		calm = max(calm, m.goroutines)
		if err := m.queue(ctx); err != nil {
			return nil, err
		}
		m.missing = 0
		busy, err := m.round(ctx)
		if err != nil {
			return nil, err
		}
		late += m.missing
		pending, err := m.release(ctx)
		if err != nil {
			return nil, err
		}
		queued = max(queued, pending)
		without, with = append(without, quiet...), append(with, busy...)
		ratios = append(ratios, rig.Percentile(busy, 0.99)/rig.Percentile(quiet, 0.99))
	}
	return []figure{
		count("events queued for the webhook that stalls", len(m.products)),
		count("... first page of them still pending after the round", queued).atLeast(1),
		count("healthy webhooks", healthyHooks),
		count("deliveries measured without, and with it", len(without)+len(with)),
		told("p50 without", rig.Percentile(without, 0.5), "ms"), told("p50 with", rig.Percentile(with, 0.5), "ms"),
		told("p99 without", rig.Percentile(without, 0.99), "ms"), told("p99 with", rig.Percentile(with, 0.99), "ms"),
		count(neverArrived, late).none(),
		told(stalledRatio, rig.Percentile(ratios, 0.5), "").atMost(1.2),
		count("most goroutines without it", calm),
		count("most goroutines", m.goroutines).atMost(1000),
		count("most connections to the database", m.connections).atMost(postgres.DefaultConnections + postgres.RequestConnections),
	}, server.Stop()
}

// open makes the products before there are webhooks to hear of it.
func (m *stall) open(ctx context.Context) error {
	var mu sync.Mutex
	err := m.each(ctx, m.stalled, func(int) error {
		id, err := m.create(ctx, 1)
		mu.Lock()
		defer mu.Unlock()
		m.products = append(m.products, id)
		return err
	})
	if err != nil {
		return err
	}
	id, err := m.client.Subscribe(ctx, m.server.Address, 1, m.receiver.URL+staller, "PRODUCT_UPDATE")
	if err != nil {
		return err
	}
	m.staller = "/hooks/" + strconv.FormatInt(id, 10)
	for n := range healthyHooks {
		site := 2 - n%2
		name := fmt.Sprintf("healthy%d", n)
		id, err := m.client.Subscribe(ctx, m.server.Address, site, m.receiver.URL+name, "PRODUCT_CREATE")
		if err != nil {
			return err
		}
		m.hooks = append(m.hooks, subscription{site, id, name})
	}
	return m.suspend(ctx)
}

// each does something so many times, a few at a time.
func (m *stall) each(ctx context.Context, n int, do func(int) error) error {
	group, _ := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	for i := range n {
		group.Go(func() error { return do(i) })
	}
	return group.Wait()
}

func (m *stall) create(ctx context.Context, site int) (int64, error) {
	return m.client.Create(ctx, m.server.Address, site, "/products", rig.Object{})
}

func (m *stall) suspend(ctx context.Context) error {
	return m.client.Do(ctx, m.server.Address, 1, http.MethodPut, m.staller, rig.Object{"status": "suspended"}, nil)
}

// queue wakes the webhook that stalls and changes every product.
func (m *stall) queue(ctx context.Context) error {
	before := m.hanging()
	if err := m.client.Do(ctx, m.server.Address, 1, http.MethodPut, m.staller, rig.Object{}, nil); err != nil {
		return err
	}
	m.price++
	if err := m.each(ctx, len(m.products), func(i int) error {
		id := m.products[i]
		return m.client.Do(ctx, m.server.Address, 1, http.MethodPatch, "/products/"+strconv.FormatInt(id, 10),
			rig.Object{"product_id": id, "criteria": []rig.Object{{"id": "Prix", "value": m.price}}}, nil)
	}); err != nil {
		return err
	}
	// It stalls when all attempts that it may make at a time hang.
	if !rig.Until(ctx, stallsWithin, 20*time.Millisecond, func() bool { return m.hanging()-before >= 4 }) {
		return errors.New("the webhook that should stall is not served")
	}
	return nil
}

const stallsWithin = 30 * time.Second

// hanging counts the requests to the webhook that stalls.
func (m *stall) hanging() (n int) {
	m.receiver.look(staller, func(in *inbox) { n = len(in.events) })
	return n
}

// release puts the webhook that stalls to sleep again, and reports whether it
// still had deliveries to make.
func (m *stall) release(ctx context.Context) (int, error) {
	var page struct {
		Data []struct{} `json:"data"`
	}
	if err := m.client.Do(ctx, m.server.Address, 1, http.MethodGet, m.staller+"/deliveries?status=pending", nil, &page); err != nil {
		return 0, err
	}
	if err := m.suspend(ctx); err != nil {
		return 0, err
	}
	m.receiver.Release() // what is under way comes to its end
	rig.Wait(ctx, time.Second)
	return len(page.Data), ctx.Err()
}

// round makes products for a while and tells how long each took to arrive at
// each healthy webhook, in milliseconds.
func (m *stall) round(ctx context.Context) ([]float64, error) {
	committed := map[int]map[int64]time.Time{1: {}, 2: {}}
	for end, n := time.Now().Add(m.size.round), 0; time.Now().Before(end) && ctx.Err() == nil; n++ {
		site := n%2 + 1
		id, err := m.create(ctx, site)
		if err != nil {
			return nil, err
		}
		committed[site][id] = time.Now()
		if err := m.watch(ctx); err != nil {
			return nil, err
		}
		rig.Wait(ctx, creationPace)
	}
	rig.Wait(ctx, 3*time.Second)
	var times []float64
	for _, hook := range m.hooks {
		m.receiver.look(hook.inbox, func(in *inbox) {
			arrived := map[int64]time.Time{}
			for _, r := range in.events {
				arrived[r.resource] = r.at
			}
			for id, at := range committed[hook.site] {
				until, there := arrived[id]
				if !there {
					m.missing++
					until = time.Now() // it is at least as late as this
				}
				times = append(times, max(0, float64(until.Sub(at))/float64(time.Millisecond)))
			}
		})
	}
	return times, ctx.Err()
}

// watch looks at what the server uses.
func (m *stall) watch(ctx context.Context) error {
	n, err := m.world.connections(ctx)
	if err != nil {
		return err
	}
	m.connections = max(m.connections, n)
	n, err = m.scene.goroutines(m.server)
	m.goroutines = max(m.goroutines, n)
	return err
}

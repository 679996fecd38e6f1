package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	suspendedForNothing = "webhooks suspended while the network was down"
	egressSites         = 5
	hooksPerSite        = 40
	egressHosts         = 50
)

// unplugging takes the names of all receivers away for a while: the fault is
// ours, and nobody must pay for it. Before that, one dead receiver among living
// ones has to be told apart from it.
func unplugging(ctx context.Context, t *trial) (_ []figure, err error) {
	s, err := t.scene(ctx, "postgres", egressSites)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	s.receiver.answer = func(*inbox, *receipt) rig.Reply { return rig.Reply{Status: http.StatusOK} }
	s.receiver.Server.SetKeepAlivesEnabled(false) // a network that is gone keeps no connection
	resolver, err := newNames()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, resolver.close()) }()
	// All retries fall into the outage.
	delays := fmt.Sprintf("--hooks-retry-delays=%s,%s,%s", t.outage/8, t.outage/4, t.outage/2)
	server, err := t.ownServer(s.world, "--resolver="+resolver.address(), delays)
	if err != nil {
		return nil, err
	}
	if err := server.Start(ctx); err != nil {
		return nil, err
	}
	if err := s.openHosts(ctx, server); err != nil {
		return nil, err
	}
	attempts, err := s.deadHost(ctx, server)
	if err != nil {
		return nil, err
	}
	resolver.down.Store(true)
	for end := time.Now().Add(t.outage + t.outage/8); time.Now().Before(end) && ctx.Err() == nil; {
		if err := s.touch(ctx, server); err != nil {
			return nil, err
		}
		rig.Wait(ctx, t.outage/12)
	}
	suspended, err := s.suspended(ctx, server)
	if err != nil {
		return nil, err
	}
	resolver.down.Store(false)
	if err := s.drain(ctx, server); err != nil {
		return nil, err
	}
	truth, err := s.truth(ctx, server)
	if err != nil {
		return nil, err
	}
	d := s.deliveries(truth)
	charged, most := s.charged()
	return []figure{
		count("attempts until a single dead receiver was suspended", attempts).exactly(4),
		count("webhooks, on 50 hosts", len(s.hooks)),
		told("outage", t.outage.Seconds(), "s"),
		count(suspendedForNothing, suspended).none(),
		count("attempts charged before the network was seen to be down", charged).atMost(0),
		count("... to the same delivery, at most", most).atMost(1),
		count("deliveries", d.accepted),
		count(lostDeliveries, d.lost).none(),
		milliseconds("until everything was delivered after it", s.drained),
	}, server.Stop()
}

// openHosts subscribes all webhooks, at names.
func (s *scene) openHosts(ctx context.Context, server *rig.Process) error {
	for site := 1; site <= egressSites; site++ {
		for n := range hooksPerSite {
			name := fmt.Sprintf("s%dh%d", site, n)
			host := fmt.Sprintf("host%d.example:%s", (site*hooksPerSite+n)%egressHosts, s.receiver.Port())
			id, err := s.client.Subscribe(ctx, server.Address, site, "http://"+host+"/"+name, "PRODUCT_CREATE")
			if err != nil {
				return err
			}
			s.hooks = append(s.hooks, subscription{site, id, name})
		}
	}
	return nil
}

// touch makes a product on each site.
func (s *scene) touch(ctx context.Context, server *rig.Process) error {
	for site := 1; site <= egressSites; site++ {
		if err := s.client.Do(ctx, server.Address, site, http.MethodPost, "/products", rig.Object{}, nil); err != nil {
			return err
		}
	}
	return nil
}

// deadHost subscribes a port that nobody listens on and counts the attempts
// after which the webhook is suspended.
func (s *scene) deadHost(ctx context.Context, server *rig.Process) (int, error) {
	address, err := rig.FreeAddress()
	if err != nil {
		return 0, err
	}
	id, err := s.client.Subscribe(ctx, server.Address, 1, "http://"+address+"/", "PRODUCT_CREATE")
	if err != nil {
		return 0, err
	}
	if err := s.touch(ctx, server); err != nil {
		return 0, err
	}
	path := "/hooks/" + strconv.FormatInt(id, 10)
	for deadline := time.Now().Add(s.outage + 10*time.Second); time.Now().Before(deadline); rig.Wait(ctx, 50*time.Millisecond) {
		var page struct {
			Data []struct {
				Attempts []struct{} `json:"attempts"`
			} `json:"data"`
		}
		if err := s.client.Do(ctx, server.Address, 1, http.MethodGet, path+"/deliveries?status=failed", nil, &page); err != nil {
			return 0, err
		}
		if len(page.Data) == 1 {
			return len(page.Data[0].Attempts), nil
		}
	}
	return 0, nil
}

// suspended counts the webhooks that are.
func (s *scene) suspended(ctx context.Context, server *rig.Process) (n int, err error) {
	for _, hook := range s.hooks {
		var one struct {
			Data struct {
				Status string `json:"status"`
			} `json:"data"`
		}
		path := "/hooks/" + strconv.FormatInt(hook.id, 10)
		if err := s.client.Do(ctx, server.Address, hook.site, http.MethodGet, path, nil, &one); err != nil {
			return n, err
		}
		if one.Data.Status == "suspended" {
			n++
		}
	}
	return n, nil
}

// charged counts the attempts of deliveries that were made before the one that
// arrived, in all and of one delivery.
func (s *scene) charged() (all, most int) {
	for _, hook := range s.hooks {
		s.receiver.look(hook.inbox, func(in *inbox) {
			for _, r := range in.events {
				all += r.attempt - 1
				most = max(most, r.attempt-1)
			}
		})
	}
	return all, most
}

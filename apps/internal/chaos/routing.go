package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
)

const (
	shareOfMemory = "most memory for sites of one of three ÷ that of one alone"
	// ownMemory leaves out the pages of the program: those are the same with any number of
	// sites, and the processes of a machine share them.
	ownMemory = "RssAnon"
	// askers ask for sites all the time, and killedAfter is when a server is killed then.
	askers      = 8
	killedAfter = 2 * time.Second
)

// crowd asks for many sites. It has a token for each.
type crowd struct {
	client *rig.Client
	tokens []string
}

// routing has three servers share the sites, behind a balancer that sends requests about a
// site to the same one, and kills one of them.
func routing(ctx context.Context, t *trial) (_ []figure, err error) {
	w, err := t.emptyWorld(t.manySites)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	w.vocabulary = largeVocabulary
	if err := w.create(ctx, t.Postgres); err != nil {
		return nil, err
	}
	if err := w.provision(ctx); err != nil {
		return nil, err
	}
	c := crowd{client: rig.NewClient(clientID, clientSecret, 20*time.Second)}
	empty, alone, err := t.alone(ctx, w, &c)
	if err != nil {
		return nil, err
	}
	var servers []*rig.Process
	var addresses []string
	for range replicas {
		server, err := t.begin(ctx, w)
		if err != nil {
			return nil, err
		}
		servers, addresses = append(servers, server), append(addresses, server.Address)
	}
	balance := t.host.BalanceSites
	if t.sabotage == knowsNoSites {
		balance = t.host.BalanceServers
	}
	balancer, err := balance(ctx, "balancer", addresses...)
	if err != nil {
		return nil, err
	}
	if err := c.askForAll(ctx, balancer.Address); err != nil {
		return nil, err
	}
	most := 0
	for _, server := range servers {
		takes, err := resident(server, ownMemory)
		if err != nil {
			return nil, err
		}
		most = max(most, takes)
	}
	asked, cut, failed, err := c.loseOne(ctx, balancer, servers[0])
	if err != nil {
		return nil, err
	}
	return []figure{
		count("sites", w.sites), count("own memory of one that was asked for no site, MB", empty),
		count("own memory of one alone, MB", alone), count("most own memory of one of three, MB", most),
		told(shareOfMemory, float64(most-empty)/float64(alone-empty), "").atMost(0.42),
		count("requests while one of them was killed", asked).atLeast(askers), count("... cut off with it", cut).atMost(3 * askers),
		count("... that failed otherwise", failed).none(),
	}, stopAll(servers[1:])
}

// begin starts a server that loads nothing before it is asked for it: with a share of the
// sites it would load those of others. It collects garbage often, so that its memory is what
// it keeps and not what it has not collected yet.
func (t *trial) begin(ctx context.Context, w *world) (*rig.Process, error) {
	server, err := w.server([]string{"env", "GOGC=25", t.vitrine, "serve"}, []string{"--requests-max=0", "--no-warm-up"})
	if err != nil {
		return nil, err
	}
	return server, server.Start(ctx)
}

// alone returns what the memory of a single server is before it was asked for a site, and when
// it was asked for every one.
func (t *trial) alone(ctx context.Context, w *world, c *crowd) (empty, full int, err error) {
	server, err := t.begin(ctx, w)
	if err != nil {
		return 0, 0, err
	}
	if empty, err = resident(server, ownMemory); err != nil {
		return 0, 0, err
	}
	for site := 1; site <= w.sites; site++ {
		token, err := c.client.Token(ctx, server.Address, site)
		if err != nil {
			return 0, 0, err
		}
		c.tokens = append(c.tokens, token)
	}
	if err := c.askForAll(ctx, server.Address); err != nil {
		return 0, 0, err
	}
	full, err = resident(server, ownMemory)
	return empty, full, errors.Join(err, server.Stop())
}

// askForAll asks for every site as often as there are servers, each time in another order. A
// balancer that knows no sites brings most of them to every server then.
func (c *crowd) askForAll(ctx context.Context, address string) error {
	for range replicas {
		for _, site := range rand.Perm(len(c.tokens)) {
			if err := c.ask(ctx, address, site); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *crowd) ask(ctx context.Context, address string, site int) error {
	got, err := c.client.CallWith(ctx, c.tokens[site], address, http.MethodPost, "/products/search", rig.Object{})
	if err == nil && got.Status != http.StatusOK {
		err = errors.New(string(got.Body))
	}
	return err
}

// loseOne asks for sites all the time while a server is killed. Requests are cut off that
// were under way at that moment.
func (c *crowd) loseOne(ctx context.Context, balancer *engine.HAProxy, server *rig.Process) (asked, cut, failed int, err error) {
	const alive, dying, gone = 0, 1, 2
	var all, cutOff, otherwise, killed atomic.Int64
	asking, stop := context.WithCancel(ctx)
	defer stop()
	var work sync.WaitGroup
	for n := range askers {
		work.Go(func() {
			for i := 0; asking.Err() == nil; i++ {
				before := killed.Load()
				err := c.ask(ctx, balancer.Address, (n+i*askers)%len(c.tokens))
				all.Add(1)
				switch {
				case err == nil:
				case before != gone && killed.Load() != alive:
					cutOff.Add(1)
				default:
					otherwise.Add(1)
				}
			}
		})
	}
	rig.Wait(ctx, killedAfter)
	killed.Store(dying)
	err = server.Kill()
	killed.Store(gone)
	rig.Wait(ctx, 2*killedAfter)
	stop()
	work.Wait()
	return int(all.Load()), int(cutOff.Load()), int(otherwise.Load()), err
}

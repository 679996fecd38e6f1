package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/engine/deliver"
)

// What deliveries are measured with: webhooks of as many sites, each of which is
// told of as many events, and later a steady stream of events on one site.
const (
	subscribers   = 16
	eventsEach    = 500
	steadyEvents  = 1_000
	steadyEach    = 10 * time.Millisecond
	deliveryLimit = 2 * time.Minute
)

// delivering compares the rate of deliveries with that of a bare client that
// posts the same bodies to the same receiver, as many at a time, and measures
// how long after the commit of an event its delivery arrives.
func (b *bench) delivering(ctx context.Context, w *world) (err error) {
	w.endStacks()
	server, err := b.deliverer(ctx, w)
	if err != nil {
		return err
	}
	at, err := startReceiver(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, at.close()) }()
	bodies := creations(64, 10)
	for i := range subscribers {
		head, err := w.store.Head(ctx, firstWriteID+site.ID(i))
		if err != nil {
			return err
		}
		server.since = append(server.since, head.Seq)
		if err := b.events(ctx, server, firstWriteID+site.ID(i), bodies, eventsEach); err != nil {
			return err
		}
	}
	var rates, bares, ratios, journals []float64
	for round := range b.rounds {
		path := fmt.Sprintf("round/%d", round)
		ours, got, journal, err := b.backlog(ctx, w, server, at, path)
		if err != nil {
			return err
		}
		bare, err := postAll(ctx, at, path+"/bare", got)
		if err != nil {
			return err
		}
		theirs := rateOf(bare.Arrivals)
		rates, bares, ratios, journals = append(rates, ours), append(bares, theirs), append(ratios, ours/theirs), append(journals, journal)
	}
	b.report.add(w.name()+": deliveries ÷ bare client", rig.Median(ratios), ratio, atLeast(0.6),
		fmt.Sprintf("%s/s to %d webhooks against %s/s", rig.Count(int(rig.Median(rates))), subscribers, rig.Count(int(rig.Median(bares)))))
	if _, journalled := w.engine.(*postgresEngine); journalled {
		b.report.add(w.name()+": journal of what came of a delivery", rig.Median(journals), octets, goal{}, "")
	}
	var times []time.Duration
	err = server.dispatching(ctx, func() (err error) {
		times, err = b.steady(ctx, server, at, bodies)
		return err
	})
	if err != nil {
		return err
	}
	found := latenciesOf(times)
	b.report.add(w.name()+": commit to receipt p50, 100 events/s", found.p50, milliseconds, atMost(2), "")
	b.report.add(w.name()+": commit to receipt p99, 100 events/s", found.p99, milliseconds, atMost(10), "")
	return nil
}

// backlog has the server deliver many events at once: how many a second, what arrived,
// and how many bytes were written to the journal of the database for each.
func (b *bench) backlog(ctx context.Context, w *world, server *deliverer, at *receiver, path string) (rate float64, got received, journal float64, err error) {
	hooks := make([]int64, subscribers)
	for i := range hooks {
		if hooks[i], err = subscribe(ctx, server, firstWriteID+site.ID(i), at.url+path); err != nil {
			return 0, got, 0, err
		}
	}
	var group errgroup.Group
	for i, hook := range hooks {
		group.Go(func() error {
			return server.call(ctx, "POST", firstWriteID+site.ID(i), fmt.Sprintf("/hooks/%d/replay", hook), rig.Object{"after_event_id": server.since[i]}, nil)
		})
	}
	if err := group.Wait(); err != nil {
		return 0, got, 0, err
	}
	// All is in the outbox before the first is sent.
	before, err := w.journal(ctx)
	if err != nil {
		return 0, got, 0, err
	}
	err = server.dispatching(ctx, func() (err error) {
		got, err = at.await(ctx, path, subscribers*eventsEach)
		return err
	})
	if err != nil {
		return 0, got, 0, err
	}
	after, err := w.journal(ctx)
	if err != nil {
		return 0, got, 0, err
	}
	for i, hook := range hooks {
		if err := server.call(ctx, "DELETE", firstWriteID+site.ID(i), fmt.Sprintf("/hooks/%d", hook), nil, nil); err != nil {
			return 0, got, 0, err
		}
	}
	return rateOf(got.Arrivals), got, float64(after-before) / float64(len(got.Arrivals)), nil
}

func rateOf(arrivals []arrival) float64 {
	took := arrivals[len(arrivals)-1].At.Sub(arrivals[0].At)
	return float64(len(arrivals)-1) / took.Seconds()
}

// events makes events happen on a site.
func (b *bench) events(ctx context.Context, server *deliverer, id site.ID, bodies [][]byte, n int) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(clients)
	for i := range n {
		group.Go(func() error { return server.call(ctx, "POST", id, "/products", bodies[i%len(bodies)], nil) })
	}
	return group.Wait()
}

func subscribe(ctx context.Context, server *deliverer, id site.ID, url string) (int64, error) {
	return server.client.Subscribe(ctx, server.address(), int(id), url, "PRODUCT_CREATE")
}

// postAll returns the bare client, which posts as many bodies as were received: over
// as many connections as the dispatcher has attempts under way for as many
// webhooks.
func postAll(ctx context.Context, at *receiver, path string, got received) (received, error) {
	workers := deliver.DefaultOptions().PerWebhook * subscribers
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}}
	defer client.CloseIdleConnections()
	group, grouped := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for range got.Arrivals {
		group.Go(func() error {
			r, err := http.NewRequestWithContext(grouped, http.MethodPost, at.url+path, bytes.NewReader(got.Body))
			if err != nil {
				return err
			}
			response, err := client.Do(r)
			if err != nil {
				return err
			}
			_, err = io.Copy(io.Discard, response.Body)
			return errors.Join(err, response.Body.Close())
		})
	}
	if err := group.Wait(); err != nil {
		return received{}, err
	}
	return at.await(ctx, path, len(got.Arrivals))
}

// steady lets events happen at an even pace and tells how long each took to
// arrive.
func (b *bench) steady(ctx context.Context, server *deliverer, at *receiver, bodies [][]byte) ([]time.Duration, error) {
	hook, err := subscribe(ctx, server, firstWriteID, at.url+"steady")
	if err != nil {
		return nil, err
	}
	group, grouped := errgroup.WithContext(ctx)
	pace := time.NewTicker(steadyEach)
	defer pace.Stop()
	for i := range steadyEvents {
		<-pace.C
		group.Go(func() error {
			return server.call(grouped, "POST", firstWriteID, "/products", bodies[i%len(bodies)], nil)
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	got, err := at.await(ctx, "steady", steadyEvents)
	if err != nil {
		return nil, err
	}
	times := make([]time.Duration, len(got.Arrivals))
	for i, a := range got.Arrivals {
		times[i] = a.At.Sub(server.of(a.Resource))
	}
	return times, server.call(ctx, "DELETE", firstWriteID, fmt.Sprintf("/hooks/%d", hook), nil, nil)
}

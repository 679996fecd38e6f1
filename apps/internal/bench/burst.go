package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/apps/internal/wire"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/usecase/transfer"
)

const (
	// burstSearches are sent by one credential at once, over as many connections.
	burstSearches = 200
	// burstPath asks for pages of whole products, most of which no cache holds.
	burstPath = searchPath + "?fetch=criteres_text,criteres_number,criteres_flag,criteres_publication_errors,descriptions,rooms," +
		"products_photos,customer,assigned_to,publications,actions_history,log_actions,statistic,insee,scopes,themes"
	// readEvery is how far apart the reads of another credential are due, on each of
	// two connections.
	readEvery = 10 * time.Millisecond
	// readerID is that other credential.
	readerID = "bench-reader"
)

// bursting measures what a burst of hydrated searches by one credential does to
// reads by id of another: at first without bounds, then with the server's own.
func (b *bench) bursting(ctx context.Context, w *world) (err error) {
	if err := addReader(ctx, w); err != nil {
		return err
	}
	reader := rig.NewClient(readerID, clientSecret, 0)
	other, err := startClient()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, other.close()) }()
	for _, server := range []struct {
		name, options string
		goal          goal
	}{{"unbounded", "--heavy-reads=0", goal{}}, {"fair", "--heavy-reads=-1", atMost(500)}} {
		s, err := b.stack(ctx, w, server.options)
		if err != nil {
			return err
		}
		burst, err := b.burst(ctx, s)
		if err != nil {
			return err
		}
		token, err := reader.Token(ctx, s.address(), int(bigID))
		if err != nil {
			return err
		}
		reads := job{Address: s.address(), Connections: 2, Status: http.StatusOK, Pace: readEvery}
		for _, id := range spread(w.ids, 1000) {
			reads.Requests = append(reads.Requests, wireRequest("GET", kernel.BasePath+fmt.Sprintf("/products/%d", id), token, nil))
		}
		if err := b.visit(ctx, job{Address: reads.Address, Connections: 2, Status: reads.Status, Requests: reads.Requests}); err != nil {
			return err
		}
		// The first burst warms up, and tells for how long the reads have to go on.
		sent, err := other.do(ctx, burst)
		if err != nil {
			return err
		}
		reads.For = sent.Elapsed * 3 / 4
		var both errgroup.Group
		both.Go(func() (err error) {
			sent, err = other.do(ctx, burst)
			return err
		})
		read, err := b.client.do(ctx, reads)
		if err := errors.Join(err, both.Wait()); err != nil {
			return err
		}
		times, pages := latenciesOf(read.Times), latenciesOf(sent.Times)
		name := fmt.Sprintf("%s: GET by id beside a burst of %d searches, %s: ", w.name(), burstSearches, server.name)
		b.report.add(name+"p50", times.p50, milliseconds, goal{}, fmt.Sprintf("the burst took %s", sent.Elapsed.Round(time.Millisecond)))
		b.report.add(name+"p99", times.p99, milliseconds, server.goal, "its searches had a p50 of "+milliseconds(pages.p50)+" and a p99 of "+milliseconds(pages.p99))
	}
	return nil
}

// addReader provisions the credential that reads next to the burst.
func addReader(ctx context.Context, w *world) error {
	s, err := wire.Service(ctx, w.store, rig.Secrets, kernel.Options{})
	if err != nil {
		return err
	}
	all := []string{"all"}
	_, err = s.Transfer.Provision(ctx, transfer.Setup{Credentials: []transfer.SetupCredential{{
		ID: readerID, Secret: clientSecret, Name: readerID, Sites: []int64{int64(bigID)}, Packs: all, Permissions: all, Rights: all,
	}}})
	return err
}

// burst returns the searches, each of a full page.
func (b *bench) burst(ctx context.Context, s *stack) (job, error) {
	full, _, err := s.fullPages(ctx, b.products)
	if err != nil {
		return job{}, err
	}
	token, err := s.token(ctx, bigID)
	if err != nil {
		return job{}, err
	}
	burst := job{Address: s.address(), Connections: burstSearches, Status: http.StatusOK, Once: true}
	for i := range burstSearches {
		burst.Requests = append(burst.Requests, wireRequest("POST", kernel.BasePath+burstPath, token, full[i%len(full)]))
	}
	return burst, nil
}

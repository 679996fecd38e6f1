package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/vitrine-crm/vitrine/adapters/sqlstore"
	"github.com/vitrine-crm/vitrine/apps/internal/chaos/engine"
	"github.com/vitrine-crm/vitrine/apps/internal/rig"
	"github.com/vitrine-crm/vitrine/core/port"
)

const (
	cancelledCommits = "commits that PostgreSQL was told to cancel"
	shownTooSoon     = "changes shown that no standby had"
	// leavers leave after a second, and half as many stay for the answer, who come when a commit of
	// those who leave waits for the standby.
	leavers = 10
	stayers = leavers / 2
	leaveAt = time.Second
	// waiting counts the commits that wait for a standby.
	waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
	// toWakeUp is what a busy machine takes to see that a wait is over.
	toWakeUp  = 100 * time.Millisecond
	cancelled = "canceling wait for synchronous replication"
)

// losingTheStandby writes while the standby is gone that every commit waits for.
func losingTheStandby(ctx context.Context, t *trial) (_ []figure, err error) {
	primary, err := t.host.NewPostgres(ctx, "primary")
	if err != nil {
		return nil, err
	}
	standby, err := primary.Standby(ctx, "standby")
	if err != nil {
		return nil, err
	}
	s, err := t.sceneAt(ctx, primary.URL("postgres"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := primary.Execute(ctx, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"); err != nil {
		return nil, err
	}
	servers, err := s.fleet(ctx, 1)
	if err != nil {
		return nil, err
	}
	server := servers[0]
	if err := s.open(ctx, server, 1); err != nil {
		return nil, err
	}
	usual, err := s.usualWrite(ctx, server)
	if err != nil {
		return nil, err
	}
	if err := s.drain(ctx, server); err != nil {
		return nil, err
	}
	const products = "SELECT count(*) FROM product"
	before, err := engine.Number(ctx, s.world.database, products)
	if err != nil {
		return nil, err
	}
	told := s.heard()
	if err := standby.Stop(engine.Immediate); err != nil {
		return nil, err
	}
	stayed := s.leave(ctx, server)
	during, err := engine.Number(ctx, s.world.database, products)
	if err != nil {
		return nil, err
	}
	told = s.heard() - told
	if err := standby.Start(ctx); err != nil {
		return nil, err
	}
	back := time.Now()
	if _, err := s.usualWrite(ctx, server); err != nil {
		return nil, err
	}
	first := time.Since(back)
	said, err := primary.Said()
	if err != nil {
		return nil, err
	}
	beyond := func(d time.Duration) float64 { return rig.Milliseconds(d + usual + toWakeUp) }
	return []figure{
		milliseconds("slowest write before", usual),
		count("clients that left after a second", leavers), count("clients that stayed", len(stayed)),
		milliseconds("slowest answer while the standby was gone", slowest(stayed)).atMost(beyond(patience)),
		count("... other than 503", otherThan(stayed, http.StatusServiceUnavailable)).none(),
		count(cancelledCommits, strings.Count(said, cancelled)).none(),
		count(shownTooSoon, during-before).none(),
		count("... told to webhooks", told).none(),
		milliseconds("first write once the standby was back", first).atMost(beyond(comeBack)),
	}, server.Stop()
}

// usualWrite makes a few products, one after the other until each is made, and returns the
// longest that one took.
func (s *scene) usualWrite(ctx context.Context, server *rig.Process) (longest time.Duration, err error) {
	for range 5 {
		began := time.Now()
		if !rig.Until(ctx, time.Minute, 20*time.Millisecond, func() bool {
			_, err = s.client.Create(ctx, server.Address, 1, "/products", rig.Object{})
			return err == nil
		}) {
			return 0, fmt.Errorf("no product can be made: %w", err)
		}
		longest = max(longest, time.Since(began))
	}
	return longest, nil
}

// leave sends writes, of which most are given up after a second. It returns what those got
// who stayed.
func (s *scene) leave(ctx context.Context, server *rig.Process) []sample {
	var w watch
	var work sync.WaitGroup
	write := func(ctx context.Context, n int) int {
		got, _ := s.client.Call(ctx, server.Address, n%s.world.sites+1, http.MethodPost, "/products", rig.Object{})
		return got.Status
	}
	leaving, leave := context.WithCancel(ctx)
	defer leave()
	for n := range leavers {
		work.Go(func() { write(leaving, n) })
	}
	rig.Until(ctx, patience/2, 20*time.Millisecond, func() bool {
		commits, err := engine.Number(ctx, s.world.database, waiting)
		return err == nil && commits > 0
	})
	for n := range stayers {
		work.Go(func() {
			began := time.Now()
			w.note(writes, began, write(ctx, n))
		})
	}
	rig.Wait(ctx, leaveAt)
	leave()
	work.Wait()
	rig.Wait(ctx, patience) // for what was begun for those who left
	return w.samples
}

// heard counts the events that came to webhooks.
func (s *scene) heard() (n int) {
	for _, hook := range s.hooks {
		s.receiver.look(hook.inbox, func(in *inbox) { n += len(in.events) })
	}
	return n
}

// cancelling does at the end of a request what a driver does that commits with its context:
// it has PostgreSQL cancel what is under way.
type cancelling struct {
	port.Store
	database string
}

func (s cancelling) Update(ctx context.Context, fn func(port.Tx) error) error {
	done := make(chan struct{})
	defer close(done)
	return s.Store.Update(ctx, func(tx port.Tx) error {
		pid, err := backend(tx)
		if err != nil {
			return err
		}
		go func() {
			select {
			case <-done:
			case <-ctx.Done():
				_ = rig.Execute(context.WithoutCancel(ctx), s.database, fmt.Sprintf("SELECT pg_cancel_backend(%d)", pid))
			}
		}()
		return fn(tx)
	})
}

// backend returns the process of PostgreSQL that a unit of work runs in.
func backend(tx port.Tx) (pid int, err error) {
	statements, err := sqlstore.StatementsOf(tx)
	if err != nil {
		return 0, err
	}
	rows, err := statements.Query("SELECT pg_backend_pid()")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	if rows.Next() {
		err = rows.Scan(&pid)
	}
	return pid, errors.Join(err, rows.Err())
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/klauspost/compress/gzhttp"

	"github.com/vitrine-crm/vitrine/adapters/client"
	"github.com/vitrine-crm/vitrine/adapters/copy"
	"github.com/vitrine-crm/vitrine/adapters/showcase"
)

// forgotten is how long a listing that is gone has a page that says so.
const forgotten = 30 * 24 * time.Hour

// Run mirrors and serves until it is told to stop.
func (c *serve) Run(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	m, err := c.open(ctx, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	log.Info("serving", "address", "http://"+listener.Addr().String()+"/annonces")
	return m.serve(ctx, listener)
}

// mirrored is a mirror with what it serves.
type mirrored struct {
	site     *site
	visitors *visitors
	copy     *copy.Copy
	lock     *flock.Flock
}

// open opens the copy, and looks whether the server can be mirrored.
func (c *serve) open(ctx context.Context, log *slog.Logger) (*mirrored, error) {
	policy, err := c.policy()
	if err != nil {
		return nil, err
	}
	api, err := c.connect()
	if err != nil {
		return nil, err
	}
	if err := startable(ctx, api); err != nil {
		return nil, err
	}
	lock, err := c.hold()
	if err != nil {
		return nil, err
	}
	kept, err := copy.Open(ctx, c.Database)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	hook := strings.TrimRight(c.PublicURL, "/") + "/hook/" + c.derive("path")
	over := &remote{client: api, url: hook, key: c.derive("key"), once: c.derive("subscription " + hook)}
	runs, err := newRunner(ctx, over, kept, policy, log)
	if err != nil {
		return nil, errors.Join(err, kept.Close(), lock.Unlock())
	}
	entered, err := c.visitors(api, kept, log)
	if err != nil {
		return nil, errors.Join(err, kept.Close(), lock.Unlock())
	}
	forms, err := c.forms(entered, func() (bool, bool) { a := runs.State().Abilities; return a.Leads, a.Bookings })
	if err != nil {
		return nil, errors.Join(err, kept.Close(), lock.Unlock())
	}
	pages, err := c.website(kept, forms, log)
	if err != nil {
		return nil, errors.Join(err, kept.Close(), lock.Unlock())
	}
	s := &site{copy: kept, visitors: entered.kept, runner: runs, control: c.derive("control"), pages: pages, log: log}
	s.hooks = &receiver{runner: runs, remote: over, log: log, token: c.derive("path")}
	return &mirrored{s, entered, kept, lock}, nil
}

// website returns the pages of a copy.
func (c *serve) website(kept *copy.Copy, visitors showcase.Visitors, log *slog.Logger) (*showcase.Site, error) {
	for option, text := range map[string]string{"--host": c.Host, "--publisher": c.Publisher} {
		if text == "" {
			log.Warn("the legal page lacks what French law wants", "option", option)
		}
	}
	return showcase.New(showcase.Config{
		Source: kept, PublicURL: c.PublicURL, Photographs: cmp.Or(c.Photos, c.Database+"-photographs"),
		Accent: c.Accent, Tiles: c.Tiles, Host: c.Host, Publisher: c.Publisher, Visitors: visitors, Log: log,
	})
}

// hold makes this process the one mirror of the file of the copy. The system lets go for a process that dies.
func (c *serve) hold() (*flock.Flock, error) {
	lock := flock.New(c.Database + "-lock")
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("--database: %s cannot be locked: %w", c.Database, err)
	}
	if !held {
		return nil, fmt.Errorf("--database: another mirror runs on %s, as it holds %s", c.Database, lock.Path())
	}
	return lock, nil
}

// startable returns an error that names the operation when the server lacks, or refuses to this credential, what no mirror
// can do without. A server that does not answer is waited for.
func startable(ctx context.Context, api *client.Client) error {
	for _, a := range needs {
		if err := a.try(ctx, api); lacks(err) || statusOf(err) == http.StatusUnauthorized {
			return fmt.Errorf("%s: %w", a.operation, err)
		}
	}
	return nil
}

// serve serves until ctx ends, and finishes what is under way.
func (m *mirrored) serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{Handler: gzhttp.GzipHandler(m.site.handler()), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute}
	running, stop := context.WithCancel(ctx)
	defer stop()
	var group sync.WaitGroup
	group.Go(func() { m.site.runner.run(running) })
	group.Go(func() { m.visitors.run(running) })
	group.Go(func() { m.forget(running) })
	group.Go(func() { m.clean(running) })
	group.Go(func() {
		if err := m.site.pages.Warm(running); err != nil && running.Err() == nil {
			m.site.log.Error("reading the listings", "error", err)
		}
		for !m.site.runner.State().Read && running.Err() == nil {
			pause(running, 100*time.Millisecond)
		}
		if running.Err() == nil {
			m.site.log.Info("the website is ready", "open", "http://"+listener.Addr().String())
		}
	})
	group.Go(func() {
		<-running.Done()
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = server.Shutdown(ending) // what is not finished by then is asked again
	})
	err := server.Serve(listener)
	stop()
	group.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, m.copy.Close(), m.lock.Unlock())
}

// forget removes what has been gone for long, once an hour.
func (m *mirrored) forget(ctx context.Context) {
	for ctx.Err() == nil {
		if err := m.copy.Forget(ctx, now().Add(-forgotten)); err != nil && ctx.Err() == nil {
			m.site.log.Error("forgetting what is gone", "error", err)
		}
		lost, err := m.visitors.kept.Forget(ctx, now())
		if err != nil && ctx.Err() == nil {
			m.site.log.Error("forgetting what visitors entered", "error", err)
		}
		if lost > 0 {
			m.site.log.Error("messages of visitors were not accepted for a week, and are gone", "messages", lost)
		}
		pause(ctx, time.Hour)
	}
}

// clean removes the photographs that left their records, twice a day.
func (m *mirrored) clean(ctx context.Context) {
	for {
		pause(ctx, 12*time.Hour)
		if ctx.Err() != nil {
			return
		}
		if err := m.site.pages.CleanPhotographs(ctx); err != nil && ctx.Err() == nil {
			m.site.log.Error("removing photographs", "error", err)
		}
	}
}

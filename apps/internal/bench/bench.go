package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sync/errgroup"
)

// bench is one run: what was asked for, the tools, and what came out.
type bench struct {
	options
	report report
	client *client
	folder string
	worlds map[string]*world
	// servers are all servers the run starts; they end with it.
	servers *errgroup.Group
	stop    context.CancelFunc
	serving context.Context
}

func newBench(ctx context.Context, o options) (*bench, error) {
	folder, err := os.MkdirTemp("", "vitrine-bench-")
	if err != nil {
		return nil, err
	}
	b := &bench{options: o, folder: folder, worlds: map[string]*world{}}
	ctx, b.stop = context.WithCancel(ctx)
	b.servers, b.serving = errgroup.WithContext(ctx)
	if b.client, err = startClient(); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

// close ends everything the run started and removes everything it made, though
// the context of the run may be over.
func (b *bench) close() error {
	if err := bounded(context.Background(), closeLimit, graceLimit, b.end); err != nil {
		return fmt.Errorf("ending what was started: %w", err)
	}
	return nil
}

func (b *bench) end(ctx context.Context) error {
	b.stop()
	err := b.servers.Wait()
	for _, w := range b.worlds {
		err = errors.Join(err, w.close(ctx))
	}
	if b.client != nil {
		err = errors.Join(err, b.client.close())
	}
	return errors.Join(err, os.RemoveAll(b.folder))
}

// measure runs what was asked for. Everything about one database is measured
// before the next one is filled.
func (b *bench) measure(ctx context.Context) error {
	byItself := func(run func()) func(context.Context) error {
		return func(context.Context) error { run(); return nil }
	}
	alone := []step{{"search", byItself(b.searching)}}
	if b.large {
		alone = append(alone, step{"large", byItself(b.searchingLarge)})
	}
	alone = append(alone,
		step{"match", byItself(b.matching)},
		step{"slots", b.slots},
		step{"memory", byItself(b.memory)})
	if b.growth {
		alone = append(alone, b.growing()...)
	}
	for _, s := range alone {
		if err := b.step(ctx, s.name, s.run); err != nil {
			return err
		}
	}
	for _, e := range b.engines() {
		for _, m := range []struct {
			name string
			run  func(context.Context, *world) error
		}{
			{"load", b.loading},
			{"get", b.getting},
			{"page", b.paging},
			{"compress", b.compressing},
			{"requests", b.keepingRequests},
			{"burst", b.bursting},
			{"fresh", b.freshness},
			{"beside", b.besideWriters},
			{"create", b.creating},
			{"update", b.updating},
			{"deliver", b.delivering},
			{"bulk", b.importing},
		} {
			err := b.step(ctx, m.name+" "+e.name(), func(ctx context.Context) error {
				w, err := b.world(ctx, e)
				if err != nil {
					return err
				}
				return m.run(ctx, w)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// step is a part of a run.
type step struct {
	name string
	run  func(context.Context) error
}

// step runs one that was asked for. One that hangs ends the run.
func (b *bench) step(ctx context.Context, name string, run func(context.Context) error) error {
	if !b.Only.MatchString(name) {
		return nil
	}
	started := time.Now()
	fmt.Fprintf(os.Stderr, "%-16s ", name)
	err := bounded(ctx, b.limit, graceLimit, run)
	fmt.Fprintln(os.Stderr, time.Since(started).Round(100*time.Millisecond))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// world returns the filled database of an engine, made when it is first asked for.
func (b *bench) world(ctx context.Context, e engine) (*world, error) {
	if w := b.worlds[e.name()]; w != nil {
		return w, nil
	}
	w, err := newWorld(ctx, e, b.products)
	if w != nil {
		b.worlds[e.name()] = w
	}
	return w, err
}

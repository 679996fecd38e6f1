package apitest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/usecase/lease"
)

// Fixture is a test with a store, and a clock that stands still until it is
// moved.
type Fixture struct {
	T     *testing.T
	Store port.Store
	Clock *Clock
}

// View reads the store.
func (f Fixture) View(unit func(port.Tx) error) {
	f.T.Helper()
	if err := f.Store.View(f.T.Context(), unit); err != nil {
		f.T.Fatal(err)
	}
}

// Update changes the store behind the back of what is tested.
func (f Fixture) Update(unit func(port.Tx) error) {
	f.T.Helper()
	if err := f.Store.Update(f.T.Context(), unit); err != nil {
		f.T.Fatal(err)
	}
}

// Seq is the sequence of the last event of a site.
func (f Fixture) Seq(id site.ID) int64 {
	f.T.Helper()
	head, err := f.Store.Head(f.T.Context(), id)
	if err != nil {
		f.T.Fatal(err)
	}
	return head.Seq
}

// Events are the types of all events of a site after a sequence.
func (f Fixture) Events(id site.ID, after int64) (types []string) {
	f.T.Helper()
	f.View(func(tx port.Tx) error {
		types = nil
		found, err := tx.Ledger().After(id, after, 1000)
		for _, e := range found {
			types = append(types, string(e.Type))
		}
		return err
	})
	return types
}

// Eventually waits until a condition holds.
func (f Fixture) Eventually(what string, holds func() bool) {
	f.T.Helper()
	for range 30_000 {
		if holds() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	f.T.Fatalf("it never happens that %s", what)
}

// Once runs an engine that looks at what is due until one look has ended, and returns how.
func Once(t *testing.T, run func(context.Context, lease.Options)) (outcome string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run(ctx, lease.Options{
		Ended:   func(o string) { outcome = o; cancel() },
		Trouble: func(err error) { t.Errorf("trouble: %v", err); cancel() },
	})
	return outcome
}

// Background runs an engine until end is called, or the test ends, and lets it look for
// work all the time.
func (f Fixture) Background(run func(context.Context, <-chan time.Time) error) (end func()) {
	ctx, stop := context.WithCancel(f.T.Context())
	ticker := time.NewTicker(time.Millisecond)
	var work sync.WaitGroup
	work.Go(func() {
		if err := run(ctx, ticker.C); err != nil {
			f.T.Error(err)
		}
	})
	end = sync.OnceFunc(func() {
		stop()
		work.Wait()
		ticker.Stop()
	})
	f.T.Cleanup(end)
	return end
}

package e2e_test

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
)

// narrowStore lends a store out to one at a time. A unit of work that is opened inside
// another one waits there for itself, which over many connections happens only under load.
type narrowStore struct {
	port.Store
	turn  chan struct{}
	taken *atomic.Int64 // turns so far
	limit time.Duration
}

// narrowed is a store that is lent out to one at a time. Whoever waits for its turn while
// one and the same unit has it for longer than the limit waits for itself. However long a
// queue is, it moves on.
func narrowed(s port.Store, limit time.Duration) port.Store {
	return narrowStore{s, make(chan struct{}, 1), &atomic.Int64{}, limit}
}

func (s narrowStore) using(ctx context.Context, run func() error) error {
	if err := s.takeTurn(ctx); err != nil {
		return err
	}
	defer func() { <-s.turn }()
	return run()
}

func (s narrowStore) takeTurn(ctx context.Context) error {
	for {
		before := s.taken.Load()
		select {
		case s.turn <- struct{}{}:
			s.taken.Add(1)
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(s.limit):
		}
		if s.taken.Load() == before {
			err := fmt.Errorf("no turn for %s: is this unit of work inside another one?\n%s", s.limit, debug.Stack())
			fmt.Fprintln(os.Stderr, err) // clients are not told
			return err
		}
	}
}

func (s narrowStore) Head(ctx context.Context, id site.ID) (head port.Head, err error) {
	err = s.using(ctx, func() error {
		head, err = s.Store.Head(ctx, id)
		return err
	})
	return head, err
}

func (s narrowStore) View(ctx context.Context, fn func(port.Tx) error) error {
	return s.using(ctx, func() error { return s.Store.View(ctx, fn) })
}

func (s narrowStore) Update(ctx context.Context, fn func(port.Tx) error) error {
	return s.using(ctx, func() error { return s.Store.Update(ctx, fn) })
}

func TestAUnitOfWorkInsideAnotherIsNoticed(t *testing.T) {
	store := narrowed(memstore.New(), 10*time.Millisecond)
	nothing := func(port.Tx) error { return nil }
	err := store.View(t.Context(), func(port.Tx) error { return store.View(t.Context(), nothing) })
	if err == nil || !strings.Contains(err.Error(), "inside another one") {
		t.Errorf("%v", err)
	}
	if err := store.View(t.Context(), nothing); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestStoresThatScenariosShareInMemoryAreGuarded(t *testing.T) {
	reading(t, func(t *testing.T, w *world) {
		if _, isGuarded := w.store.(narrowStore); w.database == "" && !isGuarded {
			t.Error("a unit of work inside another one would not be noticed")
		}
	})
}

package e2e_test

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
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
	limit time.Duration
}

// narrowed is a store that is lent out to one at a time. Whoever waits longer than the
// limit for it, waits for itself.
func narrowed(s port.Store, limit time.Duration) port.Store {
	return narrowStore{s, make(chan struct{}, 1), limit}
}

func (s narrowStore) using(ctx context.Context, run func() error) error {
	wait, stop := context.WithTimeout(ctx, s.limit)
	defer stop()
	select {
	case s.turn <- struct{}{}:
	case <-wait.Done():
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := fmt.Errorf("no turn for %s: is this unit of work inside another one?\n%s", s.limit, debug.Stack())
		fmt.Fprintln(os.Stderr, err) // clients are not told
		return err
	}
	defer func() { <-s.turn }()
	return run()
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

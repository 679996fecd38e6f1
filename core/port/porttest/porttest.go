// Package porttest is the law of the ports, as tests a store must pass. The
// test of a new store is one call of Store.
package porttest

import (
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Store holds a store to the law of port.Store. open makes an empty store that
// lasts until the test it is given ends.
func Store(t *testing.T, open func(testing.TB) port.Store) {
	for _, s := range suites() {
		s.run(t, open)
	}
}

// Suites holds a store to some suites of the law, which are named as the tests of Store:
// "Races". It is for another way to use a store that Store is run on.
func Suites(t *testing.T, open func(testing.TB) port.Store, names ...string) {
	all := suites()
	for _, name := range names {
		i := slices.IndexFunc(all, func(s suite) bool { return s.name == name })
		if i < 0 {
			t.Fatalf("the law has no suite %q", name)
		}
		all[i].run(t, open)
	}
}

// run carries out a suite on a store of its own.
func (s suite) run(t *testing.T, open func(testing.TB) port.Store) {
	t.Run(s.name, func(t *testing.T) {
		t.Parallel()
		w := &world{Store: open(t)}
		for _, c := range s.cases {
			t.Run(c.name, func(t *testing.T) { c.run(t, w) })
		}
	})
}

// suite is a part of the law that is carried out on one store.
type suite struct {
	name  string
	cases []example
}

func suites() []suite {
	return append(agreements(), []suite{
		{"Examples", examples()},
		{"Entities", entityExamples()},
		{"Moves", moveExamples()},
		{"Rollback", rollbacks()},
		{"Races", races()},
		{"WebhookRaces", hookRaces()},
		{"Cancelled", cancellations()},
	}...)
}

// example is one article of the law. Its name is what it says.
type example struct {
	name string
	run  func(*testing.T, *world)
}

// world is a store with a site for each example, so that examples can share it.
type world struct {
	port.Store
	// productRows is nil but for its own law.
	productRows port.ProductRows
	last        atomic.Int64
}

// id is a number that no other example uses.
func (w *world) id() int64 { return w.last.Add(1) }

// site makes an empty site.
func (w *world) site(t testing.TB) site.ID {
	t.Helper()
	id := site.ID(w.id())
	w.update(t, func(tx port.Tx) error { return tx.Sites().Put(site.Site{ID: id, Name: fmt.Sprint("Site ", id)}) })
	return id
}

// update runs a unit of work that must succeed.
func (w *world) update(t testing.TB, fn func(port.Tx) error) {
	t.Helper()
	if err := w.Update(t.Context(), fn); err != nil {
		t.Fatalf("Update: %v", err)
	}
}

// view runs a view that must succeed.
func (w *world) view(t testing.TB, fn func(port.Tx) error) {
	t.Helper()
	if err := w.View(t.Context(), fn); err != nil {
		t.Fatalf("View: %v", err)
	}
}

// head is the head of a site that must exist.
func (w *world) head(t testing.TB, id site.ID) port.Head {
	t.Helper()
	h, err := w.Head(t.Context(), id)
	if err != nil {
		t.Fatalf("Head: %v", err)
	}
	return h
}

// equal reports whether the two are equal. That a slice is empty or nil is no
// difference.
func equal(a, b any) bool {
	return reflect.DeepEqual(a, b) || cmp.Equal(a, b, cmpopts.EquateEmpty()) // the first is many times faster
}

// difference is empty when the two are equal.
func difference(want, got any) string {
	if equal(want, got) {
		return ""
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if d := difference(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// try keeps the first error of several steps.
func try(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// each stores records one by one.
func each[T any](store func(T) error, records ...T) error {
	for _, r := range records {
		if err := store(r); err != nil {
			return err
		}
	}
	return nil
}

// second is the error of a call that answers something as well.
func second[T any](_ T, err error) error { return err }

package kernel_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// following is a kind of replica that follows what is written, and fails where it has to be
// replayed.
func following(t *testing.T) kernel.ReplicaKind[*journal] {
	of := journals("a", 10, nil)
	of.Replay = func(kernel.Unit, *journal, []event.Event) (func(*journal), error) {
		t.Error("it is replayed")
		return nil, fmt.Errorf("replayed")
	}
	of.Written = func(_ *journal, w *kernel.Written, _ map[string]bool) (func(*journal), bool) {
		return func(held *journal) {
			held.size += 5
			happen(w.Events)(held)
		}, true
	}
	return of
}

// record has a unit of work of this process record some events.
func (k ownKernel) record(n int) error {
	return k.write(func(u kernel.Unit) error {
		_, err := u.RecordAll(slices.Repeat([]event.Event{{Type: event.ProductUpdate, Resource: 1, Agency: 11}}, n))
		return err
	})
}

func TestAReplicaFollowsWhatItsProcessWrites(t *testing.T) {
	k := newKernel(t)
	of := following(t)
	held := k.present(of)
	for range 2 {
		if err := k.record(2); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(held.replayed, []int64{3, 4, 5, 6}) || k.present(of) != held {
		t.Errorf("it has seen %v", held.replayed)
	}
	if bytes := k.Cached()["a"].Bytes; bytes != 20 {
		t.Errorf("what it grew by is not counted: %d bytes", bytes)
	}
	if err := k.write(func(u kernel.Unit) error {
		_, err := u.Record(event.Event{Type: event.ProductUpdate, Resource: 1, Agency: 11})
		return fmt.Errorf("undone %w", err)
	}); err == nil || held.seq != 6 {
		t.Errorf("what is undone is followed: it stands at %d", held.seq)
	}
}

// late is a store whose units of work are told late that they were committed.
type late struct {
	port.Store
	committed chan struct{}
	tell      map[context.Context]chan struct{}
}

// Update implements port.Store.
func (s late) Update(ctx context.Context, fn func(port.Tx) error) error {
	err := s.Store.Update(ctx, fn)
	if until := s.tell[ctx]; until != nil {
		s.committed <- struct{}{}
		<-until
	}
	return err
}

func TestWhatWasWrittenIsAppliedInTheOrderOfTheLedger(t *testing.T) {
	w := apitest.New(t)
	type number struct{}
	s := late{w.Store, make(chan struct{}), map[context.Context]chan struct{}{}}
	var units []context.Context
	for n := range 3 {
		units = append(units, context.WithValue(t.Context(), number{}, n))
		s.tell[units[n]] = make(chan struct{})
	}
	w.Store = s
	k := kernelOver(t, w, kernel.Options{})
	held, c := k.present(following(t)), k.caller(1)
	done := make(chan error)
	for _, ctx := range units {
		go func() {
			_, err := kernel.Write(ctx, k.Kernel, c, func(u kernel.Unit) (kernel.None, error) {
				_, err := u.Record(event.Event{Type: event.ProductUpdate, Resource: 1, Agency: 11})
				return kernel.None{}, err
			})
			done <- err
		}()
		<-s.committed
	}
	for i, n := range []int{2, 1, 0} {
		close(s.tell[units[n]])
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if want := []int64{3, 4, 5}; i < 2 && len(held.replayed) > 0 || i == 2 && !slices.Equal(held.replayed, want) {
			t.Errorf("after %d it has seen %v", i+1, held.replayed)
		}
	}
}

func TestAReplicaThatCannotFollowIsLoadedAnew(t *testing.T) {
	k := newKernel(t)
	of := following(t)
	of.Written = func(*journal, *kernel.Written, map[string]bool) (func(*journal), bool) { panic("a mistake") }
	held := k.present(of)
	if err := k.record(1); err != nil {
		t.Fatalf("what is committed fails with %v", err)
	}
	func() {
		defer func() {
			if told := fmt.Sprint(recover()); !strings.Contains(told, "a mistake") {
				t.Errorf("who asks next is told %s", told)
			}
		}()
		k.present(of)
	}()
	if again := k.present(of); again == held || again.seq != 3 {
		t.Errorf("then it is %+v", again)
	}
}

// What is too much to be parked is given up, and replayed.
func TestWhatIsParkedIsBounded(t *testing.T) {
	k := newKernel(t)
	of := following(t)
	replayed := 0
	of.Replay = func(_ kernel.Unit, _ *journal, events []event.Event) (func(*journal), error) {
		replayed += len(events)
		return happen(events), nil
	}
	held := k.present(of)
	k.append(1)
	for i := range 100 {
		if err := k.record(1); err != nil {
			t.Fatal(err)
		}
		parks := i < 64
		if bytes := k.Cached()["a"].Bytes; len(held.replayed) > 0 || parks != (bytes > 10) || bytes > 1<<20 {
			t.Errorf("after %d it has seen %v, and takes %d bytes", i+1, held.replayed, bytes)
		}
	}
	if k.present(of); replayed != 101 || held.seq != 103 || k.Cached()["a"].Bytes != 10 {
		t.Errorf("%d events are replayed, and it stands at %d with %d bytes", replayed, held.seq, k.Cached()["a"].Bytes)
	}
}

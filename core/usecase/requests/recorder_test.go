package requests_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/customer"
	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/opt"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/domain/trace"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
	"github.com/vitrine-crm/vitrine/core/usecase/people"
	"github.com/vitrine-crm/vitrine/core/usecase/requests"
)

// faulty is a request log that stalls or fails as told.
type faulty struct {
	*memstore.RequestLog
	mu sync.Mutex
	// fails is what Add, Count and Forget answer; stalled keeps Add waiting until it is
	// closed.
	fails   error
	stalled chan struct{}
	// entered is told when Add waits.
	entered chan struct{}
}

func (f *faulty) set(fails error, stalled chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fails, f.stalled = fails, stalled
}

func (f *faulty) state() (stalled chan struct{}, fails error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stalled, f.fails
}

func (f *faulty) Add(ctx context.Context, added []trace.Request) error {
	stalled, fails := f.state()
	if stalled != nil {
		f.entered <- struct{}{}
		<-stalled
	}
	if fails != nil {
		return fails
	}
	return f.RequestLog.Add(ctx, added)
}

func (f *faulty) Count(ctx context.Context, more []trace.Count, used []trace.Deprecated) error {
	if _, fails := f.state(); fails != nil {
		return fails
	}
	return f.RequestLog.Count(ctx, more, used)
}

// recording is a world whose request log may fail.
func recording(t *testing.T) (*world, *faulty) {
	t.Helper()
	w := newWorld(t)
	f := &faulty{RequestLog: w.log, entered: make(chan struct{}, 1)}
	ports := apitest.Ports(w.Store, w.Clock)
	ports.Requests, ports.Traffic = f, f
	service, err := siteapi.New(ports, kernel.Options{Domain: "https://crm.example.org", Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	w.Service = service.Requests
	return w, f
}

// record records so many requests of site 1.
func (w *world) record(from, n int) {
	for i := range n {
		w.Record(trace.Request{ID: fmt.Sprint(from + i), Site: 1, At: w.Clock.Now()})
	}
}

// stored is how many of the requests are in the log.
func (w *world) stored(n int) (stored int) {
	w.T.Helper()
	for i := range n {
		if _, err := w.log.Get(w.T.Context(), fmt.Sprint(i)); err == nil {
			stored++
		}
	}
	return stored
}

func (w *world) flush() error { return w.Flush(w.T.Context()) }

func TestARequestIsFoundBeforeItIsStored(t *testing.T) {
	w, _ := recording(t)
	w.record(0, 1)
	caller := w.operator(everything())
	for range 2 {
		if r, err := w.Get(t.Context(), caller, "0"); err != nil || r.ID != "0" {
			t.Errorf("%+v, %v", r, err)
		}
		if err := w.flush(); err != nil {
			t.Fatal(err)
		}
	}
	if w.stored(1) != 1 || w.Waiting() != 0 {
		t.Error("it was not stored")
	}
}

// While the store stalls nobody waits, and every request is either stored or counted
// as dropped.
func TestAStalledStoreSlowsNobodyAndIsCounted(t *testing.T) {
	w, f := recording(t)
	stalled := make(chan struct{})
	f.set(nil, stalled)
	tick := make(chan time.Time)
	ctx, stop := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { w.Run(ctx, requests.Options{Store: tick, Trouble: func(err error) { t.Error(err) }}) })
	const n = 20_000
	w.record(0, 1)
	tick <- w.Clock.Now()
	<-f.entered      // the writer is inside Add, and stays there
	w.record(1, n-1) // returns all the same
	if got := w.Dropped(); got != n-4096 {
		t.Errorf("%d are dropped, of %d with room for 4,096", got, n)
	}
	f.set(nil, nil)
	close(stalled)
	stop()
	run.Wait()
	if err := w.flush(); err != nil {
		t.Fatal(err)
	}
	if stored := w.stored(n); stored+int(w.Dropped()) != n || w.Waiting() != 0 {
		t.Errorf("of %d, %d are stored, %d dropped and %d waiting", n, stored, w.Dropped(), w.Waiting())
	}
}

func TestAStoreThatIsAwayIsTriedAgain(t *testing.T) {
	w, f := recording(t)
	f.set(fault.New(fault.Unavailable, fault.CodeUnavailable, "away"), nil)
	w.record(0, 700)
	tick, troubles := make(chan time.Time), make(chan error, 10)
	ctx, stop := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { w.Run(ctx, requests.Options{Store: tick, Trouble: func(err error) { troubles <- err }}) })
	tick <- w.Clock.Now()
	if err := <-troubles; !errors.Is(err, fault.Unavailable) {
		t.Errorf("the trouble is %v", err)
	}
	f.set(nil, nil)
	tick <- w.Clock.Now()
	tick <- w.Clock.Now() // the tick before is over
	stop()
	run.Wait()
	if stored := w.stored(700); stored != 700 || w.Dropped() != 0 {
		t.Errorf("%d are stored, %d dropped", stored, w.Dropped())
	}
}

func TestWhatTheStoreRefusesIsDroppedAndCounted(t *testing.T) {
	w, f := recording(t)
	f.set(errors.New("no such table"), nil)
	w.record(0, 3)
	if err := w.flush(); err == nil || w.Dropped() != 3 {
		t.Errorf("%v, %d dropped", err, w.Dropped())
	}
	f.set(fault.New(fault.Unavailable, fault.CodeUnavailable, "away"), nil)
	w.record(3, 2)
	if err := w.flush(); err == nil || w.Dropped() != 5 || w.Waiting() != 0 {
		t.Errorf("at the end: %v, %d dropped, %d waiting", err, w.Dropped(), w.Waiting())
	}
}

func TestCountsAreExactWhateverIsSampledOrFails(t *testing.T) {
	w, f := recording(t)
	kind := trace.Kind{Site: 1, Operation: "product.get", Credential: "full", Class: 2}
	const n = 3000
	kept := 0
	for i := range n {
		seen := requests.Seen{Kind: kind, ID: fmt.Sprint(i), At: w.Clock.Now(), Took: time.Millisecond}
		if i%100 == 0 {
			seen.Deprecated = []string{"agencyId"}
		}
		if i == n/2 {
			f.set(fault.New(fault.Unavailable, fault.CodeUnavailable, "away"), nil)
			if err := w.flush(); err == nil {
				t.Error("the store is away")
			}
			f.set(nil, nil)
		}
		kept += w.Seen(seen)
	}
	if err := w.flush(); err != nil {
		t.Fatal(err)
	}
	minute := w.Clock.Now().Truncate(time.Minute)
	for _, step := range []time.Duration{time.Minute, time.Hour} {
		series, err := w.Traffic(t.Context(), w.operator(everything()), minute.Truncate(step), minute.Add(time.Hour), step)
		if err != nil || len(series) != 1 || series[0].Kind != kind || series[0].Sum().N != n || series[0].Sum().Total != n*time.Millisecond {
			t.Errorf("by %v: %+v, %v", step, series, err)
		}
	}
	ready, err := w.Readiness(t.Context(), w.operator(everything()))
	if err != nil || len(ready) != 1 || ready[0].N != n/100 || ready[0].Last != "2900" {
		t.Errorf("readiness is %+v, %v", ready, err)
	}
	if kept > n || kept < n-64 {
		t.Errorf("those that are kept stand for %d of %d", kept, n)
	}
}

func TestWritesBeyondAThousandASecondAreCountedAsDropped(t *testing.T) {
	w, _ := recording(t)
	for range 1500 {
		w.Seen(requests.Seen{Kind: trace.Kind{Site: 1}, At: w.Clock.Now(), Important: true})
	}
	if w.Dropped() != 500 {
		t.Errorf("%d are dropped", w.Dropped())
	}
}

// Whoever is anonymised or deleted is forgotten, even if the request log is away when
// that happens.
func TestCustomersWhoAreGoneAreForgotten(t *testing.T) {
	w := newWorld(t)
	caller := w.As("full", 1)
	var ids []int64
	for _, name := range []string{"Stays", "Anonymous", "Deleted"} {
		in := people.CreateCustomer{}
		in.Type, in.Lastname = opt.Of("PARTICULIER"), opt.Of(name)
		in.AgencyID = opt.Of(int64(11))
		created, err := w.People.CreateCustomer(t.Context(), caller, in)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, created.ID)
		w.keep(about(name, created.ID))
	}
	if _, err := w.People.AnonymizeCustomer(t.Context(), caller, people.CustomerPath{ID: ids[1]}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.People.DeleteCustomer(t.Context(), caller, people.DeleteCustomer{ID: ids[2]}); err != nil {
		t.Fatal(err)
	}
	away := errors.New("the request log is away")
	log := &forgetful{RequestLog: w.log, fails: away}
	ports := apitest.Ports(w.Store, w.Clock)
	ports.Requests, ports.Traffic = log, log
	service, err := siteapi.New(ports, kernel.Options{Domain: "https://crm.example.org", Pepper: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	tick, troubles := make(chan time.Time), make(chan error, 100)
	var run sync.WaitGroup
	run.Go(func() { service.Requests.ForgetCustomers(ctx, tick, func(err error) { troubles <- err }) })
	tick <- w.Clock.Now()
	if err := <-troubles; !errors.Is(err, away) {
		t.Errorf("the trouble is %v", err)
	}
	log.set(nil)
	w.Clock.Advance(time.Hour) // the lease of the attempt that failed runs out
	tick <- w.Clock.Now()
	tick <- w.Clock.Now() // the tick before is over
	stop()
	run.Wait()
	w.keep(about("late", ids[1]))
	for name, bodies := range map[string]bool{"Stays": true, "Anonymous": false, "Deleted": false, "late": false} {
		r, err := w.log.Get(t.Context(), name)
		if err != nil || (r.Sent != "") != bodies {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func about(id string, customers ...int64) trace.Request {
	r := trace.Request{ID: id, Site: 1, Sent: "{}"}
	for _, c := range customers {
		r.Customers = append(r.Customers, customer.ID(c))
	}
	return r
}

// forgetful is a request log that does not forget while it fails.
type forgetful struct {
	*memstore.RequestLog
	mu    sync.Mutex
	fails error
}

func (f *forgetful) set(fails error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fails = fails
}

func (f *forgetful) Forget(ctx context.Context, id site.ID, c customer.ID) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fails != nil {
		return f.fails
	}
	return f.RequestLog.Forget(ctx, id, c)
}

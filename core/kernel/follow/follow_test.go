package follow_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/event"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/kernel/follow"
	"github.com/vitrine-crm/vitrine/core/port"
	"github.com/vitrine-crm/vitrine/core/port/memstore"
	"github.com/vitrine-crm/vitrine/core/siteapi/apitest"
)

// world is followers over a store in memory with the sites 1 and 2. What they are
// told, and what is wrong with it, is kept in the order in which it is told.
type world struct {
	apitest.Engine
	mu sync.Mutex
	// next is the event that a site is to be told of next, 0 before it begins; purged is
	// the last one that is gone.
	next, purged map[site.ID]int64
	told         []follow.Changes
	wrong        []string
	// failing is how many calls are going to fail.
	failing int
}

func newWorld(t *testing.T) *world {
	w := &world{Engine: apitest.NewEngine(t, memstore.New(), apitest.NewClock(), rand.Reader), next: map[site.ID]int64{}, purged: map[site.ID]int64{}}
	w.AddSites()
	return w
}

// head is the last event of a site.
func (w *world) head(id site.ID) (seq int64) {
	head, err := w.Store.Head(context.Background(), id)
	if err != nil {
		w.T.Error(err)
	}
	return head.Seq
}

// add has events happen at a site.
func (w *world) add(id site.ID, n int) {
	w.Update(func(tx port.Tx) error {
		_, err := tx.Ledger().Append(id, w.Clock.Now(), slices.Repeat([]event.Event{{Site: id, Type: event.ProductUpdate, Resource: 7}}, n))
		return err
	})
}

// purge removes all events there are.
func (w *world) purge() {
	w.Clock.Advance(time.Second)
	w.Update(func(tx port.Tx) error {
		_, err := tx.Ledger().Purge(w.Clock.Now(), 1000)
		return err
	})
	for _, id := range []site.ID{1, 2} {
		w.purged[id] = w.head(id)
	}
}

// use is told of changes, and holds them against what is to come next.
func (w *world) use(_ context.Context, c follow.Changes) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, c)
	next := w.next[c.Site]
	switch {
	case c.Begins && (len(c.Events) > 0 || next > 0 && w.purged[c.Site] < next):
		w.wrong = append(w.wrong, fmt.Sprintf("site %d begins again, with %d events, at %d", c.Site, len(c.Events), next))
	case !c.Begins && (next == 0 || len(c.Events) == 0 || c.Events[0].Seq != next):
		w.wrong = append(w.wrong, fmt.Sprintf("site %d is told %v, not %d", c.Site, c.Events, next))
	}
	if w.failing > 0 {
		w.failing--
		return errors.New("the index is away")
	}
	if c.Begins {
		w.next[c.Site] = w.head(c.Site) + 1
	}
	for _, e := range c.Events {
		w.next[c.Site] = e.Seq + 1
	}
	return nil
}

// process follows as "index" until it is stopped.
type process struct {
	tick chan time.Time
	stop func()
}

func (w *world) process() *process {
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{tick: make(chan time.Time)}
	var work sync.WaitGroup
	work.Go(func() {
		if err := follow.New(w.Kernel).Run(ctx, follow.Options{Name: "index", Tick: p.tick, Batch: 3}, w.use); err != nil {
			w.T.Error(err)
		}
	})
	p.stop = func() {
		cancel()
		work.Wait()
	}
	return p
}

// round has a process look for changes, and waits until it has done so.
func (p *process) round() {
	p.tick <- time.Time{}
	p.tick <- time.Time{} // the round before is over
}

// live has a process look for changes once, and ends it, perhaps in the middle of
// looking again.
func (w *world) live() {
	p := w.process()
	p.tick <- time.Time{} // the first round is over
	p.stop()
}

// Whatever fails, ends or is purged on the way: each site begins first, then every
// event is told in its order, and nothing is told twice that was taken.
func TestAFollowerIsToldEverythingInItsOrder(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := newWorld(t)
		for range rapid.IntRange(1, 20).Draw(r, "steps") {
			switch rapid.SampledFrom([]string{"add", "add", "live", "live", "fail", "purge", "wait"}).Draw(r, "step") {
			case "add":
				w.add(rapid.SampledFrom([]site.ID{1, 2}).Draw(r, "site"), rapid.IntRange(1, 8).Draw(r, "events"))
			case "live":
				w.live()
			case "fail":
				w.failing = rapid.IntRange(1, 3).Draw(r, "failures")
			case "purge":
				w.purge()
			case "wait":
				w.Clock.Advance(3 * time.Minute) // leases run out
			}
		}
		w.failing = 0
		w.Clock.Advance(3 * time.Minute)
		w.live()
		if len(w.wrong) > 0 {
			r.Fatal(w.wrong)
		}
		for _, id := range []site.ID{1, 2} {
			if w.next[id] != w.head(id)+1 {
				r.Errorf("site %d comes to %d, of %d", id, w.next[id], w.head(id))
			}
		}
		if left, err := follow.New(w.Kernel).Backlog(context.Background(), "index"); left != (follow.Backlog{}) || err != nil {
			r.Errorf("%+v is left, %v", left, err)
		}
	})
}

// Two processes share the sites: no site is told to both, and all of it to one.
func TestProcessesShareTheSites(t *testing.T) {
	w := newWorld(t)
	first, second := w.process(), w.process()
	round := func() {
		var both sync.WaitGroup
		both.Go(first.round)
		both.Go(second.round)
		both.Wait()
	}
	round() // both sites have begun: one of them may have begun at the second process
	for range 50 {
		w.add(1, 2)
		w.add(2, 2)
		round()
	}
	first.stop()
	second.stop()
	if len(w.wrong) > 0 || w.next[1] != 101 || w.next[2] != 101 {
		t.Errorf("%v, and the sites come to %v", w.wrong, w.next)
	}
}

func TestFollowersOfDifferentNamesAreToldEach(t *testing.T) {
	w := newWorld(t)
	w.add(1, 1)
	for _, name := range []string{"index", "locate"} { // the latter is an engine of the core, too
		told := 0
		ctx, cancel := context.WithCancel(t.Context())
		tick := make(chan time.Time)
		var work sync.WaitGroup
		work.Go(func() {
			_ = follow.New(w.Kernel).Run(ctx, follow.Options{Name: name, Tick: tick}, func(context.Context, follow.Changes) error {
				told++
				return nil
			})
		})
		tick <- time.Time{}
		cancel()
		work.Wait()
		if told != 2 {
			t.Errorf("%s is told %d times", name, told)
		}
	}
}

func TestWhatFailsIsToldToTrouble(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tick, heard := make(chan time.Time), make(chan error, 9)
	var work sync.WaitGroup
	work.Go(func() {
		_ = follow.New(w.Kernel).Run(ctx, follow.Options{Name: "index", Tick: tick, Trouble: func(err error) { heard <- err }}, func(context.Context, follow.Changes) error {
			return errors.New("the index is away")
		})
	})
	for _, want := range []string{"following as index: site 1: the index is away", "following as index: site 2: the index is away"} {
		if got := (<-heard).Error(); got != want {
			t.Errorf("%q is heard, not %q", got, want)
		}
	}
	cancel()
	work.Wait()
}

func TestWhatIsMissingToFollowIsSaid(t *testing.T) {
	w := newWorld(t)
	tick := make(chan time.Time)
	for _, o := range []follow.Options{{Tick: tick}, {Name: "index"}} {
		if err := follow.New(w.Kernel).Run(t.Context(), o, w.use); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	if err := follow.New(w.Kernel).Run(t.Context(), follow.Options{Name: "index", Tick: tick}, nil); err == nil {
		t.Error("no function is taken")
	}
}

package memory_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/search/memory"
)

// value is what is kept in these tests: where it stands, and what it takes.
type value struct {
	seq   atomic.Int64
	bytes int
}

// needs is a source of values that stand at seq, of a size.
type needs struct {
	seq   int64
	bytes int
	load  func(context.Context) error
}

// Serves implements memory.Source.
func (n needs) Serves(v *value) bool { return v.seq.Load() >= n.seq }

// Load implements memory.Source: it brings up to date what there is.
func (n needs) Load(ctx context.Context, held *value, kept bool) (*value, error) {
	if n.load != nil {
		if err := n.load(ctx); err != nil {
			return held, err
		}
	}
	if !kept {
		held = &value{}
	}
	held.bytes = n.bytes
	held.seq.Store(n.seq)
	return held, nil
}

// Bytes implements memory.Source.
func (n needs) Bytes(v *value) int { return v.bytes }

func key(id int) memory.Key { return memory.Key{Site: site.ID(id), Kind: "value"} }

// ask asks for a value of a size that can be had.
func ask(t *testing.T, c *memory.Cache, id, bytes int) {
	t.Helper()
	if _, err := memory.Get(t.Context(), c, key(id), needs{bytes: bytes}); err != nil {
		t.Fatal(err)
	}
}

// loads is how many values were loaded that were not kept.
func loads(c *memory.Cache) int { return c.Usage()["value"].Loads }

// slow is a source whose load waits until it is told how to end.
func slow() (from needs, begun chan struct{}, end chan error) {
	begun, end = make(chan struct{}, 1), make(chan error)
	return needs{seq: 1, bytes: 1, load: func(context.Context) error {
		begun <- struct{}{}
		return <-end
	}}, begun, end
}

func TestOneLoadServesAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := memory.New(memory.Options{})
		from, _, end := slow()
		var all sync.WaitGroup
		var got [20]*value
		for i := range got {
			all.Go(func() { got[i], _ = memory.Get(t.Context(), c, key(1), from) })
		}
		synctest.Wait()
		end <- nil
		all.Wait()
		for _, v := range got {
			if v == nil || v != got[0] {
				t.Fatalf("they got %v", got)
			}
		}
		if loads(c) != 1 {
			t.Errorf("%d loads", loads(c))
		}
	})
}

func TestNobodyWaitsForALoadBeyondTheirDeadline(t *testing.T) {
	for name, c := range map[string]struct {
		patience, deadline time.Duration
		waits              time.Duration
	}{
		"the deadline of the request": {0, time.Second, time.Second},
		"the patience of the cache":   {time.Second, time.Hour, time.Second},
		"whichever is over first":     {time.Hour, time.Second, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				kept := memory.New(memory.Options{Patience: c.patience})
				from, _, end := slow()
				ctx, cancel := context.WithTimeout(t.Context(), c.deadline)
				defer cancel()
				began := time.Now()
				_, err := memory.Get(ctx, kept, key(1), from)
				if known := fault.From(err); known == nil || known.Kind != fault.Unavailable || known.Message.String() == "" {
					t.Errorf("it ends with %v", err)
				}
				if waited := time.Since(began); waited != c.waits {
					t.Errorf("it waited for %s", waited)
				}
				// The load goes on for whoever asks next.
				end <- nil
				synctest.Wait()
				if _, err := memory.Get(t.Context(), kept, key(1), needs{seq: 1, load: refuse}); err != nil {
					t.Errorf("the next one gets %v", err)
				}
			})
		})
	}
}

func refuse(context.Context) error { return errors.New("loaded again") }

func TestWhoBeganALoadDoesNotEndItForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := memory.New(memory.Options{})
		end := make(chan error)
		from := needs{seq: 1, load: func(ctx context.Context) error {
			select {
			case err := <-end:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
		ctx, leave := context.WithCancel(t.Context())
		first, second := make(chan error, 1), make(chan error, 1)
		get := func(ctx context.Context, told chan error) {
			_, err := memory.Get(ctx, c, key(1), from)
			told <- err
		}
		go get(ctx, first)
		synctest.Wait()
		go get(t.Context(), second)
		synctest.Wait()
		leave()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("who left gets %v", err)
		}
		end <- nil
		if err := <-second; err != nil {
			t.Errorf("who stayed gets %v", err)
		}
	})
}

func TestAFailureReachesAllAndIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := memory.New(memory.Options{})
		from, _, end := slow()
		errs := make(chan error, 3)
		for range 3 {
			go func() {
				_, err := memory.Get(t.Context(), c, key(1), from)
				errs <- err
			}()
		}
		synctest.Wait()
		down := errors.New("down")
		end <- down
		for range 3 {
			if err := <-errs; !errors.Is(err, down) {
				t.Errorf("got %v", err)
			}
		}
		if _, err := memory.Get(t.Context(), c, key(1), needs{seq: 1}); err != nil || loads(c) != 1 {
			t.Errorf("the next one gets %v, after %d loads", err, loads(c))
		}
		// What was there before a load that failed is there still.
		if _, err := memory.Get(t.Context(), c, key(1), needs{seq: 2, load: func(context.Context) error { return down }}); !errors.Is(err, down) {
			t.Errorf("got %v", err)
		}
		if _, err := memory.Get(t.Context(), c, key(1), needs{seq: 1, load: refuse}); err != nil {
			t.Errorf("then %v", err)
		}
	})
}

func TestAPanicReachesAllAndLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := memory.New(memory.Options{})
		ask(t, c, 1, 10)
		end := make(chan struct{})
		from := needs{seq: 1, load: func(context.Context) error { <-end; panic("half done") }}
		told := make(chan any, 3)
		for range 3 {
			go func() {
				defer func() { told <- recover() }()
				_, _ = memory.Get(t.Context(), c, key(1), from)
			}()
		}
		synctest.Wait()
		close(end)
		for range 3 {
			if got := fmt.Sprint(<-told); !strings.Contains(got, "half done") || !strings.Contains(got, "cache_test.go") {
				t.Errorf("it panics with %s", got)
			}
		}
		if c.Bytes() != 0 || c.Usage()["value"].Values != 0 {
			t.Errorf("what may be half brought up to date is kept: %+v", c.Usage())
		}
		if ask(t, c, 1, 10); loads(c) != 2 {
			t.Errorf("%d loads", loads(c))
		}
	})
}

// A load that began for an earlier state is not taken for a later one.
func TestWhoNeedsMoreThanALoadUnderWayBringsWaitsForTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := memory.New(memory.Options{})
		from, _, end := slow()
		go func() { _, _ = memory.Get(t.Context(), c, key(1), from) }()
		synctest.Wait()
		later := make(chan *value)
		go func() {
			v, _ := memory.Get(t.Context(), c, key(1), needs{seq: 5})
			later <- v
		}()
		synctest.Wait()
		end <- nil
		if v := <-later; v == nil || v.seq.Load() != 5 {
			t.Errorf("it gets %v", v)
		}
	})
}

// However many ask for whatever, each gets what it needs, and what is kept is counted.
func TestGetsAreAsNewAsNeededAndCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(0, 300).Draw(t, "limit")
		c := memory.New(memory.Options{Limit: limit})
		var seq int64
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			id, size := rapid.IntRange(1, 8).Draw(t, "site"), rapid.IntRange(0, 100).Draw(t, "bytes")
			seq += rapid.Int64Range(0, 1).Draw(t, "events")
			v, err := memory.Get(context.Background(), c, key(id), needs{seq: seq, bytes: size})
			if err != nil || v.seq.Load() < seq {
				t.Fatalf("asked for %d, got %d, %v", seq, v.seq.Load(), err)
			}
			u := c.Usage()["value"]
			if u.Bytes != c.Bytes() || u.Loads-u.Evictions != u.Values {
				t.Fatalf("%d bytes, %+v", c.Bytes(), u)
			}
			if limit > 0 && c.Bytes() > limit && c.Bytes() != v.bytes {
				t.Fatalf("%d bytes in place of %d", c.Bytes(), limit)
			}
		}
	})
}

func TestManyAskAtOnce(t *testing.T) {
	c := memory.New(memory.Options{Limit: 50})
	var all sync.WaitGroup
	var seq atomic.Int64
	for worker := range 8 {
		all.Go(func() {
			for i := range 500 {
				needed := seq.Add(1)
				if v, err := memory.Get(t.Context(), c, key((i+worker)%10), needs{seq: needed, bytes: 10}); err != nil || v.seq.Load() < needed {
					t.Errorf("asked for %d: %v", needed, err)
				}
			}
		})
	}
	all.Wait()
	if c.Bytes() > 50 {
		t.Errorf("%d bytes are kept", c.Bytes())
	}
}

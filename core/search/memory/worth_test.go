package memory_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/vitrine-crm/vitrine/core/search/memory"
)

const kB = 1000

func TestWhatFitsIsLoadedOnce(t *testing.T) {
	c := memory.New(memory.Options{Limit: 100 * kB})
	for range 3 {
		for id := range 100 {
			ask(t, c, id, kB)
		}
	}
	if u := c.Usage()["value"]; u.Loads != 100 || u.Evictions != 0 || u.Values != 100 || u.Bytes != 100*kB {
		t.Errorf("%+v", u)
	}
}

func TestOfEqualsTheLeastRecentlyUsedLeaves(t *testing.T) {
	c := memory.New(memory.Options{Limit: 3 * kB})
	for _, id := range []int{1, 2, 3, 1, 4} {
		ask(t, c, id, kB)
	}
	for id, stays := range map[int]bool{1: true, 2: false, 3: true, 4: true} {
		if kept(t, c, id) != stays {
			t.Errorf("%d is kept: %t", id, !stays)
		}
	}
}

// kept reports whether a value is there, and asks for it if so.
func kept(t *testing.T, c *memory.Cache, id int) bool {
	t.Helper()
	_, err := memory.Get(t.Context(), c, key(id), needs{load: refuse})
	return err == nil
}

// What takes little room for the work it spares stays longer than what takes much,
// but not for ever.
func TestWhatSparesMoreForItsBytesStaysLonger(t *testing.T) {
	c := memory.New(memory.Options{Limit: 1000 * kB})
	ask(t, c, 1, 20*kB) // such as settings
	for id := range 10 {
		ask(t, c, 100+id, 300*kB)
	}
	if !kept(t, c, 1) {
		t.Error("what is small left before what is large")
	}
	for id := range 100 {
		ask(t, c, 200+id, 300*kB)
	}
	if kept(t, c, 1) {
		t.Error("what nobody asks for stays for ever")
	}
}

func TestWhatIsAskedForStaysThoughItExceedsTheLimit(t *testing.T) {
	c := memory.New(memory.Options{Limit: kB})
	ask(t, c, 1, kB/2)
	ask(t, c, 2, 2*kB)
	if c.Bytes() != 2*kB || !kept(t, c, 2) {
		t.Errorf("%d bytes are kept", c.Bytes())
	}
	if ask(t, c, 3, kB/2); c.Bytes() != kB/2 {
		t.Errorf("then %d", c.Bytes())
	}
}

func TestWhatIsBroughtUpToDateDoesNotLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := memory.New(memory.Options{Limit: kB})
		ask(t, c, 1, kB)
		end := make(chan struct{})
		done := make(chan *value)
		go func() {
			v, _ := memory.Get(t.Context(), c, key(1), needs{seq: 1, bytes: kB, load: func(context.Context) error { <-end; return nil }})
			done <- v
		}()
		synctest.Wait()
		ask(t, c, 2, kB)
		if u := c.Usage()["value"]; u.Evictions != 0 || c.Bytes() != 2*kB {
			t.Errorf("%+v", u)
		}
		close(end)
		if v := <-done; v.seq.Load() != 1 || loads(c) != 2 || c.Bytes() != kB {
			t.Errorf("it stands at %d after %d loads, %d bytes are kept", v.seq.Load(), loads(c), c.Bytes())
		}
	})
}

// What grows when it is brought up to date counts for what it is then.
func TestGrowthIsCounted(t *testing.T) {
	c := memory.New(memory.Options{Limit: 2 * kB})
	ask(t, c, 1, kB)
	ask(t, c, 2, kB)
	if _, err := memory.Get(t.Context(), c, key(1), needs{seq: 1, bytes: 2 * kB}); err != nil {
		t.Fatal(err)
	}
	if u := c.Usage()["value"]; u.Bytes != 2*kB || u.Evictions != 1 || u.Loads != 2 {
		t.Errorf("%+v", u)
	}
}

package memory_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

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

func TestWhatWasNotAskedForLongestLeaves(t *testing.T) {
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

// It does so whatever is asked for and changes.
func TestWhatIsKeptIsWhatAListByLastUseKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 300).Draw(t, "limit")
		c := memory.New(memory.Options{Limit: limit, Shared: func() int { return 10 }})
		var byUse []int // what was asked for last is last
		sizes, seqs := map[int]int{}, map[int]int64{}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			id, size := rapid.IntRange(1, 8).Draw(t, "site"), rapid.IntRange(0, 100).Draw(t, "bytes")
			switch v, kept := c.Peek(key(id)).(*value); {
			case kept && rapid.Bool().Draw(t, "changes"):
				v.bytes = size
				c.Resized(key(id), v, size)
			default:
				seqs[id] += rapid.Int64Range(0, 1).Draw(t, "events")
				var err error
				if v, err = memory.Get(context.Background(), c, key(id), needs{seq: seqs[id], bytes: size}); err != nil {
					t.Fatal(err)
				}
				size = v.bytes
				byUse = append(slices.DeleteFunc(byUse, func(other int) bool { return other == id }), id)
			}
			sizes[id] = size
			for len(byUse) > 1 && total(byUse, sizes)+10 > limit {
				byUse = byUse[1:]
			}
			for id := 1; id <= 8; id++ {
				if kept := c.Peek(key(id)) != nil; kept != slices.Contains(byUse, id) {
					t.Fatalf("site %d is kept: %t; by last use it would be %v", id, kept, byUse)
				}
			}
			if c.Bytes() != total(byUse, sizes) {
				t.Fatalf("%d bytes are kept, of %v", c.Bytes(), sizes)
			}
		}
	})
}

func total(ids []int, sizes map[int]int) (bytes int) {
	for _, id := range ids {
		bytes += sizes[id]
	}
	return bytes
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

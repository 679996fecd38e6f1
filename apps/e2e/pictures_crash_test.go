package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/kernel"
	"github.com/vitrine-crm/vitrine/core/port"
)

// fragile is a store that loses units of work when it is told to.
type fragile struct {
	port.Store
	// countdown is how many units of work are left until one is lost; below one
	// none is.
	countdown atomic.Int64
	// silent: the unit is committed, and only the news of it is lost.
	silent atomic.Bool
}

var errCrashed = fmt.Errorf("%w: the machine went down", fault.Unavailable)

func (f *fragile) Update(ctx context.Context, fn func(port.Tx) error) error {
	if f.countdown.Add(-1) != 0 {
		return f.Store.Update(ctx, fn)
	}
	if f.silent.Load() {
		return errors.Join(f.Store.Update(ctx, fn), errCrashed)
	}
	return f.Store.Update(ctx, func(tx port.Tx) error { return errors.Join(fn(tx), errCrashed) })
}

// The second unit of work of an upload keeps the record; the first draws its id.
const keepsTheRecord = 2

func TestACrashBetweenContentAndRecordLeavesNothingVisible(t *testing.T) {
	onStores(t, func(t *testing.T, engine string) {
		var store *fragile
		w := withOwnStore(t, engine, over(func(s port.Store) port.Store { store = &fragile{Store: s}; return store }))
		c := w.network(t)
		id := c.create(nil)
		before, told := c.whole(id), c.ledger()
		file := picture(1000, 20, 5)

		store.countdown.Store(keepsTheRecord)
		c.upload(id, "public", "file", "a.jpg", file).refused(503, "unavailable")
		told.tells()
		if got := c.whole(id); fmt.Sprint(got) != fmt.Sprint(before) {
			t.Errorf("something of it is seen: %v", got)
		}
		if got := w.keys(t); len(got) != 1 {
			t.Fatalf("%v are kept", got)
		}

		// Trying again works, and what was lost before is swept.
		c.add(id, "public", file)
		told.tells(fmt.Sprint("PRODUCT_UPDATE ", id))
		for _, size := range c.pictures(id)[0]["sizes"].(list) {
			w.stranger(t).get(size.(object)["url"].(string)).is(200)
		}
		w.sweeps(t, 0)
		w.clock.advance(25 * time.Hour)
		w.sweeps(t, 1)
		w.sweeps(t, 0)
		c = w.again(t, c)
		w.stranger(t).get(c.pictures(id)[0]["url"].(string)).is(200)

		// When only the news of the record is lost, trying again finds it.
		other := c.create(nil)
		store.silent.Store(true)
		store.countdown.Store(keepsTheRecord)
		told = c.ledger()
		c.upload(other, "public", "file", "a.jpg", file).refused(503, "unavailable")
		told.tells(fmt.Sprint("PRODUCT_UPDATE ", other))
		c.add(other, "public", file)
		told.tells()
		if got := c.pictures(other); len(got) != 1 {
			t.Errorf("there are %v", got)
		}
	}, onEveryStore)
}

// again is the client with a fresh token.
func (w *world) again(t *testing.T, _ *client) *client {
	t.Helper()
	w.mu.Lock()
	clear(w.tokens)
	w.mu.Unlock()
	return w.network(t)
}

// sweeps demands how much a sweep removes.
func (w *world) sweeps(t *testing.T, want int) {
	t.Helper()
	if got, err := w.Listing.SweepPictures(t.Context(), 24*time.Hour); got != want || err != nil {
		t.Errorf("the sweep removed %d, want %d (%v)", got, want, err)
	}
}

func TestTheSweepLeavesWhatIsNotItsOwn(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	c := w.network(t)
	id, gone := c.create(nil), c.create(nil)
	c.add(id, "private", picture(1000, 20, 1))
	for _, photo := range c.pictures(id) {
		w.stranger(t).get(photo["sizes"].(list)[0].(object)["url"].(string)).is(200)
	}
	c.add(gone, "public", picture(900, 20, 1))
	c.delete(product(gone)).is(204)
	hash := strings.Repeat("0a", 32)
	strange := []string{"owner", "notes/mine", "1/2/3", "1/2/3-short", "1/2/3-" + hash + "-x"}
	orphans := []string{"1/999/3-" + hash, "1/999/3-" + hash + "-320", "77/1/3-" + hash, fmt.Sprintf("1/%d/999-%s", id, hash)}
	for _, key := range append(strange, orphans...) {
		if err := w.blobs.Put(t.Context(), key, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	w.sweeps(t, 0)
	w.clock.advance(24*time.Hour + time.Minute)
	w.sweeps(t, len(orphans))
	w.clock.advance(30 * 24 * time.Hour)
	if _, err := w.Purge(t.Context(), kernel.DefaultRetention(), 1000); err != nil {
		t.Fatal(err)
	}
	w.sweeps(t, 1)
	if got := w.keys(t); len(got) != len(strange)+3 {
		t.Errorf("%q are left", got)
	}
}

// What the process takes for a bomb is little more than the request itself.
func TestABombTakesLittleMemory(t *testing.T) {
	w := ownWorld(t)
	c := w.network(t)
	id := c.create(nil)
	body, contentType := form("file", "a.png", blank(12_000, 12_000))
	text := string(body)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c.send("POST", product(id, "/pictures/public"), text, "Content-Type", contentType).refused(422, "image_too_large", "file")
	runtime.ReadMemStats(&after)
	// All that was allocated on the way bounds what was ever held.
	grown := after.TotalAlloc - before.TotalAlloc
	if t.Logf("allocated %d KiB for a bomb of %d KiB", grown>>10, len(body)>>10); grown >= 16<<20 {
		t.Errorf("a bomb of %d bytes made the process allocate %d", len(body), grown)
	}
}

func TestManyUploadsAtOnceWaitForMemory(t *testing.T) {
	w := ownWorld(t)
	c := w.network(t)
	id := c.create(nil)
	const uploads = 64
	var bodies [uploads]string
	var contentType [uploads]string
	for n := range uploads {
		// 1.4 megapixels count as 11 MiB: a dozen at a time.
		body, kind := form("file", "a.jpg", picture(1400, 1000, uint8(n), uint8(n)*3))
		bodies[n], contentType[n] = string(body), kind
	}
	runtime.GC()
	var start runtime.MemStats
	runtime.ReadMemStats(&start)
	var peak atomic.Uint64
	stop, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				var now runtime.MemStats
				runtime.ReadMemStats(&now)
				peak.Store(max(peak.Load(), now.HeapInuse))
			}
		}
	}()
	var all sync.WaitGroup
	for n := range uploads {
		all.Go(func() {
			c.send("POST", product(id, "/pictures/public"), bodies[n], "Content-Type", contentType[n]).is(204)
		})
	}
	all.Wait()
	close(stop)
	<-watched
	t.Logf("the heap grew from %d to %d MiB", start.HeapInuse>>20, peak.Load()>>20)
	c.get(product(id)).equals("data.photos_count", uploads)
}

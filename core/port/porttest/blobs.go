package porttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/vitrine-crm/vitrine/core/domain/fault"
	"github.com/vitrine-crm/vitrine/core/port"
)

// Blobs holds a keeper of blobs to the law of port.Blobs. open makes an empty
// one, whose clock is about right, that lasts until the test it is given ends.
func Blobs(t *testing.T, now func() time.Time, open func(testing.TB) port.Blobs) {
	for name, article := range map[string]func(*testing.T, port.Blobs){
		"WhatIsPutComesBack":         blobsComeBack,
		"PuttingAgainReplaces":       blobsAreReplaced,
		"WhatIsAbsentIsNotFound":     blobsCanBeAbsent,
		"DeletingTwiceIsNoMistake":   blobsAreDeleted,
		"AllMeetsEverything":         blobsAreListed,
		"AllCanBeLeftEarly":          blobsCanBeLeft,
		"AReaderOutlivesADeletion":   readersOutlive,
		"PutsAtOnceAreEachWhole":     blobsAreWhole,
		"TheyTellWhenTheyWerePut":    func(t *testing.T, b port.Blobs) { blobsHaveAnAge(t, b, now) },
		"AnEndedContextEndsTheirUse": blobsHeedContexts,
	} {
		t.Run(name, func(t *testing.T) { article(t, open(t)) })
	}
}

func putBlob(t testing.TB, b port.Blobs, key, content string) {
	t.Helper()
	if err := b.Put(t.Context(), key, []byte(content)); err != nil {
		t.Fatalf("Put %s: %v", key, err)
	}
}

func blob(t testing.TB, b port.Blobs, key string) string {
	t.Helper()
	r, err := b.Open(t.Context(), key)
	if err != nil {
		t.Fatalf("Open %s: %v", key, err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("reading %s: %v", key, err)
	}
	return string(content)
}

func allBlobs(t testing.TB, b port.Blobs) map[string]int64 {
	t.Helper()
	sizes := map[string]int64{}
	for found, err := range b.All(t.Context()) {
		if err != nil {
			t.Fatalf("All: %v", err)
		}
		if _, twice := sizes[found.Key]; twice {
			t.Errorf("All meets %s twice", found.Key)
		}
		sizes[found.Key] = found.Size
	}
	return sizes
}

func blobsComeBack(t *testing.T, b port.Blobs) {
	large := string(bytes.Repeat([]byte("0123456789abcdef"), 1<<16))
	for key, content := range map[string]string{"1/2/3-abc": "picture", "1/2/3-abc-800": "x", "1/20/large": large, "owner": "\x00\xff\r\n"} {
		putBlob(t, b, key, content)
		if got := blob(t, b, key); got != content {
			t.Errorf("%s comes back as %d other bytes", key, len(got))
		}
	}
	r, err := b.Open(t.Context(), "1/20/large")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if size, err := r.Seek(0, io.SeekEnd); err != nil || size != int64(len(large)) {
		t.Errorf("its end is at %d (%v)", size, err)
	}
	part := make([]byte, 20)
	if _, err := r.Seek(1<<19+4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(r, part); err != nil || string(part) != large[4:24] {
		t.Errorf("from the middle: %q (%v)", part, err)
	}
}

func blobsHaveAnAge(t *testing.T, b port.Blobs, now func() time.Time) {
	putBlob(t, b, "1/2/3", "x")
	for found, err := range b.All(t.Context()) {
		if age := now().Sub(found.Modified).Abs(); err != nil || age > 10*time.Minute {
			t.Errorf("%s was put at %s, it says (%v)", found.Key, found.Modified, err)
		}
	}
}

func blobsAreReplaced(t *testing.T, b port.Blobs) {
	putBlob(t, b, "1/2/3", "a longer content")
	putBlob(t, b, "1/2/3", "another")
	if got := blob(t, b, "1/2/3"); got != "another" {
		t.Errorf("got %q", got)
	}
	same(t, "all", map[string]int64{"1/2/3": 7}, allBlobs(t, b))
}

func blobsCanBeAbsent(t *testing.T, b port.Blobs) {
	putBlob(t, b, "1/2/3", "x")
	for _, key := range []string{"1/2/4", "1/2", "9/9/9", "1/2/3-800"} {
		r, err := b.Open(t.Context(), key)
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if !errors.Is(err, fault.NotFound) {
			t.Errorf("opening %s: %v", key, err)
		}
	}
}

func blobsAreDeleted(t *testing.T, b port.Blobs) {
	putBlob(t, b, "1/2/3", "x")
	putBlob(t, b, "1/2/33", "y")
	for range 2 {
		if err := b.Delete(t.Context(), "1/2/3"); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Delete(t.Context(), "7/7/7"); err != nil {
		t.Error(err)
	}
	same(t, "what is left", map[string]int64{"1/2/33": 1}, allBlobs(t, b))
}

func blobsAreListed(t *testing.T, b port.Blobs) {
	same(t, "nothing", map[string]int64{}, allBlobs(t, b))
	want := map[string]int64{}
	for i := range 30 {
		key := fmt.Sprintf("%d/%d/%d-x", i%3, i%5, i)
		putBlob(t, b, key, key)
		want[key] = int64(len(key))
	}
	same(t, "all", want, allBlobs(t, b))
	// They can be deleted on the way.
	for found, err := range b.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Delete(t.Context(), found.Key); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "all but all", map[string]int64{}, allBlobs(t, b))
}

func blobsCanBeLeft(t *testing.T, b port.Blobs) {
	for i := range 5 {
		putBlob(t, b, fmt.Sprint("1/", i), "x")
	}
	for range b.All(t.Context()) {
		break
	}
	if got := len(allBlobs(t, b)); got != 5 {
		t.Errorf("%d are left", got)
	}
}

func readersOutlive(t *testing.T, b port.Blobs) {
	putBlob(t, b, "1/2/3", "content")
	r, err := b.Open(t.Context(), "1/2/3")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := b.Delete(t.Context(), "1/2/3"); err != nil {
		t.Fatal(err)
	}
	// Whoever is reading gets all of it, or learns that it is gone.
	if content, err := io.ReadAll(r); err == nil && string(content) != "content" {
		t.Errorf("read %q", content)
	}
}

func blobsAreWhole(t *testing.T, b port.Blobs) {
	content := string(bytes.Repeat([]byte{'a'}, 300_000))
	putBlob(t, b, "1/2/3", content)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := b.Put(t.Context(), "1/2/3", []byte(content)); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			if got := blob(t, b, "1/2/3"); got != content {
				t.Errorf("%d bytes are not what was put", len(got))
			}
		})
	}
	all.Wait()
	if got := allBlobs(t, b); len(got) != 1 {
		t.Errorf("there are %v", got)
	}
}

func blobsHeedContexts(t *testing.T, b port.Blobs) {
	putBlob(t, b, "1/2/3", "x")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Put(ctx, "1/2/4", []byte("y")); !errors.Is(err, context.Canceled) {
		t.Errorf("Put: %v", err)
	}
	if err := b.Delete(ctx, "1/2/3"); !errors.Is(err, context.Canceled) {
		t.Errorf("Delete: %v", err)
	}
	for _, err := range b.All(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("All: %v", err)
		}
	}
	same(t, "all", map[string]int64{"1/2/3": 1}, allBlobs(t, b))
}

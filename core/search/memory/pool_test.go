package memory_test

import (
	"hash/maphash"
	"runtime"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/search/memory"
)

type word struct{ text string }

// words are told apart by their text. Their hashes are few, so that they meet.
func words() *memory.Pool[word] {
	return memory.NewPool(
		func(seed maphash.Seed, w *word) uint64 { return maphash.Comparable(seed, len(w.text)) },
		func(a, b *word) bool { return a.text == b.text },
		func(*word) int { return 1 },
	)
}

func TestEqualValuesAreOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool, known := words(), map[string]*word{}
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			text := rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 0, 3, -1).Draw(t, "text")
			shared := pool.Share(&word{text: text})
			if before := known[text]; before != nil && shared != before || shared.text != text {
				t.Fatalf("%q is shared as %p, and was %p", text, shared, before)
			}
			known[text] = shared
		}
		if pool.Len() != len(known) || pool.Bytes() != len(known) {
			t.Fatalf("%d values are known, of %d", pool.Len(), len(known))
		}
		runtime.KeepAlive(known)
	})
}

func TestWhatNobodyHoldsIsForgotten(t *testing.T) {
	pool := words()
	held := pool.Share(&word{text: "held"})
	for i := range 100 {
		pool.Share(&word{text: string(rune('a' + i))})
	}
	for pool.Len() > 1 || pool.Bytes() > 1 {
		runtime.GC()
		runtime.Gosched()
	}
	if pool.Share(&word{text: "held"}) != held {
		t.Error("what is held is forgotten too")
	}
}

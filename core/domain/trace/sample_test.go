package trace_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/trace"
)

func TestFewRequestsAreAllKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s trace.Sampler
		now := time.Date(2026, 9, 16, 8, 0, 0, 0, time.UTC)
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			if got := s.Take(now, rapid.Bool().Draw(t, "important")); got != 1 {
				t.Fatalf("one in %d is kept", got)
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "ms")) * time.Millisecond)
		}
	})
}

// However many there are within a second, few are kept, and those that are kept
// stand for nearly all.
func TestManyReadsAreSampled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s trace.Sampler
		now := time.Date(2026, 9, 16, 8, 0, 0, 0, time.UTC)
		n, kept, stand, last := rapid.IntRange(201, 50_000).Draw(t, "requests"), 0, 0, 1
		for range n {
			if oneIn := s.Take(now, false); oneIn > 0 {
				kept, stand, last = kept+1, stand+oneIn, oneIn
			}
		}
		if kept > 1100 || stand > n || stand < n-2*last {
			t.Fatalf("of %d requests %d are kept, which stand for %d", n, kept, stand)
		}
		if got := s.Take(now, true); got != 1 {
			t.Fatalf("among many reads a write is kept %d times", got)
		}
		if got := s.Take(now.Add(10*time.Second), false); got != 1 {
			t.Fatalf("when it is quiet again one in %d is kept", got)
		}
	})
}

// When there are as many second after second, hardly more than two hundred are kept
// in each.
func TestReadsAreBoundedInTheLongRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s trace.Sampler
		now, n, kept := time.Date(2026, 9, 16, 8, 0, 0, 0, time.UTC), rapid.IntRange(1, 50_000).Draw(t, "requests a second"), 0
		for range 3 {
			kept = 0
			for range n {
				if s.Take(now, false) > 0 {
					kept++
				}
			}
			now = now.Add(time.Second)
		}
		if kept > 400 || kept < min(n/2, 100) {
			t.Fatalf("of %d a second %d are kept", n, kept)
		}
	})
}

func TestWritesAreBounded(t *testing.T) {
	var s trace.Sampler
	now, kept := time.Date(2026, 9, 16, 8, 0, 0, 0, time.UTC), 0
	for range 5000 {
		kept += s.Take(now, true)
	}
	if kept != 1000 {
		t.Errorf("%d writes are kept in a second", kept)
	}
}

package slab_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/usecase/listing/internal/slab"
)

// TestWhatASlabGivesIsNotGivenAgain: lists have room and are never nil, also those for
// nothing, and what was put in them stays as it is.
func TestWhatASlabGivesIsNotGivenAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s slab.Slab[int]
		var given, want [][]int
		for i, n := range rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 2, 7, 8, 9, 600}), 1, 40).Draw(t, "lists") {
			list := s.List(n)
			if list == nil || len(list) != 0 || cap(list) != n {
				t.Fatalf("a list for %d is %v of %d, nil: %t", n, list, cap(list), list == nil)
			}
			for range n {
				list = append(list, i)
			}
			given, want = append(given, list), append(want, slices.Clone(list))
			kept := s.Keep(-i)
			given, want = append(given, []int{*kept}), append(want, []int{-i})
			if *kept = -i - 1; *s.Keep(0) != 0 || *kept != -i-1 {
				t.Fatalf("what was kept has changed")
			}
		}
		for i := range given {
			if !slices.Equal(given[i], want[i]) {
				t.Fatalf("%v has become %v", want[i], given[i])
			}
		}
	})
}

package catalogue_test

import (
	"slices"
	"testing"

	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

// TestPagesAlongASortedColumnAreThoseOfAllMatches compares an index that reads for pages
// among the first products of a sorted column with one that finds all matches first.
func TestPagesAlongASortedColumnAreThoseOfAllMatches(t *testing.T) {
	const products = 6000
	tuned := func(share float64) *catalogue.Index {
		builder := catalogue.NewTunedBuilder(withoutPrivate, catalogue.Tuning{TrigramsFrom: 4096, VerifyRatio: 2, ProbeShare: share})
		for c := range cataloguetest.Products(products, 1) {
			builder.Add(c)
		}
		return builder.Index(products)
	}
	all, further, along := tuned(0), tuned(1./128), tuned(1./2)
	more := 0
	for _, q := range cataloguetest.Queries(1000, products, 2) {
		q.Limit = 20
		want := all.Search(q)
		for _, index := range []*catalogue.Index{further, along} {
			if got := index.Search(q); !slices.Equal(got.Entries, want.Entries) || got.More != want.More {
				t.Fatalf("search %+v\n got %+v\nwant %+v", q, got, want)
			}
		}
		if want.More {
			more++
		}
	}
	if more < 100 {
		t.Errorf("only %d of the pages are not the last", more)
	}
}

package catalogue_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

// drawCatalogue makes an index and an oracle of the same few products.
func drawCatalogue(t *rapid.T) (*catalogue.Index, *cataloguetest.Oracle) {
	builder := catalogue.NewTunedBuilder(catalogue.Options{}, drawTuning(t))
	oracle := cataloguetest.NewOracle()
	ids := make([]int, 60)
	for i := range ids {
		ids[i] = i + 1
	}
	ids = rapid.Permutation(ids).Draw(t, "ids")[:pick(t, "size", []int{30, 60, 10, 3, 1, 0})]
	if percent(t, "ascending", 60) {
		slices.Sort(ids)
	}
	for i, id := range ids {
		c := drawCandidate(t, product.ID(id), int64(i+1))
		builder.Add(c)
		oracle.Add(c)
	}
	if len(ids) > 0 && percent(t, "twice", 20) {
		c := drawCandidate(t, product.ID(ids[0]), int64(len(ids)))
		builder.Add(c)
		oracle.Add(c)
	}
	return builder.Index(100), oracle
}

func drawTuning(t *rapid.T) catalogue.Tuning {
	return catalogue.Tuning{
		TrigramsFrom: pick(t, "trigrams from", []int{1, 4, 1024}),
		CompactFrom:  pick(t, "compact from", []int{0, 1024}),
		VerifyRatio:  pick(t, "verify ratio", []float64{2, 0, 1e9}),
		ProbeShare:   pick(t, "probe share", []float64{1e9, 0, 0.5}),
	}
}

// agree fails unless index and oracle answer the query alike.
func agree(t rapid.TB, index *catalogue.Index, oracle *cataloguetest.Oracle, q catalogue.Query) {
	t.Helper()
	got, want := index.Search(q), oracle.Search(q)
	if !slices.Equal(got.Entries, want.Entries) || got.More != want.More {
		t.Fatalf("search %+v\n got %+v\nwant %+v", q, got, want)
	}
	if got, want := index.Count(q.Filter), oracle.Count(q.Filter); got != want {
		t.Fatalf("count %+v: got %d, want %d", q.Filter, got, want)
	}
}

// TestIndexAgreesWithItsSpecification is the test of the search engine: on
// thousands of pairs of a catalogue and a query it finds what
// product.Filter.Matches says in the order product.Order.Compare says.
func TestIndexAgreesWithItsSpecification(t *testing.T) {
	const queries = 150
	pairs, found := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		index, oracle := drawCatalogue(t)
		for range queries {
			q := drawQuery(t)
			agree(t, index, oracle, q)
			pairs++
			found += index.Count(q.Filter)
		}
	})
	t.Logf("%d pairs, %d matches", pairs, found)
	if pairs < 10_000 {
		t.Errorf("only %d pairs were compared", pairs)
	}
	if found < 2*pairs {
		t.Errorf("%d queries found only %d products: the queries are too narrow to tell anything", pairs, found)
	}
}

func TestEntriesAgreeWithTheirSpecification(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index, oracle := drawCatalogue(t)
		same(t, index, oracle)
	})
}

// same fails unless index and oracle hold the same products.
func same(t rapid.TB, index *catalogue.Index, oracle *cataloguetest.Oracle) {
	t.Helper()
	for id := range product.ID(70) {
		got, found := index.Entry(id)
		want, exists := oracle.Entry(id)
		if got != want || found != exists {
			t.Fatalf("product %d: got %+v, %v, want %+v, %v", id, got, found, want, exists)
		}
	}
	for _, owner := range []customerID{0, 1, 2, 3} {
		if got, want := index.Owned(owner), oracle.Owned(owner); owner != 0 && !slices.Equal(got, want) {
			t.Fatalf("products of %d: got %v, want %v", owner, got, want)
		}
	}
	if got, want := index.Len(), len(oracle.Candidates()); got != want {
		t.Fatalf("length: got %d, want %d", got, want)
	}
}

// TestEveryWalkSeesEveryMatchOnce pages through the same matches in both ways
// there are.
func TestEveryWalkSeesEveryMatchOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index, oracle := drawCatalogue(t)
		for range 10 {
			q := catalogue.Query{Filter: drawFilter(t), Order: product.Order{Key: product.ByID}, Limit: rapid.IntRange(1, 7).Draw(t, "limit")}
			byCursor := walk(t, index, q, func(q *catalogue.Query, p catalogue.Page) {
				q.After = p.Entries[len(p.Entries)-1].ID
			})
			byOffset := walk(t, index, q, func(q *catalogue.Query, p catalogue.Page) { q.Skip += q.Limit })
			var all []product.ID
			for _, c := range oracle.Shown() {
				if q.Filter.Matches(c) {
					all = append(all, c.Product.ID)
				}
			}
			if !slices.Equal(byCursor, all) || !slices.Equal(byOffset, all) {
				t.Fatalf("filter %+v\n by cursor %v\n by offset %v\n in all   %v", q.Filter, byCursor, byOffset, all)
			}
		}
	})
}

func walk(t *rapid.T, index *catalogue.Index, q catalogue.Query, next func(*catalogue.Query, catalogue.Page)) []product.ID {
	var ids []product.ID
	for range 100 {
		page := index.Search(q)
		for _, e := range page.Entries {
			ids = append(ids, e.ID)
		}
		if !page.More {
			return ids
		}
		next(&q, page)
	}
	t.Fatal("the walk does not end")
	return nil
}

func TestIgnoredCriteriaAreLeftOut(t *testing.T) {
	p := product.Product{ID: 1, Agency: 1, Criteria: criteria.Values{
		"Remarques": criteria.Text("secret"), criteria.KeyCity: criteria.Text("Lyon"),
	}}
	ignore := map[string]bool{"Remarques": true, criteria.KeyCity: true}
	builder := catalogue.NewBuilder(catalogue.Options{Ignore: ignore})
	builder.Add(product.Candidate{Product: p})
	index := builder.Index(1)
	contains := func(key, part string) product.Filter {
		return product.Filter{Agencies: everyAgency, Criteria: []criteria.Condition{
			{Criterion: key, Type: criteria.TEXT, Operator: criteria.CONTIENT, Texts: []string{part}},
		}}
	}
	for _, when := range []string{"built", "applied"} {
		if n := index.Count(contains("Remarques", "secret")); n != 0 {
			t.Errorf("%s: an ignored criterion was found", when)
		}
		if n := index.Count(contains(criteria.KeyCity, "lyon")); n != 1 {
			t.Errorf("%s: the city was ignored, though keywords look into it", when)
		}
		if n := index.Count(product.Filter{Agencies: everyAgency, Keyword: product.NewKeyword("lyon", false)}); n != 1 {
			t.Errorf("%s: a keyword did not find the city", when)
		}
		index.Apply(2, []catalogue.Change{{ID: 1, Now: &product.Candidate{Product: p}}})
	}
}

// TestKeywordsReadAnyWriting holds one product with an address, a city, an owner
// and a reference in any writing there is against phrases found in them. The
// index knows address and city apart, the specification reads into both at once.
func TestKeywordsReadAnyWriting(t *testing.T) {
	word := rapid.OneOf(rapid.String(), rapid.SampledFrom(texts), rapid.StringMatching(`[ ´¨¯é-]{0,4}[a-c ]{0,6}`))
	rapid.Check(t, func(t *rapid.T) {
		c := product.Candidate{Product: product.Product{ID: 1, Agency: 1, Reference: word.Draw(t, "reference"), Criteria: criteria.Values{}}}
		for _, key := range []string{criteria.KeyAddress, criteria.KeyCity} {
			if percent(t, key, 90) {
				c.Product.Criteria[key] = criteria.Text(word.Draw(t, key))
			}
		}
		c.OwnerNames = rapid.SliceOfN(word, 0, 2).Draw(t, "names")
		builder := catalogue.NewTunedBuilder(catalogue.Options{}, drawTuning(t))
		builder.Add(c)
		index, oracle := builder.Index(1), cataloguetest.NewOracle()
		oracle.Add(c)
		for range 10 {
			hay := []rune(pick(t, "hay", append(product.Haystack(c.Product), "x"+criteria.Fold(word.Draw(t, "other")))))
			from := rapid.IntRange(0, len(hay)).Draw(t, "from")
			to := rapid.IntRange(from, len(hay)).Draw(t, "to")
			k := product.Keyword{Phrase: string(hay[from:to]), OwnerNames: rapid.Bool().Draw(t, "owners")}
			agree(t, index, oracle, catalogue.Query{Filter: product.Filter{Agencies: everyAgency, Keyword: k}, Limit: 1})
		}
	})
}

func TestPagesBeyondEverythingAreEmpty(t *testing.T) {
	index, filter := build(100), product.Filter{Agencies: cataloguetest.Agencies()}
	for _, key := range product.SortKeys() {
		q := catalogue.Query{Filter: filter, Order: product.Order{Key: key}, Skip: math.MaxInt, Limit: math.MaxInt}
		if page := index.Search(q); len(page.Entries) != 0 || page.More {
			t.Errorf("by %s: skipping everything finds %d products, more: %v", key, len(page.Entries), page.More)
		}
		q.Skip = 0
		if page := index.Search(q); len(page.Entries) != 100 || page.More {
			t.Errorf("by %s: a page without end has %d products, more: %v", key, len(page.Entries), page.More)
		}
	}
}

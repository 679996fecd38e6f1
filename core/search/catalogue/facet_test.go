package catalogue_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

func drawFacet(t *rapid.T) product.Facet {
	f := product.Facet{Type: pick(t, "type", criteria.Types())}
	f.Criterion = pick(t, "criterion", append([]string{"Inconnu"}, keysOf[f.Type]...))
	if percent(t, "other", 10) {
		f.Criterion = pick(t, "criterion", keysOf[pick(t, "type", criteria.Types())])
	}
	f.Codes = append(drawCodes(t), "Inconnu")
	least := pick(t, "least", []int{1, 1, 0, 3, 40})
	if f.Type == criteria.DATE {
		zone := pick(t, "zone", zones)
		dates := rapid.SliceOfN(rapid.Custom(drawDate), least, 40).Draw(t, "dates")
		slices.SortFunc(dates, func(a, b criteria.Date) int { return a.Instant(zone).Compare(b.Instant(zone)) })
		for _, d := range dates {
			day, instant := d.Among(zone)
			f.Bounds, f.Instants = append(f.Bounds, day), append(f.Instants, criteria.Date{At: instant}.Scalar())
		}
		return f
	}
	f.Bounds = rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(amounts), rapid.Float64Range(-10, 300_000)), least, 40).Draw(t, "bounds")
	slices.Sort(f.Bounds)
	f.Bounds = slices.Compact(f.Bounds)
	return f
}

// agreeOnFacets fails unless index and oracle count alike.
func agreeOnFacets(t rapid.TB, index *catalogue.Index, oracle *cataloguetest.Oracle, f product.Filter, facets []product.Facet) {
	t.Helper()
	count, counts := index.Facets(f, facets)
	wantCount, want := oracle.Facets(f, facets)
	if count != wantCount || !slices.EqualFunc(counts, want, slices.Equal[[]int]) {
		t.Fatalf("facets %+v of %+v\n got %d %v\nwant %d %v", facets, f, count, counts, wantCount, want)
	}
}

func TestFacetsAgreeWithTheirSpecification(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index, oracle := drawCatalogue(t)
		for range 20 {
			agreeOnFacets(t, index, oracle, drawFilter(t), rapid.SliceOfN(rapid.Custom(drawFacet), 0, 4).Draw(t, "facets"))
		}
	})
}

// TestFacetsDoNotCountMaskedAddresses: an address may be of any type, if the
// criterion was defined anew, and a masked one counts as none of them.
func TestFacetsDoNotCountMaskedAddresses(t *testing.T) {
	moment := criteria.Date{At: instants[1], Timed: true}
	veil := product.Veil{Addresses: true}
	for _, c := range []struct {
		value         criteria.Value
		facet         product.Facet
		veiled, plain []int
	}{
		{moment, product.Facet{Type: criteria.DATE, Bounds: []float64{moment.Scalar()}}, []int{0, 1}, []int{0, 2}},
		{criteria.Number(5), product.Facet{Type: criteria.NUMBER}, []int{1}, []int{2}},
		{criteria.Unique("Maison"), product.Facet{Type: criteria.UNIQUE, Codes: codes}, []int{0, 1, 0, 0}, []int{0, 2, 0, 0}},
		{criteria.Multiple{"Maison"}, product.Facet{Type: criteria.MULTIPLE, Codes: codes}, []int{0, 1, 0, 0}, []int{0, 2, 0, 0}},
		{criteria.Flag(true), product.Facet{Type: criteria.FLAG}, []int{1, 1}, []int{0, 2}},
	} {
		builder, oracle := catalogue.NewBuilder(catalogue.Options{}), cataloguetest.NewOracle()
		for id, masked := range []criteria.Flag{true, false} {
			p := product.Product{ID: product.ID(id + 1), Agency: 1, Criteria: criteria.Values{criteria.KeyAddress: c.value, criteria.KeyHideAddress: masked}}
			builder.Add(product.Candidate{Product: p})
			oracle.Add(product.Candidate{Product: p})
		}
		index, facets := builder.Index(1), []product.Facet{c.facet}
		facets[0].Criterion = criteria.KeyAddress
		for seen, want := range map[*product.Veil][]int{&veil: c.veiled, {}: c.plain} {
			filter := product.Filter{Agencies: []site.AgencyID{1}, Veil: *seen}
			if _, counts := index.Facets(filter, facets); !slices.Equal(counts[0], want) {
				t.Errorf("%+v of %v: %v, want %v", c.facet, c.value, counts[0], want)
			}
			agreeOnFacets(t, index, oracle, filter, facets)
		}
	}
}

// TestFacetsOfALargeCatalogueAgree has sets and columns of all forms, in more
// windows than one.
func TestFacetsOfALargeCatalogueAgree(t *testing.T) {
	const n = 9000
	index, oracle := build(n), cataloguetest.NewOracle()
	for c := range cataloguetest.Products(n, 1) {
		oracle.Add(c)
	}
	seq := int64(n)
	for i, c := range oracle.Shown() {
		if i%7 == 0 {
			seq++
			gone := []catalogue.Change{{ID: c.Product.ID}}
			index.Apply(seq, gone)
			oracle.Apply(seq, gone)
		}
	}
	for _, q := range cataloguetest.Areas(20, n, 5) {
		agree(t, index, oracle, q)
		agreeOnFacets(t, index, oracle, q.Filter, cataloguetest.Facets())
	}
}

// TestAFacetTellsWhatAConditionFinds: who picks a value of a facet finds as many
// products as it promised.
func TestAFacetTellsWhatAConditionFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index, _ := drawCatalogue(t)
		filter, facet := drawFilter(t), drawFacet(t)
		count, counts := index.Facets(filter, []product.Facet{facet})
		if count != index.Count(filter) {
			t.Fatalf("%d products beside facets, %d without", count, index.Count(filter))
		}
		with := func(conditions ...criteria.Condition) int {
			narrowed := filter
			narrowed.Criteria = append(slices.Clone(filter.Criteria), conditions...)
			return index.Count(narrowed)
		}
		for bucket, got := range counts[0] {
			c := criteria.Condition{Criterion: facet.Criterion, Type: facet.Type}
			var want int
			switch facet.Type {
			case criteria.UNIQUE, criteria.MULTIPLE:
				c.Operator, c.Codes = criteria.COMPREND, facet.Codes[bucket:bucket+1]
				want = with(c)
			case criteria.FLAG:
				c.Operator, c.Flag = criteria.EGAL, bucket == 1
				want = with(c)
			default:
				// From a bound up, less what is from the next bound up.
				from := c
				from.Operator, from.Number = criteria.SUPERIEUR, -math.MaxFloat64
				begin := func(bound int) criteria.Condition {
					next := from
					if next.Number = facet.Bounds[bound]; facet.Instants != nil {
						next.Instant = time.UnixMicro(int64(facet.Instants[bound])).UTC()
					}
					return next
				}
				if bucket > 0 {
					from = begin(bucket - 1)
				}
				if want = with(from); bucket < len(facet.Bounds) {
					want -= with(begin(bucket))
				}
			}
			if got != want {
				t.Fatalf("bucket %d of %+v: %d, a condition finds %d", bucket, facet, got, want)
			}
		}
	})
}

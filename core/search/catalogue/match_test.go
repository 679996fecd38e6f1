package catalogue_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/search/catalogue"
	"github.com/vitrine-crm/vitrine/core/search/catalogue/cataloguetest"
)

var (
	deals       = []string{"Vente", "Vente", "Vente", "Location"}
	postalCodes = []string{"69003", "69003", "69 006", "20200", "75011", "é1000"}
	positions   = []string{"45.760000,4.850000", "45.770000,4.850000", "45.900000,4.850000", "-10.000000,179.990000", "nowhere"}
)

// drawListing is a candidate that is somewhere.
func drawListing(t *rapid.T, id product.ID, version int64) product.Candidate {
	c := drawCandidate(t, id, version)
	c.Product.Criteria[criteria.KeyTransactionType] = criteria.Unique(pick(t, "deal", deals))
	if percent(t, "has postal code", 80) {
		c.Product.Criteria[criteria.KeyPostalCode] = criteria.Text(pick(t, "postal code", postalCodes))
	}
	if percent(t, "is located", 70) {
		c.Product.Criteria[criteria.KeyPosition] = criteria.Text(pick(t, "position", positions))
	}
	return c
}

func drawRequest(t *rapid.T) demand.SearchRequest {
	r := demand.SearchRequest{ID: 3, Customer: 4, TransactionType: pick(t, "deal", deals)}
	if percent(t, "some types", 50) {
		r.PropertyTypes = drawCodes(t)
	}
	for range pick(t, "conditions", []int{1, 0, 2, 3, 5}) {
		c := drawCondition(t)
		if percent(t, "a bound", 60) {
			c = criteria.Condition{
				Criterion: pick(t, "number", keysOf[criteria.NUMBER]), Type: criteria.NUMBER,
				Operator: pick(t, "bound", []criteria.Operator{criteria.SUPERIEUR, criteria.INFERIEUR}), Number: pick(t, "limit", amounts),
			}
		}
		r.Criteria = append(r.Criteria, c)
	}
	for range pick(t, "key points", []int{0, 1, 2, 4}) {
		c := drawCondition(t)
		k := demand.KeyPoint{ID: "a " + c.Criterion, Importance: pick(t, "importance", demand.Importances()), Condition: &c}
		if percent(t, "left to people", 10) {
			k.Condition = nil
		}
		r.KeyPoints = append(r.KeyPoints, k)
	}
	for range pick(t, "areas", []int{0, 0, 1, 2, 3}) {
		r.Areas = append(r.Areas, drawArea(t))
	}
	return r
}

func drawArea(t *rapid.T) demand.Area {
	a := demand.Area{Type: pick(t, "area", demand.AreaTypes()), Excluded: percent(t, "excluded", 20)}
	switch a.Type {
	case demand.City:
		a.Label = pick(t, "city", texts)
	case demand.PostalCode, demand.INSEE:
		a.Code = pick(t, "code", postalCodes)
	case demand.Department:
		a.Code = pick(t, "department", []string{"69", "2b", "75"})
	case demand.Radius:
		a.Center = criteria.Position{Latitude: 45.76, Longitude: rapid.Float64Range(4.8, 4.9).Draw(t, "longitude")}
		if percent(t, "at the antimeridian", 20) {
			a.Center = criteria.Position{Latitude: -10, Longitude: -179.99}
		}
		a.RadiusKm = rapid.Float64Range(0.1, 20).Draw(t, "radius")
	case demand.Shape:
		south, north := rapid.Float64Range(45.7, 45.77).Draw(t, "south"), rapid.Float64Range(45.77, 46).Draw(t, "north")
		corner := criteria.Position{Latitude: south, Longitude: 4.8}
		a.Outline = demand.Outline{{{corner, {Latitude: south, Longitude: 4.9}, {Latitude: north, Longitude: 4.85}, corner}}}
	}
	return a
}

// naiveMatch is what an index must answer.
func naiveMatch(candidates map[product.ID]product.Candidate, r demand.SearchRequest, q catalogue.MatchQuery) catalogue.Matches {
	var found []catalogue.Rated
	for _, c := range candidates {
		if m := r.Match(c.Product); q.Filter.Matches(c) && (m.Holds || q.Near && m.Near) {
			found = append(found, catalogue.Rated{ID: c.Product.ID, Verdict: m.Verdict})
		}
	}
	rank := func(r catalogue.Rated) int {
		if r.Holds {
			return 1000 + r.Score
		}
		return r.Score
	}
	slices.SortFunc(found, func(a, b catalogue.Rated) int { return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a.ID, b.ID)) })
	a := catalogue.Matches{Total: len(found)}
	if page := found[min(q.Skip, len(found)):min(q.Skip+q.Limit, len(found))]; len(page) > 0 {
		a.Products = page
	}
	return a
}

// naiveLatest is what an index must say of the latest match.
func naiveLatest(candidates map[product.ID]product.Candidate, r demand.SearchRequest, f product.Filter) (latest time.Time) {
	for _, c := range candidates {
		if f.Matches(c) && r.Match(c.Product).Holds && c.Product.Modified.After(latest) {
			latest = c.Product.Modified
		}
	}
	return latest
}

// TestMatchingAgreesWithItsSpecification is the test of the matching engine: on
// thousands of pairs of a catalogue and a search request it finds, and rates,
// what demand.SearchRequest.Match says.
func TestMatchingAgreesWithItsSpecification(t *testing.T) {
	pairs, matches, nearMisses := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		builder, candidates := catalogue.NewTunedBuilder(catalogue.Options{}, drawTuning(t)), map[product.ID]product.Candidate{}
		for id := range product.ID(rapid.IntRange(0, 40).Draw(t, "products")) {
			candidates[id+1] = drawListing(t, id+1, 1)
			builder.Add(candidates[id+1])
		}
		index := builder.Index(1)
		for step := range int64(rapid.IntRange(0, 5).Draw(t, "changes")) {
			change := catalogue.Change{ID: product.ID(rapid.IntRange(1, 50).Draw(t, "id"))}
			if delete(candidates, change.ID); percent(t, "stays", 80) {
				c := drawListing(t, change.ID, 2+step)
				change.Now, candidates[change.ID] = &c, c
			}
			index.Apply(2+step, []catalogue.Change{change})
		}
		for range 60 {
			r, q := drawRequest(t), catalogue.MatchQuery{
				Filter: product.Filter{Agencies: everyAgency[:2]}, Near: rapid.Bool().Draw(t, "near"),
				Skip: pick(t, "skip", []int{0, 0, 1, 7}), Limit: pick(t, "limit", []int{50, 3, 0}),
			}
			got := index.Match(r, q)
			if diff := gocmp.Diff(naiveMatch(candidates, r, q), got); diff != "" {
				t.Fatalf("%+v\n%+v\n%s", r, q, diff)
			}
			if latest := index.Latest(r, q.Filter); !latest.Equal(naiveLatest(candidates, r, q.Filter)) {
				t.Fatalf("%+v\nthe latest is of %s", r, latest)
			}
			pairs++
			for _, p := range got.Products {
				if p.Holds {
					matches++
				} else {
					nearMisses++
				}
			}
		}
	})
	t.Logf("%d pairs, %d matches, %d near misses", pairs, matches, nearMisses)
	if pairs < 5_000 || matches < pairs/8 || nearMisses < pairs/8 {
		t.Error("that is too little to tell anything")
	}
}

// TestMadeUpSearchesFindSomething holds the world of the benchmarks against
// life: most requests find a few products, and hardly any finds a tenth of all.
func TestMadeUpSearchesFindSomething(t *testing.T) {
	const products = 2_000
	index, matched, crowded, n := build(products), 0, 0, 0
	for r := range cataloguetest.Searches(500, 1) {
		found := index.Match(r, catalogue.MatchQuery{Filter: cataloguetest.OnTheMarket(), Near: true})
		n++
		if found.Total > 0 {
			matched++
		}
		if found.Total > products/10 {
			crowded++
		}
	}
	t.Logf("of %d requests %d find something, %d much", n, matched, crowded)
	if 4*matched < n || 20*crowded > n {
		t.Errorf("of %d requests %d find something, %d much", n, matched, crowded)
	}
}

func BenchmarkMatch100k(b *testing.B) {
	index, requests := largeIndex(), slices.Collect(cataloguetest.Searches(2000, 2))
	for name, near := range map[string]bool{"matches": false, "near misses": true} {
		b.Run(name, func(b *testing.B) {
			measure(b, func(i int) {
				index.Match(requests[i%len(requests)], catalogue.MatchQuery{Filter: cataloguetest.OnTheMarket(), Near: near, Limit: 50})
			})
		})
	}
}

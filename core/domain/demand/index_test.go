package demand_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
	"github.com/vitrine-crm/vitrine/core/domain/site"
)

// extremes are bounds that arithmetic overflows at.
var extremes = []float64{math.MaxFloat64, -math.MaxFloat64, 1e308, 5e-324, -1}

// someRequest draws a search request of a small world, in which many match.
func someRequest(t *rapid.T, id demand.SearchID) demand.SearchRequest {
	r := demand.SearchRequest{
		ID: id, Customer: 9, Agency: site.AgencyID(rapid.IntRange(11, 13).Draw(t, "agency")),
		Active: rapid.IntRange(0, 9).Draw(t, "active") > 0, Status: rapid.SampledFrom([]string{demand.StatusActive, demand.StatusActive, demand.StatusPaused}).Draw(t, "status"),
		TransactionType: rapid.SampledFrom([]string{"Vente", "Vente", "Location"}).Draw(t, "transaction"),
		PropertyTypes:   rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Appartement", "Maison", "Terrain"}), 0, 2, rapid.ID[string]).Draw(t, "types"),
	}
	for n, b := range demand.Bounds()[:6] {
		if rapid.IntRange(0, 3).Draw(t, b.Field) == 0 {
			limit := []float64{200_000, 350_000, 60, 120, 0, 3}[n] * rapid.Float64Range(0.8, 1.2).Draw(t, "times")
			if rapid.IntRange(0, 9).Draw(t, "extreme") == 0 {
				limit = rapid.SampledFrom(extremes).Draw(t, "limit")
			}
			r.SetBound(b, &limit)
		}
	}
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Balcon", "Ascenseur"}), 0, 2, rapid.ID[string]).Draw(t, "key points") {
		r.KeyPoints = append(r.KeyPoints, wish(rapid.SampledFrom(demand.Importances()).Draw(t, "importance"), key))
	}
	for _, c := range rapid.SliceOfN(rapid.SampledFrom([]criteria.Condition{
		{Criterion: criteria.KeyCity, Type: criteria.TEXT, Operator: criteria.CONTIENT, Texts: []string{"lyo", "par"}},
		{Criterion: criteria.KeyRooms, Type: criteria.NUMBER, Operator: criteria.EGAL, Number: 4},
		{Criterion: criteria.KeyPropertyType, Type: criteria.UNIQUE, Operator: criteria.NE_COMPREND_PAS, Codes: []string{"Maison"}},
		{Criterion: "Balcon", Type: criteria.FLAG, Operator: criteria.DIFFERENT, Flag: true},
		{Criterion: "Balcon", Type: criteria.FLAG, Operator: criteria.EGAL},
		{Criterion: criteria.KeyPrice, Type: criteria.DATE, Operator: criteria.SUPERIEUR, Number: 310_000},
		{Criterion: "Ascenseur", Type: criteria.NUMBER, Operator: criteria.INFERIEUR, Number: 3},
	}), 0, 1).Draw(t, "conditions") {
		if rapid.Bool().Draw(t, "as a key point") {
			r.KeyPoints = append(r.KeyPoints, demand.KeyPoint{ID: "some", Importance: rapid.SampledFrom(demand.Importances()).Draw(t, "importance"), Condition: &c})
		} else {
			r.Criteria = append(r.Criteria, c)
		}
	}
	for _, area := range rapid.SliceOfN(rapid.SampledFrom([]demand.Area{
		{Type: demand.PostalCode, Code: "69003"}, {Type: demand.PostalCode, Code: "75011"}, {Type: demand.City, Label: "LYON", Code: "69123"},
		{Type: demand.City, Label: "Paris"}, {Type: demand.Department, Code: "69"}, {Type: demand.Department, Code: "75"},
		{Type: demand.INSEE, Code: "69383"}, {Type: demand.INSEE, Code: "69123"}, {Type: demand.PostalCode, Code: "75116"}, {Type: demand.Radius, Center: *at(45.75, 4.85), RadiusKm: 1},
	}), 0, 2).Draw(t, "areas") {
		area.Excluded = rapid.IntRange(0, 4).Draw(t, "excluded") == 0
		r.Areas = append(r.Areas, area)
	}
	return r
}

// naive is what an index must answer.
func naive(requests map[demand.SearchID]demand.SearchRequest, p product.Product, q demand.MatchQuery) demand.Matches {
	var all []demand.Match
	for _, r := range requests {
		if m := r.Match(p); r.Open() && slices.Contains(q.Agencies, r.Agency) && (m.Holds || q.Near && m.Near) {
			all = append(all, m)
		}
	}
	rank := func(m demand.Match) int {
		if m.Holds {
			return 1000 + m.Score
		}
		return m.Score
	}
	slices.SortFunc(all, func(a, b demand.Match) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a.Search, b.Search))
	})
	page := all[min(q.Skip, len(all)):min(q.Skip+q.Limit, len(all))]
	return demand.Matches{Total: len(all), Matches: append([]demand.Match{}, page...)}
}

// TestAnIndexAgreesWithEveryRequest puts, changes and removes requests and
// compares the index with matching them one by one.
func TestAnIndexAgreesWithEveryRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		requests := map[demand.SearchID]demand.SearchRequest{}
		var first []demand.SearchRequest
		for id := range demand.SearchID(rapid.IntRange(0, 30).Draw(t, "loaded")) {
			r := someRequest(t, id+1)
			first, requests[r.ID] = append(first, r), r
		}
		index := demand.NewIndex(10, first)
		empty := demand.NewIndex(0, nil).Bytes()
		for step := range rapid.IntRange(0, 20).Draw(t, "steps") {
			id := demand.SearchID(rapid.IntRange(1, 40).Draw(t, "id"))
			change := demand.Revision{ID: id}
			if rapid.IntRange(0, 3).Draw(t, "kind") > 0 {
				r := someRequest(t, id)
				change.Now, requests[id] = &r, r
			} else {
				delete(requests, id)
			}
			index.Apply(int64(11+step), []demand.Revision{change})
		}
		p := flat(criteria.Values{
			criteria.KeyPrice: criteria.Number(rapid.OneOf(rapid.Float64Range(150_000, 450_000), rapid.SampledFrom(extremes)).Draw(t, "price")), "Balcon": criteria.Flag(rapid.Bool().Draw(t, "balcony")),
		})
		p.Criteria["Ascenseur"] = rapid.SampledFrom([]criteria.Value{nil, criteria.Flag(true), criteria.Number(2), criteria.Number(3.5), criteria.Number(9)}).Draw(t, "lift")
		for _, key := range []string{criteria.KeyPrice, criteria.KeySurface, criteria.KeyRooms, criteria.KeyPostalCode, criteria.KeyCity} {
			if rapid.IntRange(0, 5).Draw(t, "lacks "+key) == 0 {
				delete(p.Criteria, key)
			}
		}
		for key, some := range map[string][]criteria.Value{
			criteria.KeyCommune:    {criteria.Text("69383"), criteria.Text("69123"), criteria.Text("75116")},
			criteria.KeyPostalCode: {criteria.Text("75016"), criteria.Text("75116")},
			criteria.KeyCity:       {criteria.Text("Lyon 3e Arrondissement"), criteria.Text("Paris 16")},
		} {
			if rapid.IntRange(0, 2).Draw(t, "another "+key) == 0 {
				p.Criteria[key] = rapid.SampledFrom(some).Draw(t, key)
			}
		}
		q := demand.MatchQuery{Agencies: []site.AgencyID{11, 12}, Near: rapid.Bool().Draw(t, "near"), Skip: rapid.IntRange(0, 5).Draw(t, "skip"), Limit: rapid.IntRange(1, 10).Draw(t, "limit")}
		if diff := gocmp.Diff(naive(requests, p, q), index.Match(p, q)); diff != "" {
			t.Fatal(diff)
		}
		counted := []product.Product{p, flat(nil), {}}
		counts := index.Count(counted, q.Agencies)
		for i, one := range counted {
			if want := naive(requests, one, demand.MatchQuery{Agencies: q.Agencies}).Total; counts[i] != want {
				t.Fatalf("%d requests are counted for product %d, not %d", counts[i], i, want)
			}
		}
		var none []demand.Revision
		for id := range requests {
			none = append(none, demand.Revision{ID: id})
		}
		index.Apply(99, none)
		if index.Len() != 0 || index.Bytes() != empty || index.Seq() != 99 {
			t.Fatalf("an emptied index has %d requests in %d bytes at %d", index.Len(), index.Bytes(), index.Seq())
		}
	})
}

func BenchmarkOneListingAgainst100000Searches(b *testing.B) {
	draw := rapid.Custom(func(t *rapid.T) demand.SearchRequest { return someRequest(t, 0) })
	requests := make([]demand.SearchRequest, 100_000)
	for i := range requests {
		requests[i] = draw.Example(i)
		requests[i].ID = demand.SearchID(i + 1)
	}
	index := demand.NewIndex(1, requests)
	for _, near := range []bool{false, true} {
		b.Run(fmt.Sprintf("near=%t", near), func(b *testing.B) {
			b.ReportAllocs()
			p := flat(nil)
			for b.Loop() {
				index.Match(p, demand.MatchQuery{Agencies: []site.AgencyID{11, 12, 13}, Near: near, Limit: 50})
			}
			b.ReportMetric(float64(index.Bytes())/float64(index.Len()), "B/search")
		})
	}
	b.Run("counted", func(b *testing.B) {
		b.ReportAllocs()
		page := make([]product.Product, 100)
		for i := range page {
			page[i] = flat(criteria.Values{criteria.KeyPrice: criteria.Number(150_000 + 3_000*i)})
		}
		for b.Loop() {
			index.Count(page, []site.AgencyID{11, 12, 13})
		}
		b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(len(page))/1e6, "ms/product")
	})
}

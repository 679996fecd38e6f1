package demand_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/vitrine-crm/vitrine/core/domain/criteria"
	"github.com/vitrine-crm/vitrine/core/domain/demand"
	"github.com/vitrine-crm/vitrine/core/domain/product"
)

// flat is a flat for sale in Lyon, and family a search it answers.
func flat(changes criteria.Values) product.Product {
	v := criteria.Values{
		criteria.KeyTransactionType: criteria.Unique("Vente"), criteria.KeyPropertyType: criteria.Unique("Appartement"),
		criteria.KeyPrice: criteria.Number(300_000), criteria.KeySurface: criteria.Number(80), criteria.KeyRooms: criteria.Number(4),
		criteria.KeyCity: criteria.Text("Lyon"), criteria.KeyPostalCode: criteria.Text("69003"),
		criteria.KeyPosition: criteria.Text("45.760000,4.850000"),
	}
	for key, value := range changes {
		if value == nil {
			delete(v, key)
			continue
		}
		v[key] = value
	}
	return product.Product{ID: 7, Criteria: v}
}

func family() demand.SearchRequest {
	r := demand.SearchRequest{
		ID: 1, Customer: 9, Active: true, Status: demand.StatusActive, TransactionType: "Vente",
		PropertyTypes: []string{"Appartement", "Maison"},
		Areas:         []demand.Area{{Type: demand.PostalCode, Code: "69003"}},
	}
	price, surface := 320_000.0, 70.0
	r.SetBound(demand.Bounds()[1], &price)
	r.SetBound(demand.Bounds()[2], &surface)
	return r
}

func wish(importance demand.Importance, key string) demand.KeyPoint {
	return demand.KeyPoint{ID: key, Importance: importance, Condition: &criteria.Condition{
		Criterion: key, Type: criteria.FLAG, Operator: criteria.EGAL, Flag: true,
	}}
}

func ids(findings []demand.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.ID)
	}
	return all
}

func TestAProductThatHasEverythingMatchesWithEveryReason(t *testing.T) {
	m := family().Match(flat(nil))
	if !m.Holds || m.Score != 100 || len(m.Misses) != 0 || m.Near {
		t.Errorf("%+v", m)
	}
	want := []string{demand.DemandTransaction, demand.DemandProperty, criteria.KeyPrice, criteria.KeySurface, demand.DemandAreas}
	if got := ids(m.Reasons); !slices.Equal(got, want) {
		t.Errorf("the reasons are %v, not %v", got, want)
	}
	if m.Search != 1 || m.Customer != 9 || m.Product != 7 {
		t.Errorf("the match is about %d, %d and %d", m.Search, m.Customer, m.Product)
	}
}

func TestANearMissSaysWhatIsMissedAndByHowMuch(t *testing.T) {
	m := family().Match(flat(criteria.Values{criteria.KeyPrice: criteria.Number(335_000)}))
	if m.Holds || !m.Near || len(m.Misses) != 1 {
		t.Fatalf("%+v", m)
	}
	miss := m.Misses[0]
	if miss.ID != criteria.KeyPrice || miss.By != 15_000 || miss.Found != 335_000.0 || miss.Wanted.Value != 320_000.0 || miss.Wanted.Operator != "INFERIEUR" {
		t.Errorf("%+v", miss)
	}
	if m.Score <= 80 || m.Score >= 100 {
		t.Errorf("a price 5 %% too high makes a score of %d", m.Score)
	}
}

func TestWhatMakesAMissNoNearOne(t *testing.T) {
	barred := family()
	barred.KeyPoints = []demand.KeyPoint{wish(demand.Exclu, "Piscine")}
	for name, c := range map[string]struct {
		request demand.SearchRequest
		product product.Product
	}{
		"another transaction":              {family(), flat(criteria.Values{criteria.KeyTransactionType: criteria.Unique("Location")})},
		"a number far off":                 {family(), flat(criteria.Values{criteria.KeyPrice: criteria.Number(400_000)})},
		"two demands without a distance":   {family(), flat(criteria.Values{criteria.KeyPropertyType: criteria.Unique("Terrain"), criteria.KeyPostalCode: criteria.Text("75001")})},
		"a quality that is ruled out":      {barred, flat(criteria.Values{"Piscine": criteria.Flag(true)})},
		"three demands, each a little off": {narrow(), flat(criteria.Values{criteria.KeyRooms: criteria.Number(4)})},
	} {
		if m := c.request.Match(c.product); m.Holds || m.Near {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// narrow misses flat by a little in price, surface and rooms.
func narrow() demand.SearchRequest {
	r := family()
	for n, limit := range map[int]float64{1: 299_000, 2: 81, 5: 5} {
		r.SetBound(demand.Bounds()[n], &limit)
	}
	return r
}

func TestAWishChangesTheScoreAndNothingElse(t *testing.T) {
	r := family()
	r.KeyPoints = []demand.KeyPoint{wish(demand.Souhaite, "Balcon")}
	without, with := r.Match(flat(nil)), r.Match(flat(criteria.Values{"Balcon": criteria.Flag(true)}))
	if !without.Holds || !with.Holds || with.Score != 100 || without.Score >= 100 {
		t.Errorf("without %+v\nwith %+v", without, with)
	}
	if len(without.Misses) != 1 || !without.Misses[0].Wish {
		t.Errorf("the wish is no miss: %+v", without.Misses)
	}
}

func TestAnIndispensableQualityIsInsistedOn(t *testing.T) {
	r := family()
	r.KeyPoints = []demand.KeyPoint{wish(demand.Indispensable, "Ascenseur")}
	if m := r.Match(flat(nil)); m.Holds {
		t.Errorf("%+v", m)
	}
	if m := r.Match(flat(criteria.Values{"Ascenseur": criteria.Flag(true)})); !m.Holds {
		t.Errorf("%+v", m)
	}
}

func TestAQualityNoCriterionSpeaksOfIsLeftToPeople(t *testing.T) {
	r := family()
	r.KeyPoints = []demand.KeyPoint{{ID: "CALME", Importance: demand.Indispensable}}
	if m := r.Match(flat(nil)); !m.Holds || m.Score != 100 {
		t.Errorf("%+v", m)
	}
}

func TestBoundsLiveInTheCriteria(t *testing.T) {
	r := family()
	for _, b := range demand.Bounds() {
		limit := 12.5
		r.SetBound(b, &limit)
		if got, ok := r.Bound(b); !ok || got != limit {
			t.Errorf("%s: %v %t", b.Field, got, ok)
		}
		r.SetBound(b, nil)
		if _, ok := r.Bound(b); ok {
			t.Errorf("%s is still there", b.Field)
		}
	}
	if len(r.Criteria) != 0 {
		t.Errorf("left: %+v", r.Criteria)
	}
}

func TestTheStrictestOfSeveralBoundsShows(t *testing.T) {
	least, most := demand.Bounds()[0], demand.Bounds()[1]
	limit := func(b demand.Bound, n float64) criteria.Condition {
		return criteria.Condition{Criterion: b.Criterion, Type: criteria.NUMBER, Operator: b.Operator, Number: n}
	}
	r := demand.SearchRequest{Criteria: []criteria.Condition{limit(least, 1), limit(least, 3), limit(least, 2), limit(most, 9), limit(most, 7), limit(most, 8)}}
	if n, _ := r.Bound(least); n != 3 {
		t.Errorf("the least price is %v", n)
	}
	if n, _ := r.Bound(most); n != 7 {
		t.Errorf("the highest price is %v", n)
	}
}

// TestAMatchIsExactlyWhatEveryDemandSays is the law the matching engine is held
// to through Match.
func TestAMatchIsExactlyWhatEveryDemandSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := flat(criteria.Values{
			criteria.KeyPrice: criteria.Number(rapid.Float64Range(0, 600_000).Draw(t, "price")),
			criteria.KeyRooms: criteria.Number(rapid.IntRange(1, 9).Draw(t, "rooms")),
			"Balcon":          criteria.Flag(rapid.Bool().Draw(t, "balcony")),
		})
		r := family()
		price, rooms := rapid.Float64Range(0, 600_000).Draw(t, "price_max"), float64(rapid.IntRange(1, 9).Draw(t, "rooms_min"))
		r.SetBound(demand.Bounds()[1], &price)
		r.SetBound(demand.Bounds()[5], &rooms)
		importance := rapid.SampledFrom(demand.Importances()).Draw(t, "importance")
		r.KeyPoints = []demand.KeyPoint{wish(importance, "Balcon")}

		want := true
		for _, c := range r.Criteria {
			want = want && c.Matches(p.Criteria[c.Criterion])
		}
		if importance != demand.Souhaite {
			want = want && p.Criteria.Flag("Balcon") == (importance == demand.Indispensable)
		}
		m := r.Match(p)
		switch {
		case m.Holds != want:
			t.Fatalf("holds is %t: %+v", m.Holds, m)
		case m.Score < 0 || m.Score > 100:
			t.Fatalf("the score is %d", m.Score)
		case (m.Score == 100) != (len(m.Misses) == 0):
			t.Fatalf("a score of %d with %d misses", m.Score, len(m.Misses))
		case m.Holds && m.Near:
			t.Fatal("a match is no near miss")
		case len(m.Reasons)+len(m.Misses) != len(r.Criteria)+len(r.KeyPoints)+3:
			t.Fatal("a demand is neither a reason nor a miss")
		}
	})
}
